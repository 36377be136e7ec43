"""Top-k, soundness, breakdown: by hand, and what must hold for any run."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwp.data.problems import Problem
from mwp.errors import BadInput
from mwp.evaluation.metrics import KS
from mwp.evaluation.outcomes import SCORERS, ScorerName
from mwp.evaluation.scores import Scores, score
from mwp.inference.predictions import Hypothesis, Prediction, make_hypothesis
from tests.arith.strategies import few
from tests.evaluation.toys import APPLES, EXAM, METRES, PREDICTIONS, PROBLEMS, named, predict

SCORES = score(PREDICTIONS, PROBLEMS)

SOLUTIONS = ["N0+N1", "N1+N0", "N0-N1", "N1-N0", "N0*N1", "N0/N1", "N0+N1*1", "N0/(N1-N1)", "N0"]
hypotheses = st.lists(st.sampled_from(SOLUTIONS), max_size=7)
answers = st.sampled_from(["7", "12", "1", "(3/4)", "75%"])


@st.composite
def problems_and_predictions(draw: st.DrawFn) -> tuple[list[Problem], list[Prediction]]:
    problems, predictions = [], []
    for number in range(draw(st.integers(1, 6))):
        problem = named(str(number), "有3个苹果和4个梨，共有多少个？", draw(answers), "3+4")
        problems.append(problem)
        if draw(st.integers(0, 4)):
            predictions.append(predict(problem, *draw(hypotheses)))
    return problems, predictions


def top(scorer: ScorerName, measure: str) -> list[float]:
    return [getattr(SCORES.top[scorer][k], measure).value for k in KS]


def test_precision_at_k_divides_the_right_hypotheses_by_k_times_all_problems() -> None:
    assert top("exact", "precision") == [1 / 3, 4 / 9, 5 / 15]
    assert top("paper", "precision") == [1 / 3, 3 / 9, 4 / 15]


def test_pass_at_k_is_the_share_of_problems_with_a_right_hypothesis() -> None:
    assert top("exact", "pass_at_k") == [1 / 3, 2 / 3, 2 / 3]
    assert top("paper", "pass_at_k") == [1 / 3, 1 / 3, 1 / 3]


def test_distinct_at_k_counts_solutions_equal_modulo_the_laws_once() -> None:
    assert top("exact", "distinct_at_k") == [1 / 3, 3 / 3, 4 / 3]
    assert top("paper", "distinct_at_k") == [1 / 3, 2 / 3, 3 / 3]


def test_merged_top_1_is_the_group_of_equal_hypotheses_with_the_most_probability() -> None:
    def at(log_prob: float, *solution: str) -> Hypothesis:
        return make_hypothesis(solution, log_prob, APPLES)

    split = Prediction(
        id="apples", hypotheses=(at(-1, "*", "N0", "N1"), at(-1.2, "+", "N0", "N1"), at(-1.3, "+", "N1", "N0"))
    )
    merged = score([split], [APPLES]).merged["exact"]
    assert (merged.accuracy.value, merged.gain.value) == (1.0, 1.0)
    assert score([], [APPLES]).merged["exact"].accuracy.value == 0.0


def test_verified_top_1_is_the_group_of_equal_hypotheses_that_the_verifier_believes_most() -> None:
    def at(log_prob: float, verified: float | None, *solution: str) -> Hypothesis:
        return make_hypothesis(solution, log_prob, APPLES).model_copy(update={"verified": verified})

    product = at(-0.1, 0.4, "*", "N0", "N1")
    sums = at(-3, 0.35, "+", "N0", "N1"), at(-4, 0.25, "+", "N1", "N0")
    verified = score([Prediction(id="apples", hypotheses=(product, *sums))], [APPLES]).verified
    assert verified is not None
    assert (verified["exact"].accuracy.value, verified["exact"].gain.value) == (1.0, 1.0)


def test_no_verified_top_1_where_some_hypothesis_is_not_verified() -> None:
    known = make_hypothesis(("N0",), -1.0, APPLES).model_copy(update={"verified": 1.0})
    other = make_hypothesis(("N0",), -1.0, METRES)
    assert (
        score(
            [Prediction(id=one.id, hypotheses=(some,)) for one, some in ((APPLES, known), (METRES, other))], PROBLEMS
        ).verified
        is None
    )


def test_answer_accuracy_is_precision_at_1() -> None:
    assert SCORES.accuracy() == SCORES.top["exact"][1].precision
    assert SCORES.accuracy("paper") == SCORES.top["paper"][1].precision


def test_counts() -> None:
    silly = predict(APPLES, "N0/(N1-N1)", "N0+N1")
    scores = score([*PREDICTIONS[:1], silly], PROBLEMS)
    assert (scores.problems, scores.missing, scores.hypotheses, scores.no_value, scores.no_float) == (3, 1, 7, 1, 1)


def test_soundness_of_the_papers_table_1() -> None:
    found = SCORES.soundness
    assert found is not None
    assert (found.problems, found.right_first, found.right_in_top_5) == (3, 1, 5)
    assert found.sound.value == 1 / 3
    assert found.spurious_first is not None
    assert found.spurious_first.value == 0
    assert found.spurious_in_top_5 is not None
    assert found.spurious_in_top_5.value == 2 / 5


def test_a_right_first_hypothesis_that_is_spurious() -> None:
    found = score([predict(EXAM, "N1-N3")], [EXAM]).soundness
    assert found is not None
    assert found.sound.value == 0
    assert found.spurious_first is not None
    assert found.spurious_first.value == 1


def test_only_the_first_five_hypotheses_count() -> None:
    late = predict(EXAM, *["N0*N1"] * 5, "N1-N3")
    scores = score([late], [EXAM])
    assert scores.top["exact"][5].pass_at_k.value == 0
    assert scores.soundness is not None
    assert scores.soundness.right_in_top_5 == 0


def test_where_nothing_is_right_nothing_is_spurious() -> None:
    found = score([], [EXAM]).soundness
    assert found is not None
    assert (found.spurious_first, found.spurious_in_top_5) == (None, None)


def test_without_ground_truths_there_is_no_soundness_and_no_breakdown_by_operators() -> None:
    unlabelled = EXAM.model_copy(update={"gold": ()})
    scores = score([predict(unlabelled, "N1-N3")], [unlabelled])
    assert scores.soundness is None
    assert scores.breakdown.operators == ()
    assert scores.breakdown.numbers[0].accuracy["exact"].value == 1


def test_the_breakdown_by_operators_and_numbers() -> None:
    groups = SCORES.breakdown
    assert [(group.name, group.problems) for group in groups.operators] == [("1", 2), ("3", 1)]
    assert [(group.name, group.problems) for group in groups.numbers] == [("2", 2), ("4", 1)]
    assert [group.accuracy["exact"].value for group in groups.operators] == [0, 1]
    assert groups.twins == ()


def test_the_breakdown_shows_both_scorers() -> None:
    right = [PREDICTIONS[0], predict(METRES, "N0/N1"), predict(APPLES, "N0+N1")]
    groups = score(right, PROBLEMS).breakdown.operators
    assert [group.accuracy["exact"].value for group in groups] == [1, 1]
    assert [group.accuracy["paper"].value for group in groups] == [1 / 2, 1]


def test_six_operators_and_more_are_one_group() -> None:
    long = named("long", "有1、2、3、4、5、6、7、8个，共有多少个？", "36", "1+2+3+4+5+6+7+8")
    groups = score([], [long, EXAM]).breakdown
    assert [group.name for group in groups.operators] == ["3", "6+"]
    assert [group.name for group in groups.numbers] == ["4", "6+"]


def test_a_problem_equal_up_to_its_numbers_in_training_is_a_twin() -> None:
    twin = named("far", EXAM.text.replace("40", "50"), "5", "25+20-(50-10)")
    groups = score(PREDICTIONS, PROBLEMS, [twin]).breakdown.twins
    assert [(group.name, group.problems) for group in groups] == [("with", 1), ("without", 2)]
    assert [group.accuracy["paper"].value for group in groups] == [1, 0]


def test_scores_are_json_and_come_back_equal() -> None:
    assert Scores.model_validate_json(SCORES.model_dump_json()) == SCORES
    content = json.loads(SCORES.model_dump_json())
    names = ["problems", "missing", "hypotheses", "no_value", "no_float", "top", "merged", "verified"]
    assert list(content) == [*names, "soundness", "breakdown"]
    assert content["top"]["exact"]["1"]["precision"].keys() == {"value", "low", "high"}


def test_bad_predictions_are_refused_here_too() -> None:
    with pytest.raises(BadInput) as error:
        score(PREDICTIONS, [METRES])
    assert str(error.value).startswith("the predictions: 1 of 2 predictions are for problems that are not in the data")


@few
@given(problems_and_predictions())
def test_what_must_hold_between_the_measures(run: tuple[list[Problem], list[Prediction]]) -> None:
    problems, predictions = run
    scores = score(predictions, problems)
    for scorer in SCORERS:
        by_k = scores.top[scorer]
        assert by_k[1].precision == by_k[1].pass_at_k == by_k[1].distinct_at_k
        for k, measures in by_k.items():
            assert measures.precision.value <= measures.pass_at_k.value <= measures.distinct_at_k.value
            assert measures.distinct_at_k.value <= k * measures.precision.value + 1e-12
            assert scores.top["paper"][k].precision.value <= scores.top["exact"][k].precision.value
            for found in (measures.precision, measures.pass_at_k, measures.distinct_at_k):
                assert found.low <= found.value <= found.high
        assert by_k[1].pass_at_k.value <= by_k[3].pass_at_k.value <= by_k[5].pass_at_k.value


@few
@given(problems_and_predictions(), st.randoms(use_true_random=False))
def test_the_order_of_problems_and_predictions_changes_nothing(
    run: tuple[list[Problem], list[Prediction]], rng: random.Random
) -> None:
    problems, predictions = run
    train = [APPLES]
    mixed = score(rng.sample(predictions, len(predictions)), rng.sample(problems, len(problems)), train)
    assert mixed == score(predictions, problems, train)


@few
@given(problems_and_predictions())
def test_counts_of_a_plain_loop_agree(run: tuple[list[Problem], list[Prediction]]) -> None:
    """Straight from the definitions, without outcomes: values, then division by k times the problems."""
    problems, predictions = run
    by_id = {prediction.id: prediction for prediction in predictions}
    for k in KS:
        right = 0
        for problem in problems:
            values = [one.value for one in by_id[problem.id].hypotheses[:k]] if problem.id in by_id else []
            right += sum(value is not None and abs(value - problem.answer) <= 1e-3 for value in values)
        assert score(predictions, problems).top["exact"][k].precision.value == right / (k * len(problems))


def test_the_ground_truths_of_the_sample_are_all_right_and_sound(sample_problems: list[Problem]) -> None:
    problems = sample_problems[:300]
    perfect = [
        Prediction(id=problem.id, hypotheses=(make_hypothesis(problem.gold[0], 0.0, problem),)) for problem in problems
    ]
    scores = score(perfect, problems)
    assert scores.accuracy().value == 1
    assert scores.accuracy("paper").value == 1 - scores.no_float / 300
    assert scores.soundness is not None
    assert scores.soundness.sound.value == 1
