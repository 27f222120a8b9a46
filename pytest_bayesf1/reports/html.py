"""HTML: a page of a report, or of histories and rankings, in one file."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any, NewType

from jinja2 import Environment, StrictUndefined, Template

from pytest_bayesf1.errors import printable
from pytest_bayesf1.figures.pictures import Bar, axis_of_changes, interval_row, scale_of_axis
from pytest_bayesf1.figures.plot import Axis, css, svg
from pytest_bayesf1.reports.entry import VERDICTS, Report, VerdictName
from pytest_bayesf1.reports.overview import page_of
from pytest_bayesf1.reports.page import (
    FILE,
    Advice,
    Article,
    Block,
    Cell,
    Code,
    Column,
    Facts,
    Figure,
    Fold,
    Grid,
    HeatMap,
    Notes,
    Page,
    Paragraph,
    Row,
    Section,
    Span,
    Style,
    VerdictMark,
    Words,
    spans,
    words,
)

Html = NewType("Html", str)
"""Markup: a text becomes one by `text`, which escapes it."""


def text(raw: str) -> Html:
    """Escape a text; let nothing in it hide, or turn the direction of what follows."""
    return Html(escape(printable(raw)))


def element(name: str, *content: Html, **attributes: str | bool) -> Html:
    """Write an element; attributes that are empty or False are left out."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{text(str(value))}"')
        for key, value in attributes.items()
        if value
    )
    return Html(f"<{name}{written}>{''.join(content)}</{name}>")


def joined(parts: Iterable[Html], between: str = "") -> Html:
    """Put markup together."""
    return Html(between.join(parts))


_BEFORE_A_BREAK = re.compile(r"([._/:,=-])(?=[^\s._/:,=-])")


def breakable(name: str) -> Html:
    """Let a name go on in the next line behind its punctuation, rather than anywhere."""
    return Html(_BEFORE_A_BREAK.sub(r"\1<wbr>", escape(printable(name))))


def inline(given: Words) -> Html:
    """Write a text in a line."""
    return joined(map(_span, spans(given)))


_ELEMENTS = {
    Style.TITLE: ("b", ""),
    Style.STRONG: ("b", ""),
    Style.CODE: ("code", ""),
    Style.ASIDE: ("span", "soft"),
    Style.WHOLE: ("span", "whole"),
}


def _span(span: Span) -> Html:
    shown = breakable(span.text) if span.style in (Style.NAME, Style.TITLE) else text(span.text)
    if span.link:
        shown = element("a", shown, href=span.link)
    name, kind = _ELEMENTS.get(span.style, ("", ""))
    return element(name, shown, class_=kind) if name else shown


def blocks(given: Iterable[Block], level: int) -> Html:
    """Write blocks below one another; their headings are of a level, or of those below it."""
    return joined((_block(each, level) for each in given), "\n")


def _block(block: Block, level: int) -> Html:  # noqa: C901, PLR0911 (a case for each kind of block)
    match block:
        case Paragraph():
            return _paragraph(block)
        case Advice():
            title = [element("strong", text(block.title)), Html(" ")] if block.title else []
            commands = [element("code", text(block.commands))] if block.commands else []
            return element("p", *title, text(block.text), *commands, class_="advice")
        case Notes():
            return _notes(block)
        case Code():
            return element("pre", element("code", text(block.text)))
        case Facts():
            facts = (joined((element("dt", text(name)), element("dd", inline(said)))) for name, said in block.rows)
            return element("dl", joined(facts, "\n"), class_="plain")
        case Grid():
            return _table(block)
        case Figure():
            caption = [element("figcaption", inline(block.caption))] if block.caption else []
            return element("figure", Html(svg(block.plot(), block.alt)), *caption, class_=block.kind)
        case HeatMap():
            return _heat_map(block)
        case Fold():
            summary = inline(block.summary)
            if block.kind == "statistics":
                summary, level = element(f"h{level}", summary), level + 1
            inside = blocks(block.blocks, level)
            return element(
                "details", element("summary", summary), Html("\n"), inside, class_=block.kind, open=block.is_open
            )
        case Section():
            heading = [element(f"h{level}", text(block.title))] if block.title else []
            inside = blocks(block.blocks, level + 1)
            return element(
                "section",
                *heading,
                Html("\n"),
                inside,
                class_=f"card {_class(block.card)}" if block.card is not None else "",
            )
        case Article():
            return _article(block, level)


def _paragraph(paragraph: Paragraph) -> Html:
    shown = inline(paragraph.text)
    match paragraph.kind:
        case "message":
            return element("pre", shown)
        case "notice" | "failed":
            is_alert = paragraph.kind == "failed"
            kind, role = ("notice failed", "alert") if is_alert else ("notice", "")
            return element("p", element("span", shown, class_="name"), class_=kind, role=role)
    return element("p", shown, class_=paragraph.kind)


_FEW = 3


def _notes(notes: Notes) -> Html:
    rows = [element("li", element("b", text(name)), text(f": {said}")) for name, said in notes.rows]
    rows += [element("li", text(f"and {notes.left:,} more: see report.json"))] if notes.left else []
    listed = element("ul", joined(rows, "\n"))
    if not notes.kind:
        summary = element("summary", text(notes.title))
        return element("details", summary, listed, class_="findings", open=len(rows) <= _FEW)
    is_alert = notes.kind == "loosened"
    title = element("p", text(f"{'⚠️ ' if is_alert else ''}{notes.title}"))
    kind = "findings loosened" if is_alert else "findings loosened accepted"
    return element("section", title, listed, class_=kind, role="alert" if is_alert else "")


MOST_AT_ONCE = 200
"""Rows of a table of gates that are rendered at first; the script renders the others when they come into view."""


def _table(grid: Grid) -> Html:
    axes = [_axis(column, grid.rows, place) for place, column in enumerate(grid.columns)]
    head = element("thead", element("tr", *map(_head, grid.columns, axes)))
    rows = [joined(_rows(row, grid, axes), "\n") for row in grid.rows]
    if grid.kind != "gates":
        kind = f"rows {grid.kind}".rstrip()
        return element("table", head, element("tbody", joined(rows, "\n")), class_=kind, aria_label=grid.name)
    bodies = [element("tbody", row) for row in rows]
    later = element("template", joined(bodies[MOST_AT_ONCE:], "\n")) if bodies[MOST_AT_ONCE:] else Html("")
    shown = joined(bodies[:MOST_AT_ONCE], "\n")
    found = element("table", head, shown, later, class_="rows forest", data_most=str(MOST_AT_ONCE))
    if not later:
        return found
    left = f"{len(bodies) - MOST_AT_ONCE:,} more rows need JavaScript; report.json has their figures."
    return joined((found, element("p", element("noscript", text(left)), class_="further soft")))


def _axis(column: Column[Any], rows: Sequence[Row], place: int) -> Axis | None:
    """Return the axis of a column of pictures."""
    if column.kind != "picture" or column.axis:
        return column.axis
    shown = (each.cells[place] for row in rows for each in (row, *row.parts) if place < len(each.cells))
    return axis_of_changes([cell for cell in shown if isinstance(cell, Bar)])


def _head(column: Column[Any], axis: Axis | None) -> Html:
    name = text(column.name.replace(" → ", "\xa0→\xa0"))
    if column.order:
        name = element("button", name, type="button", data_order=column.order)
    if axis is None:
        return element("th", name, scope="col", class_="number" if column.kind == "number" else "")
    scale = Html(svg(scale_of_axis(axis, most=4)))
    return element("th", element("span", name, class_="soft"), scale, scope="col", class_="strip")


def _rows(row: Row, grid: Grid, axes: Sequence[Axis | None], more: str = "") -> Iterator[Html]:
    cells = [_cell(cell, column, axis) for cell, column, axis in zip(row.cells, grid.columns, axes, strict=False)]
    if row.said:
        cells.append(element("td", inline(row.said), class_="title", colspan=str(len(grid.columns) - len(cells))))
    kinds = [*([] if row.verdict is None else [_class(row.verdict)]), *["worse"] * row.is_worse]
    yield element("tr", *cells, class_=f"{' '.join(kinds)}{more}")
    for part in row.parts:
        yield from _rows(part, grid, axes, " part")


def _class(verdict: VerdictName) -> str:
    return verdict or "none"


_CLASSES = {"number": "number", "words": "title"}


def _cell(cell: Cell, column: Column[Any], axis: Axis | None) -> Html:
    match cell:
        case VerdictMark():
            glyph = [element("b", text(cell.glyph), class_="tile", aria_hidden="true")] if cell.glyph else []
            return element("td", *glyph, text(VERDICTS[cell.name].words), class_="verdict")
        case Bar():
            return element("td", Html(svg(interval_row(cell, axis or axis_of_changes([cell])))), class_="strip")
    shown = spans(words(cell))
    if column.kind == "name":
        name = inline(tuple(each for each in shown if each.style is not Style.ASIDE))
        aside = inline(tuple(each for each in shown if each.style is Style.ASIDE))
        return element("th", element("span", name, class_="name"), aside, scope="row")
    return element("td", inline(shown), class_=_CLASSES.get(column.kind, ""), data_is=column.name)


def _heat_map(heat: HeatMap) -> Html:
    """Write a class's changes as shades, with their numbers where there is room for them."""
    numbered = len(heat.names) <= _NUMBERED
    corner = element("td", text("true ↓ predicted →"), class_="corner")
    names = [element("th", element("span", text(name)), scope="col") for name in heat.names]
    rows = (
        element("tr", element("th", element("span", text(name)), scope="row"), *map(_shaded(numbered), points, shades))
        for name, points, shades in zip(heat.names, heat.rows, heat.shades, strict=True)
    )
    table = element(
        "table",
        element("thead", element("tr", corner, *names)),
        element("tbody", joined(rows, "\n")),
        class_="heat numbered" if numbered else "heat",
        aria_label="Change of the confusion matrix",
    )
    worse, better = heat.legend
    scale = [element("i", class_=_shade(shade)) for shade in range(-4, 5)]
    legend = element("p", text(f"{worse} "), *scale, text(f" {better}"), class_="legend soft")
    return joined((element("p", text(heat.title)), table, legend), "\n")


_NUMBERED = 8
"""Up to so many classes have room for numbers."""


def _shade(shade: int) -> str:
    return f"{'worse' if shade < 0 else 'better'}-{abs(shade)}" if shade else ""


def _shaded(numbered: bool) -> Callable[[str, int], Html]:
    def cell(points: str, shade: int) -> Html:
        return element("td", text(points if numbered else ""), class_=_shade(shade), title="" if numbered else points)

    return cell


def _article(article: Article, level: int) -> Html:
    verdict, link = article.verdict, f"#{article.anchor}"
    tile = element("b", text(verdict.glyph), class_="tile", aria_hidden="true")
    came_to = element("span", text(f"{VERDICTS[verdict.name].words.capitalize()}:"), class_="verdict")
    title = element(f"h{level}", came_to, Html(" "), breakable(article.name), id=f"{article.anchor}-title")
    copy = element(
        "a", text("link to this gate"), class_="copy", href=link, aria_label=f"link to this gate: {article.name}"
    )
    about = element("p", text(f"{article.about} "), copy, class_="soft")
    return element(
        "article",
        element("header", tile, title, about),
        blocks(article.blocks, level + 1),
        class_=f"card {_class(verdict.name)}",
        id=article.anchor,
        aria_labelledby=f"{article.anchor}-title",
    )


def html(report: Report) -> str:
    """Render one self-contained HTML file."""
    page = page_of(report, FILE)
    counts = (element("a", text(said), class_=_class(name), href=f"#{_class(name)}") for name, said in page.tally)
    link = [Html(" · "), element("a", text("the run"), href=page.run.url)] if page.run.url else []
    run = element("span", text(" · ".join(page.run.text)), *link, class_="soft")
    first = element("h1", text(page.title)), element("p", joined(counts, " "), Html(" "), run, class_="counts")
    skip = [element("a", text("Skip to all gates"), class_="skip", href="#overview")] if page.tally else []
    gates = [element("section", _search(page), blocks(page.gates, 2), id="overview", aria_label="All gates")]
    known = [*page.run.text, *(f"{name} {version}" for name, version in page.versions)]
    return _document(
        page.title,
        *skip,
        element("header", *first, class_=f"run {page.verdict}"),
        blocks((*page.accepted, *page.notices), 2),
        *(gates if page.tally else []),
        blocks((*page.advice, *page.notes, *page.sections, *page.caveats), 2),
        Html(_file("glossary.html")),
        element("footer", text(" · ".join(known))),
        script=_file("report.js"),
    )


def _search(page: Page) -> Html:
    """Write the form by which the script chooses rows."""
    options = [Html(f'<option value="">all {page.n_gates}</option>')]
    options += (element("option", text(said), value=_class(name)) for name, said in page.tally)
    find = element("label", text("Search "), Html('<input type="search" id="find">'))
    show = element("label", text("Show "), element("select", *options, id="verdict"))
    return element("form", find, show, element("output", id="found"), class_="choose", hidden=True)


@cache
def _file(name: str) -> str:
    return files("pytest_bayesf1.reports").joinpath("templates", name).read_text("utf-8")


@cache
def _frame() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    return environment.from_string(_file("document.html"))


def _document(title: str, *content: Html, script: str = "") -> str:
    return _frame().render(
        title=printable(title),
        style=f"{_file('report.css')}{css()}",
        main=joined(content, "\n"),
        script=script,
        digest=b64encode(sha256(script.encode()).digest()).decode(),
    )
