"""The verdict card in Markdown: all that somebody learns who reads nothing else."""

from dataclasses import dataclass

from pytest_bayesf1.comparison.sight import gate_finds
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, ErrorEntry, EstimateEntry
from pytest_bayesf1.reports.headline import headline
from pytest_bayesf1.reports.markdown.escaping import Markdown
from pytest_bayesf1.reports.order import badness
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.reports.together import ABOUT_LOSS
from pytest_bayesf1.reports.wording import demanded
from pytest_bayesf1.results.amounts import Amounts
from pytest_bayesf1.results.breakdown import ClassDifference
from pytest_bayesf1.results.glance import score_told, title
from pytest_bayesf1.text import level, scores

_MOST_CLASSES = 3


@dataclass(frozen=True)
class Card:
    """The top of a report.

    Attributes
    ----------
    title
        The outcome.
    role
        What the entry below the title is among all others.
    entry
        The worst one; None when nothing was compared, or no gate judged.
    """

    title: str
    role: str
    entry: AnyEntry | None

    @classmethod
    def of(cls, report: Report) -> "Card":
        """Choose the worst entry, and say by it what came out, or by all of them where nothing needs attention.

        Parameters
        ----------
        report
            Of any run.
        """
        worst = min(report.entries, key=lambda entry: (not entry.needs_attention, badness(entry)), default=None)
        if report.verdict == "none":
            return cls("No gate ran", "", None)
        if worst is None:
            return cls(_told(report), "", None)
        in_trouble = sum(entry.needs_attention for entry in report.entries)
        if not in_trouble and len(report.entries) > 1:
            return cls(_told(report), "" if worst.verdict == "expected" else "Nearest to failing:", worst)
        told = "No answer" if isinstance(worst, ErrorEntry) else title(worst)
        if worst.verdict == "expected":
            return cls(told, "Failed as expected (xfail):", worst)
        return cls(told, f"The worst of {in_trouble:,}:" if in_trouble > 1 else "", worst)

    @property
    def change(self) -> Markdown:
        """The change with its unit, or the score; nothing of an error."""
        match self.entry:
            case ComparisonEntry() as entry:
                return Markdown(Amounts.of(entry).with_unit(entry.mean))
            case EstimateEntry() as entry:
                return Markdown(score_told(entry.score.mean))
        return Markdown()

    @property
    def interval(self) -> str:
        """Its HDI."""
        match self.entry:
            case ComparisonEntry() as entry:
                return f"{level(entry.hdi_prob)} HDI {Amounts.of(entry).interval(entry.hdi)}"
            case EstimateEntry() as entry:
                return f"{level(entry.hdi_prob)} HDI {scores(entry.score.hdi)}"
        return ""

    @property
    def demanded(self) -> str:
        """What the gate demands; nothing of an error."""
        return "" if self.entry is None or isinstance(self.entry, ErrorEntry) else demanded(self.entry)

    @property
    def lost_most(self) -> tuple[ClassDifference, ...]:
        """The classes whose F1 has surely fallen, those that fell most."""
        breakdown = self.entry.breakdown if isinstance(self.entry, ComparisonEntry) else None
        classes = () if breakdown is None else breakdown.classes
        return tuple(part for part in classes if part.hdi[1] < 0)[:_MOST_CLASSES]

    @property
    def sight(self) -> str:
        """Which losses the gate finds; nothing where that is not known, or it asks for something else."""
        entry = self.entry
        return gate_finds(entry) if isinstance(entry, ComparisonEntry) and entry.policy in ABOUT_LOSS else ""


def _told(report: Report) -> str:
    return headline(report).removesuffix(".")
