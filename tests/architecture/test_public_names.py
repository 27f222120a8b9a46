import subprocess
import sys
from pathlib import Path

import pytest

import pytest_bayesf1

PACKAGE = Path(pytest_bayesf1.__file__).parent
PUBLIC = {
    "BaselineError",
    "BayesF1Error",
    "BayesF1Warning",
    "UnderpoweredGateWarning",
    "BetaPosterior",
    "Comparison",
    "ConfusionMatrix",
    "ConvergenceError",
    "Decision",
    "Estimate",
    "GateFileError",
    "InputError",
    "MultilabelCounts",
    "NutsEngine",
    "PairedCounts",
    "PairedOutcomes",
    "Plan",
    "Prior",
    "Ranking",
    "Regression",
    "Scores",
    "SlightlyWorseWarning",
    "SpanCounts",
    "UnexpectedPredictionsWarning",
    "UndecidedWarning",
    "WideRopeWarning",
    "assert_at_least",
    "assert_better",
    "assert_equivalent",
    "assert_not_inferior",
    "assert_not_worse",
    "compare",
    "f1_posterior",
    "fbeta_draws",
    "p_first_better",
    "plan",
    "precision_posterior",
    "pymc_model",
    "rank",
    "recall_posterior",
    "score_gap",
    "shrink",
}


def test_the_public_names_are_these():
    assert set(pytest_bayesf1.__all__) == PUBLIC
    assert set(dir(pytest_bayesf1)) >= PUBLIC


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_every_public_name_is_there_and_documented(name):
    assert getattr(pytest_bayesf1, name).__doc__


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="comparee"):
        _ = pytest_bayesf1.comparee


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, pytest_bayesf1; print({'numpy', 'scipy', 'pytest'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
