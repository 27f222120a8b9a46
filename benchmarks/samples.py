"""Predictions of two classifiers that make much the same errors."""

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int64]


def predictions(n_classes: int, n_examples: int, seed: int = 0) -> tuple[Codes, Codes, Codes]:
    """Return the truth, the baseline (about 82% right) and the candidate (80%), which agree on most examples.

    Classes differ in size, every class occurs, and a class is mistaken for its neighbours most often.
    """
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(n_classes, 5.0))
    true = np.concatenate([np.arange(n_classes), rng.choice(n_classes, n_examples - n_classes, p=shares)])

    def classified(accuracy: float) -> Codes:
        distance = 1 + np.minimum(rng.geometric(0.3, n_examples) - 1, n_classes - 2)
        return np.where(rng.random(n_examples) < accuracy, true, (true + distance) % n_classes)

    baseline = classified(0.82)
    return true, baseline, np.where(rng.random(n_examples) < 0.7, baseline, classified(0.78))
