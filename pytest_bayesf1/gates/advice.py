"""What the reader of a verdict should do: of every policy and decision its own, and never what would not help."""

from collections.abc import Mapping
from types import MappingProxyType

from pytest_bayesf1._util import rope_end, scale_of
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.gates.policy import Policy, Verdict
from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.results.formatting import Amounts, multiple_needed

_FIND = "Find what changed (data, features, labels)"
_REAL_DROP = (
    f"{_FIND} before merging: this is no noise, and running again gives the same result. If the drop is wanted, widen "
    "rope or make the candidate the new baseline, in a change that says so."
)
_OPEN = "{more_or} decide that a wider rope is tolerable. The test set does not settle it."
_CANNOT_TELL = (
    '{more_or} demand proof with assert_not_inferior, in a gate file with fail_on "?". The test set cannot tell '
    "whether the candidate is worse than you tolerate, and this gate lets that pass."
)
_TOLERATE_MORE = "{more_or} tolerate more: a rope of which the lower end lies below {hdi_low}, where the HDI begins."
_NOT_SHOWN = f"{_TOLERATE_MORE} It reaches below {{low}}, the lower end of what you tolerate: a loss is not ruled out."
_MOSTLY_LOST = f"{_TOLERATE_MORE} Most of the probability lies below {{low}}, the lower end of what you tolerate."
_NOT_BEYOND = "{more}{narrower}. The HDI does not lie wholly above {high}, which an improvement must exceed."
_NOT_WITHIN = (
    "{more_or} decide that a wider rope is tolerable. The HDI reaches {ends}, beyond what you call equivalent."
)
_PASSES = ""
_UNLESS_WORSE = {
    Decision.MUCH_WORSE: _REAL_DROP,
    Decision.WORSE: _OPEN,
    Decision.UNDECIDED: _CANNOT_TELL,
    Decision.EQUIVALENT: _PASSES,
    Decision.BETTER: _PASSES,
    Decision.MUCH_BETTER: _PASSES,
}

_ADVICE: Mapping[Policy, Mapping[Decision, str]] = MappingProxyType(
    {
        Policy.NOT_WORSE: _UNLESS_WORSE,
        Policy.NOT_EVEN_SLIGHTLY_WORSE: _UNLESS_WORSE,
        Policy.NOT_INFERIOR: {
            Decision.MUCH_WORSE: _REAL_DROP,
            Decision.WORSE: _MOSTLY_LOST,
            Decision.UNDECIDED: _NOT_SHOWN,
            Decision.EQUIVALENT: _PASSES,
            Decision.BETTER: _NOT_SHOWN,
            Decision.MUCH_BETTER: _PASSES,
        },
        Policy.BETTER: {
            Decision.MUCH_WORSE: (
                f"{_FIND}: this is no noise, and no rope and no number of examples makes this candidate better."
            ),
            Decision.WORSE: "Improve the candidate: it is more likely worse than better, and no rope makes it better.",
            Decision.UNDECIDED: _NOT_BEYOND,
            Decision.EQUIVALENT: (
                "Keep the baseline{narrower}: the candidate is as good but no better, to within what you call no "
                "difference, and more examples will not change that."
            ),
            Decision.BETTER: _NOT_BEYOND,
            Decision.MUCH_BETTER: _PASSES,
        },
        Policy.EQUIVALENT: {
            Decision.MUCH_WORSE: _REAL_DROP,
            Decision.WORSE: _NOT_WITHIN,
            Decision.UNDECIDED: _NOT_WITHIN,
            Decision.EQUIVALENT: _PASSES,
            Decision.BETTER: f"{_NOT_WITHIN} Gate on assert_not_worse if an improvement is welcome.",
            Decision.MUCH_BETTER: (
                "Gate on assert_not_worse if an improvement is welcome, or widen rope: the candidate went beyond it."
            ),
        },
    }
)


def advice(policy: Policy, comparison: Comparison, verdict: Verdict) -> str:
    """Say what to do about a comparison that did not plainly pass.

    Parameters
    ----------
    policy
        What was demanded.
    comparison
        Of its figures the advice speaks.
    verdict
        By this policy.

    Returns
    -------
    str
        Empty for what passed.
    """
    if verdict is Verdict.PASSED:
        return ""
    return _ADVICE[policy][comparison.decision].format_map(_figures(comparison))


def floor_advice(verdict: Verdict) -> str:
    """Say what to do about a score below the floor.

    Parameters
    ----------
    verdict
        Of `judge_floor`.

    Returns
    -------
    str
        Empty for a score that passed.
    """
    if verdict is Verdict.PASSED:
        return ""
    return "Find what changed, or lower the floor in a change that says so: the score is too low whatever the noise."


def _figures(comparison: Comparison) -> dict[str, str]:
    """Write what more examples would do, the ROPE's ends, those that the HDI crosses, whether a narrower would do."""
    scale = scale_of(custom_measure=comparison.custom_measure)
    low, high = (rope_end(scale.factor * end) for end in comparison.rope)
    (start, end), rope = comparison.hdi, comparison.rope
    crossed = [f"below {low}"] * (start <= rope[0]) + [f"above {high}"] * (end >= rope[1])
    more, whether_more = _more(comparison)
    return {
        "more": more,
        "more_or": f"{more}, or" if whether_more else f"{more}: rather",
        "low": low,
        "high": high,
        "hdi_low": Amounts.of(comparison).signed(start),
        "ends": " and ".join(crossed),
        "narrower": ", or count smaller improvements too, by a narrower rope" if start > 0 else "",
    }


def _more(comparison: Comparison) -> tuple[str, bool]:
    """Say what more examples would do, and whether that is to be advised: where nobody has so many, it is not."""
    if comparison.examples_needed is None:
        return "No number of examples is likely to settle it", False
    times = multiple_needed(comparison)
    if times:
        return f"It would take about {times} times as many examples to settle it", False
    return "Test on more examples", True
