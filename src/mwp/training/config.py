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

    epochs: int = Field(15, ge=1)
    batch_size: int = Field(64, ge=1)
    kind: Literal["adam", "adamw"] = "adam"
    learning_rate: float = Field(0.0015, gt=0)
    weight_decay: float = Field(0.00001, ge=0)
    schedule: Literal["halving", "cosine"] = "cosine"
    halve_every: int = Field(30, ge=1)
    warmup_steps: int = Field(200, ge=0)
    max_grad_norm: float = Field(5.0, gt=0)
    patience: int = Field(0, ge=0)
    precision: Literal["auto", "fp32", "fp16", "bf16"] = "auto"


class DiversityConfig(Config):
    """Every `update_every` epochs beam search of width `beam_size` fills the buffer; the second stage starts at the
    fraction `second_stage_start` of the epochs.

    `gold_weight` is the fraction of a buffer's weight that stays with the ground truth, where there is one; 0 in the
    paper.
    """

    beam_size: int = Field(10, ge=1)
    update_every: int = Field(2, ge=1)
    second_stage_start: float = Field(0.3, ge=0, le=1)
    max_solutions: int | None = Field(8, ge=1)
    weighting: Literal["qualification", "uniform"] = "qualification"
    gold_weight: float = Field(0.25, ge=0, le=1)
    stages: Literal[1, 2] = 2
    discriminator_hidden: int = Field(64, ge=1)
    corruption_rate: float = Field(0.1, gt=0, le=1)


class LbfConfig(Config):
    """Every `update_every` epochs the solver's hypotheses are fixed, after a walk of at most `rounds` where needed."""

    update_every: int = Field(1, ge=1)
    rounds: int = Field(5, ge=0)


class SeedConfig(Config):
    """The initial buffer of problems with answers only: up to `max_candidates` of a search strategy, or nothing."""

    strategy: Annotated[str, AfterValidator(_known_start)] = "ranked"
    max_candidates: int = Field(5, ge=1)


class TrainConfig(Config):
    """Everything that a training is told; the defaults are those of profiles/cpu.yaml, for some 20,000 problems.

    Parameters
    ----------
    seed : int, default 23
        The same problems, settings and machine kind give the same solver for the same seed.
    backbone : str, default "gts"
        The network: dns, s-aligned, gts, graph2tree, mwp-bert, or one that another package adds.
    variant : {"diversified", "plain", "lbf"}, default "diversified"
        diversified: a buffer of several solutions for each problem, weighted by solver and discriminator. plain: one
        solution for each problem. lbf: learning by fixing, for problems with answers only.
    solver, optimizer, diversity, lbf
        Groups of settings; a group may be given as a dictionary of what differs from its defaults.

    Examples
    --------
    >>> config = mwp.TrainConfig(variant="plain", optimizer={"epochs": 3})
    >>> config.optimizer.epochs, config.optimizer.batch_size
    (3, 64)
    """

    seed: int = 23
    backbone: Backbone = "gts"
    variant: Variant = "diversified"
    solver: SolverConfig = SolverConfig()
    optimizer: OptimizerConfig = OptimizerConfig()
    diversity: DiversityConfig = DiversityConfig()
    lbf: LbfConfig = LbfConfig()

    @property
    def has_discriminator(self) -> bool:
        two_stages = self.diversity.stages == 2 and self.diversity.weighting == "qualification"
        return self.variant == "diversified" and two_stages
