"""The names of the first edition (0.1) and those that took their place, for files that it wrote.

Models, states and saved runs are read under the new names; params.yaml is told each old name with its new one.
"""

from collections.abc import Mapping
from typing import Any

# A group of values: its old name and its new one. `start` was a system's, `settings` that of all systems.
GROUPS = {"optimiser": "optimizer", "settings": "seeding", "start": "seeding"}
# By group: a value's old name and its new one.
KEYS = {
    "wda": {"keep": "max_candidates", "tries": "max_tries", "budget": "max_expressions"},
    "seeding": {"wda": "strategy", "keep": "max_candidates"},
    "optimizer": {
        "batch": "batch_size",
        "name": "kind",
        "rate": "learning_rate",
        "warmup": "warmup_steps",
        "clip": "max_grad_norm",
        "amp": "precision",
    },
    "diversity": {
        "beam": "beam_size",
        "switch": "second_stage_start",
        "cap": "max_solutions",
        "weights": "weighting",
        "anchor": "gold_weight",
        "discriminator": "discriminator_hidden",
        "disturbance": "corruption_rate",
    },
    "bert": {"frozen": "freeze_layers", "rate_factor": "encoder_lr_scale"},
    "evaluate": {"beam": "beam_size", "batch": "batch_size"},
}
# By new name: a value's old spelling and its new one. YAML 1.1 reads `no` as False.
VALUES: dict[str, dict[Any, str]] = {
    "precision": {"no": "fp32", False: "fp32"},
    "weighting": {"qualified": "qualification"},
}
SOURCES = {"given": "gold", "wda": "search", "fix": "lbf"}
FEATURES = {"log-fitness": "log-qualification"}
# Of the command line, as they are typed.
COMMANDS = {
    "mwp keep": "mwp results export",
    "mwp why": "mwp explain",
    "mwp data sample": "python -m tools.sample",
    "mwp search --order": "mwp search --strategy",
    "mwp search --keep": "mwp search --max-candidates",
}


def upgraded(values: Mapping[str, Any], group: str = "") -> dict[str, Any]:
    """Groups of values under their new names, all the way down."""
    return {
        new: upgraded(value, inner) if isinstance(value, Mapping) else _respelled(new, value)
        for key, value in values.items()
        for new, inner in [_renamed(str(key), group)]
    }


def old_names(values: Mapping[Any, Any], group: str = "", old: str = "", new: str = "") -> list[tuple[str, str]]:
    """Every old name with its new one, as paths such as train.optimiser.amp, with the value where that is old too."""
    found = []
    for key, value in values.items():
        name, inner = _renamed(str(key), group)
        was, now = f"{old}{key}", f"{new}{name}"
        spelling = _respelled(name, value)
        if spelling is not value:
            found.append((f"{was}: {str(value).lower()}", f"{now}: {spelling}"))
        elif name != str(key):
            found.append((was, now))
        if isinstance(value, Mapping):
            found += old_names(value, inner, f"{was}.", f"{now}.")
    return found


def model(content: dict[str, Any]) -> dict[str, Any]:
    """A saved model of format 2 in format 3."""
    content["config"] = upgraded(content["config"])
    content["encoder_assets"] = content.pop("material")
    weights = content.pop("plausibility", None)
    content["verifier"] = weights and {FEATURES.get(name, name): weight for name, weight in weights.items()}
    return content


def state(content: dict[str, Any]) -> dict[str, Any]:
    """A resumable state of format 2 in format 3."""
    learner = content["learner"]
    for old, new in (("optimiser", "optimizer"), ("discriminator_optimiser", "discriminator_optimizer")):
        if old in learner:
            learner[new] = learner.pop(old)
    progress = content.pop("progress")
    progress["discriminator_scores"] = progress.pop("judged")
    progress["run_id"] = progress.pop("notes").get("run", "")
    content["training"] = progress
    return content


def _renamed(key: str, group: str) -> tuple[str, str]:
    """The new name, and the group that its values are of: a system may be called as it likes."""
    if group == "systems":
        return key, ""
    new = KEYS.get(group, {}).get(key) or GROUPS.get(key, key)
    return new, new if new in KEYS or new == "systems" else group


def _respelled(name: str, value: Any) -> Any:
    known = VALUES.get(name, {})
    return known.get(value, value) if isinstance(value, str | bool) else value
