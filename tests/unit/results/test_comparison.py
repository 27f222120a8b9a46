from math import inf
from types import SimpleNamespace

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.results.comparison import (
    SPANS,
    Contingency,
    ErrorChange,
    ExampleChange,
    ExamplesNeeded,
    ReportedChanges,
    Turn,
    nouns_of,
)
from pytest_bayesf1.results.policy import AT_LEAST, BETTER, EQUIVALENT, NOT_INFERIOR, NOT_WORSE, POLICIES
from tests.unit.made_up import comparison, estimate, judged


@pytest.mark.parametrize(("labels", "turn"), [("aab", Turn.BROKEN), ("aba", Turn.FIXED), ("abc", Turn.STILL_WRONG)])
def test_what_became_of_an_example(labels, turn):
    assert ExampleChange("id", *labels, 1.0, -0.01).turn is turn


def test_the_most_telling_error_goes_the_way_of_the_score():
    errors = (ErrorChange("a", "b", 5, 1, 0.02), ErrorChange("b", "a", 1, 5, -0.01))
    for change, expected in ((0.01, errors[0]), (-0.01, errors[1]), (0.0, None)):
        assert ReportedChanges(change, 0.0, errors, (), None, ()).most_telling is expected


@pytest.mark.parametrize("decision", Decision)
def test_a_set_or_dictionary_in_ascii_finds_a_decision(decision):
    spelt = {each.ascii: each.words for each in Decision}
    assert spelt[decision] == decision.words
    assert decision in set(spelt)
    assert decision not in set(spelt) - {decision.ascii}


def test_an_agreement_knows_how_many_there_are():
    found = Contingency(both_right=70, only_baseline=4, only_candidate=6, both_wrong=20)
    assert (found.n_differ, found.total) == (10, 100)


@pytest.mark.parametrize(
    ("clusters", "nouns"), [(None, ("example", "class")), ("examples", ("example", "class")), (SPANS, ("span", "type"))]
)
def test_what_units_hold_tells_the_words(clusters, nouns):
    assert nouns_of(clusters and SimpleNamespace(holding=clusters)) == nouns


@pytest.mark.parametrize(
    ("policy", "hdi", "beyond", "needed"),
    [
        (NOT_WORSE, (-0.03, 0.05), -0.06, 1),
        (NOT_INFERIOR, (-0.03, 0.05), 0.02, 1),
        (BETTER, (-0.03, 0.05), 0.05, 2),
        (EQUIVALENT, (-0.03, 0.05), 0.03, 3),
        (EQUIVALENT, (-0.06, 0.05), 0.05, 3),
    ],
)
def test_each_policy_asks_about_its_own_end(policy, hdi, beyond, needed):
    assert comparison(hdi=hdi, rope=(-0.01, 0.02)).beyond(policy) == pytest.approx(beyond)
    assert ExamplesNeeded(1, 2, 3).of(policy) == needed
    assert policy.of_parts is NOT_WORSE


@pytest.mark.parametrize(
    ("decision", "below", "above", "is_clear"),
    [
        ("?", 0.5, 0.0, False),
        ("?", 0.0, 0.5, False),
        ("?", 0.005, 0.0, True),
        ("?", 1.0, 0.0, True),
        ("≪", 0.98, 0.0, True),
        ("≫", 0.0, 0.98, True),
        ("<", 0.98, 0.0, False),
    ],
)
def test_a_chance_is_told_unless_it_is_clear(decision, below, above, is_clear):
    assert comparison(decision=Decision(decision), p_below_rope=below, p_above_rope=above).is_clear is is_clear


@pytest.mark.parametrize(
    ("figures", "decision", "beyond"),
    [
        ({"below_floor": True, "above_floor": False}, "≪", -0.07),
        ({"below_floor": False, "above_floor": True}, "≫", -0.07),
        ({"below_floor": False, "above_floor": False, "floor": 0.9}, "?", 0.08),
        ({"below_floor": False, "above_floor": False, "floor": None}, "?", -inf),
    ],
)
def test_a_score_beside_its_floor(figures, decision, beyond):
    found = estimate(**figures)
    assert found.decision == decision
    assert found.beyond(AT_LEAST) == pytest.approx(beyond)
    assert AT_LEAST.of_parts is AT_LEAST


def test_a_policy_is_weaker_that_fails_less_of_the_same():
    weaker = {
        (each.key, other.key) for each in POLICIES.values() for other in POLICIES.values() if each.is_weaker_than(other)
    }
    of_not_worse = {("not_worse", each) for each in ("not_inferior", "better", "equivalent")}
    of_not_inferior = {("not_inferior", each) for each in ("better", "equivalent")}
    assert weaker == {*of_not_worse, *of_not_inferior, ("at_least", "proven_at_least")}


def test_a_judge_alone():
    both, one = judged((0.1, 2, 9), (-0.2, 3, 8)), judged((0.1, 2, 9))
    assert (both.change, one.change) == (pytest.approx(-0.1), 0.5)
    assert (one.is_uneven, one.is_selective) == (False, False)
