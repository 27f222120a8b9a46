import numpy as np
import pytest

from pytest_bayesf1 import InputError, Prior
from pytest_bayesf1._util import require_choice
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.priors import HIERARCHICAL, JEFFREYS, NESTED, UNIFORM, EvenCells, SharedGroups, prior_by_name

PAIRS = OutcomeTable.empty(3, n_sides=2)


@pytest.mark.parametrize("n_examples", [1, 299, 300, 100_000])
@pytest.mark.parametrize(
    ("n_classes", "prior"), [(2, JEFFREYS), (3, NESTED), (50, NESTED), (51, NESTED), (1_000, NESTED)]
)
def test_auto_depends_on_the_kind_of_data_and_not_on_their_size(n_classes, n_examples, prior):
    same = np.zeros(n_examples, dtype=np.int64)
    paired = Experiment("paired", (OutcomeTable.tally(n_classes, same, same, same),))
    one, more = paired.tables[0].side(0), OutcomeTable.tally(n_classes, np.append(same, same), np.append(same, same))
    for experiment in (paired, Experiment("independent", (one, more)), Experiment("single", (one,))):
        assert prior_by_name("auto", experiment) is prior


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
    assert HIERARCHICAL.makes_joint_dirichlet(PAIRS)
    assert not UNIFORM.makes_joint_dirichlet(PAIRS)
    assert not JEFFREYS.makes_joint_dirichlet(PAIRS)


def test_an_unknown_prior_is_an_error():
    with pytest.raises(InputError, match="expected one of auto, hierarchical, nested, uniform, jeffreys, got 'flat'"):
        prior_by_name("flat", Experiment.before_data("paired", 2))


@pytest.mark.parametrize(
    ("prior", "name"),
    [
        (Prior.named("nested"), "nested"),
        (Prior.named("nested", alpha=(8, 2)), "nested, alpha (8, 2)"),
        (Prior.named("jeffreys", beta=2), "jeffreys, beta 2"),
        (Prior.named("hierarchical", alpha=[0.5, 1.5], beta=(1, 2)), "hierarchical, alpha (0.5, 1.5), beta (1, 2)"),
        (Prior.from_counts(np.eye(2)), "pseudo-counts"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_prior_says_how_it_differs_from_the_one_of_its_name(prior, name):
    assert str(prior) == name


@pytest.mark.parametrize("alpha", [(8, 2), [8, 2], np.array([8, 2]), (np.float32(8), 2.0)], ids=type)
@pytest.mark.parametrize("name", ["hierarchical", "nested"])
def test_alpha_is_for_right_and_wrong(name, alpha):
    prior = Prior.named(name, alpha=alpha)
    assert prior.rows.alpha == (8.0, 2.0)
    assert prior.beta == 1


@pytest.mark.parametrize("name", ["hierarchical", "nested", "uniform", "jeffreys"])
@pytest.mark.parametrize(
    ("beta", "weights"), [(2, [2, 2, 2]), (np.array(2.0), [2, 2, 2]), ((1, 2, 0.5), [1, 2, 0.5])], ids=str
)
def test_beta_is_for_the_classes(name, beta, weights):
    prior = Prior.named(name, beta=beta)
    assert prior.class_weights(OutcomeTable.empty(3, 1)).tolist() == weights
    assert prior.rows == Prior.named(name).rows


def test_beta_has_a_number_for_every_class():
    with pytest.raises(InputError, match=r"prior\.beta: expected 2 numbers, one per class, got 3"):
        Prior.named("uniform", beta=(1, 2, 3)).class_weights(OutcomeTable.empty(2, 1))


@pytest.mark.parametrize(
    ("prior", "joint"),
    [
        (Prior.named("hierarchical", alpha=(8, 2)), True),
        (Prior.named("hierarchical", beta=1), True),
        (Prior.named("hierarchical", beta=2), False),
        (Prior.named("nested"), False),
        (Prior.from_counts(np.eye(2)), True),
        (Prior.from_counts(np.eye(2), beta=1), False),
    ],
    ids=str,
)
def test_the_joint_is_one_dirichlet_where_a_row_weighs_as_much_as_its_class(prior, joint):
    assert prior.makes_joint_dirichlet(PAIRS) is joint


TWO = "two numbers from 0.05 to 1e+09, (right, wrong)"
BETA = "a number from 0.05 to 1e+09, or one per class"


@pytest.mark.parametrize(
    ("arguments", "where", "expected", "found"),
    [
        ({"name": "auto"}, "prior", "one of hierarchical, nested, uniform, jeffreys", "'auto'"),
        ({"name": "nestd"}, "prior", "one of hierarchical, nested, uniform, jeffreys", "'nestd'"),
        ({"name": "uniform", "alpha": (8, 2)}, "alpha", "nothing: only hierarchical and nested have it", "(8, 2)"),
        ({"name": "nested", "alpha": 8}, "alpha", TWO, "8"),
        ({"name": "nested", "alpha": (8,)}, "alpha", TWO, "(8,)"),
        ({"name": "nested", "alpha": (8, 2, 1)}, "alpha", TWO, "(8, 2, 1)"),
        ({"name": "nested", "alpha": (8, 0)}, "alpha", TWO, "(8, 0)"),
        ({"name": "nested", "alpha": (8, 0.04)}, "alpha", TWO, "(8, 0.04)"),
        ({"name": "nested", "alpha": (8, 1e10)}, "alpha", TWO, "(8, 10000000000.0)"),
        ({"name": "nested", "alpha": (8, float("nan"))}, "alpha", TWO, "(8, nan)"),
        ({"name": "nested", "alpha": "82"}, "alpha", TWO, "'82'"),
        ({"name": "nested", "alpha": {8: 2, 2: 8}}, "alpha", TWO, "{8: 2, 2: 8}"),
        ({"name": "nested", "alpha": (8, True)}, "alpha", TWO, "(8, True)"),
        ({"name": "nested", "beta": 0}, "beta", BETA, "0"),
        ({"name": "nested", "beta": float("inf")}, "beta", BETA, "inf"),
        ({"name": "nested", "beta": ()}, "beta", BETA, "()"),
        ({"name": "nested", "beta": (1, -1)}, "beta", BETA, "(1, -1)"),
        ({"name": "nested", "beta": "1"}, "beta", BETA, "'1'"),
        ({"name": "nested", "beta": {1, 2}}, "beta", BETA, "{1, 2}"),
        ({"name": "nested", "beta": True}, "beta", BETA, "True"),
    ],
)
def test_hyper_parameters_that_do_not_serve(arguments, where, expected, found):
    with pytest.raises(InputError) as caught:
        Prior.named(**arguments)
    assert (caught.value.where, caught.value.expected, caught.value.found) == (where, expected, found)


def test_a_posterior_holds_what_its_prior_held_and_what_was_seen():
    data = OutcomeTable.tally(2, np.array([0, 1, 1]), np.array([0, 1, 0]))
    prior = Prior.from_counts([[0.5, 1], [1, 2]])
    once = prior.after(Experiment("independent", (data, data), prior.counts.tables * 2), ("a", "b"))
    (table, _) = once.counts.tables
    assert table.count.tolist() == [1.5, 1, 2, 3]
    assert (once.counts.labels, once.counts.model, once.n_examples) == (("a", "b"), "independent", 3)
    assert str(once) == "pseudo-counts after 3 earlier examples"
    twice = once.after(Experiment("independent", (data, data), once.counts.tables), ("a", "b"))
    assert twice.counts.tables[0].count.tolist() == [2.5, 1, 3, 4]
    assert twice.n_examples == 6


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
