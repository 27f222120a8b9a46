"""A gate -> its result: both sides read, compared, and judged with all classes, slices and the anchor."""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pytest_bayesf1.comparison.breakdown import GROUP_DRAWS, score_gap
from pytest_bayesf1.comparison.compare import Task
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.errors import InputError, warn
from pytest_bayesf1.gates.acceptance import NO_ANSWER, Acceptance, Answer, answer_for
from pytest_bayesf1.gates.anchor import PART, judge_total
from pytest_bayesf1.gates.demand import Demand, Family
from pytest_bayesf1.gates.gate_file import Gate
from pytest_bayesf1.gates.policy import (
    Emit,
    Judged,
    Judgement,
    as_session_shows,
    warn_if_underpowered,
    warning_about,
    way_out_lines,
)
from pytest_bayesf1.gates.source import Slices, Source, TwoSided
from pytest_bayesf1.git import CHECKED_OUT, FileSource
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.results.comparison import ScoreGap, nouns_of
from pytest_bayesf1.results.policy import Verdict, gravest
from pytest_bayesf1.session import Record, Session, active, current_session
from pytest_bayesf1.text import begun, brief, first_few, indented, level, named, one_line
from pytest_bayesf1.words.amounts import Amounts, format_exactly, likely
from pytest_bayesf1.words.notes import data_warnings

_DIGITS = 6


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
        wide = f"The gap by {one_line(gap.by)} is wider than the {format_exactly(overall, gap.limit)} of max_gap"
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
        Of all the data, then of the loss since the anchor, where the baseline is not the anchor itself, and then of
        every class and slice.
    left_out
        Classes and slices that could not be compared, and why.
    budget
        The loss since the anchor that is allowed in all; None where the gate has no anchor.
    gaps
        What is said of the gap between the best and the worst slice of each column.
    answer
        How a failure could be accepted.
    """

    source: Source
    demand: Demand
    judgements: tuple[Judgement, ...]
    left_out: tuple[str, ...] = ()
    budget: float | None = None
    gaps: tuple[GapJudgement, ...] = ()
    answer: Answer = NO_ANSWER

    @property
    def overall(self) -> Judgement:
        """The judgement of all the data, by the gate's own policy."""
        return self.judgements[0]

    @property
    def since_anchor(self) -> tuple[Judgement, ...]:
        """The judgement of the total loss, if there is one."""
        return tuple(each for each in self.judgements if each.part == PART)

    @property
    def parts(self) -> tuple[Judgement, ...]:
        """The judgements of classes and slices."""
        return tuple(each for each in self.judgements if each.part not in ("", PART))

    @property
    def failed(self) -> tuple[Judgement, ...]:
        """Judgements that fail the gate."""
        return tuple(each for each in self.judgements if each.verdict is Verdict.FAILED)

    @property
    def verdict(self) -> Verdict:
        """The anchor, a class, a slice or a gap can make a gate fail; where its family lifts that, the gate warns.

        A part that is leaning worse does not: among many some are by chance. A part that could not be judged leaves
        the question open, which fails where proof is demanded: a language of which nothing was right has passed so.
        """
        grave = (Verdict.FAILED, Verdict.ACCEPTED)
        parts = (each.verdict for each in self.judgements if each.verdict in grave or each.lifted)
        return gravest([self._of_whole, *parts])

    @property
    def _of_whole(self) -> Verdict:
        of_gaps = (each.verdict for each in self.gaps)
        unjudged = Verdict.FAILED if self.demand.policy.demands_proof else Verdict.UNDECIDED
        return gravest([self.overall.verdict, *of_gaps, *([unjudged] if self.left_out else [])])

    @property
    def lifted(self) -> bool:
        """Whether any failure was downgraded to a warning."""
        return any(each.lifted for each in self.judgements)

    @property
    def has_gap(self) -> bool:
        """Whether a gap between slices fails it."""
        return any(each.verdict is Verdict.FAILED for each in self.gaps)

    @property
    def worst(self) -> Judgement:
        """What lost most of all that failed."""
        return min(self.failed or self.judgements[:1], key=lambda each: each.comparison.mean)

    @cached_property
    def loss(self) -> Acceptance:
        """What would have to be accepted, without a reason."""
        assert isinstance(self.source, TwoSided)
        worst, (baseline, candidate) = self.worst, self.source.digests()
        low, high = worst.comparison.hdi
        return Acceptance(
            measure=self.overall.comparison.measure,
            baseline=baseline,
            candidate=candidate,
            loss=round(-worst.comparison.mean, _DIGITS),
            hdi=(round(-high, _DIGITS), round(-low, _DIGITS)),
            reason="",
            part=worst.part,
        )

    @property
    def only_undecided(self) -> bool:
        """Whether it failed only because the data do not settle the question."""
        if self.has_gap:
            return False
        return all(each.undecided for each in self.failed) and self.verdict is Verdict.FAILED

    @property
    def false_alarms(self) -> float:
        """How many classes and slices would be expected to fail if no true difference went beyond the ROPE."""
        return len(self.parts) * (1 - self.overall.result.hdi_prob) / 2

    def notes(self) -> tuple[str, ...]:
        """Say what a careful reader should know about the number of comparisons, and about how far apart parts are."""
        gaps = (each.text for each in self.gaps)
        return (*self.source.notes, *self._on_looks(), *self._on_chance(), *gaps, *self.left_out)

    def without_draws(self) -> "GateResult":
        """Return the same without draws of all the data: many then fit into memory."""
        overall = replace(self.overall, result=self.overall.result.without_draws())
        return replace(self, judgements=(overall, *self.judgements[1:]))

    def answered(self) -> "GateResult":
        """Return the result with what the session says of its failures: who accepts them, or how that can be done."""
        if not isinstance(self.source, TwoSided):
            return self
        answer = answer_for(self)
        if answer.accepted is None:
            return replace(self, answer=answer)
        return replace(self, judgements=tuple(map(answer.of, self.judgements)), gaps=tuple(map(answer.of, self.gaps)))

    def _on_looks(self) -> Iterator[str]:
        if self.demand.looks is not None:
            whole = self.overall.comparison
            yield self.demand.looks.note(min(whole.n_samples), whole.hdi_prob)

    def _on_chance(self) -> Iterator[str]:
        parts, family = self.parts, self.demand.family
        n_failed = sum(each.verdict in (Verdict.FAILED, Verdict.ACCEPTED) for each in parts)
        failed = f"{n_failed:,} of {len(parts):,} classes and slices failed"
        if family is not None:
            kept = f"the chance of any false failure in {family} stays below {level(family.level)}"
            yield f"{failed}; {kept}." if parts else f"{begun(kept)}."
        elif parts:
            well = (
                "none truly lost more than you allow"
                if not self.demand.policy.is_floor
                else "all truly reach the floor"
            )
            yield f"{failed}. If {well}, expect up to {self.false_alarms:.2g} to fail by chance."

    def records(self) -> list[Record]:
        """Return every comparison's record; that of all the data has the notes, the gaps and the advice on them."""
        overall, *others = self.judgements
        verdict = self._of_whole
        advice = " ".join(dict.fromkeys(filter(None, [overall.advice, *self._on_gaps, *self._on_left_out])))
        of_answer = verdict is Verdict.FAILED and bool(self.answer.command)
        first = overall.record(
            verdict=verdict,
            advice=advice,
            **({"way_out": self.answer.way_out, "command": self.answer.command} if of_answer else {}),
            notes=self.notes(),
            caveats=tuple(self._on_left_out),
            gaps=tuple(each.gap for each in self.gaps),
            baseline=self.source.baseline_file,
            budget=self.budget,
        )
        return [first, *(self.answer.of(judgement).record() for judgement in others)]

    @property
    def _on_gaps(self) -> list[str]:
        return [each.advice for each in self.gaps if each.advice]

    @property
    def _on_left_out(self) -> list[str]:
        if not self.left_out:
            return []
        found = first_few((each.removesuffix(".") for each in self.left_out), _MOST_OTHERS, "part")
        return [f"Asked for, but not judged: {found}."]

    @property
    def message(self) -> str:
        """What the reader of a gate that did not plainly pass needs to know, as the session shows it."""
        return as_session_shows(self)

    def text(self, *, in_full: bool) -> str:
        """Write the worst failure with its figures, and name the others, or in full give each a line."""
        accepted = tuple(each for each in self.judgements if each.verdict is Verdict.ACCEPTED)
        grave = self.failed or accepted or tuple(each for each in self.judgements if each.lifted) or (self.overall,)
        first, *others = sorted(grave, key=lambda each: (bool(each.part), -each.beyond))
        notes = self.notes() if in_full else [each.text for each in self.gaps if each.advice]
        named_others = first_few((brief(each.part) for each in others), _MOST_OTHERS, "part")
        also = [named("also failed", named_others)] if others else []
        if in_full and others:
            also = ["  Also failed, the worst first:", *(f"    {each.line}" for each in others)]
        by_gap = self.verdict is Verdict.FAILED and not self.failed
        way_out = way_out_lines(self.answer.way_out, self.answer.command) if by_gap else []
        text = self.answer.of(first).text(in_full=in_full)
        return "\n".join(
            [text, *also, *map(indented, (*self._on_gaps, *self._on_left_out)), *way_out, *map(indented, notes)]
        )


def judge(source: Source, demand: Demand) -> GateResult:
    """Judge all the data, every class and slice that is asked for, and the total loss."""
    task = source.task(demand.arguments)
    columns = {column: source.slices(column, task) for column in demand.slices}
    demand = _sharing(demand, task, columns, has_anchor=source.has_anchor)
    if demand.looks is not None:  # this share of the planned examples asks for a level of its own
        hdi_prob = demand.looks.prob_at(min(task.subject.n_samples), task.options.hdi_prob)
        task = replace(task, options=replace(task.options, hdi_prob=hdi_prob))
    left_out: list[str] = []
    overall, *parts = _overall_and_classes(demand, task, source, left_out)
    gaps: list[GapJudgement] = []
    for column, slices in columns.items():
        found = {}
        for part, value, result in _slices(column, slices, task, demand, left_out):
            found[part] = result
            judged = demand.judged(result.without_draws(), part, "slices")
            parts.append(replace(judged, by=column, value=value))
        gaps += _gaps(column, found, overall, demand, left_out)
    budget: float | None = None
    total: tuple[Judgement, ...] = ()
    if source.has_anchor:
        budget, total = judge_total(source.since_anchor(), task, overall, demand)
    return GateResult(source, demand, (overall, *total, *parts), tuple(left_out), budget, tuple(gaps))


def _sharing(demand: Demand, task: Task, columns: Mapping[str, Slices], *, has_anchor: bool) -> Demand:
    """Count the comparisons that can make the gate fail, which share its family's level, before any is made."""
    if demand.max_gap is not None and demand.max_gap >= 1 and task.measure(task.options.measure).bounded:
        raise InputError("max_gap", "a difference of scores, such as 0.05 for five points", f"{demand.max_gap:g}")
    if demand.family is None:
        return demand
    n_classes = len(task.subject.true_labels) if demand.per_class else 0
    n_gaps = len(columns) if demand.max_gap is not None else 0
    n_slices = sum(callable(each) for slices in columns.values() for each in slices.values())
    return replace(demand, family=demand.family.over(1 + has_anchor + n_classes + n_slices + n_gaps))


def _overall_and_classes(demand: Demand, task: Task, source: Source, left_out: list[str]) -> Iterator[Judgement]:
    """Judge all the data, and where asked for every class: the data stay the same, the measure is about one class."""
    asked = task.options.measure
    if demand.per_class and not isinstance(asked, str):
        raise InputError("per_class", "a measure by its name, to take that of every class", type(asked).__name__)
    labels, measures = [], [task.measure(asked)]
    _, category = nouns_of(task.subject.clusters)
    for label in task.subject.true_labels if demand.per_class else ():
        try:
            measures.append(task.measure(parse_name(str(asked)).of_class(label)))
        except InputError as error:
            left_out.append(_why_left_out(f"{category} {one_line(label)}", error))
        else:
            labels.append(str(label))
    overall, *of_classes = task.answers(measures, demand.tail)
    yield demand.judged(source.with_history(overall, task))
    for label, result in zip(labels, of_classes, strict=True):
        judged = demand.judged(result.without_draws(), f"{category} {one_line(label)}", "per_class")
        yield replace(judged, by=category, value=label)


def _why_left_out(part: str, error: InputError) -> str:
    return f"{part} could not be compared: {error}"


def _slices(
    column: str, slices: Slices, task: Task, demand: Demand, left_out: list[str]
) -> Iterator[tuple[str, str, Any]]:
    """Compare every value of a column, yielded behind its name: the measure stays the same, the data are a part."""
    for value, read in slices.items():
        name = f"{one_line(column)}={one_line(value)}"
        if isinstance(read, InputError):
            left_out.append(_why_left_out(name, read))
            continue
        try:
            result = task.on(read()).answer(demand.tail)
        except InputError as error:
            left_out.append(_why_left_out(name, error))
        else:
            yield name, str(value), result.thinned(GROUP_DRAWS)


def _gaps(
    column: str, found: Mapping[str, Any], overall: Judgement, demand: Demand, left_out: list[str]
) -> Iterator[GapJudgement]:
    """Judge how far two slices or more are apart."""
    if len(found) > 1 and not demand.policy.is_floor:
        try:
            gap = score_gap(found, by=column, limit=demand.max_gap)
        except InputError as error:
            left_out.append(f"No gap by {one_line(column)}: {error}")
        else:
            yield GapJudgement.of(gap, overall.comparison, demand.family)


def evaluate(gate: Gate[Any], commit: FileSource = CHECKED_OUT) -> GateResult:
    """Judge what a gate declares; its file alone decides, no setting of the project changes it.

    Baseline and anchor are read from the commit.
    """
    with as_declared(gate):
        result = judge(gate.source.opened(commit), gate.demand).without_draws()
    return result.answered()


@contextmanager
def as_declared(gate: Gate[Any]) -> Iterator[None]:
    """Compare without the project's settings, and warn once of each thing there."""
    with warnings.catch_warnings(record=True) as caught, active(Session()):
        warnings.simplefilter("always")
        yield
    for message, category in dict.fromkeys((str(each.message), each.category) for each in caught):
        gate.warn(message, category)


def enforce(result: GateResult, emit: Emit = warn, about: str = "") -> None:
    """Record what was judged in the session, then raise or warn."""
    session = current_session()
    session.on_gate(result)
    for record in result.records():
        session.listener(record)
    for warning in data_warnings(result.overall.result):
        emit(str(warning), type(warning))
    if result.verdict is Verdict.FAILED:
        raise AssertionError(result.message)
    judged: list[Judged] = [result, *(each for each in result.since_anchor if not each.lifted)]
    for each in judged:
        category = warning_about(each.verdict)
        if category is not None:
            emit(each.message, category)
    warn_if_underpowered(result.overall, lambda message, category: emit(f"{about}{message}", category))
