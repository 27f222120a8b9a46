"""What a verdict card shows of a report."""

from dataclasses import dataclass, replace

from pytest_bayesf1.figures.pictures import Landmark, Posterior, change_of, score_of
from pytest_bayesf1.reports.entry import VERDICTS, ComparisonEntry, EstimateEntry, Judged, Report
from pytest_bayesf1.reports.wording import failed_parts, fitted, outcome, short_names, tally
from pytest_bayesf1.results.formatting import (
    LONGEST_TEXT,
    Amounts,
    format_change,
    format_score,
    gate_finds,
    likely,
    name_text,
    scaled,
    shortened,
)
from pytest_bayesf1.results.run import RunIdentity
from pytest_bayesf1.text import MINUS, begun, counted, flowed, rope_end, short_commit, spoken_day

_MOST_CLASSES = 4


@dataclass(frozen=True)
class CardClass:
    """A class and its observed F1 on either side, as numbers and in words."""

    label: str
    baseline: float
    candidate: float
    text: str


@dataclass(frozen=True, kw_only=True)
class VerdictCard:
    """What a gate says of a result, at a glance; whatever is not known or does not apply is empty.

    Attributes
    ----------
    verdict, verdict_words
        Of the entry, and how people say it.
    glyph
        The decision's symbol; ``!`` where there is no answer.
    title
        Such as ``Worse: 0.982 → 0.912``.
    gate
        The test or gate and the part of the data.
    measure
        In words.
    change
        How much the score changes and what is allowed, or how much is demanded.
    interval
        The HDI in words.
    run
        Commit and day.
    classes_title, classes
        Those whose F1 falls most.
    sees
        What the gate can see with such a test set, in a sentence.
    message
        Why there is no answer.
    posterior
        None where there is none.
    rows
        Of a run with several gates, those that failed or warned: verdict, name, scores and change.
    """

    verdict: str
    verdict_words: str
    glyph: str
    title: str
    gate: str
    measure: str = ""
    change: str = ""
    interval: str = ""
    run: str = ""
    classes_title: str = ""
    classes: tuple[CardClass, ...] = ()
    sees: str = ""
    message: str = ""
    posterior: Posterior | None = None
    rows: tuple["CardRow", ...] = ()


@dataclass(frozen=True)
class CardRow:
    """A gate on the card of a run."""

    verdict: str
    name: str
    scores: str
    change: str


_MOST_ROWS = 5
_LONGEST_NAME = 36


def run_card(report: Report) -> VerdictCard | None:
    """Put on a card what a run came to: its gate, or its counts and the gates that failed; None without a gate."""
    gates = report.gates
    if len(gates) < 2:
        return verdict_card(gates[0], report.run) if gates else None
    gravest = gates[0].verdict
    names = short_names(gate.test for gate in gates)
    names = dict(zip(names, fitted(names.values(), _LONGEST_NAME), strict=True))
    grave = [gate for gate in gates if gate.verdict in ("failed", "error", "accepted", "warned", "expected")]
    return VerdictCard(
        verdict=gravest,
        verdict_words=VERDICTS[gravest].words,
        glyph={"": VERDICTS[""].sign, "passed": "✓"}.get(gravest, gates[0].worst.glyph),
        title=begun(outcome(report)),
        gate=", ".join(text for verdict, text in tally(gates) if verdict != gravest),
        run=run_words(report.run),
        sees=f"and {counted(len(grave) - _MOST_ROWS, 'more gate')}" if len(grave) > _MOST_ROWS else "",
        rows=tuple(_card_row(gate, names[gate.test]) for gate in grave[:_MOST_ROWS]),
    )


def _card_row(gate: Judged, name: str) -> CardRow:
    worst, verdict = gate.worst, VERDICTS[gate.verdict].words
    name = f"{name}{failed_parts([gate])}"
    known = worst.answered
    if known is None:
        return CardRow(verdict, name, "", flowed(worst.headline))
    part = f" {name_text(worst.part)}" if worst.part else ""
    change, interval = known.change_and_interval
    return CardRow(verdict, f"{name}{part}", known.observed, f"{change} ({interval})".strip())


def run_words(run: RunIdentity) -> str:
    """Write commit and day."""
    commit = f"commit {short_commit(run.commit)}" if run.commit else ""
    return ", ".join(filter(None, (commit, spoken_day(run.date))))


def verdict_card(gate: Judged, run: RunIdentity) -> VerdictCard:
    """Put on a card what a reader should see first of a gate."""
    entry = gate.whole
    card = VerdictCard(
        verdict=gate.verdict,
        verdict_words=VERDICTS[gate.verdict].words,
        glyph=gate.worst.glyph,
        title="Error",
        gate=name_text(entry.name),
        run=run_words(run),
    )
    match entry:
        case ComparisonEntry():
            return _of_comparison(card, entry)
        case EstimateEntry():
            return _of_estimate(card, entry)
    return replace(card, message=shortened(flowed(entry.headline), LONGEST_TEXT))


def _of_comparison(card: VerdictCard, entry: ComparisonEntry) -> VerdictCard:
    amounts = Amounts.of(entry)
    classes = _losing(entry)
    return replace(
        card,
        title=entry.short_title,
        measure=name_text(entry.measure_words),
        change=format_change(entry, entry.policy),
        interval=f"{likely(entry)} {amounts.interval(entry.hdi)}",
        classes_title=f"F1 by {entry.category}, where it fell most" if classes else "",
        classes=classes,
        sees="" if entry.policy == "better" else gate_finds(entry),
        posterior=change_of(entry, _landmarks(entry), f"you are here: {amounts.signed(entry.change)}"),
    )


def _of_estimate(card: VerdictCard, entry: EstimateEntry) -> VerdictCard:
    low, high = map(format_score, entry.score.hdi)
    floor = f"the floor is here: {entry.floor:g}".replace("-", MINUS)
    return replace(
        card,
        title=entry.short_title,
        measure=name_text(entry.measure_words),
        change=f"{format_score(entry.score.observed)} (your floor is {entry.floor:g})".replace("-", MINUS),
        interval=f"{likely(entry)} {low} to {high}",
        sees=f"Tested on {counted(entry.n_samples, entry.example)}.",
        posterior=score_of(entry, floor, f"you are here: {format_score(entry.score.observed)}"),
    )


def _landmarks(entry: ComparisonEntry) -> tuple[Landmark, ...]:
    """Name the ends of the ROPE that the policy asks about, and no change."""
    low, high = scaled(entry.rope, entry.scale.factor)
    lower, upper = (rope_end(end) for end in (low, high))
    no_change = Landmark(0.0, "no change")
    match entry.policy:
        case "better":
            if high == 0:
                return (Landmark(0.0, "no change: better from here"),)
            return no_change, Landmark(high, f"better from here: {upper}")
        case "equivalent" if low < high:
            return Landmark(low, f"equivalent from here: {lower}"), Landmark(high, f"equivalent to here: {upper}")
    if low == 0:
        return (Landmark(0.0, "no change: you allow no loss"),)
    return Landmark(low, f"you allow to here: {lower}"), no_change


def _losing(entry: ComparisonEntry) -> tuple[CardClass, ...]:
    if entry.decision.side >= 0:  # classes that happen to be lower tell nothing
        return ()
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
