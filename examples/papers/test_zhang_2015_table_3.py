"""Zhang et al. 2015, Table III: two-sided P-values of the tests of Yang & Liu (1999).

The sign test of micro-F1 depends on how often both sides are right, which the matrices leave between the most that they
allow and what chance would give. That of macro-F1 is an exact one in the paper, where Yang & Liu have a normal
approximation for more than 12 classes (last column).

SVM_L1 is another run than the matrix of Fig. 3, which gives 0.010 and 0.138 in the t-tests. Ours follow from Table II,
at either end of its rounding. The paper's 0.145 takes nearly all of that rounding to go one way: rather a third run.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.stats.frequentist import macro_sign_test, macro_t_test, micro_sign_test, proportion_test

ROUNDING = 0.0005
TITLE = "Zhang et al. 2015, Table III: two-sided P-values, ours | paper, for "


@dataclass(frozen=True, eq=False)
class Scores:
    """What the tests look at: F1 by class, and accuracy, which is micro-F1."""

    f1: Floats
    accuracy: float


@pytest.fixture
def possible_scores(newsgroups, published):
    """Scores of each classifier from its matrix; of SVM_L1 the two ends of the rounding of Table II."""
    possible = {name: [from_matrix(counts)] for name, counts in newsgroups.items()}
    *classes, micro, _ = (float(row["svm_l1"]) for row in published("zhang-2015-table-2"))
    possible["svm_l1"] = [Scores(np.array(classes) + shift, micro + shift) for shift in (-ROUNDING, ROUNDING)]
    return possible


def from_matrix(counts):
    right = counts.diagonal()
    return Scores(2 * right / (counts.sum(axis=0) + counts.sum(axis=1)), right.sum() / counts.sum())


def two_sided(test):
    return 2 * test.p_value


def test_micro_f1(newsgroups, possible_scores, published, side_by_side):
    with side_by_side(TITLE + "micro-F1") as table:
        for paper in published("zhang-2015-table-3", measure="f1_micro"):
            a, b = paper["pair"].split(" vs ")
            n = newsgroups[a].sum()
            t_tests = [
                two_sided(proportion_test(first.accuracy, n, second.accuracy, n))
                for first, second in product(possible_scores[a], possible_scores[b])
            ]
            signs = micro_sign_tests(newsgroups[a], newsgroups[b])
            table.row(paper["pair"], {"sign test": (signs, paper["sign_test"]), "t-test": (t_tests, paper["t_test"])})


def micro_sign_tests(a, b):
    right_a, right_b, examples = a.diagonal(), b.diagonal(), a.sum(axis=1)
    both_right = (np.minimum(right_a, right_b).sum(), round((right_a * right_b / examples).sum()))
    return [two_sided(micro_sign_test(right_a.sum() - both, right_b.sum() - both)) for both in both_right]


def test_macro_f1(possible_scores, published, side_by_side):
    with side_by_side(TITLE + "macro-F1") as table:
        for paper in published("zhang-2015-table-3", measure="f1_macro"):
            a, b = ([scores.f1 for scores in possible_scores[name]] for name in paper["pair"].split(" vs "))
            table.row(
                paper["pair"],
                {
                    "sign test": ([exact_sign_test(*pair) for pair in product(a, b)], paper["sign_test"]),
                    "t-test": ([two_sided(macro_t_test(*pair)) for pair in product(a, b)], paper["t_test"]),
                    "approximate sign test": f"{two_sided(macro_sign_test(a[0], b[0])):.4f}",
                },
            )


def exact_sign_test(a, b):
    return binomtest(int((a > b).sum()), int((a != b).sum())).pvalue
