"""A trained solver: one file with weights, shape and vocabulary; it predicts, solves and explains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from mwp.data.problems import Problem
from mwp.data.soundness import gives_answer
from mwp.data.sources import question_of, questions_of
from mwp.errors import BadInput, BadSetting, check_count
from mwp.inference.answers import Answer, Answers, SolvedProblem, solved_problem
from mwp.inference.predictions import Hypothesis, MergedHypothesis, Prediction, by_verified, make_hypothesis, merge
from mwp.inference.verifier import NAMES, Example, Verifier, fit_verifier
from mwp.solvers.base import EncoderDecoder
from mwp.solvers.decoding import solve_all
from mwp.solvers.registry import find_backbone, restore_solver
from mwp.training.checkpoint import load, save
from mwp.training.config import TrainConfig
from mwp.training.discriminator import Discriminator, qualifications_by_problem

if TYPE_CHECKING:  # reading a solver needs neither accelerate nor an optimizer, which take seconds to import
    from pandas import DataFrame

    from mwp.training.trainer import Trainer

MODEL_FILE, SUFFIX = "model.pt", ".pt"
# Addresses of solvers in MLflow: models:/SYSTEM/VERSION, models:/SYSTEM@fold-0, runs:/RUN/solver.
SCHEMES = ("models:/", "runs:/")
# The width of the beam search however few answers are shown: the first answer must not depend on `k`.
MIN_BEAM_SIZE = 10
BATCH_SIZE = 32
# The beam size with which the verifier is fitted on the validation split: that of the paper's top-5.
VERIFIER_BEAM_SIZE = 5


@dataclass(frozen=True)
class Solver:
    """A network with the discriminator and the verifier that were trained with it; None where it has none.

    `origin` says where it comes from: system, setting, fold and the like; `file` is what it was read from.
    """

    network: EncoderDecoder
    config: TrainConfig
    discriminator: Discriminator | None = None
    verifier: Verifier | None = None
    origin: Mapping[str, Any] = field(default_factory=dict)
    file: str | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        setting = f", setting {self.origin['setting']}" if "setting" in self.origin else ""
        made = f"from {self.file}" if self.file else "not saved"
        return f"<Solver {find_backbone(self.config.backbone).title}, {self.config.variant}{setting}, {made}>"

    @classmethod
    def from_training(cls, trainer: Trainer, origin: Mapping[str, Any] | None = None) -> Solver:
        """The network of the best epoch, the discriminator as it was at the end, and a verifier for both.

        The verifier is fitted on the validation split, by its answers alone, in the precision of the training.
        """
        assert trainer.state.best is not None
        config, learner = trainer.config, trainer.learner
        network = restore_solver(config.backbone, config.solver, learner.solver.encoder.assets)
        network.load_state_dict(trainer.state.best)
        network.to(trainer.accelerator.device).eval()
        solver = cls(network, config, learner.discriminator, None, dict(origin or {}))
        problems = {key: trainer.corpus.problems[key] for key in trainer.corpus.valid}
        with trainer.accelerator.autocast():
            found = solver._decoded(problems, VERIFIER_BEAM_SIZE, 2 * config.optimizer.batch_size)
        examples = [
            Example(problems[key], found[key], [gives_answer(one.solution, problems[key]) for one in found[key]])
            for key in sorted(found)
        ]
        return cls(network, config, learner.discriminator, fit_verifier(examples), solver.origin)

    @classmethod
    def load(cls, path: Path, device: str = "cpu", name: str | None = None) -> Solver:
        """From a model.pt or its folder; `name` is shown in the place of the path."""
        path = path / MODEL_FILE if path.is_dir() else path
        content = load(path)
        if missing := {"solver", "config", "encoder_assets", "origin"} - content.keys():
            raise BadInput(
                f"{path}: expected a trained model, found a checkpoint without {min(missing)}; give a model.pt"
            )
        config = _config(path, content["config"])
        network = restore_solver(config.backbone, config.solver, content["encoder_assets"])
        network.load_state_dict(content["solver"])
        hidden = config.diversity.discriminator_hidden
        discriminator = _discriminator(content.get("discriminator"), network.encoder.width, hidden)
        verifier = _verifier(path, content.get("verifier"))
        network, discriminator = network.eval().to(device), discriminator and discriminator.to(device)
        return cls(network, config, discriminator, verifier, content["origin"], name or str(path))

    def save(self, folder: str | PathLike[str]) -> Path:
        """Write the solver, so that `mwp.load` and `mwp solve --model` read it.

        Parameters
        ----------
        folder : path
            Where model.pt goes; a path that ends in .pt is the file itself. What is there is replaced.

        Returns
        -------
        Path
            The file.

        Examples
        --------
        >>> solver.save("models/mine")
        PosixPath('models/mine/model.pt')
        """
        path = Path(folder)
        path = path if path.suffix == SUFFIX else path / MODEL_FILE
        save(
            path,
            {
                "solver": self.network.state_dict(),
                "discriminator": None if self.discriminator is None else self.discriminator.state_dict(),
                "verifier": None if self.verifier is None else self.verifier.named,
                "config": self.config.model_dump(),
                "encoder_assets": self.network.encoder.assets,
                "origin": dict(self.origin),
            },
        )
        return path

    @overload
    def solve(  # type: ignore[overload-overlap]  # a text is no list of letters
        self, problem: str | Problem | Mapping[str, Any], k: int = 5, *, merge_equal: bool = True
    ) -> list[Answer]: ...

    @overload
    def solve(
        self, problem: Iterable[str | Problem | Mapping[str, Any]] | DataFrame, k: int = 5, *, merge_equal: bool = True
    ) -> list[list[Answer]]: ...

    def solve(self, problem: Any, k: int = 5, *, merge_equal: bool = True) -> Any:
        """Answers to a problem, or to each of several, best first.

        Parameters
        ----------
        problem : str, Problem or record; or a list or data frame of them
            A text in Chinese with its numbers in digits; a record or data frame has it under `text`.
        k : int, default 5
            How many answers at most.
        merge_equal : bool, default True
            Take equations that are equal by the laws of arithmetic as one answer, and order answers by the verifier.
            False: the equations as the network gives them, by probability.

        Returns
        -------
        list of Answer
            For several problems a list of such lists.

        Examples
        --------
        >>> best, *others = solver.solve("一本书有120页，小明每天看15页，几天看完？", k=3)
        >>> best.equation, best.value, best.probability
        ('N0/N1', Fraction(8, 1), ...)
        >>> len(solver.solve(["有3个苹果，吃了2个，还剩几个？", "5行树，每行4棵，共几棵？"]))
        2
        """
        check_count("k", k)
        if isinstance(problem, str | Problem | Mapping):
            return Answers(next(self.solve_all([question_of(problem)], k, merge_equal=merge_equal)).answers)
        found = self.solve_all(questions_of(problem), k, merge_equal=merge_equal)
        return [Answers(solved.answers) for solved in found]

    def predict(self, problems: Sequence[Problem], beam_size: int = 5, batch_size: int = 128) -> list[Prediction]:
        """`beam_size` hypotheses for each problem, in the order of the problems; ids must differ."""
        by_id = {problem.id: problem for problem in problems}
        found = self._decoded(by_id, beam_size, batch_size)
        return [Prediction(id=id, hypotheses=self._verified(by_id[id], found[id])) for id in by_id]

    def solve_all(
        self, problems: Iterable[str | Problem], k: int = 5, *, merge_equal: bool = True, batch_size: int = BATCH_SIZE
    ) -> Iterator[SolvedProblem]:
        """Up to `k` answers to each problem, those that the verifier believes most; equal equations are one.

        Without `merge_equal` the answers are all hypotheses, by probability.
        """
        check_count("k", k)
        remaining = map(question_of, problems)
        while batch := list(islice(remaining, batch_size)):
            numbered = [problem.model_copy(update={"id": str(index)}) for index, problem in enumerate(batch)]
            predictions = self.predict(numbered, max(MIN_BEAM_SIZE, k), batch_size)
            for problem, prediction in zip(batch, predictions, strict=True):
                yield solved_problem(problem, _groups(prediction.hypotheses, merge_equal)[:k])

    def _decoded(self, problems: Mapping[str, Problem], beam_size: int, batch_size: int) -> dict[str, list[Hypothesis]]:
        """By key, best first, with the discriminator's score where there is one."""
        encoded = {key: self.network.encoder.prepare(problem) for key, problem in problems.items()}
        found = dict(solve_all(self.network, list(problems), encoded, beam_size, batch_size))
        scores: dict[str, Sequence[float | None]] = {key: [None] * len(pairs) for key, pairs in found.items()}
        if self.discriminator is not None:
            solutions = {key: [solution for solution, _ in pairs] for key, pairs in found.items()}
            scores |= qualifications_by_problem(self.network, self.discriminator, solutions, encoded, batch_size)
        return {
            key: [
                make_hypothesis(solution, log_prob, problems[key], score)
                for (solution, log_prob), score in zip(pairs, scores[key], strict=True)
            ]
            for key, pairs in found.items()
        }

    def _verified(self, problem: Problem, hypotheses: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
        if self.verifier is None:
            return tuple(hypotheses)
        shares = self.verifier.shares(problem, hypotheses)
        return tuple(one.model_copy(update={"verified": share}) for one, share in zip(hypotheses, shares, strict=True))


def _groups(hypotheses: Sequence[Hypothesis], merge_equal: bool) -> list[MergedHypothesis]:
    if merge_equal:
        return by_verified(merge(hypotheses))
    return [MergedHypothesis((one,), one.log_prob) for one in hypotheses]


def _config(path: Path, content: Any) -> TrainConfig:
    """A default would be a guess at what a value was; only those of bert always had one."""
    if isinstance(content, Mapping) and (absent := _absent(TrainConfig, content)):
        raise _other_version(path, absent)
    try:
        return TrainConfig.model_validate(content)
    except BadSetting as error:
        first = error.errors()[0]
        if first["loc"] == ("backbone",):
            known = str(first["ctx"]["error"])
            raise BadInput(f"{path}: {known}, found {first['input']!r}; install the package that adds it") from error
        raise _other_version(path, ".".join(map(str, first["loc"]))) from error


def _absent(config: Any, content: Mapping[str, Any]) -> str | None:
    """The first setting that is not there."""
    for name, field_info in config.model_fields.items():
        if name == "bert":
            continue
        if name not in content:
            return str(name)
        inner = field_info.annotation
        group = content[name] if hasattr(inner, "model_fields") and isinstance(content[name], Mapping) else None
        if group is not None and (absent := _absent(inner, group)):
            return f"{name}.{absent}"
    return None


def _verifier(path: Path, weights: dict[str, float] | None) -> Verifier | None:
    """None for a model that was trained before the verifier was added."""
    if weights is None:
        return None
    if tuple(weights) != NAMES:
        raise _other_version(path, "the features of the verifier")
    return Verifier(tuple(weights.values()))


def _other_version(path: Path, where: str) -> BadInput:
    return BadInput(f"{path} was trained by another version of mwp, which differs in {where}; train again")


def _discriminator(state: dict[str, Any] | None, problem_width: int, hidden: int) -> Discriminator | None:
    if state is None:
        return None
    discriminator = Discriminator(problem_width, hidden)
    discriminator.load_state_dict(state)
    return discriminator.eval()
