"""What a training run is told: the solver's shape, the optimiser, and how solutions are diversified."""

from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field

from mwp.search.labels import OrderName
from mwp.solvers.config import Config, SolverConfig
from mwp.solvers.registry import BACKBONES

Setting = Literal["full", "semi", "weak"]
Variant = Literal["plain", "diversified", "lbf"]
SETTINGS: tuple[Setting, ...] = get_args(Setting)
VARIANTS: tuple[Variant, ...] = get_args(Variant)


def _known(name: str) -> str:
    if name not in BACKBONES:
        raise ValueError(f"expected one of {', '.join(BACKBONES)}")
    return name


Backbone = Annotated[str, AfterValidator(_known)]


class OptimiserConfig(Config):
    """`halving` multiplies the rate by 1/2 every `halve_every` epochs; `cosine` brings it to zero at the end.

    The precision `auto` is bf16 where the machine has instructions for it, else float32.
    """

    epochs: int = Field(ge=1)
    batch: int = Field(ge=1)
    name: Literal["adam", "adamw"]
    rate: float = Field(gt=0)
    weight_decay: float = Field(ge=0)
    schedule: Literal["halving", "cosine"]
    halve_every: int = Field(ge=1)
    warmup: int = Field(ge=0)
    clip: float = Field(gt=0)
    patience: int = Field(ge=0)
    amp: Literal["auto", "no", "fp16", "bf16"]


class DiversityConfig(Config):
    """Every `update_every` epochs a beam of `beam` fills the buffer; at `switch` of the epochs stage 2 begins.

    `anchor` is the share of a buffer's weight that stays with the ground truth, where there is one; 0 in the paper.
    """

    beam: int = Field(ge=1)
    update_every: int = Field(ge=1)
    switch: float = Field(ge=0, le=1)
    cap: int | None = Field(ge=1)
    weights: Literal["qualified", "uniform"]
    anchor: float = Field(ge=0, le=1)
    stages: Literal[1, 2]
    discriminator: int = Field(ge=1)
    disturbance: float = Field(gt=0, le=1)


class LbfConfig(Config):
    """Every `update_every` epochs what the solver writes is fixed, by a walk of at most `rounds` where need be."""

    update_every: int = Field(ge=1)
    rounds: int = Field(ge=0)


class StartConfig(Config):
    """What problems with answers only start with: up to `keep` candidates of the search in this order, or nothing."""

    wda: Literal["none", OrderName]
    keep: int = Field(ge=1)


class TrainConfig(Config):
    seed: int
    backbone: Backbone
    variant: Variant
    solver: SolverConfig
    optimiser: OptimiserConfig
    diversity: DiversityConfig
    lbf: LbfConfig

    @property
    def has_discriminator(self) -> bool:
        two_stages = self.diversity.stages == 2 and self.diversity.weights == "qualified"
        return self.variant == "diversified" and two_stages
