"""``bayesf1 schema``."""

import click

from pytest_bayesf1.cli.console import say_json


@click.command("schema", epilog="Example: bayesf1 schema > bayesf1.schema.json")
@click.argument("what", type=click.Choice(["gates", "report"]), default="gates")
def command(what: str) -> None:
    """Print the JSON Schema of gate files, for editors, or of report.json.

    An editor with a YAML language server takes it from a gate file's first line, such as
    "# yaml-language-server: $schema=bayesf1.schema.json".
    """
    from pytest_bayesf1.gates.gate_file import gate_file_schema
    from pytest_bayesf1.reports.entry import report_schema

    say_json(gate_file_schema() if what == "gates" else report_schema())
