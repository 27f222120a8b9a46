"""The posterior of one classifier's score, beside a floor that it should not fall below."""

from dataclasses import dataclass
from typing import Any, Unpack

from pytest_bayesf1._util import level, one_line, percent, scores
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.arguments.validators import checked_floor
from pytest_bayesf1.comparison.never_true import notes_on, warnings_about
from pytest_bayesf1.comparison.options import Options, SharedArguments
from pytest_bayesf1.comparison.provenance import Provenance
from pytest_bayesf1.comparison.readable import UNSETTLED, Facts, Readable, thinned_chains
from pytest_bayesf1.comparison.sampling import AdaptiveSampling
from pytest_bayesf1.comparison.subject import AnyMeasure, MeasureT, Subject
from pytest_bayesf1.comparison.subjects import subject_of_one
from pytest_bayesf1.comparison.units import note_on, warnings_on
from pytest_bayesf1.errors import BayesF1Warning, InputError
from pytest_bayesf1.results.comparison import EstimateFigures, ReportedEstimate, UnitFigures
from pytest_bayesf1.results.schema import figures_of
from pytest_bayesf1.stats.decision import Gap
from pytest_bayesf1.stats.posterior import Draws, ScorePosterior


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Estimate(EstimateFigures, Readable):
    """One classifier's score and how it stands to a floor.

    Attributes
    ----------
    score : ScorePosterior
        Observed score and posterior.
    floor, p_below_floor
        The floor and the probability that the score lies below it.
    below_floor, above_floor
        Whether the whole HDI does, on either side.
    mcse_hdi, settled
        Monte Carlo standard errors of the HDI's bounds, and whether they are clear of the floor.
    measure, measure_words, hdi_prob, prior, engine, seed, n_draws, n_samples, n_classes
        How it was computed.
    never_true
        Classes without examples and how often they are predicted: counted as wrong, and in no average.
    units : UnitFigures or None
        The units that examples belong to, and what they do to the interval; None where every example is its own.
    convergence : Convergence
        How far the draws can be trusted: R-hat, effective number.
    density : Density
        Of the score.
    trace
        Its Markov chains, thinned for a figure; None for independent draws, which have none.
    provenance : Provenance
        The counts, the prior and the measure themselves.
    """

    mcse_hdi: tuple[float, float]
    score: ScorePosterior
    provenance: Provenance

    @property
    def headline(self) -> str:
        """Tell an estimate's outcome in one sentence."""
        score, limit = self.score, f"the floor of {self.floor:g}"
        inside = f"{one_line(self.measure_words)} is {score.mean:.3f} ({level(self.hdi_prob)} HDI {scores(score.hdi)})"
        if self.below_floor:
            return f"Below {limit}: {inside}"
        if self.above_floor:
            return f"Above {limit}: {inside}"
        return f"Not clearly below {limit}: {inside}, P(below) {percent(self.p_below_floor)}"

    def facts(self) -> Facts:
        """Yield the figures by name."""
        yield "score", self.score.in_words(self.n_samples, self.example)
        yield "HDI", f"{level(self.hdi_prob)} {scores(self.score.hdi)}"
        yield "floor", f"{self.floor:g}   P(below) {percent(self.p_below_floor)}"
        yield "computed", self.computed()

    def notes(self) -> list[str]:
        """List what a careful reader should know beside the figures."""
        found = list(notes_on(self.never_true, (self.n_samples,)))
        if self.units is not None:
            found.append(note_on(self.units, (self.n_samples,), scores(self.units.independent_hdi)))
        if abs(self.pull) > 0.25 and not self.provenance.prior.n_examples:
            found.append(
                f"The {self.prior} prior moves the posterior mean by {self.pull:+.1f} standard deviations from the "
                f"observed {self.score.observed:.3f}: with few {self.example}s per {self.category}, read the HDI with "
                "that in mind."
            )
        if not self.settled:
            found.append(UNSETTLED)
        return [*found, *self.provenance.notes]

    def warnings(self) -> list[BayesF1Warning]:
        """List what its reader must not overlook."""
        of_units = warnings_on(self.units) if self.units else ()
        return [*warnings_about(self.never_true, (self.n_samples,)), *of_units]

    @property
    def pull(self) -> float:
        """How far the prior moves the posterior mean from the observed score, in posterior standard deviations."""
        return (self.score.mean - self.score.observed) / self.score.std if self.score.std > 0 else 0.0

    def reported(self, *, at_length: bool = True) -> ReportedEstimate:  # noqa: ARG002
        """Return all that a report needs of it; nothing of it takes long."""
        score = {"score": self.score.figures}
        figures = {**figures_of(self, EstimateFigures), **score}
        return ReportedEstimate(**figures, headline=self.headline, notes=tuple(self.notes()))

    def __repr__(self) -> str:
        """Write the measure, the score's mean and the floor on one line."""
        return f"<Estimate {one_line(self.measure)}={self.score.mean:.4f} floor={self.floor}>"


@dataclass(frozen=True)
class _AgainstFloor:
    mcse_hdi: tuple[float, float]
    gaps: tuple[Gap, Gap]

    @property
    def settled(self) -> bool:
        """Whether the verdict is clear of Monte Carlo error: it asks for the upper bound only."""
        return self.gaps[1].is_clear


def run_estimate(matrix: Any, floor: float, **given: Unpack[SharedArguments]) -> Estimate:
    """Estimate a score and set it against the floor, without telling the session.

    Parameters
    ----------
    matrix
        What `as_side_counts` takes, or `Scores`.
    floor
        A score, on the measure's own scale.
    **given
        As in `pytest_bayesf1.assert_at_least`.

    Returns
    -------
    Estimate
        The score's posterior and how it stands to the floor.

    Raises
    ------
    InputError
        When the data or an argument cannot be used.
    ConvergenceError
        When an engine's Markov chains have not converged, or leave the verdict within their error.
    """
    options = Options.resolve(**given)
    threshold = checked_floor(floor)
    subject = subject_of_one(matrix, options)
    measure: AnyMeasure = subject.measure(options.measure)
    if measure.bounded and not min(measure.lowest, -1) <= threshold <= 1:
        raise InputError("floor", "a score up to 1, such as 0.9 for 90%", f"{threshold:g}")

    def summarise(score: Draws) -> _AgainstFloor:
        (low, high), (mcse_low, mcse_high) = score.hdi(options.hdi_prob), score.hdi_mcse(options.hdi_prob)
        return _AgainstFloor((mcse_low, mcse_high), (Gap(low - threshold, mcse_low), Gap(threshold - high, mcse_high)))

    drawing = AdaptiveSampling(subject, options, lambda scores: scores[0], summarise)
    (drawn,) = drawing.until_settled((measure,))
    draws, summary = drawn.quantity.values, drawn.summary
    found, prior, (n_samples,) = subject.particulars(measure), subject.prior(options), subject.n_samples
    score = ScorePosterior.of(found.observed[0], drawn.quantity, options.hdi_prob)
    above, below = (gap.distance > 0 for gap in summary.gaps)
    return Estimate(
        measure=measure.name,
        measure_words=measure.words,
        floor=threshold,
        p_below_floor=drawn.quantity.shares(threshold, threshold)[0],
        below_floor=below,
        above_floor=above,
        mcse_hdi=summary.mcse_hdi,
        settled=summary.settled,
        hdi_prob=options.hdi_prob,
        prior=str(prior),
        engine=options.engine.name,
        convergence=drawn.convergence,
        seed=options.seed,
        n_draws=draws.size,
        n_samples=n_samples,
        n_classes=len(subject.true_labels),
        never_true=found.never_true,
        units=_unit_figures(subject, measure, options, draws),
        score=score,
        density=score.density,
        trace=thinned_chains(drawn.convergence, draws),
        provenance=Provenance(subject, prior, measure),
    )


def _unit_figures(subject: Subject[MeasureT], measure: MeasureT, options: Options, draws: Floats) -> UnitFigures | None:
    units = subject.units
    if units is None:
        return None
    independent = subject.scores_if_independent((measure,), options)
    return units.figures(draws, None if independent is None else independent[0, :, 0], options.hdi_prob)
