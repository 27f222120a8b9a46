"""`Comparison` and `Estimate`: what `compare` and `estimate` found, with all their figures."""

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import cached_property
from html import escape
from typing import Any, ClassVar, Literal

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.arguments import Options
from pytest_bayesf1.comparison.changes import Changes, changed_values
from pytest_bayesf1.comparison.subject import ROUNDING, Provenance, prior_deltas
from pytest_bayesf1.comparison.suspicions import Suspicions
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.figures.pictures import posterior_of
from pytest_bayesf1.figures.plot import Pictured, Plot, in_notebook
from pytest_bayesf1.measures.classification import Measure
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import (
    MOST_EARLIER,
    ClassDifference,
    ComparisonFigures,
    Computed,
    DeltaFigures,
    DetectableLosses,
    EarlierChange,
    EstimateFigures,
    LateFigures,
    PairedDifference,
    ReportedChanges,
    Significance,
)
from pytest_bayesf1.results.schema import Label, figures_of, plain
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.frequentist import classical_tests, paired_outcomes
from pytest_bayesf1.stats.posterior import (
    FEWEST_CHANGES,
    UNKNOWN,
    BayesFactor,
    Draws,
    ScorePosterior,
    interval_bayes_factor,
    savage_dickey,
    usual_weights,
)
from pytest_bayesf1.stats.power import Alternative, detectable_losses_of
from pytest_bayesf1.text import one_line, scores
from pytest_bayesf1.words.amounts import Amounts
from pytest_bayesf1.words.notes import notes, parts
from pytest_bayesf1.words.results import facts, headline, observed, title


class Result(Computed, Pictured):
    """What a comparison and an estimate do alike: for a terminal, for a notebook and for a report."""

    kind: ClassVar[str]
    provenance: Provenance
    settled: bool

    @property
    def _itself(self) -> Any:
        """A comparison or an estimate."""
        return self

    @property
    def headline(self) -> str:
        """The outcome as one sentence, without its full stop."""
        return headline(self._itself)

    @property
    def title(self) -> str:
        """The first line of every text."""
        return title(self._itself)

    def notes(self) -> list[str]:
        """List what a careful reader should know beside the figures."""
        return notes(self._itself)

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

    def __str__(self) -> str:
        """Write the outcome, the figures and the notes, on several lines for a terminal."""
        return "\n".join(parts(self._itself))

    def _repr_html_(self) -> str:
        """Show a notebook the posterior and the figures."""
        left, spaced = "style='text-align:left'", "style='text-align:left; white-space:pre-wrap'"
        rows = "".join(
            f"<tr><th {left}>{escape(name)}</th><td {spaced}>{escape(value)}</td></tr>"
            for name, value in facts(self._itself)
        )
        rest = "".join(f"<p>{escape(note)}</p>" for note in self.notes())
        drawn = in_notebook(self.plot, self.title)
        return f"<p><strong>{escape(self.title)}</strong></p>{drawn}<table>{rows}</table>{rest}"


_LATE = [field.name for field in fields(LateFigures)]
_OF_ALL_DRAWS = ("bayes_factor", "bayes_factor_mcse", "bayes_factor_sd", "bayes_factor_sd_mcse")
_MOST_CLASSES_OF_FUNCTIONS = 50


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison(ComparisonFigures, Result):
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
    p_lost_more, p_gained_more
        How likely it is that more was lost than you allow, or more gained than you call no difference: by its earlier
        changes where they are known (`with_history`), else by this test set alone, on which the decision rests.
    earlier_changes
        What `with_history` knows.
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
        How many more examples settle in half of the cases whether it is worse, better, equivalent, if the true change
        is the observed one.
    unsupported
        Classes without examples and how often they are predicted: counted as wrong, and in no average.
    contingency : Contingency or None
        How many examples each side gets right; None unless the model is paired.
    clusters : ClusterFigures or None
        The clusters that examples belong to, and what they do to the interval; None where every example is its own.
    labels, n_samples
        The classes that have examples, and the numbers of examples of the baseline and the candidate.
    baseline, candidate : ScorePosterior
        Each side's observed score, and its posterior as `estimate` has it, from that side's predictions alone.
    score_draws
        (2, n) the scores of both sides together; delta is their difference.
    doubted_class
        A class with too few examples to rule out that it alone lost more than you allow of an average: the candidate is
        then not shown to be no worse. None where there is none, or where nothing would be shown.
    convergence : Convergence
        How far the draws can be trusted: R-hat, effective number.
    density : Density
        Of delta.
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

    baseline: ScorePosterior
    candidate: ScorePosterior
    score_draws: Floats
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
        """Posterior odds of delta inside the ROPE over its prior odds.

        Above 3 the data speak for "no difference that matters", below 1/3 against it.
        """
        return self._inside_rope.value

    @cached_property
    def bayes_factor_mcse(self) -> float:
        """Monte Carlo standard error of `bayes_factor`."""
        return self._inside_rope.mcse

    @cached_property
    def bayes_factor_sd(self) -> float:
        """Posterior over prior density at 0 (Savage-Dickey); read `bayes_factor` first."""
        return self._at_zero.value

    @cached_property
    def bayes_factor_sd_mcse(self) -> float:
        """Monte Carlo standard error of `bayes_factor_sd`."""
        return self._at_zero.mcse

    @cached_property
    def detectable_losses(self) -> DetectableLosses | None:
        """The smallest true losses that a gate finds on test sets like this one; see `detectable_loss`."""
        counts, seen = self.provenance.counts, None
        if counts is not None and counts[1].bounded:  # a user's function may not be defined elsewhere
            seen = Alternative.seen(counts[0].experiment, counts[1])
        most = self.baseline.observed - self.provenance.measure.lowest
        return detectable_losses_of(self, Rope(*self.rope), seen, most, self.clusters)

    @cached_property
    def classical_tests(self) -> tuple[Significance, ...]:
        """The tests of Yang & Liu (1999) that the data allow; ``>`` favours the candidate. No decision rests on one."""
        counted, measure = self._counted, self.provenance.measure
        return () if counted is None or not isinstance(measure, Measure) else classical_tests(counted, measure)

    @cached_property
    def paired_outcomes(self) -> PairedDifference | None:
        """The posterior of Goutte & Gaussier (2005, section 3) on which side is right where the other is wrong.

        The candidate is the first; None unless the model is paired. No decision rests on it.
        """
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

    @cached_property
    def changed_values(self) -> ReportedChanges | None:
        """The examples whose grades differ; None of anything but grades."""
        return changed_values(self.provenance.subject)

    @cached_property
    def suspicions(self) -> Suspicions:
        """What looks like a mistake in the data."""
        return Suspicions.about(self.provenance.subject, weak_baseline=self.provenance.weak_baseline)

    @property
    def change_is_outside(self) -> bool:
        """Whether the observed change lies outside its own likely range."""
        low, high = self.hdi
        return not low - ROUNDING <= self.change <= high + ROUNDING

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

        baseline, candidate = self.score_draws
        drawn = {"delta": self.delta, "baseline": baseline, "candidate": candidate}
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
        scores = self.score_draws[:, kept].copy()
        vars(made).update(draws=Draws(self.delta[kept].copy()), draws_before=None, score_draws=scores)
        return made

    def with_history(self, changes: Sequence[EarlierChange | DeltaFigures]) -> "Comparison":
        """Return the same, with the chances of a loss and of a gain by how much the score changed before.

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
        >>> len(result.earlier_changes), result.p_lost_more < result.p_below_rope
        (11, True)
        """
        known = tuple(EarlierChange(each.mean, each.std) for each in changes if each.std > 0)[-MOST_EARLIER:]
        if len(known) < FEWEST_CHANGES:
            return self
        low, high = self.rope
        weights = usual_weights(self.delta, known)
        return replace(
            self,
            p_lost_more=float(weights[self.delta < low].sum()),
            p_gained_more=float(weights[self.delta > high].sum()),
            earlier_changes=known,
        )

    def __repr__(self) -> str:
        """Write the decision, the measure and the change of the observed score on one line."""
        return f"<Comparison {self.decision} {one_line(self.measure)} {Amounts.of(self).with_unit(self.change)}>"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Estimate(EstimateFigures, Result):
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

    score: ScorePosterior
    provenance: Provenance

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
        return f"<Estimate {one_line(self.measure)} {observed(self)} ({scores(self.score.hdi)}){floor}>"
