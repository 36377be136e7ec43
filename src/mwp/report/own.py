"""Problems of one's own, as `mwp solve --file PROBLEMS --json` answered them, beside the right answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from mwp.data.files import read_records, read_text
from mwp.errors import BadInput
from mwp.evaluation.answers import Answer
from mwp.evaluation.scorers import is_near
from mwp.report.tables import table


class Solved(Answer):
    """A line of what `mwp solve` printed."""

    line: int


@dataclass(frozen=True)
class Own:
    """A problem as it was answered; `expected` is as a rational, such as 1/12."""

    answer: Answer
    expected: str

    @property
    def rank(self) -> int | None:
        """The place, from 1, of the first suggestion that gives the answer."""
        values = [suggestion.value for suggestion in self.answer.suggestions]
        right = (place for place, value in enumerate(values, 1) if is_near(value, Fraction(self.expected)))
        return next(right, None)


def read_own(answers: Path, solved: Path) -> list[Own]:
    expected, found = read_text(answers).split(), read_records(solved, Solved)
    if len(expected) != len(found):
        raise BadInput(f"{answers} has {len(expected)} answers, {solved} {len(found)} problems; solve all of them")
    return [Own(answer, right) for answer, right in zip(found, expected, strict=True)]


def own_table(problems: Sequence[Own]) -> str:
    return table(
        ("problem", "answer", "first equation", "its answer", "probability", "plausibility", "right"),
        [
            (
                own.answer.text,
                own.expected,
                first.worked.replace("*", "×"),
                first.answer or "none",
                f"{first.probability:.0%}",
                "unknown" if first.plausibility is None else f"{first.plausibility:.0%}",
                {1: "yes", None: "no"}.get(own.rank, f"no, but suggestion {own.rank} is"),
            )
            for own in problems
            for first in own.answer.suggestions[:1]
        ],
    )
