"""``bayesf1 rank``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pytest_bayesf1.cli import options
from pytest_bayesf1.cli.pictures import require_picture, write_picture

if TYPE_CHECKING:
    from pytest_bayesf1.files.tables import Reading

_FORMATS = ("text", "csv", "json", "md")


@click.command("rank", epilog="Example: bayesf1 rank build/*.csv --measure f1[spam] --rope 0.01 --figure ranking.svg")
@click.argument("files", type=options.FILE, nargs=-1, required=True)
@options.ranking_options
@options.reading_alike
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True, help="What to write.")
@click.option(
    "--figure", type=options.FILE, metavar="FILE", help="Also draw scores, ranks and ties: FILE.svg or FILE.png."
)
def command(
    files: tuple[Path, ...],
    reading: "Reading",
    form: str,
    figure: Path | None,
    **arguments: Any,
) -> None:
    """Rank several systems by their predictions for the same examples, a file each.

    The files are read as those of bayesf1 compare; a system is called what its file is. For every system the score, the
    probability of being the best, an interval of ranks, the expected loss of choosing it, and what is tied with what.
    """
    from pytest_bayesf1._util import csv_text
    from pytest_bayesf1.cli.console import say, say_document, say_json
    from pytest_bayesf1.files.side import read_systems, system_names
    from pytest_bayesf1.ranking import rank
    from pytest_bayesf1.reports.markdown import ranking_markdown

    require_picture(figure)
    systems = read_systems(system_names(files), reading)
    ranking = rank({name: file.counts() for name, file in systems.items()}, **arguments)
    if form == "csv":
        columns = ranking.columns()
        say_document(csv_text(list(columns), zip(*columns.values(), strict=True)))
    elif form == "json":
        say_json(ranking.to_dict())
    elif form == "md":
        say_document(ranking_markdown(ranking))
    else:
        title, *rest = str(ranking).split("\n")
        say(title, "bold")
        say("\n".join(rest))
    if figure is not None:
        from pytest_bayesf1.figures.plots import ranking_figure

        write_picture(ranking_figure(ranking, "ranking"), figure)
