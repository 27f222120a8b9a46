"""The probability that a gate fails against the number of examples, for several true differences."""

from pytest_bayesf1._util import one_line, scale_of
from pytest_bayesf1.figures.canvas import CURVE, INK, OTHER, SOFT, Canvas, Margins, drawing
from pytest_bayesf1.results.other import PlanFigures, PlannedDesign
from pytest_bayesf1.settings import Model

_MARGINS: Margins = (0.65, 0.55, 2.15, 0.35)
_STYLES = {Model.PAIRED: "-", Model.SAME_SET: (0, (4, 2)), Model.INDEPENDENT: (0, (1, 1.5))}
_NAMED = ("1", "2", "5")
"""With these begin the sizes that the axis names."""
_DRAWN = {-1: CURVE, 0: OTHER}
"""The loss that is to be found, and no difference."""


def power_figure(plan: PlanFigures, salt: str) -> Canvas:
    """Draw how often the loss is found, and how often a candidate that lost nothing fails.

    Points are what the gate itself did on simulated test sets, with two standard errors on either side. ``salt`` keeps
    the ids of several figures in one document apart.
    """
    with drawing(7.2, 3.6, salt, margins=_MARGINS) as drawn:
        for design in plan.designs:
            _lines(drawn, plan, design)
        for truth, colour in _DRAWN.items():
            _points(drawn, plan, plan.truths[truth].name, colour)
        _frame(drawn, plan)
    return drawn


def _lines(drawn: Canvas, plan: PlanFigures, design: PlannedDesign) -> None:
    sizes = [size.n_examples for size in design.curve]
    for truth, colour in _DRAWN.items():
        delta = plan.truths[truth].delta * scale_of(custom_measure=plan.custom_measure).factor
        words = f"δ = {delta:+.3g}".replace("-", "−") if truth else "no difference"
        drawn.axes.plot(
            sizes,
            [size.rates[truth].much_worse for size in design.curve],
            label=f"{words}, {design.model.value}",
            linestyle=_STYLES[design.model],
            linewidth=1.6,
            color=colour,
        )


def _points(drawn: Canvas, plan: PlanFigures, truth: str, colour: str) -> None:
    for each in plan.simulated:
        if each.truth == truth:
            rate, error = each.rates.much_worse, 2 * each.mcse
            drawn.axes.plot([each.n_examples] * 2, [rate - error, rate + error], color=colour, linewidth=1.6)
            drawn.axes.plot([each.n_examples], [rate], "o", color=colour, markersize=4)


def _frame(drawn: Canvas, plan: PlanFigures) -> None:
    axes = drawn.axes
    sizes = [size.n_examples for size in plan.designs[0].curve]
    axes.set_xscale("log")
    axes.set_xticks([size for size in sizes if str(size).rstrip("0") in _NAMED], minor=False)
    axes.set_xticks([], minor=True)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_ylim(-0.02, 1.02)
    axes.axhline(plan.designs[0].needed[0].power, color=SOFT, linewidth=0.6, linestyle="--", zorder=0)
    axes.axvline(plan.n_examples, color=SOFT, linewidth=0.6, zorder=0)
    drawn.label(plan.n_examples, 1.07, f"N = {plan.n_examples:,}", color=SOFT, fontsize=8)
    axes.spines[["right", "top"]].set_visible(False)
    unit = "" if plan.custom_measure else ", δ in points"
    drawn.name_x(f"examples; {one_line(plan.measure_words)}{unit}")
    axes.set_ylabel("probability that the gate fails", color=SOFT)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8, labelcolor=INK)
