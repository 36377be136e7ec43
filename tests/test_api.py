"""The library as a user has it: five functions, three nouns, their errors, and what they leave as it was."""

import doctest
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import mlflow
import pandas as pd
import pytest
import torch

import mwp
from mwp.cli.groups import EXTRAS
from mwp.data.folds import make_folds
from mwp.data.sources import Problems
from mwp.display import html_table
from mwp.errors import BadInput
from mwp.training import progress
from mwp.training.checkpoint import save
from mwp.training.trainer import Trainer
from tests.public import SHORT, SMALL, make_user_folder, records
from tests.test_layers import SOURCE
from tests.training.toys import small_config, small_run

TEXT = "一本书有120页，小明每天看15页，几天看完？"
FIVE_LINES = """
import mwp
solver = mwp.load("models/full-d-gts/fold-0")       # a folder, a registry URI, or nothing: the bundled one
for answer in solver.solve("果园里有梨树56棵，苹果树比梨树的2倍少9棵，苹果树有多少棵？", k=5): print(answer.equation, answer.value, answer.probability)
problems = mwp.read_problems("mine.csv", text="question", answer="result")
labels = mwp.search(problems)
trained = mwp.train(problems, labels=labels, setting="weak")   # a TrainConfig for the rest; no DVC, no MLflow needed
print(mwp.evaluate(trained, problems))
"""
# Of the extras' modules those that torch, transformers and accelerate need themselves.
OF_TORCH = {"jinja2", "markupsafe", "filelock", "yaml", "psutil"}
HEAVY = (
    "torch",
    "transformers",
    "mlflow",
    "dvc",
    "numba",
    "pandas",
    "pydantic",
    "numpy",
    "jieba",
    "rich",
    "accelerate",
)


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_user_folder(tmp_path_factory.mktemp("user"))


@pytest.fixture
def inside(user: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(user)
    return user


@pytest.fixture(scope="module")
def solver(user: Path) -> mwp.Solver:
    return mwp.load(user / "models/full-d-gts/fold-0")


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


# --- the package ---


def test_importing_mwp_imports_nothing_heavy_and_takes_no_time(tmp_path: Path) -> None:
    probe = f"import sys, mwp; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert run(probe, tmp_path).stdout == "[]\n"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    microseconds = []
    for _ in range(3):
        timed = subprocess.run(
            [sys.executable, "-X", "importtime", "-c", "import mwp"], env=environment, capture_output=True, text=True
        )
        microseconds.append(int(re.findall(r"\| +(\d+) \| mwp$", timed.stderr, re.MULTILINE)[0]))
    assert min(microseconds) < 100_000


def test_the_public_names_are_there_and_no_others_are_promised() -> None:
    names = {"load", "read_problems", "search", "train", "evaluate", "Solver", "Problem", "Answer", "TrainConfig"}
    assert set(mwp.__all__) == names | {"__version__"}
    assert names <= set(dir(mwp))
    assert all(getattr(mwp, name) is not None for name in mwp.__all__)
    assert re.fullmatch(r"\d+\.\d+.*", mwp.__version__)
    assert (SOURCE / "mwp/py.typed").exists()
    with pytest.raises(AttributeError, match="module 'mwp' has no attribute 'lod'; it has Answer, Problem, Solver, "):
        _ = mwp.lod  # type: ignore[attr-defined]


def test_search_stays_a_function_whatever_is_imported(tmp_path: Path) -> None:
    probe = "import mwp, mwp.wda.labels, mwp.wda.strategies; print(callable(mwp.search), mwp.search.__name__)"
    assert run(probe, tmp_path).stdout == "True search\n"


def test_importing_the_library_changes_no_environment_variable(tmp_path: Path) -> None:
    code = (
        "import os, torch, transformers, accelerate, numba, joblib, jieba; before = dict(os.environ)\n"
        "import mwp.api, mwp.training.start, mwp.wda.strategies, mwp.inference.texts, mwp.evaluation.scores, "
        "mwp.solvers.bert, mwp.training.lbf.walk\n"
        "print(dict(os.environ) == before)"
    )
    assert run(code, tmp_path).stdout == "True\n"


def test_the_five_lines_of_the_design_run_in_a_folder_of_ones_own(user: Path) -> None:
    found = run(FIVE_LINES, user)
    assert found.returncode == 0, found.stderr
    lines = found.stdout.splitlines()
    assert re.fullmatch(r"\S+ \S+ 0\.\d+(e-\d+)?", lines[0])
    assert "24 problems; with 95 % intervals" in lines
    assert lines[-1].startswith("| any of the first 5 ")
    assert "epoch 15 of 15: loss " in found.stderr
    assert "\x1b" not in found.stderr
    assert {path.name for path in user.iterdir()} == {"mine.csv", "models"}


def test_they_run_on_the_core_alone(user: Path) -> None:
    extras = tuple(module for modules in EXTRAS.values() for module in modules if module not in OF_TORCH)
    found = run(f"import sys; sys.modules |= dict.fromkeys({extras!r})" + FIVE_LINES, user)
    assert found.returncode == 0, found.stderr


EXAMPLES = [
    mwp.load,
    mwp.read_problems,
    mwp.search,
    mwp.train,
    mwp.evaluate,
    mwp.Solver.solve,
    mwp.Solver.save,
    mwp.Problem.from_text,
    mwp.TrainConfig,
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("documented", EXAMPLES, ids=lambda given: given.__qualname__)
def test_the_examples_of_the_documentation_are_true(documented: Any, user: Path, inside: Path) -> None:
    problems = mwp.read_problems("mine.csv", text="question", answer="result")
    names = {
        "mwp": mwp,
        "Fraction": Fraction,
        "solver": mwp.load("models/full-d-gts/fold-0"),
        "problems": problems,
    }
    examples = doctest.DocTestFinder(recurse=False).find(documented, globs=names)
    assert sum(len(test.examples) for test in examples) > 0
    said: list[str] = []
    for test in examples:
        outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
        assert outcome.failed == 0, "".join(said)


# --- solving ---


def test_a_trained_solver_answers_a_text_a_problem_a_record_and_many(solver: mwp.Solver) -> None:
    answers = solver.solve(TEXT, k=3)
    assert len(answers) == 3
    assert (answers[0].equation, answers[0].value, str(answers[0])) == ("N0/N1", 8, "N0/N1 = 8")
    assert repr(answers[0]).startswith("<Answer N0/N1 = 8, probability ")
    assert solver.solve(mwp.Problem.from_text(TEXT), 3) == solver.solve({"text": TEXT}, 3) == answers
    texts = [TEXT, "小明有9个苹果，吃了4个，还剩几个？"]
    both = solver.solve(texts, 3)
    assert [[one.value for one in some][:1] for some in both] == [[8], [5]]
    frame = pd.DataFrame({"text": texts})
    for same in (frame, frame["text"], tuple(texts), mwp.read_problems(texts), iter(texts)):
        assert solver.solve(same, 3) == both
    assert solver.solve([], 3) == []
    assert [solved.answer for solved in solver.solve_all(texts)] == ["8", "5"]


def test_equal_equations_are_one_answer_unless_told_otherwise(solver: mwp.Solver) -> None:
    apart = solver.solve(TEXT, 10, merge_equal=False)
    assert not any(one.equal for one in apart)
    assert [one.probability for one in apart] == sorted((one.probability for one in apart), reverse=True)


def test_a_solver_says_what_it_is_and_is_the_same_when_read_again(solver: mwp.Solver, tmp_path: Path) -> None:
    assert repr(solver).startswith("<Solver GTS, diversified, setting full, from /")
    for target, file in ((tmp_path / "mine", "mine/model.pt"), (tmp_path / "other.pt", "other.pt")):
        assert solver.save(target) == tmp_path / file
        again = mwp.load(target)
        assert repr(again) == f"<Solver GTS, diversified, setting full, from {tmp_path / file}>"
        assert again.solve(TEXT) == solver.solve(TEXT)
    assert (tmp_path / "mine/model.pt").read_bytes() == (tmp_path / "other.pt").read_bytes()


def test_notebooks_get_tables(solver: mwp.Solver) -> None:
    shown = solver.solve(TEXT, 2)
    html = shown._repr_html_()  # type: ignore[attr-defined]
    assert html.startswith("<table><thead><tr><th>equation</th><th>filled in</th>")
    assert "<td>N0/N1</td><td>120/15 = 8</td>" in html
    assert shown[0]._repr_html_().count("<tr>") == 2
    problems = mwp.read_problems(records(7))
    assert problems._repr_html_().count("<tr>") == 7
    assert "2 more" in problems._repr_html_()
    assert "24 problems" in mwp.evaluate(solver, records(24, seed=3))._repr_html_()
    assert "&lt;b&gt;" in html_table(("x",), [("<b>",)])


# --- reading ---


def test_columns_may_have_any_names(tmp_path: Path) -> None:
    rows = [
        {"nr": 7, "q": TEXT, "a": 8, "eq": "120/15"},
        {"nr": 8, "q": "有3个苹果，吃了1/3，还剩几个？", "a": "2", "eq": ""},
    ]
    named = {"id": "nr", "text": "q", "answer": "a", "equation": "eq"}
    frame = pd.DataFrame(rows)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    (tmp_path / "rows.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf8")
    (tmp_path / "rows.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf8")
    wanted = [("7", 8, (("/", "N0", "N1"),)), ("8", 2, ())]
    for source in (tmp_path / "rows.csv", tmp_path / "rows.json", str(tmp_path / "rows.jsonl"), frame, rows):
        problems = mwp.read_problems(source, **named)
        assert [(one.id, one.answer, one.gold) for one in problems] == wanted
        assert not problems.drops
        assert problems[1].values == (3, Fraction(1, 3))


def test_ids_are_the_numbers_of_the_rows_where_there_are_none() -> None:
    problems = mwp.read_problems([{"text": TEXT, "answer": 8}, {"text": TEXT}, {"text": TEXT, "answer": 8.0}])
    assert [problem.id for problem in problems] == ["1", "3"]
    assert [(drop.id, drop.reason) for drop in problems.drops] == [("2", "no answer")]
    assert repr(problems) == "<2 problems: 2 with answer only; 1 of 3 records dropped: 1 no answer>"


def test_cells_are_read_as_they_are_meant() -> None:
    cells = [8, 8.0, "8 天", Fraction(8), pd.NA, None, float("nan"), True, ["8"], 0.1]
    problems = mwp.read_problems(pd.DataFrame({"text": [TEXT] * len(cells), "answer": cells}, dtype=object))
    assert [(problem.id, problem.answer) for problem in problems] == [
        *((str(number), 8) for number in (1, 2, 3, 4)),
        ("10", Fraction(1, 10)),
    ]
    assert len(problems.drops) == 5


def test_known_data_sets_need_no_names_in_whatever_they_come() -> None:
    path = SOURCE.parent / "data/sample/math23k.json"
    problems = mwp.read_problems(path)
    assert isinstance(problems, Problems)
    assert repr(problems) == f"<1,666 problems from {path}: 1,666 with equation>"
    again = mwp.read_problems(
        [{"id": one.id, "original_text": one.text, "equation": "x=3", "ans": "3"} for one in problems[:3]]
    )
    assert [one.id for one in again] == [one.id for one in problems[:3]]
    assert mwp.read_problems(list(problems[:3]))[2] == problems[2]
    assert list(problems.to_frame().columns) == ["id", "text", "answer", "equation"]
    assert len(problems.to_frame()) == 1666
    assert isinstance(problems[:3], Problems)


def test_an_answer_is_that_of_the_equation_where_there_is_no_other() -> None:
    (problem,) = mwp.read_problems([{"text": TEXT, "equation": "x=120/15"}])
    assert (problem.answer, problem.answer_spelling) == (8, "8")
    assert mwp.Problem.from_text(TEXT, equation="120/15").answer == 8


# --- errors ---


FRAME = pd.DataFrame({"question": [TEXT], "result": [8]})
UNANSWERED = [{"text": TEXT}]
ERRORS: list[tuple[Callable[[mwp.Solver], Any], str]] = [
    (
        lambda _: mwp.load("nothing"),
        "source: expected a model.pt, its folder or an address such as models:/NAME@ALIAS, found 'nothing', where "
        "there is nothing",
    ),
    (
        lambda _: mwp.load(),
        "source: no solver comes with mwp yet; give a model.pt, its folder or an address in MLflow",
    ),
    (lambda _: mwp.load("."), "source: expected a folder with a model.pt, found none in ."),
    (
        lambda _: mwp.load("models/full-d-gts"),
        "source: expected a folder with a model.pt, found none in models/full-d-gts; there is one in fold-0",
    ),
    (lambda _: mwp.load(3), "source: expected a path or an address, found int"),  # type: ignore[arg-type]
    (
        lambda _: mwp.load("models/full-d-gts/fold-0", device="gpu"),
        "device: expected cpu, cuda, cuda:1 or mps, found 'gpu': Expected one of cpu, ",
    ),
    (
        lambda _: mwp.load("models/full-d-gts/fold-0/history.json"),
        "models/full-d-gts/fold-0/history.json is no whole checkpoint (truncated or another file); train again",
    ),
    (lambda _: mwp.read_problems("none.csv"), "cannot read none.csv: No such file or directory"),
    (
        lambda _: mwp.read_problems("mine.csv"),
        "mine.csv: expected a column 'text', found the columns question, result; name it: text='...'",
    ),
    (
        lambda _: mwp.read_problems("mine.csv", text="question", answer="results"),
        "mine.csv: expected a column 'results' for answer, found the columns question, result",
    ),
    (
        lambda _: mwp.read_problems("mine.csv", text="question", id="number"),
        "mine.csv: expected a column 'number' for id, found the columns question, result",
    ),
    (
        lambda _: mwp.read_problems(FRAME),
        "source: expected a column 'text', found the columns question, result; name it: text='...'",
    ),
    (
        lambda _: mwp.read_problems("mine.xlsx"),
        "mine.xlsx: expected CSV, JSON or JSON lines, found an Excel file; save it as CSV, or give "
        "pandas.read_excel('mine.xlsx')",
    ),
    (
        lambda _: mwp.read_problems(7),  # type: ignore[arg-type]
        "source: expected a file, a data frame or a list of problems, records or texts, found 7 (int)",
    ),
    (
        lambda _: mwp.read_problems([TEXT, 7]),  # type: ignore[list-item]
        "source: expected problems, texts or records, found 7 (int) as number 2; give one kind of them",
    ),
    (lambda _: mwp.search([]), "problems: expected problems, found none"),
    (
        lambda _: mwp.search(UNANSWERED),
        "problems: expected answers, found none for 1 of 1 problems, the first with id '1'",
    ),
    (
        lambda _: mwp.search(records(3), strategy="rankd"),  # type: ignore[arg-type]
        "strategy: expected paper, published or ranked, found 'rankd'; did you mean ranked?",
    ),
    (lambda _: mwp.search(records(3), max_candidates=0), "max_candidates: expected 1 or more, found 0"),
    (lambda _: mwp.search(records(3), jobs=-1), "jobs: expected 0 or more, found -1"),
    (lambda _: mwp.train([]), "problems: expected problems, found none"),
    (
        lambda _: mwp.train([TEXT]),
        "problems: expected answers, found none for 1 of 1 problems, the first with id '1'",
    ),
    (
        lambda _: mwp.train(FRAME),
        "problems: expected a column 'text', found the columns question, result; name it: text='...'",
    ),
    (
        lambda _: mwp.train(records(9), setting="ful"),  # type: ignore[arg-type]
        "setting: expected full, semi or weak, found 'ful'; did you mean full?",
    ),
    (
        lambda _: mwp.train(records(9), config={"optimizer": {"epoch": 3}}),
        "optimizer.epoch is no setting; did you mean epochs?",
    ),
    (lambda _: mwp.train(records(9), config=3), "config: expected a TrainConfig or a dictionary, found int"),  # type: ignore[arg-type]
    (
        lambda _: mwp.train(records(9), validation=1.5),
        "validation: expected a fraction from 0 to below 1, or problems, found 1.5",
    ),
    (lambda _: mwp.train(records(9), validation=[]), "validation: expected problems, found none"),
    (
        lambda _: mwp.train(records(9), setting="semi"),
        "weak_problems: expected problems with answers in setting 'semi', found none",
    ),
    (
        lambda _: mwp.train(records(9), weak_problems=records(3)),
        "weak_problems: expected none in setting 'full', found 3",
    ),
    (
        lambda _: mwp.train(records(9), labels=mwp.search(records(9))),
        "labels: expected none in setting 'full', which learns from equations; did you mean 'weak'?",
    ),
    (
        lambda _: mwp.train(records(9), setting="weak", labels=["3-2"]),  # type: ignore[list-item]
        "labels: expected what mwp.search gives, found str",
    ),
    (
        lambda _: mwp.train(records(9), callbacks=[print]),  # type: ignore[list-item]
        "callbacks: expected subclasses of mwp.training.progress.Callback, found builtin_function_or_method",
    ),
    (
        lambda _: mwp.train([{"text": TEXT, "answer": 8}]),
        "problems: none of 1 has a solution to start with in setting 'full' (1: no equation); give equations, or "
        "setting='weak'",
    ),
    (
        lambda _: mwp.train([mwp.Problem.from_text(TEXT, "8")] * 2),
        "problems: expected every id once, found '1' 2 times; give each problem its own",
    ),
    (
        lambda _: mwp.train(records(9), validation=0, config={"optimizer": {"patience": 2}}),
        "config.optimizer.patience: expected 0 without validation problems, found 2; there is nothing on which a solver "
        "could stop getting better",
    ),
    (
        lambda _: mwp.evaluate("model.pt", records(3)),  # type: ignore[arg-type]
        "solver: expected a Solver such as mwp.load(...) gives, found str",
    ),
    (
        lambda solver: mwp.evaluate(solver, UNANSWERED),
        "problems: expected answers, found none for 1 of 1 problems, the first with id '1'",
    ),
    (
        lambda solver: mwp.evaluate(solver, records(3), beam_size=3),
        "beam_size: expected 5 or more, for the first five answers are scored, found 3",
    ),
    (lambda solver: solver.solve(TEXT, k=0), "k: expected 1 or more, found 0"),
    (
        lambda solver: solver.solve("three apples"),
        "expected a problem in Chinese, found 'three apples'; write one such as: 一本书有120页，小明每天看15页，几天看完？",
    ),
    (
        lambda solver: solver.solve([TEXT, "三个苹果"]),
        "problem 2: expected numbers in digits, such as 25, 3.5, 20% or 1/3, found none in '三个苹果'",
    ),
    (
        lambda solver: solver.solve(FRAME),
        "problem 1: the record: expected a column 'text', found the columns question, result",
    ),
    (lambda solver: solver.solve([TEXT, 5]), "problem 2: expected a text or a problem, found 5 (int)"),  # type: ignore[list-item]
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("call", "message"), ERRORS, ids=[message[:40] for _, message in ERRORS])
def test_what_cannot_be_is_one_line_that_names_the_argument(
    call: Callable[[mwp.Solver], Any], message: str, solver: mwp.Solver, inside: Path
) -> None:
    with pytest.raises(BadInput) as refused:
        call(solver)
    said = str(refused.value)
    assert "\n" not in said
    assert said.startswith(message) if message.endswith("Expected one of cpu, ") else said == message


def test_a_model_of_a_newer_mwp_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("mwp.training.checkpoint.FORMAT", 99)
        save(tmp_path / "model.pt", {})
    with pytest.raises(BadInput, match=r"model\.pt: expected a checkpoint of format 3, found 99: a newer mwp wrote it"):
        mwp.load(tmp_path)


# --- training ---


def test_training_a_list_of_records_learns_and_is_the_same_each_time(tmp_path: Path) -> None:
    files = []
    for name in ("a", "b"):
        trained = mwp.train(records(60), config=SMALL, validation=records(12, seed=5))
        assert repr(trained) == "<Solver GTS, diversified, setting full, not saved>"
        files.append(trained.save(tmp_path / name).read_bytes())
    assert files[0] == files[1]
    scores = mwp.evaluate(trained, records(30, seed=9))
    assert scores.accuracy().value > 0.9
    assert str(scores).splitlines()[0] == "30 problems; with 95 % intervals"


def test_it_trains_as_the_pipeline_does(sample_problems: list[mwp.Problem], tmp_path: Path) -> None:
    problems = sample_problems[:60]
    fold = make_folds(problems, "full", "paper", 5, 0.1, 1)[0]
    by_id = {problem.id: problem for problem in problems}
    run = small_run(problems, tmp_path, small_config())
    run.train()
    train, valid = ([by_id[id] for id in ids] for ids in (fold.train, fold.valid))
    trained = mwp.train(train, validation=valid, config=small_config())
    assert run.state.best is not None
    state = trained.network.state_dict()
    assert state.keys() == run.state.best.keys()
    assert all(torch.equal(value, run.state.best[name]) for name, value in state.items())


def test_a_function_leaves_the_process_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    from accelerate.state import AcceleratorState

    environment, threads = dict(os.environ), torch.get_num_threads()
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    shared = dict(AcceleratorState._shared_state)
    torch.manual_seed(5)
    random.seed(5)
    states = torch.get_rng_state(), random.getstate()
    mwp.train(records(20), config=SHORT)
    mwp.train(records(20), setting="weak", config=SHORT)
    assert torch.equal(torch.get_rng_state(), states[0])
    assert random.getstate() == states[1]
    assert dict(os.environ) == environment
    assert torch.get_num_threads() == threads
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers
    assert dict(AcceleratorState._shared_state) == shared
    printed = capsys.readouterr()
    assert printed.out == ""
    assert [line[:12] for line in printed.err.splitlines()] == ["epoch 1 of 2", "epoch 2 of 2"] * 2


def test_it_trains_in_a_thread_too() -> None:
    found: list[mwp.Solver] = []
    thread = threading.Thread(target=lambda: found.append(mwp.train(records(20), config=SHORT)))
    thread.start()
    thread.join()
    assert found


class Stopping(progress.Callback):
    """Interrupts a training after its first epoch."""

    def epoch_done(self, epoch: int, metrics: Mapping[str, float]) -> None:
        if epoch == 0:
            os.kill(os.getpid(), signal.SIGINT)


def test_a_stopped_training_goes_on_in_its_folder_and_ends_in_the_same_bytes(tmp_path: Path) -> None:
    whole = mwp.train(records(40), config=SHORT, folder=tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        mwp.train(records(40), config=SHORT, folder=tmp_path / "stopped", callbacks=[Stopping()])
    assert not (tmp_path / "stopped/model.pt").exists()
    epochs: list[int] = []

    class Counting(progress.Callback):
        def epoch_done(self, epoch: int, metrics: Mapping[str, float]) -> None:
            epochs.append(epoch)

    mwp.train(records(40), config=SHORT, folder=tmp_path / "stopped", callbacks=[Counting()])
    assert epochs == [1]
    for name in ("model.pt", "history.json", "training.json"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "stopped" / name).read_bytes()
    assert mwp.load(tmp_path / "stopped").solve(TEXT) == whole.solve(TEXT)


def test_a_folder_belongs_to_one_training(tmp_path: Path) -> None:
    mwp.train(records(40), config=SHORT, folder=tmp_path / "a")
    longer = {**SHORT, "optimizer": {**SHORT["optimizer"], "epochs": 3}}
    for given, differing in (
        ({"problems": records(40), "config": longer}, "config.optimizer.epochs"),
        ({"problems": records(41), "config": SHORT}, "problems"),
        ({"problems": records(40), "config": SHORT, "validation": 0.2}, "validation"),
    ):
        with pytest.raises(BadInput) as refused:
            mwp.train(**given, folder=tmp_path / "a")  # type: ignore[arg-type]
        assert str(refused.value) == (
            f"folder: {tmp_path / 'a'} holds another training, which differs in {differing}; give another folder, or "
            "delete this one to start anew"
        )
    (tmp_path / "file").write_text("x", encoding="utf8")
    with pytest.raises(BadInput, match=f"cannot write {tmp_path / 'file/training.json'}: "):
        mwp.train(records(20), config=SHORT, folder=tmp_path / "file")


def test_weak_learns_from_answers_alone_and_semi_from_both(capsys: pytest.CaptureFixture[str]) -> None:
    answers = [{**record, "equation": None} for record in records(30)]
    weak = mwp.train(answers, setting="weak", config=SHORT)
    given = mwp.train(answers, setting="weak", config=SHORT, labels=mwp.search(answers))
    assert weak.solve(TEXT) == given.solve(TEXT)
    semi = mwp.train(records(30), setting="semi", weak_problems=answers[:9], config=SHORT)
    assert semi.origin == {"setting": "semi"}
    labelled = mwp.train(
        records(30), setting="semi", weak_problems=answers[:9], labels=mwp.search(answers[:9]), config=SHORT
    )
    assert labelled.solve(TEXT)[0].probability != semi.solve(TEXT)[0].probability
    plain = mwp.train(answers, setting="weak", config={**SHORT, "variant": "plain"})
    assert plain.discriminator is None
    assert "<Solver GTS, lbf, setting weak" in repr(
        mwp.train(answers, setting="weak", config={**SHORT, "variant": "lbf"})
    )


def test_what_is_left_out_or_cannot_work_is_a_warning() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        mwp.train([*records(5), {"id": "x", "text": "有3个", "answer": "many"}], config=SHORT)
    assert [str(warning.message) for warning in told] == [
        "problems: 5 problems: 5 with equation; 1 of 6 records dropped: 1 answer is not a number; "
        "read_problems(...).drops has them",
        "validation: 0.1 of 5 problems is none; the last epoch is kept",
        "config.optimizer.warmup_steps: 2 is not less than the 2 steps of this training, so the learning rate never "
        "rises to its full height; lower it or train for more epochs",
    ]
    assert {warning.filename for warning in told} == {__file__}


def test_without_validation_the_last_epoch_is_kept_and_nobody_is_warned() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert mwp.train(records(40), config=SHORT, validation=0).solve(TEXT)


def test_a_training_that_diverges_has_nothing_to_keep_without_a_folder() -> None:
    diverging = {**SHORT, "optimizer": {**SHORT["optimizer"], "learning_rate": 1e30, "warmup_steps": 0}}
    with pytest.raises(BadInput, match=r"; there is no state to keep, and no model is saved$"):
        mwp.train(records(40), config=diverging)


def test_the_search_over_several_processes_is_that_of_one() -> None:
    problems = records(140)
    assert mwp.search(problems, jobs=2) == mwp.search(problems)
    assert mwp.search(problems[:2], strategy="paper")[0].strategy == "paper"


# --- MLflow ---


@pytest.fixture
def store(tmp_path: Path) -> Iterator[str]:
    before = mlflow.get_tracking_uri() if mlflow.is_tracking_uri_set() else None
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    yield mlflow.get_tracking_uri()
    mlflow.set_tracking_uri(before)


def test_an_open_mlflow_run_gets_params_and_curves(store: str, recwarn: pytest.WarningsRecorder) -> None:
    with mlflow.start_run() as run:
        mwp.train(records(30), config=SHORT)
    logged = mlflow.get_run(run.info.run_id).data
    assert logged.params["setting"] == "full"
    assert logged.params["optimizer.epochs"] == "2"
    history = mlflow.MlflowClient().get_metric_history(run.info.run_id, "valid_accuracy")
    assert [point.step for point in history] == [0, 1]
    assert mlflow.active_run() is None
    with mlflow.start_run() as again:  # two trainings in one run: the params of the first stay
        mwp.train(records(30), config=SHORT)
        with pytest.warns(UserWarning, match=f"MLflow run {again.info.run_id}: params not logged: "):
            mwp.train(records(30), config={**SHORT, "seed": 1})


def test_no_run_is_opened_where_none_is(store: str) -> None:
    mwp.train(records(30), config=SHORT)
    assert mlflow.search_runs(search_all_experiments=True).empty


def test_a_solver_is_loaded_from_the_registry(store: str, solver: mwp.Solver, user: Path, tmp_path: Path) -> None:
    from mwp.tracking.models import log_solver
    from mwp.tracking.run import RunIdentity, open_run
    from mwp.tracking.store import Store

    identity = RunIdentity("full-d-gts", "full", "gts", "diversified", 0)
    with open_run(Store(store, tmp_path / "artifacts"), identity, params={}, fingerprint="x", data={}) as tracked:
        log_solver(tracked, identity, user / "models/full-d-gts/fold-0/model.pt")
    for address in ("models:/full-d-gts@fold-0", "models:/full-d-gts/1"):
        found = mwp.load(address)
        assert repr(found) == f"<Solver GTS, diversified, setting full, from {address}>"
        assert found.solve(TEXT) == solver.solve(TEXT)
    assert mlflow.get_tracking_uri() == store
    with pytest.raises(
        BadInput, match=r"^cannot load models:/nobody@best from .*mlflow\.db: .*; look for it with: mwp ui$"
    ):
        mwp.load("models:/nobody@best")


def test_without_mlflow_an_address_says_what_to_install(user: Path) -> None:
    code = (
        "import sys; sys.modules['mlflow'] = None\n"
        "import mwp\ntry:\n    mwp.load('models:/x@y')\nexcept mwp.errors.BadInput as error:\n    print(error)"
    )
    assert run(code, user).stdout == "source: models:/x@y needs mlflow: pip install 'mwp[pipeline]'\n"


def test_a_trainer_without_a_folder_saves_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mwp.training.trainer.save", lambda *_: pytest.fail("a state was saved"))
    assert Trainer.save is not None
    mwp.train(records(20), config=SHORT)
