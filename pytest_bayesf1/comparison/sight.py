"""What a gate can see with a test set like this one, and what more examples would do, in words."""

from collections.abc import Sequence

from pytest_bayesf1._util import level, rounded, scale_of
from pytest_bayesf1.results.results import POWER, ComparisonFigures

_BLIND = 5.0
"""A gate is blind to losses that it hardly finds though they are so many times what it tolerates."""

_TOLD_AS_TIMES = 10
"""From here on the number of examples that are needed says less than what multiple it is."""


def losses_found(figures: ComparisonFigures) -> str:
    """Say which losses a gate finds, and which are tolerated.

    Parameters
    ----------
    figures
        Of a comparison whose sight is known.
    """
    assert figures.sight is not None
    likely, even = figures.sight.likely, figures.sight.even
    if likely is None:
        return f"no loss with probability {level(POWER)}, however large"
    half = "" if even is None else f" ({loss_told(figures, even)} in half of the test sets)"
    return f"losses of {amount_told(figures, likely)} or more{half}; you tolerate {_tolerated(figures)}"


def gate_finds(figures: ComparisonFigures) -> str:
    """Say in a sentence what a gate can see with this test set.

    Parameters
    ----------
    figures
        Of a comparison.

    Returns
    -------
    str
        Empty where that is not known.
    """
    if figures.sight is None:
        return ""
    likely = figures.sight.likely
    if likely is None:
        return f"With {_test_set(figures)} no loss is likely to be found, however large."
    return (
        f"With {_test_set(figures)} this gate finds losses of {amount_told(figures, likely)} or more; you tolerate "
        f"{_tolerated(figures)}."
    )


def more_needed(figures: ComparisonFigures) -> str:
    """Say how many more examples would give an even chance of settling a comparison.

    Parameters
    ----------
    figures
        Of a comparison that more examples would settle.
    """
    n = figures.examples_needed
    assert n
    noun = f"test {figures.example}"
    times = multiple_needed(figures)
    more = f"{times} times as many {noun}s" if times else f"{rounded(n)} more {noun}{'' if n == 1 else 's'}"
    return f"About {more} would give an even chance of settling it."


def multiple_needed(figures: ComparisonFigures) -> str:
    """Write how many times as many examples would give an even chance of settling a comparison.

    Parameters
    ----------
    figures
        Of a comparison that more examples would settle.

    Returns
    -------
    str
        Empty below ten times as many, which somebody may well collect.
    """
    assert figures.examples_needed is not None
    times = 1 + figures.examples_needed / min(figures.n_samples)
    return rounded(round(times)) if times >= _TOLD_AS_TIMES else ""


def is_blind(figures: ComparisonFigures) -> bool:
    """Whether a gate hardly finds losses five times as large as what it tolerates.

    Parameters
    ----------
    figures
        Of a comparison whose sight is known. Where the ROPE ends at 0, its upper end counts.
    """
    low, high = figures.rope
    loss = figures.detectable_loss
    return loss is None or loss > _BLIND * (-low or high)


def loss_told(figures: ComparisonFigures, loss: float) -> str:
    """Write a loss without its unit, to two digits that count.

    Parameters
    ----------
    figures
        Of a comparison, whose measure has a unit or none.
    loss
        A difference of scores.
    """
    return f"{float(f'{scale_of(custom_measure=figures.custom_measure).factor * loss:.2g}'):,g}"


def amount_told(figures: ComparisonFigures, loss: float) -> str:
    """Write a loss with its unit.

    Parameters
    ----------
    figures, loss
        As of `loss_told`.
    """
    return scale_of(custom_measure=figures.custom_measure).amount(loss_told(figures, loss))


def _tolerated(figures: ComparisonFigures) -> str:
    low = scale_of(custom_measure=figures.custom_measure).factor * figures.rope[0]
    return f"{-low:g}" if low else "none"


def _test_set(figures: ComparisonFigures) -> str:
    if figures.units is not None:
        return f"{_numbers(figures.units.n)} {figures.units.noun}"
    return f"{_numbers(figures.n_samples)} {figures.example}s"


def _numbers(of_sides: Sequence[float]) -> str:
    return " and ".join(dict.fromkeys(f"{n:,}" for n in of_sides))
