"""The situations of the fully supervised part."""

from mwp.data.sample.full import (
    comparison,
    farm,
    home,
    parts,
    percents,
    plane,
    puzzles,
    school,
    shopping,
    solids,
    steps,
    travel,
    work,
)
from mwp.data.sample.story import Situation

SITUATIONS: tuple[Situation, ...] = tuple(
    situation
    for theme in (
        steps,
        shopping,
        percents,
        parts,
        comparison,
        travel,
        work,
        plane,
        solids,
        school,
        home,
        farm,
        puzzles,
    )
    for situation in theme.SITUATIONS
)
