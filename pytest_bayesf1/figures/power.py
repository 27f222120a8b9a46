"""The probability that a gate fails against the number of examples, for several true differences."""

from pytest_bayesf1.choices import Model
from pytest_bayesf1.figures.canvas import Canvas, Form, Margins, sheet
from pytest_bayesf1.results.planning import PlanFigures, PlannedDesign
from pytest_bayesf1.text import one_line, scale_of

_MARGINS: Margins = (0.65, 0.55, 2.15, 0.35)
_STYLES = {Model.PAIRED: "-", Model.SAME_SET: (0, (4, 2)), Model.INDEPENDENT: (0, (1, 1.5))}
_NAMED = ("1", "2", "5")
"""With these begin the sizes that the axis names."""
_WORDS = {Model.PAIRED: "paired", Model.SAME_SET: "same-set", Model.INDEPENDENT: "independent"}


def power_figure(plan: PlanFigures, form: Form) -> bytes:
    """Draw how often the loss is found, and how often a candidate without a loss that matters fails.

    Points are what the gate itself did on simulated test sets, with two standard errors on either side.
    """
    with sheet(7.2, 3.6, form, margins=_MARGINS) as drawn:
        for design in plan.designs:
            _lines(drawn, plan, design)
        _points(drawn, plan)
        _frame(drawn, plan)
    return drawn.content


def _lines(drawn: Canvas, plan: PlanFigures, design: PlannedDesign) -> None:
    sizes = [size.n_examples for size in design.curve]
    for truth, colour in ((-1, drawn.palette.curve), (0, drawn.palette.other)):
        rates = [size.rates[truth].much_worse for size in design.curve]
        delta = plan.truths[truth].delta * scale_of(custom_measure=plan.custom_measure).factor
        words = f"δ = {delta:+.3g}".replace("-", "−") if truth else "no difference"
        style = {"linestyle": _STYLES[design.model], "linewidth": 1.6, "color": colour}
        drawn.axes.plot(sizes, rates, label=f"{words}, {_WORDS[design.model]}", **style)


def _points(drawn: Canvas, plan: PlanFigures) -> None:
    for truth, colour in ((-1, drawn.palette.curve), (0, drawn.palette.other)):
        found = [each for each in plan.simulated if each.truth == plan.truths[truth].name]
        drawn.axes.errorbar(
            [each.n_examples for each in found],
            [each.rates.much_worse for each in found],
            [2 * each.mcse for each in found],
            fmt="o",
            color=colour,
            markersize=4,
            capsize=3,
            clip_on=False,
        )


def _frame(drawn: Canvas, plan: PlanFigures) -> None:
    axes, soft = drawn.axes, drawn.palette.soft
    sizes = [size.n_examples for size in plan.designs[0].curve]
    axes.set_xscale("log")
    axes.set_xticks([size for size in sizes if str(size).rstrip("0") in _NAMED], minor=False)
    axes.set_xticks([], minor=True)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_ylim(-0.02, 1.02)
    axes.axhline(plan.designs[0].needed[0].power, color=soft, linewidth=0.6, linestyle="--", zorder=0)
    axes.axvline(plan.n_examples, color=soft, linewidth=0.6, zorder=0)
    drawn.label(plan.n_examples, 1.07, f"N = {plan.n_examples:,}", color=soft, fontsize=8)
    axes.spines[["right", "top"]].set_visible(False)
    unit = "" if plan.custom_measure else ", δ in points"
    drawn.name_x(f"examples; {one_line(plan.measure_words)}{unit}")
    drawn.name_y("probability that the gate fails")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8, labelcolor=drawn.palette.ink)
