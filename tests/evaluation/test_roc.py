"""The discriminator's scores against soundness."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwp.evaluation.metrics import measure_roc
from mwp.evaluation.outcomes import ScoredProblem, score_problems
from mwp.inference.predictions import Prediction
from mwp.training.discriminator import auc
from tests.arith.strategies import few
from tests.evaluation.toys import EXAM, predict

SOUND, SPURIOUS, WRONG = "N1+N2-N0+N3", "N1-N3", "N0*N1"
scored = st.lists(
    st.tuples(st.sampled_from([SOUND, SPURIOUS, WRONG]), st.sampled_from([0.1, 0.4, 0.5, 0.9])), min_size=1, max_size=9
)


def outcomes(*scored: tuple[str, float | None]) -> list[ScoredProblem]:
    plain = predict(EXAM, *(solution for solution, _ in scored)).hypotheses
    found = [
        one.model_copy(update={"qualification": qualification})
        for one, (_, qualification) in zip(plain, scored, strict=True)
    ]
    return score_problems([Prediction(id=EXAM.id, hypotheses=tuple(found))], [EXAM])


def test_a_perfect_judge_reaches_the_corner() -> None:
    roc = measure_roc(outcomes((SOUND, 0.9), (SPURIOUS, 0.2), (WRONG, 0.1)))
    assert roc is not None
    assert (roc.sound, roc.others, roc.auc) == (1, 2, 1.0)
    assert roc.points == ((0.0, 0.0), (0.0, 1.0), (0.5, 1.0), (1.0, 1.0))


def test_wrong_hypotheses_can_be_left_out() -> None:
    roc = measure_roc(outcomes((SOUND, 0.5), (SPURIOUS, 0.6), (WRONG, 0.1)), only_right=True)
    assert roc is not None
    assert (roc.sound, roc.others, roc.auc) == (1, 1, 0.0)


def test_one_kind_of_hypotheses_or_no_scores_make_no_curve() -> None:
    assert measure_roc(outcomes((SOUND, 0.5))) is None
    assert measure_roc(outcomes((SOUND, None), (WRONG, None))) is None
    assert measure_roc([]) is None


@few
@given(scored)
def test_the_area_is_how_often_a_sound_hypothesis_scores_above_another(scored: list[tuple[str, float]]) -> None:
    roc = measure_roc(outcomes(*scored))
    expected = auc([score for _, score in scored], [int(solution == SOUND) for solution, _ in scored])
    assert (roc is None) == (expected is None)
    if roc and expected is not None:
        assert roc.auc == pytest.approx(expected)
