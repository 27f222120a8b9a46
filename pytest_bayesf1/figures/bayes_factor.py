"""Prior and posterior density of delta around 0, whose ratio there is the Savage-Dickey Bayes factor."""

from matplotlib.ticker import NullLocator

from pytest_bayesf1.figures.canvas import CURVE, CURVE_MARGINS, INK, SOFT, drawing
from pytest_bayesf1.figures.curves import Curve, change_axis, change_factor
from pytest_bayesf1.results.figures import Density
from pytest_bayesf1.results.results import ComparisonFigures

_LOWEST = 1e-4  # of the tallest


def factor_svg(comparison: ComparisonFigures, prior_density: Density, salt: str) -> str:
    """Draw both on a logarithmic axis, where the factor is the distance at 0."""
    factor = change_factor(comparison)
    densities = [Curve.of(density, factor) for density in (comparison.density, prior_density)]
    posterior, prior = (curve.over(max(each.peak for each in densities)) for curve in densities)
    with drawing(5.6, 1.9, salt, margins=CURVE_MARGINS) as drawn:
        axes = drawn.axes
        axes.set_yscale("log")
        axes.plot(posterior.points, posterior.heights.clip(min=_LOWEST), color=CURVE, linewidth=1.6)
        axes.plot(prior.points, prior.heights.clip(min=_LOWEST), color=SOFT, linewidth=1.6, linestyle="--")
        heights = [max(curve.at(0), _LOWEST) for curve in (posterior, prior)]
        axes.plot([0, 0], heights, color=INK, linewidth=2.5)
        for height, colour in zip(heights, (CURVE, SOFT), strict=True):
            axes.plot([0], [height], "o", color=colour, markersize=6)
        drawn.label(posterior.points[posterior.heights.argmax()], 2.5 * posterior.peak, "posterior", color=CURVE)
        far, align = max((prior.points[0], "left"), (prior.points[-1], "right"), key=lambda end: abs(end[0]))
        drawn.label(far, 2.5 * max(prior.at(far), _LOWEST), "prior", ha=align, color=SOFT)
        drawn.name_x(change_axis(comparison))
        drawn.only_x()
        axes.yaxis.set_minor_locator(NullLocator())
        axes.set_ylim(_LOWEST, 8.0)
    return drawn.svg
