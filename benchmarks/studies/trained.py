"""Populations of trained models: a baseline, the same recipe on other examples, and the recipe on fewer of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.studies.populations import Population
from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.measures.classification import Measure

SPLITS = 10
"""Halves of the data to train on: the population is every example of the other half, after each training."""
FULL = 0.8
"""The share of a half that the baseline is trained on, and a candidate that is as good."""
FEWER = (0.6, 0.45, 0.33, 0.25, 0.18, 0.13, 0.1, 0.07, 0.05, 0.035, 0.025)


def _made(n_classes: int, imbalance: float, seed: int) -> tuple[Floats, Codes]:
    shares = np.geomspace(imbalance, 1, n_classes)
    features, classes = make_classification(
        20_000,
        n_informative=12,
        n_redundant=4,
        n_classes=n_classes,
        n_clusters_per_class=1,
        weights=shares / shares.sum(),
        class_sep=1.5,
        flip_y=0.02,
        random_state=seed,
    )
    return features, classes


DATA: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {
        "digits": lambda: load_digits(return_X_y=True),
        "breast cancer": lambda: load_breast_cancer(return_X_y=True),
        "wine": lambda: load_wine(return_X_y=True),
        "iris": lambda: load_iris(return_X_y=True),
        "made, 5 classes": lambda: _made(5, 4, seed=5),
        "made, 20 classes": lambda: _made(20, 10, seed=20),
    }
)
RECIPES: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {
        "logistic": lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=300)),
        "Bayes": lambda: make_pipeline(StandardScaler(), GaussianNB(var_smoothing=0.01)),
        "forest": lambda: RandomForestClassifier(30, random_state=0),
        "neighbours": lambda: make_pipeline(StandardScaler(), KNeighborsClassifier(3)),
    }
)


@dataclass(frozen=True, eq=False)
class Trained:
    """What a recipe does on a data set.

    Attributes
    ----------
    equal
        The candidate was trained on as many examples as the baseline, most of them the same.
    weaker
        It was trained on fewer: of each share in turn.
    """

    equal: Population
    weaker: tuple[Population, ...]

    @classmethod
    def of(cls, data: str, recipe: str, seed: int = 0) -> "Trained":
        """Train all of them."""
        features, classes = DATA[data]()
        rng, joints = np.random.default_rng(seed), np.zeros((1 + len(FEWER), *3 * [classes.max() + 1]))
        for _ in range(SPLITS):
            order = rng.permutation(classes.size)
            half, rest = np.split(order, [classes.size // 2])

            def predict(share: float, half: Codes = half, rest: Codes = rest) -> Codes:
                n = max(round(share * half.size), 5 * len(joints[0]))
                some = rng.permutation(half)[:n]
                return np.asarray(RECIPES[recipe]().fit(features[some], classes[some]).predict(features[rest]))

            baseline = predict(FULL)
            for joint, share in zip(joints, (FULL, *FEWER), strict=True):
                np.add.at(joint, (classes[rest], baseline, predict(share)), 1)
        equal, *weaker = joints / joints.sum(axis=(1, 2, 3), keepdims=True)
        return cls(Population((equal + equal.swapaxes(1, 2)) / 2), tuple(map(Population, weaker)))

    @cached_property
    def won(self) -> float:
        """How much of what the baseline gets wrong the weaker ones get right, on average."""
        return float(np.mean([_won(each) for each in self.weaker]))

    def losing(self, measure: Measure, loss: float) -> Population | None:
        """Return a candidate that loses so much, by either of two next to it; None if all lose less."""
        known = [(-each.delta(measure), each) for each in (self.equal, *self.weaker)]
        for (less, before), (more, after) in pairwise(known):
            if less <= loss <= more:
                part = (loss - less) / (more - less)
                return Population((1 - part) * before.joint + part * after.joint)
        return None


def _won(population: Population) -> float:
    joint, classes = population.joint, np.arange(population.n_classes)
    wrong = 1 - joint[classes, classes].sum()
    won = joint[classes, :, classes].sum() - joint[classes, classes, classes].sum()
    return float(won / wrong)
