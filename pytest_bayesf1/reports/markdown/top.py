"""The top of a Markdown report: all that somebody learns who reads nothing else."""

from dataclasses import dataclass

from pytest_bayesf1.reports.card import verdict_card
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, ErrorEntry, EstimateEntry
from pytest_bayesf1.reports.headline import headline
from pytest_bayesf1.reports.markdown.escaping import Markdown
from pytest_bayesf1.reports.order import badness
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.reports.wording import demanded
from pytest_bayesf1.results.formatting import Amounts, score_told
from pytest_bayesf1.results.other import CardClass, VerdictCard

_MOST_CLASSES = 3


@dataclass(frozen=True)
class Top:
    """The outcome, and what is worst.

    Attributes
    ----------
    title
        The outcome.
    role
        What the worst is among all others.
    entry, card
        The worst and its verdict card; None when nothing was compared, or no gate judged.
    """

    title: str
    role: str = ""
    entry: AnyEntry | None = None
    card: VerdictCard | None = None

    @classmethod
    def of(cls, report: Report) -> "Top":
        """Choose the worst entry, and say by it what came out, or by all of them where nothing needs attention.

        Parameters
        ----------
        report
            Of any run.
        """
        worst = min(report.entries, key=lambda entry: (not entry.needs_attention, badness(entry)), default=None)
        if report.verdict == "none":
            return cls("No gate ran")
        told = headline(report).removesuffix(".")
        if worst is None:
            return cls(told)
        card = verdict_card(worst, report.run)
        in_trouble = sum(entry.needs_attention for entry in report.entries)
        if not in_trouble and len(report.entries) > 1:
            return cls(told, "" if worst.verdict == "expected" else "Nearest to failing:", worst, card)
        if worst.verdict == "expected":
            return cls(card.title, "Failed as expected (xfail):", worst, card)
        return cls(card.title, f"The worst of {in_trouble:,}:" if in_trouble > 1 else "", worst, card)

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
    def demanded(self) -> str:
        """What the gate demands; nothing of an error."""
        return "" if self.entry is None or isinstance(self.entry, ErrorEntry) else demanded(self.entry)

    @property
    def lost_most(self) -> tuple[CardClass, ...]:
        """The classes whose F1 falls most."""
        return () if self.card is None else self.card.classes[:_MOST_CLASSES]
