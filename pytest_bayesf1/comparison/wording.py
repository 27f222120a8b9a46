"""Results in words and in aligned figures. Differences are told in points, hundredths of a score."""

from html import escape
from math import floor, log10
from textwrap import fill
from typing import TYPE_CHECKING, TypeAlias

from pytest_bayesf1.stats.decision import Decision
from pytest_bayesf1.stats.summary import Interval, ScorePosterior

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.compare import Comparison
    from pytest_bayesf1.comparison.estimate import Estimate

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
    decimals = _decimals(comparison.hdi)
    move = "falls" if comparison.mean < 0 else "rises"
    change = f"{comparison.measure} {move} by {_points(abs(comparison.mean), decimals)} points"
    interval = f"{_percent(comparison.hdi_prob)} HDI {_range_of_points(comparison.hdi, decimals)}"
    tolerated = f"{_tolerance(comparison.rope)} that you tolerate"
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
        ("delta", f"{comparison.mean:+.4f}   {_percent(comparison.hdi_prob)} HDI {_signed(comparison.hdi)}"),
        ("ROPE", f"{_signed(comparison.rope)}   P(in ROPE) {_percent(comparison.p_in_rope)}"),
        ("baseline", _score(comparison.baseline, comparison.n_samples[0])),
        ("candidate", _score(comparison.candidate, comparison.n_samples[1])),
        ("P(worse)", f"{_percent(comparison.p_worse)}   below, above the ROPE {_outside(comparison)}"),
        ("BF", f"{_factor(comparison.bayes_factor)} inside the ROPE   {_factor(comparison.bayes_factor_sd)} at 0"),
        *_drops(comparison),
        ("model", f"{comparison.model}, because {comparison.model_reason}"),
        ("computed", _computed(comparison)),
    ]


def notes(comparison: "Comparison") -> list[str]:
    """List what a careful reader should know beside the figures."""
    found = []
    if comparison.model != "paired":
        found.append(_HOW_TO_PAIR[comparison.model])
    if comparison.examples_needed:
        found.append(f"About {_round(comparison.examples_needed)} more test examples would settle it.")
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
    inside = f"{estimate.measure} is {score.mean:.3f} ({_percent(estimate.hdi_prob)} HDI {_plain(score.hdi)})"
    if estimate.below_floor:
        return f"Below {limit}: {inside}"
    if estimate.above_floor:
        return f"Above {limit}: {inside}"
    return f"Not clearly below {limit}: {inside}, P(below) {_percent(estimate.p_below_floor)}"


def estimate_facts(estimate: "Estimate") -> Facts:
    """List an estimate's figures by name."""
    return [
        ("score", _score(estimate.score, estimate.n_samples)),
        ("HDI", f"{_percent(estimate.hdi_prob)} {_plain(estimate.score.hdi)}"),
        ("floor", f"{estimate.floor:g}   P(below) {_percent(estimate.p_below_floor)}"),
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
    return f"{_percent(comparison.p_below_rope)}, {_percent(comparison.p_above_rope)}"


def _computed(result: "Comparison | Estimate") -> str:
    return f"{result.prior} prior, {result.n_draws:,} draws, {result.engine} engine, seed {result.seed}"


def _drops(comparison: "Comparison") -> Facts:
    shown = [f"{each.label} {each.baseline:.3f} → {each.candidate:.3f}" for each in comparison.largest_drops]
    return [("F1 falls in", "   ".join(shown))] if shown else []


def _as_lines(first: str, rows: Facts, paragraphs: list[str]) -> str:
    aligned = [f"  {name:<11} {value}" for name, value in rows]
    return "\n".join([first, *aligned, *(indented(paragraph) for paragraph in paragraphs)])


def indented(paragraph: str) -> str:
    """Wrap a paragraph for a terminal, indented like the figures above it."""
    return fill(paragraph, width=96, initial_indent="  ", subsequent_indent="  ")


def _decimals(interval: Interval) -> int:
    """Return the decimals of a point that an interval of this width deserves: two digits of the width, at most four."""
    width = 100 * (interval[1] - interval[0])
    return min(max(1 - floor(log10(width)), 1), 4) if width > 0 else 1


def _points(value: float, decimals: int) -> str:
    return f"{100 * value:.{decimals}f}"


def _signed_points(value: float, decimals: int) -> str:
    return f"{100 * value:+.{decimals}f}"


def _range_of_points(interval: Interval, decimals: int) -> str:
    """Write an interval of changes; one that holds 0 needs its signs."""
    if interval[0] < 0 < interval[1]:
        return " to ".join(_signed_points(bound, decimals) for bound in interval)
    return " to ".join(_points(bound, decimals) for bound in sorted(map(abs, interval)))


def _tolerance(rope: Interval) -> str:
    low, high = (100 * bound for bound in rope)
    if -low != high:
        return f"{low:+g} to {high:+g} points"
    return f"{high:g} point" if high == 1 else f"{high:g} points"


def _score(score: ScorePosterior, n_samples: int) -> str:
    return f"{score.mean:.4f}   observed {score.observed:.4f} on {n_samples:,} examples"


def _signed(interval: Interval) -> str:
    return f"[{interval[0]:+.4f}, {interval[1]:+.4f}]"


def _plain(interval: Interval) -> str:
    return f"{interval[0]:.3f} to {interval[1]:.3f}"


def _percent(probability: float) -> str:
    if 0 < probability < 0.001:
        return "<0.1%"
    if 0.999 < probability < 1:
        return ">99.9%"
    return f"{100 * probability:.3g}%"


def _factor(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _round(number: int) -> str:
    """Round to two significant digits."""
    return f"{int(float(f'{number:.1e}')):,}"
