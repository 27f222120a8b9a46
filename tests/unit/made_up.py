"""Made-up results, so that a test can say what it looks at and leave the rest alone."""

import dataclasses
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pytest_bayesf1 import Comparison, Decision, Estimate, PairedCounts, compare
from pytest_bayesf1.comparison.compare import run_estimate
from pytest_bayesf1.gates.demand import Demand, Verdict
from pytest_bayesf1.gates.evaluate import GateRun
from pytest_bayesf1.gates.source import Pair
from pytest_bayesf1.measures.classification import Measure
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.reports.entry import Place, error_entry
from pytest_bayesf1.reports.record import NO_GATE, entry_of
from pytest_bayesf1.results.comparison import (
    ClassDifference,
    Contingency,
    Convergence,
    DetectableLosses,
    ExamplesNeeded,
    JudgeFigures,
    LateFigures,
    Score,
    SharedExamples,
)
from pytest_bayesf1.results.policy import NOT_WORSE
from pytest_bayesf1.results.run import FileUse
from pytest_bayesf1.session import Session, active
from pytest_bayesf1.stats.beta import PairedOutcomes
from pytest_bayesf1.stats.frequentist import significance
from pytest_bayesf1.stats.posterior import Draws, ScorePosterior, density_curve

LABELS = ("ham", "spam")
CONTINGENCY = Contingency(both_right=700, only_baseline=40, only_candidate=60, both_wrong=200)
OUTCOMES = PairedOutcomes.prior().updated(only_first=60, only_second=40, same=900).summary()
DRAWS = np.random.default_rng(1).normal(size=2_000)
CHANGE = Draws(0.002 + 0.01 * DRAWS)
TESTS = significance("S-test", 0.0, 0.75, 2), significance("p-test", 1.9, 0.0287, 2_200, "accuracy")


def score(mean=0.8, *, observed=None, std=0.01, hdi=(0.78, 0.82)):
    draws, observed = Draws(mean + std * DRAWS), mean if observed is None else observed
    made = ScorePosterior(observed, 0.95, lambda: draws)
    vars(made)["figures"] = Score(observed, mean, std, hdi)
    return made


@cache
def compared():
    """Compare two sides: what a test does not look at is as the package makes it."""
    counts = PairedCounts.from_predictions([*LABELS, "spam"], [*LABELS, "ham"], [*LABELS, "spam"])
    return compare(counts, rope=0.01, prior="uniform", n_draws=1_000)


@cache
def estimated():
    """Estimate the score of one side."""
    return run_estimate([[9, 1], [2, 8]], 0.75, prior="hierarchical", n_draws=1_000)


def comparison(**changes):
    """Return a comparison that is settled, paired and undecided, with figures that are easy to read."""
    is_paired, mean = changes.get("model", "paired") == "paired", changes.get("mean", 0.002)
    figures = {
        **{field.name: getattr(compared(), field.name) for field in dataclasses.fields(Comparison)},
        "decision": Decision.UNDECIDED,
        "mean": mean,
        "std": 0.01,
        "hdi": (-0.018, 0.022),
        "p_worse": 0.42,
        "p_better": 0.58,
        "p_lost_more": 0.12,
        "p_gained_more": 0.21,
        "p_below_rope": 0.12,
        "p_in_rope": 0.67,
        "p_above_rope": 0.21,
        "settled": True,
        "mcse_hdi": (0.0001, 0.0002),
        "n_draws": 20_000,
        "convergence": Convergence(20_000.0),
        "n_samples": (1_000, 1_200),
        "baseline": score(0.8),
        "candidate": score(0.8 + mean),
        "draws": CHANGE,
        "density": density_curve(CHANGE),
        "contingency": CONTINGENCY if is_paired else None,
        "model_reason": "both sides have predictions on the same examples",
        **changes,
        "examples_needed": ExamplesNeeded(*3 * [changes.get("examples_needed", 0)]),
    }
    of = provenance(compared(), **changes)
    late = {
        "bayes_factor": 6.25,
        "bayes_factor_mcse": 0.031,
        "bayes_factor_sd": 7.5,
        "bayes_factor_sd_mcse": 0.12,
        "detectable_losses": DetectableLosses(0.035, 0.028, 0.042),
        "classical_tests": TESTS,
        "paired_outcomes": OUTCOMES if is_paired else None,
        "classes": figures.pop("classes", ()),
        **{field.name: figures.pop(field.name) for field in dataclasses.fields(LateFigures) if field.name in figures},
    }
    derived = {
        "provenance": of,
        "measure_words": of.measure.words,
        "decision_words": figures["decision"].words,
        "mcse": figures["std"] / figures["convergence"].ess ** 0.5,
        "n_classes": len(figures["labels"]),
    }
    made = Comparison(**{**figures, **derived, **{name: given for name, given in changes.items() if name in derived}})
    vars(made).update(late)
    return made


def judged(*sides):
    """Return a judge that errs so much on each side, and passes so many of the answers that people fail."""
    errors, passed, failed = zip(*sides, strict=True)
    counts = {"passed": passed, "failed": failed} if all(failed) else {"passed": None, "failed": None}
    of_pair = {"corrected": None, "favour": None, "p_even": None, "p_random": None}
    scores = (0.5, 0.4)[: len(sides)]
    return JudgeFigures(n_human=20, checksum="", scores=scores, hdi=(0.0, 0.1), errors=errors, **counts, **of_pair)


def shared(n_baseline=400, n_candidate=380, n_shared=370, **figures):
    """Return what two test sets share, which hides nothing but for these figures."""
    none = ("decision_if_wrong", "decision_on_old_truth", "decision_on_whole", "whole_scores")
    of = {**dict.fromkeys(none), "n_corrected": 0, "favoured": (0, 0), "p_favoured": 1.0, **figures}
    return SharedExamples(n_baseline=n_baseline, n_candidate=n_candidate, n_shared=n_shared, **of)


def provenance(made, measure="f1_macro", custom_measure=False, **others):
    """Return what another measure of the same data is made of."""
    named = None if custom_measure else parse_name(measure)
    return dataclasses.replace(made.provenance, measure=Measure(measure, named))


def estimate(**changes):
    """Return an estimate above its floor, but for the changes."""
    of = provenance(estimated(), **changes)
    figures = {
        **{field.name: getattr(estimated(), field.name) for field in dataclasses.fields(Estimate)},
        "p_below_floor": 0.0,
        "below_floor": False,
        "above_floor": True,
        "settled": True,
        "mcse_hdi": (0.0001, 0.0002),
        "n_draws": 20_000,
        "convergence": Convergence(20_000.0),
        "n_samples": 1_000,
        "n_classes": 3,
        "score": score(0.8),
        "provenance": of,
        **changes,
    }
    known = figures["score"]
    derived = {"measure_words": of.measure.words, "density": density_curve(Draws(known.draws))}
    return Estimate(**{**figures, **derived})


def gated(result, policy=NOT_WORSE, words="", part="", **demand):
    """Return what a gate says that judged one result."""
    asked = Demand(policy=policy, **{"arguments": {}, **demand})
    sides = Pair([[450, 50], [50, 450]], [[450, 50], [50, 450]])
    return GateRun(sides, asked, (Verdict.of(result, policy, words, part),))


class Recorded(list[Any]):
    """What a session recorded."""

    @property
    def runs(self):
        """The gates that judged."""
        return [each for each in self if isinstance(each, GateRun)]

    @property
    def verdicts(self):
        """Those that a report lists."""
        return [verdict for run in self.runs for verdict in listed(run)]

    @property
    def uses(self):
        """What became of files."""
        return [(each.use, Path(each.path)) for each in self if isinstance(each, FileUse)]


@contextmanager
def recording(**session):
    """Record what is compared for the time of a with block."""
    found = Recorded()
    with active(Session(record=found.append, **session)):
        yield found


def listed(run):
    """Return the verdicts of a gate that a report lists."""
    return [run.whole, *run.judged[1:]]


def entry(result, verdict="passed", *, test="tests/test_spam.py::test_f1", gate="assert_not_worse", **said):
    """Return what a report holds about a result."""
    texts = {name: str(said.pop(name)) for name in [*said] if name in NO_GATE}
    place = Place(test=test, file=test.partition("::")[0], line=1)
    return entry_of(result, {**texts, "gate": gate, "verdict": str(verdict)}, **said).at(place)


def falling(*labels, baseline=0.9, candidate=0.8):
    """Return classes whose F1 falls."""
    change = candidate - baseline
    return tuple(
        ClassDifference(label, (100, 120), baseline, candidate, change, (change - 0.05, change + 0.05))
        for label in labels
    )


def a_class(label):
    """Return whose the entry of a class is."""
    return {"gate": "per_class", "part": f"class {label}", "by": "class", "value": label}


def a_slice(column, value):
    """Return whose the entry of a slice is."""
    return {"gate": "slices", "part": f"{column}={value}", "by": column, "value": value}


def error(problem, test="tests/test_spam.py::test_f1", file="", line=0):
    """Return what a report holds about a test without an answer."""
    return error_entry(problem, Place(test=test, file=file, line=line))
