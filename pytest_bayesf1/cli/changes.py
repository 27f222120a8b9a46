"""``bayesf1 changes``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_bayesf1.cli import options
from pytest_bayesf1.errors import BaselineError

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.changes import Changes
    from pytest_bayesf1.files.tables import Readings

_FORMATS = ("text", "csv", "json")


@click.command(
    "changes", epilog="Example: bayesf1 changes baselines/spam.csv build/spam.csv --format csv > changes.csv"
)
@click.argument("baseline", type=options.FILE)
@click.argument("candidate", type=options.FILE)
@options.measure
@options.reading
@options.show
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="text: what explains most. csv, json: every example.",
)
def command(
    baseline: Path,
    candidate: Path,
    measure: str,
    readings: "Readings",
    form: str,
) -> None:
    """Show which examples the CANDIDATE predicts otherwise than the BASELINE, and what that does to the measure.

    Both are files of predictions, as of bayesf1 compare; of counts the errors are shown, but no examples.
    """
    from pytest_bayesf1.cli.console import say_document, say_json
    from pytest_bayesf1.comparison.changes import Changes
    from pytest_bayesf1.files.side import read_sides
    from pytest_bayesf1.reports.writing import changes_csv
    from pytest_bayesf1.results.schema import plain

    if not baseline.exists():
        raise BaselineError(str(baseline), "a baseline", "no such file")
    before, after = read_sides(baseline, candidate, readings)
    changes = Changes.between(before.counts(), after.counts(), measure)
    if form == "csv":
        say_document(changes_csv(changes))
    elif form == "json":
        say_json(plain(changes.reported(None, None)))
    else:
        _show(changes)


def _show(changes: "Changes") -> None:
    from pytest_bayesf1._util import first_few, scale_of
    from pytest_bayesf1.cli.console import say, show_table
    from pytest_bayesf1.reports.wording import ToldChanges

    told = ToldChanges.of(changes.reported(), changes.measure.words, scale_of(custom_measure=False))
    say(told.headline, "bold")
    if told.errors:
        rows = [(each.adds, each.counts, each.name, first_few(each.examples)) for each in told.errors]
        show_table((told.unit, "examples", "error", "such as"), rows)
