"""The probability that a gate fails against the number of examples, for several true differences."""

from pytest_bayesf1.choices import Model
from pytest_bayesf1.figures.canvas import Canvas, Form, Margins, sheet
from pytest_bayesf1.results.planning import PlanFigures, PlannedDesign
from pytest_bayesf1.text import one_line, scale_of

_MARGINS: Margins = (0.65, 0.55, 2.1, 0.25)
_STYLES = {Model.PAIRED: "-", Model.SAME_SET: (0, (4, 2)), Model.INDEPENDENT: (0, (1, 1.5))}
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
        )


def _frame(drawn: Canvas, plan: PlanFigures) -> None:
    axes, soft = drawn.axes, drawn.palette.soft
    axes.set_xscale("log")
    axes.set_ylim(-0.02, 1.02)
    axes.axhline(0.8, color=soft, linewidth=0.6, linestyle="--")
    axes.axvline(plan.n_examples, color=soft, linewidth=0.6)
    axes.set_title(f"N = {plan.n_examples:,}", color=soft, fontsize=8, loc="left")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.spines[["right", "top"]].set_visible(False)
    drawn.name_x(
        f"examples; {one_line(plan.measure_words)}, differences in points" if not plan.custom_measure else "examples"
    )
    drawn.name_y("probability that the gate fails")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8, labelcolor=drawn.palette.ink)
