"""How long a comparison takes beside plain numpy: ``python -m benchmarks.speed`` prints the ratio.

Both run in one process by turns, and the fastest run of each counts: the ratio hardly depends on the machine or its
load.
"""

from collections.abc import Callable
from time import process_time

import numpy as np

from pytest_bayesf1 import PairedCounts, compare

RECORDED = 1.7
"""On two cores, by Python 3.11. If a comparison may take longer, run this module on an idle machine and update this."""

_RUNS = 5


def ratio() -> float:
    """Divide the processor time of a comparison by that of gamma draws and sorting, which most of it consists of."""
    _comparison(_RUNS)  # imports
    times = [(_time(_comparison, run), _time(_numpy, run)) for run in range(_RUNS)]
    return min(ours for ours, _ in times) / min(numpy for _, numpy in times)


def _comparison(seed: int) -> None:
    """Compare 20 classes of 75 examples each, paired; other data every time, so that nothing is cached."""
    rng = np.random.default_rng(seed)
    true = np.repeat(np.arange(20), 75)
    baseline, other = (np.where(rng.random(true.size) < 0.8, true, rng.integers(20, size=true.size)) for _ in range(2))
    candidate = np.where(rng.random(true.size) < 0.7, baseline, other)
    compare(PairedCounts.from_predictions(true, baseline, candidate), rope=0.05).figures()


def _numpy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(10):
        np.sort(rng.standard_gamma(0.5, size=400_000))


def _time(function: Callable[[int], None], seed: int) -> float:
    begin = process_time()
    function(seed)
    return process_time() - begin


if __name__ == "__main__":
    print(f"{ratio():.2f}")
