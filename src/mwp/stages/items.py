"""The cells of the grid: one system on one fold."""

from dataclasses import dataclass
from pathlib import Path

from mwp.errors import BadInput
from mwp.solvers.registry import BACKBONES
from mwp.stages.layout import FULL, WEAK, folds_file, labels_file, problems_file, run_folder
from mwp.stages.params import System, TrainParams
from mwp.training.config import SETTINGS, VARIANTS, StartConfig, TrainConfig

PREFIXES = {"plain": "", "diversified": "d-", "lbf": "lbf-"}


@dataclass(frozen=True)
class Item:
    """`name` is the system's, as in params.yaml or made of its parts."""

    name: str
    system: System
    config: TrainConfig
    start: StartConfig
    fold: int

    @property
    def datasets(self) -> tuple[str, ...]:
        return (FULL, WEAK) if self.system.setting == "semi" else (FULL,)

    def labels(self, dataset: str) -> Path | None:
        """What the search found, if the problems of this dataset start with it."""
        given = self.system.setting == "full" or (self.system.setting == "semi" and dataset == FULL)
        return None if given or self.start.wda == "none" else labels_file(dataset, self.start.wda)

    @property
    def inputs(self) -> list[Path]:
        files = [(problems_file(name), folds_file(name), self.labels(name)) for name in self.datasets]
        return [file for some in files for file in some if file is not None]

    @property
    def title(self) -> str:
        prefix = PREFIXES[self.system.variant].upper()
        return self.system.title or f"{prefix}{BACKBONES[self.system.backbone].title}"

    def folder(self, root: Path) -> Path:
        return run_folder(root, self.name, self.fold)


def named_item(params: TrainParams, name: str, fold: int) -> Item:
    if name not in params.systems:
        raise BadInput(f"params.yaml has no train.systems.{name}; there are: {', '.join(params.systems) or 'none'}")
    return _item(params, name, params.systems[name], fold)


def make_item(params: TrainParams, setting: str, backbone: str, variant: str, fold: int) -> Item:
    """May be called with anything; what it does not know it names, with what it knows."""
    for name, given, known in (
        ("setting", setting, SETTINGS),
        ("backbone", backbone, BACKBONES),
        ("variant", variant, VARIANTS),
    ):
        if given not in known:
            raise BadInput(f"expected a {name} of {', '.join(known)}, found {given!r}")
    name = f"{setting}-{PREFIXES[variant]}{backbone}"
    system = System(setting=setting, backbone=backbone, variant=variant)
    return _item(params, name, params.systems.get(name, system), fold)


def grid_items(params: TrainParams) -> list[Item]:
    """Every system on every fold."""
    return [named_item(params, name, fold) for name in params.systems for fold in params.folds]


def _item(params: TrainParams, name: str, system: System, fold: int) -> Item:
    return Item(name, system, params.config(system), params.start(system), fold)
