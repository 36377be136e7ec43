"""Trained solvers in MLflow: logged with their run, registered by system, and loaded again from either.

A solver loaded for serving: answers for our own page, and replies in MLflow's protocol."""

import logging
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import mlflow
from mlflow import MlflowClient, pyfunc
from mlflow.entities import LoggedModelOutput
from mlflow.exceptions import MlflowException
from mlflow.models import Model as Description
from mlflow.models import ModelSignature
from mlflow.pyfunc import PyFuncModel
from mlflow.pyfunc.scoring_server import invocations
from mlflow.types import ColSpec, DataType, ParamSchema, ParamSpec, Schema
from mlflow.types.schema import AnyType, Array, Map

from mwp.errors import BadInput
from mwp.inference.answers import SolvedProblem
from mwp.inference.solver import SCHEMES as SCHEMES
from mwp.tracking import pyfunc_model as solver_model
from mwp.tracking.pyfunc_model import SolverModel
from mwp.tracking.run import RunIdentity, TrackedRun
from mwp.tracking.store import Store

NAME = "solver"
ANYTHING = Map(AnyType())  # type: ignore[no-untyped-call]
SIGNATURE = ModelSignature(
    inputs=Schema([ColSpec(DataType.string, solver_model.TEXT)]),
    outputs=Schema(
        [
            ColSpec(DataType.string, "text", required=False),
            ColSpec(DataType.string, "answer", required=False),
            ColSpec(Array(ANYTHING), "numbers", required=False),
            ColSpec(Array(ANYTHING), "answers", required=False),
            ColSpec(DataType.string, "error", required=False),
        ]
    ),
    params=ParamSchema([ParamSpec("k", DataType.long, 5), ParamSpec("raw", DataType.boolean, False)]),
)
# Texts in one call: they are solved in one go, and meanwhile others wait.
MAX_TEXTS = 100
CONTENT_TYPES = ("application/json", "text/csv")


def save_solver(folder: Path, model_file: Path, description: Description | None = None) -> None:
    """A folder that `mlflow models predict` and `serve` understand; they need this package where they run."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*input example was not provided")  # it has the signature
        pyfunc.save_model(
            folder,
            python_model=solver_model.__file__,
            artifacts={solver_model.ARTIFACT: str(model_file)},
            signature=SIGNATURE,
            pip_requirements=[f"mwp=={version('mwp')}"],
            mlflow_model=description or Description(),
        )


def log_solver(run: TrackedRun, identity: RunIdentity, model_file: Path) -> str:
    """The address of the new version in the registry, where the model has the system's name."""
    client = run.client
    logged = client.create_logged_model(run.experiment, NAME, source_run_id=run.id)
    description = Description(
        artifact_path=logged.artifact_location, run_id=run.id, model_uuid=logged.model_id, model_id=logged.model_id
    )
    with tempfile.TemporaryDirectory() as folder:
        save_solver(Path(folder, NAME), model_file, description)
        client.log_model_artifacts(logged.model_id, str(Path(folder, NAME)))
    client.finalize_logged_model(logged.model_id, "READY")
    client.log_outputs(run.id, [LoggedModelOutput(logged.model_id, step=0)])
    return _register(client, identity, logged.model_id, run.id)


def _register(client: MlflowClient, identity: RunIdentity, model_id: str, run_id: str) -> str:
    with suppress(MlflowException):  # another fold has made it
        client.create_registered_model(identity.system)
    mlflow.set_tracking_uri(client.tracking_uri)  # where its registry looks for models:/ID
    made = client.create_model_version(
        identity.system, f"models:/{model_id}", run_id, {"fold": str(identity.fold)}, model_id=model_id
    )
    client.set_registered_model_alias(identity.system, f"fold-{identity.fold}", made.version)
    return f"models:/{identity.system}/{made.version}"


def load_solver(store: Store, source: str | Path) -> PyFuncModel:
    """From a model's file, or from an address in MLflow."""
    if isinstance(source, Path):
        with tempfile.TemporaryDirectory() as folder:
            save_solver(Path(folder, NAME), source)
            return _load(str(Path(folder, NAME)))
    store.check()
    mlflow.set_tracking_uri(store.uri)
    try:
        return _load(source)
    except MlflowException as error:
        reason = " ".join(str(error.message).split())
        raise BadInput(f"cannot load {source} from {store.name}: {reason}; look for it with: mwp ui") from error


def _load(address: str) -> PyFuncModel:
    model: PyFuncModel = pyfunc.load_model(address)
    return model


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
        return [_new_names(answer) for answer in self.solver.answers(texts, k, raw)]

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


def _new_names(answer: dict[str, Any]) -> dict[str, Any]:
    """Of an answer by a model that the first edition logged."""
    return SolvedProblem.model_validate(answer).model_dump(mode="json") if "suggestions" in answer else answer


def _reason(error: MlflowException) -> str:
    """In one line, without the input that MLflow repeats in it."""
    text = str(error.message).rpartition("\nError: ")[2].partition("\nInput:")[0]
    return " ".join(text.split())


def load_scorer(store: Store, source: str | Path) -> Scorer:
    pyfunc = load_solver(store, source)
    solver: SolverModel = pyfunc.unwrap_python_model()  # type: ignore[no-untyped-call]
    vars(solver).update(max_texts=MAX_TEXTS, most_texts=MAX_TEXTS)  # the latter is the first edition's name for it
    return Scorer(str(source), pyfunc, solver)
