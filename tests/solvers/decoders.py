"""The decoders by name, each with its plain twin."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mwp.solvers.gts import GtsDecoder
from mwp.solvers.sequence import SequenceDecoder
from mwp.solvers.stack import StackDecoder
from tests.solvers import plain_gts, plain_sequence, plain_stack


@dataclass(frozen=True)
class Kind:
    """`plain` has log_prob(decoder, one, solution) and beams(decoder, one, k)."""

    decoder: Callable[[int, float, int], Any]
    plain: Any


KINDS = {
    "gts": Kind(GtsDecoder, plain_gts),
    "dns": Kind(SequenceDecoder, plain_sequence),
    "s_aligned": Kind(StackDecoder, plain_stack),
}
