"""The MLflow run that is open where somebody trains: it gets the params and the curves of the training."""

import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import mlflow
from mlflow.exceptions import MlflowException

from mwp.tracking.params import batches, flatten
from mwp.training.progress import Callback


class ActiveRun(Callback):
    """Writes to one run, whatever run is open later. What the store refuses is a warning and ends no training."""

    def __init__(self, run_id: str, params: Mapping[str, Any]) -> None:
        self.run_id = run_id
        for batch in batches(flatten(params)):
            self._try("params", partial(mlflow.log_params, batch, run_id=run_id))

    def epoch_done(self, epoch: int, metrics: Mapping[str, float]) -> None:
        values = {name: float(value) for name, value in metrics.items()}
        self._try("metrics", partial(mlflow.log_metrics, values, step=epoch, run_id=self.run_id))

    def _try(self, what: str, write: Callable[[], Any]) -> None:
        try:
            write()
        except MlflowException as error:
            reason = " ".join(str(error.message).split())[:200]
            warnings.warn(f"MLflow run {self.run_id}: {what} not logged: {reason}", stacklevel=2)
