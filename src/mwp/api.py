"""What a user of the library calls: load, read_problems, search, train, evaluate.

Nothing here reads params.yaml, needs DVC or git, or a particular folder; MLflow is asked for addresses in it alone, and
where one of its runs is open.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from mwp.data.problems import Problem
from mwp.data.sources import Problems, problems_of
from mwp.display import TrainingProgress, with_bar
from mwp.errors import BadInput, check_choice, check_count
from mwp.training.config import SETTINGS, SeedConfig, Setting, TrainConfig
from mwp.training.progress import Callback, Callbacks
from mwp.wda.labels import Label
from mwp.wda.registry import STRATEGIES, make_strategy

if TYPE_CHECKING:
    from pandas import DataFrame

    from mwp.evaluation.scores import Scores
    from mwp.inference.solver import Solver

# Whatever holds problems.
Source: TypeAlias = "str | PathLike[str] | DataFrame | Iterable[Problem | str | Mapping[str, Any]]"
HISTORY_FILE = "history.json"
# The scores tell how many of five answers are right.
MIN_BEAM_SIZE = 5


def load(source: str | PathLike[str] | None = None, *, device: str = "cpu") -> Solver:
    """A trained solver.

    Parameters
    ----------
    source : path or address
        A model.pt, a folder that holds one, or an address in MLflow: `models:/full-d-gts@fold-0`, `runs:/ID/solver`
        (needs `pip install 'mwp[pipeline]'`).
    device : str, default "cpu"
        Where it computes: cpu, cuda, cuda:1, mps.

    Returns
    -------
    Solver

    Examples
    --------
    >>> mwp.load("models/full-d-gts/fold-0")
    <Solver GTS, diversified, setting full, from models/full-d-gts/fold-0/model.pt>
    """
    from mwp.inference.solver import SCHEMES, Solver

    _check_device(device)
    if source is None:
        raise BadInput("source: no solver comes with mwp yet; give a model.pt, its folder or an address in MLflow")
    if not isinstance(source, str | PathLike):
        raise BadInput(f"source: expected a path or an address, found {type(source).__name__}")
    if str(source).startswith(SCHEMES):
        with tempfile.TemporaryDirectory() as folder:
            return Solver.load(_fetched(str(source), Path(folder)), device, str(source))
    return Solver.load(_model_file(Path(source)), device)


def read_problems(
    source: Source,
    *,
    id: str | None = None,
    text: str | None = None,
    answer: str | None = None,
    equation: str | None = None,
) -> Problems:
    """Problems from a file, a data frame or a list; what cannot be used is in `drops`, with its reason.

    Parameters
    ----------
    source : path, data frame, or list of records, texts or problems
        A file is CSV, JSON or JSON lines, in UTF-8. The files of Math23k, Ape210k, Weak12k and CNMWP need no names of
        columns, nor do those that `mwp data import` writes.
    id, text, answer, equation : str, optional
        What the columns are called. None: by these very names, if there are such columns. Only the text must be there;
        rows without ids are numbered from 1, and the answer is that of the equation where there is no other.

    Returns
    -------
    Problems
        A sequence of `Problem` with `drops` and `to_frame()`; notebooks show it as a table.

    Examples
    --------
    >>> mwp.read_problems("mine.csv", text="question", answer="result")
    <24 problems from mine.csv: 24 with answer only; 1 of 25 records dropped: 1 answer is not a number>
    >>> mwp.read_problems([{"text": "有3个苹果，吃了2个，还剩几个？", "equation": "3-2"}])[0].answer
    Fraction(1, 1)
    """
    return problems_of(source, id=id, text=text, answer=answer, equation=equation)


def search(
    problems: Source,
    *,
    strategy: str = "ranked",
    max_candidates: int = 5,
    max_tries: int = 50_000,
    max_expressions: int = 1_000_000,
    jobs: int = 1,
    scheduler: str | None = None,
) -> list[Label]:
    """Equations that lead from the numbers of each problem to its answer (weak data augmentation).

    Parameters
    ----------
    problems : Problems or whatever `read_problems` takes
        With answers; equations are not looked at.
    strategy : {"ranked", "published", "paper"}, default "ranked"
        ranked: the most plausible by the units and words of the text. paper, published: the first by Algorithm 1, as
        the paper prints it or as its code has it.
    max_candidates : int, default 5
        Equations a problem (ranked).
    max_tries : int, default 50,000
        Expressions that Algorithm 1 tries in a problem.
    max_expressions : int, default 1,000,000
        Expressions that ranked tries in a problem.
    jobs : int, default 1
        Processes; 0 takes one a core.
    scheduler : str, optional
        Address of a Dask scheduler, such as tcp://host:8786, whose workers search instead.

    Returns
    -------
    list of Label
        One for each problem, in their order; `candidates` are empty where nothing was found.

    Examples
    --------
    >>> labels = mwp.search([{"text": "一本书有120页，小明每天看15页，几天看完？", "answer": 8}])
    >>> labels[0].candidates[0].solution
    ('/', 'N0', 'N1')
    """
    from mwp.wda.strategies import label_all

    given = _answered("problems", problems)
    check_choice("strategy", strategy, list(STRATEGIES))
    for name, value in (("max_candidates", max_candidates), ("max_tries", max_tries)):
        check_count(name, value)
    check_count("max_expressions", max_expressions)
    check_count("jobs", jobs, least=0)
    made = make_strategy(strategy, max_tries, max_expressions, max_candidates)
    return list(with_bar(label_all(given, made, jobs, scheduler), len(given), "searching"))


def train(
    problems: Source,
    *,
    setting: Setting = "full",
    weak_problems: Source = (),
    labels: Iterable[Label] = (),
    config: TrainConfig | Mapping[str, Any] = TrainConfig(),  # noqa: B008  # it is frozen
    validation: float | Source = 0.1,
    folder: str | PathLike[str] | None = None,
    callbacks: Iterable[Callback] = (),
) -> Solver:
    """Train a solver.

    The same problems, settings and machine kind give the same solver. An open MLflow run gets its params and curves.

    Parameters
    ----------
    problems : Problems or whatever `read_problems` takes
        With equations in the settings full and semi, with answers in all.
    setting : {"full", "semi", "weak"}, default "full"
        full: learn from equations. semi: from these, and from `weak_problems` of which only the answers are known.
        weak: from answers alone.
    weak_problems : Problems or whatever `read_problems` takes
        In setting semi.
    labels : list of Label
        What `mwp.search` found for the problems whose equations are not used: `weak_problems` in setting semi, all in
        setting weak. None given: semi starts without, weak searches by the default strategy.
    config : TrainConfig or dictionary of what differs from its defaults
    validation : float or problems, default 0.1
        The fraction that is held out, by the seed, to select the best epoch; or problems for it. 0: the last epoch.
    folder : path, optional
        Where each epoch is saved, and the solver at the end as model.pt. The same call goes on there if it was stopped.
    callbacks : list of `mwp.training.progress.Callback`
        Told of each step, epoch and update of the buffer.

    Returns
    -------
    Solver

    Examples
    --------
    >>> solver = mwp.train(
    ...     problems, setting="weak", config={"optimizer": {"epochs": 2, "warmup_steps": 1}}, folder="runs/weak"
    ... )
    >>> solver
    <Solver GTS, diversified, setting weak, from runs/weak/model.pt>
    """
    check_choice("setting", setting, SETTINGS)
    settings = _config(config)
    watchers = _callbacks(callbacks)
    known = _answered("problems", problems)
    weak = [] if _is_empty(weak_problems) else _answered("weak_problems", weak_problems)
    if bool(weak) != (setting == "semi"):
        expected = "problems with answers" if setting == "semi" else "none"
        raise BadInput(f"weak_problems: expected {expected} in setting {setting!r}, found {len(weak) or 'none'}")
    found = _labels(labels, setting, settings, known)
    held_out = _validation(validation)
    from mwp.data.files import write_json
    from mwp.inference.solver import Solver
    from mwp.training.learner import settled
    from mwp.training.start import TrainingInputs, claim, leaving_no_trace

    target = None if folder is None else Path(folder)
    inputs = TrainingInputs(setting, settled(settings), known, weak, found, held_out)
    inputs.check()
    if target is not None:
        claim(target, inputs)
    with leaving_no_trace():
        trainer = inputs.trainer(target, Callback())
        trainer.resume()
        if trainer.accelerator.is_main_process:
            shown = _Shown(TrainingProgress(settings.optimizer.epochs))
            trainer.callback = Callbacks([shown, *watchers, *_active_run(inputs.config, setting)])
        trainer.train()
        solver = Solver.from_training(trainer, {"setting": setting})
    if target is None or not trainer.accelerator.is_main_process:
        return solver
    write_json(target / HISTORY_FILE, trainer.state.history)
    return replace(solver, file=str(solver.save(target)))


def evaluate(solver: Solver, problems: Source, *, beam_size: int = 5, batch_size: int = 128) -> Scores:
    """How many problems a solver gets right, with intervals.

    Parameters
    ----------
    solver : Solver
    problems : Problems or whatever `read_problems` takes
        With answers, which it was not trained on.
    beam_size : int, default 5
        Equations that are asked for a problem; the scores look at five.
    batch_size : int, default 128
        Problems that are solved at once.

    Returns
    -------
    Scores
        `scores.accuracy()` is the share of right first answers; `print(scores)` is a small table.

    Examples
    --------
    >>> scores = mwp.evaluate(solver, problems)
    >>> print(scores)
    24 problems; with 95 % intervals
    ...
    >>> f"{scores.accuracy().value:.0%} right"
    '100% right'
    """
    from mwp.evaluation.scores import score
    from mwp.inference.solver import Solver

    if not isinstance(solver, Solver):
        raise BadInput(f"solver: expected a Solver such as mwp.load(...) gives, found {type(solver).__name__}")
    given = _answered("problems", problems)
    check_count("beam_size", beam_size, MIN_BEAM_SIZE, ", for the first five answers are scored")
    check_count("batch_size", batch_size)
    return score(solver.predict(given, beam_size, batch_size), given)


@dataclass(frozen=True)
class _Shown(Callback):
    """The progress on the terminal or in the notebook."""

    progress: TrainingProgress

    def epoch_started(self, epoch: int, steps: int) -> None:
        self.progress.epoch_started(epoch, steps)

    def step_done(self, problems: int) -> None:
        self.progress.step_done(problems)

    def epoch_done(self, epoch: int, metrics: Mapping[str, float]) -> None:
        self.progress.epoch_done(epoch, metrics)


def _answered(argument: str, source: Source) -> Problems:
    """Problems with answers, each under an id of its own; a warning counts the records that are none."""
    found = problems_of(source, argument=argument)
    if found.drops and found is not source:
        warnings.warn(f"{argument}: {repr(found)[1:-1]}; read_problems(...).drops has them", stacklevel=3)
    if not found:
        raise BadInput(f"{argument}: expected problems, found none")
    if unknown := [problem.id for problem in found if problem.answer is None]:
        raise BadInput(
            f"{argument}: expected answers, found none for {len(unknown):,} of {len(found):,} problems, "
            f"the first with id {unknown[0]!r}"
        )
    id, times = Counter(problem.id for problem in found).most_common(1)[0]
    if times > 1:
        raise BadInput(f"{argument}: expected every id once, found {id!r} {times:,} times; give each problem its own")
    return found


def _is_empty(source: Any) -> bool:
    return isinstance(source, Sequence) and not len(source)


def _config(config: TrainConfig | Mapping[str, Any]) -> TrainConfig:
    if isinstance(config, TrainConfig):
        return config
    if isinstance(config, Mapping):
        return TrainConfig.model_validate(dict(config))
    raise BadInput(f"config: expected a TrainConfig or a dictionary, found {type(config).__name__}")


def _callbacks(callbacks: Iterable[Callback]) -> list[Callback]:
    watchers = list(callbacks)
    for watcher in watchers:
        if not isinstance(watcher, Callback):
            raise BadInput(
                f"callbacks: expected subclasses of mwp.training.progress.Callback, found {type(watcher).__name__}"
            )
    return watchers


def _labels(labels: Iterable[Label], setting: Setting, config: TrainConfig, problems: Problems) -> list[Label]:
    """Those given, or what setting weak starts with."""
    given = list(labels)
    if strange := [label for label in given if not isinstance(label, Label)]:
        raise BadInput(f"labels: expected what mwp.search gives, found {type(strange[0]).__name__}")
    if given and setting == "full":
        raise BadInput("labels: expected none in setting 'full', which learns from equations; did you mean 'weak'?")
    if given or setting != "weak" or config.variant == "lbf":
        return given
    return search(problems, max_candidates=SeedConfig().max_candidates)


def _validation(validation: float | Source) -> float | Problems:
    if isinstance(validation, int | float):
        if isinstance(validation, bool) or not 0 <= validation < 1:
            raise BadInput(f"validation: expected a fraction from 0 to below 1, or problems, found {validation!r}")
        return float(validation)
    return _answered("validation", validation)


def _active_run(config: TrainConfig, setting: Setting) -> list[Callback]:
    """For the MLflow run that is open, if somebody uses MLflow here at all."""
    mlflow = sys.modules.get("mlflow")
    run = mlflow.active_run() if mlflow is not None and hasattr(mlflow, "active_run") else None
    if run is None:
        return []
    from mwp.tracking.active_run import ActiveRun

    return [ActiveRun(run.info.run_id, {"setting": setting, **config.model_dump()})]


def _check_device(device: str) -> None:
    import torch

    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, TypeError, ValueError) as error:
        reason = str(error).splitlines()[0].partition(" at start of device string")[0]
        raise BadInput(f"device: expected cpu, cuda, cuda:1 or mps, found {device!r}: {reason}") from error


def _fetched(address: str, folder: Path) -> Path:
    try:
        from mwp.tracking.fetch import fetch_model
    except ModuleNotFoundError as error:
        raise BadInput(f"source: {address} needs {error.name}: pip install 'mwp[pipeline]'") from error
    return fetch_model(address, folder)


def _model_file(path: Path) -> Path:
    """The path itself if it is a file, or the model in a folder of ours or MLflow's."""
    from mwp.inference.solver import MODEL_FILE

    if not path.exists():
        raise BadInput(
            f"source: expected a model.pt, its folder or an address such as models:/NAME@ALIAS, found {str(path)!r}, "
            "where there is nothing"
        )
    if path.is_file():
        return path
    for file in (path / MODEL_FILE, path / "artifacts" / MODEL_FILE):
        if file.is_file():
            return file
    inside = [str(file.parent.relative_to(path)) for file in sorted(path.glob(f"*/{MODEL_FILE}"))]
    hint = f"; there is one in {', '.join(inside[:5])}" if inside else ""
    raise BadInput(f"source: expected a folder with a {MODEL_FILE}, found none in {path}{hint}")
