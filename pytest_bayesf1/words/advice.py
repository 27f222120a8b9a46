"""What to do about a result that did not plainly pass."""

from pytest_bayesf1.results.comparison import ComparisonFigures, EstimateFigures
from pytest_bayesf1.results.policy import Outcome, Policy
from pytest_bayesf1.text import one_line, rope_end, scale_of
from pytest_bayesf1.words.amounts import doubt, format_class_shares, multiple_needed, no_forecast
from pytest_bayesf1.words.results import Figures

_STATE_SHARES = (
    "Say which class shares count: prevalence can be baseline or candidate (the shares of its test set), or test-set "
    "(each side at its own). It can also be shares such as fraud=0.01, those of production."
)


_OF_MODELS = "data, features, labels"
_OF_PROMPTS = "prompt, model, judge"


def advice(policy: Policy, result: Figures, outcome: Outcome, *, of_prompts: bool = False) -> str:
    """Say what to do; nothing about what passed."""
    if outcome is Outcome.PASSED:
        return ""
    suspects = _OF_PROMPTS if of_prompts or result.judge else _OF_MODELS
    if isinstance(result, EstimateFigures):
        return policy.advice(result.decision).format(suspects=suspects)
    if result.doubted_class is not None:
        label = one_line(result.doubted_class)
        return f"Test on more {result.example}s of {label}: it alone may have lost more than you allow of the average."
    found = _STATE_SHARES if result.shares_decide else _filled(policy, result, suspects)
    return f"{found} {format_class_shares(result)}" if result.class_shares else found


def _filled(policy: Policy, comparison: ComparisonFigures, suspects: str) -> str:
    """Fill in what may have changed, what more examples do, the loss or gain, and the ends that the HDI crosses."""
    scale = scale_of(custom_measure=comparison.custom_measure)
    low, high = (scale.factor * end for end in comparison.rope)
    lost, gained = (scale.amount(f"{abs(end):g}") for end in (low, high))
    (start, end), rope = comparison.hdi, comparison.rope
    crossed = [f"below {rope_end(low)}"] * (start <= rope[0]) + [f"above {rope_end(high)}"] * (end >= rope[1])
    return policy.advice(comparison.decision).format(
        suspects=suspects,
        more=_more_examples(policy, comparison),
        fell=f"fell by more than the {lost} you allow" if low else "fell, and you allow no loss",
        rose=f"rose by more than the {gained} you demand" if high else "rose",
        ends=" and ".join(crossed),
        narrower=", or count smaller improvements too, by a narrower rope" if start > 0 else "",
    )


def _more_examples(policy: Policy, comparison: ComparisonFigures) -> str:
    """Say what more examples would do; they are advised only where they are not too many to get."""
    pool = comparison.pool
    if why := doubt(comparison.shared_examples):
        return f"More examples do not settle it, because {why}"
    if comparison.examples_needed.of(policy) is None:
        return no_forecast(comparison)
    if comparison.judge is not None:
        return "Have people grade more answers"
    if times := multiple_needed(comparison, policy):
        return f"It would take about {times} times as many examples to settle it"
    return "Test on more examples" if pool is None else "Label more examples"
