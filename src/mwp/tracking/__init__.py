"""Runs in MLflow: where they live, what a run records, and the page that shows them. The only importer of mlflow."""

import os

# MLflow reads these when it is imported, so they stand here, before any module that does. A user's own setting wins.
os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ.setdefault("DO_NOT_TRACK", "true")
os.environ.setdefault("MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT", "true")
os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")
