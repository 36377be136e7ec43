"""Predictions meet their problems."""

import pytest

from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.evaluation.outcomes import first_right, score_problems
from mwp.inference.predictions import Hypothesis, Prediction
from tests.evaluation.toys import APPLES, EXAM, METRES, PREDICTIONS, PROBLEMS, predict


def refusal(predictions: list[Prediction], problems: list[Problem]) -> str:
    with pytest.raises(BadInput) as error:
        score_problems(predictions, problems, "run.jsonl")
    return str(error.value)


def test_every_problem_has_an_outcome_in_the_problems_order() -> None:
    outcomes = score_problems(PREDICTIONS[::-1], PROBLEMS)
    assert [outcome.problem.id for outcome in outcomes] == ["exam", "metres", "apples"]
    assert [len(outcome.hypotheses) for outcome in outcomes] == [5, 2, 0]
    assert [outcome.predicted for outcome in outcomes] == [True, True, False]


def test_verdicts_on_the_papers_table_1() -> None:
    hypotheses = score_problems(PREDICTIONS, PROBLEMS)[0].hypotheses
    assert [bool(hypothesis.right) for hypothesis in hypotheses] == [True, True, True, True, False]
    assert [hypothesis.sound for hypothesis in hypotheses] == [True, True, False, False, False]
    assert hypotheses[0].name == hypotheses[1].name
    assert len({hypothesis.name for hypothesis in hypotheses}) == 4


def test_a_fraction_is_right_under_exact_only() -> None:
    assert [hypothesis.right for hypothesis in score_problems(PREDICTIONS, PROBLEMS)[1].hypotheses] == [
        set(),
        {"exact"},
    ]


def test_runs_are_compared_on_the_problems_they_predict() -> None:
    outcomes = score_problems([*PREDICTIONS, predict(APPLES)], PROBLEMS)
    assert first_right(outcomes, "exact") == {"exam": True, "metres": False, "apples": False}
    assert first_right(score_problems(PREDICTIONS, PROBLEMS), "paper") == {"exam": True, "metres": False}


def test_a_hypothesis_without_a_stored_value_is_worked_out() -> None:
    prediction = Prediction(id="apples", hypotheses=(Hypothesis(solution=("+", "N0", "N1"), log_prob=0),))
    assert score_problems([prediction], [APPLES])[0].right("exact", 1)


def test_predictions_for_unknown_problems_are_counted() -> None:
    assert refusal(PREDICTIONS, [METRES, APPLES]) == (
        "run.jsonl: 1 of 2 predictions are for problems that are not in the data, e.g. 'exam'; "
        "give the problems that were predicted"
    )


def test_two_predictions_for_one_problem_are_refused() -> None:
    assert refusal([*PREDICTIONS, PREDICTIONS[0]], PROBLEMS) == (
        "run.jsonl: expected one prediction a problem, found several for 'exam' (1 such ids)"
    )


def test_a_token_that_is_none_is_named_with_its_line_and_problem() -> None:
    bad = Prediction(id="metres", hypotheses=(Hypothesis(solution=("/", "N0", "x"), log_prob=0),))
    assert refusal([PREDICTIONS[0], bad], PROBLEMS) == (
        "run.jsonl, line 2, problem 'metres': no prefix solution: neither an operator, N0, N1, ... nor a number: 'x'"
    )


@pytest.mark.parametrize(
    ("tokens", "reason"),
    [
        ((), "expected one expression, found 0: "),
        (("+", "N0"), "an operator lacks its operands: + N0"),
        (("N0", "N1"), "expected one expression, found 2: N0 N1"),
    ],
)
def test_tokens_that_are_no_solution_are_named(tokens: tuple[str, ...], reason: str) -> None:
    bad = Prediction(id="exam", hypotheses=(*PREDICTIONS[0].hypotheses, Hypothesis(solution=tokens, log_prob=0)))
    assert refusal([bad], PROBLEMS) == f"run.jsonl, line 1, problem 'exam': no prefix solution: {reason}"


def test_the_problems_of_another_data_set_are_noticed_by_the_values() -> None:
    other = APPLES.model_copy(update={"id": "exam"})
    assert refusal([PREDICTIONS[0]], [other]) == (
        "run.jsonl, line 1, problem 'exam': + - + N1 N2 N0 N3 is without a value here but 15 in the prediction; "
        "give the problems that were predicted"
    )
    assert refusal([predict(EXAM, "N0*N1")], [other]) == (
        "run.jsonl, line 1, problem 'exam': * N0 N1 is 12 here but 1000 in the prediction; "
        "give the problems that were predicted"
    )


def test_problems_must_be_there_and_differ() -> None:
    assert refusal([], []) == "expected problems to score, found none"
    assert refusal([], [EXAM, EXAM]) == "the problems: expected every id once, found 'exam' again (1 such ids)"
