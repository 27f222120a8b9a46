"""Logs of inspect_ai (https://inspect.aisi.org.uk): ``.eval``, a zip archive of JSON documents, or one, ``.json``.

Of an archive the summaries of the samples are read, not their transcripts, which may be a thousand times as long.
"""

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeGuard
from zipfile import ZipFile

from pytest_bayesf1._util import each_key_once
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.archives import DAMAGED, Bounded, open_zip, require_room
from pytest_bayesf1.files.columns import ID, RUN
from pytest_bayesf1.files.content import Table
from pytest_bayesf1.files.logs.log import Log, checked, in_order, scalars

TOOL = "inspect_ai"
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partly, incorrect, no answer: what inspect_ai's own metrics take them for."""

_FINISH = "Finish it: inspect eval-retry LOG."
_HEADER, _SUMMARIES = "header.json", "summaries.json"
_ZSTANDARD = (
    "Install what unpacks Zstandard: pip install pytest-bayesf1[inspect]; or write the log as JSON: "
    "inspect log convert --to json --output-dir DIR LOG."
)


@dataclass(frozen=True)
class _Score:
    """What a scorer said of a sample."""

    value: Any
    answer: Any = None
    explanation: str | None = None


@dataclass(frozen=True)
class _Sample:
    """A sample, once per epoch."""

    id: int | str
    epoch: int
    input: Any = None
    target: str | list[str] = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    scores: dict[str, _Score] | None = None


@dataclass(frozen=True)
class _Header:
    """What the log says of the whole run."""

    status: Literal["started", "success", "cancelled", "error"]


def is_log(document: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether a document is such a log."""
    return isinstance(document, Mapping) and document.keys() >= {"status", "eval", "plan"}


def read_document(document: Mapping[str, Any], names: Mapping[str, str]) -> Table:
    """Read a log in one document.

    Parameters
    ----------
    document
        The whole.
    names
        What the log calls the columns that are compared, where that is said.

    Raises
    ------
    InputError
        When the run has not finished, or nothing in it can be compared.
    """
    return _table(document, document.get("samples", []), names)


def read_eval(path: Path, names: Mapping[str, str]) -> Table:
    """Read a log in an archive.

    Parameters
    ----------
    path
        The archive.
    names
        What the log calls the columns that are compared, where that is said.

    Raises
    ------
    InputError
        When it is damaged, the run has not finished, or nothing in it can be compared.
    """
    try:
        with open_zip(path) as archive:
            header, summaries = (_document(archive, name) for name in (_HEADER, _SUMMARIES))
    except InputError:
        raise
    except NotImplementedError:
        raise InputError("", "an archive that can be unpacked", "another compression", _ZSTANDARD) from None
    except DAMAGED:
        raise InputError("", f"a log of {TOOL}", "a damaged file or another format") from None
    return _table(header, summaries, names)


def _document(archive: ZipFile, name: str) -> Any:
    if name not in archive.namelist():
        raise InputError("", f"a log of a run that has finished, with {name}", "none", _FINISH)
    require_room(archive.getinfo(name).file_size, name)
    with archive.open(name) as file:
        return json.load(io.BufferedReader(Bounded(file)), object_pairs_hook=each_key_once)


def _table(header: object, samples: object, names: Mapping[str, str]) -> Table:
    status = checked(_Header, header).status
    if status != "success":
        raise InputError("status", "a run that has finished, 'success'", repr(status), _FINISH)
    found = {(each.id, each.epoch): each for each in checked(list[_Sample], samples)}  # the last of what was retried
    rows = [dict(_row(each)) for each in found.values()]
    if any(isinstance(each.id, str) for each in found.values()):
        rows = [{**row, ID: str(row[ID])} for row in rows]
    grades = in_order(path for each in found.values() for path, _ in _grades(each))
    return Log(TOOL, rows, grades).table(names)


def _row(sample: _Sample) -> Iterator[tuple[str, Any]]:
    yield ID, sample.id
    yield RUN, sample.epoch
    yield from scalars("input", sample.input)
    target = sample.target
    yield "target", target[0] if isinstance(target, list) and len(target) == 1 else target
    yield from scalars("metadata", sample.metadata)
    yield from _grades(sample)
    for name, score in (sample.scores or {}).items():
        yield from scalars(f"scores.{name}.answer", score.answer)
        yield from scalars(f"scores.{name}.explanation", score.explanation)


def _grades(sample: _Sample) -> Iterator[tuple[str, Any]]:
    """Find every number that a scorer gave, of which there may be several."""
    for name, score in (sample.scores or {}).items():
        for path, value in scalars(f"scores.{name}.value", score.value):
            yield path, _GRADES.get(value, value) if isinstance(value, str) else value
