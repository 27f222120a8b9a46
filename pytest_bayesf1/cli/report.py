"""``bayesf1 report``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_bayesf1.cli import options
from pytest_bayesf1.cli.console import columns, prints_unicode, say_document, say_lines
from pytest_bayesf1.cli.pictures import require_picture
from pytest_bayesf1.errors import InputError

if TYPE_CHECKING:
    from pytest_bayesf1.reports.entry import Report


@click.command("report", epilog="Example: bayesf1 report bayesf1-report/report.json --format md -o comment.md")
@click.argument("document", metavar="REPORT.JSON", type=options.FILE)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "html", "card"]),
    default="text",
    show_default=True,
    help="What to write; card: the worst gate as a picture, to a FILE that ends in .png, or else as SVG.",
)
@click.option("-o", "--output", type=options.FILE, metavar="FILE", help="Write to this file, not to standard output.")
def command(document: Path, form: str, output: Path | None) -> None:
    """Write a REPORT.JSON, which pytest --bayesf1-report and bayesf1 gate --report make, in another format."""
    from pytest_bayesf1.reports.reading import load_report
    from pytest_bayesf1.reports.terminal import text_lines
    from pytest_bayesf1.reports.writing import write_files

    found = load_report(document)
    if form == "text" and output is None:
        say_lines(text_lines(found, ascii_only=not prints_unicode(), width=columns()))
        return
    require_picture(output if form == "card" else None, "--output")
    content = _rendered(found, form, output.suffix if output else ".svg")
    if output is None:
        say_document(content.decode() if isinstance(content, bytes) else content)
    else:
        write_files({output: content})


def _rendered(report: "Report", form: str, suffix: str) -> str | bytes:
    from pytest_bayesf1.reports.html import html
    from pytest_bayesf1.reports.markdown import markdown
    from pytest_bayesf1.reports.terminal import text_lines

    match form:
        case "card":
            return _card(report, suffix)
        case "html":
            return html(report)
        case "md":
            return markdown(report)
    return "".join(f"{line}\n" for line, _ in text_lines(report))


def _card(report: "Report", suffix: str) -> bytes:
    from pytest_bayesf1.figures.card import verdict_card_figure
    from pytest_bayesf1.reports.card import verdict_card

    if report.worst is None:
        raise InputError("--format card", "a report with a comparison", "none")
    return verdict_card_figure(verdict_card(report.worst, report.run), "card").file(suffix)
