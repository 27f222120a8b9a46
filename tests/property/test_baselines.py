"""Any labels and ids come back from a baseline as they were."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts
from pytest_bayesf1.baselines.store import Baseline, from_text, to_text
from tests.property.strategies import confusion_matrices

HOSTILE = st.sampled_from(
    ["\n", "\r\n", '"', "\\", "'", "\ud800", "\u200f", "\u202e", "\u2028", "\x85", "]", "<<<<<<<", ","]
)
TEXTS = st.lists(HOSTILE | st.characters(exclude_characters="\0"), max_size=6).map("".join)
INTEGERS = st.integers(-(2**63), 2**63 - 1)


def distinct(size):
    return st.one_of(*(st.lists(kind, min_size=size, max_size=size, unique=True) for kind in (TEXTS, INTEGERS)))


@st.composite
def examples(draw, element):
    """Draw labels, the truth, predictions and ids; ``element`` makes an example's truth of the labels."""
    labels = draw(distinct(draw(st.integers(2, 4))) | st.permutations([False, True]))
    size = draw(st.integers(1, 8))
    truth, said = (draw(st.lists(element(labels), min_size=size, max_size=size)) for _ in range(2))
    return labels, truth, said, draw(st.none() | distinct(size))


def restored(side, name="x"):
    baseline = from_text(to_text(Baseline(name, side)), "here")
    assert baseline.name == name
    assert list(map(repr, baseline.counts.labels)) == list(map(repr, side.labels))
    return baseline.counts


def columns(side):
    return repr(side.predictions.columns(side.labels))


@given(examples(st.sampled_from), TEXTS)
def test_classes(drawn, name):
    labels, truth, said, ids = drawn
    side = ConfusionMatrix.from_predictions(truth, said, labels=labels, ids=ids)
    again = restored(side, name)
    assert again == side
    assert columns(again) == columns(side)


@given(examples(lambda labels: st.sets(st.sampled_from(labels))))
def test_sets_of_labels(drawn):
    labels, truth, said, ids = drawn
    truth[0] = {labels[0]}
    side = MultilabelCounts.from_predictions(truth, said, labels=labels, ids=ids)
    again = restored(side)
    assert again == side
    assert columns(again) == columns(side)


@given(confusion_matrices(), st.data())
def test_counts(counts, data):
    side = ConfusionMatrix(counts, labels=data.draw(distinct(len(counts))))
    assert restored(side) == side
    assert restored(ConfusionMatrix(counts)) == ConfusionMatrix(counts)


@given(examples(st.sampled_from), st.randoms(use_true_random=False))
def test_the_order_of_examples_with_ids_leaves_no_trace(drawn, random):
    labels, truth, said, ids = drawn
    ids = list(range(len(truth))) if ids is None else ids
    order = random.sample(range(len(truth)), len(truth))
    there = [[column[i] for i in order] for column in (truth, said, ids)]
    texts = {
        to_text(Baseline("x", ConfusionMatrix.from_predictions(*each[:2], labels=labels, ids=each[2])))
        for each in ([truth, said, ids], there)
    }
    assert len(texts) == 1
    assert np.array_equal(sorted(ids), from_text(texts.pop(), "here").counts.predictions.ids)
