"""The solver and the discriminator with their optimisers; one step of each on one batch (Step 1 and Eq. 4)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from accelerate import Accelerator
from torch import Tensor

from mwp.solvers.problem_batch import EncodedProblem, on_device
from mwp.solvers.solver import Solver
from mwp.solvers.symbols import symbol_ids
from mwp.training.config import OptimiserConfig, TrainConfig
from mwp.training.discriminator import Discriminator, discriminator_loss
from mwp.training.examples import Examples, pad

DISCRIMINATOR_RATE = 1e-3


def rate_at(config: OptimiserConfig, step: int, steps: int) -> float:
    """The learning rate at a step of all `steps`, `steps / epochs` an epoch."""
    warm = min(1.0, (step + 1) / config.warmup) if config.warmup else 1.0
    if config.schedule == "cosine":
        return config.rate * warm * (1 + math.cos(math.pi * step / steps)) / 2
    epoch = step * config.epochs // steps
    return config.rate * warm * 0.5 ** (epoch // config.halve_every)


def make_optimiser(config: OptimiserConfig, solver: Solver) -> torch.optim.Optimizer:
    """The encoder's learning rate is its own multiple of the decoder's."""
    groups = [
        {"params": [value for value in part.parameters() if value.requires_grad], "factor": factor}
        for part, factor in ((solver.encoder, solver.encoder.rate_factor), (solver.decoder, 1.0))
    ]
    kind: type[torch.optim.Adam] = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[config.name]
    return kind(groups, config.rate, weight_decay=config.weight_decay, fused=True)


@dataclass(frozen=True)
class Share:
    """What one process trains on: its problems with their solutions and weights, and the size of the whole batch.

    Every process must take part in a step: one that has no problem of a small batch `is_stand_in` for another one and
    adds nothing to the gradient.
    """

    keys: Sequence[str]
    solutions: Mapping[str, Sequence[tuple[str, ...]]]
    weights: Mapping[str, Sequence[float]]
    batch: int
    is_stand_in: bool = False


@dataclass(frozen=True)
class StepResult:
    """Sums over the share's problems; detached tensors, so that nothing waits for the device."""

    loss: Tensor
    discriminator_loss: Tensor | None = None
    scores: Tensor | None = None


class Learner:
    """`model` and `judge` are what accelerate makes of `solver` and `discriminator` for training."""

    def __init__(self, config: TrainConfig, solver: Solver, accelerator: Accelerator) -> None:
        self.config = config
        self.accelerator = accelerator
        self.solver = solver
        self.discriminator: Discriminator | None = None
        self.model, self.optimiser = accelerator.prepare(solver, make_optimiser(config.optimiser, solver))
        self.judge: Any = None
        if config.has_discriminator:
            self.discriminator = Discriminator(solver.encoder.width, config.diversity.discriminator)
            optimiser = torch.optim.Adam(self.discriminator.parameters(), DISCRIMINATOR_RATE, fused=True)
            self.judge, self.judge_optimiser = accelerator.prepare(self.discriminator, optimiser)

    def step(
        self, share: Share, encoded: Mapping[str, EncodedProblem], rate: float, examples: Examples | None
    ) -> StepResult:
        """One step on the mean over problems of sum_i a_i CE_i (Eq. 2), and one of the discriminator."""
        device = self.accelerator.device
        owners = [row for row, key in enumerate(share.keys) for _ in share.solutions[key]]
        solutions = [symbol_ids(solution) for key in share.keys for solution in share.solutions[key]]
        plan = on_device(self.solver.decoder.plan(solutions, owners), device)
        problems = on_device(self.solver.encoder.collate([encoded[key] for key in share.keys]), device)
        weights = torch.tensor([weight for key in share.keys for weight in share.weights[key]])
        for group in self.optimiser.param_groups:
            group["lr"] = rate * group["factor"]
        with self.accelerator.autocast():
            log_probs, states = self.model(problems, plan)
            total = -(weights.to(device, non_blocking=True) * log_probs).sum() * (not share.is_stand_in)
        # Gradients are averaged over the processes, each of which has its share of the batch.
        self.accelerator.backward(total * self.accelerator.num_processes / share.batch)
        self.accelerator.clip_grad_norm_(self.model.parameters(), self.config.optimiser.clip)
        self.optimiser.step()
        self.optimiser.zero_grad()
        if not examples:
            return StepResult(total.detach())
        loss, scores = self._judge_step(states.detach(), examples, 0 if share.is_stand_in else len(examples))
        return StepResult(total.detach(), loss, None if share.is_stand_in else scores)

    def _judge_step(self, states: Tensor, examples: Examples, count: int) -> tuple[Tensor, Tensor]:
        """`count` examples are this process's part of those of the whole batch, over which the loss is a mean."""
        device, processes = self.accelerator.device, self.accelerator.num_processes
        padded = on_device(pad(examples.symbols), torch.device("cpu"))
        owner, targets = torch.tensor(examples.owner), torch.tensor(examples.targets)
        with self.accelerator.autocast():
            logits = self.judge(states.float(), padded.tokens.to(device), padded.lengths.to(device), owner.to(device))
            loss = discriminator_loss(logits, targets.to(device))
        if processes > 1:
            all_examples = self.accelerator.reduce(torch.tensor(float(count), device=device), "sum")
            loss = loss * (count * processes / all_examples)
        self.accelerator.backward(loss)
        self.judge_optimiser.step()
        self.judge_optimiser.zero_grad()
        return loss.detach(), torch.sigmoid(logits.detach())

    @property
    def is_finite(self) -> bool:
        """Whether all weights are numbers; one question to the device."""
        parts = [self.solver, self.discriminator] if self.discriminator is not None else [self.solver]
        checked = [value.isfinite().all() for part in parts for value in part.state_dict().values()]
        return bool(torch.stack(checked).all())

    def state(self) -> dict[str, Any]:
        state = {"solver": self.solver.state_dict(), "optimiser": self.optimiser.state_dict()}
        if self.discriminator is not None:
            state |= {
                "discriminator": self.discriminator.state_dict(),
                "discriminator_optimiser": self.judge_optimiser.state_dict(),
            }
        if self.accelerator.scaler is not None:
            state["scaler"] = self.accelerator.scaler.state_dict()
        return state

    def load(self, state: Mapping[str, Any]) -> None:
        self.solver.load_state_dict(state["solver"])
        self.optimiser.load_state_dict(state["optimiser"])
        if self.discriminator is not None:
            self.discriminator.load_state_dict(state["discriminator"])
            self.judge_optimiser.load_state_dict(state["discriminator_optimiser"])
        if self.accelerator.scaler is not None:
            self.accelerator.scaler.load_state_dict(state["scaler"])
