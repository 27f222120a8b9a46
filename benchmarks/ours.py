"""What this package takes: each function is one case, run in a process of its own, and returns figures by name."""

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.clock import Clock
from benchmarks.samples import SENTENCES, predictions, ranked, tags

Figures = dict[str, Any]

_FINISHED = (0, 1, 5)  # pytest's exit codes: passed, failed, no tests


def comparison(
    n_classes: int, n_examples: int, measure: str = "f1_macro", prior: str = "auto", per_cluster: int = 0
) -> Figures:
    """Time a first paired comparison, Bayes factors included; of clusters of several examples, if there are any."""
    from pytest_bayesf1 import PairedCounts, compare

    compare([[9, 1], [2, 8]], [[8, 2], [1, 9]], rope=0.1, n_draws=1_000)  # imports
    clusters = np.arange(n_examples) // per_cluster if per_cluster else None
    counts = PairedCounts.from_predictions(*predictions(n_classes, n_examples), clusters=clusters)
    clock = Clock()
    result = compare(counts, rope=0.05, measure=measure, prior=prior)
    result.figures()  # with those that are computed when they are first read
    return {**clock.figures(), "draws": result.n_draws, "prior": result.prior}


def spans(n_documents: int, n_types: int) -> Figures:
    """Time a paired comparison of the F1 of spans, from tags that were read already."""
    from pytest_bayesf1 import SpanCounts, compare

    compare([[9, 1], [2, 8]], [[8, 2], [1, 9]], rope=0.1, n_draws=1_000)  # imports
    true, *sides = tags(n_documents, n_types)
    documents = np.repeat(np.arange(n_documents), SENTENCES)
    counts = [SpanCounts.from_bio(true, side, documents=documents) for side in sides]
    clock = Clock()
    result = compare(*counts, rope=0.05, measure="f1_micro")
    result.figures()  # with those that are computed when they are first read
    return {**clock.figures(), "draws": result.n_draws, "spans": counts[0].n_samples}


def scores(n_examples: int) -> Figures:
    """Time a paired comparison of two areas under the ROC curve."""
    from pytest_bayesf1 import Scores, compare

    compare([[9, 1], [2, 8]], [[8, 2], [1, 9]], rope=0.1, n_draws=1_000)  # imports
    true, *sides = ranked(n_examples)
    counts = [Scores.from_predictions(true, side) for side in sides]
    clock = Clock()
    result = compare(*counts, rope=0.05, measure="roc_auc")
    result.figures()  # with those that are computed when they are first read
    return {**clock.figures(), "draws": result.n_draws, "sd": result.std}


def draws(n_classes: int, n_examples: int, n_draws: int) -> Figures:
    """Time the draws of two paired macro-F1 scores alone."""
    from pytest_bayesf1 import PairedCounts
    from pytest_bayesf1.choices import Model
    from pytest_bayesf1.comparison.arguments import Options
    from pytest_bayesf1.data.outcomes import Experiment
    from pytest_bayesf1.engines.exact import ExactEngine
    from pytest_bayesf1.measures.classification import parse_measure

    counts = PairedCounts.from_predictions(*predictions(n_classes, n_examples))
    experiment = Experiment(Model.PAIRED, (counts.table,))
    prior = Options.resolve(prior="hierarchical").prior_for(experiment)
    measure = parse_measure("f1_macro", counts.labels)
    ExactEngine().sampler(experiment, prior, measure, 1).draw(1_000)
    clock = Clock()
    ExactEngine().sampler(experiment, prior, measure, 0).draw(n_draws)
    return {**clock.figures(), "cells": counts.table.count.size}


def two_matrices(n_classes: int, n_examples: int, n_draws: int) -> Figures:
    """Time macro and micro F1 of two matrices without pairing: what packages for bare matrices do."""
    from pytest_bayesf1 import ConfusionMatrix
    from pytest_bayesf1.choices import Model
    from pytest_bayesf1.comparison.design import design_comparison
    from pytest_bayesf1.engines.exact import ExactEngine
    from pytest_bayesf1.measures.classification import Several, parse_measure
    from pytest_bayesf1.priors import Prior
    from pytest_bayesf1.stats.decision import Rope
    from pytest_bayesf1.stats.posterior import Draws, summarise_delta

    true, *predicted = predictions(n_classes, n_examples)
    old, new = (ConfusionMatrix.from_predictions(true, side, labels=range(n_classes)) for side in predicted)
    design = design_comparison(old, new, Model.INDEPENDENT)
    scoring = Several(tuple(parse_measure(measure, design.labels) for measure in ("f1_macro", "f1_micro")))
    clock = Clock()
    baseline, candidate = (
        ExactEngine().sampler(design.experiment, Prior.named("hierarchical"), scoring, 0).draw(n_draws)
    )
    macro, micro = (summarise_delta(Draws(delta), Rope.of(0.01), 0.95).mean for delta in (candidate - baseline).T)
    return {**clock.figures(), "mean": macro, "micro": micro}


def gates(n_gates: int, n_classes: int = 20, n_examples: int = 3_000) -> Figures:
    """Time comparisons of different data one after the other, each put into the report."""
    from pytest_bayesf1 import PairedCounts, compare
    from pytest_bayesf1.reports.record import Records

    clock, records, entries = Clock(), Records(Path(), in_full=False, is_compared=False), list[Any]()
    for gate in range(n_gates):
        counts = PairedCounts.from_predictions(*predictions(n_classes, n_examples, gate))
        entries += records.of_comparison(compare(counts, rope=0.05)).entries
    return {**clock.figures(), "entries": len(entries)}


def classes(n_classes: int, n_examples: int) -> Figures:
    """Time a gate that compares all data and every class."""
    from pytest_bayesf1.gates.evaluate import evaluate
    from pytest_bayesf1.gates.gate_file import load_gates

    with TemporaryDirectory() as folder:
        _write_gate(Path(folder), n_classes, n_examples)
        (gate,) = load_gates(Path(folder, "bayesf1.yaml"), Path(folder))
        clock = Clock()
        result = evaluate(gate)
        return {**clock.figures(), "comparisons": len(result.verdicts)}


def rank_of(n_systems: int, n_classes: int, n_examples: int) -> Figures:
    """Time a ranking of systems on the same examples."""
    from pytest_bayesf1 import ConfusionMatrix, rank

    sides = [predictions(n_classes, n_examples, seed)[1] for seed in range(n_systems)]
    true = predictions(n_classes, n_examples)[0]
    systems = {f"system {n}": ConfusionMatrix.from_predictions(true, side) for n, side in enumerate(sides)}
    clock = Clock()
    found = rank(systems, rope=0.01)
    return {**clock.figures(), "draws": found.n_draws}


def start_up(n_runs: int) -> Figures:
    """Time pytest in an empty directory with and without the plugin."""
    with TemporaryDirectory() as folder:
        times = [
            (_pytest(folder, "-p", "bayesf1", "--collect-only"), _pytest(folder, "--collect-only"))
            for _ in range(n_runs)
        ]
    added = {name: median(each[name] - bare[name] for each, bare in times) for name in times[0][0]}
    return {**added, "bare": median(bare["seconds"] for _, bare in times)}


def run_of_gates(n_gates: int, n_classes: int, n_examples: int, report: str) -> Figures:
    """Time gates, each of other data, all in all: pytest with a report, or ``bayesf1 gate``, which writes none."""
    with TemporaryDirectory() as folder:
        names = [_write_sides(Path(folder), n_classes, n_examples, seed) for seed in range(n_gates)]
        _write_gates(Path(folder), names)
        if report:
            return _pytest(folder, "-p", "bayesf1", f"--bayesf1-report={report}")
        return _timed(folder, "-c", "from pytest_bayesf1.cli.main import main; main()", "gate", "bayesf1.yaml")


_OF_LOAD: tuple[dict[str, float], ...] = ({"agreement": 0.98}, {})  # passes, and is open or leaning
_LOST = {"agreement": 0.5, "right": 0.4}
_ONE_FAILS_OF = 100


def load(n_gates: int, n_classes: int, n_examples: int, workers: int = 0) -> Figures:
    """Time a run with a report of gates of which every second one is open or leaning, and one of a hundred fails."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        kinds = [_LOST if gate % _ONE_FAILS_OF == 1 else _OF_LOAD[gate % 2] for gate in range(n_gates)]
        gates = [_write_sides(folder, n_classes, n_examples, gate, **kind) for gate, kind in enumerate(kinds)]
        _write_gates(folder, gates)
        options = ["-p", "xdist", "-n", str(workers)] if workers else []
        figures = _pytest(name, "-p", "bayesf1", "--bayesf1-report=report.json", *options)
        size = (folder / "report.json").stat().st_size
    return {**figures, "report": size / 1e6}


_SMALL = [([[480, 20], [30, 470]], [[478, 22], [28 + n, 472 - n]]) for n in range(5)]


def run_of_tests(n_tests: int, report: str) -> Figures:
    """Time pytest on tests with one small comparison each, with a report or without: all in all."""
    with TemporaryDirectory() as folder:
        test = f"""
import pytest
from pytest_bayesf1 import assert_not_worse

@pytest.mark.parametrize("n", range({n_tests}))
def test_small(n):
    assert_not_worse(*{_SMALL}[n % {len(_SMALL)}], rope=0.05)
"""
        Path(folder, "test_small.py").write_text(test, encoding="utf-8")
        return _pytest(folder, "-p", "bayesf1", *([f"--bayesf1-report={report}"] if report else []))


def read(form: str, n_rows: int) -> Figures:
    """Time how a file of predictions of five classes is read and counted."""
    from pyarrow import csv, parquet, table

    from pytest_bayesf1.files.side import read_side

    names = np.array(["account", "billing", "other", "returns", "shipping"])
    true, said, _ = predictions(names.size, n_rows)
    ids = np.random.default_rng(0).permutation(n_rows)
    content = table({"id": ids, "y_true": names[true], "y_pred": names[said]})
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"a.{form}"
        (csv.write_csv if form == "csv" else parquet.write_table)(content, path)
        clock = Clock()
        read_side(path, "candidate").counts()
        return clock.figures()


def draws_of_tests(n_tests: int) -> Figures:
    """Time the draws alone of such tests, one after the other in one process."""
    from pytest_bayesf1.comparison.compare import ComparisonTask

    questions = [ComparisonTask.of(*sides, rope=0.05) for sides in _SMALL]
    clock = Clock()
    for number in range(n_tests):
        question = questions[number % len(_SMALL)]
        options = question.options
        question.subject.sampler([question.measure(options.measure)], options).draw(options.engine.first_draws)
    return clock.figures()


def _write_gate(folder: Path, n_classes: int, n_examples: int) -> None:
    sides = _write_sides(folder, n_classes, n_examples, 0)
    gate = f"{{{sides}, rope: 0.05, per_class: true}}"
    (folder / "bayesf1.yaml").write_text(f"gates: {{all: {gate}}}", encoding="utf-8")


def _write_gates(folder: Path, sides: list[str]) -> None:
    gates = "".join(f"  gate {number}: {{{keys}, rope: 0.05}}\n" for number, keys in enumerate(sides))
    (folder / "bayesf1.yaml").write_text(f"gates:\n{gates}", encoding="utf-8")


def _write_sides(folder: Path, n_classes: int, n_examples: int, seed: int, **kind: float) -> str:
    """Write both sides' predictions, and return the keys of a gate that name them."""
    true, *sides = predictions(n_classes, n_examples, seed, **kind)
    for name, side in zip(("baseline", "candidate"), sides, strict=True):
        rows = np.column_stack([true, side])
        np.savetxt(folder / f"{name}-{seed}.csv", rows, "%d", delimiter=",", header="y_true,y_pred", comments="")
    return f"baseline: baseline-{seed}.csv, candidate: candidate-{seed}.csv"


def _pytest(folder: str, *options: str) -> dict[str, float]:
    """Time a run of pytest that loads nothing else."""
    return _timed(folder, "-m", "pytest", "-q", *options)


def _timed(folder: str, *arguments: str) -> dict[str, float]:
    """Time a process of Python, and count the lines that it prints."""
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, *arguments]
    clock = Clock()
    done = subprocess.run(command, cwd=folder, env=alone, check=False, capture_output=True, text=True)  # noqa: S603
    assert done.returncode in _FINISHED, done.stdout + done.stderr
    return {**clock.figures(), "lines": done.stdout.count("\n")}
