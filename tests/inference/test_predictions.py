"""Hypotheses and predictions as JSON lines."""

from fractions import Fraction
from pathlib import Path

import pytest
from pydantic import ValidationError

from mwp.data.files import write_records
from mwp.errors import BadInput
from mwp.inference.predictions import Hypothesis, Prediction, make_hypothesis, read_predictions
from tests.evaluation.toys import EXAM, METRES, PREDICTIONS


def test_a_hypothesis_gets_the_exact_value_of_its_solution() -> None:
    assert make_hypothesis(("/", "N0", "N1"), -0.5, METRES).value == Fraction(2, 3)
    assert make_hypothesis(("/", "N0", "-", "N1", "N1"), -0.5, METRES).value is None
    assert make_hypothesis(("+", "N0", "N9"), -0.5, EXAM).value is None


def test_a_prediction_is_one_readable_json_line() -> None:
    prediction = Prediction(
        id="7",
        hypotheses=(
            make_hypothesis(("/", "N0", "N1"), -0.5, METRES),
            Hypothesis(solution=("/", "1", "0"), log_prob=-1),
        ),
    )
    assert prediction.model_dump_json() == (
        '{"id":"7","hypotheses":[{"solution":["/","N0","N1"],"log_prob":-0.5,"value":"2/3","qualification":null,"verified":null},'
        '{"solution":["/","1","0"],"log_prob":-1.0,"value":null,"qualification":null,"verified":null}]}'
    )


def test_predictions_come_back_from_their_file_as_they_went(tmp_path: Path) -> None:
    write_records(tmp_path / "run.jsonl", PREDICTIONS)
    assert read_predictions(tmp_path / "run.jsonl") == PREDICTIONS


def test_a_log_probability_is_a_finite_number() -> None:
    with pytest.raises(ValidationError, match="finite number"):
        Hypothesis(solution=("N0",), log_prob=float("-inf"))


def test_an_empty_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.touch()
    with pytest.raises(BadInput) as error:
        read_predictions(path)
    assert str(error.value) == f"{path} is empty; expected one prediction a line"


def test_a_line_that_is_no_prediction_is_named(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"id": "1", "hypotheses": []}\n{"id": "2"}\n', encoding="utf8")
    with pytest.raises(BadInput) as error:
        read_predictions(path)
    assert str(error.value) == f"{path}, line 2: no Prediction record: hypotheses: Field required"
