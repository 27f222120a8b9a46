"""A gate -> what it says: of all the data, and where asked for of every class and every slice."""

import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.gates.gate import Gate
from pytest_bayesf1.gates.gate_result import GateResult
from pytest_bayesf1.gates.judgement import Judgement
from pytest_bayesf1.gates.policy import Policy
from pytest_bayesf1.inputs.pairing import align, pair
from pytest_bayesf1.inputs.side_files import SideFile, alike, read_side
from pytest_bayesf1.session import Session, active
from pytest_bayesf1.stats.counts import ConfusionMatrix
from pytest_bayesf1.stats.labels import Label
from pytest_bayesf1.stats.measure_names import PER_CLASS, parse_name
from pytest_bayesf1.stats.paired_counts import PairedCounts
from pytest_bayesf1.stats.scalars import one_line
from pytest_bayesf1.stats.side_counts import SideCounts

Sides: TypeAlias = tuple[SideCounts | PairedCounts, SideCounts | None]


@dataclass(frozen=True)
class _Part:
    """A comparison besides that of all the data, and the setting that asks for it."""

    name: str
    asked_by: str
    measure: str
    sides: Callable[[], Sides]


def evaluate(gate: Gate) -> GateResult:
    """Compare what the gate names. What stands in its file decides: no setting of the project changes it.

    Raises
    ------
    BaselineError
        When there is no baseline, or none that can be used.
    InputError
        When the candidate cannot be used, or not with this baseline.
    EngineError
        When the posterior cannot be sampled.
    """
    _require_baseline(gate)
    with _baseline_errors():
        baseline = read_side(gate.baseline, "baseline")
    files = alike(baseline, read_side(gate.candidate, "candidate"))
    with active(Session()):
        return _evaluated(gate, *files)


@contextmanager
def _baseline_errors() -> Iterator[None]:
    """Tell a baseline that cannot be used from a candidate."""
    try:
        yield
    except InputError as error:
        raise BaselineError(error.where, error.expected, error.found, error.advice) from None


def _require_baseline(gate: Gate) -> None:
    try:
        is_missing = not gate.baseline.exists()
    except OSError:
        return  # reading it will tell why
    if is_missing:
        file = os.path.relpath(gate.file)
        command = f"bayesf1 baseline update {shlex.quote(file)} --gate {shlex.quote(gate.name)} --new"
        raise BaselineError(
            f"{file}:{gate.line}: gates.{gate.name}.baseline",
            "a file",
            f"none at {os.path.relpath(gate.baseline)}",
            f"To make the candidate the baseline, run: {command}",
        )


def _evaluated(gate: Gate, baseline: SideFile, candidate: SideFile) -> GateResult:
    with _baseline_errors():
        ours = baseline.counts()
    sides = _paired(gate, ours, candidate.counts())
    overall = run_comparison(*sides, **gate.with_measure(gate.measure))
    judgements, left_out = [Judgement.of(overall, gate.policy, gate=gate.demand)], []
    classes = _classes(gate, sides, overall.labels) if gate.per_class else iter(())
    for part in (*classes, *_slices(gate, baseline, candidate)):
        try:
            comparison = run_comparison(*part.sides(), **gate.with_measure(part.measure))
        except InputError as error:
            left_out.append(f"{part.name} could not be compared: {error}")
        else:
            judgements.append(Judgement.of(comparison, Policy.NOT_WORSE, gate=part.asked_by, part=part.name))
    return GateResult(gate, tuple(judgements), tuple(left_out))


def _classes(gate: Gate, sides: Sides, labels: tuple[Label, ...]) -> Iterator[_Part]:
    """List every class: the data stay the same, the measure is about one class."""
    for label in labels:
        yield _Part(f"class {one_line(label)}", "per_class", f"{_of_one_class(gate.measure)}[{label}]", lambda: sides)


def _of_one_class(measure: str) -> str:
    """Return what of one class corresponds to a measure of all."""
    name = parse_name(measure)
    if name.base in PER_CLASS:
        return f"fbeta({name.beta:.15g})" if name.base == "fbeta" else name.base
    return "recall" if name.averaged_rate else "f1"


def _slices(gate: Gate, baseline: SideFile, candidate: SideFile) -> Iterator[_Part]:
    """List every value of every column: the measure stays the same, the data are part of all."""
    for column in gate.slices:
        ours, theirs = baseline.slices(column), candidate.slices(column)
        if not ours.keys() & theirs.keys():
            raise InputError(f"slices: {column}", "a value that both files have", "none: nothing can be compared")
        for value in sorted(ours.keys() | theirs.keys()):
            sides = partial(_counted, ours.get(value), theirs.get(value))
            yield _Part(f"{one_line(column)}={one_line(value)}", "slices", gate.measure, sides)


def _counted(baseline: SideFile | None, candidate: SideFile | None) -> Sides:
    """Count a slice, over the classes of both sides."""
    if baseline is None or candidate is None:
        raise InputError("baseline" if baseline is None else "candidate", "examples of it", "none")
    return baseline.with_classes_of(candidate).counts(), candidate.with_classes_of(baseline).counts()


def _paired(gate: Gate, baseline: SideCounts, candidate: SideCounts) -> Sides:
    """Pair the predictions once for all comparisons, where they are to be paired."""
    ours, theirs = align(baseline, candidate)
    known = ours.predictions is not None and theirs.predictions is not None
    if known and gate.arguments["model"] in ("auto", "paired") and isinstance(ours, ConfusionMatrix):
        return PairedCounts(pair(ours, theirs), ours.labels), None
    return ours, theirs
