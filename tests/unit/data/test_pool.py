"""Pools of which some examples are labelled."""

import numpy as np
import pytest

from pytest_bayesf1 import InputError, LabelledPool
from pytest_bayesf1.data.pool import BASELINE as OF_BASELINE
from pytest_bayesf1.data.pool import CANDIDATE as OF_CANDIDATE
from pytest_bayesf1.data.pool import NEITHER, RIGHT, WRONG

BASELINE = ["cat", "cat", "dog", "cow", "cat", "cow"]
CANDIDATE = ["cat", "dog", "dog", "cow", "cow", "cat"]
IDS = ["a", "b", "c", "d", "e", "f"]


def pool(labels=None, **given):
    return LabelledPool.from_predictions(BASELINE, CANDIDATE, labels or {}, ids=given.pop("ids", IDS), **given)


PAIRS = {(0, 0): 7, (1, 1): 5, (2, 2): 1, (0, 1): 4, (1, 0): 3, (1, 2): 2, (3, 1): 1, (0, 2): 3, (2, 3): 2}
"""How often either class is predicted: the first one most, the third and fourth about as rarely."""


@pytest.mark.parametrize("codes", [[0, 1, 2, 3], [3, 1, 2, 0]])
def test_strata_count_every_example_by_its_rarer_class_and_side(codes):
    rng = np.random.default_rng(4)
    said = np.array(codes)[rng.permutation([pair for pair, n in PAIRS.items() for _ in range(n)])]
    ids = [f"x{number}" for number in rng.permutation(len(said))]
    true = rng.integers(0, 4, len(said))
    labels = {ids[at]: int(true[at]) for at in rng.permutation(len(said))[:19]}
    made = LabelledPool.from_predictions(said[:, 0], said[:, 1], labels, ids=ids, classes=range(4))
    strata, popular = made.strata, np.bincount(said.ravel(), minlength=4) + 1
    assert strata.popularity.tolist() == popular.tolist()

    def key(old, new):
        """The rarer class, of equally rare ones the smaller, and which side predicts it."""
        rarer = min(old, new, key=lambda each: (popular[each], each))
        return (old,) if old == new else (rarer, old == rarer)

    keys = [key(*pair) for pair in said.tolist()]
    of_key = dict(zip(keys, made.stratum.tolist(), strict=True))
    assert [of_key[each] for each in keys] == made.stratum.tolist()
    assert len({*of_key.values()}) == len(of_key) == strata.sizes.size
    assert [strata.agree[at] for at in of_key.values()] == [len(each) == 1 for each in of_key]
    assert {each: strata.sizes[at] for each, at in of_key.items()} == {each: keys.count(each) for each in keys}
    groups, outcomes = np.zeros((strata.sizes.size, 3)), {}
    for at, name in enumerate(ids):
        if name in labels:
            old, new = said[at].tolist()
            kind = RIGHT if old == new == true[at] else WRONG
            if old != new:
                kind = OF_BASELINE if old == true[at] else OF_CANDIDATE if new == true[at] else NEITHER
            groups[of_key[keys[at]], kind] += 1
            outcome = (true[at], old, new)
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    assert strata.groups.tolist() == groups.tolist()
    assert strata.labelled.tolist() == groups.sum(axis=1).tolist()
    found = strata.outcomes
    assert dict(zip(zip(found.true, *found.predicted, strict=True), found.count, strict=True)) == outcomes
    assert {name: made.true[ids.index(name)] for name in labels} == labels
    assert made.n_labelled == 19


def test_digest_depends_on_predictions_and_not_on_their_order_or_labels():
    back = {"ids": IDS[::-1]}
    reversed_pool = LabelledPool.from_predictions(BASELINE[::-1], CANDIDATE[::-1], {"a": "cat"}, **back)
    assert reversed_pool.digest == pool().digest
    assert reversed_pool.digests[1] != pool().digests[1]
    others = [
        LabelledPool.from_predictions(["dog", *BASELINE[1:]], CANDIDATE, {}, ids=IDS),
        LabelledPool.from_predictions(BASELINE, ["dog", *CANDIDATE[1:]], {}, ids=IDS),
        LabelledPool.from_predictions(CANDIDATE, BASELINE, {}, ids=IDS),
        pool(ids=["z", *IDS[1:]]),
        pool(ids=[*IDS[1:], IDS[0]]),
    ]
    assert len({made.digest for made in (pool(), *others)}) == 6
    numbers = [LabelledPool.from_predictions([1, 2, 1], [1, 1, 2], {}, ids=ids) for ids in ([1, 2, 3], ["1", "2", "3"])]
    assert numbers[0].digest != numbers[1].digest


def test_digest_of_labels_depends_on_what_they_are_and_not_on_their_order():
    same = [{"b": "dog", "e": "cow", "a": "cat"}, {"a": "cat", "e": "cow", "b": "dog"}]
    assert len({pool(labels, ids=IDS[::-1]).digests for labels in same}) == 1
    shuffled = LabelledPool.from_predictions(BASELINE[::-1], CANDIDATE[::-1], same[0], ids=IDS[::-1])
    assert shuffled.digests == pool(same[0]).digests
    assert pool(same[0], classes=["dog", "cow", "cat"]).digests == pool(same[0]).digests
    others = [pool({**same[0], "a": "cow"}), pool({"b": "dog", "e": "cow", "c": "cat"}), pool({"b": "dog", "e": "cow"})]
    others.append(LabelledPool.from_predictions(BASELINE, ["dog", *CANDIDATE[1:]], same[0], ids=IDS))
    assert len({made.digests[1] for made in (pool(same[0]), *others)}) == 5


def test_a_pool_is_never_changed():
    first = pool({"b": "dog"})
    more = first.with_labels({"f": "cow", "b": "dog"})
    assert [made.true.tolist().count(-1) for made in (first, more)] == [5, 4]
    assert (first.n_labelled, first.strata.labelled.sum()) == (1, 1)
    assert (more.n_labelled, more.strata.labelled.sum()) == (2, 2)


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ({"x": "cat", "a": "cat", "y": "cat"}, "The pool lacks 2 ids: 'x', 'y'"),
        ({"a": "horse"}, "no class of the pool ('horse'"),
        ({1: "cat"}, "lacks 1 id: '1'"),
        ({"a": 1}, "no class of the pool (1"),
        ({"a": None}, "a missing value"),
    ],
)
def test_refuses_labels_that_do_not_fit(labels, found):
    with pytest.raises(InputError, match="labels") as error:
        pool(labels)
    assert found in error.value.found


def test_lists_ids_that_were_labelled_otherwise_before():
    first = pool({"f": "cat", "b": "cat", "c": "dog"})
    with pytest.raises(InputError) as error:
        first.with_labels({"f": "dog", "e": "cow", "b": "cow", "c": "dog"})
    assert error.value.found == "Other labels than before: 'f' was 'cat', now 'dog', 'b' was 'cat', now 'cow'"
    assert first.n_labelled == 3


def test_stated_classes_may_be_labels_that_nobody_predicts():
    made = pool({"a": "horse"}, classes=["cat", "cow", "dog", "horse"])
    assert made.true.tolist() == [3, -1, -1, -1, -1, -1]


@pytest.mark.parametrize("side", ["baseline", "candidate"])
def test_several_labels_per_example_are_refused(side):
    sides = {"baseline": ["a", "b"], "candidate": ["a", "b"], side: [{"a"}, {"a", "b"}]}
    with pytest.raises(InputError, match=f"^{side}: .* class label"):
        LabelledPool.from_predictions(**sides, labels={})


def test_refuses_pools_that_are_none():
    with pytest.raises(InputError, match="at least one"):
        LabelledPool.from_predictions([], [], {})
    with pytest.raises(InputError, match="Every example has the same predictions, 'a' and 'b'"):
        LabelledPool.from_predictions(["a", "a"], ["b", "b"], {})
    with pytest.raises(InputError, match="1 of 6 is duplicate"):
        pool(ids=["a", "a", "b", "c", "d", "e"])
    with pytest.raises(InputError, match=r"^ids: expected 6 ids"):
        pool(ids=["a"])


def test_without_ids_positions_count_from_0():
    made = LabelledPool.from_predictions(["a", "b", "a"], ["a", "a", "b"], {0: "b", 2: "a"})
    assert (made.ids.tolist(), made.true.tolist()) == ([0, 1, 2], [1, -1, 0])


def test_two_pairs_of_predictions_are_enough():
    assert LabelledPool.from_predictions(["a", "a"], ["b", "a"], {}).strata.sizes.tolist() == [1, 1]
