from types import SimpleNamespace

import pytest

from pytest_bayesf1.results.comparison import SPANS, nouns_of


@pytest.mark.parametrize(
    ("units", "nouns"), [(None, ("example", "class")), ("examples", ("example", "class")), (SPANS, ("span", "type"))]
)
def test_what_units_hold_tells_the_words(units, nouns):
    assert nouns_of(units and SimpleNamespace(holding=units)) == nouns
