"""What a training run is told: the solver's shape, the optimiser, and how solutions are diversified."""

from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

Setting = Literal["full", "semi", "weak"]
Backbone = Literal["gts"]
Variant = Literal["plain", "diversified"]
SETTINGS: tuple[Setting, ...] = get_args(Setting)
BACKBONES: tuple[Backbone, ...] = get_args(Backbone)
VARIANTS: tuple[Variant, ...] = get_args(Variant)


class Config(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SolverConfig(Config):
    embedding: int = Field(ge=1)
    hidden: int = Field(ge=1)
    dropout: float = Field(ge=0, lt=1)
    max_operators: int = Field(ge=0, le=40)
    min_count: int = Field(ge=1)


class OptimiserConfig(Config):
    """`halving` multiplies the rate by 1/2 every `halve_every` epochs; `cosine` brings it to zero at the end."""

    epochs: int = Field(ge=1)
    batch: int = Field(ge=1)
    rate: float = Field(gt=0)
    weight_decay: float = Field(ge=0)
    schedule: Literal["halving", "cosine"]
    halve_every: int = Field(ge=1)
    warmup: int = Field(ge=0)
    clip: float = Field(gt=0)
    patience: int = Field(ge=0)
    amp: Literal["no", "fp16", "bf16"]


class DiversityConfig(Config):
    """Every `update_every` epochs a beam of `beam` fills the buffer; at `switch` of the epochs stage 2 begins."""

    beam: int = Field(ge=1)
    update_every: int = Field(ge=1)
    switch: float = Field(ge=0, le=1)
    cap: int | None = Field(ge=1)
    weights: Literal["qualified", "uniform"]
    stages: Literal[1, 2]
    discriminator: int = Field(ge=1)
    disturbance: float = Field(gt=0, le=1)


class SettingConfig(Config):
    """`wda`: problems with answers only start with the search's candidates, up to `keep`, instead of none."""

    wda: bool
    keep: int = Field(ge=1)


class TrainConfig(Config):
    seed: int
    solver: SolverConfig
    optimiser: OptimiserConfig
    diversity: DiversityConfig
