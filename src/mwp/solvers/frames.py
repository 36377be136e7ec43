"""The stacks of B x K beams as one tensor of frames (B, K, D, ...), each beam with its own top."""

from collections.abc import Callable

import torch
from torch import Tensor


def only(where: Tensor, compute: Callable[..., tuple[Tensor, ...] | Tensor], *inputs: Tensor) -> tuple[Tensor, ...]:
    """compute(*inputs) for those beams for which `where` holds; what the others get does not matter.

    A GPU computes all of them: to learn how many there are would be to wait for it.
    """
    if where.device.type != "cpu":
        return _parts(compute(*inputs))
    return tuple(_spread(where, part) for part in _parts(compute(*(values[where] for values in inputs))))


def _parts(found: tuple[Tensor, ...] | Tensor) -> tuple[Tensor, ...]:
    return found if isinstance(found, tuple) else (found,)


def each_beam(values: Tensor, beams: Tensor) -> Tensor:
    """What a problem has (B, ...) as a view for each of its beams (B, K, ...)."""
    return values[:, None].expand(-1, beams.shape[1], *values.shape[1:])


def _spread(where: Tensor, part: Tensor) -> Tensor:
    spread = part.new_zeros(*where.shape, *part.shape[1:])
    spread[where] = part
    return spread


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
