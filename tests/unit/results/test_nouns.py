from types import SimpleNamespace

import pytest

from pytest_bayesf1.results.comparison import SPANS, nouns_of


@pytest.mark.parametrize(
    ("clusters", "nouns"), [(None, ("example", "class")), ("examples", ("example", "class")), (SPANS, ("span", "type"))]
)
def test_what_units_hold_tells_the_words(clusters, nouns):
    assert nouns_of(clusters and SimpleNamespace(holding=clusters)) == nouns
