"""The prior of the ranked search: how likely a candidate is, log-linear in its features, the same for every problem.

The weights in prior.json were tuned on the odd ids of Math23k by `python -m benchmarks.prior`; a search sees no
ground truth.
"""

import json
from functools import cache
from importlib.resources import files

import numpy as np

from mwp.wda.features import NAMES
from mwp.wda.tasks import Floats

WEIGHTS_FILE = "prior.json"


@cache
def weights() -> Floats:
    stored: dict[str, float] = json.loads(files("mwp.wda").joinpath(WEIGHTS_FILE).read_text(encoding="utf8"))
    return np.array([stored.get(name, 0.0) for name in NAMES])


def scores(counts: Floats) -> Floats:
    """One log score a candidate, the higher the more likely."""
    result: Floats = counts @ weights()
    return result
