"""What a search returns: candidate solutions of one problem, best first."""

from typing import Literal, get_args

from mwp.arith.expressions import Expression
from mwp.arith.prefix import from_prefix
from mwp.data.problems import Record

OrderName = Literal["paper", "published", "ranked"]
ORDER_NAMES: tuple[OrderName, ...] = get_args(OrderName)


class Candidate(Record):
    """A solution as prefix tokens; `score` is the log of its share among all rivals under the prior."""

    solution: tuple[str, ...]
    score: float

    @property
    def expression(self) -> Expression:
        return from_prefix(self.solution)


class Label(Record):
    """`rivals` counts the expressions, different as functions of the N_i, that lead to the answer as well."""

    id: str
    order: str
    candidates: tuple[Candidate, ...]
    rivals: int
    tries: int
