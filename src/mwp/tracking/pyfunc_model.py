"""The solver as MLflow runs it: this file itself is logged as the model's code, with a model.pt beside it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mlflow.exceptions import MlflowException
from mlflow.models import set_model
from mlflow.pyfunc.model import PythonModel, PythonModelContext
from pandas import DataFrame

from mwp.inference.solver import Solver
from mwp.inference.texts import MAX_ANSWERS, answer_texts

ARTIFACT = "model"
TEXT = "text"


class SolverModel(PythonModel):
    """Texts in, answers out; a text that is no problem gets an error instead of its answer."""

    model: Solver
    max_texts: int | None = None  # in one call

    def load_context(self, context: PythonModelContext) -> None:
        self.model = Solver.load(Path(context.artifacts[ARTIFACT]))

    def predict(
        self, context: PythonModelContext, model_input: DataFrame, params: dict[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """`model_input` has a column of texts; the signature gives the params k and raw their defaults."""
        asked = params or {}
        return self.answers(list(model_input[TEXT]), int(asked["k"]), bool(asked["raw"]))

    def answers(self, texts: Sequence[str], k: int, raw: bool) -> list[dict[str, Any]]:
        if not 1 <= k <= MAX_ANSWERS:
            raise MlflowException.invalid_parameter_value(f"expected k from 1 to {MAX_ANSWERS}, found {k}")
        if self.max_texts is not None and len(texts) > self.max_texts:
            reason = f"expected at most {self.max_texts} texts in a call, found {len(texts):,}"
            raise MlflowException.invalid_parameter_value(reason)
        return answer_texts(self.model, texts, k, raw)


set_model(SolverModel())
