import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1.data.predictions import Examples
from pytest_bayesf1.errors import InputError


def test_rows_are_examples_where_nothing_is_said_of_runs():
    examples = Examples.read(3, ["a", "b", "c"], [1, 1, 2])
    assert (examples.n, examples.runs) == (3, None)
    assert examples.in_runs(np.array([5, 6, 7])).tolist() == [5, 6, 7]


def test_a_long_table_and_a_wide_one_say_the_same():
    long = Examples.read(4, ["b", "a", "b", "a"], [2, 1, 2, 1], "samples")
    wide = Examples.read(2, ["a", "b"], [1, 2], "samples", per_row=[2, 2])
    np.testing.assert_array_equal(long.in_runs(np.array([3, 1, 4, 2])), wide.in_runs(np.array([1, 2, 3, 4])))
    assert long.clusters.tolist() == wide.clusters.tolist() == [1, 2]


def test_run_ids_tell_the_columns():
    examples = Examples.read(6, [1, 2] * 3, None, "seeds", ["z", "z", "x", "x", "y", "y"])
    assert examples.in_runs(np.arange(6)).tolist() == [[2, 4, 0], [3, 5, 1]]


def test_an_example_may_have_fewer_samples_than_others():
    assert Examples.read(3, [1, 2, 1], None, "samples").in_runs(np.array([7, 8, 9])).tolist() == [[7, 9], [8, -1]]


@pytest.mark.parametrize(
    ("clusters", "noun"), [(None, "examples"), ([1, 1], "clusters"), (pd.Series([1, 1], name="doc"), "clusters of doc")]
)
def test_units_are_called_by_the_name_of_their_column(clusters, noun):
    assert Examples.read(2, None, clusters).cluster_noun == noun


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"ids": [1, 2]}, "ids: expected 3 ids, one per example, got 2"),
        ({"ids": [1, 2, 1]}, r"expected each id once, got 1 duplicate id \(1\)\. .*runs='samples'.*runs='seeds'"),
        ({"clusters": [1]}, "clusters: expected 3 clusters, one per example, got 1"),
        ({"runs": "often"}, "runs: expected one of samples, seeds, got 'often'"),
        ({"run_ids": [1, 2, 3]}, "expected 'samples' or 'seeds' beside run_ids, got nothing"),
        ({"runs": "samples"}, r"ids: expected predictions of shape \(N, R\), or the id"),
        ({"runs": "seeds", "ids": [1, 1, 1]}, "run_ids: expected which training each prediction is of"),
        ({"runs": "seeds", "ids": [1, 1, 1], "run_ids": [1, 2, 2]}, "expected each run of an example once, got one tw"),
        ({"runs": "samples", "ids": [1, 1, 2], "clusters": [1, 2, 2]}, "clusters: expected the same value in every"),
    ],
)
def test_columns_that_do_not_serve(columns, message):
    given = {"ids": None, "clusters": None} | columns
    with pytest.raises(InputError, match=message):
        Examples.read(3, **given)


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        ([[1, 2], [1, 2]], "expected at least 3 trainings: fewer do not tell how much they vary, got 2"),
        ([[1, 2, 0], [1, 2, -1]], "expected a prediction of every example by every training, got run 3 without 1 exa"),
    ],
)
def test_trainings_have_to_be_whole_and_three(predicted, message):
    examples = Examples.read(2, None, None, "seeds", per_row=[3, 3])
    with pytest.raises(InputError, match=message):
        examples.require_whole_runs(np.array(predicted))
