from types import SimpleNamespace

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.results.comparison import (
    SPANS,
    Contingency,
    ErrorChange,
    ExampleChange,
    ReportedChanges,
    Turn,
    nouns_of,
)


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
