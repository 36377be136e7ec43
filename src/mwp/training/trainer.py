"""Algorithm 2: train on the weighted buffer, fill it by beam search, compute weights again; resumable anywhere."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import torch
from accelerate import Accelerator

from mwp.data.soundness import SoundnessCache, gives_answer
from mwp.errors import BadInput
from mwp.solvers.decoding import solve_all
from mwp.solvers.registry import start_solver
from mwp.training.buffer import ProblemBuffer, SolutionBuffer
from mwp.training.buffer_updates import BufferUpdate, BufferWork
from mwp.training.checkpoint import load, save
from mwp.training.config import BUFFER_UPDATES, TrainConfig
from mwp.training.corpus import Corpus, training_batches
from mwp.training.discriminator import auc
from mwp.training.examples import ExampleSampler
from mwp.training.learner import Learner, MicroBatch, StepResult, learning_rate_at
from mwp.training.progress import Callback, TrainingState, postponed_signals, purity
from mwp.training.weights import Records, Weighing

STATE = "state.pt"
# For the paper's top-5 on the validation split.
VALID_BEAM_SIZE = 5


def _buffer_update(config: TrainConfig) -> BufferUpdate | None:
    if config.variant not in BUFFER_UPDATES:
        return None
    module, _, name = BUFFER_UPDATES[config.variant].partition(":")
    made: BufferUpdate = getattr(import_module(module), name)(config)
    return made


@dataclass(frozen=True)
class StepRecord:
    """A step of this epoch, the learning rate at it, and what came of it."""

    step: int
    learning_rate: float
    result: StepResult
    targets: Sequence[int]  # of the discriminator's examples


@dataclass
class Trainer:
    """One training. `folder` has its resumable state, None: it has none; `soundness` is used to measure only."""

    corpus: Corpus
    buffer: SolutionBuffer
    config: TrainConfig
    accelerator: Accelerator
    folder: Path | None
    callback: Callback
    soundness: SoundnessCache
    state: TrainingState = field(default_factory=TrainingState)

    def __post_init__(self) -> None:
        self._steps: list[StepRecord] = []
        torch.manual_seed(self.config.seed)
        solver = start_solver(self.config.backbone, self.config.solver, self.corpus.vocabulary)
        self.encoded = {key: solver.encoder.prepare(problem) for key, problem in self.corpus.problems.items()}
        self.learner = Learner(self.config, solver, self.accelerator)
        self.processes = self.learner.processes
        self.update = _buffer_update(self.config)
        self.buffer_work = BufferWork(self.config, self.corpus, self.encoded, self.learner)

    # --- state ---

    @property
    def state_file(self) -> Path | None:
        return self.folder / STATE if self.folder else None

    def resume(self) -> bool:
        """Go on from the state on disk, if there is one."""
        if self.state_file is None or not self.state_file.exists():
            return False
        state = load(self.state_file)
        self.learner.load(state["learner"])
        records = [ProblemBuffer.model_validate_json(line) for line in state["buffer"]]
        self.buffer = SolutionBuffer.of_records(records, self.buffer.max_solutions)
        self.state = TrainingState(**state["training"])
        self.state.discriminator_scores = [tuple(pair) for pair in self.state.discriminator_scores]  # type: ignore[misc]
        return True

    def save(self) -> None:
        self.read_results()
        if self.state_file and self.accelerator.is_main_process:
            lines = [record.model_dump_json() for record in self.buffer.records()]
            save(
                self.state_file,
                {"learner": self.learner.state(), "buffer": lines, "training": dict(vars(self.state))},
            )

    # --- the run ---

    def train(self) -> None:
        """To the end, or until patience ends it; `best` is the best network on the validation split, else the last."""
        self.start()
        with postponed_signals() as stopped:
            while not self._is_over():
                if self.state.step == 0:
                    self._prepare_epoch()
                self._train_epoch(stopped)
                self._close_epoch()
                self.save()
                if self.processes.is_any(stopped):
                    raise KeyboardInterrupt

    def start(self) -> None:
        """The starting weights, unless the training was resumed."""
        if not self.state.weights:
            self._take_weights(Weighing(self.config, self.buffer).start(self.corpus.train, self.state.epoch))

    def _is_over(self) -> bool:
        config, state = self.config.optimizer, self.state
        stale = state.epoch - 1 - state.best_epoch
        return state.epoch >= config.epochs or (config.patience > 0 and state.epoch > 0 and stale >= config.patience)

    def _prepare_epoch(self) -> None:
        """Every few epochs the buffer grows and is weighed again, and once more where the second stage begins."""
        epoch = self.state.epoch
        self.state.new = 0
        if self.update is not None and self.update.is_due(epoch):
            self.state.new = self.buffer_work.fill(self.update, self.buffer, epoch)
            self._weigh()
            self.callback.buffer_updated(epoch, self.buffer)
        elif epoch == self._second_stage_start and self._is_second_stage:
            self._weigh()

    @property
    def _second_stage_start(self) -> int:
        return round(self.config.diversity.second_stage_start * self.config.optimizer.epochs)

    @property
    def _is_second_stage(self) -> bool:
        return self.learner.discriminator is not None and self.state.epoch >= self._second_stage_start

    def _weigh(self) -> None:
        discriminator = self.learner.discriminator if self._is_second_stage else None
        self._take_weights(self.buffer_work.weigh(self.buffer, self.state.epoch, discriminator))

    def _take_weights(self, found: Records) -> None:
        """Train by these from now on, and record them in the buffer."""
        self.state.weights = {key: [one.a for one in some] for key, some in found.items()}
        for key, some in found.items():
            self.buffer.record_weights(key, some)

    def _train_epoch(self, stopped: list[int]) -> None:
        config, state = self.config.optimizer, self.state
        batches = self.epoch_batches()
        # All problems count for the schedule, so that it does not depend on how the buffer fills.
        steps = config.epochs * -(-len(self.corpus.train) // config.batch_size)
        per_epoch = steps // config.epochs
        self.callback.epoch_started(state.epoch, len(batches))
        for step in range(state.step, len(batches)):
            # Every step has a seed of its own: a resumed training draws the same as one that was not stopped.
            torch.manual_seed(hash((self.config.seed, state.epoch, step)))
            learning_rate = learning_rate_at(config, state.epoch * per_epoch + min(step, per_epoch - 1), steps)
            self.train_step(batches[step], step, learning_rate)
            state.step = step + 1
            if state.step < len(batches) and self.processes.is_any(stopped):
                self.save()
                raise KeyboardInterrupt

    def epoch_batches(self) -> list[MicroBatch]:
        """This process's part of every batch of the epoch, drawn before its first step: nothing that it is made of
        changes before its end, and every problem's examples have a seed of their own."""
        keys = [key for key in self.corpus.train if self.buffer.entries(key)]
        size, seed, epoch = self.config.optimizer.batch_size, self.config.seed, self.state.epoch
        return [self.micro_batch(batch) for batch in training_batches(keys, self.encoded, size, seed, epoch)]

    def micro_batch(self, batch: Sequence[str]) -> MicroBatch:
        """Of a batch of problems that all have solutions, with the weights of this epoch."""
        shard = self.processes.shard(batch)
        keys = shard or batch[:1]
        examples = None
        if self.learner.discriminator is not None:
            rate = self.config.diversity.corruption_rate
            sampler = ExampleSampler(self.corpus.problems, self.buffer, self.config.seed, corruption_rate=rate)
            examples = sampler.draw(keys, self.state.epoch, self.state.weights)
        return MicroBatch.of(keys, self.buffer, self.state.weights, len(batch), examples, is_padding=not shard)

    def train_step(self, micro_batch: MicroBatch, step: int, learning_rate: float) -> None:
        result = self.learner.step(micro_batch, self.encoded, learning_rate)
        targets = micro_batch.examples.targets if micro_batch.examples else ()
        self._steps.append(StepRecord(step, learning_rate, result, targets))
        self.callback.step_done(micro_batch.batch_size)

    def read_results(self) -> None:
        """Only here does the host wait for what the steps computed; one that computed no number stops the training."""
        if not self._steps:
            return
        losses = [float(self.accelerator.reduce(record.result.loss, "sum")) for record in self._steps]
        self._check(losses)
        scores: list[tuple[float, int]] = []
        for record, loss in zip(self._steps, losses, strict=True):
            self.state.loss += loss
            if record.targets and record.result.scores is not None:
                scores += zip(record.result.scores.tolist(), record.targets, strict=True)
        self.state.discriminator_scores += self.processes.gathered(scores)
        self._steps = []

    def _check(self, losses: Sequence[float]) -> None:
        """Nothing of the epoch is saved after the first step whose loss or weights are no finite numbers."""
        found = [
            (record, "a finite loss of the solver", loss) for record, loss in zip(self._steps, losses, strict=True)
        ]
        scored = [(record, loss) for record in self._steps if (loss := record.result.discriminator_loss) is not None]
        if scored:
            values = torch.stack([loss for _, loss in scored]).tolist()
            found += [
                (record, "a finite loss of the discriminator", loss)
                for (record, _), loss in zip(scored, values, strict=True)
            ]
        if not self.learner.is_finite:
            found.append((self._steps[-1], "finite weights", math.nan))
        diverged = [
            (record.step, record.learning_rate, what, value)
            for record, what, value in found
            if not math.isfinite(value)
        ]
        # A discriminator's loss is of this process alone, and all must stop.
        if diverged := self.processes.gathered(diverged):
            raise self._diverged(*min(diverged, key=lambda one: one[0]))

    def _diverged(self, step: int, learning_rate: float, what: str, value: float) -> BadInput:
        state = "there is no state to keep"
        if self.state_file and self.state_file.exists():
            state = f"the last good state stays in {self.folder}"
        return BadInput(
            f"epoch {self.state.epoch + 1}, step {step + 1}, learning rate {learning_rate:g}: expected {what}, "
            f"found {value}; lower train.optimizer.learning_rate; {state}, and no model is saved"
        )

    def _close_epoch(self) -> None:
        self.read_results()
        state = self.state
        trained = sum(1 for key in self.corpus.train if self.buffer.entries(key))
        measured = self._valid_metrics()
        metrics = {
            "loss": state.loss / max(trained, 1),
            **measured,
            "buffer_size": float(self.buffer.size),
            "buffer_empty": float(self.buffer.empty),
            "new_solutions": float(state.new),
            **self._purity_metrics(),
        }
        if state.discriminator_scores:
            area = auc(
                [score for score, _ in state.discriminator_scores], [target for _, target in state.discriminator_scores]
            )
            metrics |= {"discriminator_auc": area} if area is not None else {}
        state.history.append(metrics)
        if not measured or measured["valid_accuracy"] > state.best_accuracy:
            state.best_accuracy = measured.get("valid_accuracy", state.best_accuracy)
            state.best_epoch = state.epoch
            state.best = {name: value.clone() for name, value in self.learner.solver.state_dict().items()}
        self.callback.epoch_done(state.epoch, metrics)
        state.epoch, state.step, state.loss, state.discriminator_scores = state.epoch + 1, 0, 0.0, []

    def _valid_metrics(self) -> dict[str, float]:
        """Precision@1 and precision@5 on the validation split, if there is one."""
        problems = len(self.corpus.valid)
        if not problems:
            return {}
        keys, batch_size = self.processes.shard(self.corpus.valid), 2 * self.config.optimizer.batch_size
        with self.accelerator.autocast():
            found = list(solve_all(self.learner.solver, keys, self.encoded, VALID_BEAM_SIZE, batch_size))
        right = [
            [gives_answer(solution, self.corpus.problems[key]) for solution, _ in solutions] for key, solutions in found
        ]
        every: list[list[bool]] = self.processes.gathered(right)
        return {
            "valid_accuracy": sum(each[:1] == [True] for each in every) / problems,
            "valid_top_5": sum(map(sum, every)) / (VALID_BEAM_SIZE * problems),
        }

    def _purity_metrics(self) -> dict[str, float]:
        found = purity(self.buffer, self.state.weights, self.soundness)
        named = {
            "buffer_purity": found.share,
            "weight_sound": found.sound_weight,
            "weight_spurious": found.spurious_weight,
        }
        return {name: value for name, value in named.items() if value is not None}
