"""All comparisons of a run in one view: how many losses are expected among those that failed, and among the others."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from pytest_bayesf1._util import POINTS, counted
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry
from pytest_bayesf1.results.comparison import Decision, Density
from pytest_bayesf1.results.schema import Count, Declared, Described, Size

_FEWEST = 5
"""Comparisons below which each one's own figures say it more simply."""

_ABOUT_LOSS = ("not_worse", "not_even_slightly_worse", "not_inferior")


@dataclass(frozen=True, kw_only=True)
class Together(Declared):
    """Comparisons whose policy is about a loss, seen together by the posterior of each on its own.

    Attributes
    ----------
    n_failed, n_others
        How many failed, and how many did not.
    worse_failed, worse_others
        Expected number, among either, of candidates that are truly worse by more than is tolerated.
    loss_others
        Among those that did not fail, the expected loss beyond what is tolerated, all added up; of named measures.
    """

    n_failed: Count
    worse_failed: Annotated[Size, Described("Expected number of truly worse ones among them.")]
    n_others: Count
    worse_others: Annotated[Size, Described("Expected number of truly worse ones among them.")]
    loss_others: Annotated[Size, Described("Their expected loss beyond what is tolerated, in all; of named measures.")]

    @classmethod
    def of(cls, entries: tuple[AnyEntry, ...]) -> "Together":
        """Add up what the entries hold.

        Parameters
        ----------
        entries
            Of a report.
        """
        judged = [entry for entry in entries if isinstance(entry, ComparisonEntry) and entry.policy in _ABOUT_LOSS]
        failed = [entry for entry in judged if _failed(entry)]
        others = [entry for entry in judged if not _failed(entry)]
        return cls(
            n_failed=len(failed),
            worse_failed=sum((entry.p_below_rope for entry in failed), 0.0),
            n_others=len(others),
            worse_others=sum((entry.p_below_rope for entry in others), 0.0),
            loss_others=sum(
                (mean_below(entry.density, entry.rope[0]) for entry in others if not entry.custom_measure), 0.0
            ),
        )

    def told(self) -> Iterator[str]:
        """Yield it in a sentence, where there are so many comparisons that nobody sees it at a glance."""
        if self.n_failed + self.n_others < _FEWEST:
            return
        worse = "expected to be truly worse by more than you tolerate"
        lost = f"with {POINTS.amount(f'{POINTS.factor * self.loss_others:.1f}')} lost beyond that in all"
        if not self.n_failed:
            yield f"None of {self.n_others:,} comparisons failed; {self.worse_others:.1f} of them are {worse}, {lost}."
            return
        failed = f"Of {counted(self.n_failed, 'comparison')} that failed, {self.worse_failed:.1f} are {worse}"
        others = f"; of the {self.n_others:,} others {self.worse_others:.1f} are, {lost}" if self.n_others else ""
        yield f"{failed}{others}."


def _failed(entry: ComparisonEntry) -> bool:
    """Whether its own figures failed it; a gap between slices is no loss."""
    return entry.verdict in ("failed", "expected") and (
        entry.policy != "not_worse" or entry.decision == Decision.MUCH_WORSE
    )


def mean_below(density: Density, bound: float) -> float:
    """Return how far a value lies below a bound on average; not at all where it lies above.

    Parameters
    ----------
    density
        Of the value, at evenly spaced points.
    bound
        As the value.

    Examples
    --------
    >>> mean_below(Density(-1.0, 1.0, (0.0, 1.0, 0.0)), 0.5)
    0.5
    """
    step = (density.high - density.low) / (len(density.values) - 1)
    points = (density.low + step * place for place in range(len(density.values)))
    below = sum(height * max(bound - point, 0.0) for point, height in zip(points, density.values, strict=True))
    return below / sum(density.values)
