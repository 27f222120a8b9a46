"""What a gate can see, in words; and what comparisons make of it."""

from time import process_time

import numpy as np
import pytest

from pytest_bayesf1 import PairedCounts, Scores, compare
from pytest_bayesf1.results.comparison import ClusterFigures, DetectableLosses
from pytest_bayesf1.results.formatting import gate_finds, is_underpowered, losses_found, more_needed
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.power import Alternative, detectable_losses_of
from tests.unit.made_up import comparison

DOCUMENTS = ClusterFigures("documents", "spans", (120, 120), (100, 100), (1, 1), (0, 0), 1.5, (-0.01, 0.02))


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({}, "With 1,000 and 1,200 examples this gate finds losses of 3.5 points or more; you tolerate 1."),
        ({"n_samples": (400, 380)}, "With 400 and 380 examples this gate finds losses of 3.5 points or more; you"),
        ({"clusters": DOCUMENTS}, "With 120 documents this gate finds losses of 3.5 points or more; you tolerate 1."),
        (
            {"detectable_losses": DetectableLosses(0.01, 0.01)},
            "With 1,000 and 1,200 examples this gate finds losses of 1 point or more; you tolerate 1.",
        ),
        (
            {"custom_measure": True},
            "With 1,000 and 1,200 examples this gate finds losses of 0.035 or more; you tolerate 0.01.",
        ),
        (
            {"rope": (0.0, 0.01)},
            "With 1,000 and 1,200 examples this gate finds losses of 3.5 points or more; you tolerate none.",
        ),
        (
            {"detectable_losses": DetectableLosses(None, 0.9)},
            "With 1,000 and 1,200 examples no loss is likely to be found, however large.",
        ),
        ({"detectable_losses": None}, ""),
    ],
)
def test_a_gate_says_what_it_finds(told, sentence):
    assert gate_finds(comparison(**told)).startswith(sentence)


@pytest.mark.parametrize(
    ("told", "figure"),
    [
        ({}, "losses of 3.5 points or more (2.8 in half of the test sets); you tolerate 1"),
        (
            {"detectable_losses": DetectableLosses(0.12345, 0.0987)},
            "losses of 12 points or more (9.9 in half of the test sets); you tolerate 1",
        ),
        ({"detectable_losses": DetectableLosses(None, 0.9)}, "no loss with probability 80%, however large"),
    ],
)
def test_it_stands_among_the_figures(told, figure):
    assert losses_found(comparison(**told)) == figure
    assert f"gate finds {figure}" in " ".join(str(comparison(**told)).split())


@pytest.mark.parametrize(
    ("n", "sentence"),
    [
        (1, "About 1 more test example would give an even chance of settling it."),
        (1_234, "About 1,200 more test examples would give an even chance of settling it."),
        (9_500, "About 10 times as many test examples would give an even chance of settling it."),
        (28_000_000, "About 28,000 times as many test examples would give an even chance of settling it."),
    ],
)
def test_many_more_examples_are_told_as_a_multiple(n, sentence):
    assert more_needed(comparison(examples_needed=n)) == sentence


@pytest.mark.parametrize(
    ("loss", "rope", "blind"),
    [
        (0.05, (-0.01, 0.01), False),
        (0.051, (-0.01, 0.01), True),
        (None, (-0.01, 0.01), True),
        (0.09, (-0.02, 0.01), False),
        (0.05, (0.0, 0.01), False),
    ],
)
def test_a_gate_is_blind_that_hardly_finds_five_times_what_it_tolerates(loss, rope, blind):
    assert is_underpowered(comparison(detectable_losses=DetectableLosses(loss, loss), rope=rope)) is blind


def pairs(n, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    true = rng.integers(n_classes, size=n)
    says = [np.where(rng.random(n) < 0.8, true, rng.integers(n_classes, size=n)) for _ in range(2)]
    return PairedCounts.from_predictions(true, *says, labels=range(n_classes))


def test_more_examples_find_smaller_losses():
    few, many = (compare(pairs(n), rope=0.01).detectable_loss for n in (500, 8_000))
    assert few - 0.01 == pytest.approx(4 * (many - 0.01), rel=0.15)


def test_a_loss_that_no_candidate_could_have_is_not_told():
    assert compare(pairs(12), rope=(0.6, "wide"), measure="accuracy").detectable_losses.power_80 is None


def test_of_a_function_and_of_scores_the_posterior_is_taken_to_stay_as_wide():
    def share_right(p):
        return np.einsum("...jj->...", p)

    rng = np.random.default_rng(0)
    values = rng.normal(size=200)
    graded = [Scores.from_values(values + rng.normal(size=200) / 4) for _ in range(2)]
    for result in (compare(pairs(500), measure=share_right, rope=0.01), compare(*graded, measure="mean", rope=0.01)):
        even = 0.01 + result.hdi[1] - result.mean
        assert result.detectable_losses.power_50 == pytest.approx(even, rel=0.01)
        assert result.detectable_losses.power_80 == pytest.approx(even + 0.8416 * result.std, rel=0.01)


def test_a_function_finds_what_the_measure_finds_that_it_computes():
    def share_right(p):
        return np.einsum("...jj->...", p)

    by_name, by_function = (compare(pairs(500), measure=each, rope=0.01) for each in ("accuracy", share_right))
    assert by_function.detectable_loss == pytest.approx(by_name.detectable_loss, rel=0.05)


def test_it_takes_no_time():
    result = compare(pairs(5_000, n_classes=100), rope=0.01, n_draws=2_000)
    subject, measure = result.provenance.subject, result.provenance.measure
    times = []
    for _ in range(5):
        start = process_time()
        detectable_losses_of(result, Rope(-0.01, 0.01), Alternative.seen(subject.experiment, measure), most=1.0)
        times.append(process_time() - start)
    assert min(times) < 0.03  # on a machine that does nothing else 7 ms
