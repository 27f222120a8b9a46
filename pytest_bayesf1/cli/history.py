"""``bayesf1 history``."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pytest_bayesf1.cli import options
from pytest_bayesf1.cli.console import complain, say, say_document, say_json, show_table, with_progress
from pytest_bayesf1.cli.exit_codes import exit_code, most_severe
from pytest_bayesf1.cli.pictures import require_picture, write_picture
from pytest_bayesf1.errors import BayesF1Error, InputError

if TYPE_CHECKING:
    from pytest_bayesf1.results.other import History

_FORMATS = ("text", "json", "csv", "md", "html")


@click.command("history", epilog="Example: bayesf1 history tests/__bayesf1__/test_spam/test_f1.json --figure f1.svg")
@click.argument("baselines", nargs=-1, type=options.FILE)
@options.demands
@click.option(
    "--anchor",
    type=options.FILE,
    metavar="FILE",
    help="Count total loss from this file; by default from each version's own anchor, or from the gate's.",
)
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True, help="What to write.")
@click.option("--figure", type=options.FILE, metavar="FILE", help="Draw one baseline's history: FILE.svg or FILE.png.")
@click.option("--no-cache", is_flag=True, help="Compute every version anew, and keep nothing for the next time.")
def command(
    baselines: tuple[Path, ...],
    anchor: Path | None,
    form: str,
    figure: Path | None,
    no_cache: bool,
    **given: Any,
) -> None:
    """Compare all versions of BASELINES that git knows, each with the one before it and with its anchor.

    BASELINES are stored baselines, or files of predictions or counts; without any, all stored baselines where you are.
    Measure, ROPE and budget are those of the gate that a baseline belongs to, by the manifest of gates or by a gate
    file that names it. Nothing is fetched, and nothing is written into the repository.
    """
    from pytest_bayesf1._util import cache_folder
    from pytest_bayesf1.baselines.history import Demands, history_of
    from pytest_bayesf1.settings import baselines_below

    require_picture(figure)
    paths = list(baselines) or list(baselines_below(Path()))
    if figure is not None and len(paths) != 1:
        raise InputError("--figure", "one baseline, which it is of", f"{len(paths)} baselines")
    found, codes, kept = [], [], None if no_cache else cache_folder()
    for path in with_progress(paths, "Comparing", len(paths)):
        try:
            found.append(history_of(path, Demands.of(path, given, anchor), kept))
        except BayesF1Error as error:
            complain(f"Error: {error}")
            codes.append(exit_code(error))
    _publish(found, form)
    if not paths:
        complain("No stored baseline here. Tests with the fixture bayes_regression make them.")
    if figure is not None and found:
        from pytest_bayesf1.figures.plots import history_figure

        write_picture(history_figure(found[0], "history"), figure)
    sys.exit(most_severe(codes))


def _publish(histories: list["History"], form: str) -> None:
    from pytest_bayesf1.reports.wording import HEADS, ToldHistory, history_csv
    from pytest_bayesf1.results.schema import plain

    if form == "json":
        say_json(plain(histories))
    elif form == "csv":
        say_document(history_csv(histories))
    elif form == "text":
        for history in map(ToldHistory.of, histories):
            say(history.file, "bold")
            say(history.settings)
            show_table(HEADS, [version.cells for version in history.versions])
            for note in history.notes:
                say(note, "yellow")
            say("")
    else:
        from pytest_bayesf1.reports.history import history_html, history_markdown

        say_document(history_html(histories) if form == "html" else history_markdown(histories))
