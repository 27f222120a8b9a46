"""What a verdict card shows of a report."""

from dataclasses import replace

from pytest_bayesf1._util import MINUS, counted, rope_end, scale_of, spoken_day
from pytest_bayesf1.reports.entry import VERDICTS, AnyEntry, ComparisonEntry, EstimateEntry
from pytest_bayesf1.results.comparison import Decision, Density
from pytest_bayesf1.results.formatting import (
    LONGEST_TEXT,
    Amounts,
    format_change,
    format_score,
    gate_finds,
    hdi_name,
    name_text,
    shortened,
    title,
    visible,
)
from pytest_bayesf1.results.other import CardAxis, CardClass, Landmark, RunIdentity, VerdictCard

_MOST_CLASSES = 4
_COMMIT = 7


def verdict_card(entry: AnyEntry, run: RunIdentity) -> VerdictCard:
    """Put on a card what a reader should see first of an entry."""
    commit = f"commit {run.commit[:_COMMIT]}" if run.commit else ""
    card = VerdictCard(
        verdict=entry.verdict,
        verdict_words=VERDICTS[entry.verdict].words,
        glyph="!",
        title="No answer",
        gate=name_text(entry.name),
        run=", ".join(filter(None, (commit, spoken_day(run.date)))),
    )
    match entry:
        case ComparisonEntry():
            return _of_comparison(card, entry)
        case EstimateEntry():
            return _of_estimate(card, entry)
    return replace(card, message=shortened(visible(entry.headline), LONGEST_TEXT))


def _of_comparison(card: VerdictCard, entry: ComparisonEntry) -> VerdictCard:
    amounts = Amounts.of(entry)
    classes = _losing(entry)
    return replace(
        card,
        glyph=entry.decision.value,
        title=title(entry),
        measure=name_text(entry.measure_words),
        change=format_change(entry, entry.policy),
        interval=f"{hdi_name(entry)} {amounts.interval(entry.hdi)}",
        classes_title=f"F1 by {entry.category}, where it falls most" if classes else "",
        classes=classes,
        sees="" if entry.policy == "better" else gate_finds(entry),
        axis=CardAxis(
            density=_scaled(entry.density, amounts.factor),
            mean=amounts.factor * entry.mean,
            hdi=_times(amounts.factor, entry.hdi),
            rope=_times(amounts.factor, entry.rope),
            reference=0.0,
            here=f"you are here: {amounts.signed(entry.mean)}",
            landmarks=_landmarks(entry),
        ),
    )


def _of_estimate(card: VerdictCard, entry: EstimateEntry) -> VerdictCard:
    low, high = map(format_score, entry.score.hdi)
    decision = (
        Decision.MUCH_WORSE if entry.below_floor else Decision.MUCH_BETTER if entry.above_floor else Decision.UNDECIDED
    )
    return replace(
        card,
        glyph=decision.value,
        title=title(entry),
        measure=name_text(entry.measure_words),
        change=f"{format_score(entry.score.mean)} (the floor is {entry.floor:g})".replace("-", MINUS),
        interval=f"{hdi_name(entry)} {low} to {high}",
        sees=f"Tested on {counted(entry.n_samples, entry.example)}.",
        axis=CardAxis(
            density=entry.density,
            mean=entry.score.mean,
            hdi=entry.score.hdi,
            rope=None,
            reference=entry.floor,
            here=f"you are here: {format_score(entry.score.mean)}",
            landmarks=(Landmark(entry.floor, f"the floor\nis here: {entry.floor:g}".replace("-", MINUS)),),
        ),
    )


def _landmarks(entry: ComparisonEntry) -> tuple[Landmark, ...]:
    """Name the ends of the ROPE that the policy asks about, and no change."""
    low, high = _times(scale_of(custom_measure=entry.custom_measure).factor, entry.rope)
    lower, upper = (rope_end(end) for end in (low, high))
    no_change = Landmark(0.0, "no change")
    match entry.policy:
        case "better":
            if high == 0:
                return (Landmark(0.0, "no change:\nbetter from here"),)
            return no_change, Landmark(high, f"better\nfrom here: {upper}")
        case "equivalent" if low < high:
            return Landmark(low, f"equivalent\nfrom here: {lower}"), Landmark(high, f"equivalent\nto here: {upper}")
    if low == 0:
        return (Landmark(0.0, "no change:\nyou tolerate no loss"),)
    return Landmark(low, f"you tolerate\nto here: {lower}"), no_change


def _losing(entry: ComparisonEntry) -> tuple[CardClass, ...]:
    known = entry.breakdown.classes if entry.breakdown else entry.largest_drops
    losing = sorted((each for each in known if each.candidate < each.baseline), key=lambda c: c.candidate - c.baseline)
    return tuple(
        CardClass(
            name_text(each.label),
            each.baseline,
            each.candidate,
            f"{format_score(each.baseline)} → {format_score(each.candidate)}",
        )
        for each in losing[:_MOST_CLASSES]
    )


def _scaled(density: Density, factor: float) -> Density:
    return replace(density, low=factor * density.low, high=factor * density.high)


def _times(factor: float, interval: tuple[float, float]) -> tuple[float, float]:
    low, high = interval
    return factor * low, factor * high
