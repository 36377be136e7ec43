"""Cells of the grid by name."""

from mwp.errors import BadInput
from mwp.stages.train import Item
from mwp.training.config import BACKBONES, SETTINGS, VARIANTS


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
