"""Algorithm 2: train on the buffer by weights, fill it by beams, weigh again; stopped and resumed anywhere."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from accelerate.utils import gather_object

from mwp.errors import BadInput
from mwp.solvers.registry import start_solver
from mwp.training.batches import training_batches
from mwp.training.buffer import Buffer, ProblemBuffer, Solution, Source, Weighing, reaches_answer
from mwp.training.checkpoint import load, save
from mwp.training.config import TrainConfig
from mwp.training.corpus import Corpus
from mwp.training.decoding import Solutions, candidates_of, likelihoods, solve_all
from mwp.training.discriminator import auc
from mwp.training.examples import Examples, ExampleSource
from mwp.training.lbf import fix_all
from mwp.training.learner import Learner, Share, StepResult, rate_at
from mwp.training.progress import Observer, Progress
from mwp.training.purity import Judge, purity
from mwp.training.signals import postponed_signals
from mwp.training.traits import Candidate
from mwp.training.weighing import weighed, weighings
from mwp.training.weights import starting, uniform

STATE = "state.pt"
# The paper's top-5 on the inner slice; its first beam is what the test asks for too.
SLICE_BEAM = 5


@dataclass(frozen=True)
class Taken:
    """A step of this epoch, the solver's learning rate at it, and what came of it."""

    step: int
    rate: float
    result: StepResult
    examples: Examples | None


@dataclass
class Run:
    """One training run. `folder` holds its resumable state; `judge` tells sound solutions, to measure only."""

    corpus: Corpus
    buffer: Buffer
    config: TrainConfig
    accelerator: Accelerator
    folder: Path
    observer: Observer
    judge: Judge
    progress: Progress = field(default_factory=Progress)

    def __post_init__(self) -> None:
        self._taken: list[Taken] = []
        torch.manual_seed(self.config.seed)
        solver = start_solver(self.config.backbone, self.config.solver, self.corpus.vocabulary)
        self.encoded = {key: solver.encoder.prepare(problem) for key, problem in self.corpus.problems.items()}
        self.learner = Learner(self.config, solver, self.accelerator)
        self.examples = ExampleSource(
            self.corpus.problems, self.buffer, self.config.seed, rate=self.config.diversity.disturbance
        )

    # --- state ---

    @property
    def state_file(self) -> Path:
        return self.folder / STATE

    def resume(self) -> bool:
        """Go on from the state on disk, if there is one."""
        if not self.state_file.exists():
            return False
        state = load(self.state_file)
        self.learner.load(state["learner"])
        records = [ProblemBuffer.model_validate_json(line) for line in state["buffer"]]
        self.buffer = Buffer.of_records(records, self.buffer.cap)
        self.examples = ExampleSource(
            self.corpus.problems, self.buffer, self.config.seed, rate=self.config.diversity.disturbance
        )
        self.progress = Progress(**state["progress"])
        self.progress.judged = [tuple(pair) for pair in self.progress.judged]  # type: ignore[misc]
        return True

    def save(self) -> None:
        self._read_results()
        if self.accelerator.is_main_process:
            lines = [record.model_dump_json() for record in self.buffer.records()]
            save(
                self.state_file,
                {"learner": self.learner.state(), "buffer": lines, "progress": dict(vars(self.progress))},
            )

    # --- the run ---

    def train(self) -> None:
        """To the end, or until patience ends it; the best solver on the inner slice is kept, or the last solver."""
        if not self.progress.weights:
            self._start_weights()
        with postponed_signals() as stopped:
            while not self._is_over():
                if self.progress.step == 0:
                    self._prepare_epoch()
                self._train_epoch(stopped)
                self._close_epoch()
                self.save()
                if self._is_any(stopped):
                    raise KeyboardInterrupt

    def _is_over(self) -> bool:
        config, progress = self.config.optimiser, self.progress
        stale = progress.epoch - 1 - progress.best_epoch
        return progress.epoch >= config.epochs or (
            config.patience > 0 and progress.epoch > 0 and stale >= config.patience
        )

    def _start_weights(self) -> None:
        scores = {key: [entry.score for entry in self.buffer.entries(key)] for key in self.corpus.train}
        start = {key: uniform(len(some)) if self._weighs_alike else starting(some) for key, some in scores.items()}
        self._take_weights({key: weighings(self.progress.epoch, weights) for key, weights in start.items()})

    @property
    def _weighs_alike(self) -> bool:
        return self.config.variant == "lbf" or self.config.diversity.weights == "uniform"

    def _prepare_epoch(self) -> None:
        """Every few epochs the buffer grows and is weighed anew, and once more where the second stage begins."""
        epoch = self.progress.epoch
        self.progress.new = 0
        if self._is_update:
            self._fill_buffer()
            self._weigh()
            self.observer.buffer_updated(epoch, self.buffer)
        elif epoch == self._switch and self._is_second_stage:
            self._weigh()

    @property
    def _is_update(self) -> bool:
        """LBF fills the buffer from the start, for it may be empty; a beam needs a solver that has learned."""
        epoch = self.progress.epoch
        if self.config.variant == "lbf":
            return epoch % self.config.lbf.update_every == 0
        return self.config.variant == "diversified" and epoch > 0 and epoch % self.config.diversity.update_every == 0

    @property
    def _switch(self) -> int:
        return round(self.config.diversity.switch * self.config.optimiser.epochs)

    @property
    def _is_second_stage(self) -> bool:
        return self.learner.discriminator is not None and self.progress.epoch >= self._switch

    def _fill_buffer(self) -> None:
        """What is new enters, in the order of the problems."""
        is_lbf = self.config.variant == "lbf"
        source: Source = "fix" if is_lbf else "beam"
        found = self._fixed() if is_lbf else self._beamed()
        order = {key: place for place, key in enumerate(self.corpus.train)}
        for key, solution in sorted(self._gathered(list(found)), key=lambda pair: order[pair[0]]):
            self.progress.new += self.buffer.add(key, solution, source, self.progress.epoch)

    def _beamed(self) -> Iterator[tuple[str, Solution]]:
        """Step 2: what a beam finds for a training problem with room in its buffer, if its value is right."""
        keys = self._mine([key for key in self.corpus.train if not self.buffer.is_full(key)])
        for key, solutions in self._solved(keys, self.config.diversity.beam):
            for solution, _ in solutions:
                if reaches_answer(solution, self.corpus.problems[key]):
                    yield key, solution

    def _solved(self, keys: Sequence[str], k: int) -> list[tuple[str, Solutions]]:
        """In the precision of the training."""
        with self.accelerator.autocast():
            return list(solve_all(self.learner.solver, keys, self.encoded, k, 2 * self.config.optimiser.batch))

    def _fixed(self) -> Iterator[tuple[str, Solution]]:
        problems = {key: self.corpus.problems[key] for key in self._mine(self.corpus.train)}
        seed = f"{self.config.seed}/lbf/{self.progress.epoch}"
        size, rounds = self.config.optimiser.batch, self.config.lbf.rounds
        return fix_all(self.learner.solver, problems, self.encoded, size, rounds, seed)

    def _weigh(self) -> None:
        """Step 3: s_i by Eq. 3; in the second stage (s_i + t_i) / 2; or all alike."""
        solutions = {key: [entry.solution for entry in self.buffer.entries(key)] for key in self.corpus.train}
        if self._weighs_alike:
            self._take_weights(
                {key: weighings(self.progress.epoch, uniform(len(some))) for key, some in solutions.items()}
            )
            return
        mine = {key: solutions[key] for key in self._mine(self.corpus.train)}
        size = 2 * self.config.optimiser.batch
        judge = self.learner.discriminator if self._is_second_stage else None
        found: list[tuple[str, list[Weighing]]] = []
        for batch in likelihoods(self.learner.solver, mine, self.encoded, size):
            parts = iter(weighed(batch, self.buffer, self.progress.epoch, judge, self.config.diversity.anchor))
            found += [(key, list(islice(parts, len(mine[key])))) for key in batch.keys]
        self._take_weights({**{key: [] for key in solutions}, **dict(self._gathered(found))})

    def _take_weights(self, found: Mapping[str, list[Weighing]]) -> None:
        """Train by these from now on, and write them into the solutions' lives."""
        self.progress.weights = {key: [one.a for one in some] for key, some in found.items()}
        for key, some in found.items():
            self.buffer.weigh(key, some)

    def _train_epoch(self, stopped: list[int]) -> None:
        config, progress = self.config.optimiser, self.progress
        keys = [key for key in self.corpus.train if self.buffer.entries(key)]
        batches = training_batches(keys, self.encoded, config.batch, self.config.seed, progress.epoch)
        # All problems count for the schedule, so that it does not depend on how the buffer fills.
        steps = config.epochs * -(-len(self.corpus.train) // config.batch)
        per_epoch = steps // config.epochs
        self.observer.epoch_started(progress.epoch, len(batches))
        for step in range(progress.step, len(batches)):
            # Every step has a seed of its own: a resumed run draws what an undisturbed one would.
            torch.manual_seed(hash((self.config.seed, progress.epoch, step)))
            rate = rate_at(config, progress.epoch * per_epoch + min(step, per_epoch - 1), steps)
            self._train_batch(batches[step], rate)
            progress.step = step + 1
            if progress.step < len(batches) and self._is_any(stopped):
                self.save()
                raise KeyboardInterrupt

    def _train_batch(self, batch: Sequence[str], rate: float) -> None:
        mine = self._mine(batch)
        keys = mine or batch[:1]
        weights = {key: self.progress.weights[key] for key in keys}
        solutions = {key: [entry.solution for entry in self.buffer.entries(key)] for key in keys}
        examples = self._draw(keys)
        share = Share(keys, solutions, weights, len(batch), is_stand_in=not mine)
        result = self.learner.step(share, self.encoded, rate, examples)
        self._taken.append(Taken(self.progress.step, rate, result, examples))
        self.observer.step_done(len(batch))

    def _read_results(self) -> None:
        """Only here does the host wait for what the steps computed; one that computed no number stops the training."""
        if not self._taken:
            return
        losses = [float(self.accelerator.reduce(taken.result.loss, "sum")) for taken in self._taken]
        self._check(losses)
        judged: list[tuple[float, int]] = []
        for taken, loss in zip(self._taken, losses, strict=True):
            self.progress.loss += loss
            if taken.examples and taken.result.scores is not None:
                judged += zip(taken.result.scores.tolist(), taken.examples.targets, strict=True)
        self.progress.judged += self._gathered(judged)
        self._taken = []

    def _check(self, losses: Sequence[float]) -> None:
        """Nothing of the epoch is saved after the first step whose loss or weights are no finite numbers."""
        found = [(taken, "a finite loss of the solver", loss) for taken, loss in zip(self._taken, losses, strict=True)]
        judged = [(taken, loss) for taken in self._taken if (loss := taken.result.discriminator_loss) is not None]
        if judged:
            values = torch.stack([loss for _, loss in judged]).tolist()
            found += [
                (taken, "a finite loss of the discriminator", loss)
                for (taken, _), loss in zip(judged, values, strict=True)
            ]
        if not self.learner.is_finite:
            found.append((self._taken[-1], "finite weights", math.nan))
        astray = [(taken.step, taken.rate, what, value) for taken, what, value in found if not math.isfinite(value)]
        # A discriminator's loss is of this process alone, and all must stop.
        if astray := self._gathered(astray):
            raise self._diverged(*min(astray, key=lambda one: one[0]))

    def _diverged(self, step: int, rate: float, what: str, value: float) -> BadInput:
        kept = (
            f"the last good state stays in {self.folder}" if self.state_file.exists() else "there is no state to keep"
        )
        return BadInput(
            f"epoch {self.progress.epoch + 1}, step {step + 1}, learning rate {rate:g}: expected {what}, "
            f"found {value}; lower train.optimiser.rate; {kept}, and no model is saved"
        )

    def _draw(self, keys: Sequence[str]) -> Examples | None:
        if self.learner.discriminator is None:
            return None
        return self.examples.draw(keys, self.progress.epoch, self.progress.weights)

    def _close_epoch(self) -> None:
        self._read_results()
        progress = self.progress
        trained = sum(1 for key in self.corpus.train if self.buffer.entries(key))
        measured = self._slice_metrics()
        metrics = {
            "loss": progress.loss / max(trained, 1),
            **measured,
            "buffer_size": float(self.buffer.size),
            "buffer_empty": float(self.buffer.empty),
            "new_solutions": float(progress.new),
            **self._purity_metrics(),
        }
        if progress.judged:
            area = auc([score for score, _ in progress.judged], [target for _, target in progress.judged])
            metrics |= {"discriminator_auc": area} if area is not None else {}
        progress.history.append(metrics)
        if not measured or measured["valid_accuracy"] > progress.best_accuracy:
            progress.best_accuracy = measured.get("valid_accuracy", progress.best_accuracy)
            progress.best_epoch = progress.epoch
            progress.best = {name: value.clone() for name, value in self.learner.solver.state_dict().items()}
        self.observer.epoch_done(progress.epoch, metrics)
        progress.epoch, progress.step, progress.loss, progress.judged = progress.epoch + 1, 0, 0.0, []

    def _slice_metrics(self) -> dict[str, float]:
        """The inner slice: whose best solution gives the answer, and how much of a beam does; if there is one."""
        problems = len(self.corpus.valid)
        if not problems:
            return {}
        marks = [
            [reaches_answer(solution, self.corpus.problems[key]) for solution, _ in solutions]
            for key, solutions in self._solved(self._mine(self.corpus.valid), SLICE_BEAM)
        ]
        every: list[list[bool]] = self._gathered(marks)
        return {
            "valid_accuracy": sum(right[:1] == [True] for right in every) / problems,
            "valid_top_5": sum(map(sum, every)) / (SLICE_BEAM * problems),
        }

    def _purity_metrics(self) -> dict[str, float]:
        found = purity(self.buffer, self.progress.weights, self.judge)
        named = {
            "buffer_purity": found.share,
            "weight_sound": found.sound_weight,
            "weight_spurious": found.spurious_weight,
        }
        return {name: value for name, value in named.items() if value is not None}

    def slice_candidates(self) -> dict[str, list[Candidate]]:
        """What the best solver writes for the inner slice; for a run that is over."""
        assert self.progress.best is not None
        solver, size = self.learner.solver, 2 * self.config.optimiser.batch
        solver.load_state_dict(self.progress.best)
        with self.accelerator.autocast():
            judge = self.learner.discriminator
            return candidates_of(solver, judge, self.corpus.valid, self.encoded, SLICE_BEAM, size)

    # --- several processes ---

    def _mine(self, keys: Sequence[str]) -> list[str]:
        return list(keys[self.accelerator.process_index :: self.accelerator.num_processes])

    def _is_any(self, stopped: list[int]) -> bool:
        """Whether one of the processes was told to stop: all stop after the same step."""
        if self.accelerator.num_processes == 1:
            return bool(stopped)
        told = torch.tensor(len(stopped), device=self.accelerator.device)
        return bool(self.accelerator.reduce(told, "sum") > 0)

    def _gathered(self, items: list[Any]) -> list[Any]:
        if self.accelerator.num_processes == 1:
            return items
        return list(gather_object(items))
