import numpy as np
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.stats.choices import require_choice
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.outcomes import OutcomeTable
from pytest_bayesf1.stats.priors import HIERARCHICAL, JEFFREYS, NESTED, UNIFORM, EvenCells, SharedGroups, prior_by_name


@pytest.mark.parametrize(
    ("n_classes", "n_examples", "prior"),
    [
        (2, 10, UNIFORM),
        (2, 10_000, UNIFORM),
        (3, 299, NESTED),
        (3, 300, HIERARCHICAL),
        (50, 4_999, NESTED),
        (51, 100, HIERARCHICAL),
    ],
)
def test_auto_for_a_difference_depends_on_the_size_of_the_data(n_classes, n_examples, prior):
    same = np.zeros(n_examples, dtype=np.int64)
    paired = Experiment("paired", (OutcomeTable.tally(n_classes, same, same, same),))
    more = OutcomeTable.tally(n_classes, np.append(same, same), np.append(same, same))
    independent = Experiment("independent", (paired.tables[0].side(0), more))
    assert prior_by_name("auto", paired) is prior
    assert prior_by_name("auto", independent) is prior


@pytest.mark.parametrize(("n_classes", "prior"), [(2, UNIFORM), (3, NESTED), (100, NESTED)])
def test_auto_for_one_classifier(n_classes, prior):
    alone = Experiment("single", (OutcomeTable.empty(n_classes, n_sides=1),))
    assert prior_by_name("auto", alone) is prior


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("prior", [HIERARCHICAL, UNIFORM, JEFFREYS], ids=lambda prior: prior.name)
def test_a_named_prior_is_taken_whatever_the_number_of_classes(prior, n_classes):
    assert prior_by_name(prior.name, Experiment.before_data("paired", n_classes)) is prior


@pytest.mark.parametrize(
    ("prior", "beta", "rows"),
    [(HIERARCHICAL, 1, SharedGroups()), (UNIFORM, 1, EvenCells(1)), (JEFFREYS, 0.5, EvenCells(0.5))],
)
def test_pseudo_counts(prior, beta, rows):
    assert prior.beta == beta
    assert prior.rows == rows


def test_only_the_hierarchical_prior_gives_a_row_the_mass_of_its_class():
    assert HIERARCHICAL.makes_joint_dirichlet()
    assert not UNIFORM.makes_joint_dirichlet()
    assert not JEFFREYS.makes_joint_dirichlet()


def test_an_unknown_prior_is_an_error():
    with pytest.raises(InputError, match="expected one of auto, hierarchical, nested, uniform, jeffreys, got 'flat'"):
        prior_by_name("flat", Experiment.before_data("paired", 2))


def test_a_choice_near_one_that_exists_is_suggested():
    with pytest.raises(InputError) as caught:
        require_choice("colour", "gren", ["red", "green"])
    assert caught.value.where == "colour"
    assert caught.value.expected == "one of red, green"
    assert caught.value.found == "'gren'"
    assert "'green'" in caught.value.advice


def test_a_choice_far_from_all_gets_no_suggestion():
    with pytest.raises(InputError) as caught:
        require_choice("colour", "xyz", ["red", "green"])
    assert caught.value.advice == ""


def test_an_existing_choice_passes():
    assert require_choice("colour", "red", ["red", "green"]) is None
