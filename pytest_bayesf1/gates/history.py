"""The history of a baseline, and its trend: what becomes of its versions, by what its gate demands."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from pytest_bayesf1.baselines.store import anchor_path, file_stem
from pytest_bayesf1.baselines.versions import Anchor, Versions, brief_score
from pytest_bayesf1.comparison.arguments import Prevalence, SharedArguments, resolved
from pytest_bayesf1.data.columns import AS_IT_IS, Schema
from pytest_bayesf1.errors import NOT_FOUND, BaselineError, InputError
from pytest_bayesf1.gates.anchor import budget_of, rope_of_total
from pytest_bayesf1.gates.gate_file import Gate, has_baseline, load_gates
from pytest_bayesf1.gates.manifest import Listed, Row, Rows
from pytest_bayesf1.git import CHECKED_OUT, Repository
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.project import (
    FOLDER,
    baselines_below,
    folders_from,
    gate_files,
    gate_files_in_or_below,
    manifest_path,
)
from pytest_bayesf1.results.policy import NOT_WORSE, gravest
from pytest_bayesf1.results.timeline import MOST_POINTS, History, Trend, TrendPoint, VersionResult, VersionScore
from pytest_bayesf1.stats.decision import Rope

LoadGates: TypeAlias = Callable[[Path, Path], Sequence[Gate[Any]]]

_NAMES = ("measure", "rope", "budget", "hdi_prob", "prevalence", "prior")


@dataclass(frozen=True)
class Demands:
    """What versions of a baseline are compared by: arguments of `compare`, the budget, and how files are read.

    The anchor is the file from which total loss is counted; None where there is none.
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
            anchor or found.get("anchor") or _stored_anchor(path),
            reading.over(found.get("reading", AS_IT_IS)),
            reading.over(found.get("anchor_reading", AS_IT_IS)),
            resolved("prevalence", values["prevalence"] or None),  # a manifest lists none as no text
            human=bool(found.get("human")),
        )


def baselines_at(paths: Sequence[Path], load: LoadGates = load_gates) -> list[Path]:
    """List the baselines at files and folders: what is stored there, else what the folder's gate files name."""
    return [file for path in paths for file in (_baselines_in(path, load) if path.is_dir() else [path])]


def _baselines_in(folder: Path, load: LoadGates) -> list[Path]:
    gates = (gate for file in gate_files_in_or_below(folder) for gate in load(file, folder))
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


def _stored_anchor(path: Path) -> Path | None:
    """Return the anchor of a stored baseline; None of other files."""
    if path.absolute().parent.parent.name != FOLDER:
        return None
    return next((each for each in (anchor_path(path), path) if each.exists()), None)


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
    name = path.name.removesuffix(".json")
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


def history_of(path: Path, demands: Demands, kept: Path | None = None) -> History:
    """Compare all versions of a baseline that git knows, each with the one before it and with its anchor."""
    repository = Repository.around(path)
    listed = repository.versions(path)
    if not listed:
        raise BaselineError.plain(str(path), "git has no version of it", "Commit it, then ask again.")
    name = parse_name(demands.measure)
    anchor = None
    if demands.anchor is not None:
        anchor = Anchor.read(demands.anchor, demands.anchor_reading).among(listed, repository)
        if demands.anchor != path:
            anchor.side  # noqa: B018 (what is wrong with it is no fault of the versions)
    results = Versions(repository, demands.arguments, demands.reading, kept).walk(
        listed,
        score=True,
        change={"rope": demands.rope},
        total={"rope": rope_of_total(demands.rope, demands.budget)},
        anchor=anchor,
    )
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
        versions=tuple(replace(each, verdict=_verdict(each)) for each in results),
    )


def _verdict(version: VersionResult) -> Any:
    """Return the graver of the verdicts that a gate would have reached; none where it compared nothing."""
    verdicts = [NOT_WORSE.judge(each) for each in (version.change, version.total) if each is not None]
    return gravest(verdicts).value if verdicts else ""


def trend_of(trend: Trend, root: Path, ref: str, load: LoadGates, kept: Path | None, **given: Any) -> Trend:
    """Find the last scores of a baseline up to a commit, each with the commit that brought it."""
    path = root / trend.file
    try:
        repository = Repository.around(path, ref)
        listed = repository.versions(path)
    except BaselineError:  # no file of a repository
        return trend
    demands = Demands.of(path, given, load=load)
    walked = Versions(repository, demands.arguments, demands.reading, kept).walk(listed[-MOST_POINTS:], score=True)
    points: list[TrendPoint] = []
    last: VersionScore | None = None
    for version in walked:
        score = version.score
        if score is not None and score != last:
            is_new = last is not None and score.test_set != last.test_set
            points.append(TrendPoint(version.date, version.commit, score.mean, score.hdi, is_new))
            last = score
    anchor = None
    if trend.budget is not None and points and demands.anchor is not None:
        side = Anchor.read(demands.anchor, demands.anchor_reading).side
        anchor = brief_score(side, **demands.arguments).mean
    return replace(trend, anchor=anchor, points=tuple(points))
