"""A gate -> what it says: of all the data, and where asked for of every class and every slice."""

import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from pytest_bayesf1._util import one_line
from pytest_bayesf1.comparison.breakdown import GROUP_DRAWS, score_gap, shrink
from pytest_bayesf1.comparison.compare import Question
from pytest_bayesf1.comparison.result import Comparison, warn_about
from pytest_bayesf1.comparison.subject import AnySides, aligned
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.files.side import SideFile, alike, read_side
from pytest_bayesf1.gates.gate import Gate
from pytest_bayesf1.gates.gate_result import GateResult
from pytest_bayesf1.gates.groups import GapJudgement
from pytest_bayesf1.gates.judgement import Judgement
from pytest_bayesf1.gates.since_anchor import budget_of, judge_since_anchor
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.results.comparison import Group, nouns_of
from pytest_bayesf1.settings import Session, active

Found: TypeAlias = Judgement | Group | GapJudgement | str
"""What is found of the data or a part of them; of parts that could not be compared why."""
Slices: TypeAlias = Mapping[str, tuple[SideFile | None, SideFile | None]]
"""Both sides by the value of a column."""


def evaluate(gate: Gate) -> GateResult:
    """Compare what the gate names; its file alone decides, no setting of the project changes it.

    Parameters
    ----------
    gate
        Its files are read now.

    Returns
    -------
    GateResult
        Judgements of all the data and of the parts that the gate asks for, and which parts could not be compared.

    Raises
    ------
    BaselineError
        When there is no baseline, or none that can be used.
    InputError
        When the candidate cannot be used, or not with this baseline.
    EngineError
        When the posterior cannot be sampled.
    """
    with gate.warnings():
        _require_file(gate, gate.baseline, "baseline")
        files = _read(gate, gate.baseline, "baseline")
        with active(Session()):
            return _evaluated(gate, *files)


def _read(gate: Gate, path: Path, where: str) -> tuple[SideFile, SideFile]:
    """Read a file that the candidate must not fall behind, and the candidate's in the same way."""
    with _baseline_errors():
        side = read_side(path, where, gate.reading(where))
    return alike(side, read_side(gate.candidate, "candidate", gate.reading("candidate")))


@contextmanager
def _baseline_errors() -> Iterator[None]:
    """Tell a baseline that cannot be used from a candidate."""
    try:
        yield
    except InputError as error:
        raise BaselineError(error.where, error.expected, error.found, error.advice) from None


def _require_file(gate: Gate, path: Path, side: str) -> None:
    try:
        is_missing = not path.exists()
    except OSError:
        return  # reading it will tell why
    if is_missing:
        file = os.path.relpath(gate.file)
        made = "make the candidate the baseline" if side == "baseline" else "begin with the baseline as anchor"
        raise BaselineError(
            f"{file}:{gate.line}: gates.{gate.name}.{side}",
            "a file",
            f"none at {os.path.relpath(path)}",
            f"To {made}, run: {_update_command(gate, 'new')}",
        )


def _update_command(gate: Gate, mode: str) -> str:
    return f"bayesf1 baseline update {shlex.quote(os.path.relpath(gate.file))} --gate {shlex.quote(gate.name)} --{mode}"


def _evaluated(gate: Gate, baseline: SideFile, candidate: SideFile) -> GateResult:
    with _baseline_errors():
        counts = baseline.counts()
    question = Question.of(aligned(counts, candidate.counts()), **gate.with_measure(gate.measure))
    columns = {column: _slices_by(column, baseline, candidate) for column in gate.slices}
    gate = _sharing(gate, question, columns)
    whole, *others = _overall_and_classes(gate, question)
    assert isinstance(whole, Judgement)
    found: list[Found] = [*others, *(each for column in columns.items() for each in _of_slices(gate, whole, *column))]
    budget = budget_of(whole.comparison, gate.budget) if gate.anchor else None
    return GateResult(
        gate,
        tuple(each for each in (whole, *found) if isinstance(each, Judgement)),
        tuple(each for each in found if isinstance(each, str)),
        budget,
        () if budget is None else tuple(_since_anchor(gate, whole, budget)),
        tuple(each for each in found if isinstance(each, Group)),
        tuple(each for each in found if isinstance(each, GapJudgement)),
    )


def _sharing(gate: Gate, question: Question, columns: Mapping[str, Slices]) -> Gate:
    """Tell a gate's family how many comparisons can make the gate fail, before any is made."""
    if gate.max_gap is not None and gate.max_gap >= 1 and question.measure(gate.measure).bounded:
        raise InputError("max_gap", "a difference of scores, such as 0.05 for five points", f"{gate.max_gap:g}")
    if gate.family is None:
        return gate
    n_classes = len(question.subject.true_labels) if gate.per_class else 0
    n_gaps = len(columns) if gate.max_gap is not None else 0
    n = 1 + (gate.anchor is not None) + n_classes + sum(map(len, columns.values())) + n_gaps
    family = replace(gate.family, n_comparisons=n)
    family.require_resolvable()
    return replace(gate, family=family)


def _since_anchor(gate: Gate, first: Judgement, budget: float) -> Iterator[Judgement]:
    """Judge the total loss, unless the anchor is the baseline itself, with which the candidate is compared already."""
    assert gate.anchor is not None
    _require_file(gate, gate.anchor, "anchor")
    read_alike = gate.reading("anchor") == gate.reading("baseline")
    if read_alike and gate.anchor.read_bytes() == gate.baseline.read_bytes():
        return
    anchor, candidate = _read(gate, gate.anchor, "anchor")
    with _baseline_errors():
        counts = anchor.counts()
    judgement = judge_since_anchor(
        aligned(counts, candidate.counts()),
        gate.with_measure(gate.measure),
        first,
        budget,
        tail=gate.tail,
        origin=one_line(os.path.relpath(gate.anchor)),
        count_anew=_update_command(gate, "anchor"),
    )
    without_draws = replace(judgement, comparison=judgement.comparison.without_draws(), gate="anchor")
    yield without_draws if gate.family is None else gate.family.judged(without_draws)


def _overall_and_classes(gate: Gate, question: Question) -> Iterator[Found]:
    """Judge all the data, and where asked for every class: the data stay the same, the measure is about one class."""
    names, measures, left_out = [""], [question.measure(gate.measure)], []
    _, category = nouns_of(question.subject.units)
    for label in question.subject.true_labels if gate.per_class else ():
        name = f"{category} {one_line(label)}"
        try:
            measures.append(question.measure(_of_one_class(gate.measure, label)))
        except InputError as error:
            left_out.append(_left_out(name, error))
        else:
            names.append(name)
    classes = {}
    for name, comparison in zip(names, question.answers(measures, gate.tail), strict=True):
        if name:
            classes[name] = comparison.without_draws()
        else:
            warn_about(comparison)
        yield gate.judged(comparison.without_draws(), name, "per_class")
    yield from left_out
    yield from _shrunk(category, classes)


def _left_out(part: str, error: InputError) -> str:
    return f"{part} could not be compared: {error}"


def _of_one_class(measure: str, label: Label) -> str:
    """Return what of one class corresponds to a measure of all."""
    name = parse_name(measure)
    base = f"fbeta({name.beta:.15g})" if name.base == "fbeta" else name.class_base
    return f"{base}[{label}]" if name.threshold is None else f"{base}[{label}]@{name.threshold!r}"


def _slices_by(column: str, baseline: SideFile, candidate: SideFile) -> Slices:
    """Return both sides of every value of a column; None where a side has no examples of it."""
    of_baseline, of_candidate = baseline.slices(column), candidate.slices(column)
    if not of_baseline.keys() & of_candidate.keys():
        raise InputError(f"slices: {column}", "a value that both files have", "none: nothing can be compared")
    values = sorted(of_baseline.keys() | of_candidate.keys())
    return {value: (of_baseline.get(value), of_candidate.get(value)) for value in values}


def _of_slices(gate: Gate, whole: Judgement, column: str, slices: Slices) -> Iterator[Found]:
    """Judge every value of a column, and how far apart they are: the measure stays the same, the data are a part."""
    compared = {}
    for value, sides in slices.items():
        name = f"{one_line(column)}={one_line(value)}"
        try:
            question = Question.of(_counted(*sides), **gate.with_measure(gate.measure))
            (comparison,) = question.answers([question.measure(gate.measure)], gate.tail)
        except InputError as error:
            yield _left_out(name, error)
        else:
            compared[name] = comparison.thinned(GROUP_DRAWS)
            yield gate.judged(comparison.without_draws(), name, "slices")
    for group in _shrunk(column, compared):
        if isinstance(group, Group):
            gap = score_gap(compared, limit=gate.max_gap)
            yield replace(group, gap=gap)
            yield GapJudgement.of(group, gap, whole.comparison, gate.family)
        else:
            yield group


def _shrunk(by: str, compared: Mapping[str, Comparison]) -> Iterator[Group | str]:
    """Shrink two parts or more toward each other."""
    if len(compared) > 1:
        try:
            yield shrink(compared, by=by)
        except InputError as error:
            yield f"{one_line(by)}: the parts could not be shrunk toward each other: {error}"


def _counted(baseline: SideFile | None, candidate: SideFile | None) -> AnySides:
    """Count a slice, over the classes of both sides."""
    if baseline is None or candidate is None:
        raise InputError("baseline" if baseline is None else "candidate", "examples of it", "none")
    counts = baseline.with_classes_of(candidate).counts(), candidate.with_classes_of(baseline).counts()
    return aligned(*counts)
