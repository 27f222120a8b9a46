import pytest

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, PairedCounts, SpanCounts, compare
from pytest_bayesf1.comparison.design import design_comparison, design_estimate
from tests.unit.refused import assert_refused

CLASSES, BEFORE, AFTER = [0, 0, 1, 1, 1], [0, 1, 1, 1, 0], [0, 0, 1, 1, 0]
KNOWN = (ConfusionMatrix.from_predictions(CLASSES, BEFORE), ConfusionMatrix.from_predictions(CLASSES, AFTER))
PAIRS = PairedCounts.from_predictions(CLASSES, BEFORE, AFTER)
MERE = ([[1, 1], [1, 2]], [[2, 0], [1, 2]])
ANOTHER = [[20, 3], [4, 21]]
CLUSTERED = ConfusionMatrix.from_predictions(CLASSES, BEFORE, clusters=list("aabbc"))


class TestDesign:
    @pytest.mark.parametrize("model", ["paired", "same-set"])
    def test_what_is_noted_of_both_sides_is_noted_once(self, model):
        sides = [side.with_notes(("both", name)) for side, name in zip(KNOWN, ("old", "new"), strict=True)]
        assert design_comparison(*sides, model).notes == ("both", "old", "new")
        assert design_estimate(sides[1]).notes == ("both", "new")
        assert design_comparison(PAIRS.with_notes(("as read",)), None, model).notes == ("as read",)

    def test_a_class_without_examples_is_no_class_of_the_problem(self):
        unused, predicted = [[3, 1, 0], [0, 3, 0], [0, 0, 0]], [[3, 1, 0], [0, 2, 1], [0, 0, 0]]
        for design in (design_comparison(unused, predicted, "auto"), design_estimate(predicted)):
            assert design.experiment.unsupported == (2,)
            assert (design.labels, design.true_labels) == ((0, 1, 2), (0, 1))

    def test_a_class_with_examples_in_one_of_two_test_sets_is_one(self):
        design = design_comparison([[3, 1, 0], [0, 3, 0], [0, 0, 0]], [[3, 0, 0], [0, 3, 0], [1, 0, 3]], "auto")
        assert design.experiment.model == "independent"
        assert design.experiment.unsupported == ()


LABELS = ("art", "law", "war")
TRUE_SETS = [{"art", "war"}, {"art"}, set(), {"law"}, {"law", "art"}, {"war"}]
BASELINE_SETS = [{"war"}, {"art"}, {"war"}, {"law"}, {"law"}, {"war"}]
CANDIDATE = [{"war", "art"}, {"art"}, set(), {"art"}, {"law"}, {"war"}]


def labelled(y_pred, y_true=TRUE_SETS, **options):
    return MultilabelCounts.from_predictions(y_true, y_pred, **options)


PREDICTED = (labelled(BASELINE_SETS), labelled(CANDIDATE))
BARE = tuple(MultilabelCounts(side.counts, side.labels) for side in PREDICTED)
SPANS = SpanCounts.from_counts([7, 14], [2, 5], [1, 3], labels=["LOC", "PER"])
OTHER_LABELLED = MultilabelCounts(BARE[1].counts * 2, LABELS)


def run(baseline, candidate, **arguments):
    return compare(baseline, candidate, **{"rope": 0.05, "n_draws": 1_000, **arguments})


@pytest.mark.parametrize(
    ("sides", "model", "chosen", "reason"),
    [
        (KNOWN, "auto", "paired", "both sides have predictions"),
        (KNOWN, "independent", "independent", "asked for"),
        ((PAIRS, None), "paired", "paired", ""),
        ((PAIRS, None), "same-set", "same-set", "asked for"),
        (MERE, "auto", "same-set", "which predictions pair up is unknown"),
        ((MERE[0], ANOTHER), "auto", "independent", "two different test sets"),
        ((KNOWN[0], MERE[1]), "auto", "same-set", "which predictions pair up is unknown"),
        ((CLUSTERED, MERE[1]), "auto", "independent", "clusters, but which predictions pair up is unknown"),
        ((MERE[1], CLUSTERED), "auto", "independent", "clusters, but which predictions pair up is unknown"),
        (PREDICTED, "auto", "paired", "both sides have predictions"),
        (BARE, "auto", "same-set", "which predictions pair up is unknown"),
        ((BARE[0], OTHER_LABELLED), "auto", "independent", "two different test sets"),
        ((SPANS, SPANS), "auto", "independent", "which spans both sides found"),
    ],
)
def test_the_strongest_model_that_the_data_allow_or_the_one_asked_for(sides, model, chosen, reason):
    design = design_comparison(*sides, model)
    assert design.experiment.model == chosen
    assert reason in design.reason
    assert design.labels == getattr(sides[0], "labels", (0, 1))
    assert design.experiment.multilabel is isinstance(sides[0], MultilabelCounts | SpanCounts)


@pytest.mark.parametrize(
    ("sides", "model", "where", "expected", "found", "advice"),
    [
        ((MERE[0], ANOTHER), "same-set", "model", "23 examples of class 0 instead of 2", "", "independent"),
        ((SPANS, SPANS), "same-set", "model", "'paired' or 'independent' for spans", "'same-set'", "independent"),
        ((SPANS, SPANS), "paired", "baseline", "Bare counts do not pair up", "", "predictions"),
        (BARE, "paired", "baseline", "Bare counts do not pair up", "", "predictions"),
    ],
)
def test_a_model_that_the_data_do_not_allow(sides, model, where, expected, found, advice):
    assert_refused(lambda: design_comparison(*sides, model), where, expected, found, advice)


class TestMultilabelExperiments:
    @pytest.mark.parametrize(("n_labels", "prior"), [(1, "jeffreys"), (2, "nested")])
    def test_auto_is_nested_unless_there_is_one_label_alone(self, n_labels, prior):
        some = [MultilabelCounts(side.counts[:n_labels]) for side in PREDICTED]
        assert run(*some).prior == prior

    def test_earlier_counts_may_know_a_label_that_the_new_ones_lack(self):
        prior = run(*PREDICTED).as_prior()
        later = labelled([{"art"}, {"law"}, set()], [{"art"}, set(), {"law"}])
        result = run(later, later, prior=prior)
        assert result.labels == LABELS
        assert str(result.provenance.prior) == "nested after 6 earlier examples"
