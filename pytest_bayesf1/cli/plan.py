"""``bayesf1 plan``."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from pytest_bayesf1._util import require_once
from pytest_bayesf1.cli import options
from pytest_bayesf1.cli.pictures import require_picture, write_picture
from pytest_bayesf1.errors import InputError

if TYPE_CHECKING:
    from pytest_bayesf1.files.tables import Readings
    from pytest_bayesf1.planning.plan import Plan

_FORMATS = ("text", "json", "md")


ByClass: TypeAlias = float | dict[Any, float] | None


def _by_class(_context: click.Context, parameter: click.Parameter, value: str | None) -> ByClass:
    """Read a number, or ham=0.9,spam=0.1."""
    if value is None or "=" not in value:
        return None if value is None else _number(value, parameter)
    parts = [part.rpartition("=") for part in value.split(",")]
    try:
        require_once((label for label, _, _ in parts), "", "label")
    except InputError as error:
        raise click.BadParameter(str(error).removeprefix(": "), param=parameter) from None
    return {label: _number(number, parameter) for label, _, number in parts}


def _number(text: str, parameter: click.Parameter) -> float:
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f"expected {parameter.metavar}, got {text!r}", param=parameter) from None


@click.command("plan", epilog="Example: bayesf1 plan pilot/old.csv pilot/new.csv --rope 0.01 --loss 0.03 --looks 4")
@click.argument("baseline", type=options.FILE, required=False)
@click.argument("candidate", type=options.FILE, required=False)
@click.option("--agreement", type=float, metavar="SHARE", help="How often both predict the same, where no pilot tells.")
@click.option(
    "--shares", callback=_by_class, metavar="LABEL=SHARE,...", help="Share of every class, in place of a pilot."
)
@click.option(
    "--accuracy",
    callback=_by_class,
    metavar="SHARE|LABEL=SHARE,...",
    help="Share of the examples that is predicted rightly, of all classes or of each, beside --shares.",
)
@options.plan_options
@click.option(
    "--loss",
    type=float,
    metavar="LOSS",
    show_default="twice what the ROPE tolerates",
    help="The loss that the gate is to find, beyond the ROPE.",
)
@click.option(
    "--examples",
    "n_examples",
    type=int,
    metavar="N",
    show_default="as many as find the loss with probability 0.8",
    help="The test set to look at closely.",
)
@click.option("--looks", type=int, default=1, show_default=True, metavar="L", help="Looks, as labelling goes on.")
@click.option("--repetitions", type=int, default=200, show_default=True, metavar="N", help="Simulated test sets.")
@click.option("--quick", is_flag=True, help="The approximation alone: nothing is simulated.")
@click.option(
    "--workers",
    type=int,
    default=os.cpu_count() or 1,
    show_default="one per processor",
    help="Processes that simulate.",
)
@options.reading
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True, help="What is written."
)
@click.option("--figure", type=options.FILE, metavar="FILE", help="Draw the probabilities; FILE ends in .svg or .png.")
def command(
    baseline: Path | None,
    candidate: Path | None,
    readings: "Readings",
    quick: bool,
    form: str,
    figure: Path | None,
    **arguments: Any,
) -> None:
    """Tell how many examples a gate needs, before they are labelled.

    A pilot is two files of predictions of the same examples, BASELINE and CANDIDATE; or counts of both, or one file of
    predictions or counts, and --agreement; or none at all, and --shares, --accuracy and --agreement.
    """
    from pytest_bayesf1.cli.console import with_progress
    from pytest_bayesf1.planning.plan import plan

    require_picture(figure)
    if quick:
        arguments["repetitions"] = 0
    for name in ("shares", "accuracy"):
        arguments[name] = _typed(arguments[name])
    pilot = _read(baseline, candidate, readings)
    found = plan(*pilot, **arguments, progress=lambda parts, n_parts: with_progress(parts, "Simulating", n_parts))
    _say(found, form)
    if figure is not None:
        from pytest_bayesf1.figures.plots import power_figure

        write_picture(power_figure(found, "power"), figure)


def _typed(given: ByClass) -> ByClass:
    """Make numbers of labels that are all whole numbers, as files of text do."""
    if not isinstance(given, dict):
        return given
    from pytest_bayesf1.data.labels import typed

    (labels,) = typed(list(given))
    return dict(zip(labels.tolist(), given.values(), strict=True))


def _read(baseline: Path | None, candidate: Path | None, readings: "Readings") -> list[Any]:
    from pytest_bayesf1.files.side import read_side, read_sides

    if baseline is None:
        return []
    if candidate is None:
        return [read_side(baseline, "baseline", readings["baseline"]).counts()]
    return [side.counts() for side in read_sides(baseline, candidate, readings)]


def _say(found: "Plan", form: str) -> None:
    from pytest_bayesf1.cli.console import say, say_document, show_table

    if form == "json":
        say_document(found.to_json())
    elif form == "md":
        say_document(_markdown(found))
    else:
        say(f"{found.headline}.", "bold")
        for table in found.tables():
            say(f"\n{table.title}", "bold")
            show_table(table.columns, table.rows)
        say("\n" + "\n".join(found.notes()))


def _markdown(found: "Plan") -> str:
    from pytest_bayesf1.reports.markdown import escape_markdown

    lines = [f"**{escape_markdown(found.headline)}.**"]
    for table in found.tables():
        rows = [table.columns, ["---", *["---:"] * (len(table.columns) - 1)], *table.rows]
        cells = ([escape_markdown(cell) if row is not rows[1] else cell for cell in row] for row in rows)
        lines += ["", escape_markdown(table.title), "", *(f"| {' | '.join(row)} |" for row in cells)]
    return "\n".join([*lines, "", *(f"- {escape_markdown(note)}" for note in found.notes()), ""])
