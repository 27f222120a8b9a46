"""Made-up systems on the same examples, which are hard or easy for all of them."""

import numpy as np

from pytest_bayesf1 import ConfusionMatrix


def predictions(n_examples, accuracies, n_classes=3, seed=0):
    """Return the truth, and what a system of each accuracy predicts."""
    rng = np.random.default_rng(seed)
    true, hardness = rng.integers(n_classes, size=n_examples), rng.random(n_examples)
    own = rng.random((len(accuracies), n_examples))
    accuracy = np.array(accuracies)[:, None]
    easier_half, harder_half = 1 - np.sqrt((1 - accuracy) / 2), np.sqrt(accuracy / 2)  # of a triangular distribution
    right = 0.5 * (hardness + own) < np.where(accuracy > 0.5, easier_half, harder_half)
    wrong = (true + rng.integers(1, n_classes, size=right.shape)) % n_classes
    return true, np.where(right, true, wrong)


def systems(n_examples=400, accuracies=(0.6, 0.7, 0.8), n_classes=3, seed=0, **given):
    """Return the systems by name: a, b, c, ..."""
    true, predicted = predictions(n_examples, accuracies, n_classes, seed)
    names = (chr(ord("a") + place) for place in range(len(predicted)))
    return {
        name: ConfusionMatrix.from_predictions(true, each, labels=range(n_classes), **given)
        for name, each in zip(names, predicted, strict=True)
    }
