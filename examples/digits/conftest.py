"""A model in production and its retrained successor, both tested on the same held-out digits."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from pytest_bayesf1 import ConfusionMatrix


@pytest.fixture(scope="session")
def digits():
    """Images, digits and an id for every image, half of them for training."""
    images, labels = load_digits(return_X_y=True)
    return train_test_split(images, labels, np.arange(labels.size), test_size=0.5, random_state=0, stratify=labels)


@pytest.fixture(scope="session")
def baseline(digits):
    """In production: logistic regression, trained on the first 400 images."""
    images, test_images, labels, test_labels, _, ids = digits
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(images[:400], labels[:400])
    return ConfusionMatrix.from_predictions(test_labels, model.predict(test_images), ids=ids)


@pytest.fixture(scope="session")
def candidate(digits):
    """Retrained on all images, as a support vector machine; its predictions arrive in another order."""
    images, test_images, labels, test_labels, _, ids = digits
    model = SVC(gamma=0.001).fit(images, labels)
    order = np.argsort(ids)
    return ConfusionMatrix.from_predictions(test_labels[order], model.predict(test_images[order]), ids=ids[order])
