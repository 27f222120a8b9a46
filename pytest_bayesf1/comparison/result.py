"""`Comparison`, what `compare` returns."""

from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import Any

from pytest_bayesf1._util import factor, late_field, late_fields, level, one_line, percent
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.changes import Changes
from pytest_bayesf1.comparison.companion_text import companion_facts
from pytest_bayesf1.comparison.design import AS_THE_PRIOR, ASKED_FOR, BARE_SPAN_COUNTS
from pytest_bayesf1.comparison.never_true import notes_on, warnings_about
from pytest_bayesf1.comparison.options import Options
from pytest_bayesf1.comparison.outcome_subject import OutcomeSubject
from pytest_bayesf1.comparison.provenance import Provenance
from pytest_bayesf1.comparison.readable import UNSETTLED, Facts, Readable
from pytest_bayesf1.comparison.units import note_on, warnings_on
from pytest_bayesf1.comparison.wide_rope import why_it_cannot_fail
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.errors import BayesF1Warning, InputError
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import ComparisonFigures, Decision, ReportedComparison
from pytest_bayesf1.results.formatting import Amounts, losses_found, more_needed
from pytest_bayesf1.results.schema import figures_of
from pytest_bayesf1.settings import Model
from pytest_bayesf1.stats.posterior import UNKNOWN, BayesFactor, Draws, ScorePosterior, savage_dickey

_MOST_CLASSES_OF_FUNCTIONS = 50
_HOW_TO_PAIR = {
    Model.SAME_SET: (
        "The interval is wider than it need be when the two classifiers mostly agree: build both sides with "
        "from_predictions, and the comparison becomes paired; or, if you know on which share of the examples they "
        "predict the same, pass it: agreement=0.93."
    ),
    Model.INDEPENDENT: (
        "Two test sets leave more room for chance than one: test both classifiers on the same examples and build both "
        "sides with from_predictions, and the comparison becomes paired."
    ),
}
_HOW_TO_PAIR_SPANS = (
    "Two sets of documents leave more room for chance than one: build both sides from the spans or tags of the same "
    "documents, and the comparison becomes paired."
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison(ComparisonFigures, Readable):
    """The posterior of delta = candidate - baseline, positive when the candidate is better.

    Attributes
    ----------
    decision : Decision
        What the data say; equal to its symbol and to its ascii form.
    measure, measure_words, custom_measure, rope, hdi_prob, model, model_reason, prior, engine, seed, n_draws
        How it was computed, so that it can be redone.
    mean, std, hdi, mcse_hdi
        Of delta; ``mcse_hdi`` holds the Monte Carlo standard errors of the bounds.
    p_worse, p_better
        P(delta < 0), P(delta > 0).
    p_below_rope, p_in_rope, p_above_rope
        Probability left of, inside and right of the ROPE.
    bayes_factor
        Posterior odds of delta inside the ROPE over its prior odds; above 3 the data speak for "no difference that
        matters", below 1/3 against it.
    bayes_factor_sd
        Posterior over prior density at 0 (Savage-Dickey). Read ``bayes_factor`` first.
    bayes_factor_mcse, bayes_factor_sd_mcse
        Their Monte Carlo standard errors.
    settled
        Whether the decision is clear of Monte Carlo error.
    stated_agreement
        The least and the greatest share of the examples on which both sides were said to predict the same; None where
        nobody said.
    examples_needed
        How many more examples would give an undecided comparison an even chance of being settled; 0 when it is settled,
        None when no number would.
    sight : Sight
        The smallest true losses that a gate finds on test sets like this one. `detectable_loss` is the one that it
        finds with probability 0.8.
    never_true
        Classes without examples and how often they are predicted: counted as wrong, and in no average.
    largest_drops
        The classes whose observed F1 falls most, at most three.
    largest_moves
        The errors whose number changes most, at most five.
    agreement : Agreement or None
        How many examples each side gets right; None unless the model is paired.
    companions
        The tests of Yang & Liu (1999) that the data allow; ``>`` favours the candidate. The decision rests on none.
    paired_outcomes : PairedDifference or None
        The posterior of Goutte & Gaussier (2005, section 3) on which side is right where the other is wrong, the
        candidate being the first; None unless the model is paired. The decision does not rest on it.
    units : UnitFigures or None
        The units that examples belong to, and what they do to the interval; None where every example is its own.
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
    """

    sight = late_field()
    prior_density = late_field()
    bayes_factor, bayes_factor_mcse = late_field(), late_field()
    bayes_factor_sd, bayes_factor_sd_mcse = late_field(), late_field()

    mcse_hdi: tuple[float, float]
    baseline: ScorePosterior
    candidate: ScorePosterior
    labels: tuple[Label, ...]
    delta: Floats
    provenance: Provenance

    @property
    def mcse(self) -> float:
        """Monte Carlo standard error of the mean of delta."""
        return self.std / sqrt(self.convergence.ess)

    @cached_property
    def changes(self) -> Changes:
        """The examples that the two predict otherwise, and what each error contributes; `InputError` of scores."""
        return Changes.of(self.provenance)

    @property
    def known_changes(self) -> Changes | None:
        """The same; None of scores, and of a user's own function of many classes, which would take minutes."""
        if not isinstance(self.provenance.subject, OutcomeSubject):
            return None
        return (
            None if self.custom_measure and len(self.provenance.labels) > _MOST_CLASSES_OF_FUNCTIONS else self.changes
        )

    def to_arviz(self) -> Any:
        """Return the draws of delta and of both scores, (chains, draws) each, as ArviZ's data."""
        from pytest_bayesf1.engines.nuts import to_arviz  # noqa: PLC0415 (it takes a second)

        drawn = {"delta": self.delta, "baseline": self.baseline.draws, "candidate": self.candidate.draws}
        return to_arviz({name: draws.reshape(self.convergence.n_chains, -1) for name, draws in drawn.items()})

    def savage_dickey(self, prior: str | Prior) -> BayesFactor:
        """Return posterior over prior density at 0, with another prior's density below the line.

        ``"uniform"`` gives the Bayes factors of Zhang et al. (2015), Table IV: their posterior is the hierarchical one,
        their prior density the uniform one's. ``bayes_factor_sd`` takes both from the same model.
        """
        options = Options.resolve(prior=prior, engine="exact", seed=self.seed)
        if options.earlier is not None:
            raise InputError("prior", "a prior without counts of its own", str(prior), "Take one of Prior.named.")
        before = self.provenance.subject.deltas_before((self.provenance.measure,), options)
        return UNKNOWN if before is None else savage_dickey(Draws(self.delta), before[0])

    def reported(self, *, at_length: bool = True) -> ReportedComparison:
        """Return all that a report needs of it, or all but what takes longest to compute."""
        sides = {"baseline": self.baseline.figures, "candidate": self.candidate.figures}
        return ReportedComparison(
            **{**figures_of(self, ComparisonFigures, () if at_length else late_fields(Comparison)), **sides},
            headline=self.headline,
            notes=tuple(self.notes()),
            decision_words=self.decision.words,
            mcse=self.mcse,
            n_classes=len(self.labels),
        )

    def thinned(self, most: int) -> "Comparison":
        """Return the same with so many draws at most, evenly spaced among its own.

        Parameters
        ----------
        most
            How many to keep.
        """
        step = -(-self.delta.size // most)
        baseline, candidate = (
            replace(side, draws=side.draws[::step].copy()) for side in (self.baseline, self.candidate)
        )
        return replace(self, delta=self.delta[::step].copy(), baseline=baseline, candidate=candidate)

    def without_draws(self) -> "Comparison":
        """Return the same without its draws: many then fit into memory."""
        none = self.delta[:0].copy()
        baseline, candidate = (replace(side, draws=none) for side in (self.baseline, self.candidate))
        return replace(self, delta=none, baseline=baseline, candidate=candidate)

    @property
    def headline(self) -> str:
        """Tell a comparison's outcome in one sentence."""
        amounts = Amounts.of(self)
        change = f"{one_line(self.measure_words)} {amounts.move(self.mean)}"
        interval = f"{level(self.hdi_prob)} HDI {amounts.spoken(self.hdi)}"
        rope = f"{amounts.tolerated} you tolerate"
        beyond = self.hdi[0] <= self.rope[0] and self.hdi[1] >= self.rope[1]
        reaches = f"reaches {'beyond' if beyond else 'into'}"
        match self.decision:
            case Decision.MUCH_WORSE:
                return f"The candidate is worse: {change} ({interval}), more than the {rope}"
            case Decision.WORSE:
                return f"The candidate is slightly worse: {change}, though the {interval} {reaches} the {rope}"
            case Decision.EQUIVALENT:
                return f"The two are practically equivalent: {change} ({interval}), within the {rope}"
            case Decision.BETTER:
                return f"The candidate is slightly better: {change}, though the {interval} {reaches} the {rope}"
            case Decision.MUCH_BETTER:
                return f"The candidate is better: {change} ({interval}), more than the {rope}"
        return f"Undecided: {change}, and the {interval} lies neither inside nor outside the {rope}"

    @property
    def title(self) -> str:
        """The decision's symbol and the headline."""
        return f"{self.decision} {self.headline}."

    def facts(self) -> Facts:
        """Yield the figures by name."""
        amounts = Amounts.of(self)
        tolerated = f"±{amounts.tolerated}".removeprefix("±range of ")
        outside = f"{percent(self.p_below_rope)}, {percent(self.p_above_rope)}"
        yield "change", f"{amounts.with_unit(self.mean)}   {level(self.hdi_prob)} HDI {amounts.interval(self.hdi)}"
        yield "ROPE", f"{tolerated}   P(in ROPE) {percent(self.p_in_rope)}"
        yield "baseline", self.baseline.in_words(self.n_samples[0], self.example)
        yield "candidate", self.candidate.in_words(self.n_samples[1], self.example)
        yield "P(worse)", f"{percent(self.p_worse)}   below, above the ROPE {outside}"
        yield "gate finds", losses_found(self)
        yield from self._bayes_factors()
        yield from self._agreement()
        yield from self._largest_drops()
        yield from self._largest_moves()
        yield from companion_facts(self.companions, self.paired_outcomes)
        yield "model", f"{self.model}, because {self.model_reason}"
        yield "computed", self.computed()

    def notes(self) -> list[str]:
        """List what a careful reader should know beside the figures."""
        found = list(notes_on(self.never_true, self.n_samples))
        if self.units is not None:
            found.append(note_on(self.units, self.n_samples, Amounts.of(self).interval(self.units.independent_hdi)))
        if self.model != Model.PAIRED and self.model_reason not in (ASKED_FOR, AS_THE_PRIOR):
            found.append(_HOW_TO_PAIR_SPANS if self.model_reason == BARE_SPAN_COUNTS else _HOW_TO_PAIR[self.model])
        if self.examples_needed:
            found.append(more_needed(self))
        if not self.settled:
            found.append(UNSETTLED)
        if not self.can_fail:
            found.append(why_it_cannot_fail(self.provenance.measure, self.rope, self.baseline, self.hdi_prob))
        return [*found, *self.provenance.notes]

    def warnings(self) -> list[BayesF1Warning]:
        """List what its reader must not overlook."""
        of_units = warnings_on(self.units) if self.units else ()
        return [*warnings_about(self.never_true, self.n_samples), *of_units]

    def _bayes_factors(self) -> Facts:
        if self.prior_density is None:  # nothing is known before the data
            return []
        inside = factor(self.bayes_factor, self.bayes_factor_mcse)
        at_zero = factor(self.bayes_factor_sd, self.bayes_factor_sd_mcse)
        return [("BF", f"{inside} inside the ROPE   {at_zero} at 0")]

    def _largest_drops(self) -> Facts:
        shown = [f"{one_line(each.label)} {each.baseline:.3f} → {each.candidate:.3f}" for each in self.largest_drops]
        return [("F1 falls in", "   ".join(shown))] if shown else []

    def _largest_moves(self) -> Facts:
        shown = [
            f"{one_line(each.true)} as {one_line(each.predicted)} {each.baseline:,} → {each.candidate:,}"
            for each in self.largest_moves[:2]
        ]
        return [("errors", "   ".join(shown))] if shown else []

    def _agreement(self) -> Facts:
        if self.agreement is None:
            return []
        found = self.agreement
        one = f"one {found.only_baseline:,}, {found.only_candidate:,}"
        return [("agreement", f"both right {found.both_right:,}   {one}   both wrong {found.both_wrong:,}")]

    def __getstate__(self) -> dict[str, Any]:
        """Compute what nobody has asked for yet: how to compute it cannot be pickled."""
        return vars(self) | {name: getattr(self, name) for name in late_fields(Comparison)}

    def __repr__(self) -> str:
        """Write the decision, the measure and the mean of delta on one line."""
        return f"<Comparison {self.decision} {one_line(self.measure)} {Amounts.of(self).with_unit(self.mean)}>"
