"""The stacks of B x K beams as one tensor of frames (B, K, D, ...), each beam with its own top."""

import torch
from torch import Tensor


def read_frame(frames: Tensor, place: Tensor) -> Tensor:
    """What stands at place (B, K) of each beam; below the bottom it is the bottom, above the end the end."""
    return frames.gather(2, _index(frames, place)).squeeze(2)


def write_frame(frames: Tensor, place: Tensor, value: Tensor, where: Tensor) -> None:
    """Write `value` (B, K, ...) at place (B, K) of those beams for which `where` holds."""
    index = _index(frames, place)
    chosen = where[(..., *(None,) * (frames.dim() - 3))]
    frames.scatter_(2, index, torch.where(chosen, value, frames.gather(2, index).squeeze(2)).unsqueeze(2))


def _index(frames: Tensor, place: Tensor) -> Tensor:
    index = place.clamp(0, frames.shape[2] - 1)[(..., *(None,) * (frames.dim() - 2))]
    return index.expand(-1, -1, 1, *frames.shape[3:])
