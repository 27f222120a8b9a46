"""How a step talks to the runner: annotations, outputs and the job summary."""

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

MOST_ANNOTATIONS = 9  # of one level: GitHub shows 10 an action, and one tells that a step has failed
MOST_SUMMARY_BYTES = 900_000  # GitHub drops the whole summary above 1 MiB


@dataclass(frozen=True)
class Annotation:
    """A message at a line of a file.

    Attributes
    ----------
    level
        ``error``, ``warning`` or ``notice``.
    file, line
        Relative to the repository, counted from 1; empty and 0 when it is about none.
    """

    level: str
    title: str
    message: str
    file: str = ""
    line: int = 0

    def command(self) -> str:
        """Write the workflow command."""
        found = {"file": self.file, "line": str(self.line) if self.line else "", "title": self.title}
        properties = ",".join(f"{name}={_escaped_property(value)}" for name, value in found.items() if value)
        return f"::{self.level} {properties}::{_escaped(self.message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


@contextmanager
def no_commands() -> Iterator[None]:
    """Keep what is printed meanwhile, by whatever process, from passing for commands."""
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}", flush=True)
    try:
        yield
    finally:
        print(f"\n::{token}::", flush=True)


def set_outputs(file: Path, outputs: Mapping[str, str]) -> None:
    """Append outputs to the file that GITHUB_OUTPUT names; no value can pass for another output."""
    with file.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as target:
        for name, value in outputs.items():
            delimiter = f"bayesf1-{secrets.token_hex(16)}"
            printable = re.sub(r"\r\n?", "\n", value)
            target.write(f"{name}<<{delimiter}\n{printable}\n{delimiter}\n")


def add_summary(file: Path, text: str) -> None:
    """Append to the job summary."""
    with file.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as target:
        target.write(f"{text}\n")
