"""The accelerator of a training, in the precision that it asks for."""

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState
from accelerate.utils import DistributedDataParallelKwargs


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
