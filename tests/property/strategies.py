"""What the properties are about: experiments, labels, posteriors, ropes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)
CLASS_NAMES = NAMES.filter(str.strip)


def label_lists(size):
    """Return strategies for ``size`` labels in any order."""
    numbers = st.lists(st.integers(-1_000, 1_000), min_size=size, max_size=size, unique=True)
    names = st.lists(CLASS_NAMES, min_size=size, max_size=size, unique=True)
    return st.one_of(numbers, names)


@dataclass(frozen=True)
class Examples:
    """The truth about some examples and what two classifiers said, over labels that all occur."""

    labels: list[Any]
    y_true: list[Any]
    baseline_pred: list[Any]
    candidate_pred: list[Any]

    def __len__(self):
        return len(self.y_true)

    @property
    def columns(self):
        return self.y_true, self.baseline_pred, self.candidate_pred


@st.composite
def examples(draw, max_classes=4, max_size=25):
    """Draw examples; every label is the truth of at least one."""
    labels = draw(st.integers(2, max_classes).flatmap(label_lists))
    size = draw(st.integers(len(labels), max_size))
    rest = draw(st.lists(st.sampled_from(labels), min_size=size - len(labels), max_size=size - len(labels)))
    guesses = st.lists(st.sampled_from(labels), min_size=size, max_size=size)
    return Examples(labels, labels + rest, draw(guesses), draw(guesses))


@st.composite
def confusion_matrices(draw, min_classes=2, max_classes=5, max_count=50):
    """Draw counts in which every class is true or predicted at least once."""
    size = draw(st.integers(min_classes, max_classes))
    counts = draw(npst.arrays(np.int64, (size, size), elements=st.integers(0, max_count)))
    unseen = (counts.sum(axis=0) + counts.sum(axis=1)) == 0
    counts[unseen, unseen] = 1
    return counts


SHAPES = st.floats(1, 30)


@st.composite
def posteriors(draw, n_draws=2_000):
    """Draw from a posterior with one mode: a Beta, stretched over some interval around 0."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    low, high = draw(st.floats(-0.2, -0.001)), draw(st.floats(0.001, 0.2))
    return low + (high - low) * rng.beta(draw(SHAPES), draw(SHAPES), size=n_draws)


ROPES = st.tuples(st.floats(-0.1, -1e-4), st.floats(1e-4, 0.1))
PROBABILITIES = st.floats(0.2, 0.98)
