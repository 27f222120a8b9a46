"""The history of a baseline, and its trend: what becomes of its versions, by what its gate demands."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby, islice
from pathlib import Path
from typing import Any, TypeAlias

from pytest_bayesf1.baselines.store import Origin, file_stem
from pytest_bayesf1.baselines.versions import SAME, AnchorFile, Scored, Versions, brief_score
from pytest_bayesf1.comparison.arguments import SharedArguments, resolved
from pytest_bayesf1.data.columns import AS_IT_IS, Schema
from pytest_bayesf1.data.prevalence import Prevalence
from pytest_bayesf1.errors import NOT_FOUND, BaselineError, InputError
from pytest_bayesf1.gates.anchor import budget_of, rope_of_total
from pytest_bayesf1.gates.gate_file import Gate, has_baseline, load_gates
from pytest_bayesf1.gates.manifest import Listed, Row, Rows
from pytest_bayesf1.git import CHECKED_OUT, FileVersion, Repository
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.project import FOLDER, baselines_below, folders_from, gate_files, manifest_path
from pytest_bayesf1.results.policy import NOT_WORSE, gravest
from pytest_bayesf1.results.timeline import (
    DELETED,
    ITSELF,
    MOST_POINTS,
    History,
    Trend,
    TrendPoint,
    VersionChange,
    VersionResult,
)
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.text import flowed, one_line

LoadGates: TypeAlias = Callable[[Path, Path], Sequence[Gate[Any]]]

_NAMES = ("measure", "rope", "budget", "hdi_prob", "prevalence", "prior")


@dataclass(frozen=True)
class Demands:
    """What versions of a baseline are compared by: arguments of `compare`, the budget, and how files are read.

    The anchor is the file from which total loss is counted; None where each version holds its own, or there is none.
    """

    measure: str
    rope: Rope
    budget: float
    hdi_prob: float
    prior: str
    anchor: Path | None = None
    reading: Schema = AS_IT_IS
    anchor_reading: Schema = AS_IT_IS
    prevalence: Prevalence | None = None
    human: bool = False
    """Whether people's grades correct those of the gate's newest version."""

    @property
    def arguments(self) -> SharedArguments:
        """Those of a comparison of any two versions, and of an estimate."""
        shared: SharedArguments = {"measure": self.measure, "hdi_prob": self.hdi_prob, "prior": self.prior}
        return {**shared, "prevalence": self.prevalence}

    @classmethod
    def of(
        cls,
        path: Path,
        given: Mapping[str, Any],
        anchor: Path | None = None,
        load: LoadGates = load_gates,
        reading: Schema = AS_IT_IS,
    ) -> "Demands":
        """Find out what is demanded of a baseline; what is said here of reading it comes before what its gate says."""
        found = _of_gate_file(path, load) or _of_manifest(path)
        values = {name: found.get(name) if given.get(name) is None else given[name] for name in _NAMES}
        if values["rope"] is None:
            lacking = "No gate gives a ROPE for this baseline", "Pass one, such as rope: 0.01."
            raise InputError.plain(str(path), *(lacking if path.exists() else NOT_FOUND))
        measure, rope = resolved("measure", values["measure"]), resolved("rope", values["rope"])
        return cls(
            measure,
            rope,
            budget_of(-rope.low, values["budget"], bounded=parse_name(measure).bounded),
            resolved("hdi_prob", values["hdi_prob"]),
            str(resolved("prior", values["prior"])),
            anchor or found.get("anchor"),
            reading.over(found.get("reading", AS_IT_IS)),
            reading.over(found.get("anchor_reading", AS_IT_IS)),
            resolved("prevalence", values["prevalence"] or None),  # a manifest lists none as no text
            human=bool(found.get("human")),
        )


def baselines_at(paths: Sequence[Path], load: LoadGates = load_gates) -> list[Path]:
    """List the baselines at files and folders: what is stored there, else what the folder's gate files name."""
    return [file for path in paths for file in (_baselines_in(path, load) if path.is_dir() else [path])]


def _baselines_in(folder: Path, load: LoadGates) -> list[Path]:
    gates = (gate for file in gate_files(folder) for gate in load(file, folder))
    return list(baselines_below(folder)) or list(
        dict.fromkeys(gate.source.baseline for gate in gates if has_baseline(gate))
    )


def _of_gate_file(path: Path, load: LoadGates) -> Mapping[str, Any]:
    """Return what the first gate demands that names this file as its baseline, in a gate file above it."""
    if FOLDER in path.absolute().parts:
        return {}
    for folder in folders_from(path.parent):
        for file in gate_files(folder):
            for gate in filter(has_baseline, load(file, folder)):
                source = gate.source
                if source.baseline.resolve() == path.resolve():
                    known = {"budget": gate.demand.budget, "anchor": source.anchor}
                    readings = {"reading": source.reading("baseline"), "anchor_reading": source.reading("anchor")}
                    return {**gate.demand.arguments, **known, **readings}
    return {}


def _of_manifest(path: Path) -> Mapping[str, Any]:
    """Return what the manifest lists for the test that this baseline is stored for."""
    stored = path.absolute()
    if stored.parent.parent.name != FOLDER:  # no test's
        return {}
    for root in folders_from(path.parent):
        manifest = manifest_path(root)
        content = CHECKED_OUT.read(manifest)
        if content is not None:
            gates = _gates_of(stored, root, Listed.of(content, manifest).rows)
            return gates[0] if gates else {}
    return {}


def _gates_of(path: Path, root: Path, listed: Rows) -> list[dict[str, Any]]:
    """Find the gates of the test that a baseline is named after; else those of its module, if all demand the same."""
    directory = path.parent
    module = (directory.parent.parent / f"{directory.name}.py").relative_to(root).as_posix()
    of_module = {test: gates for test, gates in listed.items() if test.partition("::")[0] == module}
    name = path.name.removesuffix(".gz").removesuffix(".json")
    named = [gates for test, gates in of_module.items() if file_stem(_baseline_name(test)) == name]
    found = [_values(gate) for gates in named or of_module.values() for gate in gates if "rope" in gate]
    is_clear = bool(named) or all(each == found[0] for each in found)
    return sorted(found, key=lambda each: each["budget"] is None) if is_clear else []


def _baseline_name(test: str) -> str:
    """Return what a test's baseline is called unless the test says otherwise: the id within the module, with dots."""
    names, bracket, parameters = test.partition("::")[2].partition("[")
    return f"{names.replace('::', '.')}{bracket}{parameters}"


def _values(row: Row) -> dict[str, Any]:
    low, high = row["rope"]
    return {name: row.get(name) for name in (*_NAMES, "human")} | {"rope": Rope(low, high, wide=True)}


_FIRST, _EARLIER = "the first", "before the anchor"


@dataclass(frozen=True)
class _Anchor:
    """The file from which the total loss of all versions is counted, among these versions."""

    file: AnchorFile
    blob: str
    position: int
    """Of the first version that is the same file; -1 where none is."""
    words: str
    """Where it is from."""

    @classmethod
    def of(cls, demands: Demands, repository: Repository, listed: Sequence[FileVersion]) -> "_Anchor | None":
        """Find the anchor; None where each version has its own, or there is none."""
        if demands.anchor is None:
            return None
        file = AnchorFile.read(demands.anchor, demands.anchor_reading)
        hashes = [repository.hash_of(each) for each in (file.content, file.content.replace(b"\r\n", b"\n"))]
        for position, version in enumerate(listed):
            if version.blob in hashes:
                return cls(file, version.blob, position, Origin(version.date, version.commit).words)
        return cls(file, hashes[0], -1, one_line(os.path.relpath(demands.anchor)))


def history_of(path: Path, demands: Demands, kept: Path | None = None) -> History:
    """Compare all versions of a baseline that git knows, each with the one before it and with its anchor."""
    repository = Repository.around(path)
    listed = repository.versions(path)
    if not listed:
        raise BaselineError.plain(str(path), "git has no version of it", "Commit it, then ask again.")
    name = parse_name(demands.measure)
    found = Versions(repository, demands.arguments, demands.reading, kept)
    return History(
        file=os.path.relpath(path),
        measure=name.text,
        measure_words=f"{name.words} {demands.prevalence.phrase if demands.prevalence else ''}".rstrip(),
        bounded=name.bounded,
        rope=(demands.rope.low, demands.rope.high),
        budget=demands.budget,
        hdi_prob=demands.hdi_prob,
        shallow=repository.is_shallow,
        by_judge=demands.human,
        versions=tuple(_results(found, listed, demands)),
    )


def _results(found: Versions, listed: Sequence[FileVersion], demands: Demands) -> Iterator[VersionResult]:
    """Yield each version but those that hold the same as the one before them."""
    anchor = _Anchor.of(demands, found.repository, listed)
    before: FileVersion | None = None
    for position, version in enumerate(listed):
        about: Any = {"commit": version.commit, "date": version.date, "subject": version.subject, "file": version.name}
        if not version.blob:
            yield VersionResult(**about, problem=DELETED)
            continue
        try:
            scored = found.score(version)
            change = _FIRST if before is None else found.change(before, version, rope=demands.rope)
            total = _total(found, version, position, anchor, demands)
        except (BaselineError, InputError) as error:
            yield VersionResult(**about, problem=flowed(error.without_advice))
            continue
        before = version
        if change != SAME:
            yield VersionResult(
                **about,
                score=scored.score,
                **_known_or_why("change", change),
                **_known_or_why("total", total),
                anchor=scored.anchor if anchor is None else anchor.words,
                verdict=_verdict(change, total),
            )


def _total(
    found: Versions, version: FileVersion, position: int, anchor: _Anchor | None, demands: Demands
) -> VersionChange | str:
    if anchor is not None and version.blob == anchor.blob:
        return ITSELF
    if anchor is not None and position < anchor.position:
        return _EARLIER
    rope = rope_of_total(demands.rope, demands.budget)
    return found.total(version, None if anchor is None else anchor.file, rope=rope)


def _known_or_why(name: str, found: VersionChange | str) -> dict[str, Any]:
    return {f"why_no_{name}": found} if isinstance(found, str) else {name: found}


def _verdict(*found: VersionChange | str) -> Any:
    """Return the graver of the verdicts that a gate would have reached; none where it compared nothing."""
    changes = [each for each in found if not isinstance(each, str)]
    verdicts = list(map(NOT_WORSE.judge, changes))
    return gravest(verdicts).value if verdicts else ""


_MOST_READ = 2 * MOST_POINTS
"""Versions that a trend reads: some may be damaged, or the same predictions again."""


def trend_of(trend: Trend, root: Path, ref: str, load: LoadGates, kept: Path | None, **given: Any) -> Trend:
    """Find the last scores of a baseline up to a commit, each with the commit that brought it."""
    path = root / trend.file
    try:
        repository = Repository.around(path, ref)
        listed = repository.versions(path)
    except BaselineError:  # no file of a repository
        return trend
    demands = Demands.of(path, given, load=load)
    found = Versions(repository, demands.arguments, demands.reading, kept)
    alike = groupby(_scored(found, listed), key=lambda each: (each[1].test_set, each[1].score.mean, each[1].score.hdi))
    newest_first = [list(group) for _, group in islice(alike, MOST_POINTS)]
    points: list[TrendPoint] = []
    test_set = None
    for *_, (version, oldest) in reversed(newest_first):
        is_new = test_set not in (None, oldest.test_set)
        points.append(TrendPoint(version.date, version.commit, oldest.score.mean, oldest.score.hdi, is_new))
        test_set = oldest.test_set
    anchor = None
    if trend.budget is not None and newest_first:
        anchor = _score_of_anchor(found, newest_first[0][0][0], demands)
    return replace(trend, anchor=anchor, points=tuple(points))


def _scored(found: Versions, listed: Sequence[FileVersion]) -> Iterator[tuple[FileVersion, Scored]]:
    """Yield what can be scored, the newest first."""
    for version in listed[: -_MOST_READ - 1 : -1]:
        if version.blob:
            with suppress(BaselineError, InputError):
                yield version, found.score(version)


def _score_of_anchor(found: Versions, newest: FileVersion, demands: Demands) -> float | None:
    if demands.anchor is not None:
        side = AnchorFile.read(demands.anchor, demands.anchor_reading).side
        return brief_score(side, **demands.arguments).mean
    with suppress(BaselineError, InputError):
        return found.score(newest, of_anchor=True).score.mean
    return None
