"""What the properties are about: counts, posteriors, ropes."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst


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
