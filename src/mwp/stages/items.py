"""The cells of the grid: one solver in one setting on one fold, by name."""

from dataclasses import dataclass
from pathlib import Path

from mwp.errors import BadInput
from mwp.stages.layout import FULL, WEAK, folds_file, labels_file, problems_file, run_folder
from mwp.stages.params import Grid
from mwp.training.config import BACKBONES, SETTINGS, VARIANTS, Backbone, Setting, Variant


@dataclass(frozen=True)
class Item:
    """One cell of the grid."""

    setting: Setting
    backbone: Backbone
    variant: Variant
    fold: int

    @property
    def datasets(self) -> tuple[str, ...]:
        return (FULL, WEAK) if self.setting == "semi" else (FULL,)

    @property
    def inputs(self) -> list[Path]:
        return [file(name) for name in self.datasets for file in (problems_file, folds_file, labels_file)]

    def folder(self, root: Path) -> Path:
        return run_folder(root, self.setting, self.backbone, self.variant, self.fold)


def make_item(setting: str, backbone: str, variant: str, fold: int) -> Item:
    """May be called with anything; what it does not know it names, with what it knows."""
    for name, given, known in (
        ("setting", setting, SETTINGS),
        ("backbone", backbone, BACKBONES),
        ("variant", variant, VARIANTS),
    ):
        if given not in known:
            raise BadInput(f"expected a {name} of {', '.join(known)}, found {given!r}")
    return Item(setting, backbone, variant, fold)  # type: ignore[arg-type]


def grid_items(grid: Grid) -> list[Item]:
    return [
        Item(setting, backbone, variant, fold)
        for setting in grid.settings
        for backbone in grid.backbones
        for fold in grid.folds
        for variant in grid.variants
    ]
