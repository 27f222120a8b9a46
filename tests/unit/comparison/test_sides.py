"""Whether two sides are about the same examples."""

import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.design import Sides
from tests.unit.baselines.runs import BASELINE, BETTER, IDS, OTHER_SET, Y_PRED, Y_TRUE, predicted

REVERSED = predicted(Y_PRED[::-1], Y_TRUE[::-1], IDS[::-1])


@pytest.mark.parametrize(
    ("baseline", "candidate"),
    [
        (BASELINE, BETTER),
        (predicted(), predicted(Y_TRUE)),
        (predicted(), REVERSED),
        (predicted(ids=None), predicted(Y_TRUE, ids=None)),
        (predicted(), ConfusionMatrix([[18, 2], [0, 20]], labels=["a", "b"])),
    ],
    ids=["counts", "predictions", "order", "no ids", "counts of the same totals"],
)
def test_the_same_as_far_as_anyone_can_tell(baseline, candidate):
    assert Sides.aligned(baseline, candidate).difference_of_test_sets == ""
    assert Sides.aligned(candidate, baseline).difference_of_test_sets == ""


@pytest.mark.parametrize(
    ("baseline", "candidate", "told"),
    [
        (BASELINE, OTHER_SET, "4500 examples of class 1 instead of 5000"),
        (predicted(), predicted(ids=[*IDS[:-1], 99]), "1 id only in baseline (39) and 1 only in candidate (99)"),
        (predicted(), predicted(y_true=["b", *Y_TRUE[1:]]), "first at id 0 ('a' and 'b')"),
        (predicted(ids=None), REVERSED.from_predictions(Y_TRUE[:-2], Y_PRED[:-2]), "got 38"),
        (predicted(), predicted(ids=None), "candidate.ids: expected ids, as baseline has them, got none"),
    ],
    ids=["totals", "ids", "truth", "number", "ids on one side"],
)
def test_a_difference_is_told_without_advice(baseline, candidate, told):
    difference = Sides.aligned(baseline, candidate).difference_of_test_sets
    assert told in difference
    assert "Pass" not in difference
    assert "Build" not in difference


def test_both_sides_at_once_stand_alone():
    with pytest.raises(InputError, match="candidate: expected nothing beside Sides, which hold both sides"):
        run_comparison(Sides.aligned(BASELINE, BETTER), BETTER, rope=0.01)


def test_nobody_can_tell_of_other_labels():
    with pytest.raises(InputError, match="candidate: expected 2 classes, as in baseline, got 3"):
        Sides.aligned(BASELINE, ConfusionMatrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]]))
