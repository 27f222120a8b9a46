"""Both sides' posterior scores on one axis."""

from pytest_bayesf1.figures.canvas import CURVE, CURVE_MARGINS, OTHER, drawing
from pytest_bayesf1.figures.curves import Curve
from pytest_bayesf1.results.figures import Density
from pytest_bayesf1.results.results import ComparisonFigures


def sides_svg(comparison: ComparisonFigures, densities: tuple[Density, Density], salt: str) -> str:
    """Draw the two densities, the baseline's first, each with its observed score as a tick."""
    sides = (comparison.baseline, comparison.candidate)
    curves = [Curve.of(density) for density in densities]
    tallest = max(curve.peak for curve in curves)
    candidate_is_left = (sides[1].mean, "candidate") < (sides[0].mean, "baseline")
    with drawing(5.6, 1.9, salt, margins=CURVE_MARGINS) as drawn:
        looks = (("baseline", OTHER, "--", not candidate_is_left), ("candidate", CURVE, "-", candidate_is_left))
        for score, density, (name, colour, style, is_left) in zip(sides, curves, looks, strict=True):
            curve = density.over(tallest)
            drawn.hill(curve.points, curve.heights, colour, 0.15)
            drawn.axes.plot(curve.points, curve.heights, color=colour, linewidth=1.6, linestyle=style)
            drawn.axes.plot([score.observed] * 2, [-0.1, 0], color=colour, linewidth=2)
            # above its own half, so that the names of curves that overlap do not
            align = "right" if is_left else "left"
            drawn.label(score.mean, curve.peak + 0.18, name, ha=align, color=colour, weight="bold")
        drawn.name_x(f"{comparison.measure_words}; below the curves, the observed scores")
        drawn.only_x()
        drawn.axes.set_ylim(-0.12, 1.45)
        drawn.axes.margins(x=0.08)
    return drawn.svg
