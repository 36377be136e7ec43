"""The situations of the answer-only part; none of them occurs in the fully supervised part."""

from tools.sample.story import Situation
from tools.sample.weak import contests, intervals, measures, tariffs

SITUATIONS: tuple[Situation, ...] = tuple(
    situation for theme in (tariffs, intervals, measures, contests) for situation in theme.SITUATIONS
)
