import numpy as np
import pytest

from pytest_bayesf1 import InputError, Prior
from pytest_bayesf1.choices import EngineName
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines import load_engine
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import f1_of, parse_measure


@pytest.mark.parametrize("name", EngineName)
def test_every_engine_answers_to_its_name(name):
    assert load_engine(str(name)).name == name


def test_a_name_that_no_engine_has():
    with pytest.raises(InputError, match=r"engine: expected one of exact, pymc, got 'exakt'\. Did you mean 'exact'"):
        load_engine("exakt")


LABELS = ("a", "b", "c")


def draws(experiment, scoring, *sizes):
    sampler = ExactEngine().sampler(experiment, Prior.named("hierarchical"), scoring, 0)
    return np.concatenate([sampler.draw(n) for n in sizes], axis=1)


class TestSeveralScores:
    @pytest.fixture
    def experiment(self):
        rng = np.random.default_rng(3)
        true = rng.integers(0, 3, 200)
        sides = [np.where(rng.random(200) < 0.7, true, rng.integers(0, 3, 200)) for _ in range(2)]
        return Experiment("paired", (OutcomeTable.tally(3, true, *sides),))

    def test_each_is_what_it_would_be_alone(self, experiment):
        together = draws(experiment, f1_of(np.array([2, 0])), 500)
        alone = [draws(experiment, parse_measure(f"f1[{label}]", LABELS), 500) for label in ("c", "a")]
        np.testing.assert_allclose(together, np.stack(alone, axis=-1))

    def test_more_draws_come_from_the_same_stream_in_whatever_pieces(self, experiment):
        np.testing.assert_array_equal(
            draws(experiment, f1_of(np.arange(3)), 300, 3, 5_000, 7), draws(experiment, f1_of(np.arange(3)), 300, 5_010)
        )

    def test_labels_that_do_not_exclude_one_another(self):
        counts = np.array([[[50, 2], [3, 20]], [[30, 12], [10, 23]]])
        experiment = Experiment("single", (OutcomeTable.of_labels(counts),))
        together = draws(experiment, f1_of(np.arange(2), multilabel=True), 300)
        alone = [draws(experiment, parse_measure(f"f1[{label}]", "ab", multilabel=True), 300) for label in "ab"]
        np.testing.assert_allclose(together, np.stack(alone, axis=-1))
