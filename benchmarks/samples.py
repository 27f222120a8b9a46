"""Predictions of two classifiers, spans and scores of two systems, that make much the same errors."""

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]


def predictions(
    n_classes: int, n_examples: int, seed: int = 0, agreement: float = 0.7, right: float = 0.78
) -> tuple[Codes, Codes, Codes]:
    """Return the truth, the baseline (about 82% right) and the candidate (80%), which agree on most examples.

    The candidate repeats a share of the baseline's predictions; of the others, another share is right.

    Classes differ in size, every class occurs, and a class is mistaken for its neighbours most often.
    """
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(n_classes, 5.0))
    true = np.concatenate([np.arange(n_classes), rng.choice(n_classes, n_examples - n_classes, p=shares)])

    def classified(accuracy: float) -> Codes:
        distance = 1 + np.minimum(rng.geometric(0.3, n_examples) - 1, n_classes - 2)
        return np.where(rng.random(n_examples) < accuracy, true, (true + distance) % n_classes)

    baseline = classified(0.82)
    return true, baseline, np.where(rng.random(n_examples) < agreement, baseline, classified(right))


def ranked(n_examples: int, seed: int = 0) -> tuple[Codes, Scores, Scores]:
    """Return the truth, three examples in ten being positive, and scores of two systems whose area is about 0.86."""
    rng = np.random.default_rng(seed)
    true = (rng.random(n_examples) < 0.3).astype(np.int64)
    shared = 0.9 * rng.normal(size=n_examples)
    baseline, candidate = (1.5 * true + shared + 0.4 * rng.normal(size=n_examples) for _ in range(2))
    return true, baseline, candidate


SENTENCES = 15
"""Of every document, of 14 tokens each, as CoNLL-2003 has about as many; up to three spans of two tokens."""

Tags = list[list[str]]


def tags(n_documents: int, n_types: int, seed: int = 0) -> tuple[Tags, Tags, Tags]:
    """Return the true tags of every sentence, the baseline's and the candidate's."""
    rng = np.random.default_rng(seed)
    shape = (n_documents * SENTENCES, 3)
    true = np.where(rng.random(shape) < 0.55, rng.integers(n_types, size=shape), -1)

    def found(accuracy: float) -> Codes:
        return np.where(rng.random(shape) < accuracy, true, rng.integers(-1, n_types, size=shape))

    baseline = found(0.9)
    candidate = np.where(rng.random(shape) < 0.7, baseline, found(0.88))
    return _tagged(true), _tagged(baseline), _tagged(candidate)


def _tagged(kinds: Codes) -> Tags:
    tagged = np.full((len(kinds), 14), "O", dtype=object)
    for place, column in enumerate(kinds.T):
        for prefix, token in (("B", 5 * place), ("I", 5 * place + 1)):
            tagged[:, token] = ["O" if kind < 0 else f"{prefix}-{kind}" for kind in column.tolist()]
    sentences: Tags = tagged.tolist()
    return sentences
