"""What a gate says of its classes together, and of its slices by a column: how much they differ, and may differ."""

from dataclasses import dataclass

from pytest_bayesf1._util import level, one_line, scale_of
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.gates.family import Family
from pytest_bayesf1.gates.policy import Verdict
from pytest_bayesf1.results.comparison import Group, ScoreGap
from pytest_bayesf1.results.formatting import Amounts


@dataclass(frozen=True)
class GapJudgement:
    """What a gate says of a gap.

    Attributes
    ----------
    told
        The gap in a sentence.
    advice
        What to do about one that is too wide; empty for one that passed.
    """

    verdict: Verdict
    told: str
    advice: str

    @classmethod
    def of(cls, group: Group, gap: ScoreGap, overall: Comparison, family: Family | None) -> "GapJudgement":
        """Judge a gap: it fails where its whole HDI lies above the limit.

        Parameters
        ----------
        group, gap
            The slices by a column, and the gap between them.
        overall
            The comparison of all the data, by the same measure.
        family
            Within whose chance a failure is a warning; None for no family.
        """
        told = tell_gap(group, gap, overall)
        if not gap.is_too_wide:
            return cls(Verdict.PASSED, told, "")
        assert gap.limit is not None
        assert gap.p_within is not None
        scale = scale_of(custom_measure=overall.custom_measure)
        allowed = scale.amount(f"{scale.factor * gap.limit:g}")
        wide = f"The gap by {one_line(group.by)} is wider than the {allowed} of max_gap"
        if family is not None and gap.p_within >= family.tail:
            return cls(Verdict.WARNED, told, f"{wide}. {family.why_lifted(gap.p_within)}")
        return cls(
            Verdict.FAILED,
            told,
            f"{wide}: find what {one_line(gap.worst)} lacks, or allow more in a change that says so.",
        )


def tell_group(group: Group, overall: Comparison) -> str:
    """Tell how much the parts of a group differ, once they are shrunk toward each other.

    Parameters
    ----------
    group
        Classes, or slices by a column.
    overall
        The comparison of all the data.
    """
    amounts = Amounts.of(overall, group.common.hdi)
    ordered = sorted(group.parts, key=lambda part: part.shrunk.mean)
    worst, best = (f"{amounts.signed(each.shrunk.mean)} ({one_line(each.part)})" for each in (ordered[0], ordered[-1]))
    return (
        f"By {one_line(group.by)}, shrunk toward each other, the changes go from {worst} to {best}; the true ones vary "
        f"with a standard deviation of {amounts.size(group.spread)} ({level(overall.hdi_prob)} interval "
        f"{amounts.spoken(group.spread_interval)})."
    )


def tell_gap(group: Group, gap: ScoreGap, overall: Comparison) -> str:
    """Tell a gap in a sentence.

    Parameters
    ----------
    group, gap, overall
        As in `GapJudgement.of`.
    """
    amounts = Amounts.of(overall, gap.candidate.hdi)
    (best, worst), unit = map(one_line, (gap.best, gap.worst)), one_line(overall.measure_words)
    baseline = f"the baseline's {amounts.size(gap.baseline.mean)} ({amounts.spoken(gap.baseline.hdi)})"
    return (
        f"By {one_line(group.by)} the candidate's best and worst slices, {best} and {worst}, are "
        f"{amounts.size(gap.candidate.mean)} of {unit} apart ({level(overall.hdi_prob)} HDI "
        f"{amounts.spoken(gap.candidate.hdi)}), {baseline}: a change of "
        f"{amounts.told(gap.change.mean, gap.change.hdi)}."
    )
