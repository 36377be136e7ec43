"""Stage plan: what each stage and run depends on, as small files: the values that it uses, the code that it runs.

A stage depends on its file alone for params and code, so it is stale only for a reason: a comment, another decoder or a
value that a run does not use changes no file.
"""

import hashlib
import io
import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from mwp.data.files import write_text
from mwp.pipeline.code_digest import code_digests
from mwp.pipeline.grid import RunSpec, grid_run_specs
from mwp.pipeline.params import Params
from mwp.solvers.registry import find_backbone
from mwp.training.config import BUFFER_UPDATES, TrainConfig
from mwp.wda.registry import STRATEGIES

PLANS = Path("runs")
# Stages that depend on the code alone beside the params that DVC itself watches.
STAGES = ("clean", "wda", "folds", "report")
# What changes no output: where files lie, how params are read, how progress is shown; what only watches or shows.
FRAME = (
    "mwp.errors",
    "mwp.upgrades",
    "mwp.extensions",
    "mwp.display",
    "mwp.pipeline.grid",
    "mwp.pipeline.params",
    "mwp.pipeline.plan",
    "mwp.pipeline.code_digest",
    "mwp.pipeline.progress",
)
WATCHERS = ("mwp.tracking", "mwp.serving", "mwp.cli")
# Never called where there is no discriminator.
DISCRIMINATOR = ("mwp.training.discriminator", "mwp.training.examples", "mwp.arith.augmentation")


def planned(params: Params) -> dict[Path, dict[str, Any]]:
    """What the files of all stages and systems should hold."""
    plans: dict[Path, dict[str, Any]] = {plan_file(stage): {"code": _stage_code(stage)} for stage in STAGES}
    for spec in {spec.name: spec for spec in grid_run_specs(params.train)}.values():
        plans[plan_file("train", spec.name)] = {"values": used_values(spec), "code": train_code(spec)}
        plans[plan_file("evaluate", spec.name)] = {"code": evaluate_code(spec)}
    return plans


def write_plan(params: Params) -> list[Path]:
    plans = planned(params)
    shutil.rmtree(PLANS, ignore_errors=True)
    return [write_plan_file(path, content) for path, content in plans.items()]


def write_plan_file(path: Path, content: Mapping[str, Any]) -> Path:
    text = io.StringIO()
    yaml = YAML()
    yaml.width = 120
    yaml.dump(content, text)
    write_text(path, text.getvalue())
    return path


def plan_file(stage: str, system: str | None = None) -> Path:
    return PLANS / f"{stage}.yaml" if system is None else PLANS / stage / f"{system}.yaml"


def used_values(spec: RunSpec) -> dict[str, Any]:
    """The values that this run uses: a plain one has no buffer to fill, one without BERT no layers to freeze."""
    config = spec.config
    values = config.model_dump(mode="json")
    if config.variant != "lbf":
        del values["lbf"]
    if config.variant != "diversified":
        del values["diversity"]
    elif not config.has_discriminator:
        for name in ("discriminator_hidden", "corruption_rate", "second_stage_start"):
            del values["diversity"][name]
    if "bert" not in find_backbone(config.backbone).encoder:
        del values["solver"]["bert"]
    if config.optimizer.schedule != "halving":
        del values["optimizer"]["halve_every"]
    seeding = {} if spec.system.setting == "full" else {"seeding": spec.seeding.model_dump(mode="json")}
    return {"setting": spec.system.setting, **values, **seeding}


def _stage_code(stage: str) -> dict[str, dict[str, str]]:
    looked_up = [_module(path) for path in STRATEGIES.values()] if stage == "wda" else []
    return code_digests([f"mwp.pipeline.{stage}", *looked_up], (*FRAME, *WATCHERS))


def train_code(spec: RunSpec) -> dict[str, dict[str, str]]:
    update = BUFFER_UPDATES.get(spec.config.variant)
    entries = ["mwp.pipeline.train", *_backbone(spec.config), *([_module(update)] if update else ())]
    without = (*FRAME, *WATCHERS, "mwp.report", "mwp.evaluation")
    return code_digests(entries, without if spec.config.has_discriminator else (*without, *DISCRIMINATOR))


def evaluate_code(spec: RunSpec) -> dict[str, dict[str, str]]:
    entries = ["mwp.pipeline.evaluate", *_backbone(spec.config)]
    return code_digests(entries, (*FRAME, *WATCHERS, "mwp.report"))


def _backbone(config: TrainConfig) -> list[str]:
    """The modules that a run takes from the registry."""
    backbone = find_backbone(config.backbone)
    return [_module(backbone.encoder), _module(backbone.decoder)]


def _module(path: str) -> str:
    return path.partition(":")[0]


def file_md5(path: Path) -> str:
    """The md5 that DVC records for a file."""
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()


def fingerprint(depends_on: Mapping[str, Any], inputs: Iterable[Path]) -> str:
    """What a result depends on, in one string: values, code and inputs."""
    parts = [json.dumps(depends_on, sort_keys=True, default=str), *(file_md5(path) for path in inputs)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
