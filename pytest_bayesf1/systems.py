"""`rank`: several systems on the same examples, ranked by the posterior of their scores."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from html import escape
from itertools import combinations
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import AUTO, EngineName, Model, OnNewTestSet
from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.comparison.compare import check_width, warn_about
from pytest_bayesf1.comparison.design import finished, of_counts, of_scores, subject_of_two, threshold_of
from pytest_bayesf1.comparison.subject import AnyMeasure, AnyPrior, OutcomeSubject, ScoreSubject, Subject, fields_asked
from pytest_bayesf1.comparison.suspicions import require_some_knowledge
from pytest_bayesf1.data import Tabular
from pytest_bayesf1.data.outcomes import Experiment, ScoreExperiment
from pytest_bayesf1.data.paired import as_side
from pytest_bayesf1.data.prevalence import PrevalenceLike
from pytest_bayesf1.data.questions import pair
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.data.two_sides import OtherTestSetError, align, all_at, matched, questions_of, shared_by_all
from pytest_bayesf1.engines.exact import SystemsSampler
from pytest_bayesf1.engines.protocol import Sampler
from pytest_bayesf1.errors import BayesF1Warning, InputError, ends_here, shown, within
from pytest_bayesf1.measures.classification import MeasureLike, Several
from pytest_bayesf1.priors import PseudoObservations
from pytest_bayesf1.results.comparison import Asked, Clusters, UnsupportedClass, nouns_of, owners_of
from pytest_bayesf1.results.decisions import Decision
from pytest_bayesf1.results.schema import figures_of, plain
from pytest_bayesf1.stats.decision import RopeLike
from pytest_bayesf1.stats.posterior import Draws
from pytest_bayesf1.stats.ranks import expected_losses, rank_interval, rank_probabilities, runs_of_ties, shrink_jointly
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
        The shortest run of ranks, first and last, that is at least as likely as the HDI; 1 is the best. All figures of
        ranks are of scores that are shrunk toward each other, by as much as three systems or more turn out to be alike.
    may_be_best
        Whether ``rank_hdi`` includes 1.
    expected_rank
        The mean of its rank.
    expected_loss
        How far its score lies behind the best one, on average: what it costs to choose this system.
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
    expected_loss: float
    ties: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PairFigures:
    """A comparison of two systems, of which the one with the higher mean score is the baseline.

    Attributes
    ----------
    baseline, candidate
        Their names.
    mean, hdi
        Of the posterior of delta, the candidate's score minus the baseline's.
    p_worse
        P(delta < 0).
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
class Ranking(RankingFigures, Tabular):
    """The joint posterior of the scores of several systems on the same examples, the best first.

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
    draws
        Joint draws of the scores, (n_draws,) each, by name; not shrunk toward each other.
    clusters : Clusters or None
        What was drawn independently, such as documents; None where every example is its own.
    unsupported
        Classes without examples and how often each system predicts them, in the order of `given`.
    given
        The names in the order in which the systems were given.
    data_notes
        What a careful reader should know of how the data were read.

    Examples
    --------
    >>> from pytest_bayesf1 import ConfusionMatrix, rank
    >>> true = ["a", "b"] * 50
    >>> said = {"good": true, "fair": [*true[:80], *true[19::-1]], "poor": [*true[:50], *true[49::-1]]}
    >>> ranking = rank({name: ConfusionMatrix.from_predictions(true, each) for name, each in said.items()}, rope=0.01)
    >>> ranking.may_be_best, ranking.decision("good", "poor").words
    (('good',), 'significantly worse')
    >>> ranking["fair"].rank_hdi, ranking["good"].ties, ranking["poor"].expected_loss > 0.2
    ((2, 2), (), True)
    """

    draws: dict[str, Floats]
    clusters: Clusters | None
    unsupported: tuple[UnsupportedClass, ...]
    given: tuple[str, ...]
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
        >>> right, half = (ConfusionMatrix.from_predictions([0, 1] * 50, said) for said in ([0, 1] * 50, [0, 0] * 50))
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
        return warnings_of(self.unsupported, self.clusters, self._sides)

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
        >>> right, half = (ConfusionMatrix.from_predictions([0, 1] * 50, said) for said in ([0, 1] * 50, [0, 0] * 50))
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
            "expected_loss": [each.expected_loss for each in self.systems],
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


_REASON = "all systems have predictions of the same examples"
_POSTERIOR = 0  # the stream of random numbers of a comparison


@dataclass(frozen=True, eq=False)
class Systems:
    """Two systems, which are drawn as in a comparison, or more, which share pseudo-observations."""

    names: tuple[str, ...]
    subject: Subject[Any]
    """Their joint outcomes, or scores."""
    pseudo: PseudoObservations | None = None
    """The prior of the outcomes of more than two; None where the prior is that of the subject."""

    @classmethod
    def of(cls, systems: Mapping[str, Any], options: CompareOptions) -> "Systems":
        """Join the examples of all systems."""
        sides = _on_shared_examples(_sides(systems), options.on_new_test_set)
        first, second, *others = sides.values()
        if not others:
            with _of_two(*sides):
                # no system is newer, so whose truth is the corrected one is unknown
                subject = subject_of_two(first, second, replace(options, on_new_test_set=OnNewTestSet.ERROR))
            return cls(tuple(sides), subject)
        scores = {name: side for name, side in sides.items() if isinstance(side, Scores)}
        threshold = threshold_of(options) if scores else None
        if scores and threshold is None:
            return cls(tuple(sides), of_scores(_score_subject(scores), options))
        at = sides if threshold is None else all_at(scores, threshold)
        counted = of_counts(_design(at), options, threshold)
        return cls(tuple(sides), counted, PseudoObservations.of(counted.experiment.tables[0]))

    def measure(self, options: CompareOptions) -> AnyMeasure:
        """Choose a measure; an error names the system whose data leave it undefined."""
        with within(_known_as(self.names)):
            measure: AnyMeasure = self.subject.measure(options.measure)
        return measure

    def prior(self, options: CompareOptions) -> AnyPrior:
        """Return the prior: that of a comparison, or the only one of more systems."""
        return self.pseudo or self.subject.prior(options)

    def sampler(self, measure: Any, options: CompareOptions) -> Sampler:
        """Start a stream of draws of every system's score."""
        if self.pseudo is None:
            return self.subject.sampler((measure,), options)
        return SystemsSampler(self.subject.experiment, self.pseudo, Several((measure,)), (options.seed, _POSTERIOR))


def _sides(systems: Mapping[str, Any]) -> dict[str, Side]:
    if not isinstance(systems, Mapping) or len(systems) < 2 or not all(isinstance(name, str) for name in systems):
        found = f"{len(systems)} of them" if isinstance(systems, Mapping) else type(systems).__name__
        raise InputError("systems", "two or more by name", found)
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


def _design(sides: Mapping[str, Side]) -> OutcomeSubject:
    """Join the predictions of all systems into one table of outcomes."""
    alike = dict(zip(sides, _with_all_labels(sides), strict=True))
    first, *_ = alike.values()
    experiment = Experiment(Model.PAIRED, (_joint(alike),))
    subject = OutcomeSubject(experiment, first.labels, _REASON, _notes(alike), vocabulary=first.vocabulary)
    return finished(subject, *alike.values())


def _joint(sides: Mapping[str, Side]) -> Any:
    """Count the joint outcomes of all systems, or their joint scores."""
    (first_name, first), *others = sides.items()
    known = [questions_of(first, first_name)]
    for name, other in others:
        with _of_two(first_name, name):
            known.append(matched(known[0], questions_of(other, name), first.labels))
    return pair(known[0], known).outcomes(len(first.labels))


def _notes(sides: Mapping[str, Side]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(note for side in sides.values() for note in side.notes))


def _with_all_labels(sides: Mapping[str, Any]) -> list[Side]:
    """Bring all systems to the labels that any of them has."""
    (first_name, first), *others = sides.items()
    alike: list[Side] = []
    for _ in range(2):  # what a later system adds, an earlier one gets the second time
        alike = [first]
        for name, other in others:
            with _of_two(first_name, name):
                alike[0], new = align(alike[0], other)
            alike.append(new)
        first = alike[0]
    return alike


def _score_subject(sides: Mapping[str, Side]) -> ScoreSubject:
    """Join the scores of all systems into one table."""
    (first_name, first), *others = sides.items()
    alike = {first_name: first}
    for name, other in others:
        with _of_two(first_name, name):
            alike[name] = align(first, other)[1]
    experiment = ScoreExperiment(Model.PAIRED, (_joint(alike),))
    return ScoreSubject(experiment, first.labels, _REASON, _notes(alike))


def _known_as(names: Sequence[str]) -> str:
    """Name systems, and say what errors call each."""
    owners = (owner.removeprefix("the ") for owner in owners_of(len(names)))
    return first_few((f"{one_line(name)} ({owner})" for name, owner in zip(names, owners, strict=True)), 10)


@contextmanager
def _of_two(first: str, other: str) -> Iterator[None]:
    """Name the systems that do not fit together."""
    try:
        with within(_known_as([first, other])):
            yield
    except OtherTestSetError as error:
        advice = "A ranking needs the same examples, with one truth."
        raise InputError(error.where, error.expected, error.found, advice) from None


_STREAM = 1  # of random numbers, beside that of the scores

_MOST_SCORES = 2_000_000
"""Draws of all systems together: as many as a comparison draws of two."""


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
    """Rank several systems by the joint posterior of their scores on the same examples.

    Arguments that are left out take the project's setting, when a test run has one, or the default. Two systems are
    drawn as `compare` draws them, with its default prior. More share a prior of their own, see
    docs/how-to/rank-several-systems.md.

    Parameters
    ----------
    systems
        By name what each predicts for the same examples: `ConfusionMatrix`, `MultilabelCounts` or `SpanCounts` made of
        predictions, or `Scores`.
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
        Number of posterior draws; by default 10,000, doubled until the decisions between the first system and every
        other are settled, or two million scores are drawn.

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
    >>> predictions = {"always right": truth, "never spam": ["ham"] * 400, "mostly": truth[:390] + ["ham"] * 10}
    >>> systems = {name: ConfusionMatrix.from_predictions(truth, given) for name, given in predictions.items()}
    >>> ranking = rank(systems, measure="accuracy", rope=0.03)
    >>> [(system.name, system.rank_hdi) for system in ranking.systems]
    [('always right', (1, 1)), ('mostly', (2, 2)), ('never spam', (3, 3))]
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
    joined = Systems.of(systems, options)
    subject, measure = joined.subject, joined.measure(options)
    require_some_knowledge(subject, joined.names)
    check_width(rope, measure, right_or_wrong=subject.is_right_or_wrong)
    found = subject.observed(measure)
    scores = _draws(joined, measure, options)
    order = np.argsort(-scores.mean(axis=1), kind="stable").tolist()
    names, scores = tuple(joined.names[place] for place in order), scores[order]
    scores.flags.writeable = False
    pairs = tuple(_pairs(names, scores, options))
    ranked = tuple(
        _systems(names, [found.scores[place] for place in order], scores, pairs, options.hdi_prob, options.seed)
    )
    return Ranking(
        **fields_asked(measure, subject, options),
        prior=str(joined.prior(options)),
        seed=options.seed,
        n_draws=scores.shape[1],
        n_samples=subject.n_samples[0],
        n_classes=len(subject.true_labels),
        settled=all(pair.settled for pair in pairs if pair.baseline == names[0]),
        systems=ranked,
        pairs=pairs,
        groups=_groups(ranked),
        draws=dict(zip(names, scores, strict=True)),
        clusters=subject.clusters,
        unsupported=found.unsupported,
        given=joined.names,
        data_notes=subject.notes,
    )


def _draws(systems: Systems, measure: AnyMeasure, options: CompareOptions) -> Floats:
    """Draw the scores, (systems, n), doubling n until the first system is settled against every other."""
    sampler, most = systems.sampler(measure, options), _MOST_SCORES // len(systems.names)
    scores = sampler.draw(options.n_draws or min(options.engine.first_draws, most))[:, :, 0]
    while not (options.n_draws or scores.shape[1] >= most or _first_is_settled(scores, options)):
        more = sampler.draw(min(scores.shape[1], most - scores.shape[1]))[:, :, 0]
        scores = np.concatenate([scores, more], axis=1)
    return scores


def _first_is_settled(scores: Floats, options: CompareOptions) -> bool:
    first, *others = scores[np.argsort(-scores.mean(axis=1), kind="stable")]
    return all(options.summarise(Draws(other - first)).settled for other in others)


def _pairs(names: Sequence[str], scores: Floats, options: CompareOptions) -> Iterator[PairFigures]:
    for (baseline, one), (candidate, other) in combinations(zip(names, scores, strict=True), 2):
        found = options.summarise(Draws(other - one))
        yield PairFigures(
            baseline=baseline,
            candidate=candidate,
            mean=found.mean,
            hdi=found.hdi,
            p_worse=found.p_worse,
            decision=found.decision,
            settled=found.settled,
        )


def _systems(
    names: Sequence[str],
    observed: Sequence[float],
    scores: Floats,
    pairs: Sequence[PairFigures],
    hdi_prob: float,
    seed: int,
) -> Iterator[SystemFigures]:
    """Yield the figures of every system: those of ranks by scores that are shrunk toward each other."""
    together = shrink_jointly(scores, np.random.default_rng([seed, _STREAM]))
    at_ranks, losses = rank_probabilities(together), expected_losses(together)
    tied = [{pair.baseline, pair.candidate} for pair in pairs if pair.decision is Decision.EQUIVALENT]
    for place, name in enumerate(names):
        draws, ranks = Draws(scores[place]), rank_interval(at_ranks[place], hdi_prob)
        yield SystemFigures(
            name=name,
            observed=observed[place],
            mean=draws.mean,
            std=draws.std,
            hdi=draws.hdi(hdi_prob),
            rank_hdi=ranks,
            may_be_best=ranks[0] == 1,
            expected_rank=float(at_ranks[place] @ np.arange(1, len(names) + 1)),
            expected_loss=float(losses[place]),
            ties=tuple(other for other in names if other != name and {name, other} in tied),
        )


def _groups(systems: Sequence[SystemFigures]) -> tuple[tuple[str, ...], ...]:
    names = [each.name for each in systems]
    runs = runs_of_ties([[other in each.ties for other in names] for each in systems])
    return tuple(tuple(names[start : end + 1]) for start, end in runs)
