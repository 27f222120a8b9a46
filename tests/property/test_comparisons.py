import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts
from pytest_bayesf1.comparison.compare import run_comparison
from tests.property.strategies import confusion_matrices, examples, permutations_of

FEW = 1_000
MODELS = st.sampled_from(["paired", "same-set", "independent"])
MEASURES = st.sampled_from(["accuracy", "f1_macro", "matthews_corrcoef", "f1_weighted"])
PRIORS = st.sampled_from(["hierarchical", "nested", "uniform", "jeffreys"])
STANDARD_ERRORS = 5  # of a hundred differences of means, one beyond it in twenty thousand runs


def run(*sides, **arguments):
    try:
        return run_comparison(*sides, rope=0.01, n_draws=FEW, **arguments)
    except InputError as error:
        if not error.where.startswith("measure "):
            raise
        reject()  # the data leave the score undefined


def assert_same_mean(one, other):
    error = np.sqrt((one.std**2 + other.std**2) / FEW)
    assert abs(one.mean - other.mean) < STANDARD_ERRORS * error


@pytest.mark.slow
@settings(max_examples=40)
@given(examples(), MODELS, MEASURES, PRIORS)
def test_swapping_the_sides_swaps_the_scores(made, model, measure, prior):
    true, one, other = made.columns
    there = run(PairedCounts.from_predictions(true, one, other), model=model, measure=measure, prior=prior)
    back = run(PairedCounts.from_predictions(true, other, one), model=model, measure=measure, prior=prior)
    assert there.baseline.observed == back.candidate.observed
    assert there.candidate.observed == back.baseline.observed
    assert_same_mean(there.baseline, back.candidate)
    error = np.sqrt((there.std**2 + back.std**2) / FEW)
    assert abs(there.mean + back.mean) < STANDARD_ERRORS * error


@pytest.mark.slow
@settings(max_examples=40)
@given(examples(), MODELS, MEASURES, PRIORS, st.data())
@pytest.mark.long
def test_the_order_of_the_labels_does_not_matter(made, model, measure, prior, data):
    order = data.draw(st.permutations(made.labels))
    one, other = (
        run(PairedCounts.from_predictions(*made.columns, labels=labels), model=model, measure=measure, prior=prior)
        for labels in (made.labels, order)
    )
    assert one.baseline.observed == pytest.approx(other.baseline.observed, abs=1e-12)
    assert one.candidate.observed == pytest.approx(other.candidate.observed, abs=1e-12)
    assert_same_mean(one.baseline, other.baseline)
    assert_same_mean(one, other)


@pytest.mark.slow
@settings(max_examples=25)
@given(examples(), MODELS, MEASURES)
@pytest.mark.long
def test_the_names_of_the_classes_do_not_matter(made, model, measure):
    names = {label: f"class {position:03}" for position, label in enumerate(made.labels)}
    renamed = [[names[label] for label in column] for column in made.columns]
    one = run(PairedCounts.from_predictions(*made.columns, labels=made.labels), model=model, measure=measure)
    other = run(PairedCounts.from_predictions(*renamed), model=model, measure=measure)
    np.testing.assert_array_equal(one.delta, other.delta)


@pytest.mark.slow
@settings(max_examples=25)
@given(examples(), MEASURES, st.data())
def test_the_order_of_the_examples_leaves_every_draw_alone(made, measure, data):
    shuffled = made.reordered(data.draw(permutations_of(len(made))))
    one, other = (run(PairedCounts.from_predictions(*each.columns), measure=measure).delta for each in (made, shuffled))
    np.testing.assert_array_equal(one, other)


@pytest.mark.slow
@settings(max_examples=25)
@given(confusion_matrices(), st.sampled_from(["same-set", "independent"]), MEASURES)
def test_a_classifier_is_no_better_than_itself(counts, model, measure):
    result = run(counts, counts, model=model, measure=measure)
    assert result.baseline.observed == result.candidate.observed
    assert abs(result.mean) < STANDARD_ERRORS * result.std / np.sqrt(FEW)
    assert result.largest_drops == ()


@pytest.mark.slow
@settings(max_examples=25)
@given(confusion_matrices(), PRIORS)
def test_scores_stay_in_their_range(counts, prior):
    result = run(ConfusionMatrix(counts), counts, measure="f1_macro", prior=prior)
    for side in (result.baseline, result.candidate):
        assert side.draws.min() >= 0
        assert side.draws.max() <= 1 + 1e-12
        assert side.std > 0
