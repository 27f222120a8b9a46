"""Which cases are run, quickly or in full."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

from benchmarks.isolation import ROOT, run

_SHORT = 10  # seconds
_MOST_RUNS = 3


@dataclass(frozen=True)
class Case:
    """A case, the series that it belongs to, and its limits."""

    series: str
    function: str
    arguments: dict[str, Any]
    gigabytes: float = 8
    seconds: float = 240

    def run(self) -> dict[str, Any]:
        """Run it; several times where it is short, for the fastest run is the one that was disturbed least."""
        runs = [self.once(ROOT)]
        while len(runs) < _MOST_RUNS and runs[0].get("seconds", _SHORT) < _SHORT:
            runs.append(self.once(ROOT))
        fastest: dict[str, Any] = min(runs, key=lambda figures: figures.get("seconds", inf))
        return {"series": self.series, **self.arguments, **fastest}

    def once(self, root: Path) -> dict[str, Any]:
        """Run it once, with the package that is at the root."""
        return run(self.function, gigabytes=self.gigabytes, seconds=self.seconds, root=root, **self.arguments)


@dataclass(frozen=True)
class Plan:
    """Sizes of every series.

    Attributes
    ----------
    n_classes, n_examples, n_draws, n_gates
        Of the growth curves; 20 classes, 7,532 examples and 20,000 draws where another of them grows.
    gate_files
        (gates, classes, examples, report) of whole runs of gates; without a report by ``bayesf1 gate``.
    load
        (gates, workers of pytest-xdist) of runs of which every second gate is open.
    n_tests
        Tests with a small comparison each.
    peer_classes
        Numbers of classes for packages that keep whole matrices.
    large
        (classes, examples) of the largest comparisons.
    clusters
        (examples, examples per cluster) of comparisons of clusters.
    documents
        Of comparisons of spans of 10 types.
    scored
        Examples of comparisons of scores.
    ranked
        Systems of a ranking.
    read
        Rows of files that are read.
    versions
        Of a baseline's history.
    nuts_draws, plain_nuts_draws, bootstrap_draws, start_ups
        How many of the slow ones; times are scaled to the draws that they stand for.
    """

    n_classes: tuple[int, ...] = (2, 5, 10, 20, 50, 100, 200, 500, 1_000)
    n_examples: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)
    n_draws: tuple[int, ...] = (5_000, 20_000, 80_000, 320_000)
    n_gates: tuple[int, ...] = (1, 10, 500)
    gate_files: tuple[tuple[int, int, int, str], ...] = (
        (1, 20, 3_000, "report.json"),
        (20, 20, 3_000, "report.json"),
        (20, 20, 3_000, "report"),
        (500, 20, 3_000, "report.json"),
        (500, 20, 3_000, ""),
    )
    load: tuple[tuple[int, int], ...] = ((5_000, 0), (5_000, 2))
    n_tests: int = 2_000
    peer_classes: tuple[int, ...] = (5, 20, 50, 150, 300)
    large: tuple[tuple[int, int], ...] = ((1_000, 100_000), (10_000, 1_000_000))
    clusters: tuple[tuple[int, int], ...] = ((100_000, 10),)
    documents: tuple[int, ...] = (231,)
    scored: tuple[int, ...] = (10_000,)
    ranked: int = 10
    read: int = 1_000_000
    versions: int = 200
    nuts_draws: int = 500
    plain_nuts_draws: int = 150
    bootstrap_draws: int = 100
    start_ups: int = 7

    def cases(self) -> Iterator[Case]:
        """List them."""
        usual = {"n_classes": 20, "n_examples": 7_532}
        yield Case("start-up", "ours.start_up", {"n_runs": self.start_ups})
        for n_gates, n_classes, n_examples, report in self.gate_files:
            size = {"n_gates": n_gates, "n_classes": n_classes, "n_examples": n_examples}
            yield Case("gate file", "ours.run_of_gates", {**size, "report": report}, seconds=600)
        for n_gates, workers in self.load:
            size = {"n_gates": n_gates, "n_classes": 3, "n_examples": 200}
            yield Case("load", "ours.load", {**size, "workers": workers}, seconds=900)
        for report in ("", "report.json"):
            yield Case("tests", "ours.run_of_tests", {"n_tests": self.n_tests, "report": report})
        yield Case("draws of tests", "ours.draws_of_tests", {"n_tests": self.n_tests})
        for measure in ("f1_macro", "f1_micro"):
            yield Case("comparison", "ours.comparison", {**usual, "measure": measure})
        yield Case("comparison", "ours.comparison", {**usual, "n_examples": 1_500})
        yield Case("limit", "peers.numpy_gammas", {**usual, "n_draws": 20_000})
        yield from self._clusters()
        yield from self._scores()
        yield Case("rank", "ours.rank_of", {"n_systems": self.ranked, **usual})
        for form in ("csv", "parquet"):
            yield Case("read", "ours.read", {"form": form, "n_rows": self.read})
        yield Case("history", "history.history", {"n_versions": self.versions, "n_classes": 3, "n_examples": 10_000})
        yield from self._growth()
        yield from self._peers(usual)
        for n_classes, n_examples in self.large:
            arguments = {"n_classes": n_classes, "n_examples": n_examples}
            yield Case("large", "ours.comparison", arguments, seconds=600)

    def _clusters(self) -> Iterator[Case]:
        for n_examples, per_cluster in self.clusters:
            alike = {"n_classes": 20, "n_examples": n_examples}
            for each in (per_cluster, 1, 0):
                yield Case("clusters", "ours.comparison", {**alike, "per_cluster": each, "prior": "hierarchical"})
            resampled = {**alike, "per_cluster": per_cluster, "n_draws": self.bootstrap_draws}
            yield Case("bootstrap of clusters", "peers.bootstrap", resampled)
        for n_documents in self.documents:
            alike = {"n_documents": n_documents, "n_types": 10}
            yield Case("spans", "ours.spans", alike)
            yield Case("bootstrap of spans", "peers.bootstrap_of_spans", {**alike, "n_draws": self.bootstrap_draws})

    def _scores(self) -> Iterator[Case]:
        for n_examples in self.scored:
            yield Case("scores", "ours.scores", {"n_examples": n_examples})
            yield Case("DeLong", "peers.delong", {"n_examples": n_examples})
            resampled = {"n_examples": n_examples, "n_draws": self.bootstrap_draws}
            yield Case("bootstrap of scores", "peers.bootstrap_of_scores", resampled)

    def _growth(self) -> Iterator[Case]:
        for n_classes in self.n_classes:
            yield Case("M", "ours.draws", {"n_classes": n_classes, "n_examples": 100 * n_classes, "n_draws": 20_000})
        for n_examples in self.n_examples:
            yield Case("N", "ours.draws", {"n_classes": 20, "n_examples": n_examples, "n_draws": 20_000})
        for n_draws in self.n_draws:
            yield Case("draws", "ours.draws", {"n_classes": 20, "n_examples": 7_532, "n_draws": n_draws})
        for n_gates in self.n_gates:
            yield Case("gates", "ours.gates", {"n_gates": n_gates}, seconds=600)
        yield Case("classes", "ours.classes", {"n_classes": 20, "n_examples": 7_532})

    def _peers(self, usual: dict[str, int]) -> Iterator[Case]:
        yield Case("two matrices", "ours.two_matrices", {**usual, "n_draws": 50_000})
        yield Case("prob_conf_mat", "peers.prob_conf_mat", {**usual, "n_draws": 50_000})
        for n_classes in self.peer_classes:
            matrices = {"n_classes": n_classes, "n_examples": 100 * n_classes, "n_draws": 10_000}
            yield Case("two matrices by M", "ours.two_matrices", matrices)
            yield Case("prob_conf_mat by M", "peers.prob_conf_mat", matrices)
        yield Case("baycomp", "peers.baycomp", usual)
        yield Case("bootstrap", "peers.bootstrap", {**usual, "n_draws": self.bootstrap_draws})
        if self.nuts_draws:
            yield Case("NUTS", "peers.nuts", {**usual, "n_draws": self.nuts_draws}, seconds=400)
        if self.plain_nuts_draws:
            yield Case("plain NUTS", "peers.plain_nuts", {**usual, "n_draws": self.plain_nuts_draws}, seconds=900)


FULL = Plan()
QUICK = Plan(
    n_classes=(2, 20, 100),
    n_examples=(1_000, 10_000),
    n_draws=(5_000, 20_000),
    n_gates=(1, 10),
    gate_files=(
        (1, 20, 3_000, "report.json"),
        (20, 20, 3_000, "report.json"),
        (20, 20, 3_000, "report"),
        (20, 2, 300, ""),
    ),
    load=((20, 0),),
    peer_classes=(5, 20),
    large=(),
    clusters=((10_000, 10),),
    nuts_draws=0,
    plain_nuts_draws=0,
    bootstrap_draws=20,
    start_ups=3,
    n_tests=100,
    ranked=4,
    versions=20,
)
AGAINST = replace(QUICK, n_classes=(), n_examples=(), n_draws=(), n_gates=(10,), peer_classes=(), bootstrap_draws=0)
