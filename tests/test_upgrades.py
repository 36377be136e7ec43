"""What the first edition wrote is read on: real files of it, and the same answers, tensors and figures."""

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from mlflow import pyfunc
from mlflow.exceptions import MlflowException
from pandas import DataFrame
from ruamel.yaml import YAML

from mwp import upgrades
from mwp.data.files import read_records, write_text
from mwp.data.readers import read_question
from mwp.errors import BadInput
from mwp.evaluation.scores import Scores
from mwp.evaluation.search_audit import AuditRow
from mwp.inference.predictions import Prediction, read_predictions
from mwp.inference.solver import Solver
from mwp.pipeline.grid import named_run_spec
from mwp.pipeline.params import Params
from mwp.pipeline.train import make_run
from mwp.report.saved_run_tables import SavedRunTables
from mwp.report.saved_runs import SavedRuns
from mwp.tracking.models import load_scorer
from mwp.tracking.store import Store
from mwp.training.buffer import read_buffer
from mwp.training.checkpoint import FORMAT, load
from mwp.training.trainer import STATE
from mwp.wda.labels import Label

FIRST = Path(__file__).parent / "fixtures/v1"
MODELS = sorted(FIRST.glob("models/*/fold-0/model.pt"))
MODEL = FIRST / "models/full-d-gts/fold-0/model.pt"
CASES = json.loads((FIRST / "expected_solve.json").read_text(encoding="utf8"))["cases"]
PREDICTIONS = sorted(FIRST.glob("predictions/*/fold-0/*.jsonl"))
SCORES = sorted(FIRST.glob("predictions/*/fold-0/scores.json"))
# Of an answer's scores; other machines add floats up in another order.
CLOSE = {"abs": 1e-6, "rel": 1e-5}
# An answer's names in the first edition.
ANSWER = {
    "equation": "equation",
    "worked": "filled_in",
    "solution": "solution",
    "steps": "steps",
    "value": "value",
    "answer": "text",
    "also": "equal",
    "probability": "probability",
    "fitness": "qualification",
    "plausibility": "verified",
}


def leaves(content: Any) -> list[Any]:
    """Everything but the names."""
    if isinstance(content, dict):
        content = list(content.values())
    return [leaf for part in content for leaf in leaves(part)] if isinstance(content, list) else [content]


def lines(path: Path) -> list[Any]:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return [json.loads(line) for line in text.splitlines()]


def ids(path: Path) -> str:
    return str(path.relative_to(FIRST))


# --- models ---


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_model_gives_the_answers_that_it_gave(case: dict[str, Any]) -> None:
    found = next(iter(Solver.load(MODEL).solve_all([read_question(case["text"])])))
    shown, expected = found.model_dump(mode="json"), case["answer"]
    assert (shown["text"], shown["numbers"], shown["answer"]) == tuple(
        expected[name] for name in ("text", "numbers", "answer")
    )
    assert len(shown["answers"]) == len(expected["suggestions"])
    for answer, suggestion in zip(shown["answers"], expected["suggestions"], strict=True):
        assert suggestion.keys() == ANSWER.keys()
        for old, new in ANSWER.items():
            value = suggestion[old]
            assert answer[new] == (pytest.approx(value, **CLOSE) if isinstance(value, float) else value), old


@pytest.mark.parametrize("path", MODELS, ids=ids)
def test_a_model_of_each_kind_is_read_whole_and_written_in_the_new_format(path: Path, tmp_path: Path) -> None:
    old = torch.load(path, weights_only=True)
    assert old["version"] == 2
    solver = Solver.load(path)
    saved = load(solver.save(tmp_path / "model.pt"))
    assert saved["version"] == FORMAT == 3
    assert saved["config"]["optimizer"]["learning_rate"] == old["config"]["optimiser"]["rate"]
    assert saved["origin"] == old["origin"]
    assert list(saved["verifier"].values()) == list(old["plausibility"].values())
    for part in ("solver", "discriminator"):
        if old[part] is None:
            assert saved[part] is None
            continue
        assert list(saved[part]) == list(old[part])
        assert all(torch.equal(value, old[part][name]) for name, value in saved[part].items())
    again = Solver.load(tmp_path / "model.pt")
    question = [read_question(CASES[0]["text"])]
    assert list(again.solve_all(question)) == list(solver.solve_all(question))


@pytest.mark.parametrize(("group", "name"), [("optimiser", "tempo"), ("diversity", "beams")])
def test_a_model_with_a_value_that_nobody_knows_is_refused(tmp_path: Path, group: str, name: str) -> None:
    content = torch.load(MODEL, weights_only=True)
    content["config"][group][name] = 1
    torch.save(content, tmp_path / "model.pt")
    with pytest.raises(BadInput, match=rf"another version of mwp, which differs in \w+\.{name}; train again"):
        Solver.load(tmp_path / "model.pt")


@pytest.mark.parametrize(("version", "said"), [(4, "a newer mwp wrote it; upgrade mwp"), (1, "train again with this")])
def test_a_format_that_is_not_known_is_one_clear_line(tmp_path: Path, version: int, said: str) -> None:
    torch.save(torch.load(MODEL, weights_only=True) | {"version": version}, tmp_path / "model.pt")
    with pytest.raises(BadInput, match=rf"expected a checkpoint of format 3, found {version}.*{said}") as error:
        Solver.load(tmp_path / "model.pt")
    assert "\n" not in str(error.value)


# --- models in MLflow ---


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that MLflow kept."""
    folder = tmp_path_factory.mktemp("mlflow") / "solver"
    shutil.copytree(FIRST / "mlflow", folder)
    (folder / "artifacts").mkdir()
    shutil.copy(MODEL, folder / "artifacts")
    return folder


def test_a_logged_model_predicts_under_the_names_that_its_signature_promises(logged: Path) -> None:
    model = pyfunc.load_model(str(logged))
    for case in CASES:
        (found,) = model.predict(DataFrame({"text": [case["text"]]}), params={"k": 5, "raw": False})
        assert list(found) == list(case["answer"])
        assert [list(one) for one in found["suggestions"]] == [list(one) for one in case["answer"]["suggestions"]]
        assert leaves(found) == [
            pytest.approx(leaf, **CLOSE) if isinstance(leaf, float) else leaf for leaf in leaves(case["answer"])
        ]


def test_a_logged_model_knows_its_params_and_tells_what_is_no_problem(logged: Path) -> None:
    model = pyfunc.load_model(str(logged))
    texts = DataFrame({"text": [CASES[0]["text"], "hello", CASES[1]["text"]]})
    first, error, second = model.predict(texts, params={"k": 2, "raw": True})
    assert error["error"].startswith("expected a problem in Chinese, found 'hello'")
    for case, found in ((CASES[0], first), (CASES[1], second)):
        assert found["text"] == case["answer"]["text"]
        assert len(found["suggestions"]) == 2
        assert [one["also"] for one in found["suggestions"]] == [[], []]
    assert len(model.predict(texts.head(1))[0]["suggestions"]) == 5
    with pytest.raises(MlflowException, match="expected k from 1 to 10, found 11"):
        model.predict(texts, params={"k": 11})


def test_a_logged_model_is_served_under_the_new_names_on_the_page_and_the_old_ones_by_mlflows_protocol(
    logged: Path, tmp_path: Path
) -> None:
    scorer = load_scorer(Store.in_folder(tmp_path), str(logged))
    asked = CASES[0]["text"]
    new, error = scorer.answers([asked, "hello"], 2, False)
    assert new == next(iter(Solver.load(MODEL).solve_all([read_question(asked)], 2))).model_dump(mode="json")
    assert list(error) == ["error"]
    reply = scorer.reply(json.dumps({"inputs": [asked], "params": {"k": 2}}).encode(), "application/json")
    assert reply.status == 200
    assert len(json.loads(reply.content)["predictions"][0]["suggestions"]) == 2
    many = scorer.reply(json.dumps({"inputs": [asked] * 101}).encode(), "application/json")
    assert (many.status, many.content) == (400, "expected at most 100 texts in a call, found 101")


# --- a training ---


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Params:
    """The first edition's data in a folder of its own, and its params under their new names."""
    shutil.copytree(FIRST / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    return Params.model_validate(upgrades.upgraded(YAML(typ="safe", pure=True).load(FIRST / "params.yaml")))


def test_a_stopped_training_goes_on_to_the_model_that_the_first_edition_made(project: Params) -> None:
    scratch = Path("scratch")
    scratch.mkdir()
    (scratch / STATE).write_bytes(gzip.decompress((FIRST / "state.pt.gz").read_bytes()))
    run = make_run(named_run_spec(project.train, "full-d-gts", 0), scratch)
    assert run.resume()
    assert (run.state.epoch, run.state.step, len(run.state.history)) == (2, 3, 2)
    assert run.state.run_id == "acb5ac16e68a47ed9f6913753754bf88"
    run.train()
    assert load(run.state_file)["version"] == FORMAT
    finished = Solver.from_training(run).save(scratch / "model.pt")
    ours, theirs = load(finished), load(MODEL)
    assert ours["config"] == theirs["config"]
    for part in ("solver", "discriminator"):
        torch.testing.assert_close(ours[part], theirs[part], rtol=1e-3, atol=1e-4)
    history = json.loads((MODEL.parent / "history.json").read_text(encoding="utf8"))
    assert [list(epoch) for epoch in run.state.history] == [list(epoch) for epoch in history]
    assert leaves(run.state.history) == pytest.approx(leaves(history), rel=1e-3)
    buffered = read_buffer(MODEL.parent / "buffer.jsonl.gz").records()
    assert [record.problem for record in run.buffer.records()] == [record.problem for record in buffered]
    for record, expected in zip(run.buffer.records(), buffered, strict=True):
        assert [(one.solution, one.source, one.epoch) for one in record.entries] == [
            (one.solution, one.source, one.epoch) for one in expected.entries
        ]


@pytest.mark.parametrize("path", sorted(FIRST.glob("models/*/fold-0/buffer.jsonl.gz")), ids=ids)
def test_a_buffer_is_read_with_its_sources_and_weights(path: Path) -> None:
    records = read_buffer(path).records()
    old = lines(path)
    assert [record.problem for record in records] == [record["problem"] for record in old]
    for record, before in zip(records, old, strict=True):
        for entry, was in zip(record.entries, before["entries"], strict=True):
            assert entry.source == {"given": "gold", "wda": "search", "fix": "lbf", "beam": "beam"}[was["source"]]
            assert [list(weight) for weight in entry.weights] == was["life"]
    assert any(entry.weights for record in records for entry in record.entries)


def test_labels_are_read() -> None:
    path = FIRST / "data/wda/labels/ranked/weak.jsonl"
    labels = read_records(path, Label)
    assert {label.strategy for label in labels} == {"ranked"}
    assert [leaves(label.model_dump(mode="json")) for label in labels] == [leaves(line) for line in lines(path)]


def test_the_audit_of_a_search_is_read() -> None:
    line = {"order": "ranked", "operators": "all", "problems": 60, "found": 59, "sound": 50, "sound_at_5": 57}
    assert AuditRow.model_validate(line).model_dump() == {"strategy": line.pop("order"), **line}


# --- what was found ---


@pytest.mark.parametrize("path", PREDICTIONS, ids=ids)
def test_old_predictions_are_scored_as_they_were(path: Path) -> None:
    data = FIRST / f"data/clean/{path.stem}.jsonl"
    command = [sys.executable, "-m", "mwp.cli.app", "score", path, "--data", data, "--only-predicted", "--json"]
    result = subprocess.run(command, capture_output=True, encoding="utf8", check=False)
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)["scores"]
    expected = json.loads((path.parent / "scores.json").read_text(encoding="utf8"))[path.stem]
    for name in ("breakdown",):  # `mwp score` does not know what was trained on, so there are no twins
        assert found[name].pop("twins") == []
        assert expected[name].pop("twins")
    assert leaves(found) == pytest.approx(leaves(expected))


@pytest.mark.parametrize("path", PREDICTIONS, ids=ids)
def test_predictions_lose_nothing(path: Path) -> None:
    found = [prediction.model_dump(mode="json") for prediction in read_predictions(path)]
    assert [leaves(one) for one in found] == [leaves(line) for line in lines(path)]


@pytest.mark.parametrize("path", SCORES, ids=ids)
def test_scores_lose_nothing(path: Path) -> None:
    for content in json.loads(path.read_text(encoding="utf8")).values():
        assert leaves(Scores.model_validate(content).model_dump(mode="json")) == leaves(content)


def test_saved_runs_are_read_under_the_new_names() -> None:
    runs = SavedRuns(FIRST / "kept")
    run = runs.runs["semi-d-gts", 0]
    assert run.config["optimizer"]["precision"] == "fp32"
    assert run.config["diversity"]["weighting"] == "uniform"
    assert run.config["solver"]["bert"]["encoder_lr_scale"] == 0.1
    assert run.seeding == {"strategy": "ranked", "max_candidates": 2}
    assert run.buffer is not None
    assert {source: counts.solutions for source, counts in run.buffer.sources.items()} == {
        "gold": 39,
        "beam": 11,
        "search": 40,
    }
    assert run.verifier is not None
    assert run.verifier["log-qualification"] == 0.0
    old = json.loads((FIRST / "kept/semi-d-gts/fold-0/run.json").read_text(encoding="utf8"))
    assert leaves(run.scores["full"].model_dump(mode="json")) == leaves(old["scores"]["full"])
    assert [len(runs.correctness("semi-d-gts", 0, dataset)) for dataset in ("full", "weak")] == [12, 6]
    assert "| D-GTS" in SavedRunTables(runs).scores("full-d-gts", "semi-d-gts")


@pytest.mark.parametrize("path", sorted(FIRST.glob("kept/*/fold-0/*[kl].jsonl.gz")), ids=ids)
def test_saved_predictions_are_read(path: Path) -> None:
    assert read_predictions(path)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        (Prediction, '{"id": "1", "beams": [], "beem": []}'),
        (Prediction, '{"id": "1", "beams": [], "hypotheses": []}'),
        (Prediction, '{"id": "1", "beams": [{"solution": ["N0"], "log_prob": 0, "fitnes": 1}]}'),
        (Label, '{"id": "1", "order": "ranked", "candidates": [], "rivals": 0, "tries": 1, "rank": 1}'),
    ],
)
def test_an_unknown_key_is_refused_as_ever(tmp_path: Path, kind: type[Any], line: str) -> None:
    write_text(tmp_path / "some.jsonl", line + "\n")
    with pytest.raises(BadInput, match=r"line 1: no \w+ record: .*Extra inputs are not permitted"):
        read_records(tmp_path / "some.jsonl", kind)
