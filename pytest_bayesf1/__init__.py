"""Is the candidate classifier worse than the baseline, or is the drop in F1 noise?

The public names below are imported on first use, so that loading the pytest plugin stays cheap.

PYTEST_DONT_REWRITE
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.breakdown import score_gap
    from pytest_bayesf1.comparison.compare import compare, estimate
    from pytest_bayesf1.comparison.pymc_model import pymc_model
    from pytest_bayesf1.comparison.result import Comparison, Estimate
    from pytest_bayesf1.data.counts import ConfusionMatrix, MultilabelCounts, SpanCounts
    from pytest_bayesf1.data.paired import PairedCounts, Scores
    from pytest_bayesf1.data.pool import LabelledPool
    from pytest_bayesf1.engines.nuts import NutsEngine
    from pytest_bayesf1.errors import (
        BaselineError,
        BayesF1Error,
        BayesF1Warning,
        ChangedTestSetWarning,
        ChosenAnswersWarning,
        ClassSharesWarning,
        ConvergenceError,
        GateFileError,
        InputError,
        LeakageWarning,
        LeaningWorseWarning,
        UndecidedWarning,
        UnderpoweredGateWarning,
        UnevenJudgeWarning,
        UnexpectedPredictionsWarning,
        WeakBaselineWarning,
    )
    from pytest_bayesf1.gates.assertions import (
        assert_at_least,
        assert_better,
        assert_equivalent,
        assert_not_inferior,
        assert_not_worse,
    )
    from pytest_bayesf1.gates.regression import Regression
    from pytest_bayesf1.planning.plan import Plan, plan
    from pytest_bayesf1.priors import Prior
    from pytest_bayesf1.results.policy import Decision
    from pytest_bayesf1.stats.beta import (
        BetaPosterior,
        PairedOutcomes,
        f1_posterior,
        fbeta_draws,
        p_first_better,
        precision_posterior,
        recall_posterior,
    )
    from pytest_bayesf1.systems import Ranking, rank

__version__ = "0.1.0"

__all__ = [
    "BaselineError",
    "BayesF1Error",
    "BayesF1Warning",
    "BetaPosterior",
    "ChangedTestSetWarning",
    "ChosenAnswersWarning",
    "ClassSharesWarning",
    "Comparison",
    "ConfusionMatrix",
    "ConvergenceError",
    "Decision",
    "Estimate",
    "GateFileError",
    "InputError",
    "LabelledPool",
    "LeakageWarning",
    "LeaningWorseWarning",
    "MultilabelCounts",
    "NutsEngine",
    "PairedCounts",
    "PairedOutcomes",
    "Plan",
    "Prior",
    "Ranking",
    "Regression",
    "Scores",
    "SpanCounts",
    "UndecidedWarning",
    "UnderpoweredGateWarning",
    "UnevenJudgeWarning",
    "UnexpectedPredictionsWarning",
    "WeakBaselineWarning",
    "assert_at_least",
    "assert_better",
    "assert_equivalent",
    "assert_not_inferior",
    "assert_not_worse",
    "compare",
    "estimate",
    "f1_posterior",
    "fbeta_draws",
    "p_first_better",
    "plan",
    "precision_posterior",
    "pymc_model",
    "rank",
    "recall_posterior",
    "score_gap",
]

_HOMES = {
    "comparison.breakdown": ("score_gap",),
    "comparison.compare": ("compare", "estimate"),
    "comparison.pymc_model": ("pymc_model",),
    "comparison.result": ("Comparison", "Estimate"),
    "data.counts": ("ConfusionMatrix", "MultilabelCounts", "SpanCounts"),
    "data.paired": ("PairedCounts", "Scores"),
    "data.pool": ("LabelledPool",),
    "engines.nuts": ("NutsEngine",),
    "gates.assertions": (
        "assert_at_least",
        "assert_better",
        "assert_equivalent",
        "assert_not_inferior",
        "assert_not_worse",
    ),
    "gates.regression": ("Regression",),
    "planning.plan": ("Plan", "plan"),
    "priors": ("Prior",),
    "systems": ("Ranking", "rank"),
    "results.policy": ("Decision",),
    "stats.beta": (
        "BetaPosterior",
        "PairedOutcomes",
        "f1_posterior",
        "fbeta_draws",
        "p_first_better",
        "precision_posterior",
        "recall_posterior",
    ),
}
_HOME = dict.fromkeys(__all__, "errors") | {name: module for module, names in _HOMES.items() for name in names}
"""The module of every public name: `errors`, or another."""


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
