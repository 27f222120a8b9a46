"""Scores that are 0 / 0 are refused, on either side; those that are 0 are not."""

import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, assert_at_least, assert_better, assert_not_worse
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.measures.names import MEASURE_NAMES

LABELS = ["a", "b", "c"]
SOUND = ConfusionMatrix([[30, 5, 5], [5, 30, 5], [5, 5, 30]], labels=LABELS)
NEVER_SAYS_C = ConfusionMatrix([[35, 5, 0], [5, 35, 0], [20, 20, 0]], labels=LABELS)
CONSTANT = ConfusionMatrix([[40, 0, 0], [40, 0, 0], [40, 0, 0]], labels=LABELS)
WITHOUT_C = ConfusionMatrix([[30, 5, 1], [5, 30, 1], [0, 0, 0]], labels=LABELS)
ONLY_A = ConfusionMatrix([[30, 5, 1], [0, 0, 0], [0, 0, 0]], labels=LABELS)
NAMES = [name.replace("fbeta", "fbeta(2)") if name == "fbeta" else name for name in MEASURE_NAMES]
ALL = [f"{base}[{label}]" for base in ("f1", "precision", "recall", "jaccard", "specificity") for label in LABELS]
ALL += [name for name in NAMES if "_" in name and not name.startswith("fbeta")] + ["accuracy", "fbeta_macro(2)"]


def refused(baseline, candidate, measure):
    try:
        run_comparison(baseline, candidate, measure=measure, rope=0.05, prior="jeffreys", n_draws=1_000)
    except InputError as error:
        return error
    return None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("candidate", "undefined"),
    [
        (SOUND, set()),
        (NEVER_SAYS_C, {"precision[c]", "precision_macro", "precision_weighted"}),
        (
            CONSTANT,
            {
                *("precision[b]", "precision[c]", "precision_macro", "precision_weighted"),
                *("matthews_corrcoef", "cohen_kappa"),
            },
        ),
    ],
    ids=["sound", "never says c", "constant"],
)
@pytest.mark.one_of_many
def test_what_is_undefined_of_a_candidate(candidate, undefined):
    assert {measure for measure in ALL if refused(SOUND, candidate, measure)} == undefined
    assert {measure for measure in ALL if refused(candidate, SOUND, measure)} == undefined


@pytest.mark.slow
def test_what_is_undefined_without_examples_of_a_class():
    about_c = {measure for measure in ALL if "[c]" in measure}
    assert {measure for measure in ALL if refused(WITHOUT_C, WITHOUT_C, measure)} == about_c


@pytest.mark.slow
def test_what_is_undefined_where_one_class_is_all():
    undefined = {measure for measure in ALL if refused(ONLY_A, ONLY_A, measure)}
    specificities = {"specificity[a]", "specificity_macro", "specificity_micro", "specificity_weighted"}
    assert undefined == {
        *(measure for measure in ALL if "[b]" in measure or "[c]" in measure),
        *specificities,
        *("matthews_corrcoef", "cohen_kappa"),
    }


@pytest.mark.slow
def test_a_class_that_one_of_two_test_sets_lacks_is_in_no_macro_average():
    for measure in ("f1_macro", "balanced_accuracy", "f1[c]"):
        error = refused(SOUND, WITHOUT_C, measure)
        assert "none of class 'c' in the test set of the candidate" in str(error)
    for measure in ("accuracy", "f1_micro", "f1_weighted", "matthews_corrcoef"):
        assert refused(SOUND, WITHOUT_C, measure) is None


@pytest.mark.parametrize("gate", [assert_not_worse, assert_better])
def test_a_candidate_that_stops_predicting_a_class_is_no_pass(gate):
    with pytest.raises(InputError) as caught:
        gate(SOUND, NEVER_SAYS_C, measure="precision[c]", rope=0.05)
    assert str(caught.value) == (
        "measure precision[c]: expected a prediction of the class, whose precision it is, got none of class 'c' by the "
        "candidate. Use f1, to which a class that is never predicted counts as 0."
    )
    with pytest.raises(AssertionError):
        gate(SOUND, NEVER_SAYS_C, measure="f1[c]", rope=0.05)


def test_a_floor_below_a_precision_that_nobody_knows():
    with pytest.raises(InputError, match="none of class 'c' by the classifier"):
        assert_at_least(NEVER_SAYS_C, 0.3, measure="precision[c]")


def test_a_prior_that_has_seen_the_class_knows():
    prior = run_comparison(SOUND, SOUND, rope=0.05, model="independent", n_draws=1_000).as_prior()
    result = run_comparison(WITHOUT_C, WITHOUT_C, measure="recall[c]", rope=0.05, prior=prior, n_draws=1_000)
    assert result.unsupported == ()
