"""Results in words and in aligned figures."""

from html import escape
from textwrap import fill
from typing import TYPE_CHECKING, TypeAlias

from pytest_bayesf1.comparison.numbers import AS_THEY_ARE, POINTS, ChangeFormat, factor, percent, plain, rounded, signed
from pytest_bayesf1.stats.decision import Decision
from pytest_bayesf1.stats.summary import ScorePosterior

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.estimate import Estimate
    from pytest_bayesf1.comparison.result import Comparison

Facts: TypeAlias = list[tuple[str, str]]

_HOW_TO_PAIR = {
    "same-set": (
        "The interval is wider than it need be when the two classifiers mostly agree: build both sides with "
        "ConfusionMatrix.from_predictions (or pass PairedCounts), and the comparison becomes paired."
    ),
    "independent": (
        "Two test sets leave more room for chance than one: test both classifiers on the same examples and build both "
        "sides with ConfusionMatrix.from_predictions, and the comparison becomes paired."
    ),
}
_UNSETTLED = "The decision still depends on Monte Carlo error after all draws: read it as a close call."


def headline(comparison: "Comparison") -> str:
    """Tell a comparison's outcome in one sentence."""
    form = ChangeFormat(AS_THEY_ARE if comparison.custom_measure else POINTS, comparison.hdi)
    change = f"{comparison.measure} {'falls' if comparison.mean < 0 else 'rises'} by {form.size(comparison.mean)}"
    interval = f"{percent(comparison.hdi_prob)} HDI {form.interval(comparison.hdi)}"
    tolerated = f"{form.tolerance(comparison.rope)} that you tolerate"
    match comparison.decision:
        case Decision.MUCH_WORSE:
            return f"The candidate is significantly worse: {change} ({interval}), more than the {tolerated}"
        case Decision.WORSE:
            return f"The candidate is slightly worse: {change}, though the {interval} reaches into the {tolerated}"
        case Decision.EQUIVALENT:
            return f"The two are practically equivalent: {change} ({interval}), within the {tolerated}"
        case Decision.BETTER:
            return f"The candidate is slightly better: {change}, though the {interval} reaches into the {tolerated}"
        case Decision.MUCH_BETTER:
            return f"The candidate is significantly better: {change} ({interval}), more than the {tolerated}"
    return f"Undecided: {change}, and the {interval} lies neither inside nor outside the {tolerated}"


def facts(comparison: "Comparison") -> Facts:
    """List a comparison's figures by name."""
    return [
        ("delta", f"{comparison.mean:+.4f}   {percent(comparison.hdi_prob)} HDI {signed(comparison.hdi)}"),
        ("ROPE", f"{signed(comparison.rope)}   P(in ROPE) {percent(comparison.p_in_rope)}"),
        ("baseline", _score(comparison.baseline, comparison.n_samples[0])),
        ("candidate", _score(comparison.candidate, comparison.n_samples[1])),
        ("P(worse)", f"{percent(comparison.p_worse)}   below, above the ROPE {_outside(comparison)}"),
        ("BF", f"{factor(comparison.bayes_factor)} inside the ROPE   {factor(comparison.bayes_factor_sd)} at 0"),
        *_largest_drops(comparison),
        ("model", f"{comparison.model}, because {comparison.model_reason}"),
        ("computed", _computed(comparison)),
    ]


def notes(comparison: "Comparison") -> list[str]:
    """List what a careful reader should know beside the figures."""
    found = []
    if comparison.model != "paired":
        found.append(_HOW_TO_PAIR[comparison.model])
    if comparison.examples_needed:
        found.append(f"About {rounded(comparison.examples_needed)} more test examples would settle it.")
    if not comparison.settled:
        found.append(_UNSETTLED)
    return found


def as_text(comparison: "Comparison") -> str:
    """Several lines for a terminal."""
    return _as_lines(f"{comparison.decision} {headline(comparison)}.", facts(comparison), notes(comparison))


def as_html(comparison: "Comparison") -> str:
    """Build a table for notebooks."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(value)}</td></tr>"
        for name, value in facts(comparison)
    )
    rest = "".join(f"<p>{escape(note)}</p>" for note in notes(comparison))
    first = escape(f"{comparison.decision} {headline(comparison)}.")
    return f"<p><strong>{first}</strong></p><table>{rows}</table>{rest}"


def estimate_headline(estimate: "Estimate") -> str:
    """Tell an estimate's outcome in one sentence."""
    score, limit = estimate.score, f"the floor of {estimate.floor:g}"
    inside = f"{estimate.measure} is {score.mean:.3f} ({percent(estimate.hdi_prob)} HDI {plain(score.hdi)})"
    if estimate.below_floor:
        return f"Below {limit}: {inside}"
    if estimate.above_floor:
        return f"Above {limit}: {inside}"
    return f"Not clearly below {limit}: {inside}, P(below) {percent(estimate.p_below_floor)}"


def estimate_facts(estimate: "Estimate") -> Facts:
    """List an estimate's figures by name."""
    return [
        ("score", _score(estimate.score, estimate.n_samples)),
        ("HDI", f"{percent(estimate.hdi_prob)} {plain(estimate.score.hdi)}"),
        ("floor", f"{estimate.floor:g}   P(below) {percent(estimate.p_below_floor)}"),
        ("computed", _computed(estimate)),
    ]


def estimate_notes(estimate: "Estimate") -> list[str]:
    """List what a careful reader should know beside the figures."""
    found = []
    if abs(estimate.pull) > 0.25:
        found.append(
            f"The {estimate.prior} prior moves the posterior mean by {estimate.pull:+.1f} standard deviations from the "
            f"observed {estimate.score.observed:.3f}: with few examples a class, read the HDI with that in mind."
        )
    if not estimate.settled:
        found.append(_UNSETTLED)
    return found


def estimate_as_text(estimate: "Estimate") -> str:
    """Several lines for a terminal."""
    return _as_lines(f"{estimate_headline(estimate)}.", estimate_facts(estimate), estimate_notes(estimate))


def _outside(comparison: "Comparison") -> str:
    return f"{percent(comparison.p_below_rope)}, {percent(comparison.p_above_rope)}"


def _computed(result: "Comparison | Estimate") -> str:
    return f"{result.prior} prior, {result.n_draws:,} draws, {result.engine} engine, seed {result.seed}"


def _largest_drops(comparison: "Comparison") -> Facts:
    shown = [f"{each.label} {each.baseline:.3f} → {each.candidate:.3f}" for each in comparison.largest_drops]
    return [("F1 falls in", "   ".join(shown))] if shown else []


def _as_lines(first: str, rows: Facts, paragraphs: list[str]) -> str:
    aligned = [f"  {name:<11} {value}" for name, value in rows]
    return "\n".join([first, *aligned, *(indented(paragraph) for paragraph in paragraphs)])


def indented(paragraph: str) -> str:
    """Wrap a paragraph for a terminal, indented like the figures above it."""
    return fill(paragraph, width=96, initial_indent="  ", subsequent_indent="  ")


def _score(score: ScorePosterior, n_samples: int) -> str:
    return f"{score.mean:.4f}   observed {score.observed:.4f} on {n_samples:,} examples"
