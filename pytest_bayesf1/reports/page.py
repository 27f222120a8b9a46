"""A page between results and formats: text, tables and figures that know no markup.

`overview`, `section`, `parts` and `sheets` say what a page shows. `terminal`, `markdown` and `html` write it; each
escapes text in its own way, once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from pytest_bayesf1.figures.pictures import Bar
from pytest_bayesf1.figures.plot import Axis, Plot
from pytest_bayesf1.reports.entry import RunVerdict, VerdictName
from pytest_bayesf1.results.run import RunIdentity
from pytest_bayesf1.text import counted
from pytest_bayesf1.words.amounts import LONGEST_TEXT

T = TypeVar("T")


class Style(Enum):
    """What a piece of text is."""

    PLAIN = auto()
    NAME = auto()
    """What somebody called something: it may break behind its punctuation."""
    TITLE = auto()
    """A name that is seen first."""
    STRONG = auto()
    CODE = auto()
    ASIDE = auto()
    """What comes behind a name, or below it, where there is room."""
    WHOLE = auto()
    """It is never broken."""


@dataclass(frozen=True)
class Span:
    """A piece of text, and the address that it leads to, if any."""

    text: str
    style: Style = Style.PLAIN
    link: str = ""


Words: TypeAlias = str | Span | tuple[str | Span, ...]


def spans(words: Words) -> tuple[Span, ...]:
    """Return the pieces of a text that are not empty."""
    pieces = words if isinstance(words, tuple) else (words,)
    found = (each if isinstance(each, Span) else Span(each) for each in pieces)
    return tuple(each for each in found if each.text)


def plain(words: Words) -> str:
    """Return a text without its styles."""
    return "".join(f" · {each.text}" if each.style is Style.ASIDE else each.text for each in spans(words))


@dataclass(frozen=True)
class VerdictMark:
    """A verdict as a cell, with the symbol of what decided where it is a gate's."""

    name: VerdictName
    glyph: str = ""


Cell: TypeAlias = Words | VerdictMark | Bar | None


def words(cell: Cell) -> Words:
    """Return the text of a cell, if it has one."""
    return "" if isinstance(cell, VerdictMark | Bar | None) else cell


@dataclass(frozen=True)
class Column(Generic[T]):
    """A column of a table.

    Attributes
    ----------
    cell
        What it shows of an item.
    order
        What readers can sort by, if this is it.
    axis
        Of a picture; None is one that shows all changes of the table.
    """

    name: str
    cell: Callable[[T], Cell]
    kind: Literal["", "name", "number", "words", "verdict", "picture"] = ""
    order: Literal["", "name", "change"] = ""
    axis: Axis | None = None


@dataclass(frozen=True)
class Row:
    """A row of a table, and rows of its parts.

    Attributes
    ----------
    said
        A message in the place of the cells that are missing.
    verdict
        Which it came to; None in a table without verdicts.
    is_worse
        Whether all of its interval is beyond what is allowed.
    """

    cells: tuple[Cell, ...]
    said: Words = ""
    verdict: VerdictName | None = None
    is_worse: bool = False
    parts: tuple["Row", ...] = ()


@dataclass(frozen=True)
class Grid:
    """Rows below the names of their columns.

    Attributes
    ----------
    name
        For those who do not see them.
    noun, left
        What a row is called, and how many more there are.
    """

    name: str
    columns: tuple[Column[Any], ...]
    rows: tuple[Row, ...]
    kind: Literal["", "gates", "examples"] = ""
    noun: str = "row"
    left: int = 0

    @property
    def texts(self) -> tuple[list[str], list[list[str]]]:
        """The names of the columns and the cells without pictures, as plain text."""
        places = [place for place, each in enumerate(self.columns) if each.kind != "picture"]
        rows = [[plain(words(row.cells[place])) for place in places] for row in self.rows]
        return [self.columns[place].name for place in places], rows

    def cut(self, most: int, *, folds: bool) -> Iterator["Block"]:
        """Yield the first rows, and the others in a fold or as a number."""
        shown, rest = self.rows[:most], self.rows[most:]
        yield replace(self, rows=shown, left=0 if folds else len(rest))
        if rest and folds:
            more = replace(self, name=f"{self.name}, continued", rows=rest)
            yield Fold(f"and {counted(len(rest), f'more {self.noun}')}", (more,), kind="more")


def grid(
    name: str,
    columns: Sequence[Column[T]],
    items: Sequence[T],
    *,
    said: Callable[[T], Words] = lambda _: "",
    verdict: Callable[[T], VerdictName | None] = lambda _: None,
    is_worse: Callable[[T], bool] = lambda _: False,
    parts: Callable[[T], Iterable[T]] = lambda _: (),
    kind: Literal["", "gates", "examples"] = "",
    noun: str = "row",
) -> Grid:
    """Write items as rows; columns that are empty in all of them are left out."""
    full = [each for item in items for each in (item, *parts(item)) if not said(each)]
    columns = tuple(column for column in columns if not full or any(map(column.cell, full)))
    n_names = 1 + max(place for place, column in enumerate(columns) if column.kind == "name")

    def row(item: T) -> Row:
        message = said(item)
        shown = columns[:n_names] if message else columns
        cells = tuple(each.cell(item) for each in shown)
        return Row(cells, message, verdict(item), is_worse(item), tuple(map(row, parts(item))))

    return Grid(name, columns, tuple(map(row, items)), kind, noun)


@dataclass(frozen=True)
class Paragraph:
    """A text; ``kind`` says how it is seen."""

    text: Words
    kind: Literal["", "soft", "change", "message", "notice", "failed"] = ""


@dataclass(frozen=True)
class Advice:
    """What to do about some gates, and the commands that do it."""

    text: str
    commands: str = ""
    about: str = ""
    titled: bool = True

    @property
    def title(self) -> str:
        """What comes before it."""
        return f"What to do{f' about {self.about}' if self.about else ''}:" if self.titled else ""


@dataclass(frozen=True)
class Notes:
    """A sentence, and what it is about: names with a text each, and how many more there are."""

    title: str
    rows: tuple[tuple[str, str], ...]
    left: int = 0
    kind: Literal["", "loosened", "accepted"] = ""


@dataclass(frozen=True)
class Code:
    """Lines for a shell."""

    text: str


@dataclass(frozen=True)
class Facts:
    """Names, and a short text about each."""

    rows: tuple[tuple[str, Words], ...]


@dataclass(frozen=True)
class Fold:
    """What is seen when somebody asks for it."""

    summary: Words
    blocks: tuple["Block", ...]
    verdict: VerdictName | None = None
    is_open: bool = False
    kind: Literal["", "more", "quiet", "statistics", "groups"] = ""


@dataclass(frozen=True)
class Section:
    """Blocks below a heading, if they have one; a card is a whole by itself, and has a verdict."""

    title: str
    blocks: tuple["Block", ...]
    card: VerdictName | None = None


@dataclass(frozen=True)
class Article:
    """A gate: what it came to, and what is behind that.

    Attributes
    ----------
    anchor
        Where links find it, in this report and in later ones.
    about
        What was judged, and where.
    """

    anchor: str
    verdict: VerdictMark
    name: str
    about: str
    blocks: tuple["Block", ...]


@dataclass(frozen=True)
class Figure:
    """A picture.

    Attributes
    ----------
    plot
        What draws it, where it is shown.
    alt
        What it shows, for those who do not see it.
    """

    plot: Callable[[], Plot]
    alt: str
    caption: Words = ""
    kind: Literal["", "spark"] = ""


@dataclass(frozen=True)
class HeatMap:
    """By true class, how its share of examples that are predicted as another one changed.

    Attributes
    ----------
    rows
        In points; of what did not change nothing.
    shades
        From 1 to 4, below 0 where it became worse.
    legend
        What the darkest shades of either kind mean.
    """

    title: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    shades: tuple[tuple[int, ...], ...]
    legend: tuple[str, str]


Block: TypeAlias = Paragraph | Advice | Notes | Code | Facts | Grid | Figure | HeatMap | Fold | Section | Article


@dataclass(frozen=True, kw_only=True)
class Extent:
    """How much of a report a format has room for; None is all of it.

    Attributes
    ----------
    gates
        Rows of the first table, the worst gates; a fold has the others.
    parts
        Classes and slices below a gate.
    lists_all
        Whether that table has the gates that passed and the parts that did not fail, too.
    notes, longest_note
        What is said about single gates.
    longest_name
        Columns of a gate's name.
    folded
        Rows of a fold's table of gates.
    sections, in_full
        Gates that are explained, and those of them that have figures and tables.
    rows
        Of a table of classes or slices.
    is_file
        Whether it is a page that people open, with pictures and folds for all that is left out.
    root
        The project's root folder, seen from where people type the commands.
    """

    gates: int | None = None
    parts: int | None = None
    lists_all: bool = False
    notes: int | None = 20
    longest_note: int = LONGEST_TEXT
    longest_name: int | None = None
    folded: int | None = None
    sections: int = 0
    in_full: int = 0
    rows: int = 0
    is_file: bool = False
    root: str = "."


TERMINAL = Extent(gates=25, parts=0, notes=3, longest_note=300)
VERBOSE = Extent(lists_all=True, notes=None)
COMMENT = Extent(gates=8, parts=3, longest_name=40, sections=8, in_full=8, rows=5)
FILE = Extent(parts=3, sections=100, in_full=10, rows=12, is_file=True)


@dataclass(frozen=True)
class Page:
    """A report.

    Attributes
    ----------
    tally
        How many gates came to which verdict, the gravest first; empty of one gate.
    run, versions
        Which run it is, and of which packages.
    accepted, notes, notices
        Losses that are accepted; what differs from the manifest; what is missing.
    caveats
        What to know of the data, such as answers that could not be read.
    gates
        Tables of all gates; of one that is explained, what it came to.
    sections
        The gates that are explained.
    """

    title: str
    sign: str
    verdict: RunVerdict
    n_gates: int
    tally: tuple[tuple[VerdictName, str], ...]
    run: RunIdentity
    versions: tuple[tuple[str, str], ...]
    accepted: tuple[Notes, ...]
    notes: tuple[Notes, ...]
    caveats: tuple[Notes, ...]
    notices: tuple[Paragraph, ...]
    advice: tuple[Advice, ...]
    gates: tuple[Block, ...]
    sections: tuple[Block, ...]
