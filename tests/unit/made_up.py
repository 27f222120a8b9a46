"""Made-up results, so that a test can say what it looks at and leave the rest alone."""

import dataclasses

import numpy as np

from pytest_bayesf1 import Comparison, Decision, Estimate
from pytest_bayesf1.choices import OnNewTestSet
from pytest_bayesf1.comparison.compare import thinned_chains
from pytest_bayesf1.comparison.subject import OutcomeSubject, Provenance
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.gates.demand import Demand
from pytest_bayesf1.gates.evaluate import GateResult
from pytest_bayesf1.gates.policy import Judgement, Policy
from pytest_bayesf1.gates.source import InMemory
from pytest_bayesf1.measures.classification import Measure
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.priors import UNIFORM
from pytest_bayesf1.reports.entry import Place, entry_of, error_entry
from pytest_bayesf1.results.comparison import Contingency, Convergence, DetectableLosses, LateFigures
from pytest_bayesf1.session import Record
from pytest_bayesf1.stats.beta import PairedOutcomes
from pytest_bayesf1.stats.frequentist import significance
from pytest_bayesf1.stats.posterior import Draws, ScorePosterior, density_curve

LABELS = ("ham", "spam")
CONTINGENCY = Contingency(both_right=700, only_baseline=40, only_candidate=60, both_wrong=200)
OUTCOMES = PairedOutcomes.prior().updated(only_first=60, only_second=40, same=900).summary()
DRAWS = np.random.default_rng(1).normal(size=2_000)


def score(mean=0.8, *, observed=None, std=0.01, hdi=(0.78, 0.82)):
    draws = mean + std * DRAWS
    return ScorePosterior(mean if observed is None else observed, mean, std, hdi, density_curve(Draws(draws)), draws)


def comparison(**changes):
    """Return a comparison that is settled, paired and undecided, but for the changes."""
    fields = {
        "decision": Decision.UNDECIDED,
        "measure": "f1_macro",
        "custom_measure": False,
        "rope": (-0.01, 0.01),
        "hdi_prob": 0.95,
        "mean": 0.002,
        "std": 0.01,
        "hdi": (-0.018, 0.022),
        "mcse_hdi": (0.0001, 0.0002),
        "p_worse": 0.42,
        "p_better": 0.58,
        "p_below_rope": 0.12,
        "p_in_rope": 0.67,
        "p_above_rope": 0.21,
        "bayes_factor": 6.25,
        "bayes_factor_mcse": 0.031,
        "bayes_factor_sd": 7.5,
        "bayes_factor_sd_mcse": 0.12,
        "settled": True,
        "examples_needed": 0,
        "detectable_losses": DetectableLosses(0.035, 0.028),
        "model": "paired",
        "model_reason": "both sides' predictions on the same examples are known",
        "on_new_test_set": OnNewTestSet.SHARED,
        "shared_examples": None,
        "pool": None,
        "stated_agreement": None,
        "class_shares": None,
        "prevalence": "",
        "prior": "uniform",
        "engine": "exact",
        "seed": 0,
        "n_draws": 20_000,
        "convergence": Convergence(ess=20_000.0),
        "n_samples": (1_000, 1_200),
        "unsupported": (),
        "clusters": None,
        "largest_drops": (),
        "largest_moves": (),
        "contingency": CONTINGENCY if changes.get("model", "paired") == "paired" else None,
        "classical_tests": (
            significance("S-test", 0.0, 0.75, 2),
            significance("p-test", 1.9, 0.0287, 2_200, "accuracy"),
        ),
        "paired_outcomes": OUTCOMES if changes.get("model", "paired") == "paired" else None,
        "labels": LABELS,
        "baseline": score(0.800),
        "candidate": score(0.8 + changes.get("mean", 0.002)),
        "draws": Draws(0.002 + 0.01 * DRAWS),
        "draws_before": None,
        "can_fail": True,
        "density": density_curve(Draws(0.002 + 0.01 * DRAWS)),
        "prior_density": density_curve(Draws(0.3 * DRAWS), around=Draws(0.002 + 0.01 * DRAWS)),
        "provenance": provenance(**changes),
    }
    found = {**fields, **changes}
    late = {field.name: found.pop(field.name) for field in dataclasses.fields(LateFigures)}
    derived = {
        "measure_words": found["provenance"].measure.words,
        "trace": thinned_chains(found["convergence"], found["draws"].values),
        "decision_words": found["decision"].words,
        "mcse": found["std"] / found["convergence"].ess ** 0.5,
        "n_classes": len(found["labels"]),
    }
    made = Comparison(**{**derived, **found})
    vars(made).update(late)
    return made


def provenance(measure="f1_macro", custom_measure=False, **others):
    named = None if custom_measure else parse_name(measure)
    subject = OutcomeSubject(Experiment.before_data("paired", 2), LABELS, "")
    return Provenance(subject, UNIFORM, Measure(measure, named))


def estimate(**changes):
    """Return an estimate above its floor, but for the changes."""
    fields = {
        "measure": "f1_macro",
        "floor": 0.75,
        "p_below_floor": 0.0,
        "below_floor": False,
        "above_floor": True,
        "mcse_hdi": (0.0001, 0.0002),
        "settled": True,
        "hdi_prob": 0.95,
        "prevalence": "",
        "prior": "hierarchical",
        "engine": "exact",
        "seed": 0,
        "n_draws": 20_000,
        "convergence": Convergence(ess=20_000.0),
        "n_samples": 1_000,
        "unsupported": (),
        "clusters": None,
        "n_classes": 3,
        "score": score(0.8),
        "provenance": provenance(**changes),
    }
    found = {**fields, **changes}
    words, chains = found["provenance"].measure.words, thinned_chains(found["convergence"], found["score"].draws)
    return Estimate(**{"measure_words": words, "density": found["score"].density, "trace": chains, **found})


def gated(result, policy=Policy.NOT_WORSE, words="", part="", **demand):
    """Return what a gate says that judged one result."""
    asked = Demand(policy=policy, **{"arguments": {}, **demand})
    return GateResult(InMemory(None), asked, (Judgement.of(result, policy, words, part),))


def entry(result, verdict="passed", *, test="tests/test_spam.py::test_f1", gate="assert_not_worse", advice="", part=""):
    """Return what a report holds about a result."""
    place = Place(test=test, file=test.partition("::")[0], line=1)
    return entry_of(Record(result, gate, verdict, advice, part)).at(place)


def error(problem, test="tests/test_spam.py::test_f1", file="", line=0):
    """Return what a report holds about a test without an answer."""
    return error_entry(problem, Place(test=test, file=file, line=line))
