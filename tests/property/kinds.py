"""Every kind of data with its measures, as small experiments with two sides and a third system."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, Scores, SpanCounts
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.measures.formulas import ROWS, ByClass, Data, Needs

N = 120
CLASSES = ("a", "b", "c")


@dataclass(frozen=True)
class Made:
    """Examples: their truth, and what three systems answer, a row each."""

    true: np.ndarray
    answers: tuple[np.ndarray, ...]
    labels: tuple[str, ...] = ()
    clusters: np.ndarray | None = None

    def reordered(self, order: np.ndarray) -> "Made":
        clusters = None if self.clusters is None else self.clusters[order]
        return replace(
            self, true=self.true[order], answers=tuple(each[order] for each in self.answers), clusters=clusters
        )

    def repeated(self, times: int, rng: np.random.Generator) -> "Made":
        """Return the same examples so many times over, mixed; clusters stay apart."""
        order = rng.permutation(self.true.size * times)
        made = self.reordered(order % self.true.size)
        clusters = None if made.clusters is None else made.clusters + self.true.size * (order // self.true.size)
        return replace(made, clusters=clusters)

    def renamed(self, names: Sequence[str]) -> "Made":
        """Return the same with other labels, wherever they occur."""
        new = dict(zip(self.labels, names, strict=True))

        def of(value: Any) -> Any:
            if isinstance(value, np.ndarray):
                found = np.empty(
                    value.shape, object if value.dtype == object else "U9" if value.dtype.kind == "U" else value.dtype
                )
                for place in np.ndindex(value.shape):
                    found[place] = of(value[place])
                return found
            if isinstance(value, set | frozenset | list | tuple):
                return type(value)(map(of, value))
            return new.get(value, value) if isinstance(value, str) else value

        return replace(self, labels=tuple(names), true=of(self.true), answers=tuple(map(of, self.answers)))


@dataclass(frozen=True)
class Kind:
    """A kind of data.

    Attributes
    ----------
    draw
        Makes examples.
    count
        Makes a side of the truth and one system's answers.
    data
        Which measures it has.
    misread
        Takes answers for what they do not mean; None for values, whose meaning no data show.
    """

    draw: Callable[[np.random.Generator], Made]
    count: Callable[..., Side]
    data: Data
    misread: Callable[[Made], Made] | None = None
    more: tuple[str, ...] = ()
    ids: str = "ids"

    @property
    def measures(self) -> list[str]:
        return [*measures_of(self.data), *self.more]

    def side(self, made: Made, system: int, **known: Any) -> Side:
        if made.clusters is not None:
            known["clusters"] = made.clusters
        if made.labels:
            known.setdefault("labels", made.labels)
        return self.count(made.true, made.answers[system], **known)

    def sides(self, made: Made, **known: Any) -> tuple[Side, Side]:
        return self.side(made, 0, **known), self.side(made, 1, **known)


def measures_of(data: Data) -> Iterator[str]:
    for row in ROWS:
        if data & row.data and not row.needs & Needs.UNREADABLE:
            first, *averages = row.names
            yield f"{first}[b]" if isinstance(row, ByClass) else first
            yield from averages


def _guesses(
    rng: np.random.Generator, true: np.ndarray, hard: np.ndarray, n_classes: int, system: int, runs: int = 0
) -> np.ndarray:
    """Answer rightly at the system's rate, more rarely what is hard, else mostly with its favourite other class."""
    shape = (true.size, runs) if runs else true.shape
    known, hard = (np.broadcast_to(each[:, None], shape) if runs else each for each in (true, hard))
    is_right = 0.7 * hard + 0.3 * rng.random(shape) < RATES[system]
    favourite = 1 + system % (n_classes - 1)
    steps = np.where(rng.random(shape) < 0.8, favourite, rng.integers(1, n_classes, shape))
    return np.where(is_right, known, (known + steps) % n_classes)


RATES = (0.85, 0.7, 0.8)


def _classes(n_classes: int, *, runs: tuple[int, ...] = (0, 0, 0), clustered: bool = False) -> Callable[..., Made]:
    def draw(rng: np.random.Generator) -> Made:
        true = np.minimum(rng.geometric(0.45, N) - 1, n_classes - 1)
        true[: 2 * n_classes] = np.arange(2 * n_classes) % n_classes
        names, hard = np.array(CLASSES[:n_classes]), rng.random(N)
        answers = [_guesses(rng, true, hard, n_classes, system, n) for system, n in enumerate(runs)]
        for each in answers:
            each[:n_classes] = true[:n_classes, None] if each.ndim == 2 else true[:n_classes]
        clusters = np.sort(rng.integers(0, 35, N)) if clustered else None
        return Made(names[true], tuple(names[each] for each in answers), CLASSES[:n_classes], clusters)

    return draw


def _runs(kind: str) -> Callable[..., Side]:
    return lambda true, answers, **known: ConfusionMatrix.from_predictions(true, answers, runs=kind, **known)


def _objects(rows: Sequence[Any]) -> np.ndarray:
    found = np.empty(len(rows), object)
    found[:] = rows
    return found


def _label_sets(rng: np.random.Generator) -> Made:
    true = rng.random((N, 3)) < (0.5, 0.35, 0.25)
    true[:3] = np.eye(3, dtype=bool)
    hard = rng.random(true.shape)
    sides = [true ^ (0.7 * hard + 0.3 * rng.random(true.shape) > rate) for rate in RATES]
    for side in sides:
        side[:3] = true[:3]
    sets = [_objects([frozenset(np.array(CLASSES)[row].tolist()) for row in each]) for each in (true, *sides)]
    return Made(sets[0], tuple(sets[1:]), CLASSES)


def _documents(rng: np.random.Generator) -> Made:
    def found(gold: list[tuple[int, int, str]], hard: float, right: float) -> list[tuple[int, int, str]]:
        chances = 0.7 * hard + 0.3 * rng.random(len(gold))
        return [(start, end + (chance > right), name) for (start, end, name), chance in zip(gold, chances, strict=True)]

    gold = [
        [(9 * place, 9 * place + 3, CLASSES[rng.integers(3)]) for place in range(rng.integers(1, 5))] for _ in range(60)
    ]
    hard = rng.random(len(gold))
    answers = [[found(*each, rate) for each in zip(gold, hard, strict=True)] for rate in RATES]
    return Made(_objects(gold), tuple(map(_objects, answers)), CLASSES)


def _two_scores(rng: np.random.Generator) -> Made:
    true = np.array(["a", "b"])[(rng.random(N) < 0.4).astype(int)]
    noise = rng.normal(size=N)
    logits = [gain * (true == "b") + noise + 0.5 * rng.normal(size=N) - 1 for gain in (3.0, 1.5, 2.0)]
    answers = [1 / (1 + np.exp(-each)) for each in logits]
    return Made(true, tuple(each.round(2).clip(0.01, 0.99) for each in answers), ("a", "b"))


def _three_scores(rng: np.random.Generator) -> Made:
    true = rng.integers(3, size=N)
    noise = rng.normal(size=(N, 3))
    logits = [gain * np.eye(3)[true] + noise + 0.5 * rng.normal(size=(N, 3)) for gain in (2.5, 1.5, 2.0)]
    answers = [np.exp(each) / np.exp(each).sum(axis=1, keepdims=True) for each in logits]
    return Made(np.array(CLASSES)[true], tuple(answers), CLASSES)


def _values(rng: np.random.Generator) -> Made:
    hard = rng.random(N)
    answers = [np.rint(5 * (rate - 0.3 * hard + 0.3 * rng.random(N)).clip(0, 1)) - 4 for rate in RATES]
    return Made(np.zeros(N), tuple(answers))


def _each(change: Callable[[Any], Any]) -> Callable[[Made], Made]:
    def misread(made: Made) -> Made:
        return replace(made, answers=tuple(_objects([change(row) for row in each]) for each in made.answers))

    return misread


def _numbers(change: Callable[[Any], Any]) -> Callable[[Made], Made]:
    return lambda made: replace(made, answers=tuple(map(change, made.answers)))


def _renamed(made: Made) -> Made:
    return replace(made.renamed(made.labels[1:] + made.labels[:1]), true=made.true, labels=made.labels)


_absent = _each(lambda marked: frozenset(CLASSES) - marked)
_longer = _each(lambda found: [(start, end + 2, name) for start, end, name in found])
_turned = _numbers(lambda scores: 1 - scores)
_turned_columns = _numbers(lambda scores: (1 - scores) / 2)

KINDS = {
    "two classes": Kind(_classes(2), ConfusionMatrix.from_predictions, Data.CLASSES, _renamed),
    "classes": Kind(_classes(3), ConfusionMatrix.from_predictions, Data.CLASSES, _renamed),
    "clusters": Kind(_classes(3, clustered=True), ConfusionMatrix.from_predictions, Data.CLASSES, _renamed),
    "samples": Kind(_classes(3, runs=(3, 4, 2)), _runs("samples"), Data.CLASSES, _renamed),
    "seeds": Kind(_classes(3, runs=(3, 5, 4)), _runs("seeds"), Data.CLASSES, _renamed),
    "labels": Kind(_label_sets, MultilabelCounts.from_predictions, Data.LABELS, _absent),
    "spans": Kind(_documents, SpanCounts.from_spans, Data.SPANS, _longer, ids="documents"),
    "scores": Kind(_two_scores, Scores.from_predictions, Data.SCORES_OF_TWO, _turned, ("f1@0.4",)),
    "scores of three": Kind(_three_scores, Scores.from_predictions, Data.SCORES_OF_MANY, _turned_columns),
    "values": Kind(_values, lambda _, answers, **known: Scores.from_values(answers, **known), Data.VALUES),
}


def measure_of(kind: str) -> str:
    """Return the first measure of a kind that is about no class alone."""
    return next(each for each in KINDS[kind].measures if "[" not in each)
