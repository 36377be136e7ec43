"""The precision of a training, and the accelerator that computes in it."""

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState
from accelerate.utils import DistributedDataParallelKwargs

from mwp.training.config import TrainConfig


def settled(config: TrainConfig) -> TrainConfig:
    """With a precision in the place of `auto`: a training is known by what it computed in, wherever that was."""
    if config.optimiser.amp != "auto":
        return config
    amp = "bf16" if _has_bf16() else "no"
    return config.model_copy(update={"optimiser": config.optimiser.model_copy(update={"amp": amp})})


def _has_bf16() -> bool:
    """Without such instructions bf16 is made of float32 and takes two and a half times as long as that."""
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return bool(torch.cpu._is_avx512_bf16_supported())


def make_accelerator(amp: str) -> Accelerator:
    """One training after the other may have its own: accelerate itself would hold the first one's for the life of the
    process. Processes that know each other stay so.

    A process whose share of a batch has no operator on the left of another one leaves the weights that merge subtrees
    without a gradient; the others must not wait for it.
    """
    AcceleratorState._reset_state()
    return Accelerator(
        cpu=not torch.accelerator.is_available(),  # else processes on CPUs would not come to know each other
        mixed_precision=amp,
        kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)],
    )
