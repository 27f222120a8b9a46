"""``bayesf1 report``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_bayesf1.cli import options
from pytest_bayesf1.cli.console import prints_unicode, say_document, say_lines

if TYPE_CHECKING:
    from pytest_bayesf1.reports.report import Report


@click.command("report", epilog="Example: bayesf1 report bayesf1-report/report.json --format md -o comment.md")
@click.argument("document", metavar="REPORT.JSON", type=options.FILE)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "html"]),
    default="text",
    show_default=True,
    help="What to write.",
)
@click.option("-o", "--output", type=options.FILE, metavar="FILE", help="Write to this file, not to standard output.")
def command(document: Path, form: str, output: Path | None) -> None:
    """Write a REPORT.JSON, which pytest --bayesf1-report and bayesf1 gate --report make, in another format."""
    from pytest_bayesf1.reports.reading import load_report
    from pytest_bayesf1.reports.text import text_lines
    from pytest_bayesf1.reports.writing import write_texts

    found = load_report(document)
    if form == "text" and output is None:
        say_lines(text_lines(found, ascii_only=not prints_unicode()))
        return
    text = _rendered(found, form)
    if output is None:
        say_document(text)
    else:
        write_texts({output: text})


def _rendered(report: "Report", form: str) -> str:
    from pytest_bayesf1.reports.html.render import html
    from pytest_bayesf1.reports.markdown.render import markdown
    from pytest_bayesf1.reports.text import text_lines

    if form == "text":
        return "".join(f"{line}\n" for line, _ in text_lines(report))
    return html(report) if form == "html" else markdown(report)
