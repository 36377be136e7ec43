"""What a pointer can choose as an operand: the constants, then the numbers of the problem."""

import torch
from torch import Tensor

from mwp.solvers.interfaces import Encoding
from mwp.solvers.symbols import CONSTANT_COUNT


def leaf_vectors(constants: Tensor, encoding: Encoding) -> Tensor:
    """(B, C + N, H) from the learned constants (C, H)."""
    return torch.cat((constants.expand(len(encoding.numbers), -1, -1), encoding.numbers), dim=1)


def leaf_mask(encoding: Encoding) -> Tensor:
    """(B, C + N): which leaves a problem has."""
    constants = encoding.number_mask.new_ones(len(encoding.numbers), CONSTANT_COUNT)
    return torch.cat((constants, encoding.number_mask), dim=1)
