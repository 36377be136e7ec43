"""Parameters as MLflow stores them: flat names, text values of a limited length."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

# MLflow's own limits; tests compare them with the installed version.
LONGEST_VALUE = 6000
LARGEST_BATCH = 100


def flatten(params: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Nested groups become dotted names, `{"gts": {"hidden": 512}}` becomes `{"gts.hidden": "512"}`."""
    flat: dict[str, str] = {}
    for name, value in params.items():
        if isinstance(value, Mapping) and value:
            flat |= flatten(value, f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = _cut(_text(value))
    return flat


def batches(flat: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """In as many parts as MLflow needs to take them."""
    items = iter(flat.items())
    while batch := dict(islice(items, LARGEST_BATCH)):
        yield batch


def _text(value: Any) -> str:
    """As params.yaml spells it: true, null, [1, 2]."""
    if value is None or isinstance(value, bool | list | tuple | Mapping):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
