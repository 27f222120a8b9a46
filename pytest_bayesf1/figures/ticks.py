"""Round numbers along an axis."""

from math import ceil, floor, log10


def round_numbers(low: float, high: float, most: int = 5) -> list[float]:
    """Return the multiples of 1, 2 or 5 times a power of ten between two numbers.

    Parameters
    ----------
    low, high
        The axis' ends; with nothing between them there are none.
    most
        At most so many and one.

    Examples
    --------
    >>> round_numbers(-3.2, 1.1, 4)
    [-2.0, 0.0]
    """
    if not low < high:
        return []
    least = (high - low) / most
    power = 10.0 ** floor(log10(least))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= least)
    return [round(number * step, 12) for number in range(ceil(low / step), floor(high / step) + 1)]
