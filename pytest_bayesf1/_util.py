"""What no layer owns: checks of plain values, writing files, a cache, JSON, numbers and words as text, CSV."""

import csv
import gzip
import json
import os
import platform
import re
import sys
import tempfile
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from hashlib import sha256
from io import StringIO
from itertools import accumulate
from json import JSONEncoder
from json.encoder import encode_basestring
from math import floor, inf, isfinite, isnan, log10
from numbers import Real
from pathlib import Path
from stat import S_ISREG
from textwrap import TextWrapper
from typing import Any, Generic, TypeAlias, TypeVar
from unicodedata import combining, east_asian_width

from pytest_bayesf1 import __version__
from pytest_bayesf1.errors import InputError, printable

# Checks of plain values


def require_choice(where: str, value: object, choices: Iterable[str]) -> None:
    """Raise `InputError` when ``value`` is none of the choices, with the nearest one as advice."""
    choices = tuple(choices)
    if value in choices:
        return
    raise InputError(where, f"one of {', '.join(choices)}", repr(value), did_you_mean(value, choices))


def did_you_mean(value: object, choices: Iterable[str]) -> str:
    """Ask for the choice that is spelt most alike; nothing where none is."""
    near = get_close_matches(str(value), choices, n=1)
    return f"Did you mean {near[0]!r}?" if near else ""


def require_once(names: Iterable[Hashable], where: str = "", noun: str = "name") -> None:
    """Raise `InputError` for the first name that stands there twice.

    Examples
    --------
    >>> require_once(["y_true", "y_pred", "y_true"], "header")
    Traceback (most recent call last):
    pytest_bayesf1.errors.InputError: header: expected each name once, got 'y_true' 2 times
    """
    for name, times in Counter(names).items():
        if times > 1:
            raise InputError(where, f"each {noun} once", f"{name!r:.80} {times} times")


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a mapping of a JSON object's pairs, of which `json.loads` would keep the last of a key in silence."""
    found = dict(pairs)
    if len(found) < len(pairs):
        require_once(key for key, _ in pairs)
    return found


def as_float(value: Any) -> float | None:
    """Return a real number as a float, infinite when it is too large for one; None for all else, booleans included."""
    if _is_point(value):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:
        return inf


def as_floats(values: object) -> tuple[float, ...] | None:
    """Return real numbers in their order as floats; None when one is none, or when they have no order."""
    if _is_point(values) or not isinstance(values, Iterable) or isinstance(values, str | bytes | Mapping | AbstractSet):
        return None
    numbers = [as_float(value) for value in values]
    real = tuple(number for number in numbers if number is not None)
    return real if len(real) == len(numbers) else None


def _is_point(value: object) -> bool:
    """Whether it is a number of numpy's, or an array without dimensions, which only looks iterable."""
    return getattr(value, "shape", None) == () and hasattr(value, "item")


# Writing files, and a cache of results

_MARKS = {b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def wide_encoding(path: Path) -> str:
    """Name the encoding of a text, compressed or not, whose characters take two bytes or four; else nothing.

    Without a byte order mark it is known by the zeros that the first characters, if they are Latin, are filled up with.
    """
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    with opened(path, "rb") as file:
        head = file.read(4)
    marked = next((name for mark, name in _MARKS.items() if head.startswith(mark)), "")
    if marked or head.count(0) < 2:
        return marked
    return "UTF-16" if head.count(0) == 2 else "UTF-32"


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write files, all or none; folders that lack are made.

    Everything is written under another name before the first older file is replaced.
    """
    for path in contents:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():  # which would be replaced, or lead out of the repository
            raise FileExistsError(0, "a symbolic link is in the way: write to the file that it names", str(path))
        if path.is_dir():
            raise IsADirectoryError(0, "a directory is in the way", str(path))
    with ExitStack() as leftovers:
        written = {}
        for path, content in contents.items():
            written[path] = _write_beside(path, content, leftovers)
        for path, temporary in written.items():
            temporary.replace(path)


def _write_beside(path: Path, content: bytes, leftovers: ExitStack) -> Path:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=_UNFINISHED)
    temporary = Path(name)
    leftovers.callback(temporary.unlink, missing_ok=True)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    temporary.chmod(0o666 & ~_umask())
    return temporary


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


_UNFINISHED = ".bayesf1"
"""How the names of locks and of files that are being written end; all begin with a dot."""

_LOCK_SECONDS = 60


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes from writing into a folder, and remove what processes that were killed left there.

    The lock is in the folder itself, so that all processes meet there, whatever their home and temporary directory.
    """
    from filelock import FileLock, SoftFileLock, Timeout  # noqa: PLC0415 (runs that write nothing need none)

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f".lock{_UNFINISHED}"
    lock = FileLock(path)
    try:
        held = lock.acquire(timeout=_LOCK_SECONDS)
    except Timeout:
        found = f"one that {_holder(path)} has locked for {_LOCK_SECONDS} seconds"
        raise TimeoutError(f"{found} (wait until it has ended, or end it)") from None
    with held:
        removes_itself = isinstance(lock, SoftFileLock)  # where the file system knows no locks; it names its holder too
        if not removes_itself:
            _sign(path)
        for left in {*folder.glob(f".*{_UNFINISHED}")} - {path}:
            with suppress(OSError):
                left.unlink()
        try:
            yield
        finally:
            if not removes_itself:
                with suppress(OSError):  # Windows: filelock removes it
                    path.unlink()  # before its release, so that those who wait see that it is gone, and make another


def _sign(lock: Path) -> None:
    with suppress(OSError):  # on Windows a lock that is held cannot be read or written
        lock.write_text(f"{os.getpid()}\n{platform.node()}\n", "utf-8")


def _holder(lock: Path) -> str:
    with suppress(OSError, ValueError):
        if signed := re.match(r"(\d+)\n([\w.-]+)\n", lock.read_text("utf-8")):
            return f"process {signed[1]} on {signed[2]}"
    return "another process"


def seen_from(folder: Path, path: Path | str) -> str:
    """Name a file as one sees it from a folder, whatever the system writes between folders.

    Examples
    --------
    >>> seen_from(Path("gates"), Path("data/spam.csv"))
    '../data/spam.csv'
    """
    return Path(os.path.relpath(path, folder)).as_posix()


def fingerprint(parts: Iterable[str]) -> str:
    """Return a checksum of texts."""
    digest = sha256()
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\n")
    return f"sha256:{digest.hexdigest()[:32]}"


_VARIABLE = "BAYESF1_CACHE"
_FOLDER = "pytest-bayesf1"
T = TypeVar("T")


def cache_folder() -> Path | None:
    """Return where results are kept; None where nothing is to be kept, or there is no home folder.

    The environment variable ``BAYESF1_CACHE`` names another folder; where it is empty nothing is kept.
    """
    chosen = os.environ.get(_VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    with suppress(RuntimeError):
        return _platform_folder() / _FOLDER
    return None


def _platform_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


class Cache(Generic[T]):
    """Results by what they were computed from, and by the version of this package that did it.

    Each entry holds a digest of itself and its origin. This finds damage, and entries that are not of this origin; it
    is no signature. Whoever may write into the folder may forge an entry, so only the user may (mode 0700). CI keeps
    nothing between runs unless a workflow restores the folder, and should then do so from trusted branches only.
    """

    def __init__(self, kind: str, revision: int, folder: Path | None, parsed: Callable[[Any], T]) -> None:
        self._folder = None if folder is None else folder / kind
        self._package, self._parsed = [__version__, revision], parsed

    def find(self, origin: Mapping[str, Any]) -> T | None:
        """Return a result; None where it is not there, or is not what was kept."""
        path = self._path(origin)
        with suppress(OSError, ValueError, RecursionError, TypeError, LookupError, AttributeError):
            if path is not None and S_ISREG(path.lstat().st_mode):
                entry = json.loads(path.read_bytes())
                if entry["digest"] == self._digest(origin, entry["result"]):
                    return self._parsed(entry["result"])
        return None

    def keep(self, origin: Mapping[str, Any], result: Any) -> None:
        """Keep a result; where that cannot be done it is computed again the next time."""
        path = self._path(origin)
        with suppress(OSError):
            if path is not None:
                for folder in (*reversed(path.parent.parents), path.parent):
                    folder.mkdir(mode=0o700, exist_ok=True)
                write_all({path: json.dumps({"digest": self._digest(origin, result), "result": result}).encode()})

    def _path(self, origin: Mapping[str, Any]) -> Path | None:
        if self._folder is None:
            return None
        digest = self._digest(origin)
        return self._folder / digest[:2] / f"{digest[2:]}.json"

    def _digest(self, origin: Mapping[str, Any], *result: Any) -> str:
        content = json.dumps([{"package": self._package, **origin}, *result], sort_keys=True)
        return sha256(content.encode()).hexdigest()


# JSON

_NUMBERS = {int, float}
_SHORT = {str, int, float}
"""What is written without the time that an encoder takes to begin."""

_DIGITS = 12
"""The last ones change with versions of Python and numpy."""

_on_one_line = JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def json_text(document: Any, default: Callable[[Any], Any] | None = None, *, levels: float = inf) -> str:
    """Write a document of dicts, lists and tuples; raise `ValueError` for a number that is none.

    What lies deeper than so many levels is written on one line.
    """

    def short(value: str | float) -> str:
        if isinstance(value, float):
            return repr(float(f"{value:.{_DIGITS}g}")) if isfinite(value) else _on_one_line(value)
        return repr(value) if isinstance(value, int) else encode_basestring(value)

    def written(value: Any, depth: int) -> str:
        if type(value) in _SHORT:
            return short(value)
        end, begin, space = f"\n{' ' * depth}", f"\n{' ' * (depth + 1)}", " "
        if depth >= levels:
            end, begin, space = "", "", ""
        if isinstance(value, dict) and value:
            lines = [f"{encode_basestring(key)}:{space}{written(each, depth + 1)}" for key, each in value.items()]
            return f"{{{begin}{f',{begin}'.join(lines)}{end}}}"
        if isinstance(value, list | tuple) and value:
            if {*map(type, value)} <= _NUMBERS:
                return f"[{space}{f',{space}'.join(map(short, value))}{space}]"
            return f"[{begin}{f',{begin}'.join([written(each, depth + 1) for each in value])}{end}]"
        if default is None or value is None or isinstance(value, str | int | float | dict | list | tuple):
            return _on_one_line(value)
        return written(default(value), depth)

    return written(document, 0) + "\n"


Interval: TypeAlias = tuple[float, float]

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True)
class Scale:
    """How differences of a measure are written: in points, hundredths of a score, or as they are."""

    factor: float
    unit: str

    def amount(self, number: str) -> str:
        """Write a number with its unit."""
        return f"{number} {self.unit}{'' if number == '1' else 's'}" if self.unit else number


MINUS = "\N{MINUS SIGN}"
POINTS = Scale(100, "point")
AS_THEY_ARE = Scale(1, "")


def scale_of(*, custom_measure: bool) -> Scale:
    """Return how differences of a measure are written: a user's own function has no known unit."""
    return AS_THEY_ARE if custom_measure else POINTS


def rope_width(rope: Interval, scale: Scale) -> str:
    """Write a ROPE: its half-width when it is symmetric."""
    low, high = (scale.factor * bound for bound in rope)
    if -low == high:
        return scale.amount(f"{high:g}")
    return f"range of {scale.amount(f'{low:+g} to {high:+g}'.replace('-', MINUS))}"


def scores(interval: Interval) -> str:
    """Write an interval of scores."""
    return f"{interval[0]:.3f} to {interval[1]:.3f}"


def rope_bounds(rope: Interval) -> str:
    """Write both ends of a ROPE, with all the digits that somebody gave it."""
    return f"[{rope[0]:+g}, {rope[1]:+g}]"


def rope_end(end: float) -> str:
    """Write an end of a ROPE, in points or the measure's unit, with all the digits that somebody gave it."""
    return f"{end:+zg}".replace("-", MINUS)


def level(probability: float) -> str:
    """Write a probability that somebody chose."""
    return f"{100 * probability:g}%"


def levels(bounds: Interval) -> str:
    """Write both ends of a range of probabilities that somebody chose; one where they are the same."""
    return " to ".join(dict.fromkeys(map(level, bounds)))


def percent(probability: float) -> str:
    """Write a probability, never rounding it to certainty."""
    if 0 < probability < 0.001:
        return "<0.1%"
    if 0.999 < probability < 1:
        return ">99.9%"
    return f"{100 * probability:.3g}%"


def whole_percent(probability: float) -> str:
    """Write a probability that is known from draws, to the percent; one of 20,000 may be missing by chance.

    Examples
    --------
    >>> whole_percent(0.0), whole_percent(0.6249), whole_percent(1.0)
    ('<1%', '62%', '>99%')
    """
    if not 0.005 <= probability <= 0.995:
        return "<1%" if probability < 0.5 else ">99%"
    return f"{100 * probability:.0f}%"


def p_value(value: float) -> str:
    """Write a P-value, never rounding it to impossibility."""
    return "<0.001" if value < 0.001 else f"{value:.2g}"


def factor(value: float | None, mcse: float | None) -> str:
    """Write a Bayes factor and its Monte Carlo standard error; beyond 1/1000 and 10^6 only that it is."""
    if value is None or mcse is None or isnan(value):
        return "undefined"
    if not 0.001 <= value <= 1e6:
        return "<0.001" if value < 0.001 else ">1,000,000"
    return " ± ".join(_digits(number, digits) for number, digits in ((value, 3), (mcse, 1)))


def _digits(number: float, digits: int) -> str:
    return f"{float(f'{number:.{digits}g}'):g}" if number < 1000 else f"{number:,.0f}"


def error(value: float) -> str:
    """Write a standard error: one digit that counts, and no exponent."""
    return f"{value:.{max(-floor(log10(value)), 0)}f}" if value > 0 else "0"


def grouped(number: float) -> str:
    """Write a number of examples with its thousands apart; where runs share examples, to a tenth.

    Examples
    --------
    >>> grouped(1200), grouped(18.333333333333332), grouped(10.000000000000002)
    ('1,200', '18.3', '10')
    """
    return f"{round(number, 1):,}".removesuffix(".0")


def rounded(number: int) -> str:
    """Round a whole number to two significant digits."""
    return f"{int(float(f'{number:.1e}')):,}"


def shown(value: object) -> str:
    """Write a value for an error message: text in quotes, numpy's numbers without their type."""
    return repr(value) if isinstance(value, str) else str(value)


def counted(number: int, noun: str) -> str:
    """Write a number and what it counts: ``1 id``, ``2 ids``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def first_few(names: Iterable[str], most: int = 5) -> str:
    """Write the first of several names, and how many are left out.

    Examples
    --------
    >>> first_few(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    listed = list(names)
    left = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {left:,} more" if left > 0 else "")


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Write the cells of a column below one another; those of the last, which may be long, are left as they are.

    Examples
    --------
    >>> aligned([("class", "examples"), ("ham", "90")])
    ['class  examples', 'ham    90']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)), last])
        for *cells, last in rows
    ]


def spoken_day(day: str) -> str:
    """Write a day of ISO 8601 as people say it, and no day as nothing.

    Examples
    --------
    >>> spoken_day("2026-05-02")
    '2 May 2026'
    """
    if not day:
        return ""
    found = date.fromisoformat(day)
    return f"{found.day} {_MONTHS[found.month - 1]} {found.year}"


_IN_ASCII = str.maketrans(
    {MINUS: "-", "→": "->", "≪": "<<", "≫": ">>", "≈": "~", "±": "+/-", "×": "x", "·": "-", "…": "...", "δ": "delta"}
)


def prints_symbols(encoding: str, others: str = "") -> bool:
    """Tell whether an encoding has the symbols of our texts, and some others."""
    try:
        "".join([*map(chr, _IN_ASCII), others]).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def in_ascii(text: str) -> str:
    """Write the symbols of our texts for where only ASCII serves."""
    return text.translate(_IN_ASCII)


WIDTH = 72
"""Of a terminal of 80 columns, in which pytest puts eight before every line of a failure."""

_WHOLE_WORDS: dict[str, Any] = {"width": WIDTH, "break_long_words": False, "break_on_hyphens": False}


def one_line(text: object) -> str:
    """Put a text on one line, with nothing in it that does not show."""
    return printable(" ".join(str(text).split()))


def display_width(text: str) -> int:
    """Count the columns that a terminal needs: two for a wide character, none for one that combines.

    Examples
    --------
    >>> display_width("spam"), display_width("配送")
    (4, 4)
    """
    return sum(2 if east_asian_width(each) in "WF" else not combining(each) for each in text)


def within(text: str, most: int) -> str:
    """Keep as much of the start of a text as has room in so many columns."""
    return text[: bisect_right(list(accumulate(map(display_width, text))), most)]


def brief(name: object, most: int = 32) -> str:
    """Keep a name on one line and leave out the middle of one of more columns.

    Examples
    --------
    >>> brief("comp.os.ms-windows.misc", most=12)
    'comp.o….misc'
    """
    line, half = one_line(name), (most - 1) // 2
    if display_width(line) <= most:
        return line
    return f"{within(line, most - 1 - half)}…{within(line[::-1], half)[::-1]}"


def class_named(label: object) -> str:
    """Name a class in a sentence, where a number would look like another one.

    Examples
    --------
    >>> class_named("fraud"), class_named(1)
    ('fraud', 'class 1')
    """
    name = brief(label)
    return name if name[:1].isalpha() else f"class {name}"


def named(name: str, value: str) -> str:
    r"""Write a figure behind its name, wrapped for a terminal.

    Examples
    --------
    >>> print(named("F1 falls in", "ham: 0.912 → 0.871   spam: 0.900 → 0.800   a class of a long name: 0.800 → 0.650"))
      F1 falls in ham: 0.912 → 0.871   spam: 0.900 → 0.800   a class of a
                  long name: 0.800 → 0.650
    """
    return TextWrapper(**_WHOLE_WORDS, initial_indent=f"  {name:<11} ", subsequent_indent=14 * " ").fill(value)


def indented(text: str) -> str:
    r"""Indent a text like the figures above it, wrapped for a terminal.

    Examples
    --------
    >>> print(indented("To write it all the same:\n    pytest --bayesf1-update=force"))
      To write it all the same:
          pytest --bayesf1-update=force
    """
    wrap = TextWrapper(**_WHOLE_WORDS, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(f"  {line}" if line.startswith(" ") else wrap.fill(line) for line in text.splitlines())


# CSV

_RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Write a table; no cell of it is one that a spreadsheet would run as a formula."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(_harmless, row) for row in rows)
    return text.getvalue()


def without_apostrophe(text: str) -> str:
    """Read a cell that `csv_text` wrote.

    Examples
    --------
    >>> without_apostrophe("'-1"), without_apostrophe("'tis")
    ('-1', "'tis")
    """
    return text[1:] if text.startswith("'") and text[1:].startswith(_RUN_BY_SPREADSHEETS) else text


def _harmless(value: Any) -> Any:
    """Put an apostrophe before a text that a spreadsheet would run as a formula; numbers are none."""
    if value is None or isinstance(value, int | float):
        return value
    text = str(value)
    return f"'{text}" if text.startswith(_RUN_BY_SPREADSHEETS) else text
