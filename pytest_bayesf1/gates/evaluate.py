"""A gate -> its result: both sides read, compared, and judged with all classes, slices and the anchor.

A gate that compares with the last baseline alone cannot see a loss that comes in steps, each of which it tolerates.
"""

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from pytest_bayesf1.choices import Model, OnNewTestSet
from pytest_bayesf1.comparison.arguments import CompareArguments, Offered, SharedArguments, offered, resolved
from pytest_bayesf1.comparison.breakdown import GROUP_DRAWS, score_gap
from pytest_bayesf1.comparison.compare import Comparison, ComparisonTask, run_estimate, warn_about
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.data.paired import Side, digests_of, how_to_pair
from pytest_bayesf1.data.scores import by_label
from pytest_bayesf1.errors import BaselineError, InputError, arg, spelt_as
from pytest_bayesf1.files.side import SideFile, alike, read_runs, read_side
from pytest_bayesf1.files.tables import value_text
from pytest_bayesf1.gates.acceptance import NO_ANSWER, Answer, JudgedGate, answer_for
from pytest_bayesf1.gates.gate_file import Demands, Family, Gate, files_of
from pytest_bayesf1.gates.policy import Judgement, Policy, Verdict, gravest, shown
from pytest_bayesf1.git import CHECKED_OUT, FileSource
from pytest_bayesf1.labelling import Labelling
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.results.comparison import ScoreGap, nouns_of
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.formatting import Amounts, likely
from pytest_bayesf1.session import Record, Session, active, current_session
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.text import brief, counted, first_few, indented, level, named, one_line, scale_of


@dataclass(frozen=True)
class GapJudgement:
    """A gate's verdict on a gap between slices."""

    gap: ScoreGap
    verdict: Verdict
    text: str
    """The gap in a sentence."""
    advice: str
    """What to do about one that is too wide; empty for one that passed."""

    @classmethod
    def of(cls, gap: ScoreGap, overall: Comparison, family: Family | None) -> "GapJudgement":
        """Judge a gap: it fails where its whole interval lies above the limit."""
        text = format_gap(gap, overall)
        if not gap.is_too_wide:
            return cls(gap, Verdict.PASSED, text, "")
        assert gap.limit is not None
        assert gap.p_value is not None
        scale = scale_of(custom_measure=overall.custom_measure)
        allowed = scale.amount(f"{scale.factor * gap.limit:g}")
        wide = f"The gap by {one_line(gap.by)} is wider than the {allowed} of max_gap"
        if family is not None and gap.p_value >= family.tail:
            return cls(gap, Verdict.WARNED, text, f"{wide} on its own. {family.within_chance(gap.p_value)}")
        return cls(
            gap,
            Verdict.FAILED,
            text,
            f"{wide}: find what {one_line(gap.worst)} lacks, or allow more in a commit that says why.",
        )


def format_gap(gap: ScoreGap, overall: Comparison) -> str:
    """Write a gap in a sentence."""
    amounts = Amounts.of(overall, gap.candidate.interval)
    (best, worst), unit = map(one_line, (gap.best, gap.worst)), one_line(overall.measure_words)
    baseline = f"{amounts.size(gap.baseline.estimate)} ({amounts.spoken(gap.baseline.interval)})"
    return (
        f"The candidate's best and worst slices by {one_line(gap.by)}, {best} and {worst}, are "
        f"{amounts.size(gap.candidate.estimate)} of {unit} apart ({likely(overall)} "
        f"{amounts.spoken(gap.candidate.interval)}); the baseline's, {baseline}."
    )


_MOST_OTHERS = 3
"""Failed classes and slices that a short message names after the first."""


@dataclass(frozen=True)
class GateResult:
    """What a gate says.

    Attributes
    ----------
    judgements
        Of all the data, then of every class and slice.
    left_out
        Classes and slices that could not be compared, and why.
    budget
        The loss since the anchor that is tolerated in all; None where the gate has no anchor.
    since_anchor
        The judgement of it; none where there is no anchor, or it is the baseline itself.
    gaps
        What is said of the gap between the best and the worst slice of each column.
    answer
        How a failure could be accepted.
    """

    gate: Demands
    judgements: tuple[Judgement, ...]
    left_out: tuple[str, ...]
    budget: float | None = None
    since_anchor: tuple[Judgement, ...] = ()
    gaps: tuple[GapJudgement, ...] = ()
    answer: Answer = NO_ANSWER

    @property
    def overall(self) -> Judgement:
        """The judgement of all the data, by the gate's own policy."""
        return self.judgements[0]

    @property
    def failed(self) -> tuple[Judgement, ...]:
        """Judgements that fail the gate."""
        return tuple(each for each in self._all if each.verdict is Verdict.FAILED)

    @property
    def verdict(self) -> Verdict:
        """The anchor, a class, a slice or a gap can make a gate fail; where its family lifts that, the gate warns.

        A part that is leaning worse does not: among many some are by chance.
        """
        grave = (Verdict.FAILED, Verdict.ACCEPTED)
        parts = (each.verdict for each in self._all if each.verdict in grave or each.lifted)
        return gravest([self.overall.verdict, *parts, *(each.verdict for each in self.gaps)])

    @property
    def lifted(self) -> bool:
        """Whether any failure was downgraded to a warning."""
        return any(each.lifted for each in self._all)

    @property
    def only_undecided(self) -> bool:
        """Whether it failed only because the data do not settle the question."""
        if any(each.verdict is Verdict.FAILED for each in self.gaps):
            return False
        return bool(self.failed) and all(each.undecided for each in self.failed)

    @property
    def _all(self) -> tuple[Judgement, ...]:
        return (self.overall, *self.since_anchor, *self.judgements[1:])

    @property
    def false_alarms(self) -> float:
        """How many classes and slices would be expected to fail if no true difference went beyond the ROPE."""
        return len(self.judgements[1:]) * (1 - self.overall.result.hdi_prob) / 2

    def notes(self) -> tuple[str, ...]:
        """Say what a careful reader should know about the number of comparisons, and about how far apart parts are."""
        gaps = (each.text for each in self.gaps)
        return (*self.gate.notes, *self._on_looks(), *self._on_chance(), *gaps, *self.left_out)

    def without_draws(self) -> "GateResult":
        """Return the same without draws of all the data: many then fit into memory."""
        overall = replace(self.overall, result=self.overall.comparison.without_draws())
        return replace(self, judgements=(overall, *self.judgements[1:]))

    def answered(self, answer: Answer) -> "GateResult":
        """Return the result with what is to be said of its failures."""
        if answer.accepted is None:
            return replace(self, answer=answer)
        why = answer.accepted.words
        return replace(
            self,
            judgements=tuple(map(answer.of, self.judgements)),
            since_anchor=tuple(map(answer.of, self.since_anchor)),
            gaps=tuple(
                replace(each, verdict=Verdict.ACCEPTED, advice=why) if each.verdict is Verdict.FAILED else each
                for each in self.gaps
            ),
        )

    def _on_looks(self) -> Iterator[str]:
        if self.gate.looks is not None:
            whole = self.overall.comparison
            yield self.gate.looks.note(min(whole.n_samples), whole.hdi_prob)

    def _on_chance(self) -> Iterator[str]:
        parts, family = self.judgements[1:], self.gate.family
        n_failed = sum(each.verdict is Verdict.FAILED for each in parts)
        failed = f"{n_failed:,} of {len(parts):,} classes and slices failed"
        if family is not None:
            kept = f"the chance of any false failure in {family} is kept below {level(family.level)}"
            yield f"{failed}; {kept}." if parts else f"{kept[0].upper()}{kept[1:]}."
        elif parts:
            well = "none truly lost more than you allow" if self.gate.floor is None else "all truly reach the floor"
            yield f"{failed}. If {well}, expect up to {self.false_alarms:.2g} to fail by chance."

    def records(self) -> list[Record]:
        """Return every comparison's record; that of all the data has the notes, the gaps and the advice on them."""
        overall, *others = self._all
        verdict = gravest([overall.verdict, *(each.verdict for each in self.gaps)])
        advice = " ".join(dict.fromkeys(filter(None, [overall.advice, *self._on_gaps])))
        if verdict is Verdict.FAILED and self.answer.way_out:
            advice = f"{advice}\n{self.answer.way_out}"
        first = replace(
            overall.record(self.notes()),
            verdict=verdict,
            advice=advice,
            gaps=tuple(each.gap for each in self.gaps),
            baseline=self.gate.baseline if self.gate.has_baseline else None,
            budget=self.budget,
        )
        return [first, *(self.answer.of(judgement).record() for judgement in others)]

    @property
    def _on_gaps(self) -> list[str]:
        return [each.advice for each in self.gaps if each.advice]

    @property
    def message(self) -> str:
        """What the reader of a gate that did not plainly pass needs to know, as the session shows it."""
        in_full = current_session().in_full
        return shown(self.text(in_full=in_full), leaves_out=self.verdict is Verdict.FAILED and not in_full)

    def text(self, *, in_full: bool) -> str:
        """Write the worst failure with its figures, and name the others, or in full give each a line."""
        accepted = tuple(each for each in self._all if each.verdict is Verdict.ACCEPTED)
        grave = self.failed or accepted or tuple(each for each in self._all if each.lifted) or (self.overall,)
        first, *others = sorted(grave, key=lambda each: (bool(each.part), -each.beyond))
        notes = self.notes() if in_full else [each.text for each in self.gaps if each.advice]
        also = [named("also failed", first_few((brief(each.part) for each in others), _MOST_OTHERS))] if others else []
        if in_full and others:
            also = ["  Also failed, the worst first:", *(f"    {each.line}" for each in others)]
        way_out = [] if self.failed or self.verdict is not Verdict.FAILED else filter(None, [self.answer.way_out])
        rest = map(indented, (*self._on_gaps, *way_out, *notes))
        return "\n".join([self.answer.of(first).format(in_full=in_full), *also, *rest])


PART = "since the anchor"
_OF_ROPE = 2


def budget_of(comparison: Comparison, given: float | None = None) -> float:
    """Decide how much may be lost in all since the anchor."""
    return total_budget(-comparison.rope[0], given, bounded=not comparison.custom_measure)


def total_budget(tolerated: float, given: float | None = None, *, bounded: bool) -> float:
    """Decide the same where nothing was compared yet."""
    budget: float | None = resolved("budget", given)
    if budget is None:
        return _OF_ROPE * tolerated if not bounded or _OF_ROPE * tolerated < 1 else tolerated
    if budget >= 1 and bounded:
        raise InputError(arg("budget"), "a difference of scores, such as 0.02 for two points", f"{budget:g}")
    return budget


def rope_of_total(rope: Rope, budget: float) -> Rope:
    """Return the differences from the anchor that do not matter."""
    return Rope(-budget, max(budget, rope.high), wide=True)


def judge_since_anchor(
    sides: Sides,
    arguments: CompareArguments,
    first: Judgement,
    budget: float,
    *,
    tail: float = 1.0,
    origin: str = "",
    count_anew: str = "",
) -> Judgement:
    """Compare with the anchor and judge: significantly more may not be lost than the budget."""
    of_total = arguments.copy()
    of_total.pop("agreement", None)  # it is about the baseline
    of_total["rope"] = rope_of_total(Rope(*first.comparison.rope), budget)
    try:
        task = ComparisonTask.of(sides, **of_total)
    except InputError as error:  # of the anchor, for with the baseline the candidate was compared
        advice = f"Count total loss from this candidate on: {count_anew}"
        raise BaselineError("anchor", error.expected, error.found, advice) from None
    (comparison,) = task.answers([task.measure(task.options.measure)], tail)
    judgement = Judgement.of(comparison, Policy.NOT_WORSE, first.gate, PART)
    anchor = f"the anchor ({origin})" if origin else "the anchor"
    match comparison.decision:
        case Decision.MUCH_WORSE:
            text = f"Find what was lost on the way: {_lost(comparison, first, anchor, budget)}."
        case Decision.WORSE | Decision.UNDECIDED:
            text = f"Test on more examples: these cannot tell whether more is lost since {anchor} than the budget of "
            text += f"{_amount(comparison, budget)}."
        case Decision.MUCH_BETTER:
            text = f"The candidate is better than {anchor}. To count total loss from it on:\n    {count_anew}"
        case _:
            text = ""
    return replace(judgement, advice=text)


def _lost(comparison: Comparison, first: Judgement, anchor: str, budget: float) -> str:
    amounts = Amounts.of(comparison)
    begin = "since" if first.verdict is Verdict.FAILED else "each step was within what you tolerate, but since"
    fallen = f"{one_line(comparison.measure_words)} has fallen by {amounts.size(comparison.change)}"
    more = f"more than the budget of {_amount(comparison, budget)}"
    return f"{begin} {anchor} {fallen} ({likely(comparison)} {amounts.spoken(comparison.hdi)}), {more}"


def _amount(comparison: Comparison, budget: float) -> str:
    scale = scale_of(custom_measure=comparison.custom_measure)
    return scale.amount(f"{scale.factor * budget:g}")


Found: TypeAlias = Judgement | GapJudgement | str
"""A judgement or a gap; or why a part could not be compared."""
SliceValues: TypeAlias = Mapping[str, Sequence[str]]
"""By column, the value of every example of the candidate, as text."""
Slices: TypeAlias = Mapping[str, Callable[[], Sides] | InputError]
"""By the value of a column what counts both sides of it, which may raise `InputError`; or why one side has none."""


def evaluate(gate: Gate, files: FileSource = CHECKED_OUT) -> GateResult:
    """Compare what the gate names; its file alone decides, no setting of the project changes it.

    ``files`` are those that baseline and anchor are read from.
    """
    if gate.pool is not None:
        return _of_pool(gate, gate.pool)
    if gate.floor is not None:
        return _of_floor(gate, gate.floor)
    with gate.warnings(), spelt_as(gate.spelling):
        baseline, candidate = _read(gate, gate.baseline, "baseline", files)
        with active(Session()):
            result = _evaluated(gate, baseline, candidate, files)
    gap_failed = any(each.verdict is Verdict.FAILED for each in result.gaps)
    judged = (result.overall, *result.since_anchor, *result.judgements[1:])
    replaced = files.changed(gate.baseline)
    judged_gate = JudgedGate(
        judged, lambda: digests_of(baseline.counts(), candidate.counts()), has_gap=gap_failed, replaced=replaced
    )
    return result.answered(answer_for(judged_gate))


def _of_pool(gate: Gate, path: Path) -> GateResult:
    """Compare on what is labelled of a pool so far."""
    with gate.warnings(), spelt_as(gate.spelling):
        labelling = Labelling.read(path, gate.labels)
        with active(Session()):
            task = ComparisonTask.of(labelling.pool, **gate.arguments)
            gate = _sharing(gate, task, {})
            result = replace(judge(*_at_this_look(gate, task)).without_draws(), gate=gate)
            warn_about(result.overall.result.warnings())
    return result.answered(answer_for(JudgedGate(result.judgements, lambda: labelling.pool.digests)))


_OF_ESTIMATES = [argument.name for argument in offered(Offered.FLOOR) if argument.offered & Offered.GATE]


def _of_floor(gate: Gate, floor: float) -> GateResult:
    """Set the score of one file, and of every class and slice that is asked for, against the floor."""
    arguments: SharedArguments = {name: gate.arguments.get(name) for name in _OF_ESTIMATES}  # type: ignore[assignment]
    with gate.warnings(), spelt_as(gate.spelling), active(Session()):
        files = (*files_of(gate.candidate), *gate.further_runs)
        file = read_runs(files, "candidate", gate.reading("candidate"))
        counts = file.counts()
        whole = run_estimate(counts, floor, gate.run_sd, **arguments)
        warn_about(whole.warnings())
        found: list[Found] = [gate.judged(whole, "", "")]
        for label in whole.provenance.subject.true_labels if gate.per_class else ():
            of_class: SharedArguments = {
                **arguments,
                "measure": parse_name(str(gate.arguments["measure"])).of_class(label),
            }
            found.append(_part_of_floor(gate, f"{whole.category} {one_line(label)}", "per_class", counts, of_class))
        for column in gate.slices:
            for value, part in file.slices(column).items():
                name = f"{one_line(column)}={one_line(value)}"
                of_slice = part.with_classes_of(file).counts()
                found.append(_part_of_floor(gate, name, "slices", of_slice, arguments))
    left_out = tuple(each for each in found if isinstance(each, str))
    gate = replace(gate, missing_runs=file.n_missing_runs)
    return GateResult(gate, tuple(each for each in found if isinstance(each, Judgement)), left_out)


def _part_of_floor(gate: Gate, name: str, asked_by: str, side: Side, arguments: SharedArguments) -> Judgement | str:
    assert gate.floor is not None
    try:
        return gate.judged(run_estimate(side, gate.floor, **arguments), name, asked_by)
    except InputError as error:
        return _left_out(name, error)


def _read(gate: Gate, path: Path, where: str, files: FileSource) -> tuple[SideFile, SideFile]:
    """Read a file that the candidate must not fall behind, and the candidate's in the same way."""
    copy = files.copy(path)
    if _is_missing(copy):
        raise _without_file(gate, path, where)
    with _baseline_errors():
        name = "" if copy == path else f"{os.path.relpath(path)} of the base commit"
        side = read_side(copy, where, gate.reading(where), name=name)
    return alike(side, read_side(gate.candidate, "candidate", gate.reading("candidate")))


@contextmanager
def _baseline_errors() -> Iterator[None]:
    """Raise `BaselineError` for a baseline that cannot be used."""
    try:
        yield
    except InputError as error:
        raise BaselineError(error.where, error.expected, error.found, error.advice) from None


def _is_missing(path: Path) -> bool:
    try:
        return not path.exists()
    except OSError:
        return False  # reading it will say why


def _without_file(gate: Gate, path: Path, side: str) -> BaselineError:
    made = "make the candidate the baseline" if side == "baseline" else "begin with the baseline as anchor"
    return BaselineError(
        f"{os.path.relpath(gate.file)}:{gate.line}: gates.{gate.name}.{side}",
        "a file",
        f"none at {os.path.relpath(path)}",
        f"To {made}, run: {_update_command(gate, 'new')}",
    )


def _update_command(gate: Gate, mode: str) -> str:
    return f"bayesf1 baseline update {shlex.quote(os.path.relpath(gate.file))} --gate {shlex.quote(gate.name)} --{mode}"


def _evaluated(gate: Gate, baseline: SideFile, candidate: SideFile, files: FileSource) -> GateResult:
    with _baseline_errors():
        counts = baseline.counts()
    task = ComparisonTask.of(Sides.aligned(counts, candidate.counts()), **gate.arguments)
    columns = {column: _slices_by(gate, column, baseline, candidate) for column in gate.slices}
    gate = replace(_sharing(gate, task, columns), missing_runs=candidate.n_missing_runs)
    judged_by, task = _at_this_look(gate, task)
    result = replace(judge(judged_by, task, columns).without_draws(), gate=gate)
    warn_about(result.overall.result.warnings())
    if not gate.anchor:
        return result
    budget = budget_of(result.overall.comparison, gate.budget)
    return replace(result, budget=budget, since_anchor=tuple(_since_anchor(judged_by, result.overall, budget, files)))


def judge(gate: Demands, task: ComparisonTask, columns: Mapping[str, Slices] = MappingProxyType({})) -> GateResult:
    """Judge all the data, every class where that is asked for, and every slice."""
    whole, *others = _overall_and_classes(gate, task)
    assert isinstance(whole, Judgement)
    found = [*others, *(each for column in columns.items() for each in _of_slices(gate, whole, *column))]
    return GateResult(
        gate,
        tuple(each for each in (whole, *found) if isinstance(each, Judgement)),
        tuple(each for each in found if isinstance(each, str)),
        gaps=tuple(each for each in found if isinstance(each, GapJudgement)),
    )


def judge_sides(
    gate: Demands, baseline: Any, candidate: Any = None, values: SliceValues = MappingProxyType({})
) -> GateResult:
    """Compare two sides and judge. With ``values``, of `slice_values`, the baseline is `Sides`, which are both."""
    task = ComparisonTask.of(baseline, candidate, **gate.arguments)
    if values and task.subject.model != Model.PAIRED:
        expected = "sides whose predictions of the same examples pair up"
        raise InputError(arg("slices"), expected, f"sides that are compared by the {task.subject.model} model")
    if values and task.options.earlier is not None:
        raise InputError(arg("prior"), "one without earlier counts, which no slice shares", str(task.options.prior))
    return judge(gate, task, {column: _cut(baseline, of_column) for column, of_column in values.items()})


def slice_values(candidate: Side, slices: Any) -> dict[str, list[str]]:
    """Check columns with a value per example of the candidate, or one such column, and write the values as text."""
    if candidate.predictions is None:
        expected = "predictions, which alone have slices"
        raise InputError(arg("slices"), expected, "bare counts", how_to_pair(candidate))
    if candidate.predictions.runs is not None and candidate.predictions.ids is not None:
        raise InputError(
            arg("slices"), "one prediction per example", "several runs", "Gate files slice runs by a column."
        )
    columns = by_label(slices)
    if columns is None:
        columns = {getattr(slices, "name", None) or "slice": slices}
    return {str(name): _values(values, f"slices: {name}", candidate.n_samples) for name, values in columns.items()}


def _values(values: Any, where: str, n: int) -> list[str]:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        expected = "an array with one value per example of the candidate"
        raise InputError(where, expected, type(values).__name__, "Pass slices={'language': languages}.")
    listed = list(values)
    for position, value in enumerate(listed):
        if isinstance(value, Iterable) and not isinstance(value, str):
            raise InputError(f"{where}, position {position}", "one value per example", type(value).__name__)
    if len(listed) != n:
        raise InputError(where, f"{counted(n, 'value')}, one per example of the candidate", f"{len(listed):,}")
    return [value_text(value) for value in listed]


def _cut(sides: Sides, values: Sequence[str]) -> Slices:
    """Cut both sides by the values of the candidate's examples, which the baseline's have by id or by position."""
    baseline, candidate = sides.baseline.predictions, sides.candidate.predictions
    of_baseline: Sequence[str | None] = values
    if candidate.ids is not None:
        by_id = dict(zip(candidate.ids.tolist(), values, strict=True))
        of_baseline = [by_id.get(each) for each in baseline.ids.tolist()]
    rows: dict[str, tuple[list[int], list[int]]] = {value: ([], []) for value in sorted(set(values))}
    for side, of_side in enumerate((of_baseline, values)):
        for position, value in enumerate(of_side):
            if value is not None:
                rows[value][side].append(position)
    return {value: partial(_part_of, sides, *positions) for value, positions in rows.items()}


def _part_of(sides: Sides, baseline: list[int], candidate: list[int]) -> Sides:
    if not baseline:
        raise InputError(arg("baseline"), "examples of it", "none")
    parts = (
        side.predictions.in_order(rows) for side, rows in ((sides.baseline, baseline), (sides.candidate, candidate))
    )
    return sides.of_examples(*parts).sharing()


def _sharing(gate: Gate, task: ComparisonTask, columns: Mapping[str, Slices]) -> Gate:
    """Count the comparisons that can make the gate fail, which share its family's level, before any is made."""
    if gate.max_gap is not None and gate.max_gap >= 1 and task.measure(task.options.measure).bounded:
        raise InputError(arg("max_gap"), "a difference of scores, such as 0.05 for five points", f"{gate.max_gap:g}")
    if gate.family is None:
        return gate
    n_classes = len(task.subject.true_labels) if gate.per_class else 0
    n_gaps = len(columns) if gate.max_gap is not None else 0
    n_slices = sum(callable(each) for slices in columns.values() for each in slices.values())
    n = 1 + (gate.anchor is not None) + n_classes + n_slices + n_gaps
    family = replace(gate.family, n_comparisons=n)
    family.require_resolvable()
    return replace(gate, family=family)


def _at_this_look(gate: Gate, task: ComparisonTask) -> tuple[Gate, ComparisonTask]:
    """Judge the whole and all parts by the level that this share of the planned examples asks for."""
    if gate.looks is None:
        return gate, task
    hdi_prob = gate.looks.prob_at(min(task.subject.n_samples), task.options.hdi_prob)
    at_look: CompareArguments = {**gate.arguments, "hdi_prob": hdi_prob}
    return replace(gate, arguments=at_look), replace(task, options=replace(task.options, hdi_prob=hdi_prob))


def _since_anchor(gate: Gate, first: Judgement, budget: float, files: FileSource) -> Iterator[Judgement]:
    """Judge the total loss, unless the anchor is the baseline itself, with which the candidate is compared already."""
    assert gate.anchor is not None
    read_alike = gate.reading("anchor") == gate.reading("baseline")
    if read_alike and files.read(gate.anchor) == files.read(gate.baseline):
        return
    anchor, candidate = _read(gate, gate.anchor, "anchor", files)
    with _baseline_errors():
        counts = anchor.counts()
    judgement = judge_since_anchor(
        Sides.aligned(counts, candidate.counts()),
        gate.arguments,
        first,
        budget,
        tail=gate.tail,
        origin=one_line(os.path.relpath(gate.anchor)),
        count_anew=_update_command(gate, "anchor"),
    )
    without_draws = replace(judgement, result=judgement.comparison.without_draws(), gate="anchor")
    yield without_draws if gate.family is None else gate.family.judged(without_draws)


def _overall_and_classes(gate: Demands, task: ComparisonTask) -> Iterator[Found]:
    """Judge all the data, and where asked for every class: the data stay the same, the measure is about one class."""
    asked = task.options.measure
    if gate.per_class and not isinstance(asked, str):
        raise InputError(arg("per_class"), "a measure by its name, to take that of every class", type(asked).__name__)
    names, measures, left_out = [""], [task.measure(asked)], []
    _, category = nouns_of(task.subject.clusters)
    for label in task.subject.true_labels if gate.per_class else ():
        name = f"{category} {one_line(label)}"
        try:
            measures.append(task.measure(parse_name(str(asked)).of_class(label)))
        except InputError as error:
            left_out.append(_left_out(name, error))
        else:
            names.append(name)
    for name, comparison in zip(names, task.answers(measures, gate.tail), strict=True):
        yield gate.judged(comparison.without_draws() if name else comparison, name, "per_class")
    yield from left_out


def _left_out(part: str, error: InputError) -> str:
    return f"{part} could not be compared: {error}"


def _slices_by(gate: Gate, column: str, baseline: SideFile, candidate: SideFile) -> Slices:
    of_baseline, of_candidate = baseline.slices(column), candidate.with_values_of(baseline, column).slices(column)
    if not of_baseline.keys() & of_candidate.keys():
        raise InputError(f"slices: {column}", "a value that both files have", "none: nothing can be compared")
    values = sorted(of_baseline.keys() | of_candidate.keys())
    return {value: _slice(gate, of_baseline.get(value), of_candidate.get(value)) for value in values}


def _of_slices(gate: Demands, whole: Judgement, column: str, slices: Slices) -> Iterator[Found]:
    """Judge every value of a column, and how far apart they are: the measure stays the same, the data are a part."""
    compared = {}
    for value, count in slices.items():
        name = f"{one_line(column)}={one_line(value)}"
        if isinstance(count, InputError):
            yield _left_out(name, count)
            continue
        try:
            task = ComparisonTask.of(count(), **gate.arguments)
            (comparison,) = task.answers([task.measure(task.options.measure)], gate.tail)
        except InputError as error:
            yield _left_out(name, error)
        else:
            compared[name] = comparison.thinned(GROUP_DRAWS)
            yield gate.judged(comparison.without_draws(), name, "slices")
    if len(compared) > 1:
        try:
            gap = score_gap(compared, by=column, limit=gate.max_gap)
        except InputError as error:
            yield f"The gap by {one_line(column)} could not be computed: {error}"
        else:
            yield GapJudgement.of(gap, whole.comparison, gate.family)


def _slice(gate: Gate, baseline: SideFile | None, candidate: SideFile | None) -> Callable[[], Sides] | InputError:
    if baseline is None or candidate is None:
        return InputError("baseline" if baseline is None else "candidate", "examples of it", "none")
    return partial(_counted, gate, baseline, candidate)


def _counted(gate: Gate, baseline: SideFile, candidate: SideFile) -> Sides:
    """Count a slice, over the classes of both sides; of examples that few slices share, the whole shares enough."""
    counts = baseline.with_classes_of(candidate).counts(), candidate.with_classes_of(baseline).counts()
    sides = Sides.aligned(*counts)
    asked = gate.arguments["model"], gate.arguments["on_new_test_set"]
    return sides if asked[0] == Model.INDEPENDENT or asked[1] != OnNewTestSet.SHARED else sides.sharing()
