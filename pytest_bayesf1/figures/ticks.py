"""Round numbers along an axis."""

from matplotlib.ticker import MaxNLocator


def round_numbers(low: float, high: float, most: int = 5) -> list[float]:
    """Return round numbers between two, at most so many and one."""
    return [float(tick) for tick in MaxNLocator(most).tick_values(low, high) if low <= tick <= high]
