"""A solver loaded for serving: answers for our own page, and replies in MLflow's protocol."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlflow.exceptions import MlflowException
from mlflow.pyfunc import PyFuncModel
from mlflow.pyfunc.scoring_server import invocations

from mwp.tracking.solver_model import SolverModel
from mwp.tracking.solvers import load_solver
from mwp.tracking.store import Store

# Texts in one call: they are solved in one go, and meanwhile others wait.
MOST_TEXTS = 100
CONTENT_TYPES = ("application/json", "text/csv")

logging.getLogger("mlflow.pyfunc.scoring_server").setLevel(logging.ERROR)  # it warns of what clients send


@dataclass(frozen=True)
class Reply:
    """`content` is JSON where the status is 200, else what is wrong."""

    status: int
    content: str


@dataclass(frozen=True)
class Scorer:
    name: str
    pyfunc: PyFuncModel
    solver: SolverModel

    def answers(self, texts: Sequence[str], k: int, raw: bool) -> Sequence[dict[str, Any]]:
        return self.solver.answers(texts, k, raw)

    def reply(self, body: bytes, content_type: str) -> Reply:
        """What MLflow's own server would answer to POST /invocations. It also reads parquet, of which a few bytes
        may unpack to more than there is memory."""
        if content_type.partition(";")[0].strip() not in CONTENT_TYPES:
            return Reply(
                415, f"expected the content type {' or '.join(CONTENT_TYPES)}, found {content_type[:80] or 'none'}"
            )
        try:
            schema = self.pyfunc.metadata.get_input_schema()  # type: ignore[no-untyped-call]
            found = invocations(body, content_type, self.pyfunc, schema)  # type: ignore[no-untyped-call]
        except MlflowException as error:
            return Reply(int(error.get_http_status_code()), _reason(error))  # type: ignore[no-untyped-call]
        except RecursionError:
            return Reply(400, "expected texts, found brackets in brackets without end")
        return Reply(int(found.status), str(found.response))


def _reason(error: MlflowException) -> str:
    """In one line, without the input that MLflow repeats in it."""
    text = str(error.message).rpartition("\nError: ")[2].partition("\nInput:")[0]
    return " ".join(text.split())


def load_scorer(store: Store, source: str | Path) -> Scorer:
    pyfunc = load_solver(store, source)
    solver: SolverModel = pyfunc.unwrap_python_model()  # type: ignore[no-untyped-call]
    solver.most_texts = MOST_TEXTS
    return Scorer(str(source), pyfunc, solver)
