"""Markov chains, draw by draw: chains that mix lie over one another and go nowhere."""

from collections.abc import Sequence

from pytest_bayesf1.figures.canvas import CURVE, INK, OTHER, SOFT, drawing
from pytest_bayesf1.results.fields import Chain


def trace_svg(chains: Sequence[Chain], salt: str, factor: float = 1.0) -> str:
    """Draw every chain, its values multiplied by a factor."""
    with drawing(5.6, 1.9, salt, margins=(0.5, 0.5, 0.1, 0.05)) as drawn:
        for number, chain in enumerate(chains):
            colour = (CURVE, OTHER, INK, SOFT)[number % 4]
            drawn.axes.plot([factor * value for value in chain], color=colour, linewidth=0.7, alpha=0.8)
        drawn.name_x(f"draw, every one of {len(chains)} chains thinned to {len(chains[0])}")
        for side in ("right", "top"):
            drawn.axes.spines[side].set_visible(False)
    return drawn.svg
