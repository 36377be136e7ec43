"""The stacks of B x K beams as one tensor of frames (B, K, D, ...), each beam with its own top."""

from collections.abc import Callable

import torch
from torch import Tensor


def only(where: Tensor, compute: Callable[..., tuple[Tensor, ...]], *beams: Tensor) -> tuple[Tensor, ...]:
    """compute(*beams) for those beams (B, K) for which `where` holds, given as rows (R, ...) of what each beam has.

    What the others get does not matter. A GPU computes all: to learn how many there are would be to wait for it.
    """
    rows = [values.flatten(0, 1) for values in beams]
    if where.device.type != "cpu":
        return tuple(part.view(*where.shape, *part.shape[1:]) for part in compute(*rows))
    places = where.flatten().nonzero().squeeze(1)
    found = compute(*(values.index_select(0, places) for values in rows))
    return tuple(_spread(part, places, where) for part in found)


def _spread(part: Tensor, places: Tensor, where: Tensor) -> Tensor:
    spread = part.new_zeros(where.numel(), *part.shape[1:]).index_copy_(0, places, part)
    return spread.view(*where.shape, *part.shape[1:])


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
