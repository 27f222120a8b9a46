"""The formats to the last byte, reviewed by people; `nox -s regenerate` writes them."""

import re
from dataclasses import replace
from functools import partial
from operator import itemgetter
from pathlib import Path

import pytest

from pytest_bayesf1.figures.pictures import Bar
from pytest_bayesf1.figures.plot import Look, Plot, Shape
from pytest_bayesf1.reports import html, markdown
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.page import (
    Advice,
    Article,
    Code,
    Column,
    Facts,
    Figure,
    Fold,
    HeatMap,
    Notes,
    Paragraph,
    Section,
    Span,
    Style,
    VerdictMark,
    grid,
)
from pytest_bayesf1.reports.terminal import report_lines
from pytest_bayesf1.results.run import UNKNOWN_RUN, Finding, FindingKind
from pytest_bayesf1.writing import encoded
from tests.unit.made_up import comparison, entry
from tests.unit.reports.golden_report import REPORTS

GOLDEN = Path(__file__).parents[2] / "golden"


NAME = "a.b::<i>|*@c* $1"
COLUMNS = (
    Column("verdict", itemgetter(0), "verdict"),
    Column("gate", itemgetter(1), "name", order="name"),
    Column("change", itemgetter(2), order="change"),
    Column("likely", itemgetter(3)),
    Column("n", itemgetter(4), "number"),
    Column("words", itemgetter(5), "words"),
    Column("never", lambda _: ""),
    Column("picture", itemgetter(6), "picture"),
)
GATE = Span(NAME, Style.TITLE, "#a"), " (1 of 2)", Span(NAME, Style.ASIDE)
FAILED = (VerdictMark("failed", "≪"), GATE, "−1", "−2 to +1", "9", "", Bar(-1, (-2, 1), (-1, 1)))
PART = (VerdictMark("passed"), Span("a part", Style.NAME), "", "", "1", NAME, Bar(2, (1, 5), (-1, 1)))
TABLE = grid(
    "A table",
    COLUMNS,
    (FAILED, (VerdictMark("error", "!"), Span("b", Style.TITLE))),
    said=lambda row: (NAME, Span(NAME, Style.CODE)) if row[0].name == "error" else "",
    verdict=lambda row: row[0].name,
    parts=lambda row: [PART] if row is FAILED else [],
    kind="gates",
    noun="gate",
)
KINDS = ("", "soft", "change", "message", "notice", "failed", "")
FOLD = Fold("Statistics", (Section("Deeper", (Paragraph("Text."),)),), kind="statistics")
BLOCKS = (
    *(Paragraph(("A text of ", Span(NAME, style), "."), kind) for style, kind in zip(Style, KINDS, strict=True)),
    Advice(f"Look.\n{NAME}", f"bayesf1 accept {NAME}", about=NAME),
    *(Notes("What to know", ((NAME, NAME),), 3, kind) for kind in ("", "loosened", "accepted")),
    Code(NAME),
    Facts((("name", NAME), (NAME, Span("1 to 2", Style.WHOLE)))),
    TABLE,
    *replace(TABLE, kind="examples", noun="example").cut(1, folds=True),
    replace(TABLE, kind="", left=2),
    Figure(lambda: Plot(height=24, shapes=(Shape(Look.HDI, ((0, 12), (1, 12))),)), NAME, NAME, "spark"),
    HeatMap(NAME, ("a", NAME), (("−1.0", ""), ("", "+2.0")), ((-1, 0), (0, 2)), ("worse", "better")),
    Fold(("3 more: ", NAME), (Paragraph("Folded."),), "undecided", is_open=True, kind="quiet"),
    Section(NAME, (Paragraph("Below a heading."),)),
    Article("gate-1", VerdictMark("warned", "<"), NAME, f"macro-F1 · {NAME}", (Paragraph("It warned."), FOLD)),
)
"""One block of each kind, with texts that are out to break it."""


def without_style(page):
    return re.sub("(?<=<style>).*(?=</style>)", "", page, flags=re.DOTALL)


WRITERS = {"html": lambda report: without_style(html.html(report)), "md": markdown.markdown}
FORMATS = {
    "blocks.md": lambda: markdown._blocks(BLOCKS),
    "blocks.html": lambda: html.blocks(BLOCKS, 2),
    **{f"report-{about}.html": partial(WRITERS["html"], REPORTS[about]) for about in ("one-failed", "floor")},
    **{f"report-{about}.md": partial(WRITERS["md"], REPORTS[about]) for about in ("one-failed", "floor", "many")},
    "report-pool.json": REPORTS["pool"].to_json,
    "report-floor.json": REPORTS["floor"].to_json,
}


FINDINGS = [
    Finding("t1", FindingKind.LOOSENED, "rope", "you allowed 1 point, this run 5"),
    Finding("t2", FindingKind.CHANGED, "prior", "the prior was uniform", accepted="it is better"),
    Finding("t3", FindingKind.OUTDATED, "", "gates.json does not list it"),
]
PARTS = Report.of(
    [
        entry(comparison(), "failed", test="t4", advice="Find what changed.", caveats=("All of one class.",)),
        entry(comparison(), "accepted", test="t5", advice="Speed matters."),
        *(entry(comparison(), verdict, test=f"t of {verdict}") for verdict in ("warned", "undecided", "passed")),
    ],
    ["t6"],
    {"t7.csv": "base"},
    FINDINGS,
    replace(UNKNOWN_RUN, attempt=3, about="2 of 14 tasks worse."),
    {"t8": 2},
)
"""A report with every part that a page may have."""


def terminal(report):
    return "\n".join(line for line, _ in report_lines(report))


@pytest.mark.parametrize("write", [*WRITERS.values(), terminal])
def test_every_format_has_every_part_of_a_page(write):
    text = re.sub(r"<[^>]*>|[\\\u200b]", "", write(PARTS))
    said = ["you allowed 1 point, this run 5", "the prior was uniform", "it is better", "does not list it"]
    said += ["Find what changed.", "All of one class.", "Speed matters.", "t6", "t7.csv", "attempt 3", "t8 (2 times)"]
    assert [
        each
        for each in (*said, "2 of 14 tasks worse", "blocks merge", "1 could not tell", "1 passed")
        if each not in text
    ] == []


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_as_it_was_reviewed(name, generated):
    generated(GOLDEN / name, encoded(FORMATS[name]()).decode())
