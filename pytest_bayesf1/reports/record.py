"""What a test did with classifiers, as plain data for reports, the manifest and other processes; and reading it."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pydantic import TypeAdapter, ValidationError

from pytest_bayesf1 import errors
from pytest_bayesf1.errors import BayesF1Error, ReportError
from pytest_bayesf1.reports.entry import (
    FORMAT,
    MOST_IN_FULL,
    NOWHERE,
    QUIET,
    VERSION,
    Answered,
    AnyEntry,
    ComparisonEntry,
    EstimateEntry,
    Report,
    error_entry,
    room_for_examples,
)
from pytest_bayesf1.results.comparison import MOST_EXAMPLES, ScoreGap
from pytest_bayesf1.results.run import FileUse, Use
from pytest_bayesf1.results.timeline import Trend
from pytest_bayesf1.text import counted, cut
from pytest_bayesf1.words.results import headline
from pytest_bayesf1.writing import seen_from

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.result import Comparison, Estimate
    from pytest_bayesf1.gates.evaluate import GateRun
    from pytest_bayesf1.gates.manifest import Row


Texts: TypeAlias = Literal["", "brief", "full"]


@dataclass(frozen=True, kw_only=True)
class GateRecord:
    """A gate that judged, a comparison that nothing depends on, an error, or the use of a baseline's file.

    Attributes
    ----------
    entries
        What a report says of it: of all the data first.
    row
        What the manifest lists of the gate; None where none is listed.
    loss
        What the gate lost, where it failed or a loss of it is accepted.
    outcome
        What became of the gate, such as ``failed``; empty where nothing was demanded.
    is_next
        Whether the candidate is to replace the baseline that the loss is from.
    files
        Which baselines were used, and how.
    only_undecided
        Whether the gate failed only because the data do not settle the question.
    error
        Name of the kind of error that kept the gate from judging; empty where it judged.
    text
        What `bayesf1 gate` shows of it.
    """

    entries: tuple[AnyEntry, ...] = ()
    row: Mapping[str, Any] | None = None
    loss: Mapping[str, Any] | None = None
    outcome: str = ""
    is_next: bool = False
    files: tuple[FileUse, ...] = ()
    only_undecided: bool = False
    error: str = ""
    text: str = ""


DIED = "its test failed before the gate"
_MOST_OF_SLICE = 10
"""Examples of a slice that failed or warned."""
NO_GATE = dict.fromkeys(("gate", "part", "by", "value", "verdict", "policy", "advice", "way_out", "command"), "")


class Records:
    """Makes the records of one process: the more entries there are, the less each holds.

    Attributes
    ----------
    root
        The folder that files are seen from.
    in_full
        Whether entries have what costs more draws, and the changes.
    is_compared
        Whether gates are compared with a manifest, or written to one; None where none is listed.
    texts
        What records say of gates in words: nothing, in brief what did not pass, or of all everything in full.
    """

    def __init__(
        self, root: Path, *, in_full: bool, is_compared: bool | None = None, texts: Literal["", "brief", "full"] = ""
    ) -> None:
        self._root, self._in_full, self._is_compared, self._texts = root, in_full, is_compared, texts
        self._n_entries = 0

    def of_gate(self, run: "GateRun") -> GateRecord:
        """Record a gate that judged; of the first candidate of a test, which has no baseline, what it demands alone."""
        row = self._row(run)
        if run.source.is_first:
            return GateRecord(row=row)
        loss, outcome = run.lost, run.outcome.value
        moves = run.becomes_baseline and loss is not None and loss.baseline != loss.candidate
        return GateRecord(
            entries=tuple(self._entries(run)),
            row=row,
            loss=None if loss is None else loss.to_dict(),
            outcome=outcome,
            is_next=moves and outcome != "failed",
            only_undecided=run.only_undecided,
            text=self._text(run),
        )

    def _row(self, run: "GateRun") -> "Row | None":
        if self._is_compared is None:
            return None
        from pytest_bayesf1.gates.manifest import row_of  # noqa: PLC0415 (only what is listed has a row)

        return row_of(run, with_test_set=self._is_compared)

    def _text(self, run: "GateRun") -> str:
        in_full = self._texts == "full"
        is_shown = in_full or (self._texts and run.outcome.value != "passed")
        return run.text(in_full=in_full) if is_shown else ""

    def of_comparison(self, comparison: "Comparison") -> GateRecord:
        """Record a comparison that nothing depends on."""
        return GateRecord(entries=(self._entry(comparison, {**NO_GATE, "gate": "compare"}),))

    @staticmethod
    def of_error(error: BayesF1Error) -> GateRecord:
        """Record what kept a test from its answer."""
        kinds = (kind.__name__ for kind in type(error).__mro__)
        public = next(name for name in kinds if hasattr(errors, name))
        return GateRecord(entries=(error_entry(error),), error=public)

    @staticmethod
    def of_death(error: BaseException) -> GateRecord:
        """Record that a test ended before its gate."""
        return GateRecord(entries=(error_entry(DIED),), error=type(error).__name__)

    def of_file(self, use: FileUse) -> GateRecord:
        """Record the use of a file."""
        return GateRecord(files=(replace(use, path=os.path.relpath(use.path, self._root)),))

    def _entries(self, run: "GateRun") -> Iterator[AnyEntry]:
        baseline = run.source.baseline_file
        trend = None if baseline is None else Trend(seen_from(self._root, baseline), run.budget)
        beside: dict[str, Any] = {"notes": run.notes(), "caveats": run.caveats}
        beside |= {"gaps": tuple(each.gap for each in run.gaps), "trend": trend}
        yield self._entry(run.overall.decided, run.whole.said, **beside)
        for verdict in run.judged[1:]:
            yield self._entry(verdict.decided, verdict.said)

    def _entry(self, result: "Comparison | Estimate", said: Mapping[str, str], **beside: Any) -> Answered:
        self._n_entries += 1
        at_length = said["verdict"] != "passed"
        return entry_of(result, said, in_full=self._in_full, n_entries=self._n_entries, at_length=at_length, **beside)


def entry_of(
    result: "Comparison | Estimate",
    said: Mapping[str, str],
    *,
    notes: tuple[str, ...] = (),
    caveats: tuple[str, ...] = (),
    gaps: tuple[ScoreGap, ...] = (),
    trend: Trend | None = None,
    in_full: bool = False,
    n_entries: int = 1,
    at_length: bool = True,
) -> Answered:
    """Make an entry of a result, and of what was said of it, for a report of so many entries, or more.

    In full it has what costs more draws, and the changes. If it is neither in full nor at length, it lacks what takes
    longest to compute.
    """
    from pytest_bayesf1.words import notes as words  # noqa: PLC0415 (a record that is read needs none)

    known = words.caveats(result)
    text: dict[str, Any] = {
        **vars(NOWHERE),
        **NO_GATE,
        **said,
        **result.figures(at_length=in_full or at_length),
        "headline": headline(result),
        "caveats": (*known, *caveats),
        "notes": (*known, *words.remarks(result), *notes),
    }
    if result.kind == "estimate":
        return EstimateEntry(**text)
    from pytest_bayesf1.comparison.changes import changed_values  # noqa: PLC0415 (a record that is read needs none)

    room = min(room_for_examples(n_entries), MOST_EXAMPLES)
    details: dict[str, Any] = {"breakdown": None, "changes": None, "trend": None}
    details["changes"] = None if text["part"] else changed_values(result.provenance.subject, room)
    if in_full and not (n_entries > MOST_IN_FULL and text["verdict"] in QUIET):
        from pytest_bayesf1.comparison.breakdown import breakdown  # noqa: PLC0415 (a record that is read needs none)

        details["breakdown"] = breakdown(result)
        is_lost_slice = text["gate"] == "slices" and text["verdict"] in ("failed", "warned", "accepted")
        most = MOST_EXAMPLES if not text["part"] else _MOST_OF_SLICE if is_lost_slice else 0
        if most and (changes := result.known_changes) is not None:
            details["changes"] = changes.reported(most_examples=min(room_for_examples(n_entries), most))
        details["trend"] = trend
    return ComparisonEntry(**text, **details, gaps=gaps)


_LONGEST_PROBLEM = 300


def load_report(path: Path) -> Report:
    """Read a report.json."""
    try:
        return read_report(path.read_bytes(), str(path))
    except OSError as error:
        raise ReportError([f"{path}: {error.strerror or error}"]) from None


def read_report(text: str | bytes, where: str = "report.json") -> Report:
    """Read what `Report.to_json` wrote; ``where`` names it in errors. What follows from the entries is found anew."""
    try:
        document = json.loads(text)
        _require_version(document)
        said = _adapter(Report).validate_python(document)
    except ValidationError as error:
        raise ReportError([f"{where}: {_first_problem(error)}"]) from None
    except (ValueError, RecursionError) as error:
        raise ReportError([f"{where}: {error}"]) from None
    report = Report.of(said.entries, said.missing, said.changed, said.findings, said.run, said.attempts)
    return replace(report, versions=said.versions)


def read_record(data: Any) -> GateRecord:
    """Read a record that another process of the same run wrote."""
    entries = tuple(map(_adapter(AnyEntry).validate_python, data["entries"]))
    files = tuple(FileUse(Use(each["use"]), each["path"], each["read"], each["about"]) for each in data["files"])
    return GateRecord(**{**data, "entries": entries, "files": files})


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _require_version(document: object) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"expected the format {FORMAT!r}, got something else")
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        advice = "Install the newer pytest-bayesf1 that wrote it."
        raise ValueError(f"expected format version {VERSION}, got {version}. {advice}")


def _first_problem(error: ValidationError) -> str:
    first, *others = error.errors(include_url=False)
    place = ".".join(map(str, first["loc"]))
    more = f" ({counted(len(others), 'more problem')})" if others else ""
    problem = cut(f"{place}: {first['msg']}", _LONGEST_PROBLEM)
    return f"{problem}{more}"
