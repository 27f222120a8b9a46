"""`compare` and what it returns: a `Comparison`, or an `Estimate` of one classifier alone, with all their figures."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import cached_property
from heapq import nsmallest
from html import escape
from itertools import accumulate, islice
from math import sqrt
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias, Unpack, overload

import numpy as np
from scipy.special import bdtr, ndtri

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import AUTO, FROM_RUNS, EngineName, Model
from pytest_bayesf1.comparison.anomalies import (
    identical_sides,
    labels_swapped,
    leakage_suspected,
    notes_on,
    notes_on_shared,
    sides_of,
    tags_scored_one_by_one,
    warnings_about,
    warnings_on_shared,
    why_far_from_observed,
)
from pytest_bayesf1.comparison.arguments import (
    ArrayArguments,
    ArrayCompareArguments,
    CompareArguments,
    CompareOptions,
    Options,
    SharedArguments,
    checked_floor,
    checked_run_sd,
    of_arrays,
)
from pytest_bayesf1.comparison.changes import Changes, changed_values
from pytest_bayesf1.comparison.class_shares import at_prevalence, moved_class
from pytest_bayesf1.comparison.design import AS_THE_PRIOR, ASKED_FOR, BARE_SPAN_COUNTS, Sides
from pytest_bayesf1.comparison.sampling import Drawn, batches, draw_delta, draw_until_settled
from pytest_bayesf1.comparison.subject import (
    ROUNDING,
    AnyMeasure,
    ClassPosteriors,
    Clusters,
    MeasureT,
    Provenance,
    Subject,
    depends_on_shares,
    note_on,
    note_on_pool,
    prior_deltas,
    subject_of_one,
    subject_of_two,
    warnings_on,
    words_of,
)
from pytest_bayesf1.data import Tabular, table_engines
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.data.prevalence import BASELINE, CANDIDATE, Prevalence, PrevalenceLike
from pytest_bayesf1.engines import load_engine
from pytest_bayesf1.engines.protocol import Engine
from pytest_bayesf1.errors import (
    BayesF1Warning,
    BelowChanceWarning,
    ClassSharesWarning,
    InputError,
    LeakageWarning,
    TokenTagsWarning,
    WideRopeWarning,
    ends_here,
    warn,
)
from pytest_bayesf1.figures.picture_file import Pictured
from pytest_bayesf1.figures.pictures import posterior_of
from pytest_bayesf1.figures.plot import Plot, standalone
from pytest_bayesf1.measures.classification import Measure, MeasureLike
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import (
    MOST_EARLIER,
    NO_NUMBER,
    Chance,
    ClassDifference,
    ClassShares,
    ClusterFigures,
    ComparisonFigures,
    Computed,
    Convergence,
    DeltaFigures,
    Density,
    DetectableLosses,
    EarlierChange,
    EstimateFigures,
    FloorFigures,
    LateFigures,
    Move,
    PairedDifference,
    SharedExamples,
    Significance,
    UnsupportedClass,
    leave_open,
)
from pytest_bayesf1.results.decision import NO_WORSE, Decision
from pytest_bayesf1.results.formatting import (
    Amounts,
    allowed,
    changed_examples,
    format_chance,
    format_class_shares,
    format_exactly,
    format_score,
    likeliest,
    likely,
    losses_found,
    more_needed,
    moved,
    multiple_needed,
    no_forecast,
    with_range,
)
from pytest_bayesf1.results.policy import NOT_WORSE, Policy
from pytest_bayesf1.results.schema import Label, figures_of, plain
from pytest_bayesf1.session import Record, current_session
from pytest_bayesf1.stats.decision import CONFIRMED, WIDEST, Gap, Rope, RopeLike
from pytest_bayesf1.stats.frequentist import classical_tests, paired_outcomes
from pytest_bayesf1.stats.posterior import (
    COARSE,
    UNKNOWN,
    BayesFactor,
    Draws,
    ScorePosterior,
    density_curve,
    interval_bayes_factor,
    savage_dickey,
)
from pytest_bayesf1.stats.power import Alternative, detectable_losses_of
from pytest_bayesf1.stats.usual import FEWEST_CHANGES, UsualChanges
from pytest_bayesf1.text import (
    MINUS,
    POINTS,
    Interval,
    begun,
    brief,
    counted,
    factor,
    grouped,
    indented,
    level,
    named,
    one_line,
    p_value,
    percent,
    rope_bounds,
    rope_end,
    rope_width,
    scale_of,
    scores,
    whole_percent,
)

Facts: TypeAlias = Iterable[tuple[str, str]]
"""Figures by name."""

_LONGEST_TRACE = 200

UNSETTLED = "On the edge: other draws could still tip the decision. Read it as a close call."


class _Result(Computed, Pictured, Tabular):
    """What a comparison and an estimate do alike: for a terminal, for a notebook and for a report."""

    kind: ClassVar[str]
    provenance: Provenance
    settled: bool

    @property
    @abstractmethod
    def headline(self) -> str:
        """The outcome as one sentence, without its full stop."""

    @property
    def title(self) -> str:
        """The first line of every text."""
        return f"{self.headline}."

    @abstractmethod
    def facts(self, policy: Policy = NOT_WORSE) -> Facts:
        """Yield the figures by name, for everybody."""

    @abstractmethod
    def caveats(self) -> list[str]:
        """List what every reader should know of the data: classes that never occur, test sets that differ, leakage."""

    def surprises(self) -> list[str]:
        """List what looks wrong in the figures, with the reason; these are caveats that a short message says too."""
        return []

    @abstractmethod
    def _remarks(self) -> Iterator[str]:
        """Yield what a careful reader should know of how the figures came about."""

    def notes(self) -> list[str]:
        """List what a careful reader should know beside the figures, the caveats first."""
        found = [*self.caveats(), *self._remarks()]
        subject, measure = self.provenance.subject, self.provenance.measure
        if subject.experiment.population is not None and self.measure_words == measure.words:
            found.append(f"prevalence has no effect on {one_line(self.measure_words)}.")
        if not self.settled:
            found.append(UNSETTLED)
        return [*found, *self.provenance.notes]

    @abstractmethod
    def figures(self, *, at_length: bool = True) -> dict[str, Any]:
        """Return every figure by name, without the draws; or all but what takes longest to compute."""

    def to_dict(self) -> dict[str, Any]:
        """Return every figure, JSON-able; of the draws the density at evenly spaced points.

        Examples
        --------
        >>> from pytest_bayesf1 import compare
        >>> compare([[90, 10], [10, 90]], [[80, 20], [10, 90]], measure="f1", rope=0.05).to_dict()["model"]
        'same-set'
        """
        return {"kind": self.kind, "headline": self.headline, "notes": self.notes(), **plain(self.figures())}

    @property
    def plot(self) -> Plot:
        """The posterior."""
        return posterior_of(self)

    def as_prior(self) -> Prior:
        """Return the posterior as a `Prior`: evidence from successive test sets adds up.

        Examples
        --------
        >>> from pytest_bayesf1 import compare
        >>> march = compare([[90, 10], [10, 90]], [[80, 20], [10, 90]], measure="f1", rope=0.05)
        >>> compare([[45, 5], [5, 45]], [[41, 9], [5, 45]], measure="f1", rope=0.05, prior=march.as_prior()).prior
        'jeffreys after 200 earlier examples'
        """
        return self.provenance.as_prior()

    def computed(self) -> str:
        """Say how the figures were computed."""
        drawn = f"{self.n_draws:,} {'draws' if self.convergence.r_hat is None else f'draws ({self.convergence})'}"
        return f"{self.prior} prior, {drawn}, {self.engine} engine, seed {self.seed}"

    def __str__(self) -> str:
        """Write the outcome, the figures and the notes, on several lines for a terminal."""
        return "\n".join(self.parts())

    def parts(self) -> Iterator[str]:
        """Yield the outcome, every figure and every note: each a line for a terminal, or several."""
        yield self.title
        yield from (named(*fact) for fact in self.facts())
        yield from map(indented, self.notes())

    def _repr_html_(self) -> str:
        """Show a notebook the posterior and the figures."""
        left, spaced = "style='text-align:left'", "style='text-align:left; white-space:pre-wrap'"
        rows = "".join(
            f"<tr><th {left}>{escape(name)}</th><td {spaced}>{escape(value)}</td></tr>" for name, value in self.facts()
        )
        rest = "".join(f"<p>{escape(note)}</p>" for note in self.notes())
        drawn = standalone(self.plot, self.title)
        return f"<p><strong>{escape(self.title)}</strong></p>{drawn}<table>{rows}</table>{rest}"


def warnings_of(
    unsupported: Sequence[UnsupportedClass],
    clusters: ClusterFigures | Clusters | None,
    sides: Sequence[tuple[str, int]],
) -> list[BayesF1Warning]:
    """List what the reader of any result must not overlook in the data."""
    return [*warnings_about(unsupported, sides), *(warnings_on(clusters) if clusters else ())]


def warn_about(warnings: Iterable[BayesF1Warning]) -> None:
    """Warn of what the reader must not overlook."""
    for warning in warnings:
        warn(str(warning), type(warning))


def computed_figures(
    subject: Subject[MeasureT], measure: MeasureT, options: Options, drawn: Drawn[Any], independent: Floats | None
) -> dict[str, Any]:
    """Return how a result was computed, and what the draws say, by the names of its figures."""
    draws, clusters = drawn.quantity, subject.clusters
    return {
        **vars(drawn.summary),
        "measure": measure.name,
        "measure_words": words_of(measure, subject, options),
        **options.recorded,
        "prevalence": "" if options.prevalence is None else str(options.prevalence),
        "prior": str(subject.prior(options)),
        "engine": options.engine.name,
        "n_draws": draws.values.size,
        "convergence": drawn.convergence,
        "clusters": clusters and clusters.figures(draws.values, independent, options.hdi_prob),
        "n_classes": len(subject.true_labels),
        "density": density_curve(draws),
        "trace": thinned_chains(drawn.convergence, draws.values),
    }


def thinned_chains(convergence: Convergence, values: Floats) -> tuple[tuple[float, ...], ...] | None:
    """Thin the chains behind a quantity for a figure."""
    if convergence.r_hat is None:
        return None
    chains = values.reshape(convergence.n_chains, -1)
    return tuple(map(tuple, chains[:, :: -(-chains.shape[1] // _LONGEST_TRACE)].tolist()))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Estimate(EstimateFigures, _Result):
    """One classifier's score, and how it compares with a floor, if there is one.

    Attributes
    ----------
    score : ScorePosterior
        Observed score and posterior.
    floor, p_below_floor
        The floor and the probability that the score lies below it; None without a floor.
    below_floor, above_floor
        Whether the whole HDI does, on either side.
    mcse_hdi, settled
        Monte Carlo standard errors of the HDI's bounds, and whether they are clear of the floor.
    measure, measure_words, hdi_prob, prevalence, prior, engine, seed, n_draws, n_samples, n_classes
        How it was computed.
    run_sd
        How far the score varies from run to run where the HDI is about these very examples; None where it is about all
        that they are a sample of.
    unsupported
        Classes without examples and how often they are predicted: counted as wrong, and in no average.
    clusters : ClusterFigures or None
        The clusters that examples belong to, and what they do to the interval; None where every example is its own.
    convergence : Convergence
        How far the draws can be trusted: R-hat, effective number.
    density : Density
        Of the score.
    trace
        Its Markov chains, thinned for a figure; None for independent draws, which have none.
    provenance : Provenance
        The counts, the prior and the measure themselves.

    Examples
    --------
    >>> from pytest_bayesf1 import assert_at_least
    >>> estimate = assert_at_least([[960, 40], [30, 970]], 0.9, measure="accuracy")
    >>> round(estimate.score.mean, 2), estimate.score.observed, estimate.above_floor, estimate.p_below_floor
    (0.96, 0.965, True, 0.0)
    """

    kind: ClassVar[Literal["estimate"]] = "estimate"
    known_changes: ClassVar[None] = None

    mcse_hdi: tuple[float, float]
    score: ScorePosterior
    provenance: Provenance

    @property
    def headline(self) -> str:
        """An estimate's outcome in one sentence."""
        score = self.score
        inside = (
            f"{one_line(self.measure_words)} is {format_score(score.observed)} ({likely(self)} {scores(score.hdi)})"
        )
        if self.floor is None or self.p_below_floor is None:
            return begun(inside)
        limit = f"the floor of {self.floor:g}"
        if self.below_floor:
            return f"Below {limit}: {inside}"
        if self.above_floor:
            return f"Above {limit}: {inside}"
        return f"Not clearly below {limit}: {inside}, P(below) {whole_percent(self.p_below_floor)}"

    def facts(self, policy: Policy = NOT_WORSE) -> Facts:  # noqa: ARG002
        """Yield the figures by name."""
        yield "score", f"{format_score(self.score.observed)} on {self.tested_on}"
        yield likely(self), scores(self.score.hdi)
        if self.p_below_floor is not None:
            yield "floor", f"{self.floor:g}   P(below) {whole_percent(self.p_below_floor)}"
        yield "computed", self.computed()

    def columns(self) -> dict[str, list[Any]]:
        """Return the main figures, by the names of columns with one value."""
        low, high = self.score.hdi
        return {
            "measure": [self.measure],
            "score": [self.score.observed],
            "hdi_low": [low],
            "hdi_high": [high],
            "floor": [self.floor],
            "p_below_floor": [self.p_below_floor],
            "n_samples": [self.n_samples],
        }

    def phrases(self, policy: Policy) -> dict[str, str]:  # noqa: ARG002
        """Return nothing: advice on floors is whole."""
        return {}

    def statistics(self) -> Facts:
        """Yield the posterior mean."""
        yield "mean", format_score(self.score.mean)

    def brief_facts(self, policy: Policy, *, is_warning: bool) -> Facts:  # noqa: ARG002
        """Yield what a failure says first."""
        assert self.p_below_floor is not None  # what is judged has a floor
        low, high = map(format_score, self.score.hdi)
        yield likely(self), f"{low} to {high}, P(below the floor) {whole_percent(self.p_below_floor)}"
        yield "tested on", self.tested_on

    def computed(self) -> str:
        """Say how the figures were computed."""
        if self.run_sd is None:
            return super().computed()
        return f"normal about the observed score, standard deviation {self.score.std:.2g}"

    def caveats(self) -> list[str]:
        """List what every reader should know of the data."""
        return list(notes_on(self.unsupported, sides_of((self.n_samples,))))

    def _remarks(self) -> Iterator[str]:
        if self.run_sd is not None:
            n_runs = round((self.run_sd / self.score.std) ** 2)
            yield (
                f"The interval is about these {self.n_samples:,} {self.example}s, not about others like them: the "
                f"chance in {counted(n_runs, 'run')}, each with a standard deviation of {self.run_sd:g}."
            )
        if self.clusters is not None:
            yield note_on(self.clusters, (self.n_samples,), scores(self.clusters.independent_hdi))
        if abs(self.pull) > 0.25 and not self.provenance.prior.n_examples:
            few = f"{self.example}s per {self.category}" if self.n_classes else f"{self.example}s"
            pull = f"{self.pull:+z.1f}".replace("-", MINUS)
            yield (
                f"The {self.prior} prior moves the posterior mean by {pull} standard deviations from the "
                f"observed {format_score(self.score.observed)}. You have few {few}: trust the range less."
            )

    def warnings(self) -> list[BayesF1Warning]:
        """List what its reader must not overlook."""
        return warnings_of(self.unsupported, self.clusters, sides_of((self.n_samples,)))

    @property
    def is_not_inferior(self) -> bool:
        """Whether the whole HDI reaches the floor."""
        return self.above_floor

    def thinned(self, most: int) -> "Estimate":  # noqa: ARG002
        """Return the same: nothing is computed from its draws."""
        return self

    def without_draws(self) -> "Estimate":
        """Return the same."""
        return self

    @property
    def pull(self) -> float:
        """How far the prior moves the posterior mean from the observed score, in posterior standard deviations."""
        return (self.score.mean - self.score.observed) / self.score.std if self.score.std > 0 else 0.0

    def figures(self, *, at_length: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return every figure by name, without the draws; none takes long."""
        return figures_of(self, EstimateFigures, {"score": self.score.figures})

    def __repr__(self) -> str:
        """Write the measure, the score, its likely range and the floor on one line."""
        floor = "" if self.floor is None else f", floor {self.floor:g}"
        return f"<Estimate {one_line(self.measure)} {self.observed} ({scores(self.score.hdi)}){floor}>"


@dataclass(frozen=True)
class Task(ABC):
    """Data, ready to be judged by any measure."""

    subject: Subject[Any]
    options: Options

    @abstractmethod
    def measure(self, asked_for: MeasureLike) -> AnyMeasure:
        """Choose a measure that the data can be judged by."""

    @abstractmethod
    def answers(self, measures: Sequence[Any], tail: float = 1.0) -> Iterator["Comparison | Estimate"]:
        """Judge by each, exactly as if it alone were asked for."""

    @abstractmethod
    def on(self, data: Any) -> Self:
        """Return the same task on other data."""

    def answer(self, tail: float = 1.0) -> Any:
        """Judge by the measure that was asked for."""
        (found,) = self.answers([self.measure(self.options.measure)], tail)
        return found


@dataclass(frozen=True)
class EstimateTask(Task):
    """One side, and its floor if it has one; or several runs, where the examples are always the same."""

    floor: float | None
    run_sd: float | None
    n_runs: int

    @classmethod
    def of(
        cls, side: Any, *, floor: float | None = None, run_sd: float | None = None, **given: Unpack[SharedArguments]
    ) -> Self:
        """Check the data and the arguments."""
        options, floor = Options.resolve(**given), None if floor is None else checked_floor(floor)
        run_sd = None if run_sd is None else checked_run_sd(run_sd)
        known = getattr(side, "predictions", None)
        return cls(subject_of_one(side, options), options, floor, run_sd, 1 if known is None else known.n_runs)

    def on(self, data: Any) -> Self:
        """Return the same task on another side."""
        return replace(self, subject=subject_of_one(data, self.options))

    def measure(self, asked_for: MeasureLike) -> AnyMeasure:
        """Choose a measure that the side can be scored by, and that can reach the floor."""
        measure: AnyMeasure = self.subject.measure(asked_for)
        if self.floor is None:
            return measure
        if measure.bounded and self.floor == 1:
            problem = "No likely range of a score reaches 1: the next example may be wrong"
            raise InputError.plain("floor", problem, "To allow no error, write: assert list(y_pred) == list(y_true)")
        if measure.bounded and not min(measure.lowest, -1) <= self.floor < 1:
            raise InputError("floor", "a score below 1, such as 0.9 for 90%", f"{self.floor:g}")
        return measure

    def answers(self, measures: Sequence[Any], tail: float = 1.0) -> Iterator[Estimate]:  # noqa: ARG002
        """Estimate by each."""
        return map(self._answer, measures)

    def _answer(self, measure: AnyMeasure) -> Estimate:
        subject, options = self.subject, self.options
        found, (n_samples,) = subject.observed(measure), subject.n_samples
        if self.run_sd is None:
            (drawn,) = draw_until_settled(subject, options, (measure,), self._summarise)
            independent = subject.scores_if_independent((measure,), options) if subject.clusters else None
            apart = None if independent is None else independent[0, :, 0]
            figures = computed_figures(subject, measure, options, drawn, apart)
        else:
            values = _of_new_runs(found.scores[0], self.run_sd / sqrt(self.n_runs), options)
            summary = self._summarise(Draws(values))
            summary = replace(summary, mcse_hdi=(0.0, 0.0), settled=True)  # by quantiles, not by chance
            drawn = Drawn(values[None], Draws(values), summary, Convergence(ess=float(values.size)), None)
            figures = computed_figures(subject, measure, options, drawn, None)
            figures |= {"prior": FROM_RUNS, "clusters": None}
        return Estimate(
            **figures,
            run_sd=self.run_sd,
            unsupported=found.unsupported,
            n_samples=n_samples,
            n_of_class=_of_class(measure.class_index, subject),
            score=ScorePosterior.of(found.scores[0], drawn.quantity, options.hdi_prob),
            provenance=Provenance(subject, subject.prior(options), measure),
        )

    def _summarise(self, score: Draws) -> FloorFigures:
        hdi_prob, floor = self.options.hdi_prob, self.floor
        (low, high), (mcse_low, mcse_high) = score.hdi(hdi_prob), score.hdi_mcse(hdi_prob)
        if floor is None:
            return FloorFigures(
                floor=None,
                p_below_floor=None,
                below_floor=False,
                above_floor=False,
                mcse_hdi=(mcse_low, mcse_high),
                settled=True,
            )
        return FloorFigures(
            floor=floor,
            p_below_floor=score.shares(floor, floor)[0],
            below_floor=floor > high,
            above_floor=low > floor,
            mcse_hdi=(mcse_low, mcse_high),
            settled=Gap(floor - high, mcse_high).is_clear and Gap(low - floor, mcse_low).is_clear,
        )


class _OneSide(SharedArguments, ArrayArguments, total=False): ...


@overload
def estimate(y_true: Any, y_pred: Any, **arguments: Unpack[_OneSide]) -> Estimate: ...


@overload
def estimate(cm: Any, **arguments: Unpack[SharedArguments]) -> Estimate: ...


@of_arrays("y_true", "y_pred")
def estimate(cm: Any, **arguments: Unpack[SharedArguments]) -> Estimate:
    """Estimate one classifier's score, with the range that it likely lies in.

    Reports list gates and comparisons, and no estimates: `pytest_bayesf1.assert_at_least` demands a score.

    Parameters
    ----------
    y_true, y_pred
        The truth and the predictions, as arrays; see `compare`.
    cm
        In place of them: a `ConfusionMatrix`, a `MultilabelCounts` or anything with counts, as in `compare`.
    **arguments
        Those of `compare` but ``rope`` and ``model``.

    Returns
    -------
    Estimate
        The score's posterior.

    Raises
    ------
    InputError
        When the data or an argument cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import estimate
    >>> y_true = ["ham", "spam"] * 500
    >>> y_pred = ["spam"] * 100 + y_true[100:]
    >>> found = estimate(y_true, y_pred)
    >>> found
    <Estimate f1_macro 0.950 (0.936 to 0.962)>
    >>> print(found.headline)
    Macro-F1 is 0.950 (95% likely 0.936 to 0.962)
    """
    found = run_estimate(cm, **arguments)
    warn_about(found.warnings())
    return found


def _of_class(index: int | None, subject: Subject[Any]) -> int | None:
    return None if index is None else round(subject.experiment.tables[0].row_totals[index])


def run_estimate(
    matrix: Any, floor: float | None = None, run_sd: float | None = None, **given: Unpack[SharedArguments]
) -> Estimate:
    """Estimate a score and set it against the floor, if any, without telling the session."""
    estimate: Estimate = EstimateTask.of(matrix, floor=floor, run_sd=run_sd, **given).answer()
    return estimate


def _of_new_runs(observed: float, sd: float, options: Options) -> Floats:
    """Return evenly spaced quantiles of the score that runs of the same examples have on average."""
    n = options.n_draws or options.engine.first_draws
    return np.asarray(observed + sd * ndtri((np.arange(n) + 0.5) / n))


_HALF_OF_ALL = 0.5


def require_difference_of_scores(rope: Rope) -> None:
    """Refuse a ROPE that no difference of scores can leave.

    Examples
    --------
    >>> require_difference_of_scores(Rope.of(5))
    Traceback (most recent call last):
    pytest_bayesf1.errors.InputError: rope: expected a difference of scores, such as 0.01 for one point, got 5
    """
    if _reach(rope) >= 1:
        raise InputError("rope", "a difference of scores, such as 0.01 for one point", _written(rope))


def check_width(rope: Rope, measure: AnyMeasure, *, right_or_wrong: bool = False) -> None:
    """Refuse a ROPE that no score can leave, and warn with `WideRopeWarning` of one that is hardly meant.

    A mean of grades that are ``right_or_wrong``, 1 or 0, is at most 1; the scale of other numbers is unknown.
    """
    if measure.bounded or right_or_wrong:
        require_difference_of_scores(rope)
    if not measure.bounded:
        return
    reach = _reach(rope)
    if reach <= WIDEST or rope.wide:
        return
    if reach >= _HALF_OF_ALL:
        expected = "a difference that does not matter, such as 0.01"
        raise InputError("rope", expected, f"{reach:g}", _why_hardly_meant(rope))
    warn(_why_hardly_meant(rope), WideRopeWarning)


def can_fail(baseline: Floats, rope: Rope, hdi_prob: float, measure: AnyMeasure) -> bool:
    """Whether some candidate could be found significantly worse (≪).

    A candidate scores no less than the measure's lowest score, so delta = candidate - baseline is no less than that
    minus the baseline's score. An HDI wholly below the ROPE holds ``hdi_prob`` of delta's probability, which the ROPE
    then leaves room for only if the baseline itself lies further than the ROPE's lower end above the lowest score with
    that probability. What it says of gates that cannot fail is certain; a candidate's own uncertainty, which makes it
    harder still to fail, is left out.
    """
    return bool(np.mean(baseline > measure.lowest - rope.low) >= hdi_prob)


def why_it_cannot_fail(measure: AnyMeasure, rope: Interval, baseline: ScorePosterior, hdi_prob: float) -> str:
    """Say why no candidate could be found significantly worse."""
    return (
        f"A gate on ≪ cannot fail here: you allow {rope_width(rope, POINTS)}, and the baseline scores only "
        f"{format_score(baseline.observed)} ({level(hdi_prob)} likely {scores(baseline.hdi)}). Even a candidate that "
        f"scores {measure.lowest:g} would not be significantly worse."
    )


def _reach(rope: Rope) -> float:
    return max(-rope.low, rope.high)


def _written(rope: Rope) -> str:
    return f"{rope.high:g}" if -rope.low == rope.high else rope_bounds((rope.low, rope.high))


def _why_hardly_meant(rope: Rope) -> str:
    bounds = rope.low, rope.high
    return (
        f"The rope {_written(rope)} means that you allow {rope_width(bounds, POINTS)}: of a score that goes up to 1, "
        f"hardly anything could fail. Did you mean {_meant(bounds)}? If you mean it, confirm it with the word "
        f"{CONFIRMED}, as in rope: [0.3, {CONFIRMED}]."
    )


def _meant(bounds: Interval) -> str:
    """Take what is wide for points."""
    low, high = (bound / 100 if abs(bound) > WIDEST else bound for bound in bounds)
    if -low != high:
        return rope_bounds((low, high))
    points = 100 * high
    return f"{high:g} for {'half a point' if points == 0.5 else POINTS.amount(f'{points:g}')}"


_MOST_CLASSES_OF_FUNCTIONS = 50


def _how_to_pair(model: str, *, spans: bool) -> str:
    """Say how the interval could be narrower."""
    if spans:
        return (
            "Two sets of documents leave more room for chance than one. To pair the two, build both sides from the "
            "spans or tags of the same documents."
        )
    build = "build both sides from predictions"
    if model == Model.SAME_SET:
        return f"The interval is wider than necessary if the two classifiers mostly agree. To pair them, {build}."
    return (
        "Two test sets leave more room for chance than one. To pair the two, test both classifiers on the same "
        f"examples and {build}."
    )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison(ComparisonFigures, _Result):
    """The posterior of delta = candidate - baseline, positive when the candidate is better.

    Attributes
    ----------
    decision : Decision
        What the data say; equal to its symbol and to its ascii form.
    measure, measure_words, custom_measure, rope, hdi_prob, prevalence
        What was asked, so that it can be redone.
    model, model_reason, prior, engine, seed, n_draws
        How it was computed.
    mean, std, hdi, mcse_hdi
        Of delta; ``mcse_hdi`` holds the Monte Carlo standard errors of the bounds.
    p_worse, p_better
        P(delta < 0), P(delta > 0).
    p_below_rope, p_in_rope, p_above_rope
        Probability left of, inside and right of the ROPE, by this test set alone.
    p_lost_more, p_gained_more : Chance
        How likely it is that more was lost than you allow, or more gained than you call no difference: by this test set
        alone, and by how much the score usually changes: if nine changes in ten stay within what you allow, or by its
        earlier changes (`with_history`). The decision rests on the test set alone.
    earlier_changes
        What `with_history` knows.
    bayes_factor
        Posterior odds of delta inside the ROPE over its prior odds; above 3 the data speak for "no difference that
        matters", below 1/3 against it.
    bayes_factor_sd
        Posterior over prior density at 0 (Savage-Dickey). Read ``bayes_factor`` first.
    bayes_factor_mcse, bayes_factor_sd_mcse
        Their Monte Carlo standard errors.
    settled
        Whether the decision is clear of Monte Carlo error.
    on_new_test_set, shared_examples : SharedExamples or None
        How test sets that differ were compared, and what they share; None if they are the same, or that is unknown.
    pool : PoolFigures or None
        The pool, if only some of its examples are labelled, else None.
    class_shares : ClassShares or None
        Class shares that differ between two test sets compared without pairs, and what they do to delta; None where
        they do not differ, or do not matter, or where ``prevalence`` was stated.
    examples_needed : ExamplesNeeded
        How many more examples would give an even chance of an answer: to whether it is worse, better, equivalent.
    detectable_losses : DetectableLosses
        The smallest true losses that a gate finds on test sets like this one. `detectable_loss` is the one that it
        finds with probability 0.8.
    unsupported
        Classes without examples and how often they are predicted: counted as wrong, and in no average.
    largest_moves
        The errors whose number changes most, at most five.
    contingency : Contingency or None
        How many examples each side gets right; None unless the model is paired.
    classical_tests
        The tests of Yang & Liu (1999) that the data allow; ``>`` favours the candidate. The decision rests on none.
    paired_outcomes : PairedDifference or None
        The posterior of Goutte & Gaussier (2005, section 3) on which side is right where the other is wrong, the
        candidate being the first; None unless the model is paired. The decision does not rest on it.
    clusters : ClusterFigures or None
        The clusters that examples belong to, and what they do to the interval; None where every example is its own.
    classes, changes
        The F1 of every class on either side, the largest fall first; and the examples that the two predict otherwise.
    labels, n_samples
        The classes that have examples, and the numbers of examples of the baseline and the candidate.
    baseline, candidate : ScorePosterior
        Each side's observed score and posterior.
    convergence : Convergence
        How far the draws can be trusted: R-hat, effective number.
    delta : (n_draws,)
        The draws.
    density, prior_density : Density
        Of delta, and of delta before the data, around 0 and the posterior.
    trace
        The Markov chains of delta, thinned for a figure; None for independent draws, which have none.
    provenance : Provenance
        The counts, the prior and the measure themselves.
    can_fail
        Whether some candidate could be found significantly worse, with this ROPE and this baseline.

    Examples
    --------
    >>> from pytest_bayesf1 import compare
    >>> result = compare([[480, 20], [30, 470]], [[400, 100], [90, 410]], measure="accuracy", rope=0.01)
    >>> print(result.decision, round(result.mean, 2), result.baseline.observed, result.candidate.observed)
    ≪ -0.14 0.95 0.81
    >>> result.hdi[1] < -0.1, result.p_below_rope > 0.99, result.settled, result.examples_needed.not_worse
    (True, True, True, 0)
    >>> [(error.true, error.predicted, error.baseline, error.candidate) for error in result.changes.errors]
    [(0, 1, 20, 100), (1, 0, 30, 90)]
    >>> result.detectable_losses.power_50 < result.detectable_loss < 0.05, result.bayes_factor < 1
    (True, True)
    """

    kind: ClassVar[Literal["comparison"]] = "comparison"

    mcse_hdi: tuple[float, float]
    baseline: ScorePosterior
    candidate: ScorePosterior
    labels: tuple[Label, ...]
    draws: Draws
    draws_before: Draws | None
    provenance: Provenance

    @property
    def delta(self) -> Floats:
        """The draws of delta."""
        return self.draws.values

    @cached_property
    def _inside_rope(self) -> BayesFactor:
        before = self.draws_before
        return UNKNOWN if before is None else interval_bayes_factor(self.draws, before, Rope(*self.rope))

    @cached_property
    def _at_zero(self) -> BayesFactor:
        return UNKNOWN if self.draws_before is None else savage_dickey(self.draws, self.draws_before)

    @cached_property
    def bayes_factor(self) -> float:
        """Posterior odds of delta inside the ROPE over its prior odds."""
        return self._inside_rope.value

    @cached_property
    def bayes_factor_mcse(self) -> float:
        """Monte Carlo standard error of `bayes_factor`."""
        return self._inside_rope.mcse

    @cached_property
    def bayes_factor_sd(self) -> float:
        """Posterior over prior density at 0 (Savage-Dickey)."""
        return self._at_zero.value

    @cached_property
    def bayes_factor_sd_mcse(self) -> float:
        """Monte Carlo standard error of `bayes_factor_sd`."""
        return self._at_zero.mcse

    @cached_property
    def prior_density(self) -> Density | None:
        """The density of delta before the data, around 0 and the posterior; None where nothing is known then."""
        return None if self.draws_before is None else density_curve(self.draws_before, COARSE, around=self.draws)

    @cached_property
    def detectable_losses(self) -> DetectableLosses | None:
        """The smallest true losses that a gate finds on test sets like this one."""
        counts, seen = self.provenance.counts, None
        if counts is not None and counts[1].bounded:  # a user's function may not be defined elsewhere
            seen = Alternative.seen(counts[0].experiment, counts[1])
        most = self.baseline.mean - self.provenance.measure.lowest
        return detectable_losses_of(self, Rope(*self.rope), seen, most, self.clusters)

    @cached_property
    def classical_tests(self) -> tuple[Significance, ...]:
        """The tests of Yang & Liu (1999) that the data allow."""
        counted, measure = self._counted, self.provenance.measure
        return () if counted is None or not isinstance(measure, Measure) else classical_tests(counted, measure)

    @cached_property
    def paired_outcomes(self) -> PairedDifference | None:
        """The posterior of Goutte & Gaussier (2005, section 3)."""
        found = None if self._counted is None else paired_outcomes(self._counted)
        return None if found is None else found.summary()

    @property
    def _counted(self) -> Experiment | None:
        """The counts, where every example was drawn on its own, and counts as much as any other."""
        subject = self.provenance.subject.counts
        if subject is None or subject.clusters or subject.experiment.population is not None:
            return None
        return subject.experiment

    @cached_property
    def classes(self) -> tuple[ClassDifference, ...]:
        """The F1 of every class on either side, the largest fall first, at most 200; none of scores and of pools."""
        return self.provenance.differences(self.hdi_prob, self.seed)

    @cached_property
    def changes(self) -> Changes:
        """The examples that the two predict otherwise, and what each error contributes; `InputError` of scores."""
        return Changes.of(self.provenance)

    @property
    def known_changes(self) -> Changes | None:
        """The same; None of scores, and of a user's own function of many classes, which would take minutes."""
        if self.provenance.subject.counts is None:
            return None
        takes_minutes = self.custom_measure and len(self.provenance.labels) > _MOST_CLASSES_OF_FUNCTIONS
        return None if takes_minutes else self.changes

    def columns(self) -> dict[str, list[Any]]:
        """Return the main figures, by the names of columns with one value."""
        return {
            "measure": [self.measure],
            "decision": [str(self.decision)],
            "baseline": [self.baseline.observed],
            "candidate": [self.candidate.observed],
            "change": [self.change],
            "hdi_low": [self.hdi[0]],
            "hdi_high": [self.hdi[1]],
            "rope_low": [self.rope[0]],
            "rope_high": [self.rope[1]],
            "p_below_rope": [self.p_below_rope],
            "p_in_rope": [self.p_in_rope],
            "p_above_rope": [self.p_above_rope],
            "n_baseline": [self.n_samples[0]],
            "n_candidate": [self.n_samples[1]],
            "model": [self.model.value],
        }

    @ends_here
    def to_frame(self, library: str = "pandas", *, per_class: bool = False) -> Any:
        """Return the main figures as a data frame with one row; or the F1 of every class, the largest fall first.

        Parameters
        ----------
        library
            ``"pandas"``, ``"polars"``, ``"pyarrow"`` or another that Narwhals can make one of.
        per_class
            Return a row for each class.

        Raises
        ------
        InputError
            Where the library is not installed, or there are no classes.

        Examples
        --------
        >>> from pytest_bayesf1 import compare
        >>> result = compare([[90, 10], [10, 90]], [[80, 20], [10, 90]], measure="accuracy", rope=0.05)
        >>> result.to_frame()[["measure", "baseline", "candidate", "change"]].round(3).to_dict("records")
        [{'measure': 'accuracy', 'baseline': 0.9, 'candidate': 0.85, 'change': -0.05}]
        >>> result.to_frame(per_class=True)[["label", "baseline", "candidate"]].round(3).to_dict("records")
        [{'label': 0, 'baseline': 0.9, 'candidate': 0.842}, {'label': 1, 'baseline': 0.9, 'candidate': 0.857}]
        """
        if not per_class:
            return super().to_frame(library)
        if not self.classes:
            raise InputError.plain("per_class", "Only counts of predicted classes have a row for each", "Leave it out.")
        columns = {
            "label": [each.label for each in self.classes],
            "baseline": [each.baseline for each in self.classes],
            "candidate": [each.candidate for each in self.classes],
            "change": [each.change for each in self.classes],
            "hdi_low": [each.hdi[0] for each in self.classes],
            "hdi_high": [each.hdi[1] for each in self.classes],
            "n_baseline": [each.n_samples[0] for each in self.classes],
            "n_candidate": [each.n_samples[1] for each in self.classes],
        }
        return table_engines().frame_of(columns, library)

    def to_arviz(self) -> Any:
        """Return the draws of delta and of both scores, (chains, draws) each, as ArviZ's data.

        Examples
        --------
        >>> from pytest_bayesf1 import compare
        >>> data = compare([[90, 10], [10, 90]], [[80, 20], [10, 90]], measure="f1", rope=0.05).to_arviz()
        >>> sorted(data["posterior"].data_vars)
        ['baseline', 'candidate', 'delta']
        """
        from pytest_bayesf1.engines.chains import to_arviz  # noqa: PLC0415 (it takes a second)

        drawn = {"delta": self.delta, "baseline": self.baseline.draws, "candidate": self.candidate.draws}
        return to_arviz({name: draws.reshape(self.convergence.n_chains, -1) for name, draws in drawn.items()})

    def savage_dickey(self, prior: str | Prior) -> BayesFactor:
        """Return posterior over prior density at 0, with another prior's density below the line.

        ``"uniform"`` gives the Bayes factors of Zhang et al. (2015), Table IV: their posterior is the hierarchical one,
        their prior density the uniform one's. ``bayes_factor_sd`` takes both from the same model.

        Examples
        --------
        >>> from pytest_bayesf1 import compare
        >>> result = compare([[90, 10], [10, 90]], [[80, 20], [10, 90]], measure="f1", rope=0.05)
        >>> result.savage_dickey("uniform").value > 1
        True
        """
        options = Options.resolve(prior=prior, engine="exact", seed=self.seed)
        if options.earlier is not None:
            raise InputError.plain("prior", "The prior has observed counts", "Take one of Prior.named.")
        if self.provenance.counts is None:
            return UNKNOWN
        subject, measure = self.provenance.counts
        return savage_dickey(Draws(self.delta), prior_deltas(subject.experiment, (measure,), options)[0])

    def figures(self, *, at_length: bool = True) -> dict[str, Any]:
        """Return every figure by name, without the draws; or none of those that take long to compute."""
        sides = {"baseline": self.baseline.figures, "candidate": self.candidate.figures}
        left_out = {} if at_length else {**dict.fromkeys(_LATE), "classical_tests": ()}
        return {**figures_of(self, ComparisonFigures, sides), **figures_of(self, LateFigures, left_out)}

    def thinned(self, most: int) -> "Comparison":
        """Return the same with so many draws at most, evenly spaced among its own."""
        return self._with_draws(slice(None, None, -(-self.delta.size // most)))

    def without_draws(self) -> "Comparison":
        """Return the same without its draws: many then fit into memory."""
        return self._with_draws(slice(0))

    def _with_draws(self, kept: slice) -> "Comparison":
        for name in _OF_ALL_DRAWS:
            getattr(self, name)
        made = copy(self)
        sides = {"baseline": self.baseline, "candidate": self.candidate}
        vars(made).update({name: replace(side, draws=side.draws[kept].copy()) for name, side in sides.items()})
        vars(made).update(draws=Draws(self.delta[kept].copy()), draws_before=None)
        return made

    def with_history(self, changes: Sequence[EarlierChange | DeltaFigures]) -> "Comparison":
        """Return the same, with chances and the number of examples needed by how much the score changed before.

        The newest 30 changes count. Where fewer than 10 are known, nothing changes.

        Parameters
        ----------
        changes
            Comparisons of each release with the one before it, the oldest first, by the same measure.

        Examples
        --------
        >>> from pytest_bayesf1 import compare
        >>> releases = [[[88, 12], [10, 90]], [[90, 10], [10, 90]]] * 6
        >>> history = [compare(old, new, rope=0.02) for old, new in zip(releases, releases[1:])]
        >>> result = compare([[90, 10], [10, 90]], [[84, 16], [10, 90]], rope=0.02).with_history(history)
        >>> result.p_lost_more.n_earlier
        11
        >>> result.p_lost_more.usual < result.p_lost_more.alone
        True
        """
        known = tuple(EarlierChange(each.mean, each.std) for each in changes if each.std > 0)[-MOST_EARLIER:]
        if len(known) < FEWEST_CHANGES:
            return self
        low, high = self.rope
        usual = UsualChanges.of(known, -low, self.hdi_prob)
        needed = self.examples_needed
        if needed != NO_NUMBER:
            subject, measure = self.provenance.subject, self.provenance.measure
            needed = subject.examples_needed(measure, self, Rope(low, high, wide=True), usual)
        return replace(
            self,
            p_lost_more=usual.chance(self.delta, high=low),
            p_gained_more=usual.chance(self.delta, low=high),
            examples_needed=needed,
            earlier_changes=known,
        )

    @property
    def headline(self) -> str:
        """A comparison's outcome in one sentence."""
        return f"{moved(self)}{self._what_that_means}"

    @property
    def _what_that_means(self) -> str:
        asked = f". You {allowed(self)}"
        high = format_exactly(self, self.rope[1])
        gained = f"gained more than {high}" if self.rope[1] else "is better"
        settled = {
            Decision.MUCH_WORSE: asked,
            Decision.WORSE: f"{asked}; {_chance('lost more', self.p_lost_more)}",
            Decision.EQUIVALENT: f"{asked}: the two are practically equivalent",
            Decision.BETTER: f"; {_chance(gained, self.p_gained_more)}",
            Decision.MUCH_BETTER: ": significantly better",
        }
        if self.decision is not Decision.UNDECIDED:
            return settled[self.decision]
        if self.class_shares is not None and self.class_shares.decides:
            shares, side = self.class_shares, self.class_shares.decision.side
            least, whose = min((side * shares.at_baseline, "baseline"), (side * shares.at_candidate, "candidate"))
            change = Amounts.of(self).move(side * least)
            return f" as tested, but it {change} where both sides have the {whose}'s class shares: undecided"
        if self.doubt:
            return f" as tested, but {self.doubt}: undecided"
        if self.is_not_inferior:
            return f"{asked}: no worse than that; whether it is better is open"
        return f"{asked}: too few {self.example}s to tell"

    @property
    def title(self) -> str:
        """The decision's symbol and the headline."""
        return f"{self.decision} {self.headline}."

    def facts(self, policy: Policy = NOT_WORSE) -> Facts:
        """Yield the figures by name."""
        amounts = Amounts.of(self)
        allowed = rope_width(self.rope, scale_of(custom_measure=self.custom_measure), ends=True)
        yield "change", f"{amounts.with_unit(self.change)}   {likely(self)} {amounts.interval(self.hdi)}"
        yield "ROPE", allowed
        yield "chance", format_chance(self, policy)
        yield "baseline", f"{with_range(self, self.baseline)} on {counted(self.n_samples[0], self.example)}"
        yield "candidate", f"{with_range(self, self.candidate)} on {counted(self.n_samples[1], self.example)}"
        yield "gate finds", losses_found(self)
        if self.examples_needed.of(policy):
            yield "to settle", more_needed(self, policy)
        if found := self.contingency:
            one = f"only the baseline {found.only_baseline:,}, only the candidate {found.only_candidate:,}"
            yield "right", f"both {found.both_right:,}, {one}, neither {found.both_wrong:,}"
        if drops := self._drops(one_line):
            yield "F1 falls in", "   ".join(drops)
        if self.largest_moves:
            yield "errors", "   ".join(map(_move, self.largest_moves[:2]))
        yield from self._changed_values()
        yield "model", f"{self.model}, because {self.model_reason}"
        yield "computed", self.computed()

    def statistics(self) -> Facts:
        """Yield the posterior means, Bayes factors and other tests by name, for those who ask for them."""
        change = f"change {Amounts.of(self).with_unit(self.mean)}"
        means = f"baseline {format_score(self.baseline.mean)}   candidate {format_score(self.candidate.mean)}"
        yield "means", f"{change}   {means}"
        if self.prior_density is not None:  # else nothing is known before the data
            inside = factor(self.bayes_factor, self.bayes_factor_mcse)
            at_zero = factor(self.bayes_factor_sd, self.bayes_factor_sd_mcse)
            yield "BF", f"{inside} inside the ROPE   {at_zero} at 0"
        if self.classical_tests:
            yield "Yang & Liu", "   ".join(map(_classical_test, self.classical_tests))
        if outcomes := self.paired_outcomes:
            means = f"E(Δ) {outcomes.mean_difference:+z.4f}   E(ρ) {outcomes.mean_log_odds:+z.2f}"
            yield "Goutte & G.", f"P(π₁ > π₂) {percent(outcomes.p_first_better)}   {means}"

    def brief_facts(self, policy: Policy, *, is_warning: bool) -> Facts:
        """Yield what a failure or a warning says first, and of a failure where the loss is."""
        found = f"{Amounts.of(self).interval(self.hdi)}, {self.decision_words}"
        yield likely(self), found
        if self.decision is not Decision.MUCH_WORSE:  # else it is near 1 either way
            yield "chance", format_chance(self, policy)
        is_open = policy.claim or not self.is_not_inferior
        if is_open and self.examples_needed.of(policy) and not multiple_needed(self, policy):  # which the advice says
            yield "to settle", more_needed(self, policy)
        if is_warning:
            return
        if drops := self._drops(brief):
            yield "F1 falls in", fitting(drops, _ONE_LINE)
        if errors := fitting(islice(self._explaining_errors(), 2), _TWO_LINES):
            yield "errors", errors
        yield from self._changed_values()
        if self.decision is not Decision.MUCH_WORSE and self.detectable_losses is not None:
            yield "gate finds", losses_found(self)

    def _changed_values(self) -> Facts:
        """Yield the examples whose grades changed."""
        if changed := changed_examples(changed_values(self.provenance.subject)):
            yield "changed", changed

    def _drops(self, name: Callable[[object], str]) -> list[str]:
        """Write the classes whose F1 falls most, each with both scores, if these differ as written."""
        falling = (each for each in self.classes if each.change < 0)
        most = nsmallest(_MOST_DROPS, falling, key=lambda each: each.change)
        drops = ((name(each.label), format_score(each.baseline), format_score(each.candidate)) for each in most)
        return [f"{label}: {before} → {after}" for label, before, after in drops if before != after]

    def _explaining_errors(self) -> Iterator[str]:
        """Yield the errors that explain the change, each with some examples where they have names."""
        for each in self.known_changes.errors if self.known_changes is not None else ():
            if each.contribution * self.change > 0:
                pair = f"{brief(each.true)} as {brief(each.predicted)}"
                names = [brief(example.id) for example in each.examples[:_MOST_EXAMPLES]]
                names += ["…"] * (len(each.examples) > _MOST_EXAMPLES)
                examples = f" ({', '.join(names)})" if names else ""
                yield f"{pair}: {grouped(each.baseline)} → {grouped(each.candidate)}{examples}"

    def phrases(self, policy: Policy) -> dict[str, str]:
        """Say what more examples do, the loss or gain, the ends that the HDI crosses and so on, for advice."""
        scale = scale_of(custom_measure=self.custom_measure)
        low, high = (scale.factor * end for end in self.rope)
        lost, gained = (scale.amount(f"{abs(end):g}") for end in (low, high))
        (start, end), rope = self.hdi, self.rope
        crossed = [f"below {rope_end(low)}"] * (start <= rope[0]) + [f"above {rope_end(high)}"] * (end >= rope[1])
        return {
            "more": self._more_examples(policy),
            "fell": f"fell by more than the {lost} you allow" if low else "fell, and you allow no loss",
            "rose": f"rose by more than the {gained} you demand" if high else "rose",
            "ends": " and ".join(crossed),
            "narrower": ", or count smaller improvements too, by a narrower rope" if start > 0 else "",
            "shares": format_class_shares(self) if self.class_shares else "",
        }

    def _more_examples(self, policy: Policy) -> str:
        """Say what more examples would do; they are advised only where they are not too many to get."""
        if self.doubt:
            return f"More examples do not settle it, because {self.doubt}"
        if self.examples_needed.of(policy) is None:
            return "No number of examples is likely to settle it" if self.pool is None else no_forecast(self, self.pool)
        if times := multiple_needed(self, policy):
            return f"It would take about {times} times as many examples to settle it"
        return "Test on more examples" if self.pool is None else "Label more examples"

    def caveats(self) -> list[str]:
        """List what every reader should know of the data: classes that never occur, test sets that differ, leakage."""
        shared = () if self.shared_examples is None else notes_on_shared(self.shared_examples)
        found = [*notes_on(self.unsupported, sides_of(self.n_samples)), *shared, *map(str, self._suspicions)]
        return [*found, *identical_sides(self.provenance.subject), *self.surprises()]

    def surprises(self) -> list[str]:
        """Say so where the observed change lies outside its own likely range, or has the other sign.

        Examples
        --------
        >>> from pytest_bayesf1 import compare
        >>> compare([[1, 0], [0, 1]], [[0, 1], [1, 0]], measure="f1", rope=0.05).surprises()  # doctest: +ELLIPSIS
        ['The observed change, −100.0 points, lies outside its likely range: the prior adds half an example of every ...
        """
        amounts, (low, high) = Amounts.of(self), self.hdi
        is_turned = self.change * self.mean < 0 and amounts.move(self.change) != amounts.move(self.mean)
        is_outside = not low - ROUNDING <= self.change <= high + ROUNDING
        if self.pool is not None or not (is_turned or is_outside):
            return []
        turned = f"has another sign than the estimate, {amounts.with_unit(self.mean)}"
        found = "lies outside its likely range" if is_outside else turned
        why = why_far_from_observed(self.provenance, (self.example, self.category))
        return [f"The observed change, {amounts.with_unit(self.change)}, {found}: {why}."]

    def _remarks(self) -> Iterator[str]:
        if self.pool is not None:
            yield note_on_pool(self.pool)
        amounts = Amounts.of(self)
        if self.clusters is not None:
            yield note_on(self.clusters, self.n_samples, amounts.interval(self.clusters.independent_hdi))
        if self.model != Model.PAIRED and self.model_reason not in (ASKED_FOR, AS_THE_PRIOR):
            yield _how_to_pair(self.model, spans=self.model_reason == BARE_SPAN_COUNTS)
        if not self.can_fail:
            yield why_it_cannot_fail(self.provenance.measure, self.rope, self.baseline, self.hdi_prob)

    def warnings(self) -> list[BayesF1Warning]:
        """List what its reader must not overlook."""
        return [*warnings_of(self.unsupported, self.clusters, sides_of(self.n_samples)), *self._suspicions]

    @cached_property
    def _suspicions(self) -> list[BayesF1Warning]:
        """List why the two test sets, or their labels, may not be what they seem."""
        subject = self.provenance.subject
        found: list[BayesF1Warning] = []
        if self.shared_examples is not None:
            found += warnings_on_shared(self.shared_examples, self.decision)
        if self.class_shares is not None:
            found.append(ClassSharesWarning(format_class_shares(self)))
        found += map(LeakageWarning, leakage_suspected(subject))
        found += map(BelowChanceWarning, labels_swapped(subject))
        found += map(TokenTagsWarning, tags_scored_one_by_one(subject))
        return found

    def __repr__(self) -> str:
        """Write the decision, the measure and the change of the observed score on one line."""
        return f"<Comparison {self.decision} {one_line(self.measure)} {Amounts.of(self).with_unit(self.change)}>"


_WORSE = (Decision.MUCH_WORSE, Decision.WORSE)
_OF_ALL_DRAWS = ("bayes_factor", "bayes_factor_mcse", "bayes_factor_sd", "bayes_factor_sd_mcse", "prior_density")
_LATE = [field.name for field in fields(LateFigures)]


def _chance(what: str, chance: Chance) -> str:
    return f"the chance that it {what} is {likeliest(chance)}"


_MOST_EXAMPLES = 3
_MOST_DROPS = 3
_ONE_LINE, _TWO_LINES = 58, 116
"""Characters of a fact on one line and on two."""


def fitting(texts: Iterable[str], room: int) -> str:
    """Join the first texts, as many as there is room for, and at least one."""
    joined = list(accumulate(texts, "{}, {}".format))
    return next((each for each in reversed(joined) if len(each) <= room), *joined[:1] or [""])


def _move(move: Move) -> str:
    return f"{one_line(move.true)} as {one_line(move.predicted)}: {move.baseline:,} → {move.candidate:,}"


def _classical_test(test: Significance) -> str:
    found = p_value(test.p_value, "p")
    name = " of ".join(filter(None, (test.name.removesuffix("-test"), test.of)))
    return f"{name} {test.symbol} ({found})"


_SHARE_DRAWS = 4_000
"""Of delta at equal class shares, whose mean is asked for."""


@overload
def compare(y_true: Any, baseline: Any, candidate: Any, **arguments: Unpack[ArrayCompareArguments]) -> Comparison: ...


@overload
def compare(baseline: Any, candidate: Any = None, **arguments: Unpack[CompareArguments]) -> Comparison: ...


@of_arrays("y_true", "baseline", "candidate")
def compare(
    baseline: Any,
    candidate: Any = None,
    *,
    measure: MeasureLike | None = None,
    rope: RopeLike | None = None,
    hdi_prob: float | None = None,
    model: str | None = None,
    on_new_test_set: str | None = None,
    prevalence: PrevalenceLike | None = None,
    prior: str | Prior | None = None,
    engine: str | Engine | None = None,
    seed: int | None = None,
    n_draws: int | None = None,
) -> Comparison:
    """Compare two classifiers by the posterior of the difference of their scores.

    Arguments that are left out take the project's setting, when a test run has one, or the default.

    Parameters
    ----------
    y_true
        The truth of every example, as an array: its label, its set of labels, or its spans or tags. With it go
        ``labels``, ``ids``, ``clusters``, ``runs``, ``run_ids``, ``invalid`` and ``show``, as in
        `ConfusionMatrix.from_predictions`. Leave it out where both sides hold the truth.
    baseline, candidate
        With ``y_true`` both sides' predictions, as arrays in the same order. Else each a `ConfusionMatrix` or anything
        with counts that numpy or pandas understands, rows being the true class; each a `MultilabelCounts`, a
        `SpanCounts` or `Scores`; or a `PairedCounts` or `LabelledPool` as ``baseline`` alone. When both remember their
        predictions, the comparison is paired.
    measure
        A name such as ``"f1_macro"`` (the default), ``"accuracy"``, ``"f1[spam]"``, ``"fbeta_macro(2)"``, or a function
        of the joint probabilities p, shape (..., M, M) -> (...) or, of labels, (..., L, 2, 2) -> (...), larger being
        better. Of scores ``"roc_auc"``, ``"average_precision"``, ``"neg_log_loss"``, ``"neg_brier_score"``, ``"mean"``,
        of several classes ``"roc_auc_ovr"``, ``"average_precision_macro"``, or a name with a threshold: ``"f1@0.5"``.
    rope
        Differences that do not matter: a half-width or (low, high). Required. Above 0.1 a named measure warns with
        `WideRopeWarning`, unless the word "wide" follows: ``(0.3, "wide")``, ``(-0.3, 0.1, "wide")``.
    hdi_prob
        Probability inside the highest-density interval; 0.95 by default.
    model
        ``"paired"``, ``"same-set"`` or ``"independent"``; ``"auto"`` takes the strongest that the data allow.
    on_new_test_set
        ``"shared"`` (the default): where the two test sets differ, compare on the examples that both have, by id, and
        by the candidate's truth; bare counts, which have no ids, are then independent. ``"independent"``: compare them
        as two samples without a common example. ``"error"``: raise `InputError`.
    prevalence
        The class shares that both sides are scored at: ``"test-set"``, each side's own, by default; ``"baseline"`` or
        ``"candidate"``, those of its test set; or shares such as ``{"fraud": 0.01}``: the other classes divide the rest
        as in the test sets.
    prior
        ``"hierarchical"``, ``"nested"``, ``"uniform"`` or ``"jeffreys"``; ``"auto"`` is jeffreys for two classes
        and for spans, nested for more classes, hierarchical for several labels; of scores their own. Or a `Prior`, such
        as another comparison's `Comparison.as_prior`: evidence adds up.
    engine
        ``"exact"``, or ``"pymc"``: NUTS, slower, for other priors; see `pytest_bayesf1.NutsEngine`.
    seed
        Of the random numbers, 0 by default: the same input gives the same output.
    n_draws
        Number of posterior draws; by default 10,000, doubled until the decision is settled, up to 100,000.

    Returns
    -------
    Comparison
        What the data say, and every figure behind it.

    Raises
    ------
    InputError
        When the data or an argument cannot be used.
    ConvergenceError
        When an engine's Markov chains have not converged.

    References
    ----------
    Zhang, Wang, Zhao and Wang (2015), A Bayesian hierarchical model for comparing average F1 scores;
    Zhang, Wang, Yilmaz, Wang and Zhou (2016), Bayesian performance comparison of text classifiers.

    Examples
    --------
    >>> from pytest_bayesf1 import compare
    >>> y_true = ["ham", "spam"] * 500
    >>> old, new = y_true, ["spam"] * 100 + y_true[100:]
    >>> compare(y_true, old, new, rope=0.01)
    <Comparison ≪ f1_macro −5.0 points>

    From confusion matrices:

    >>> result = compare([[480, 20], [30, 470]], [[400, 100], [90, 410]], measure="f1", rope=0.01)
    >>> print(result.decision)
    ≪
    """
    comparison = run_comparison(**locals())  # every parameter by its name
    current_session().listener(Record(comparison, gate="compare"))
    warn_about(comparison.warnings())
    return comparison


def run_comparison(baseline: Any, candidate: Any = None, **given: Unpack[CompareArguments]) -> Comparison:
    """Do what `compare` does, without telling the session."""
    comparison: Comparison = ComparisonTask.of(baseline, candidate, **given).answer()
    return comparison


class Decided(NamedTuple):
    """Draws of delta, and what can leave the decision open: what the test sets share, and their class shares."""

    drawn: Drawn[DeltaFigures]
    shared: SharedExamples | None
    shares: ClassShares | None


@dataclass(frozen=True)
class ComparisonTask(Task):
    """Two sides, ready to be compared by any measure, or by several on the same draws."""

    options: CompareOptions

    @classmethod
    def of(cls, baseline: Any, candidate: Any = None, **given: Unpack[CompareArguments]) -> "ComparisonTask":
        """Check the data and the arguments."""
        options = CompareOptions.resolve(**given)
        return cls(subject_of_two(baseline, candidate, options), options)

    def on(self, data: Any) -> Self:
        """Return the same task on other sides."""
        return replace(self, subject=subject_of_two(data, None, self.options))

    def measure(self, asked_for: MeasureLike) -> AnyMeasure:
        """Choose a measure that the data can be compared by."""
        measure: AnyMeasure = self.subject.measure(asked_for)
        check_width(self.options.rope, measure, right_or_wrong=self.subject.is_right_or_wrong)
        return measure

    def answers(self, measures: Sequence[Any], tail: float = 1.0) -> Iterator[Comparison]:
        """Compare by each, exactly as if it alone were asked for."""
        subject, options = self.subject, self.options
        for batch in batches(measures, 2, options):
            found = list(self.decided(batch, tail))
            counts = subject.counts  # of scores nothing is known before the data
            before = prior_deltas(counts.experiment, batch, options) if counts else [None] * len(batch)
            independent = subject.scores_if_independent(batch, options) if subject.clusters else None
            class_scores = found[0].drawn.class_scores
            classes = None if class_scores is None else ClassPosteriors.of(class_scores, options.hdi_prob)
            for column, (measure, decided) in enumerate(zip(batch, found, strict=True)):
                apart = None if independent is None else independent[1, :, column] - independent[0, :, column]
                yield self._answer(measure, decided, before[column], apart, classes)

    def decided(self, measures: Sequence[Any], tail: float = 1.0) -> Iterator[Decided]:
        """Draw delta by measures that look at the same detail, and decide."""
        all_shared = self._shared_examples(measures, tail)
        found = draw_delta(self.subject, self.options, tuple(measures), tail)
        all_shares = self._class_shares(measures, [each.summary for each in found], tail)
        for drawn, shared, shares in zip(found, all_shared, all_shares, strict=True):
            decision = drawn.summary.decision
            may_be_worse = shared is not None and shared.doubt and decision not in _WORSE
            if may_be_worse or (shares is not None and shares.decides):
                decision = Decision.UNDECIDED
            yield Decided(replace(drawn, summary=replace(drawn.summary, decision=decision)), shared, shares)

    def _shared_examples(self, measures: Sequence[Any], tail: float) -> list[SharedExamples | None]:
        """Describe what the two test sets share, with what each measure would decide on others; None if they agree."""
        sides = self.subject.sides
        if sides is None or sides.overlap is None:
            return [None] * len(measures)
        overlap = sides.overlap
        if_wrong = overlap.if_wrong(len(sides.baseline.labels)) if overlap.lacking.n_samples else None
        on_old_truth = overlap.on_old_truth if overlap.corrected.any() else None
        for_baseline, for_candidate = overlap.favoured() if on_old_truth else (0, 0)
        fewer, n = min(for_baseline, for_candidate), for_baseline + for_candidate
        found = SharedExamples(
            n_baseline=overlap.n_baseline,
            n_candidate=overlap.n_candidate,
            n_shared=overlap.n_shared,
            n_corrected=int(overlap.corrected.sum()),
            favoured=(for_baseline, for_candidate),
            p_favoured=min(1.0, 2 * float(bdtr(fewer, n, 0.5))),
            decision_if_wrong=None,
            decision_on_old_truth=None,
            decision_on_whole=None,
            whole_scores=None,
        )
        others = {"decision_if_wrong": if_wrong, "decision_on_old_truth": on_old_truth}
        tasks = {name: self.on(sides.of_examples(*examples)) for name, examples in others.items() if examples}
        decided: dict[str, Sequence[Any]] = {name: _decisions(task, measures, tail) for name, task in tasks.items()}
        if overlap.lacking.n_samples or overlap.added.n_samples:
            apart = self._as_two_samples(sides.of_examples(*overlap.whole))
            decided["decision_on_whole"] = _decisions(apart, measures, tail)
            decided["whole_scores"] = [apart.subject.observed(measure).scores for measure in measures]
        return [replace(found, **{name: each[at] for name, each in decided.items()}) for at in range(len(measures))]

    def _as_two_samples(self, sides: Sides) -> "ComparisonTask":
        """Compare without pairs; what a prior counted of pairs is left out."""
        prior = self.options.prior if self.options.earlier is None else AUTO
        options = replace(self.options, model=Model.INDEPENDENT, prior=prior)
        try:
            return ComparisonTask(subject_of_two(sides, None, options), options)
        except InputError:  # a class of one test set alone has no score at the shares that were stated
            options = replace(options, prevalence=None)
            return ComparisonTask(subject_of_two(sides, None, options), options)

    def _class_shares(
        self, measures: Sequence[Any], found: Sequence[DeltaFigures], tail: float
    ) -> Sequence[ClassShares | None]:
        """Say of every measure what class shares that differ do to it; nothing where some were stated."""
        nothing, moved = [None] * len(measures), moved_class(self.subject)
        if moved is None or self.options.prevalence is not None:
            return nothing
        try:
            equal = [at_prevalence(self.subject, Prevalence(word)) for word in (BASELINE, CANDIDATE)]
        except InputError:  # the shares of one test set are not to be had in the other
            return nothing
        affected = [depends_on_shares(measure, equal[0]) for measure in measures]
        if not any(affected):
            return nothing
        options = replace(self.options, engine=load_engine(EngineName.EXACT))
        drawn = [subject.sampler(measures, options).draw(_SHARE_DRAWS) for subject in equal]
        deltas = np.stack([candidate - baseline for baseline, candidate in drawn])
        return [
            moved.effect(summary, [options.summarise(Draws(delta.copy()), tail) for delta in deltas[:, :, column]])
            if affected[column]
            else None
            for column, summary in enumerate(found)
        ]

    def _answer(
        self,
        measure: AnyMeasure,
        decided: Decided,
        before: Draws | None,
        independent: Floats | None,
        classes: ClassPosteriors | None,
    ) -> Comparison:
        subject, options, rope = self.subject, self.options, self.options.rope
        drawn, shared, shares = decided
        baseline, candidate = drawn.scores
        drawn.quantity.values.flags.writeable = False
        found, (baseline_n, candidate_n) = subject.observed(measure), subject.n_samples
        figures = computed_figures(subject, measure, options, drawn, independent)
        usual = UsualChanges.within(rope.allowed)
        needed = subject.examples_needed(measure, drawn.summary, rope, None)
        if figures["decision"] is Decision.UNDECIDED and leave_open(shares, shared):
            needed = NO_NUMBER
        comparison = Comparison(
            **figures,
            **vars(found.changes),
            custom_measure=not measure.bounded,
            rope=(rope.low, rope.high),
            examples_needed=needed,
            class_shares=shares,
            model=subject.model,
            model_reason=subject.reason,
            shared_examples=shared,
            pool=subject.pool(),
            n_samples=(baseline_n, candidate_n),
            unsupported=found.unsupported,
            labels=subject.true_labels,
            baseline=ScorePosterior.of(found.scores[0], Draws(baseline), options.hdi_prob),
            candidate=ScorePosterior.of(found.scores[1], Draws(candidate), options.hdi_prob),
            draws=drawn.quantity,
            draws_before=before,
            provenance=Provenance(subject, subject.prior(options), measure, classes),
            decision_words=figures["decision"].words,
            p_lost_more=usual.chance(drawn.quantity.values, high=rope.low),
            p_gained_more=usual.chance(drawn.quantity.values, low=rope.high),
            mcse=drawn.summary.std / sqrt(drawn.convergence.ess),
            can_fail=can_fail(baseline, rope, options.hdi_prob, measure),
        )
        is_open = comparison.decision is Decision.UNDECIDED and comparison.is_not_inferior
        return replace(comparison, decision_words=NO_WORSE) if is_open else comparison


def _decisions(task: ComparisonTask, measures: Sequence[Any], tail: float) -> list[Decision]:
    """Decide by each measure, whatever may leave it open."""
    return [each.summary.decision for each in draw_delta(task.subject, task.options, tuple(measures), tail)]
