"""The accelerator of a training, in the precision that it asks for."""

from accelerate import Accelerator
from accelerate.state import AcceleratorState


def make_accelerator(amp: str) -> Accelerator:
    """One training after the other may have its own: accelerate itself would hold the first one's for the life of the
    process. Processes that know each other stay so."""
    AcceleratorState._reset_state()
    return Accelerator(mixed_precision=amp)
