import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.engines import ENGINES, load_engine


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_is_loaded_by_its_name(name):
    assert load_engine(name).name == name


def test_an_engine_that_does_not_exist():
    with pytest.raises(InputError, match="one of exact, pymc, got 'stan'"):
        load_engine("stan")
