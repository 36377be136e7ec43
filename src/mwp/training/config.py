"""The settings of a training: the network's shape, the optimizer, and how solutions are diversified."""

from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field

from mwp.solvers.config import Config, SolverConfig
from mwp.solvers.registry import known_backbone
from mwp.wda.registry import STRATEGIES

Setting = Literal["full", "semi", "weak"]
Variant = Literal["plain", "diversified", "lbf"]
SETTINGS: tuple[Setting, ...] = get_args(Setting)
VARIANTS: tuple[Variant, ...] = get_args(Variant)
# How each variant fills its buffer, loaded when a training needs it; a plain one keeps what it started with.
BUFFER_UPDATES: dict[Variant, str] = {
    "diversified": "mwp.training.buffer_updates:BeamUpdate",
    "lbf": "mwp.training.lbf.walk:LbfUpdate",
}


def _known_start(name: str) -> str:
    if name not in (known := ("none", *STRATEGIES)):
        raise ValueError(f"expected one of {', '.join(known)}")
    return name


Backbone = Annotated[str, AfterValidator(known_backbone)]


class OptimizerConfig(Config):
    """`halving` multiplies the learning rate by 1/2 every `halve_every` epochs; `cosine` brings it to zero at the end.

    The precision `auto` is bf16 where the machine has instructions for it, else float32.
    """

    epochs: int = Field(ge=1)
    batch_size: int = Field(ge=1)
    kind: Literal["adam", "adamw"]
    learning_rate: float = Field(gt=0)
    weight_decay: float = Field(ge=0)
    schedule: Literal["halving", "cosine"]
    halve_every: int = Field(ge=1)
    warmup_steps: int = Field(ge=0)
    max_grad_norm: float = Field(gt=0)
    patience: int = Field(ge=0)
    precision: Literal["auto", "fp32", "fp16", "bf16"]


class DiversityConfig(Config):
    """Every `update_every` epochs beam search of width `beam_size` fills the buffer; the second stage starts at the
    fraction `second_stage_start` of the epochs.

    `gold_weight` is the fraction of a buffer's weight that stays with the ground truth, where there is one; 0 in the
    paper.
    """

    beam_size: int = Field(ge=1)
    update_every: int = Field(ge=1)
    second_stage_start: float = Field(ge=0, le=1)
    max_solutions: int | None = Field(ge=1)
    weighting: Literal["qualification", "uniform"]
    gold_weight: float = Field(ge=0, le=1)
    stages: Literal[1, 2]
    discriminator_hidden: int = Field(ge=1)
    corruption_rate: float = Field(gt=0, le=1)


class LbfConfig(Config):
    """Every `update_every` epochs the solver's hypotheses are fixed, after a walk of at most `rounds` where needed."""

    update_every: int = Field(ge=1)
    rounds: int = Field(ge=0)


class SeedConfig(Config):
    """The initial buffer of problems with answers only: up to `max_candidates` of a search strategy, or nothing."""

    strategy: Annotated[str, AfterValidator(_known_start)]
    max_candidates: int = Field(ge=1)


class TrainConfig(Config):
    seed: int
    backbone: Backbone
    variant: Variant
    solver: SolverConfig
    optimizer: OptimizerConfig
    diversity: DiversityConfig
    lbf: LbfConfig

    @property
    def has_discriminator(self) -> bool:
        two_stages = self.diversity.stages == 2 and self.diversity.weighting == "qualification"
        return self.variant == "diversified" and two_stages
