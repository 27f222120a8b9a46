"""What single places of a Markdown report say."""

from collections import Counter
from collections.abc import Iterable

from pytest_bayesf1._util import scores
from pytest_bayesf1.reports.changes_told import ToldError
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, EstimateEntry, VerdictName
from pytest_bayesf1.reports.markdown.escaping import Markdown, escape_markdown
from pytest_bayesf1.reports.parts import class_change, pairing_gain
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.reports.verdict import VERDICTS
from pytest_bayesf1.reports.wording import of_other_decision
from pytest_bayesf1.results.comparison import ClassDifference, Group, GroupPart, MeanAndHdi
from pytest_bayesf1.results.formatting import Amounts, before_after, score_told

_MOST_CLASSES = 5


def sign(about: Report | AnyEntry) -> str:
    """Show how an entry, or a whole report, came out."""
    return VERDICTS[_gravest(about) if isinstance(about, Report) else about.verdict].sign


def _gravest(report: Report) -> VerdictName:
    """Return the verdict whose sign a run has; of one without gates, or incomplete, a warning."""
    if report.counts.failed or report.counts.error:
        return "failed"
    match report.verdict:
        case "undecided" | "expected" | "passed" as verdict:
            return "undecided" if any(entry.needs_attention for entry in report.entries) else verdict
    return "warned"


def change(entry: ComparisonEntry | EstimateEntry) -> Markdown:
    """Write a change, or a score, and its HDI."""
    if isinstance(entry, EstimateEntry):
        return _unbroken(f"{entry.score.mean:.3f} ({scores(entry.score.hdi)})")
    return _unbroken(Amounts.of(entry).told(entry.mean, entry.hdi))


def change_or_interval(entry: ComparisonEntry | EstimateEntry) -> Markdown:
    """Write a change and its HDI, or a score's HDI beside the score, so that a narrow cell can break them."""
    if isinstance(entry, EstimateEntry):
        return Markdown(f"({scores(entry.score.hdi)})")
    return Markdown(Amounts.of(entry).told(entry.mean, entry.hdi))


def breakable(name: Markdown) -> Markdown:
    """Let a name be broken in a narrow cell where one of its parts ends."""
    return Markdown(name.replace("::", "::\u200b"))


def examples(error: ToldError) -> Markdown:
    """Write examples one below the other, but mere ids side by side."""
    between = "<br> " if error.with_excerpts else ", "
    return Markdown(between.join(map(escape_markdown, error.examples)))


def tally(entries: Iterable[AnyEntry]) -> str:
    """Count entries by what they came to, the gravest first.

    Parameters
    ----------
    entries
        Of a report.
    """
    number = Counter(entry.verdict for entry in entries)
    return ", ".join(f"{number[verdict]:,} {shown.counted}" for verdict, shown in VERDICTS.items() if number[verdict])


def commit(digits: str) -> Markdown:
    """Write the first digits of a commit, which git made: as code, for nobody need look it up."""
    return Markdown(f"`{digits}`") if digits.isalnum() else escape_markdown(digits)


def before_after_cell(entry: ComparisonEntry | EstimateEntry) -> str:
    """Write both scores, or the only one."""
    return score_told(entry.score.mean) if isinstance(entry, EstimateEntry) else before_after(entry)


def rope(entry: ComparisonEntry) -> str:
    """Write the ROPE."""
    return Amounts.of(entry).rope


def sentence(entry: AnyEntry) -> str:
    """Write the outcome with its full stop, which would make a list of a number if it came later."""
    return f"{entry.headline}."


def worst_classes(entry: ComparisonEntry) -> tuple[ClassDifference, ...]:
    """List the classes whose F1 falls most."""
    return () if entry.breakdown is None else entry.breakdown.classes[:_MOST_CLASSES]


def change_of_class(part: ClassDifference) -> Markdown:
    """Write how the F1 of a class changed, in points."""
    return _unbroken(class_change(part))


def worst_parts(group: Group) -> list[GroupPart]:
    """List the parts whose score falls most, once they are shrunk toward each other."""
    return sorted(group.parts, key=lambda part: part.shrunk.mean)[:_MOST_CLASSES]


def change_of_part(posterior: MeanAndHdi, entry: ComparisonEntry) -> Markdown:
    """Write the change of a class or a slice, with the decimals that all of the comparison have."""
    return _unbroken(Amounts.of(entry).told(posterior.mean, posterior.hdi))


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
        f"Both sides were tested on the same examples, and what they agree on cancels out: the HDI is ±{paired}{unit}, "
        f"not the ±{unpaired}{unit} that the two scores would leave if they were unrelated."
    )


def of_closest(entry: ComparisonEntry) -> str:
    """Say what the predictions would bring, where only counts are known; nothing where that is not known."""
    parts = entry.breakdown
    if parts is None or parts.closest is None:
        return ""
    closest = (
        "Only counts are known. Had the two agreed on as many examples as these counts allow, the HDI would be "
        f"{Amounts.of(entry).interval(parts.closest)}: with the predictions themselves it lies somewhere in between."
    )
    return f"{closest} {of_other_decision(parts)}".rstrip()


def _unbroken(interval: str) -> Markdown:
    """Keep an interval from being broken in a narrow cell."""
    return Markdown(interval.replace(" to ", "&nbsp;to&nbsp;"))
