"""From which agreement on two bare matrices would be decided otherwise, against comparisons of such an agreement."""

import pytest

from pytest_bayesf1 import compare
from pytest_bayesf1.comparison.breakdown import breakdown

LOSS = [[400, 100], [100, 400]], [[380, 120], [120, 380]]
"""Four points of accuracy, of which nobody can tell without the agreement whether they are more than one."""
GIVEN = {"measure": "accuracy", "rope": 0.01}


def test_the_sentence_is_true():
    bare = compare(*LOSS, **GIVEN)
    other = breakdown(bare).agreement_sensitivity
    assert (bare.decision, other.decision, other.most) == ("<", "≪", 0.96)
    assert compare(*LOSS, **GIVEN, agreement=other.agreement).decision == "≪"
    assert compare(*LOSS, **GIVEN, agreement=other.agreement - 0.04).decision == "<"


def test_a_decision_that_no_agreement_changes():
    found = breakdown(compare(*LOSS, **{**GIVEN, "rope": 0.04}))
    assert found.closest is not None
    assert found.agreement_sensitivity is None


@pytest.mark.slow
def test_the_variance_falls_about_evenly_with_the_agreement():
    """The share of the examples that only one side gets right does; of accuracy that is all there is."""
    variances = [compare(*LOSS, **GIVEN, agreement=share).std ** 2 for share in (0.7, 0.8, 0.9)]
    assert variances[1] == pytest.approx((variances[0] + variances[2]) / 2, rel=0.05)


def test_it_is_not_asked_where_the_agreement_was_stated():
    assert breakdown(compare(*LOSS, **GIVEN, agreement=0.9)).agreement_sensitivity is None
