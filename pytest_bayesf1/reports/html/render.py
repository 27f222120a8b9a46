"""`Report` -> HTML."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from pytest_bayesf1._util import error, scores
from pytest_bayesf1.reports.html.page import Page
from pytest_bayesf1.reports.notices import changed_line, incomplete_line
from pytest_bayesf1.reports.parts import class_change, clearly_worse, pairing_gain
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.reports.templating import Templates, trusted
from pytest_bayesf1.reports.verdict import VERDICTS
from pytest_bayesf1.results.formatting import Amounts, name_text, spelt_out


def html(report: Report) -> str:
    """Render one self-contained HTML file."""
    return html_templates().render("report.html.j2", page=Page(report), script=Script.known())


@dataclass(frozen=True)
class Script:
    """The page's only script, and the name by which the page's policy allows it and no other."""

    text: str

    @classmethod
    @cache
    def known(cls) -> "Script":
        """Read it."""
        return cls(files("pytest_bayesf1.reports").joinpath("templates", "report.js").read_text("utf-8"))

    @property
    def source(self) -> str:
        """Return what Content-Security-Policy calls it."""
        return f"sha256-{b64encode(sha256(self.text.encode()).digest()).decode()}"


@cache
def html_templates() -> Templates:
    """Return the HTML templates."""
    return Templates(
        _as_text,
        {
            "amounts": Amounts.of,
            "verdict_words": lambda verdict: VERDICTS[verdict].words,
            "changed": changed_line,
            "class_change": class_change,
            "clearly_worse": clearly_worse,
            "errors": _errors,
            "incomplete": incomplete_line,
            "name": name_text,
            "pairing_gain": pairing_gain,
            "scores": scores,
            "trusted": trusted,
        },
    )


def _errors(sizes: Sequence[float | None], factor: float = 1.0) -> str:
    """Write Monte Carlo standard errors, of which some may be unknown."""
    return ", ".join("unknown" if size is None else error(factor * size) for size in sizes)


def _as_text(value: Any) -> Any:
    """Let nothing in a text hide, or turn the direction of what follows; lines stay lines."""
    return "\n".join(map(spelt_out, value.split("\n"))) if type(value) is str else value
