from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts, Prior
from pytest_bayesf1.comparison.design import design_comparison, design_estimate
from pytest_bayesf1.data.outcomes import ClusterContents, Experiment, OutcomeTable
from pytest_bayesf1.priors import HIERARCHICAL, JEFFREYS, NESTED, UNIFORM, beside_earlier, prior_by_name
from pytest_bayesf1.values import require_choice
from tests.unit.refused import assert_refused

TRUE = ["a", "a", "b", "b", "c"]
PAIRS = PairedCounts.from_predictions(TRUE, ["a", "b", "b", "b", "c"], ["a", "a", "c", "b", "c"])
MATRIX = ConfusionMatrix([[5, 1, 0], [2, 3, 1], [0, 1, 4]], labels=["a", "b", "c"])
OTHER = ConfusionMatrix([[5, 2, 0], [2, 3, 1], [0, 1, 4]], labels=["a", "b", "c"])
BINARY = [[5, 1], [2, 3]]


OF_TWO = "a posterior of the model 'paired' or 'same-set' or 'independent'"
OF_INDEPENDENT = "a posterior of the model 'independent'"
EVERY_CLASS = "It has no counts of"


def posterior(design):
    return HIERARCHICAL.after(design.experiment, design.labels).counts


def named(labels):
    return ConfusionMatrix(BINARY, labels=labels)


def of_two_sets(prior):
    return design_comparison(MATRIX, MATRIX, "independent", prior)


OF_BOOLEANS, OF_NUMBERS = named([False, True]), posterior(design_estimate(named([0, 1])))
OF_LABELS = posterior(design_estimate(MultilabelCounts([[[5, 1], [2, 3]]], labels=["a"])))
ALONE = posterior(design_estimate(MATRIX))
PAIRED = posterior(design_comparison(PAIRS, None, "auto"))
SAME_SET = posterior(design_comparison(MATRIX, MATRIX, "auto"))
INDEPENDENT = posterior(design_comparison(MATRIX, MATRIX, "independent"))


class TestEarlierCounts:
    def test_the_model_of_the_earlier_counts_is_that_of_the_new_ones(self):
        design = design_comparison(MATRIX, MATRIX, "auto", INDEPENDENT)
        assert design.experiment.model == "independent"
        assert design.reason == "the prior is a posterior of this model"
        assert design_comparison(PAIRS, None, "auto", SAME_SET).experiment.model == "same-set"
        assert design_estimate(MATRIX, ALONE).experiment.model == "single"

    def test_classes_come_in_the_order_of_the_earlier_ones_and_may_be_missing(self):
        turned = ConfusionMatrix([[4, 1], [2, 3]], labels=["c", "a"])
        design = design_estimate(turned, ALONE)
        assert design.labels == ("a", "b", "c")
        assert design.experiment.tables[0].true.tolist() == [0, 0, 2, 2]
        assert design.experiment.tables[0].count.tolist() == [3, 2, 1, 4]
        alone = Experiment("single", (turned.table,), trainings=((turned.table, MATRIX.table),))
        moved = beside_earlier(alone, ("c", "a", "b"), ALONE)
        assert [each.true.tolist() for each in moved.trainings[0]] == [[0, 0, 2, 2], [0, 0, 0, 1, 1, 2, 2]]

    @pytest.mark.parametrize(
        ("call", "expected", "found", "advice"),
        [
            (lambda: design_comparison(MATRIX, MATRIX, "auto", ALONE), OF_TWO, "one of the model 'single'", ""),
            (lambda: design_comparison(PAIRS, None, "auto", ALONE), OF_TWO, "one of the model 'single'", ""),
            (lambda: design_estimate(MATRIX, PAIRED), "a posterior of the model 'single'", "'paired'", ""),
            (lambda: of_two_sets(SAME_SET), OF_INDEPENDENT, "one of the model 'same-set'", ""),
            (lambda: design_estimate(named(["a", "d"]), ALONE), EVERY_CLASS, "'d'", "Begin with the test set"),
            (lambda: design_estimate(BINARY, ALONE), EVERY_CLASS, "0, 1", "labels"),
            (lambda: design_estimate(OF_BOOLEANS, OF_NUMBERS), EVERY_CLASS, "False, True", "labels"),
            (lambda: design_estimate(MATRIX, OF_LABELS), "a posterior of classes", "one of labels", ""),
        ],
    )
    def test_earlier_counts_that_do_not_fit(self, call, expected, found, advice):
        assert_refused(call, "prior", expected, found, advice)

    @pytest.mark.parametrize(
        ("candidate", "prior", "said"),
        [(MATRIX, PAIRED, "Bare counts do not pair up"), (OTHER, SAME_SET, "two test sets that differ")],
    )
    def test_the_model_of_earlier_counts_asks_for_data_of_its_own(self, candidate, prior, said):
        with pytest.raises(InputError, match=said):
            design_comparison(MATRIX, candidate, "auto", prior)


PRIORS_PAIRS = OutcomeTable.empty(3, n_sides=2)

TWO = "two numbers from 0.05 to 1e+09, (right, wrong)"
BETA = "a number from 0.05 to 1e+09, or one per class"
NO_ALPHAS = [8, (8,), (8, 2, 1), (8, 0), (8, 0.04), (8, 1e10), (8, float("nan")), "82", {8: 2, 2: 8}, (8, True)]
NO_BETAS = [0, float("inf"), (), (1, -1), "1", {1, 2}, True]


class TestPriors:
    @pytest.mark.parametrize("n_examples", [1, 100_000])
    @pytest.mark.parametrize(("n_classes", "prior"), [(2, JEFFREYS), (3, NESTED), (1_000, NESTED)])
    def test_auto_depends_on_the_kind_of_data_and_not_on_their_size(self, n_classes, n_examples, prior):
        same = np.zeros(n_examples, dtype=np.int64)
        paired = Experiment("paired", (OutcomeTable.tally(n_classes, same, same, same),))
        one, more = paired.tables[0].side(0), OutcomeTable.tally(n_classes, *[np.append(same, same)] * 2)
        for experiment in (paired, Experiment("independent", (one, more)), Experiment("single", (one,))):
            assert prior_by_name("auto", experiment) is prior
            assert prior_by_name("hierarchical", experiment) is HIERARCHICAL

    def test_auto_knows_clusters_and_spans(self):
        same, clusters = np.zeros(6, dtype=np.int64), ClusterContents.of_rows(np.arange(6) // 2)
        clustered = OutcomeTable.tally(2, same, same, clusters=clusters)
        assert prior_by_name("auto", Experiment("single", (clustered,))) is NESTED
        assert prior_by_name("auto", Experiment.before_data("paired", 6, multilabel=True, spans=True)) is JEFFREYS

    @pytest.mark.parametrize("prior", [HIERARCHICAL, NESTED, UNIFORM, JEFFREYS], ids=str)
    def test_clusters_leave_the_proportions_of_classes_to_the_outcomes_and_spans_take_pseudo_counts(self, prior):
        assert vars(prior.over_clusters(PRIORS_PAIRS)) == {**vars(prior), "beta": None}
        own, mass = Prior.named(prior.name, beta=1.5), prior._row_mass(PRIORS_PAIRS)
        assert_refused(lambda: own.over_clusters(PRIORS_PAIRS), "prior", "has a beta", "beta 1.5")
        assert Prior.named(prior.name, beta=mass).over_clusters(PRIORS_PAIRS).beta is None
        later = replace(prior, counts=ALONE)
        assert later.over_spans() is later
        for each in (own, *([] if prior in (UNIFORM, JEFFREYS) else [prior])):
            assert_refused(each.over_spans, "prior", "does not serve spans", prior.name)
        assert prior not in (UNIFORM, JEFFREYS) or prior.over_spans() is prior

    def test_a_prior_says_how_it_differs_from_the_one_of_its_name(self):
        assert str(Prior.named("nested", beta=2)) == "nested, beta 2"
        other = Prior.named("hierarchical", alpha=[0.5, 8], beta=(1, 2))
        assert str(other) == "hierarchical, alpha (0.5, 8), beta (1, 2)"

    @pytest.mark.parametrize(
        ("beta", "weights"), [(2, [2, 2, 2]), (np.array(2.0), [2, 2, 2]), ((1, 2, 0.5), [1, 2, 0.5])], ids=str
    )
    def test_beta_is_for_the_classes(self, beta, weights):
        prior = Prior.named("nested", beta=beta)
        assert prior.class_weights(OutcomeTable.empty(3, 1)).tolist() == weights
        assert prior.rows == NESTED.rows

    def test_beta_has_a_number_for_every_class(self):
        with pytest.raises(InputError, match=r"prior\.beta: expected 2 numbers, one per class, got 3"):
            Prior.named("uniform", beta=(1, 2, 3)).class_weights(OutcomeTable.empty(2, 1))

    @pytest.mark.parametrize(
        ("prior", "joint"),
        [
            (Prior.named("hierarchical", alpha=(8, 2)), True),
            (Prior.named("hierarchical", beta=1), True),
            (Prior.named("hierarchical", beta=2), False),
            (Prior.named("nested"), True),
            (Prior.named("nested", beta=1), False),
            (UNIFORM, False),
            (JEFFREYS, False),
        ],
        ids=str,
    )
    def test_the_joint_is_one_dirichlet_where_a_row_weighs_as_much_as_its_class(self, prior, joint):
        assert prior.makes_joint_dirichlet(PRIORS_PAIRS) is joint

    @pytest.mark.parametrize(
        ("arguments", "where", "expected", "found"),
        [
            ({"name": "auto"}, "prior", "one of hierarchical, nested, uniform, jeffreys", "'auto'"),
            ({"name": "nestd"}, "prior", "one of hierarchical, nested, uniform, jeffreys", "'nestd'"),
            ({"name": "uniform", "alpha": (8, 2)}, "alpha", "Only hierarchical and nested priors have alpha", ""),
            *(({"name": "nested", "alpha": value}, "alpha", TWO, repr(value)) for value in NO_ALPHAS),
            *(({"name": "nested", "beta": value}, "beta", BETA, repr(value)) for value in NO_BETAS),
        ],
    )
    def test_hyper_parameters_that_do_not_serve(self, arguments, where, expected, found):
        assert_refused(lambda: Prior.named(**arguments), where, expected, found)

    def test_a_posterior_holds_what_its_prior_held_and_what_was_seen(self):
        data = OutcomeTable.tally(2, np.array([0, 1, 1]), np.array([0, 1, 0]))
        more = OutcomeTable.tally(2, np.array([0, 1, 1, 0, 0]), np.array([1, 1, 0, 0, 0]))
        for tables in ((data, more), (more, data)):
            experiment = Experiment("independent", tables)
            once = UNIFORM.after(experiment, ("a", "b"))
            twice = once.after(replace(experiment, earlier=once.counts.tables), ("a", "b"))
            assert [each.count.tolist() for each in twice.counts.tables] == [
                (2 * each.count).tolist() for each in tables
            ]
            assert (once.n_examples, twice.n_examples) == (5, 10)

    def test_of_choices_none_is_suggested_that_is_not_near(self):
        with pytest.raises(InputError, match=r"^colour: expected one of red, green, got 'xyz'$"):
            require_choice("colour", "xyz", ["red", "green"])

    @pytest.mark.parametrize(("beta", "weights"), [((9, 1), [9, 1] * 3), ((1, 2, 3, 4, 5, 6), [1, 2, 3, 4, 5, 6])])
    def test_beta_is_about_absence_and_presence(self, beta, weights):
        three_labels = OutcomeTable.empty(6, 1, multilabel=True)
        assert Prior.named("uniform", beta=beta).class_weights(three_labels).tolist() == weights
