"""The runs of the grid, one system on one fold each, and where the stages leave their files."""

import os
from dataclasses import dataclass
from pathlib import Path

from mwp.errors import BadInput
from mwp.pipeline.params import System, TrainParams
from mwp.solvers.registry import backbone_names, find_backbone
from mwp.training.config import SETTINGS, VARIANTS, SeedConfig, TrainConfig


def _scratch() -> Path:
    """Where resumable states lie, by fingerprint. DVC runs an experiment of the queue in a copy, which is gone once it
    is killed, and names the project itself in $DVC_ROOT: its states stay there, and the next one goes on from them."""
    root = os.environ.get("DVC_ROOT")
    return Path(".scratch") if not root or Path(root).resolve() == Path.cwd() else Path(root, ".scratch")


PREFIXES = {"plain": "", "diversified": "d-", "lbf": "lbf-"}
CLEAN = Path("data/clean")
WDA = Path("data/wda")
LABELS = WDA / "labels"
FOLDS = Path("data/folds")
RESULTS = Path("results")
# The two datasets of a study: one with equations, one with answers only.
FULL, WEAK = "full", "weak"
DATASETS = (FULL, WEAK)
MODEL_FILE, BUFFER_FILE, HISTORY_FILE = "model.pt", "buffer.jsonl.gz", "history.json"
SCORES_FILE, ORIGIN_FILE = "scores.json", "origin.json"
MODELS = Path("models")
PREDICTIONS = Path("predictions")
SCRATCH = _scratch()
CLEAN_SUMMARY = CLEAN / "summary.json"
AUDIT_JSON = WDA / "audit.json"
AUDIT_CSV = WDA / "audit.csv"
SUMMARY = RESULTS / "summary.json"
REPORT = RESULTS / "report.md"
PAGE = RESULTS / "report.html"
METRICS = RESULTS / "metrics.json"
PLOTS = RESULTS / "plots"
# Saved runs, in git, and the document that is made of them.
SAVED_RUNS = RESULTS / "real"
RESULTS_DOCUMENT = Path("docs/results.md")


@dataclass(frozen=True)
class RunSpec:
    """`name` is the system's, as in params.yaml or made of its parts."""

    name: str
    system: System
    config: TrainConfig
    seeding: SeedConfig
    fold: int

    @property
    def datasets(self) -> tuple[str, ...]:
        return (FULL, WEAK) if self.system.setting == "semi" else (FULL,)

    def labels(self, dataset: str) -> Path | None:
        """The labels of the search, if they seed the buffers of this dataset."""
        given = self.system.setting == "full" or (self.system.setting == "semi" and dataset == FULL)
        return None if given or self.seeding.strategy == "none" else labels_file(dataset, self.seeding.strategy)

    @property
    def inputs(self) -> list[Path]:
        files = [(problems_file(name), folds_file(name), self.labels(name)) for name in self.datasets]
        return [file for some in files for file in some if file is not None]

    @property
    def title(self) -> str:
        prefix = PREFIXES[self.system.variant].upper()
        return self.system.title or f"{prefix}{find_backbone(self.system.backbone).title}"

    def folder(self, root: Path) -> Path:
        return run_folder(root, self.name, self.fold)


def named_run_spec(params: TrainParams, name: str, fold: int) -> RunSpec:
    if name not in params.systems:
        raise BadInput(f"params.yaml has no train.systems.{name}; there are: {', '.join(params.systems) or 'none'}")
    return _run_spec(params, name, params.systems[name], fold)


def make_run_spec(params: TrainParams, setting: str, backbone: str, variant: str, fold: int) -> RunSpec:
    """Any strings may be passed; an unknown one is named together with the known ones."""
    for name, given, known in (
        ("setting", setting, SETTINGS),
        ("backbone", backbone, backbone_names()),
        ("variant", variant, VARIANTS),
    ):
        if given not in known:
            raise BadInput(f"expected a {name} of {', '.join(known)}, found {given!r}")
    name = f"{setting}-{PREFIXES[variant]}{backbone}"
    system = System(setting=setting, backbone=backbone, variant=variant)
    return _run_spec(params, name, params.systems.get(name, system), fold)


def grid_run_specs(params: TrainParams) -> list[RunSpec]:
    """Every system on every fold."""
    return [named_run_spec(params, name, fold) for name in params.systems for fold in params.folds]


def _run_spec(params: TrainParams, name: str, system: System, fold: int) -> RunSpec:
    return RunSpec(name, system, params.config(system), params.seed_config(system), fold)


def problems_file(dataset: str) -> Path:
    return CLEAN / f"{dataset}.jsonl"


def drops_file(dataset: str) -> Path:
    return CLEAN / f"{dataset}-drops.jsonl"


def labels_file(dataset: str, strategy: str) -> Path:
    return LABELS / strategy / f"{dataset}.jsonl"


def folds_file(dataset: str) -> Path:
    return FOLDS / f"{dataset}.jsonl"


def run_folder(root: Path, system: str, fold: int) -> Path:
    return root / system / f"fold-{fold}"
