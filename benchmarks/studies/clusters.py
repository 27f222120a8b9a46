"""How far intervals can be trusted where examples belong to clusters: how often they hold the truth, and gates fail.

From the root of the repository: ``python -m benchmarks.studies.clusters`` prints the tables of clusters.md;
``--help`` lists the options.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, product, repeat
from types import MappingProxyType
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np

from benchmarks.studies.cluster_populations import Answering, Drawing, Ranked, Sized, SpanPopulation, classes
from benchmarks.studies.populations import retrained
from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.choices import AUTO, Model
from pytest_bayesf1.comparison.design import design_comparison
from pytest_bayesf1.comparison.subject import FEWEST
from pytest_bayesf1.data.outcomes import Experiment, ScoreExperiment
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.engines.bootstrap import ScoreSampler
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import Measure, Several, parse_measure
from pytest_bayesf1.measures.ranking import parse_score_measure
from pytest_bayesf1.priors import HIERARCHICAL
from pytest_bayesf1.stats.posterior import hdi
from pytest_bayesf1.text import Interval

N_CLASSES = 4
MACRO_F1 = parse_measure("f1_macro", range(N_CLASSES))
RECALL = parse_measure(f"recall[{N_CLASSES - 1}]", range(N_CLASSES))
ACCURACY = parse_measure("accuracy", range(N_CLASSES))
CORRELATIONS = (0.0, 0.1, 0.3, 0.6)
CLUSTERS = {12: 20, 20: 10, 50: 10, 200: 5}
"""Examples of a cluster, by how many clusters there are."""
ROPE = 0.01
N_DRAWS = 2_000
REPETITIONS, SIZES_REPETITIONS = 300, 1_000
_HDI_PROB = 0.95


@dataclass
class Tally:
    """What intervals did on many test sets.

    Attributes
    ----------
    truth
        What they should hold.
    ends
        (low, high) of each.
    """

    truth: float
    ends: list[Interval] = field(default_factory=list)

    @property
    def covered(self) -> str:
        """How often they held it."""
        return f"{np.mean([low <= self.truth <= high for low, high in self.ends]):.1%}"

    @property
    def n_failed(self) -> int:
        """How many gates would fail."""
        return sum(high < -ROPE for _, high in self.ends)

    @property
    def failed(self) -> str:
        """How often a gate would fail."""
        return f"{self.n_failed / len(self.ends):.1%}"

    @property
    def width(self) -> str:
        """How wide they were on average, in points."""
        return f"{100 * np.mean([high - low for low, high in self.ends]):.1f}"


Row: TypeAlias = tuple[str, ...]


class Judge:
    """Compares, and keeps the HDIs by name.

    Parameters
    ----------
    setting
        What is drawn; its random numbers do not depend on which other settings are.
    """

    def __init__(self, setting: Any) -> None:
        self.rng = np.random.default_rng(crc32(repr(setting).encode()))
        self.kept: dict[str, Tally] = {}

    def keep(self, experiment: Experiment, measure: Measure, **scenarios: float) -> None:
        """Keep the HDI of delta, or of the only side's score, under the name of what it should hold."""
        self.keep_several(experiment, (measure,), **scenarios)

    def keep_several(self, experiment: Experiment, measures: tuple[Measure, ...], **scenarios: float) -> None:
        """Keep those by several measures, of the same draws."""
        prior = HIERARCHICAL.over_clusters(experiment.tables[0]) if experiment.clusters else HIERARCHICAL
        sampler = ExactEngine().sampler(experiment, prior, Several(measures), self._seed())
        self._keep(sampler.draw(N_DRAWS), scenarios)

    def keep_auc(self, experiment: ScoreExperiment, **scenarios: float) -> None:
        """Keep that of the difference of the areas under the ROC curves."""
        sampler = ScoreSampler(experiment, [parse_score_measure("roc_auc", (0, 1), experiment.sides)], self._seed())
        self._keep(sampler.draw(N_DRAWS), scenarios)

    def _seed(self) -> int:
        return int(self.rng.integers(1 << 32))

    def _keep(self, scores: Floats, scenarios: Mapping[str, float]) -> None:
        values: Floats = scores[0] if len(scores) == 1 else scores[1] - scores[0]
        for (name, truth), each in zip(scenarios.items(), values.T, strict=True):
            low, high = hdi(each, _HDI_PROB).tolist()
            self.kept.setdefault(name, Tally(truth)).ends.append((low, high))

    def figures(self, *names: str) -> Row:
        """Write how often each held the truth, and its width, as cells of a table."""
        kept = [self.kept[name] for name in names]
        return tuple(cell for each in kept for cell in (each.covered, each.width))


def compared(baseline: Any, candidate: Any) -> Experiment:
    """Count two sides as `compare` does."""
    return design_comparison(baseline, candidate, AUTO).experiment


def clusters(drawing: Drawing, repetitions: int) -> Row:
    """Draw clusters of examples; the candidate's macro-F1 is lower by the ROPE, where one gate in 40 may fail."""
    population, judge = retrained(MACRO_F1, -ROPE, N_CLASSES), Judge(drawing)
    score = float(MACRO_F1(population.sides[0]))
    for _ in range(repetitions):
        experiment = compared(*classes(population, drawing, judge.rng))
        alone = Experiment(Model.SINGLE, (experiment.tables[0].side(0),))
        judge.keep(experiment.without_clusters(), MACRO_F1, naive=-ROPE)
        judge.keep_several(experiment, (MACRO_F1, RECALL), clusters=-ROPE, recall=population.delta(RECALL))
        judge.keep(alone, MACRO_F1, alone=score)
    figures = [(each.covered, each.failed, each.width) for each in (judge.kept["naive"], judge.kept["clusters"])]
    return *where(drawing), *chain(*figures), judge.kept["recall"].covered, judge.kept["alone"].covered


def sizes(documents: Sized, repetitions: int) -> Row:
    """Draw documents whose gain goes with their size; the candidate's score is lower by the ROPE."""
    draw, judge = documents.population(-ROPE), Judge(documents)
    measure, refused = parse_measure(documents.measure, range(2)), 0
    for _ in range(repetitions):
        experiment = compared(*draw(judge.rng))
        if min(each.n_equal for each in experiment.clusters) < FEWEST:
            refused += 1
        else:
            judge.keep(experiment, measure, sizes=-ROPE)
    kept = judge.kept["sizes"]
    failed = kept.n_failed / repetitions
    setting = documents.measure, str(documents.n_clusters), f"{100 * documents.slope:g}"
    return *setting, f"{refused / repetitions:.0%}", f"{failed:.1%}", kept.failed, kept.covered, kept.width


def spans(drawing: Drawing, repetitions: int) -> Row:
    """Draw documents with spans, judged by micro-F1."""
    population, judge = SpanPopulation.retrained(), Judge(drawing)
    for _ in range(repetitions):
        experiment = compared(*population.sample(drawing, judge.rng))
        measure = parse_measure("f1_micro", range(len(population.shares)), multilabel=True)
        judge.keep(experiment.without_clusters(), measure, naive=population.delta())
        judge.keep(experiment, measure, clusters=population.delta())
    return *where(drawing), *judge.figures("naive", "clusters")


def scores(drawing: Drawing, repetitions: int) -> Row:
    """Draw clusters of examples that are ranked, judged by the area under the ROC curve."""
    population, judge = Ranked(), Judge(drawing)
    for _ in range(repetitions):
        joint = Sides.aligned(*population.sample(drawing, judge.rng)).joint
        experiment = ScoreExperiment(Model.PAIRED, (joint,))
        judge.keep_auc(experiment.without_clusters(), naive=population.delta())
        judge.keep_auc(experiment, clusters=population.delta())
    return *where(drawing), *judge.figures("naive", "clusters")


def where(drawing: Drawing) -> Row:
    """Write how clusters are drawn as cells of a table."""
    sizes = f"{drawing.size}, {'skewed' if drawing.skewed else 'equal'}"
    return f"{drawing.correlation:g}", str(drawing.n_clusters), sizes


def samples(answering: Answering, repetitions: int) -> Row:
    """Ask systems that do not always answer alike several times."""
    judge = Judge(answering)
    for _ in range(repetitions):
        true, sides = answering.sample((0.8, 0.8 - ROPE), judge.rng)
        first, runs = ([_matrix(true, side, **given) for side in sides] for given in ({}, {"runs": "samples"}))
        at_length = [_at_length(true, side) for side in sides]
        judge.keep(compared(*first), ACCURACY, first=-ROPE)
        judge.keep(compared(*at_length), ACCURACY, at_length=-ROPE)
        judge.keep(compared(*runs), ACCURACY, samples=-ROPE)
    return str(answering.runs), *judge.figures("first", "at_length", "samples")


def seeds(answering: Answering, repetitions: int) -> Row:
    """Train several models by each of two recipes."""
    judge = Judge(answering)
    for _ in range(repetitions):
        true, sides = answering.sample((0.8, 0.8 - ROPE), judge.rng)
        judge.keep(compared(*(_matrix(true, side) for side in sides)), ACCURACY, first=-ROPE)
        for runs in ("samples", "seeds"):
            judge.keep(compared(*(_matrix(true, side, runs=runs) for side in sides)), ACCURACY, **{runs: -ROPE})
    sds = " and ".join(f"{100 * each:g}" for each in dict.fromkeys(answering.training_sd))
    fails = judge.kept["seeds"].failed
    return sds, str(answering.runs), *judge.figures("first", "samples", "seeds"), fails


def _matrix(true: Codes, answers: Codes, **given: Any) -> ConfusionMatrix:
    return ConfusionMatrix.from_predictions(true, answers if given else answers[:, 0], **given)


def _at_length(true: Codes, answers: Codes) -> ConfusionMatrix:
    """Count every answer as an example: ids of their own make it pass for one."""
    repeated = np.tile(true, answers.shape[1])
    return ConfusionMatrix.from_predictions(repeated, answers.T.ravel(), ids=range(repeated.size))


@dataclass(frozen=True)
class Study:
    """A table: its head, what is drawn in each row, and how it is judged."""

    head: str
    settings: tuple[Any, ...]
    row: Callable[[Any, int], Row]


_DRAWINGS = tuple(
    Drawing(correlation, n_clusters, size, skewed)
    for correlation, (n_clusters, size), skewed in product(CORRELATIONS, CLUSTERS.items(), (False, True))
)
_TRAINING_SDS = (0.0, 0.0), (0.005, 0.005), (0.017, 0.017), (0.005, 0.025)
_DOCUMENTS, _SLOPES = (20, 50, 100, 200), (0.0, 0.05, 0.1)
_OF_ONE_SIZE = tuple(each for each in _DRAWINGS if each.n_clusters < 200 and not each.skewed)
STUDIES: Mapping[str, Study] = MappingProxyType(
    {
        "clusters": Study(
            "correlation | clusters | examples of each | independent: holds δ | fails | width | clusters: holds δ "
            "| fails "
            "| width | recall of a class | single score",
            _DRAWINGS,
            clusters,
        ),
        "sizes": Study(
            "measure | documents | slope | refused | fails, of all | of those compared | holds δ | width",
            tuple(Sized(*each) for each in product(("accuracy", "f1[1]"), _DOCUMENTS, _SLOPES)),
            sizes,
        ),
        "spans": Study(
            "correlation | documents | spans of each | independent: holds δ | width | documents: holds δ | width",
            _OF_ONE_SIZE,
            spans,
        ),
        "scores": Study(
            "correlation | clusters | scores of each | independent: holds δ | width | clusters: holds δ | width",
            _OF_ONE_SIZE,
            scores,
        ),
        "samples": Study(
            "R | first answer: holds δ | width | one after the other | width | runs='samples' | width",
            tuple(Answering(300, runs) for runs in (3, 5, 10)),
            samples,
        ),
        "seeds": Study(
            "sd | R | first training: holds δ | width | runs='samples' | width | runs='seeds' | width | fails",
            tuple(Answering(1_500, runs, sds) for sds, runs in product(_TRAINING_SDS, (3, 5, 10))),
            seeds,
        ),
    }
)


def table(name: str, repetitions: int, workers: int = 1) -> Iterator[str]:
    """Yield the lines of a study's Markdown table."""
    study = STUDIES[name]
    yield f"| {study.head} |"
    yield "|" + " ---: |" * (1 + study.head.count("|"))
    with ProcessPoolExecutor(workers) as pool:
        for row in pool.map(study.row, study.settings, repeat(repetitions)):
            yield f"| {' | '.join(row)} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=f"of {', '.join(STUDIES)}; by default all")
    parser.add_argument("--repetitions", type=int, help="test sets per row (300; of sizes 1,000)")
    parser.add_argument("--workers", type=int, default=1, help="processes (1)")
    given = parser.parse_args()
    for name in given.studies or STUDIES:
        repetitions = given.repetitions or (SIZES_REPETITIONS if name == "sizes" else REPETITIONS)
        for line in chain(("", f"### {name}", ""), table(name, repetitions, given.workers)):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
