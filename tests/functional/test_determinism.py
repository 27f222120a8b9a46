"""The same input gives the same bytes: in every process, in every order, in every worker."""

import sys

import pytest

SCRIPT = """
import json
from pytest_bayesf1 import ConfusionMatrix, PairedCounts, compare
from classifiers import BASELINE, UNDECIDED
true = ["spam", "ham", "eggs", "ham", "spam", "eggs"] * 20
baseline = ["spam", "ham", "ham", "ham", "spam", "eggs"] * 20
candidate = ["spam", "eggs", "eggs", "ham", "ham", "eggs"] * 20
for comparison in (
    compare(BASELINE, UNDECIDED, rope=0.02),
    compare(ConfusionMatrix(BASELINE, ["spam", "ham"]), [[90, 5], [10, 95]], rope=0.02, prior="hierarchical"),
    compare(PairedCounts.from_predictions(true, baseline, candidate), rope=0.02, measure="f1[spam]"),
):
    print(json.dumps(comparison.to_dict()))
"""


def test_same_bytes_whatever_the_hash_seed(pytester, monkeypatch):
    outputs = []
    for hash_seed in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", hash_seed)
        result = pytester.run(sys.executable, "-c", SCRIPT)
        assert result.ret == 0
        outputs.append(result.outlines)
    assert len(outputs[0]) == 3
    assert outputs[0] == outputs[1]


@pytest.fixture
def bytes_of_each_test(pytester, monkeypatch):
    """Run three tests that write their comparison to a file; return the files' contents by test."""
    pytester.makepyfile(
        """
        import json
        import os
        from pathlib import Path
        import numpy as np
        import pytest
        import classifiers

        @pytest.mark.parametrize("name", ["MUCH_WORSE", "UNDECIDED", "BETTER"])
        @pytest.mark.parametrize("measure", ["f1_macro", "matthews_corrcoef"])
        def test_gate(bayes_compare, name, measure):
            np.random.random()
            comparison = bayes_compare(classifiers.BASELINE, getattr(classifiers, name), rope=0.02, measure=measure)
            Path(os.environ["OUT"], f"{name}-{measure}").write_text(json.dumps(comparison.to_dict()))
        """
    )

    def run(*arguments):
        directory = pytester.mkdir(f"out{'_'.join(arguments)}")
        monkeypatch.setenv("OUT", str(directory))
        pytester.runpytest(*arguments).assert_outcomes(passed=6)
        return {path.name: path.read_bytes() for path in directory.iterdir()}

    return run


@pytest.mark.long
def test_same_bytes_in_any_order(bytes_of_each_test):
    expected = bytes_of_each_test("-pno:randomly")
    assert len(expected) == 6
    for seed in (1, 2):
        assert bytes_of_each_test(f"--randomly-seed={seed}") == expected


def test_same_bytes_in_workers(bytes_of_each_test):
    assert bytes_of_each_test("-n2") == bytes_of_each_test("-n0")


def test_another_seed_gives_other_bytes(bytes_of_each_test):
    assert bytes_of_each_test("--bayesf1-seed=1") != bytes_of_each_test("--bayesf1-seed=2")
