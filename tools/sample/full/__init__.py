"""The situations of the fully supervised part."""

from tools.sample.full import (
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
from tools.sample.story import Situation

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
