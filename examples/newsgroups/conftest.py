"""The confusion matrices that Zhang et al. (2015) published in Fig. 3: 7,532 test documents, 20 newsgroups."""

from pathlib import Path

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix

MATRICES = Path(__file__).parent / "matrices"
NEWSGROUPS = [
    "alt.atheism",
    "comp.graphics",
    "comp.os.ms-windows.misc",
    "comp.sys.ibm.pc.hardware",
    "comp.sys.mac.hardware",
    "comp.windows.x",
    "misc.forsale",
    "rec.autos",
    "rec.motorcycles",
    "rec.sport.baseball",
    "rec.sport.hockey",
    "sci.crypt",
    "sci.electronics",
    "sci.med",
    "sci.space",
    "soc.religion.christian",
    "talk.politics.guns",
    "talk.politics.mideast",
    "talk.politics.misc",
    "talk.religion.misc",
]


def _load(name):
    return ConfusionMatrix(np.loadtxt(MATRICES / f"{name}.csv", delimiter=",", dtype=int), labels=NEWSGROUPS)


@pytest.fixture(scope="session")
def nb_bern():
    """Bernoulli naive Bayes."""
    return _load("nb_bern")


@pytest.fixture(scope="session")
def nb_mult():
    """Multinomial naive Bayes."""
    return _load("nb_mult")


@pytest.fixture(scope="session")
def svm_l1():
    """Linear SVM, L1 penalty."""
    return _load("svm_l1")


@pytest.fixture(scope="session")
def svm_l2():
    """Linear SVM, L2 penalty."""
    return _load("svm_l2")
