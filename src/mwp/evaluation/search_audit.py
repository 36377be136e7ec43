"""The audit of a search: how many problems it labels and how many labels are sound, by operators."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Sequence

from pydantic import Field

from mwp.arith.expressions import operator_count
from mwp.data.problems import Problem, Record
from mwp.data.soundness import is_sound
from mwp.wda.labels import Label

MAX_K = 5
ALL = "all"


class AuditRow(Record):
    """Counts of one strategy over the problems whose ground truth has so many operators (or over all)."""

    strategy: str = Field(validation_alias="order")
    operators: str
    problems: int
    found: int
    sound: int
    sound_at_5: int


def audit(problems: Sequence[Problem], labels: Sequence[Label]) -> list[AuditRow]:
    """Rows for all problems with a ground truth and for each number of operators; none without ground truths."""
    groups: dict[int, list[tuple[bool, int | None]]] = defaultdict(list)
    for problem, label in zip(problems, labels, strict=True):
        if problem.gold:
            outcome = (bool(label.candidates), sound_rank(label, problem))
            groups[operator_count(problem.readings[0])].append(outcome)
    if not groups:
        return []
    strategy = labels[0].strategy
    every = [outcome for group in groups.values() for outcome in group]
    return [_row(strategy, ALL, every), *(_row(strategy, str(count), groups[count]) for count in sorted(groups))]


def _row(strategy: str, operators: str, outcomes: list[tuple[bool, int | None]]) -> AuditRow:
    ranks = [rank for _, rank in outcomes if rank is not None]
    return AuditRow(
        strategy=strategy,
        operators=operators,
        problems=len(outcomes),
        found=sum(found for found, _ in outcomes),
        sound=sum(rank == 0 for rank in ranks),
        sound_at_5=sum(rank < MAX_K for rank in ranks),
    )


def to_csv(rows: Iterable[AuditRow]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(AuditRow.model_fields), lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.model_dump() for row in rows)
    return text.getvalue()


def sound_rank(label: Label, problem: Problem) -> int | None:
    """The rank, from 0, of the first sound candidate; None if none is."""
    for rank, candidate in enumerate(label.candidates):
        if is_sound(candidate.expression, problem):
            return rank
    return None
