"""What others take for the same data, and what the machine could do at best: one function a case."""

import os
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.samples import SENTENCES, predictions, ranked, tags

Figures = dict[str, Any]


def processors() -> int:
    """Count the processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def numpy_gammas(n_classes: int, n_examples: int, n_draws: int) -> Figures:
    """Time numpy's gamma variables, one for every non-zero cell of the paired data and draw, on all processors."""
    cells, counts = np.unique(np.stack(predictions(n_classes, n_examples)), axis=1, return_counts=True)
    block = max(min(1_000_000 // counts.size, n_draws), 1)

    def draw(seed: int) -> None:
        np.random.Generator(np.random.SFC64(seed)).standard_gamma(counts[:, None], (counts.size, block))

    started = perf_counter()
    with ThreadPoolExecutor(processors()) as pool:
        list(pool.map(draw, range(-(-n_draws // block))))
    return {"seconds": perf_counter() - started, "cells": cells.shape[1]}


def nuts(n_classes: int, n_examples: int, n_draws: int) -> Figures:
    """Time our own NUTS engine, theta integrated out, on paired data."""
    from pytest_bayesf1 import PairedCounts
    from pytest_bayesf1.choices import Model
    from pytest_bayesf1.comparison.arguments import Options
    from pytest_bayesf1.data.outcomes import Experiment
    from pytest_bayesf1.engines.chains import bulk_ess
    from pytest_bayesf1.engines.nuts import NutsEngine
    from pytest_bayesf1.measures.classification import parse_measure

    counts = PairedCounts.from_predictions(*predictions(n_classes, n_examples))
    experiment = Experiment(Model.PAIRED, (counts.table,))
    prior = Options.resolve(prior="hierarchical").prior_for(experiment)
    measure, seconds = parse_measure("f1_macro", counts.labels), []
    for draws in (100, 100, n_draws):  # the first is for what is compiled once
        engine = NutsEngine(chains=2, draws=draws, tune=300)
        sampler = engine.sampler(experiment, prior, measure, 0)
        started = perf_counter()
        baseline, candidate = sampler.draw(engine.first_draws)
        seconds.append(perf_counter() - started)
    return {
        "seconds": seconds[2],
        "per_draw": (seconds[2] - seconds[1]) / (2 * (n_draws - 100)),  # the rest is compilation and tuning
        "ess": bulk_ess((candidate - baseline).reshape(2, -1)),
        "draws": candidate.size,
    }


def plain_nuts(n_classes: int, n_examples: int, n_draws: int) -> Figures:
    """Time PyMC on the model of 2015 as it is written down, every theta sampled, on two matrices."""
    import arviz as az
    import pymc as pm
    import pytensor.tensor as pt

    true, *sides = predictions(n_classes, n_examples)
    with pm.Model():
        scores = []
        for side, predicted in zip("ab", sides, strict=True):
            counts = np.zeros((n_classes, n_classes))
            np.add.at(counts, (true, predicted), 1)
            mu = pm.Dirichlet(f"mu_{side}", np.ones(n_classes))
            right = pm.Beta(f"eta_{side}", 1, 1)
            weights = pt.eye(n_classes) * right + (1 - pt.eye(n_classes)) * (1 - right) / (n_classes - 1)
            theta = pm.Dirichlet(f"theta_{side}", weights, shape=(n_classes, n_classes))
            pm.Multinomial(f"totals_{side}", int(counts.sum()), mu, observed=counts.sum(axis=1))
            pm.Multinomial(f"counts_{side}", counts.sum(axis=1).astype(int), theta, observed=counts)
            joint = mu[:, None] * theta
            scores.append((2 * pt.diag(joint) / (joint.sum(axis=0) + mu)).mean())
        pm.Deterministic("delta", scores[1] - scores[0])
        started = perf_counter()
        found = pm.sample(
            n_draws, tune=n_draws, chains=2, cores=2, random_seed=0, progressbar=False, compute_convergence_checks=False
        )
        seconds = perf_counter() - started
    delta = np.asarray(found.posterior["delta"])
    return {
        "seconds": seconds,
        "per_draw": float(found.posterior.attrs["sampling_time"]) / (2 * delta.size),  # as many again are for tuning
        "ess": float(az.ess(delta)),
        "draws": delta.size,
        "divergences": int(np.asarray(found.sample_stats["diverging"]).sum()),
    }


def prob_conf_mat(n_classes: int, n_examples: int, n_draws: int) -> Figures:
    """Time macro and micro F1 of two matrices."""
    from prob_conf_mat import Study

    true, *sides = predictions(n_classes, n_examples)
    study = Study(seed=0, num_samples=n_draws, ci_probability=0.95)
    for name, predicted in zip("ab", sides, strict=True):
        counts = np.zeros((n_classes, n_classes), dtype=int)
        np.add.at(counts, (true, predicted), 1)
        study.add_experiment(f"{name}/{name}", counts, prevalence_prior="ones", confusion_prior="ones")
    study.add_metric("f1@macro")
    study.add_metric("f1@micro")
    started = perf_counter()
    macro, micro = (
        study.get_pairwise_comparison(metric, experiment_a="b/b", experiment_b="a/a", min_sig_diff=0.01)
        for metric in ("f1@macro", "f1@micro")
    )
    return {"seconds": perf_counter() - started, "kind": f"{type(macro).__name__}, {type(micro).__name__}"}


def baycomp(n_classes: int, n_examples: int) -> Figures:
    """Time its signed-rank test on the classes' F1: another question, about other classes of the same kind."""
    from baycomp import two_on_multiple
    from sklearn.metrics import f1_score

    true, *sides = predictions(n_classes, n_examples)
    ours, theirs = (f1_score(true, side, average=None) for side in sides)
    started = perf_counter()
    probabilities = two_on_multiple(ours, theirs, rope=0.01)
    return {"seconds": perf_counter() - started, "probabilities": [float(each) for each in probabilities]}


def bootstrap(n_classes: int, n_examples: int, n_draws: int, per_cluster: int = 1) -> Figures:
    """Time a paired bootstrap of clusters with scikit-learn's macro F1."""
    from sklearn.metrics import f1_score

    true, *sides = predictions(n_classes, n_examples)
    rng = np.random.default_rng(0)
    f1_score(true, sides[0], average="macro")
    started = perf_counter()
    for _ in range(n_draws):
        clusters = rng.integers(0, true.size // per_cluster, true.size // per_cluster)
        chosen = (clusters[:, None] * per_cluster + np.arange(per_cluster)).ravel()
        for side in sides:
            f1_score(true[chosen], side[chosen], average="macro")
    return {"seconds": perf_counter() - started, "draws": n_draws}


def bootstrap_of_spans(n_documents: int, n_types: int, n_draws: int) -> Figures:
    """Time a paired bootstrap of documents with seqeval's F1."""
    from seqeval.metrics import f1_score

    starts = range(0, n_documents * SENTENCES, SENTENCES)
    true, *sides = ([column[at : at + SENTENCES] for at in starts] for column in tags(n_documents, n_types))
    rng = np.random.default_rng(0)
    started = perf_counter()
    for _ in range(n_draws):
        chosen = rng.integers(0, n_documents, n_documents)
        for side in sides:
            f1_score(*([sentence for document in chosen for sentence in column[document]] for column in (true, side)))
    return {"seconds": perf_counter() - started, "draws": n_draws}


def delong(n_examples: int) -> Figures:
    """Time the variance of a difference of areas by DeLong et al. (1988), from ranks: an interval, no posterior."""
    from scipy.stats import rankdata

    true, *sides = ranked(n_examples)
    started = perf_counter()
    placed = []
    for side in sides:
        ranks = rankdata(side)
        within = [(ranks[true == code] - rankdata(side[true == code])) / (true != code).sum() for code in (1, 0)]
        placed.append((within[0], 1 - within[1]))
    variance = sum(float((new - old).var(ddof=1)) / old.size for old, new in zip(*placed, strict=True))
    return {"seconds": perf_counter() - started, "sd": variance**0.5}


def bootstrap_of_scores(n_examples: int, n_draws: int) -> Figures:
    """Time a paired bootstrap of examples with scikit-learn's area under the ROC curve."""
    from sklearn.metrics import roc_auc_score

    true, *sides = ranked(n_examples)
    rng = np.random.default_rng(0)
    roc_auc_score(true, sides[0])
    started, deltas = perf_counter(), []
    for _ in range(n_draws):
        chosen = rng.integers(0, n_examples, n_examples)
        old, new = (roc_auc_score(true[chosen], side[chosen]) for side in sides)
        deltas.append(new - old)
    return {"seconds": perf_counter() - started, "draws": n_draws, "sd": float(np.std(deltas))}
