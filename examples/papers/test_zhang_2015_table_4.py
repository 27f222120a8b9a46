"""Zhang et al. 2015, Table IV: the independent hierarchical model, ROPE ±0.005.

The paper's Bayes factors divide the posterior density at 0 by that of the uniform prior, which is not the prior of its
model. With that, in the last column, only three of the six still speak for a difference, and one speaks against it.
"""

import numpy as np
import pytest

from pytest_bayesf1 import compare

ROPE = 0.005
N_DRAWS = 20_000
# The paper drew 50,000 times by Markov chain; its figures are allowed the error of a tenth as many independent draws.
PAPER_DRAWS = 5_000
ERROR = 4 * np.sqrt(1 / PAPER_DRAWS + 1 / N_DRAWS)


@pytest.mark.parametrize("measure", ["f1_micro", "f1_macro"])
def test_posterior_of_delta(newsgroups, published, side_by_side, figures_of_delta, measure):
    with side_by_side(f"Zhang et al. 2015, Table IV: {measure}, ours | paper") as table:
        for paper in published("zhang-2015-table-4", measure=measure):
            first, second = (newsgroups[name] for name in paper["pair"].split(" vs "))
            ours = posterior(first, second, measure)
            factor = ours.savage_dickey("uniform")
            table.row(
                paper["pair"],
                {
                    **figures_of_delta([ours.delta], paper, ROPE, ERROR),
                    "std": (ours.std, paper["std"], ERROR * ours.std),
                    "decision": (ours.decision.ascii, paper["decision"]),
                    "BF": (factor.value, paper["bf_sd"], allowed(factor.mcse)),
                    "BF, own prior": f"{ours.bayes_factor_sd:.3f}",
                },
            )


def posterior(candidate, baseline, measure):
    return compare(
        baseline, candidate, measure=measure, rope=ROPE, model="independent", prior="hierarchical", n_draws=N_DRAWS
    )


def allowed(mcse):
    """Return four standard errors of ours and the paper's kernel estimate, whose error shrinks as n^(-2/5)."""
    return 4 * mcse * np.hypot(1, (N_DRAWS / PAPER_DRAWS) ** 0.4)
