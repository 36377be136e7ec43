"""One optimizer step of the network and of the discriminator (Step 1, Eq. 2 and 4), in the training's precision."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState
from accelerate.utils import DistributedDataParallelKwargs, gather_object
from torch import Tensor

from mwp.solvers.base import EncoderDecoder
from mwp.solvers.batch import EncodedProblem, SolutionBatch, on_device
from mwp.training.buffer import SolutionBuffer
from mwp.training.config import OptimizerConfig, TrainConfig
from mwp.training.discriminator import Discriminator, discriminator_loss, pad
from mwp.training.examples import Examples

DISCRIMINATOR_LEARNING_RATE = 1e-3


def learning_rate_at(config: OptimizerConfig, step: int, steps: int) -> float:
    """The learning rate at a step of all `steps`, `steps / epochs` an epoch."""
    warm = min(1.0, (step + 1) / config.warmup_steps) if config.warmup_steps else 1.0
    if config.schedule == "cosine":
        return config.learning_rate * warm * (1 + math.cos(math.pi * step / steps)) / 2
    epoch = step * config.epochs // steps
    return config.learning_rate * warm * 0.5 ** (epoch // config.halve_every)


def make_optimizer(config: OptimizerConfig, solver: EncoderDecoder) -> torch.optim.Optimizer:
    """The encoder's learning rate is its own multiple of the decoder's."""
    groups = [
        {"params": [value for value in part.parameters() if value.requires_grad], "factor": factor}
        for part, factor in ((solver.encoder, solver.encoder.encoder_lr_scale), (solver.decoder, 1.0))
    ]
    kind: type[torch.optim.Adam] = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[config.kind]
    return kind(groups, config.learning_rate, weight_decay=config.weight_decay, fused=True)


@dataclass(frozen=True)
class MicroBatch:
    """What one process trains on in a step: its problems with their solutions, the solutions' weights, and what the
    discriminator learns from.

    Every process must take part in a step: one that has no problem of a small batch is given another one as padding,
    which adds nothing to the gradient.
    """

    solutions: SolutionBatch
    weights: Sequence[float]  # one a solution
    batch_size: int  # problems of all processes together
    examples: Examples | None = None
    is_padding: bool = False

    @classmethod
    def of(
        cls,
        keys: Sequence[str],
        buffer: SolutionBuffer,
        weights: Mapping[str, Sequence[float]],
        batch_size: int,
        examples: Examples | None = None,
        is_padding: bool = False,
    ) -> Self:
        """All buffered solutions of these problems, each with its weight a; a buffer's weights are in its order."""
        solutions = {key: [entry.solution for entry in buffer.entries(key)] for key in keys}
        flat = [weight for key in keys for weight in weights[key]]
        return cls(SolutionBatch.of(keys, solutions), flat, batch_size, examples, is_padding)


@dataclass(frozen=True)
class StepResult:
    """Sums over the micro batch's problems; detached tensors, so that nothing waits for the device."""

    loss: Tensor
    discriminator_loss: Tensor | None = None
    scores: Tensor | None = None


@dataclass(frozen=True)
class Processes:
    """Those that train together: what each does of a whole, and what all have done."""

    accelerator: Accelerator

    def shard(self, keys: Sequence[str]) -> list[str]:
        return list(keys[self.accelerator.process_index :: self.accelerator.num_processes])

    def gathered(self, items: list[Any]) -> list[Any]:
        if self.accelerator.num_processes == 1:
            return items
        return list(gather_object(items))

    def is_any(self, stopped: list[int]) -> bool:
        """Whether one of them was told to stop: all stop after the same step."""
        if self.accelerator.num_processes == 1:
            return bool(stopped)
        told = torch.tensor(len(stopped), device=self.accelerator.device)
        return bool(self.accelerator.reduce(told, "sum") > 0)


class Learner:
    """`model` and `discriminator_model` are what accelerate makes of `solver` and `discriminator` for training."""

    def __init__(self, config: TrainConfig, solver: EncoderDecoder, accelerator: Accelerator) -> None:
        self.config = config
        self.accelerator = accelerator
        self.processes = Processes(accelerator)
        self.solver = solver
        self.discriminator: Discriminator | None = None
        self.model, self.optimizer = accelerator.prepare(solver, make_optimizer(config.optimizer, solver))
        self.discriminator_model: Any = None
        if config.has_discriminator:
            self.discriminator = Discriminator(solver.encoder.width, config.diversity.discriminator_hidden)
            optimizer = torch.optim.Adam(self.discriminator.parameters(), DISCRIMINATOR_LEARNING_RATE, fused=True)
            self.discriminator_model, self.discriminator_optimizer = accelerator.prepare(self.discriminator, optimizer)

    def step(self, micro_batch: MicroBatch, encoded: Mapping[str, EncodedProblem], learning_rate: float) -> StepResult:
        """One step on the mean over problems of sum_i a_i CE_i (Eq. 2), and one of the discriminator (Eq. 4)."""
        device, batch, is_padding = self.accelerator.device, micro_batch.solutions, micro_batch.is_padding
        plan = on_device(self.solver.decoder.plan(batch.symbols, batch.problem_index), device)
        problems = on_device(self.solver.encoder.collate([encoded[key] for key in batch.keys]), device)
        weights = torch.tensor(micro_batch.weights)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate * group["factor"]
        with self.accelerator.autocast():
            log_probs, states = self.model(problems, plan)
            total = -(weights.to(device, non_blocking=True) * log_probs).sum() * (not is_padding)
        # Gradients are averaged over the processes, each of which has its part of the batch.
        self.accelerator.backward(total * self.accelerator.num_processes / micro_batch.batch_size)
        self.accelerator.clip_grad_norm_(self.model.parameters(), self.config.optimizer.max_grad_norm)
        self.optimizer.step()
        self.optimizer.zero_grad()
        if not micro_batch.examples:
            return StepResult(total.detach())
        count = 0 if is_padding else len(micro_batch.examples)
        loss, scores = self._discriminator_step(states.detach(), micro_batch.examples, count)
        return StepResult(total.detach(), loss, None if is_padding else scores)

    def _discriminator_step(self, states: Tensor, examples: Examples, count: int) -> tuple[Tensor, Tensor]:
        """`count` examples are this process's part of those of the whole batch, over which the loss is a mean."""
        device, processes = self.accelerator.device, self.accelerator.num_processes
        padded = on_device(pad(examples.symbols), torch.device("cpu"))
        problem_index, targets = torch.tensor(examples.problem_index), torch.tensor(examples.targets)
        with self.accelerator.autocast():
            logits = self.discriminator_model(
                states.float(), padded.tokens.to(device), padded.lengths.to(device), problem_index.to(device)
            )
            loss = discriminator_loss(logits, targets.to(device))
        if processes > 1:
            all_examples = self.accelerator.reduce(torch.tensor(float(count), device=device), "sum")
            loss = loss * (count * processes / all_examples)
        self.accelerator.backward(loss)
        self.discriminator_optimizer.step()
        self.discriminator_optimizer.zero_grad()
        return loss.detach(), torch.sigmoid(logits.detach())

    @property
    def is_finite(self) -> bool:
        """Whether all weights are numbers; one question to the device."""
        parts = [self.solver, self.discriminator] if self.discriminator is not None else [self.solver]
        checked = [value.isfinite().all() for part in parts for value in part.state_dict().values()]
        return bool(torch.stack(checked).all())

    def state(self) -> dict[str, Any]:
        state = {"solver": self.solver.state_dict(), "optimizer": self.optimizer.state_dict()}
        if self.discriminator is not None:
            state |= {
                "discriminator": self.discriminator.state_dict(),
                "discriminator_optimizer": self.discriminator_optimizer.state_dict(),
            }
        if self.accelerator.scaler is not None:
            state["scaler"] = self.accelerator.scaler.state_dict()
        return state

    def load(self, state: Mapping[str, Any]) -> None:
        self.solver.load_state_dict(state["solver"])
        self.optimizer.load_state_dict(state["optimizer"])
        if self.discriminator is not None:
            self.discriminator.load_state_dict(state["discriminator"])
            self.discriminator_optimizer.load_state_dict(state["discriminator_optimizer"])
        if self.accelerator.scaler is not None:
            self.accelerator.scaler.load_state_dict(state["scaler"])


def settled(config: TrainConfig) -> TrainConfig:
    """With the precision that `auto` stands for here, so that a training records what it computed in."""
    if config.optimizer.precision != "auto":
        return config
    precision = "bf16" if _has_bf16() else "fp32"
    return config.model_copy(update={"optimizer": config.optimizer.model_copy(update={"precision": precision})})


def _has_bf16() -> bool:
    """Without such instructions bf16 is emulated in float32 and takes two and a half times as long."""
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return bool(torch.cpu._is_avx512_bf16_supported())


def make_accelerator(precision: str) -> Accelerator:
    """Trainings in one process may differ in precision: accelerate itself would reuse the first one's. The process
    group stays.

    A process whose share of a batch has no operator on the left of another one leaves the weights that merge subtrees
    without a gradient; the others must not wait for it.
    """
    AcceleratorState._reset_state()
    return Accelerator(
        cpu=not torch.accelerator.is_available(),  # else processes on CPUs would not form a group
        mixed_precision="no" if precision == "fp32" else precision,
        kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)],
    )
