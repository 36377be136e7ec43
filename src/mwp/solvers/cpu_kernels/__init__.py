"""CPU implementations of single operations; `solvers.layers` works without this folder."""

from mwp.solvers.cpu_kernels.attention import AdditiveAttention
from mwp.solvers.cpu_kernels.recurrence import Scan, Tanh

__all__ = ["AdditiveAttention", "Scan", "Tanh"]
