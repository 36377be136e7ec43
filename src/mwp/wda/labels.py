"""What a search returns: candidate solutions of one problem, best first."""

from pydantic import Field

from mwp.arith.expressions import Expression
from mwp.arith.notation import from_prefix
from mwp.data.problems import Record


class LabelCandidate(Record):
    """A solution as prefix tokens; `score` is the log of its share among all alternatives under the prior."""

    solution: tuple[str, ...]
    score: float

    @property
    def expression(self) -> Expression:
        return from_prefix(self.solution)


class Label(Record):
    """`alternatives` counts the expressions, different as functions of the N_i, that lead to the answer as well."""

    id: str
    strategy: str = Field(validation_alias="order")
    candidates: tuple[LabelCandidate, ...]
    alternatives: int = Field(validation_alias="rivals")
    tries: int
