import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.engines import load_engine
from pytest_bayesf1.settings import EngineName


@pytest.mark.parametrize("name", EngineName)
def test_every_engine_answers_to_its_name(name):
    assert load_engine(str(name)).name == name


def test_a_name_that_no_engine_has():
    with pytest.raises(InputError, match=r"engine: expected one of exact, pymc, got 'exakt'\. Did you mean 'exact'"):
        load_engine("exakt")
