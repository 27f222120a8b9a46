"""Rankings of several systems, against their true scores."""

import numpy as np
import pytest

from benchmarks.studies.ranking import Setting, simulate


@pytest.mark.long
@pytest.mark.parametrize("setting", [Setting(2, 300), Setting(5, 500)])
def test_intervals_of_differences_and_of_ranks_hold_the_truth(setting):
    """In 200 test sets of five systems; benchmarks/studies/ranking.md has more of them."""
    outcomes = simulate(setting, 200, seed=1)
    assert 0.92 < np.mean([each.held for each in outcomes]) < 0.98
    assert np.mean([each.ranks_held for each in outcomes]) > 0.92
