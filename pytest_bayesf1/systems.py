"""`rank`: several systems on the same examples, ranked by comparisons of every two."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from html import escape
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from pytest_bayesf1.choices import AUTO, EngineName, Model, OnNewTestSet
from pytest_bayesf1.comparison.arguments import CompareOptions, PrevalenceLike
from pytest_bayesf1.comparison.compare import ComparisonTask, check_width, run_estimate, warn_about
from pytest_bayesf1.comparison.design import subject_of_two
from pytest_bayesf1.comparison.result import Estimate
from pytest_bayesf1.comparison.subject import AnyMeasure, fields_asked
from pytest_bayesf1.comparison.suspicions import weakness
from pytest_bayesf1.data.paired import Scores, as_side
from pytest_bayesf1.data.sides import OtherTestSetError, Side, shared_by_all
from pytest_bayesf1.errors import BayesF1Warning, InputError, WeakBaselineWarning, ends_here, shown, within
from pytest_bayesf1.measures.classification import MeasureLike
from pytest_bayesf1.results.comparison import Asked, Clusters, UnsupportedClass, nouns_of
from pytest_bayesf1.results.policy import Decision
from pytest_bayesf1.results.schema import figures_of, plain
from pytest_bayesf1.stats.decision import RopeLike
from pytest_bayesf1.text import Interval, aligned, counted, first_few, indented, one_line, rope_bounds, scores
from pytest_bayesf1.words.amounts import likely
from pytest_bayesf1.words.notes import notes_on, warnings_of


@dataclass(frozen=True, kw_only=True)
class SystemFigures:
    """One of several systems.

    Attributes
    ----------
    name
        What it is called.
    observed
        Its score at the observed counts, as scikit-learn computes it.
    mean, std, hdi
        Of the posterior of its score; ``hdi`` is (low, high).
    rank_hdi
        Its first and last possible rank; 1 is the best. Only a system that is better, or worse, with a probability of
        (1 + ``hdi_prob``) / 2 in the comparison of the two is surely ahead of it, or behind.
    may_be_best
        Whether ``rank_hdi`` includes 1.
    expected_rank
        The mean of its rank; equal scores share their ranks evenly.
    ties
        The systems whose difference from it lies within the ROPE (decision ≈).
    """

    name: str
    observed: float
    mean: float
    std: float
    hdi: Interval
    rank_hdi: tuple[int, int]
    may_be_best: bool
    expected_rank: float
    ties: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PairFigures:
    """A comparison of two systems, as `compare` makes it; the one with the higher mean score is the baseline.

    Attributes
    ----------
    baseline, candidate
        Their names.
    mean, hdi
        Of the posterior of delta, the candidate's score minus the baseline's.
    p_worse, p_better
        P(delta < 0), P(delta > 0).
    decision
        What the data say of the candidate.
    settled
        Whether the decision is clear of Monte Carlo error.
    """

    baseline: str
    candidate: str
    mean: float
    hdi: Interval
    p_worse: float
    p_better: float
    decision: Decision
    settled: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class RankingFigures(Asked):
    """The figures of a ranking.

    Attributes
    ----------
    measure, measure_words, custom_measure, rope, hdi_prob, prevalence, prior, seed, n_draws
        How it was computed, so that it can be redone; see `compare`.
    n_samples, n_classes
        Examples, and classes that have any.
    settled
        Whether the decisions between the first system and every other are clear of Monte Carlo error.
    systems
        In the order of their mean scores, the best first.
    pairs
        Every two systems, in the same order.
    groups
        Tie groups: the longest runs of systems, in this order, of which any two differ by less than the ROPE (≈). A
        system may be in two of them, for ties are no equivalence: A may be tied with B, B with C, and A not with C.
    """

    prior: str
    seed: int
    n_draws: int
    n_samples: int
    n_classes: int
    settled: bool
    systems: tuple[SystemFigures, ...]
    pairs: tuple[PairFigures, ...]
    groups: tuple[tuple[str, ...], ...]

    @property
    def against_first(self) -> dict[str, PairFigures]:
        """The first system beside every other, by the other's name."""
        return {pair.candidate: pair for pair in self.pairs if pair.baseline == self.systems[0].name}


_MOST_NAMES = 5


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Ranking(RankingFigures):
    """Several systems on the same examples, the best first, and every comparison of two.

    Attributes
    ----------
    systems : tuple of SystemFigures
        Every figure of each system, such as its ``rank_hdi``; ``ranking["mine"]`` is one of them.
    pairs : tuple of PairFigures
        Every two systems; `decision` finds what is said of any two.
    groups
        Tie groups: the longest runs of systems in which any two are equivalent (≈).
    measure, measure_words, custom_measure, rope, hdi_prob, prevalence, prior, seed, n_draws
        How it was computed, so that it can be redone.
    n_samples, n_classes
        Examples, and classes that have any.
    settled
        Whether the decisions between the first system and every other are clear of Monte Carlo error.
    clusters : Clusters or None
        What was drawn independently, such as documents; None where every example is its own.
    unsupported
        Classes without examples and how often each system predicts them, in the order of `given`.
    given
        The names in the order in which the systems were given.
    weak
        Why the answers of a system tell nothing of the truth, by the names of those that do not.
    data_notes
        What a careful reader should know of how the data were read.

    Examples
    --------
    >>> from pytest_bayesf1 import ConfusionMatrix, rank
    >>> true = ["a", "b"] * 50
    >>> said = {"good": true, "fair": [*true[:80], *true[19::-1]], "poor": [*true[:60], *true[39::-1]]}
    >>> ranking = rank({name: ConfusionMatrix.from_predictions(true, each) for name, each in said.items()}, rope=0.01)
    >>> ranking.may_be_best, ranking.decision("good", "poor").words
    (('good',), 'significantly worse')
    >>> ranking["fair"].rank_hdi, ranking["good"].ties
    ((2, 2), ())
    """

    clusters: Clusters | None
    unsupported: tuple[UnsupportedClass, ...]
    given: tuple[str, ...]
    weak: dict[str, str]
    data_notes: tuple[str, ...]

    def __getitem__(self, name: str) -> SystemFigures:
        """Return the figures of a system; raise `InputError` for a name that is none."""
        for system in self.systems:
            if system.name == name:
                return system
        raise InputError("system", f"one of {first_few(map(shown, self.given), 20)}", shown(name))

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """The systems whose ``rank_hdi`` includes 1."""
        return tuple(each.name for each in self.systems if each.may_be_best)

    def decision(self, baseline: str, candidate: str) -> Decision:
        """Return the decision about two systems, as `compare` does.

        Parameters
        ----------
        baseline, candidate
            Names of two systems.

        Returns
        -------
        Decision
            Of the candidate.

        Raises
        ------
        InputError
            For a name that is none, or the same name twice.

        Examples
        --------
        >>> from pytest_bayesf1 import ConfusionMatrix, rank
        >>> said = [0, 1] * 50, [0, 1] * 30 + [0] * 40
        >>> right, half = (ConfusionMatrix.from_predictions([0, 1] * 50, each) for each in said)
        >>> print(rank({"right": right, "half": half}, measure="accuracy", rope=0.01).decision("half", "right"))
        ≫
        """
        for found in self.pairs:
            if (found.baseline, found.candidate) == (baseline, candidate):
                return found.decision
            if (found.candidate, found.baseline) == (baseline, candidate):
                return _MIRRORED[found.decision]
        named = f"{shown(baseline)}, {shown(candidate)}"
        raise InputError("systems", f"two of {first_few(map(shown, self.given), 20)}", named)

    @property
    def headline(self) -> str:
        """Which system leads, and how surely."""
        first = self.systems[0]
        interval = f"{likely(self)} {scores(first.hdi)}"
        best = first_few(map(one_line, self.may_be_best), _MOST_NAMES)
        return (
            f"{one_line(first.name)} leads with {one_line(self.measure_words)} {first.mean:.3f} ({interval}); "
            f"{len(self.may_be_best)} of {len(self.systems)} may be the best: {best}"
        )

    @property
    def title(self) -> str:
        """The first line of every text."""
        return f"{self.headline}."

    def notes(self) -> list[str]:
        """List what a careful reader should know beside the figures."""
        found = [f"Tied, any two within the ROPE: {', '.join(map(one_line, group))}." for group in self.groups]
        found += notes_on(self.unsupported, self._sides)
        if self.clusters is not None and self.clusters.noun != self.clusters.holding:
            found.append(
                f"The sample is of {self.clusters.n[0]:,} {self.clusters.noun}, with all their {self.clusters.holding}."
            )
        if not self.settled:
            found.append(
                "Some decision against the first still depends on Monte Carlo error after all draws: read it as a "
                "close call."
            )
        return [*found, *self.data_notes]

    def warnings(self) -> list[BayesF1Warning]:
        """List what its reader must not overlook."""
        weak = (f"{one_line(name)} may be misread. {why}." for name, why in self.weak.items())
        return [*warnings_of(self.unsupported, self.clusters, self._sides), *map(WeakBaselineWarning, weak)]

    @property
    def _sides(self) -> list[tuple[str, int]]:
        return [(one_line(name), self.n_samples) for name in self.given]

    def computed(self) -> str:
        """Say how the figures were computed."""
        example, category = nouns_of(self.clusters)
        data = counted(self.n_samples, example)
        if self.n_classes:
            classes = f"{self.n_classes} classes" if category == "class" else counted(self.n_classes, category)
            data += f" of {classes}"
        return f"{data}, ROPE {self.rope[1]:g}, {self.prior} prior, {self.n_draws:,} draws, seed {self.seed}"

    def to_dict(self) -> dict[str, Any]:
        """Return every figure, JSON-able; the draws are left out.

        Examples
        --------
        >>> from pytest_bayesf1 import ConfusionMatrix, rank
        >>> said = [0, 1] * 50, [0, 1] * 30 + [0] * 40
        >>> right, half = (ConfusionMatrix.from_predictions([0, 1] * 50, each) for each in said)
        >>> list(rank({"right": right, "half": half}, measure="accuracy", rope=0.01).to_dict()["systems"][0])[:3]
        ['name', 'observed', 'mean']
        """
        figures = {name: plain(value) for name, value in figures_of(self, RankingFigures).items()}
        return {"headline": self.headline, "notes": self.notes(), **figures}

    def columns(self) -> dict[str, list[Any]]:
        """Return the figures of all systems by the names of columns, the best system first."""
        against = {name: pair.decision.value for name, pair in self.against_first.items()}
        return {
            "system": [each.name for each in self.systems],
            "observed": [each.observed for each in self.systems],
            "mean": [each.mean for each in self.systems],
            "std": [each.std for each in self.systems],
            "hdi_low": [each.hdi[0] for each in self.systems],
            "hdi_high": [each.hdi[1] for each in self.systems],
            "rank_low": [each.rank_hdi[0] for each in self.systems],
            "rank_high": [each.rank_hdi[1] for each in self.systems],
            "may_be_best": [each.may_be_best for each in self.systems],
            "expected_rank": [each.expected_rank for each in self.systems],
            "against_first": [against.get(each.name, "") for each in self.systems],
        }

    def __str__(self) -> str:
        """Write the outcome, the figures and the notes, on several lines for a terminal."""
        rows = (f"  {line}".rstrip() for line in aligned(self._table))
        return "\n".join([self.title, *rows, *map(indented, [*self.notes(), f"{self.computed()}."])])

    def _repr_html_(self) -> str:
        """Show a notebook the table."""
        head, *rows = (
            "".join(f"<{tag} style='text-align:left'>{escape(cell)}</{tag}>" for cell in row)
            for tag, row in zip(["th", *["td"] * len(self.systems)], self._table, strict=True)
        )
        body = "".join(f"<tr>{row}</tr>" for row in (head, *rows))
        rest = "".join(f"<p>{escape(note)}</p>" for note in (*self.notes(), f"{self.computed()}."))
        return f"<p><strong>{escape(self.title)}</strong></p><table>{body}</table>{rest}"

    @property
    def _table(self) -> list[list[str]]:
        from pytest_bayesf1.reports.sheets import ranking_table  # noqa: PLC0415 (figures alone need no page)

        names, rows = ranking_table(self).texts
        return [names, *rows]

    def __repr__(self) -> str:
        """Write the measure and the order on one line."""
        return f"<Ranking {one_line(self.measure)}: {first_few((one_line(each.name) for each in self.systems), 3)}>"


_MIRRORED = {
    Decision.MUCH_WORSE: Decision.MUCH_BETTER,
    Decision.WORSE: Decision.BETTER,
    Decision.EQUIVALENT: Decision.EQUIVALENT,
    Decision.BETTER: Decision.WORSE,
    Decision.MUCH_BETTER: Decision.MUCH_WORSE,
    Decision.UNDECIDED: Decision.UNDECIDED,
}


_MOST_SYSTEMS = 50
"""Every two are compared."""


def _sides(systems: Mapping[str, Any]) -> dict[str, Side]:
    if not isinstance(systems, Mapping) or len(systems) < 2 or not all(isinstance(name, str) for name in systems):
        found = f"{len(systems)} of them" if isinstance(systems, Mapping) else type(systems).__name__
        raise InputError("systems", "two or more by name", found)
    if len(systems) > _MOST_SYSTEMS:
        raise InputError("systems", f"at most {_MOST_SYSTEMS}", f"{len(systems)} of them")
    sides = {name: as_side(value, one_line(name)) for name, value in systems.items()}
    (first_name, first), *others = sides.items()
    for name, other in others:
        if isinstance(other, Scores) != isinstance(first, Scores):
            expected = f"{type(first).__name__}, as {one_line(first_name)}"
            raise InputError(one_line(name), expected, type(other).__name__, "Build all systems in the same way.")
    return sides


def _on_shared_examples(sides: dict[str, Side], on_new_test_set: OnNewTestSet) -> dict[str, Side]:
    """Restrict all systems to the examples that all have."""
    if on_new_test_set is OnNewTestSet.INDEPENDENT:
        raise InputError.plain("on_new_test_set", "A ranking needs the same examples", "Leave it out.")
    known = [side.questions for side in sides.values() if side.questions is not None]
    if on_new_test_set is OnNewTestSet.ERROR or len(known) < len(sides):
        return sides
    found = shared_by_all(known)
    if found is None:
        return sides
    n_all = np.unique(np.concatenate([side.ids for side in known if side.ids is not None])).size
    note = f"{found[0].n_samples:,} of {n_all:,} examples are in all test sets; the ranking uses these."
    restricted: dict[str, Any] = dict(zip(sides, found, strict=True))
    return {name: side.of_examples(restricted[name]).with_notes((*side.notes, note)) for name, side in sides.items()}


@contextmanager
def _of_two(first: str, other: str) -> Iterator[None]:
    """Name the systems that do not fit together."""
    try:
        with within(f"{one_line(first)} (baseline), {one_line(other)} (candidate)"):
            yield
    except OtherTestSetError as error:
        advice = "A ranking needs the same examples, with one truth."
        raise InputError(error.where, error.expected, error.found, advice) from None


@ends_here
def rank(
    systems: Mapping[str, Any],
    *arrays: Any,
    measure: MeasureLike | None = None,
    rope: RopeLike | None = None,
    hdi_prob: float | None = None,
    on_new_test_set: str | None = None,
    prevalence: PrevalenceLike | None = None,
    seed: int | None = None,
    n_draws: int | None = None,
) -> Ranking:
    """Rank several systems by comparing every two of them on the same examples.

    Arguments that are left out take the project's setting, when a test run has one, or the default. Every two systems
    are compared as `compare` does, with its default prior.

    Parameters
    ----------
    systems
        By name what each predicts for the same examples: `ConfusionMatrix`, `MultilabelCounts` or `SpanCounts` made of
        predictions, or `Scores`. At most 50.
    measure
        As in `compare`; larger is better.
    rope
        Differences that do not matter, a half-width, for none of the systems is the baseline. Required.
    hdi_prob
        Probability inside the highest-density intervals, of ranks too; 0.95 by default.
    prevalence
        The class shares that all systems are scored at, such as ``{"fraud": 0.01}``; by default the test set's.
    seed
        Of the random numbers, 0 by default: the same input gives the same output.
    n_draws
        Number of posterior draws of every comparison, as in `compare`.

    Returns
    -------
    Ranking
        The systems in the order of their mean scores.

    Raises
    ------
    InputError
        When the data or an argument cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import ConfusionMatrix, rank
    >>> truth = ["ham", "spam"] * 200
    >>> predictions = {"always right": truth, "half": truth[:200] + ["ham"] * 200, "mostly": truth[:390] + ["ham"] * 10}
    >>> systems = {name: ConfusionMatrix.from_predictions(truth, given) for name, given in predictions.items()}
    >>> ranking = rank(systems, measure="accuracy", rope=0.03)
    >>> [(system.name, system.rank_hdi) for system in ranking.systems]
    [('always right', (1, 1)), ('mostly', (2, 2)), ('half', (3, 3))]
    """
    if arrays:
        problem = "One dictionary is expected: what each system predicts, by its name"
        advice = "Count each system's arrays first, with ConfusionMatrix.from_predictions."
        raise InputError.plain("systems", problem, advice)
    ranking = run_rank(
        systems,
        measure=measure,
        rope=rope,
        hdi_prob=hdi_prob,
        on_new_test_set=on_new_test_set,
        prevalence=prevalence,
        seed=seed,
        n_draws=n_draws,
    )
    warn_about(ranking.warnings())
    return ranking


def run_rank(systems: Mapping[str, Any], **given: Any) -> Ranking:
    """Do what `rank` does, without warnings about the data."""
    options = CompareOptions.resolve(**given, model=Model.PAIRED, prior=AUTO, engine=EngineName.EXACT)
    rope = options.rope
    if rope.low != -rope.high:
        expected = "a half-width, as none of the systems is the baseline"
        raise InputError("rope", expected, rope_bounds((rope.low, rope.high)))
    sides = _on_shared_examples(_sides(systems), options.on_new_test_set)
    alone = {name: value for name, value in given.items() if name not in ("rope", "on_new_test_set")}
    found = {}
    for name, side in sides.items():
        with within(one_line(name)):
            found[name] = run_estimate(side, **alone, prior=AUTO, engine=EngineName.EXACT)
    order = sorted(found, key=lambda name: -found[name].score.mean)
    # no system is newer, so whose truth is the corrected one is unknown
    options = replace(options, on_new_test_set=OnNewTestSet.ERROR)
    compared = [_compared(one, other, sides, options) for one, other in combinations(order, 2)]
    pairs = tuple(each.figures for each in compared)
    first = compared[0]
    check_width(rope, first.measure, right_or_wrong=first.task.subject.is_right_or_wrong)
    ranked = tuple(_systems(order, found, pairs, options.hdi_prob))
    return Ranking(
        **fields_asked(first.measure, first.task.subject, options),
        prior=str(first.task.subject.prior_of(first.measure, options)),
        seed=options.seed,
        n_draws=max(each.n_draws for each in compared),
        n_samples=found[order[0]].n_samples,
        n_classes=len(first.task.subject.true_labels),
        settled=all(pair.settled for pair in pairs if pair.baseline == order[0]),
        systems=ranked,
        pairs=pairs,
        groups=_groups(ranked),
        clusters=_clusters(list(found.values())),
        unsupported=_unsupported(list(found.values())),
        given=tuple(sides),
        weak=_weak(compared[: len(order) - 1]),
        data_notes=tuple(dict.fromkeys(note for side in sides.values() for note in side.notes)),
    )


class _Compared(NamedTuple):
    """A comparison of two systems."""

    figures: PairFigures
    task: ComparisonTask
    measure: AnyMeasure
    n_draws: int


def _compared(baseline: str, candidate: str, sides: Mapping[str, Side], options: CompareOptions) -> _Compared:
    with _of_two(baseline, candidate):
        task = ComparisonTask(subject_of_two(sides[baseline], sides[candidate], options), options)
        measure: AnyMeasure = task.subject.measure(options.measure)
    (decided,) = task.decided([measure])
    found = decided.drawn.summary
    figures = PairFigures(
        baseline=baseline,
        candidate=candidate,
        mean=found.mean,
        hdi=found.hdi,
        p_worse=found.p_worse,
        p_better=found.p_better,
        decision=found.decision,
        settled=found.settled,
    )
    return _Compared(figures, task, measure, decided.drawn.quantity.values.size)


def _systems(
    order: Sequence[str], found: Mapping[str, Estimate], pairs: Sequence[PairFigures], hdi_prob: float
) -> Iterator[SystemFigures]:
    """Yield the figures of every system, whose ranks are those that its comparisons leave."""
    sure = (1 + hdi_prob) / 2
    for name in order:
        own = [pair for pair in pairs if name in (pair.baseline, pair.candidate)]
        beats = np.array([pair.p_worse if name == pair.baseline else pair.p_better for pair in own])
        beaten = np.array([pair.p_better if name == pair.baseline else pair.p_worse for pair in own])
        ranks = 1 + int((beaten > sure).sum()), len(order) - int((beats > sure).sum())
        score = found[name].score
        tied = [pair for pair in own if pair.decision is Decision.EQUIVALENT]
        yield SystemFigures(
            name=name,
            observed=score.observed,
            mean=score.mean,
            std=score.std,
            hdi=score.hdi,
            rank_hdi=ranks,
            may_be_best=ranks[0] == 1,
            expected_rank=1 + float(((1 + beaten - beats) / 2).sum()),
            ties=tuple(pair.candidate if name == pair.baseline else pair.baseline for pair in tied),
        )


def _clusters(found: Sequence[Estimate]) -> Clusters | None:
    """Describe the clusters of all systems, each of whose examples are the same."""
    known = [each.clusters for each in found if each.clusters is not None]
    if not known:
        return None
    return Clusters(
        noun=known[0].noun,
        holding=known[0].holding,
        n=tuple(each.n[0] for each in known),
        n_equal=tuple(each.n_equal[0] for each in known),
        runs=tuple(each.runs[0] for each in known),
        trainings=tuple(each.trainings[0] for each in known),
    )


def _unsupported(found: Sequence[Estimate]) -> tuple[UnsupportedClass, ...]:
    """Join how often each system predicts the classes without examples."""
    by_label = [{each.label: each for each in estimate.unsupported} for estimate in found]
    labels = dict.fromkeys(label for own in by_label for label in own)
    return tuple(
        UnsupportedClass(
            label,
            tuple(own[label].predicted[0] if label in own else 0 for own in by_label),
            listed=all(own[label].listed for own in by_label if label in own),
        )
        for label in labels
    )


def _weak(against_first: Sequence[_Compared]) -> dict[str, str]:
    """Say of which systems the answers tell nothing, and why; given the first system beside every other."""
    first, *_ = against_first
    found = {first.figures.baseline: weakness(first.task.subject)}
    found |= {each.figures.candidate: weakness(each.task.subject, 1) for each in against_first}
    return {name: why for name, why in found.items() if why}


def _groups(systems: Sequence[SystemFigures]) -> tuple[tuple[str, ...], ...]:
    """Return the longest runs of systems of which any two are tied."""
    runs: list[tuple[str, ...]] = []
    names = [each.name for each in systems]
    for start in range(len(names)):
        end = start + 1
        while end < len(names) and all(names[end] in each.ties for each in systems[start:end]):
            end += 1
        if end > start + 1 and (not runs or names[end - 1] not in runs[-1]):
            runs.append(tuple(names[start:end]))
    return tuple(runs)
