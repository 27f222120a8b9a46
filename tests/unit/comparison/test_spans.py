"""Comparisons of systems that find spans: what they tell, and what they refuse."""

import numpy as np
import pytest

from pytest_bayesf1 import PairedCounts, Prior, SpanCounts, compare
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.errors import UnexpectedPredictionsWarning
from tests.unit.refused import assert_refused, case

N = 60
GOLD = [[(0, 2, "PER"), (3, 4, "LOC"), (number % 7 + 5, 20, "PER")] for number in range(N)]
BASELINE = [spans[: 2 + number % 2] for number, spans in enumerate(GOLD)]
CANDIDATE = [[*spans[number % 3 :], (30, 31, "LOC")][: 3 - number % 2] for number, spans in enumerate(GOLD)]

OF_CLASSES = run_comparison(PairedCounts.from_predictions(*[["LOC", "PER"]] * 3), rope=0.01).as_prior()


def side(predicted, gold=GOLD, **options):
    return SpanCounts.from_spans(gold, predicted, **options)


def run(baseline=None, candidate=None, **options):
    sides = (side(BASELINE) if baseline is None else baseline, side(CANDIDATE) if candidate is None else candidate)
    return compare(*sides, **{"rope": 0.01, "n_draws": 2_000, **options})


def test_sides_pair_up_span_by_span():
    found = run()
    assert found.model == "paired"
    both = sum(len(set(a) & set(b) & set(true)) for true, a, b in zip(GOLD, BASELINE, CANDIDATE, strict=True))
    invented = sum((30, 31, "LOC") in spans for spans in CANDIDATE)
    right = [sum(len(set(a) & set(true)) for true, a in zip(GOLD, said, strict=True)) for said in (BASELINE, CANDIDATE)]
    assert found.contingency.both_right == both
    assert found.contingency.only_candidate == right[1] - both
    assert found.contingency.only_baseline == right[0] - both + invented
    assert (found.classical_tests, found.paired_outcomes) == ((), None)


def test_a_function_of_joint_probabilities_has_no_true_negatives():
    def found_share(p):
        assert (p[..., 0, 0] == 0).all()
        return p[..., 1, 1].sum(axis=-1) / p.sum(axis=(-3, -2, -1))

    assert run(measure=found_share).baseline.observed == pytest.approx(1 - 1 / 6)


def test_a_type_that_is_never_true_counts_as_wrong_and_in_no_average():
    strange = [[*spans, (40, 41, "ORG")] for spans in CANDIDATE]
    told = f"{N} of .* answers of the candidate are no class: 'ORG'"
    with pytest.warns(UnexpectedPredictionsWarning, match=told):
        found, pooled = (run(candidate=side(strange), measure=each) for each in ("f1_macro", "f1_micro"))
    assert found.candidate.observed == pytest.approx(run().candidate.observed)
    assert [(each.label, each.predicted) for each in found.unsupported] == [("ORG", (0, N))]
    assert pooled.candidate.observed < run(measure="f1_micro").candidate.observed


def test_counts_of_each_document_are_clusters():
    by_document = SpanCounts.from_counts(np.ones((N, 1), int), np.zeros((N, 1), int), np.arange(N)[:, None] % 2)
    assert run(by_document, by_document).clusters.n == (N, N)


def changed(**options):
    return lambda: run(**options)


OTHER_GOLD = [*GOLD[:4], [(0, 2, "PER"), (3, 4, "ORG"), (9, 20, "PER")], *GOLD[5:]]


@pytest.mark.parametrize(
    ("call", "where", "expected", "found", "advice"),
    [
        case("nested", changed(prior="nested"), "prior", "does not serve spans", "'nested'", "jeffreys"),
        case("beta", changed(prior=Prior.named("jeffreys", beta=2)), "prior", "does not serve spans", "beta 2"),
        case("a posterior of classes", changed(prior=OF_CLASSES), *("prior", "a posterior of spans", "one of classes")),
        case(
            "gold",
            changed(candidate=side(CANDIDATE, OTHER_GOLD)),
            *("candidate.gold", "has another gold than in baseline"),
            "first at position 4 (",
            "Pass documents if the order differs",
        ),
        case("few", lambda: run(*[side(GOLD[:9], GOLD[:9])] * 2), "documents", "at least 10 clusters", "9 documents"),
    ],
)
def test_what_is_refused(call, where, expected, found, advice):
    assert_refused(call, where, expected, found, advice)
