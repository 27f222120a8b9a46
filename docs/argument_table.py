"""Writes the arguments of a comparison into the README: ``python -m docs.argument_table``."""

from pathlib import Path

from pytest_bayesf1.comparison.arguments.argument import Argument, Offered
from pytest_bayesf1.comparison.arguments.table import ARGUMENTS
from pytest_bayesf1.plugin.config import flag, ini_key

PAGE = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- arguments: written by docs/argument_table.py -->", "<!-- end of arguments -->"


def table() -> str:
    """Write a row for every argument."""
    head = "| argument | meaning | default | option of pytest, ini key | gate file | `assert_at_least` |"
    return "\n".join([head, "| --- | --- | --- | --- | --- | --- |", *map(_row, ARGUMENTS.values())])


def page() -> str:
    """Read the page."""
    return PAGE.read_text("utf-8")


def written(text: str) -> str:
    """Put the table between its two marks."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{rest.partition(END)[2]}"


def _row(argument: Argument) -> str:
    name = argument.name
    default = "required" if argument.required else "" if argument.default is None else f"`{argument.default}`"
    setting = f"`{flag(name)}={argument.metavar}`, `{ini_key(name)}`".replace("|", r"\|")
    cells = [
        f"`{name}`",
        argument.help,
        default,
        setting if Offered.PROJECT in argument.offered else "",
        "yes" if argument.offered & (Offered.GATE | Offered.ANCHORED) else "",
        "yes" if Offered.FLOOR in argument.offered else "",
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(written(page()), "utf-8")
