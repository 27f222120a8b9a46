"""Both sides' posterior scores on one axis."""

from pytest_bayesf1.figures.canvas import CURVE, CURVE_MARGINS, OTHER, Canvas, drawing
from pytest_bayesf1.figures.curves import Curve, Entry


def sides_svg(entry: Entry, salt: str) -> str:
    """Draw the two densities, each with its observed score as a tick; only for entries that hold the densities."""
    with drawing(5.6, 1.9, salt, margins=CURVE_MARGINS) as drawn:
        curves = {side: Curve.of(entry[side]["density"]) for side in ("baseline", "candidate")}
        tallest = max(curve.peak for curve in curves.values())
        for (side, density), colour, style in zip(curves.items(), (OTHER, CURVE), ("--", "-"), strict=True):
            curve = density.over(tallest)
            drawn.hill(curve.points, curve.heights, colour, 0.15)
            drawn.axes.plot(curve.points, curve.heights, color=colour, linewidth=1.6, linestyle=style)
            observed = entry[side]["observed"]
            drawn.axes.plot([observed] * 2, [-0.1, 0], color=colour, linewidth=2)
            _name(drawn, side, entry, curve.peak)
        drawn.name_x(f"{entry['measure_words']}; below the curves, the observed scores")
        drawn.only_x()
        drawn.axes.set_ylim(-0.12, 1.45)
        drawn.axes.margins(x=0.08)
    return drawn.svg


def _name(drawn: Canvas, side: str, entry: Entry, peak: float) -> None:
    """Write the side's name above its own half, so that names over curves that overlap do not."""
    other = "candidate" if side == "baseline" else "baseline"
    is_left = (entry[side]["mean"], side) <= (entry[other]["mean"], other)
    x = entry[side]["mean"]
    colour = OTHER if side == "baseline" else CURVE
    drawn.label(x, peak + 0.18, side, ha="right" if is_left else "left", color=colour, weight="bold")
