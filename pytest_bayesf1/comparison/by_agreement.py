"""Bare matrices of one test set, paired by the share of the examples on which the two sides are said to agree."""

from dataclasses import dataclass
from math import ceil, floor

from pytest_bayesf1._util import Interval, level, levels
from pytest_bayesf1.comparison.sides import Sides
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.settings import AUTO, AnyModel, Model
from pytest_bayesf1.stats.agreement import Pairings

_LEAVE_OUT = "Leave agreement out."


@dataclass(frozen=True, eq=False)
class PairedByAgreement:
    """Joint outcomes that nobody counted: those that two matrices and an agreement make likely.

    Attributes
    ----------
    table
        Of both sides; see `Pairings` for the rule.
    reason
        Why the comparison is paired.
    note
        What a careful reader should know of it.
    """

    table: OutcomeTable
    reason: str
    note: str

    @classmethod
    def of(cls, sides: Sides, model: AnyModel, agreement: Interval) -> "PairedByAgreement":
        """Pair two matrices.

        Parameters
        ----------
        sides
            Both, without predictions.
        model
            The one asked for.
        agreement
            The least and the greatest share of the examples on which the two are said to predict the same; equal where
            it is known. The least that is possible counts, for it leaves chance the most room.

        Raises
        ------
        InputError
            When the data know better, are of two test sets or of units, or cannot agree like that.
        """
        _require_bare_counts_of_one_test_set(sides)
        if model not in (AUTO, Model.PAIRED):
            raise InputError("agreement", f"nothing beside model={str(model)!r}", shares(agreement), _LEAVE_OUT)
        pairings = Pairings(sides.baseline.table, sides.candidate.table)
        fewest, most = (round(share * pairings.n) for share in agreement)
        low, high = _allowed(pairings)
        what = "decisions" if sides.baseline.table.multilabel else "examples"
        if most < pairings.least or fewest > pairings.most:
            advice = f"With these counts the two cannot predict the same on fewer of the {what}, nor on more."
            raise InputError("agreement", f"a share from {low:g} to {high:g}", shares(agreement), advice)
        said = levels(agreement)
        rests = "Where it is less, the interval is too narrow"
        if agreement[0] < agreement[1]:
            rests = f"The interval is that of {level(max(agreement[0], low))}, which leaves chance the most room"
        return cls(
            pairings.agreeing_on(max(fewest, pairings.least)),
            f"the two predict the same on {said} of the {what}, as was stated",
            f"That the two predict the same on {said} of the {what} was stated, not counted. {rests}. The counts allow "
            f"{level(low)} to {level(high)}.",
        )


def shares(agreement: Interval) -> str:
    """Write an agreement as a call takes it.

    Parameters
    ----------
    agreement
        The least and the greatest share; equal where one was given.

    Examples
    --------
    >>> shares((0.93, 0.93)), shares((0.9, 0.95))
    ('0.93', '(0.9, 0.95)')
    """
    low, high = agreement
    return f"{low:g}" if low == high else f"({low:g}, {high:g})"


def require_unknown(table: OutcomeTable, agreement: Interval) -> None:
    """Refuse an agreement that the predictions tell.

    Parameters
    ----------
    table
        The joint outcomes.
    agreement
        As it is said to be.

    Raises
    ------
    InputError
        It names the agreement that was counted.
    """
    alike = table.count[table.predicted[0] == table.predicted[1]].sum() / max(table.count.sum(), 1)
    advice = f"These agree on {level(round(float(alike), 4))}. {_LEAVE_OUT}"
    raise InputError("agreement", "nothing beside predictions, which tell it", shares(agreement), advice)


def _require_bare_counts_of_one_test_set(sides: Sides) -> None:
    tables = sides.baseline.table, sides.candidate.table
    if any(table.spans or table.units for table in tables):
        found = "spans" if tables[0].spans else "examples that belong to units"
        raise InputError("agreement", "plain counts of classes or labels beside it", found, _LEAVE_OUT)
    if sides.difference_of_totals:
        advice = "An agreement is about the same examples: leave it out where the test sets differ."
        raise InputError("candidate", "the row totals of baseline, for agreement", sides.difference_of_totals, advice)


def _allowed(pairings: Pairings) -> Interval:
    """Return the bounds of what can be stated, rounded so that they can be stated themselves."""
    digits = 10**4
    return ceil(digits * pairings.least / pairings.n) / digits, floor(digits * pairings.most / pairings.n) / digits
