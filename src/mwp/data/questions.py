"""For models that 0.1 logged to MLflow, whose code imports this; for one release, then they are to be logged anew."""

from mwp.data.readers import read_question

__all__ = ["read_question"]
