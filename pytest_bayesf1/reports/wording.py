"""Sentences that several formats share."""

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import hypot

from pytest_bayesf1.errors import command_line, printable
from pytest_bayesf1.reports.entry import (
    VERDICTS,
    AnyEntry,
    ComparisonEntry,
    Entry,
    EstimateEntry,
    Judged,
    Report,
    VerdictName,
)
from pytest_bayesf1.results.comparison import (
    ComparisonFigures,
    ErrorChange,
    ExampleChange,
    PairedDifference,
    ReportedChanges,
    Significance,
)
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.run import Finding, FindingKind, ReadFrom
from pytest_bayesf1.results.timeline import Trend
from pytest_bayesf1.text import Scale, begun, brief, counted, cut, error, first_few, flowed, percent
from pytest_bayesf1.words.amounts import LONGEST_TEXT, Amounts, amount_needed, doubt, format_score, name_text, shortened
from pytest_bayesf1.words.results import observed, where

_MINUS = str.maketrans("-", "\N{MINUS SIGN}")


def changes_note(changes: ReportedChanges, scale: Scale) -> str:
    """Say what the shares of errors add up to."""
    note = "Each error's share of the observed change; the shares of all errors add up to it"
    rest = f"{scale.factor * changes.rest:+.2f}"
    if not float(rest):
        return f"{note}."
    return f"{note}, except {scale.amount(rest.translate(_MINUS))} that come from other class shares."


def error_share(error: ErrorChange, scale: Scale) -> str:
    """Write what an error adds to the change."""
    return f"{scale.factor * error.contribution:+.2f}".translate(_MINUS)


def telling_examples(changes: ReportedChanges | None) -> list[ExampleChange]:
    """Return the examples of which something is shown, those first that moved the score as it moved."""
    if changes is None:
        return []
    shown = (example for example in changes.examples if example.shown or not changes.errors)
    return sorted(shown, key=lambda example: example.contribution * changes.change <= 0)


def error_name(error: ErrorChange) -> str:
    """Name an error on one line."""
    return f"{name_text(str(error.true))} taken for {name_text(str(error.predicted))}"


def error_counts(error: ErrorChange) -> str:
    """Write how many examples had it and have it; where runs share examples these are no whole numbers."""
    return " → ".join(
        f"{count:,}" if isinstance(count, int) else f"{count:,.1f}" for count in (error.baseline, error.candidate)
    )


def changes_headline(changes: ReportedChanges, measure: str, scale: Scale) -> str:
    """Say how far the observed score moved, and what explains most of it."""
    size = f"{abs(scale.factor * changes.change):.2f}"
    if float(size) == 0:
        return f"The observed {name_text(measure)} is the same on both sides."
    moved = f"The observed {name_text(measure)} {'fell' if changes.change < 0 else 'rose'} {scale.amount(size)}"
    error = changes.most_telling
    if error is None:
        return f"{moved}."
    share = _share(error.contribution / changes.change)
    return f"{moved}, {share} of it by {error_name(error)} ({error_counts(error)})."


def _share(share: float) -> str:
    """Write a share of the change, which others may take back in part."""
    text = f"{share:.0%}"
    if text == "100%":
        return "all"
    return text if share < 1 else "more than all"


NO_GATE = (
    "No gate ran, so nothing can have failed, and nothing has passed. A comparison becomes a gate by assert_not_worse, "
    "bayes_regression or a gate file; where a run is to have none, tell the Action so: allow-no-gates: true."
)


def loosened(findings: Sequence[Finding]) -> str:
    """Say how many gates are loosened or altered, and by what where that is the same of all: a clause."""
    said = [f"check {name_text(gate)}" for gate in _gates_of(findings, FindingKind.FILE)]
    looser = _gates_of(findings, FindingKind.MISSING, FindingKind.LOOSENED)
    others = [gate for gate in _gates_of(findings, FindingKind.CHANGED) if gate not in looser]
    does = [
        f"{verb} {counted(len(gates), 'gate')}" for verb, gates in (("loosens", looser), ("alters", others)) if gates
    ]
    texts = {finding.text for finding in findings}
    why = f": {flowed(*texts)}" if len(texts) == 1 and len(looser + others) > 1 else ""
    return "; ".join([*said, *([f"this change {' and '.join(does)}{why}"] if does else [])])


def _gates_of(findings: Sequence[Finding], *kinds: FindingKind) -> list[str]:
    return list(dict.fromkeys(finding.gate for finding in findings if finding.kind in kinds))


_MOST_COMMANDS = 5


def commands_to_accept(findings: Sequence[Finding]) -> str:
    """Return the commands that accept the first changes, one for each gate."""
    changes = {finding.gate: finding.change for finding in findings if finding.change}
    commands = [
        command_line("bayesf1", "accept", gate, "--loosened", change, "--reason", ...)
        for gate, change in changes.items()
    ]
    return "\n".join(commands[:_MOST_COMMANDS])


def not_as_listed_line(findings: Sequence[Finding]) -> str:
    """Say how many gates differ from the manifest, but are not loosened."""
    return f"{_counted(findings)} not as listed in gates.json, but no looser."


def _counted(findings: Sequence[Finding]) -> str:
    number = len({finding.gate for finding in findings})
    return f"{counted(number, 'gate')} {'is' if number == 1 else 'are'}"


def headline(report: Report) -> str:
    """Say in a line what the run came to: ``3 of 20 gates failed (5 of 60 classes) · blocks merge``."""
    clauses = [outcome(report)]
    if report.loosened and report.verdict == "loosened":
        clauses.insert(0, loosened(report.loosened))
    if report.loosened_as_wanted:
        clauses.insert(0, f"{loosened(report.loosened_as_wanted)}, as accepted")
    text = "; ".join(clauses)
    if not report.complete:
        text = f"incomplete, {counted(len(report.missing), 'test')} did not finish: {text}"
    blocks = report.counts.failed or report.counts.error or not report.complete
    return f"{begun(text)} · blocks merge" if blocks else begun(text)


def outcome(report: Report) -> str:
    """Say how the gates came out, as pytest counts them; classes and slices in brackets: a clause."""
    counts = report.counts
    if counts.judged == 0:
        looked = f": {counted(counts.total, 'comparison')} without a gate" if counts.total else ""
        return f"no gate ran{looked}"
    gravest = next(verdict for verdict in VERDICTS if verdict and getattr(counts, verdict))
    number = getattr(counts, gravest)
    if gravest == "passed":
        return "the gate passed" if counts.judged == 1 else f"all {counts.judged:,} gates passed"
    gates = "the gate" if counts.judged == 1 else f"{number:,} of {counts.judged:,} gates"
    return f"{gates} {_CAME_TO[gravest]}{failed_parts(report.gates)}"


_CAME_TO: dict[VerdictName, str] = {
    "failed": "failed",
    "error": "had an error",
    "accepted": "lost what you accepted",
    "warned": "warned",
    "undecided": "could not tell",
    "expected": "failed as expected (xfail)",
}


def failed_parts(gates: Sequence[Judged]) -> str:
    """Count the classes and slices that failed, in brackets; nothing where none did."""
    texts = []
    for noun, gate in (("class", "per_class"), ("slice", "slices")):
        parts = [part for each in gates for part in each.parts if part.gate == gate]
        failed = sum(part.verdict == "failed" for part in parts)
        texts += [f"{failed:,} of {counted(len(parts), noun)}"] if failed else []
    return f" ({', '.join(texts)})" if texts else ""


def tally(gates: Iterable[Judged]) -> list[tuple[VerdictName, str]]:
    """Count gates by what they came to, the gravest first."""
    number = Counter(gate.verdict for gate in gates)
    return [(verdict, shown.counted(number[verdict])) for verdict, shown in VERDICTS.items() if number[verdict]]


def short_names(tests: Iterable[str]) -> dict[str, str]:
    """Name every test without its file, where that tells it from the others."""
    names = {test: test.partition("::")[2] or test for test in tests}
    number = Counter(names.values())
    return {test: name_text(name if number[name] == 1 else test) for test, name in names.items()}


def fitted(names: Iterable[str], most: int) -> list[str]:
    """Cut names to so many columns of a terminal; those that would then look the same get a number each.

    Examples
    --------
    >>> fitted(["spam", "model-of-2025-large", "model-of-2026-large"], 12)
    ['spam', 'model-of-…#1', 'model-of-…#2']
    """
    listed = list(names)
    short = [brief(name, most) for name in listed]
    number = Counter(short)
    again = Counter[str]()
    for place, (name, known_as) in enumerate(zip(listed, short, strict=True)):
        if known_as != name and number[known_as] > 1:
            again[known_as] += 1
            end = f"…#{again[known_as]}"
            short[place] = f"{cut(name, most - len(end))}{end}"
    return short


def about(gates: Iterable[Judged], names: Mapping[str, str]) -> str:
    """Name the first of the gates that an advice is about."""
    return first_few(fitted((names[gate.test] for gate in gates), _LONGEST_TITLE), 3, "gate")


_LONGEST_TITLE = 40


def by_advice(gates: Iterable[Judged]) -> list[list[Judged]]:
    """Put the gates together of which the same is to be done."""
    by_text: dict[str, list[Judged]] = {}
    for gate in gates:
        if gate.worst.verdict in ("failed", "error", "warned", "expected") and gate.worst.advice:
            by_text.setdefault(gate.worst.advice, []).append(gate)
    return [*by_text.values()]


def to_do(gates: Sequence[Judged], names: Mapping[str, str]) -> tuple[str, str]:
    """Say what to do about gates of which that is the same, and the command that does it for the first of them."""
    advice = gates[0].worst.advice
    gate = next((gate for gate in gates if gate.worst.command), None)
    if gate is None:
        return advice, ""
    of_one = f". For {names[gate.test]}" if len(gates) > 1 else ""
    return f"{advice}\n{gate.worst.way_out}{of_one}:", gate.worst.command


_NAMED = 10


def incomplete_line(report: Report) -> str:
    """Name the first of the tests that did not finish."""
    return f"Incomplete: {counted(len(report.missing), 'test')} did not finish: {_named(report.missing)}"


_COUNTED: Mapping[ReadFrom, str] = {
    "base": "The base commit's version counts",
    "checked out": "Read as this change has them, so review them",
    "new": "The base commit has none, so these new gates use this change's own",
}


def changed_line(report: Report) -> str:
    """Name the first of the files that were changed, and say which version counted."""
    by_version = {read: [name for name in report.changed if report.changed[name] == read] for read in _COUNTED}
    found = [(_COUNTED[read], names) for read, names in by_version.items() if names]
    told = [f"{what}{f': {_named(names)}' if len(found) > 1 else ''}." for what, names in found]
    changed = f"{counted(len(report.changed), 'baseline or gate file')} changed: {_named(report.changed)}."
    return " ".join([changed, *told])


def attempts_line(report: Report) -> str:
    """Say how often the run, and tests of it, were tried; nothing where each was tried once."""
    of_tests = first_few((f"{name_text(test)} ({number} times)" for test, number in report.attempts.items()), _NAMED)
    texts = [f"This is attempt {report.run.attempt} of the workflow's run."] if report.run.attempt > 1 else []
    texts += [f"Tried again until they had an answer: {of_tests}."] if of_tests else []
    return " ".join(texts)


def _named(names: Iterable[str]) -> str:
    return first_few(map(name_text, names), _NAMED)


_GATE_FILES = (".yaml", ".yml")


def redo(entry: Entry) -> str:
    """Write the shell's command that makes the comparison again; empty where no file is known to make it."""
    file, _, name = entry.test.partition("::")
    if not name:
        return ""
    if file.endswith(_GATE_FILES):
        return f"bayesf1 gate {_quoted(file)} --gate {_quoted(name)}"
    # a fixture's comparisons, which belong to no line, are made whenever its file runs
    return f"pytest {_quoted(entry.test if entry.file else file)}"


def _quoted(text: str) -> str:
    return shlex.quote(flowed(text))


_TESTED = {
    "s-test": "decisions that only one side gets right",
    "S-test": "F1 of classes as if independent: whose is higher",
    "T-test": "F1 of classes as if independent: mean difference",
    "T'-test": "F1 of classes as if independent: mean difference of ranks",
    "p-test": "{of} as if unpaired",
}


def tested(test: Significance) -> str:
    """Say what a test of Yang & Liu (1999) compares."""
    return _TESTED[test.name].format(of=test.of)


def of_outcomes(outcomes: PairedDifference) -> str:
    """Say what Goutte & Gaussier (2005) read from the examples that one side alone gets right."""
    difference, odds = (
        f"{value:+z.{decimals}f}".translate(_MINUS)
        for value, decimals in ((outcomes.mean_difference, 4), (outcomes.mean_log_odds, 2))
    )
    return (
        "With π₁ for the probability that only the candidate is right, and π₂ that only the baseline is, Goutte & "
        f"Gaussier (2005) find P(π₁ > π₂) {percent(outcomes.p_first_better)}, "
        f"E(π₁ − π₂) {difference} and E(ln π₁/π₂) {odds}: "
        "about accuracy, whatever the measure, and without a ROPE."
    )


def verdict_sentence(gate: Judged) -> str:
    """Say a gate's verdict in a sentence, and why: ``Failed: the candidate is significantly worse.``."""
    entry = gate.worst
    part = f"{name_text(entry.part)}: " if entry.part else ""
    decided = why(entry)
    end = "" if decided.endswith("?") else "."
    return f"{VERDICTS[gate.verdict].words.capitalize()}: {part}{decided}{end}"


def why(entry: AnyEntry) -> str:
    """Say what decided, or what went wrong."""
    match entry:
        case ComparisonEntry():
            return _why_of_change(entry)
        case EstimateEntry():
            return f"the score is {where(entry, entry.demanded)} the floor"
    return printable(entry.headline).removesuffix(".")


_OPEN = {
    Decision.UNDECIDED: "too few {}s to tell whether the candidate is worse than you allow",
    Decision.BETTER: "the candidate is leaning better, but the data do not rule out a loss",
}


def _why_of_change(entry: ComparisonEntry) -> str:
    if entry.shares_decide:
        return "which is better depends on the class shares"
    if entry.decision is Decision.UNDECIDED and (hidden := doubt(entry.shared_examples)):
        return hidden
    if entry.decision in _OPEN and not entry.is_not_inferior:
        return _OPEN[entry.decision].format(entry.example)
    if entry.decision in _OPEN and entry.demanded.claim and entry.verdict == "failed":
        return f"the data do not show that {entry.demanded.claim}"
    words = f"the candidate is {entry.decision_words}"
    if entry.verdict in ("passed", "") or entry.decision.side < 0 or entry.demanded.claim:
        return words
    is_wide = any(gap.is_too_wide for gap in entry.gaps)
    return f"{words}, but {'slices are too far apart' if is_wide else 'a part of the data has no answer'}"


def lacking(entry: AnyEntry) -> str:
    """Say how many more examples would settle what could not be told; nothing where that is not known."""
    if entry.verdict != "undecided" or not isinstance(entry, ComparisonEntry):
        return ""
    n = entry.examples_needed.of(entry.demanded)
    if n is not None:
        return f"needs {amount_needed(entry, entry.demanded)}" if n else ""
    if entry.pool is None:
        return "no number of examples is likely to settle it"
    return "needs a larger pool" if entry.pool.n_labelled == entry.pool.n_pool else "may need a larger pool"


def measure_of(gates: Sequence[Judged]) -> tuple[str, Callable[[Judged], str]]:
    """Return the measure of all gates, or else what to write behind the name of each."""
    words = {gate.test: name_text(gate.whole.measure_words) for gate in gates}
    shared = set(filter(None, words.values()))
    if len(shared) == 1:
        return shared.pop(), lambda _: ""
    return "", lambda gate: words[gate.test]


def worst_parts(gate: Judged) -> str:
    """Write the observed scores of the parts that failed a gate."""
    parts = (part for each in gate.parts if (part := each.answered) and part.verdict == gate.verdict)
    texts = (f"{name_text(part.part)}: {observed(part)}" for part in parts)
    return first_few(texts, 2, "part")


AT_THEIR_OWN = "§"
"""The mark of a test set that another one was compared with as it is."""
_BLOCKS = "▁▂▃▄▅▆▇█"


def short_trend(entry: ComparisonEntry) -> str:
    """Write the first and the last score of the baseline, between them a block for every version; or nothing."""
    if entry.trend is None or not entry.trend.points:
        return ""
    points = entry.trend.points
    known = [point.score for point in points]
    drawn = "".join(
        f"{AT_THEIR_OWN if point.new_test_set else ''}{block}"
        for point, block in zip(points, blocks(known), strict=True)
    )
    footnote = f", {AT_THEIR_OWN} another test set" if AT_THEIR_OWN in drawn else ""
    return f"{format_score(known[0])} {drawn} {format_score(known[-1])}{footnote}"


def trend_sentence(entry: ComparisonEntry) -> str:
    """Say the same in words."""
    assert entry.trend is not None
    points = entry.trend.points
    (first, begin), (last, end) = ((format_score(each.score), name_text(each.date)) for each in (points[0], points[-1]))
    candidate = format_score(entry.candidate.observed)
    return f"The last {len(points)} baselines: {first} on {begin} to {last} on {end}; the candidate {candidate}."


def missing_trend(trend: Trend) -> str:
    """Say why a trend is missing."""
    return f"The history of {name_text(trend.file)} is missing: {shortened(flowed(trend.problem), LONGEST_TEXT)}"


def trend_legend(trend: Trend) -> str:
    """Say what the lines of its figure mean."""
    least = "" if trend.least is None else f", the dashed line ({format_score(trend.least)}) the least that you allow"
    said = f"The dot is the candidate{least}."
    if any(point.new_test_set for point in trend.points):
        said += " A vertical line marks a new test set."
    return said


def blocks(values: list[float]) -> str:
    """Draw numbers as blocks, from the lowest to the highest of them.

    Examples
    --------
    >>> blocks([0.90, 0.91, 0.93])
    '▁▃█'
    """
    low, high = min(values), max(values)
    if low == high:
        return _BLOCKS[len(_BLOCKS) // 2] * len(values)
    steps = len(_BLOCKS) - 1
    return "".join(_BLOCKS[round(steps * (value - low) / (high - low))] for value in values)


def pairing_gain(comparison: ComparisonFigures) -> float:
    """By what factor the interval would be wider if the two sides had nothing in common."""
    apart = hypot(comparison.baseline.std, comparison.candidate.std)
    return apart / comparison.std if comparison.std > 0 else 1.0


def of_agreement(entry: ComparisonEntry) -> str:
    """Say what pairing brings: the HDI beside that of two sides whose errors had nothing to do with each other."""
    gain = pairing_gain(entry)
    if gain <= 1:
        return "Here pairing does not make the interval narrower."
    amounts = Amounts.of(entry)
    half_width = (entry.hdi[1] - entry.hdi[0]) / 2
    paired, unpaired = (amounts.width((0.0, width)) for width in (half_width, gain * half_width))
    unit = f" {amounts.unit}" if amounts.unit else ""
    return (
        f"Both sides share their examples, and what they agree on cancels out: the HDI is ±{paired}{unit}, "
        f"not ±{unpaired}{unit}, as it would be for unrelated scores."
    )


def errors(sizes: Sequence[float | None], factor: float = 1.0) -> str:
    """Write Monte Carlo standard errors, of which some may be unknown."""
    return ", ".join("unknown" if size is None else error(factor * size) for size in sizes)
