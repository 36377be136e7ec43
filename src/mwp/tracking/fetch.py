"""The file of a trained solver behind an address in MLflow."""

from pathlib import Path

import mlflow
from mlflow.artifacts import download_artifacts
from mlflow.exceptions import MlflowException

from mwp.errors import BadInput
from mwp.inference.solver import MODEL_FILE
from mwp.tracking.store import Store


def fetch_model(address: str, folder: Path) -> Path:
    """`folder` takes what must be copied. Only the file is read: code that was logged beside it is not run."""
    is_set: bool = mlflow.is_tracking_uri_set()  # type: ignore[no-untyped-call]
    store = Store(mlflow.get_tracking_uri(), None) if is_set else Store.of_project()
    store.check()
    try:
        found = download_artifacts(
            artifact_uri=address, dst_path=str(folder), tracking_uri=store.uri, registry_uri=store.uri
        )
    except MlflowException as error:
        reason = " ".join(str(error.message).split())
        raise BadInput(f"cannot load {address} from {store.name}: {reason}; look for it with: mwp ui") from error
    files = sorted(Path(found).rglob(MODEL_FILE))
    if not files:
        raise BadInput(f"{address} in {store.name} is no solver of mwp: it has no {MODEL_FILE}")
    return files[0]
