"""Pools of which some examples are labelled."""

import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import InputError, LabelledPool

BASELINE = ["cat", "cat", "dog", "cow", "cat", "cow"]
CANDIDATE = ["cat", "dog", "dog", "cow", "cow", "cat"]
IDS = ["a", "b", "c", "d", "e", "f"]


def pool(labels=None, **given):
    return LabelledPool.from_predictions(BASELINE, CANDIDATE, labels or {}, ids=given.pop("ids", IDS), **given)


def test_counts_pairs_and_labels_by_stratum():
    strata = pool({"b": "dog", "e": "dog", "d": "cow"}).strata
    kinds = {
        (strata.baseline[at], strata.candidate[at]): (strata.n_pool[at], strata.of_pair[at])
        for at in range(strata.n_pool.size)
    }
    cat, cow, dog = range(3)
    pairs = [(cat, cat), (cat, dog), (dog, dog), (cow, cow), (cat, cow), (cow, cat)]
    assert {pair: n for pair, (n, _) in kinds.items()} == dict.fromkeys(pairs, 1)
    assert len({stratum for _, stratum in kinds.values()}) == 6
    assert strata.sizes.tolist() == [1] * 6
    assert strata.agree.tolist() == [True] * 3 + [False] * 3
    of_b, of_e = kinds[cat, dog][1], kinds[cat, cow][1]
    assert strata.groups[of_b].tolist() == [0, 1, 0]  # the candidate is right
    assert strata.groups[of_e].tolist() == [0, 0, 1]  # neither is
    assert strata.labelled.sum() == 3


def test_strata_of_disagreements_are_those_of_the_rarer_class():
    common = ["x"] * 50 + ["y"] * 40 + ["z"] * 5
    other = ["x"] * 50 + ["y"] * 40 + ["z"] * 5
    made = LabelledPool.from_predictions([*common, "x", "y", "z"], [*other, "z", "z", "y"], {})
    by_x, by_y, back = made.stratum[-3:].tolist()
    assert by_x == by_y  # z is the rarer one, and the candidate predicts it
    assert back != by_y


def test_sides_change_places_without_another_order_of_strata():
    made = LabelledPool.from_predictions(CANDIDATE, BASELINE, {"b": "dog"}, ids=IDS)
    assert sorted(made.strata.sizes) == sorted(pool().strata.sizes)
    assert made.strata.groups.sum(axis=0).tolist() == [1, 0, 0]


def test_reads_frames(tmp_path):
    frame = pd.DataFrame({"key": IDS, "old": BASELINE, "new": CANDIDATE})
    names = {"baseline": "old", "candidate": "new", "id": "key", "labels": {"b": "dog"}}
    assert LabelledPool.from_frame(frame, **names).digests == pool({"b": "dog"}).digests
    pytest.importorskip("duckdb")
    frame.to_csv(tmp_path / "pool.csv", index=False)
    assert LabelledPool.from_frame(tmp_path / "pool.csv", **names).digests == pool({"b": "dog"}).digests


def test_digest_depends_on_predictions_and_not_on_their_order_or_labels():
    back = {"ids": IDS[::-1]}
    reversed_pool = LabelledPool.from_predictions(BASELINE[::-1], CANDIDATE[::-1], {"a": "cat"}, **back)
    assert reversed_pool.digest == pool().digest
    assert reversed_pool.digests[1] != pool().digests[1]
    assert LabelledPool.from_predictions(["dog", *BASELINE[1:]], CANDIDATE, {}, ids=IDS).digest != pool().digest


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ({"x": "cat", "y": "cat"}, "The pool lacks 2 ids: 'x', 'y'"),
        ({"a": "horse"}, "'horse'"),
        ({1: "cat"}, "integers"),
        ({"a": None}, "a missing value"),
    ],
)
def test_refuses_labels_that_do_not_fit(labels, found):
    with pytest.raises(InputError, match="labels") as error:
        pool(labels)
    assert found in error.value.found


def test_lists_ids_that_were_labelled_otherwise_before():
    first = pool({"a": "cat", "b": "cat", "c": "dog"})
    with pytest.raises(InputError) as error:
        first.with_labels({"a": "dog", "b": "dog", "c": "dog"})
    assert error.value.found == "Other labels than before: 'a' was 'cat', now 'dog', 'b' was 'cat', now 'dog'"
    assert first.n_labelled == 3


def test_stated_classes_may_be_labels_that_nobody_predicts():
    made = pool({"a": "horse"}, classes=["cat", "cow", "dog", "horse"])
    assert made.true.tolist() == [3, -1, -1, -1, -1, -1]


@pytest.mark.parametrize(
    "several", [[["a"], ["a", "b"]], [{"a"}, {"a", "b"}], np.ones((2, 2), dtype=int), [[("x", 0, 1)], []]]
)
def test_several_labels_per_example_do_not_work_yet(several):
    with pytest.raises(InputError, match="do not support several labels or spans per example yet"):
        LabelledPool.from_predictions(several, several, {})


def test_refuses_pools_that_are_none():
    with pytest.raises(InputError, match="at least one"):
        LabelledPool.from_predictions([], [], {})
    with pytest.raises(InputError, match="Every example has the same predictions"):
        LabelledPool.from_predictions(["a", "a"], ["b", "b"], {})
    with pytest.raises(InputError, match="1 duplicate id"):
        pool(ids=["a", "a", "b", "c", "d", "e"])
    with pytest.raises(InputError, match="6 ids"):
        pool(ids=["a"])


def test_is_fast_where_it_is_large():
    rng = np.random.default_rng(0)
    baseline = rng.integers(0, 100, 100_000)
    made = LabelledPool.from_predictions(baseline, np.where(rng.random(100_000) < 0.1, 3, baseline), {5: 3})
    assert made.strata.n_pool.sum() == 100_000
