import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_bayesf1 import PairedCounts, Prior
from pytest_bayesf1.comparison.compare import run_comparison
from tests.property.strategies import examples

MODELS = st.sampled_from(["paired", "same-set", "independent"])
MEASURES = st.sampled_from(["accuracy", "f1_macro", "f1_weighted"])
WEIGHTS = st.floats(0.1, 20)
FEW = 1_000


def run(made, prior, **arguments):
    pairs = PairedCounts.from_predictions(*made.columns, labels=made.labels)
    return run_comparison(pairs, prior=prior, rope=0.01, n_draws=FEW, **arguments)


@pytest.mark.slow
@settings(max_examples=25)
@given(examples(), MODELS, MEASURES, st.sampled_from(["nested", "uniform", "jeffreys"]), WEIGHTS)
@pytest.mark.long
def test_one_beta_is_the_same_beta_for_every_class(made, model, measure, name, beta):
    one, each = (
        run(made, Prior.named(name, beta=given_beta), model=model, measure=measure)
        for given_beta in (beta, [beta] * len(made.labels))
    )
    np.testing.assert_array_equal(one.delta, each.delta)


@pytest.mark.slow
@settings(max_examples=25)
@given(examples(), st.floats(1e4, 1e6), st.data())
def test_a_heavy_beta_settles_the_class_proportions_in_its_own(made, scale, data):
    weights = np.array(data.draw(st.lists(st.floats(0.2, 5), min_size=len(made.labels), max_size=len(made.labels))))
    prior = Prior.named("uniform", beta=weights * scale)
    share = weights / weights.sum()

    def prevalence(p):
        return p[..., 0, :].sum(axis=-1)

    result = run(made, prior, model="independent", measure=prevalence)
    # the data weigh at most 25 examples
    spread = 6 * np.sqrt(share[0] * (1 - share[0]) / (scale * weights.sum()))
    assert np.abs(result.baseline.draws - share[0]).max() < spread + 25 / (scale * weights.sum())


@pytest.mark.slow
@settings(max_examples=15)
@given(examples(), MODELS, MEASURES, st.sampled_from(["hierarchical", "nested", "uniform"]), st.data())
def test_classes_and_their_betas_move_together(made, model, measure, name, data):
    betas = data.draw(st.lists(WEIGHTS, min_size=len(made.labels), max_size=len(made.labels)))
    order = data.draw(st.permutations(range(len(made.labels))))
    one = run(made, Prior.named(name, beta=betas), model=model, measure=measure)
    turned = PairedCounts.from_predictions(*made.columns, labels=[made.labels[i] for i in order])
    prior = Prior.named(name, beta=[betas[i] for i in order])
    other = run_comparison(turned, prior=prior, model=model, measure=measure, rope=0.01, n_draws=FEW)
    error = np.sqrt((one.baseline.std**2 + other.baseline.std**2) / FEW)
    assert abs(one.baseline.mean - other.baseline.mean) < 5 * error


@pytest.mark.slow
@settings(max_examples=25)
@given(examples(max_size=16), examples(max_size=16), MODELS, MEASURES, st.sampled_from(["hierarchical", "uniform"]))
def test_a_set_that_comes_first_counts_as_much_as_one_that_comes_last(made, other, model, measure, name):
    """The other examples are told with the labels of these, as far as there are labels."""
    position = {label: made.labels[index % len(made.labels)] for index, label in enumerate(other.labels)}
    told = [[position[label] for label in column] for column in other.columns]
    later = PairedCounts.from_predictions(*told, labels=made.labels)
    together = [one + more for one, more in zip(made.columns, told, strict=True)]
    sequence = run_comparison(
        later,
        prior=run(made, name, model=model, measure=measure).as_prior(),
        measure=measure,
        rope=0.01,
        n_draws=FEW,
    )
    union = run_comparison(
        PairedCounts.from_predictions(*together, labels=made.labels),
        prior=name,
        model=model,
        measure=measure,
        rope=0.01,
        n_draws=FEW,
    )
    np.testing.assert_array_equal(sequence.delta, union.delta)


@given(st.lists(st.floats(0.1, 50), min_size=4, max_size=4), st.floats(0.1, 50))
def test_pseudo_counts_and_beta_give_the_classes_their_weights(cells, beta):
    prior = Prior.from_counts(np.reshape(cells, (2, 2)), beta=beta)
    (table,) = prior.counts.tables
    assert prior.class_weights(table) + table.row_totals == pytest.approx([beta, beta])
