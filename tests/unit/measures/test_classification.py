from functools import partial

import numpy as np
import pytest
import sklearn.metrics

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, assert_at_least, assert_better, assert_not_worse, compare
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import (
    Joint,
    Levelled,
    Several,
    f1_by_class,
    parse_measure,
    proportions,
    require_of_joint_probabilities,
)
from pytest_bayesf1.measures.formulas import Detail
from tests.unit.refused import assert_refused

CUSTOM_COUNTS = [[8, 2], [1, 9]]


def share_right(y_true, y_pred):
    return np.mean(y_true == y_pred)


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (partial(sklearn.metrics.recall_score, average="macro"), "a function of y_true, y_pred"),
        (sklearn.metrics.make_scorer(share_right), "a function of estimator, X, y_true"),
        (lambda: 1.0, "a function of no argument"),
    ],
)
def test_what_takes_something_else_is_told_what_to_pass(function, found):
    with pytest.raises(InputError, match=r"^measure: expected a function of one argument, the joint") as caught:
        compare(CUSTOM_COUNTS, CUSTOM_COUNTS, measure=function, rope=0.05)
    assert caught.value.found == found
    assert "There are accuracy," in caught.value.advice


@pytest.mark.parametrize(
    "function",
    [lambda p: p, lambda p, beta=1: p, lambda *all_of_them: 1, np.linalg.det, np.add.reduce, max, partial(max, 1)],
)
def test_what_can_be_called_with_probabilities_alone_is_let_through(function):
    require_of_joint_probabilities(function)


class TestJoint:
    @pytest.mark.parametrize("detail", [Detail.MARGINS, Detail.MATRIX])
    def test_of_two_classes_what_is_right_tells_the_rest(self, detail):
        counts = OutcomeTable.tally(2, np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), weight=np.array([4, 1, 2, 3]))
        observed = Joint.observed(counts, detail)
        found = Joint(observed.true, observed.correct).of_two_classes(detail)
        np.testing.assert_allclose(found.predicted, observed.predicted)
        assert (found.matrix is None) == (detail is Detail.MARGINS)
        assert found.matrix is None or found.matrix == pytest.approx(observed.matrix)

    def test_single_distributions_are_stacked(self):
        table = OutcomeTable.tally(3, np.array([0, 0, 1, 1]), np.array([0, 2, 0, 1]))
        one, other = Joint.observed(table, Detail.MATRIX), Joint.observed(table.side(0), Detail.MATRIX)
        both = Joint.stacked([one, other])
        assert both.matrix is not None
        assert both.true.shape == both.predicted.shape == (2, 3)
        np.testing.assert_array_equal(both.matrix[1], one.matrix)


THREE = ("a", "b", "c")
ABC = np.array([[4, 1, 0], [2, 3, 0], [0, 1, 4]])  # F1: 8/11, 6/10, 8/9


def joint(counts):
    p = np.asarray(counts) / np.sum(counts, axis=(-2, -1), keepdims=True)
    return Joint(p.sum(axis=-1), np.diagonal(p, axis1=-2, axis2=-1), p.sum(axis=-2), p)


def evaluate(measure, counts, labels=THREE):
    return parse_measure(measure, labels)(joint(counts))


def error_rate(p):
    return 1 - np.trace(p, axis1=-2, axis2=-1)


class TestMeasures:
    def test_the_f1_of_a_class_that_is_never_true_and_never_predicted_is_0(self):
        assert f1_by_class(ConfusionMatrix([[3, 1, 0], [0, 2, 0], [0, 0, 0]]).table)[2] == 0

    def test_several_score_as_each_alone(self):
        names = ["f1[b]", "fbeta(2)[b]", "fbeta(3)[b]", "fbeta(2)[c]", "recall[b]", "f1_macro", "accuracy"]
        measures = tuple(parse_measure(name, THREE) for name in names)
        draws = joint(np.stack([ABC, ABC.T, ABC + 3]))
        several = Several(measures)
        np.testing.assert_array_equal(several(draws), np.stack([each(draws) for each in measures], axis=-1))
        assert (several.detail, Several(measures[-1:]).detail) == (Detail.MARGINS, Detail.TOTAL)
        assert Several(measures[::-1]).detail is Detail.MARGINS

    @pytest.mark.parametrize(
        ("labels", "true_labels", "index"),
        [
            ((1, 0), (0, 1), 0),
            (("-1", "1"), ("-1", "1"), 1),
            (("0", "1", "N/A"), ("0", "1"), 1),
            ((-1, 0, 1), (0, 1), 2),
            ((-1, 0, 1), (1,), 2),
        ],
        ids=str,
    )
    @pytest.mark.parametrize("measure", ["f1", "specificity", "fbeta(2)"])
    def test_a_measure_without_a_class_is_of_the_larger_of_two_numbers_that_are_true(
        self, measure, labels, true_labels, index
    ):
        parsed = parse_measure(measure, labels, true_labels=true_labels)
        assert (parsed.class_index, parsed.name) == (index, measure)
        assert parsed.words.endswith(f" of {labels[index]}")

    @pytest.mark.parametrize("labels", [("N/A", "fraud", "legit"), (1, 2), ("0", "N/A")], ids=str)
    @pytest.mark.parametrize("measure", ["f1", "fbeta(2)"])
    def test_which_of_two_other_names_is_positive_nobody_can_know(self, measure, labels):
        one, other = labels[-2:]
        with pytest.raises(InputError, match="may be about either of the two classes") as caught:
            parse_measure(measure, labels, true_labels=(one, other))
        assert caught.value.advice == f"Use '{measure}[{one}]' or '{measure}[{other}]'."

    @pytest.mark.parametrize(
        ("measure", "labels", "index"),
        [
            ("f1[a]", THREE, 0),
            ("f1[10]", (9, 10, 11), 1),
            ("f1[True]", (False, True), 1),
            ("f1[a]b]", ("[", "a]b"), 1),
            ("f1[]", ("", "b"), 0),
        ],
    )
    def test_a_class_is_found_by_its_label_as_text(self, measure, labels, index):
        assert parse_measure(measure, labels).class_index == index

    @pytest.mark.parametrize(
        ("measure", "expected", "found", "advice"),
        [
            (5, "the name of a measure", "5", ""),
            ("f1", "'f1' may be about any of 3 classes", "'f1'", "'f1_macro' or 'f1[a]'"),
            ("fbeta(2)", "may be about any of 3 classes", "'fbeta(2)'", "'fbeta_macro(2)'"),
            ("f1[d]", "a class among a, b, c", "'d'", ""),
        ],
    )
    def test_what_is_not_a_measure_of_these_classes_is_an_error_that_helps(self, measure, expected, found, advice):
        assert_refused(lambda: parse_measure(measure, THREE), "measure", expected, found, advice)

    def test_a_function_is_a_measure(self):
        measure = parse_measure(error_rate, THREE)
        assert measure.name == "error_rate"
        assert measure.detail is Detail.MATRIX
        assert measure(joint(ABC)) == pytest.approx(4 / 15)
        np.testing.assert_allclose(measure(joint(np.stack([ABC, np.eye(3)]))), [4 / 15, 0], atol=1e-12)

        assert parse_measure(partial(error_rate), THREE).name == "custom"

    @pytest.mark.parametrize(
        ("function", "found"),
        [(lambda p: p.sum(axis=-1), "shape (2, 3)"), (lambda p: p.sum(), "shape ()"), (lambda _: 0.5, "shape ()")],
        ids=["too many axes", "too few axes", "a constant"],
    )
    def test_a_function_must_reduce_the_last_two_axes(self, function, found):
        call = partial(evaluate, function, np.stack([ABC, ABC]))
        assert_refused(call, "measure <lambda>", "shape (2,)", found, "last two axes")

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
    def test_a_function_must_give_finite_scores(self, value):
        with pytest.raises(InputError, match="measure <lambda>: expected finite scores"):
            evaluate(lambda p: p[..., 0, 0] * value, ABC)


LABELS = ("art", "law", "war")
COUNTS = np.array([[[5, 1], [2, 2]], [[3, 2], [0, 5]], [[8, 0], [1, 1]]])  # [[tn, fp], [fn, tp]]


def parsed(measure, labels=LABELS):
    return parse_measure(measure, labels, multilabel=True)


def evaluate_labels(measure, counts=COUNTS, labels=LABELS):
    return parsed(measure, labels)(Joint.observed(MultilabelCounts(counts).table, Detail.MARGINS))


class TestMeasuresOfLabels:
    def test_one_label_needs_no_name(self):
        assert evaluate_labels("f1", COUNTS[:1], ("art",)) == pytest.approx(4 / 7)

    @pytest.mark.parametrize("measure", ["f1_macro", "f1_weighted", "f1_micro"])
    def test_labels_that_are_never_there_and_never_predicted_score_0(self, measure):
        assert evaluate_labels(measure, [[[9, 0], [0, 0]]] * 3) == 0

    def test_a_function_sees_a_matrix_for_every_label(self):
        seen = []

        def f1_of_the_worst(p):
            seen.append(p)
            return (2 * p[..., 1, 1] / (2 * p[..., 1, 1] + p[..., 0, 1] + p[..., 1, 0])).min(axis=-1)

        assert evaluate_labels(f1_of_the_worst) == pytest.approx(4 / 7)
        np.testing.assert_allclose(seen[0], COUNTS / 10)

    @pytest.mark.parametrize(
        ("function", "found"), [(lambda p: p.sum(axis=(-2, -1)), "shape (3,)"), (lambda p: p, "shape (3, 2, 2)")]
    )
    def test_a_function_must_reduce_the_last_three_axes(self, function, found):
        expected = "scores of shape () for joint probabilities of shape (3, 2, 2)"
        assert_refused(lambda: evaluate_labels(function), "measure <lambda>", expected, found, "last three axes")

    @pytest.mark.parametrize(
        ("measure", "expected", "advice"),
        [
            ("f1", "'f1' may be about any of 2 labels", ""),
            ("f1[tax]", "a class among art, law", ""),
            ("g_mean", "labels that do not exclude one another", "fbeta(2), precision, recall"),
        ],
    )
    def test_what_is_not_a_measure_of_these_labels_is_an_error(self, measure, expected, advice):
        assert_refused(lambda: parsed(measure, LABELS[:2]), "measure", expected, "", advice)

    @pytest.mark.parametrize("measure", ["f1_macro", "f1_micro", lambda p: p[..., 1, 1].mean(axis=-1)])
    def test_right_and_wrong_by_true_class_is_all_that_a_measure_needs(self, measure):
        assert parsed(measure).detail is Detail.CORRECT


CLASSES = OutcomeTable.tally(2, np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 0]))
TWO_LABELS = OutcomeTable.of_labels(np.array([[[5, 1], [2, 2]], [[7, 0], [1, 2]]]))  # ten examples, two labels


@pytest.mark.parametrize(
    ("table", "name", "expected"),
    [
        (CLASSES, "f1_macro", [("accuracy", 3, 5)]),
        (CLASSES, "f1[0]", [("accuracy", 3, 5), ("recall", 2, 3), ("precision", 2, 3)]),
        (TWO_LABELS, "f1_macro", [("accuracy", 16, 20), ("micro-recall", 4, 7), ("micro-precision", 4, 5)]),
        (TWO_LABELS, "f1[1]", [("accuracy", 16, 20), ("recall", 2, 3), ("precision", 2, 2)]),
    ],
)
def test_right_of_how_many(table, name, expected):
    assert proportions(table, parse_measure(name, range(2), multilabel=table.multilabel)) == expected


ABC_LABELS = ["a", "b", "c"]
SOUND = ConfusionMatrix([[30, 5, 5], [5, 30, 5], [5, 5, 30]], labels=ABC_LABELS)
NEVER_SAYS_C = ConfusionMatrix([[35, 5, 0], [5, 35, 0], [20, 20, 0]], labels=ABC_LABELS)
WITHOUT_C = ConfusionMatrix([[30, 5, 1], [5, 30, 1], [0, 0, 0]], labels=ABC_LABELS)


def refused(baseline, candidate, measure):
    try:
        given = {"rope": 0.05, "prior": "jeffreys", "prevalence": "test-set", "n_draws": 1_000}
        run_comparison(baseline, candidate, measure=measure, **given)
    except InputError as error:
        return str(error)
    return None


class TestUndefined:
    @pytest.mark.parametrize("measure", ["f1_macro", "balanced_accuracy", "f1[c]"])
    def test_either_test_set_has_to_have_every_class(self, measure):
        assert "none of class 'c' in the test set of the candidate" in refused(SOUND, WITHOUT_C, measure)
        assert "none of class 'c' in the test set of the baseline" in refused(WITHOUT_C, SOUND, measure)

    @pytest.mark.parametrize("measure", ["matthews_corrcoef", "cohen_kappa"])
    def test_a_correlation_is_of_examples_and_predictions_that_vary(self, measure):
        constant, of_b = ConfusionMatrix([[40, 0, 0]] * 3, labels=ABC_LABELS), np.array([[0, 0], [3, 40]])
        assert "predictions of class 'a' only, by the candidate" in refused(SOUND, constant, measure)
        assert "examples of class 1 only, by the baseline" in refused(of_b, [[9, 1], [3, 40]], measure)

    @pytest.mark.parametrize(
        "measure", ["accuracy", "f1_micro", "f1_weighted", "matthews_corrcoef", "f1_macro[without c]"]
    )
    def test_what_averages_no_classes_alike_needs_no_example_of_each(self, measure):
        assert refused(SOUND, WITHOUT_C, measure) is None

    def test_what_an_average_leaves_out_may_be_undefined_and_nothing_else(self):
        only_c = ConfusionMatrix([[0, 0, 0], [0, 0, 0], [2, 3, 30]], labels=ABC_LABELS)
        assert "none of class 'a'" in refused(SOUND, only_c, "recall_micro[without c]")
        first_lacks = ConfusionMatrix([[0, 0, 0], [5, 30, 5], [5, 5, 30]], labels=ABC_LABELS)
        assert refused(SOUND, first_lacks, "recall_macro[without a]") is None
        assert "none of class 'a'" in refused(SOUND, first_lacks, "recall_macro[without b]")
        never_says_a = ConfusionMatrix([[0, 20, 20], [0, 35, 5], [0, 5, 35]], labels=ABC_LABELS)
        assert refused(SOUND, never_says_a, "precision_macro[without a]") is None
        assert "0 / 0 for class 'a'" in refused(SOUND, never_says_a, "precision_weighted")

    @pytest.mark.parametrize("gate", [assert_not_worse, assert_better])
    def test_a_candidate_that_stops_predicting_a_class_is_no_pass(self, gate):
        with pytest.raises(InputError) as caught:
            gate(SOUND, NEVER_SAYS_C, measure="precision[c]", rope=0.05)
        problem = "It is 0 / 0 for class 'c', by the counts of the candidate"
        assert str(caught.value) == f"measure precision[c]: {problem}. Use f1, which every class with examples has."
        with pytest.raises(AssertionError):
            gate(SOUND, NEVER_SAYS_C, measure="f1[c]", rope=0.05)

    def test_a_floor_below_a_precision_that_nobody_knows(self):
        with pytest.raises(InputError, match="0 / 0 for class 'c', by the counts of the classifier"):
            assert_at_least(NEVER_SAYS_C, 0.3, measure="precision[c]")

    def test_a_prior_that_has_seen_the_class_knows(self):
        prior = run_comparison(SOUND, SOUND, rope=0.05, model="independent", n_draws=1_000).as_prior()
        result = run_comparison(WITHOUT_C, WITHOUT_C, measure="recall[c]", rope=0.05, prior=prior, n_draws=1_000)
        assert result.unsupported == ()


class TestLevelled:
    MATRICES = np.random.default_rng(0).dirichlet([9, 1, 0.5, 1, 4, 1, 0.5, 1, 2], 4_000).reshape(-1, 3, 3)
    DRAWS = Joint(MATRICES.sum(axis=2), np.diagonal(MATRICES, axis1=1, axis2=2), MATRICES.sum(axis=1), MATRICES)

    @pytest.mark.parametrize("name", ["f1_macro", "matthews_corrcoef"])
    def test_draws_move_by_twice_what_the_mean_of_scores_lacks(self, name):
        several = Several((parse_measure(name, range(3)),))
        plain, found = several(self.DRAWS), Levelled(several)(self.DRAWS)
        mean = self.MATRICES.mean(axis=0)
        (at_mean,) = several(Joint(mean.sum(axis=1), mean.diagonal(), mean.sum(axis=0), mean))
        inside = (found > plain.min()) & (found < plain.max())
        assert inside.mean() > 0.99
        assert (found - plain)[inside] == pytest.approx(2 * (at_mean - plain.mean()))
        assert at_mean != pytest.approx(plain.mean(), abs=1e-4)
        assert plain.min() <= found.min()
        assert found.max() <= plain.max()
