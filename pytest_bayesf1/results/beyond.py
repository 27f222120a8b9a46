"""How far a result lies beyond what its policy allows: by this the worst is told first."""

from pytest_bayesf1.results.results import ComparisonFigures


def beyond(comparison: ComparisonFigures, policy: str) -> float:
    """Measure it from the ROPE's end that the policy asks about to the HDI's, or to the mean.

    Parameters
    ----------
    comparison
        Of any measure.
    policy
        As reports name it.

    Returns
    -------
    float
        A difference of scores; less than 0 where the result is within what is allowed.
    """
    (low, high), (rope_low, rope_high) = comparison.hdi, comparison.rope
    match policy:
        case "not_even_slightly_worse":
            return rope_low - comparison.mean
        case "not_inferior":
            return rope_low - low
        case "better":
            return rope_high - low
        case "equivalent":
            return max(rope_low - low, high - rope_high)
    return rope_low - high
