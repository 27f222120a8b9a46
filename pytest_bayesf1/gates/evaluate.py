"""A gate -> its result: both sides read, compared, and judged with all classes, slices and the anchor."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from pytest_bayesf1.comparison.breakdown import GROUP_DRAWS, score_gap
from pytest_bayesf1.comparison.compare import Task
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.errors import (
    BayesF1Warning,
    InputError,
    LeaningWorseWarning,
    UndecidedWarning,
    UnderpoweredGateWarning,
    warn,
)
from pytest_bayesf1.gates.acceptance import Acceptance, Terms
from pytest_bayesf1.gates.anchor import PART, judge_total
from pytest_bayesf1.gates.demand import Demand, Family, Verdict, as_session_shows, way_out_lines
from pytest_bayesf1.gates.gate_file import Gate
from pytest_bayesf1.gates.source import Pair, Pool, Single, Slices, Source
from pytest_bayesf1.git import CHECKED_OUT, FileSource
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.results.comparison import ScoreGap, nouns_of
from pytest_bayesf1.results.policy import NOT_WORSE, Outcome, gravest
from pytest_bayesf1.session import Session, active, current_session
from pytest_bayesf1.stats.posterior import SETTLED
from pytest_bayesf1.text import begun, brief, first_few, indented, level, named, one_line
from pytest_bayesf1.words.amounts import format_exactly, gate_finds
from pytest_bayesf1.words.notes import data_warnings
from pytest_bayesf1.words.results import change_of_measure, format_gap
from pytest_bayesf1.writing import short_fingerprint

_MOST_OTHERS = 3
"""Failed classes and slices that a short message names after the first."""

_DIGITS = 6
"""Of a loss, as a manifest lists it."""


@dataclass(frozen=True)
class GateRun:
    """A gate that judged.

    Attributes
    ----------
    verdicts
        On all the data, then on the loss since the anchor, where the baseline is not the anchor itself, then on every
        class and slice, and on the gap between the best and the worst slice of each column.
    left_out
        Classes and slices that could not be compared, and why.
    budget
        The loss since the anchor that is allowed in all; None where the gate has no anchor.
    lost
        What was lost, with the reason where this run accepts it; None where neither the gate failed nor a loss of it is
        listed.
    becomes_baseline
        Whether the candidate is to be the next baseline.
    """

    source: Source
    demand: Demand
    verdicts: tuple[Verdict, ...]
    left_out: tuple[str, ...] = ()
    budget: float | None = None
    lost: Acceptance | None = None
    becomes_baseline: bool = False

    @property
    def overall(self) -> Verdict:
        """The verdict on all the data, by the gate's own policy."""
        return self.verdicts[0]

    @property
    def judged(self) -> tuple[Verdict, ...]:
        """All verdicts but those on gaps."""
        return tuple(each for each in self.verdicts if not each.is_gap)

    @property
    def gaps(self) -> tuple[Verdict, ...]:
        """The verdicts on gaps between slices."""
        return tuple(each for each in self.verdicts if each.is_gap)

    @property
    def since_anchor(self) -> tuple[Verdict, ...]:
        """The verdict on the total loss, if there is one."""
        return tuple(each for each in self.judged if each.part == PART)

    @property
    def parts(self) -> tuple[Verdict, ...]:
        """The verdicts on classes and slices."""
        return tuple(each for each in self.judged if each.part not in ("", PART))

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """Verdicts that fail the gate, but those on gaps."""
        return tuple(each for each in self.judged if each.outcome is Outcome.FAILED)

    @property
    def outcome(self) -> Outcome:
        """The anchor, a class, a slice or a gap can make a gate fail; where its family lifts that, the gate warns.

        A part that is leaning worse does not: among many some are by chance. A part that could not be judged leaves
        the question open, which fails where proof is demanded: a language of which nothing was right has passed so.
        """
        grave = (Outcome.FAILED, Outcome.ACCEPTED)
        parts = (each.outcome for each in self.judged if each.outcome in grave or each.lifted)
        return gravest([self._of_whole, *parts])

    @property
    def _of_whole(self) -> Outcome:
        unjudged = Outcome.FAILED if self.demand.policy.demands_proof else Outcome.UNDECIDED
        of_gaps = (each.outcome for each in self.gaps)
        return gravest([self.overall.outcome, *of_gaps, *([unjudged] if self.left_out else [])])

    @property
    def whole(self) -> Verdict:
        """The verdict on all the data, with what gaps and parts that could not be judged add to it."""
        advice = " ".join(dict.fromkeys(filter(None, [self.overall.advice, *self._on_gaps, *self.caveats])))
        whole = replace(self.overall, outcome=self._of_whole, advice=advice)
        failing = next(self._failing, None)
        if whole.outcome is not Outcome.FAILED or failing is None:
            return whole
        return replace(whole, way_out=failing.way_out, command=failing.command)

    @property
    def _failing(self) -> Iterator[Verdict]:
        return (each for each in self.verdicts if each.outcome is Outcome.FAILED)

    @property
    def lifted(self) -> bool:
        """Whether any failure was downgraded to a warning."""
        return any(each.lifted for each in self.verdicts)

    @property
    def has_gap(self) -> bool:
        """Whether a gap between slices fails it."""
        return any(each.outcome is Outcome.FAILED for each in self.gaps)

    @property
    def worst(self) -> Verdict:
        """What lost most of all that failed."""
        return min(self.failed or self.verdicts[:1], key=lambda each: each.comparison.mean)

    @cached_property
    def loss(self) -> Acceptance:
        """What would have to be accepted, without a reason."""
        assert isinstance(self.source, Pair | Pool)
        worst, (baseline, candidate) = self.worst, self.source.digests()
        if (judge := self.overall.decided.judge) is not None:
            candidate = short_fingerprint([candidate, judge.checksum])
        return Acceptance(
            measure=self.overall.comparison.measure,
            baseline=baseline,
            candidate=candidate,
            loss=round(-worst.comparison.mean, _DIGITS),
            reason="",
            failed=tuple(map(self._lost, self._failing)),
        )

    def _lost(self, verdict: Verdict) -> str:
        """Write which part a verdict is about, and its change or gap."""
        if verdict.is_gap:
            return format_gap(verdict.gap, self.overall.comparison)
        part = f"{one_line(verdict.part)}: " if verdict.part else ""
        return f"{part}{change_of_measure(verdict.comparison)}"

    @property
    def only_undecided(self) -> bool:
        """Whether it failed only because the data do not settle the question."""
        if self.has_gap:
            return False
        return all(each.undecided for each in self.failed) and self.outcome is Outcome.FAILED

    @property
    def false_alarms(self) -> float:
        """How many classes and slices would be expected to fail if no true difference went beyond the ROPE."""
        return len(self.parts) * (1 - self.overall.decided.hdi_prob) / 2

    def notes(self) -> tuple[str, ...]:
        """Say what a careful reader should know about the number of comparisons, and about how far apart parts are."""
        of_gaps = map(self._in_words, self.gaps)
        return (*self.source.notes, *self._on_judge(), *self._on_looks(), *self._on_chance(), *of_gaps, *self.left_out)

    @property
    def caveats(self) -> tuple[str, ...]:
        """Say what every reader should know."""
        if not self.left_out:
            return ()
        found = first_few((each.removesuffix(".") for each in self.left_out), _MOST_OTHERS, "part")
        return (f"Asked for, but not judged: {found}.",)

    def without_draws(self) -> "GateRun":
        """Return the same without draws of all the data: many then fit into memory."""
        overall = replace(self.overall, result=self.overall.decided.without_draws())
        return replace(self, verdicts=(overall, *self.verdicts[1:]))

    def under_terms(self) -> "GateRun":
        """Return the same with who accepts its failures by the session's terms, or how that can be done."""
        terms: Terms | None = current_session().terms()
        return self if terms is None or isinstance(self.source, Single) else terms.applied(self)

    def with_failures(self, lost: Acceptance, **said: Any) -> "GateRun":
        """Return the same, with what is said of every verdict that fails it."""
        verdicts = tuple(replace(each, **said) if each.outcome is Outcome.FAILED else each for each in self.verdicts)
        return replace(self, lost=lost, verdicts=verdicts)

    def _on_judge(self) -> Iterator[str]:
        """Say where a judge's errors are not counted, or no total loss is."""
        if self.overall.decided.judge is None:
            if self.source.is_judged:
                yield "A model graded these answers, and the range is the judge's own: human grades correct its errors."
        elif self.source.anchor is not None and self.source.anchor().sides is not None:
            yield "Total loss since the anchor was not judged: people graded no answers of the anchor."

    def _on_looks(self) -> Iterator[str]:
        if self.demand.looks is not None:
            whole = self.overall.comparison
            yield self.demand.looks.note(min(whole.n_samples), whole.hdi_prob)

    def _on_chance(self) -> Iterator[str]:
        parts, family = self.parts, self.demand.family
        n_failed = sum(each.outcome in (Outcome.FAILED, Outcome.ACCEPTED) for each in parts)
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

    def _in_words(self, gap: Verdict) -> str:
        return format_gap(gap.gap, self.overall.comparison)

    @property
    def _on_gaps(self) -> list[str]:
        return [each.advice for each in self.gaps if each.advice]

    @property
    def message(self) -> str:
        """What the reader of a gate that did not plainly pass needs to know, as the session shows it."""
        return as_session_shows(self)

    def text(self, *, in_full: bool) -> str:
        """Write the worst failure with its figures, and name the others, or in full give each a line."""
        accepted = tuple(each for each in self.judged if each.outcome is Outcome.ACCEPTED)
        grave = self.failed or accepted or tuple(each for each in self.judged if each.lifted) or (self.overall,)
        first, *others = sorted(grave, key=lambda each: (bool(each.part), -each.beyond))
        notes = self.notes() if in_full else [self._in_words(each) for each in self.gaps if each.advice]
        named_others = first_few((brief(each.part) for each in others), _MOST_OTHERS, "part")
        also = [named("also failed", named_others)] if others else []
        if in_full and others:
            also = ["  Also failed, the worst first:", *(f"    {each.line}" for each in others)]
        by_gap = [] if self.failed else [*self._failing][:1]
        way_out = [line for each in by_gap for line in way_out_lines(each.way_out, each.command)]
        return "\n".join(
            [
                first.text(in_full=in_full),
                *also,
                *map(indented, (*self._on_gaps, *self.caveats)),
                *way_out,
                *map(indented, notes),
            ]
        )


def judge(source: Source, demand: Demand) -> GateRun:
    """Judge all the data, every class and slice that is asked for, and the total loss."""
    task = source.task(demand.arguments)
    columns = {column: source.slices(column, task) for column in demand.slices}
    demand = _sharing(demand, task, columns, has_anchor=source.anchor is not None)
    if demand.looks is not None:  # this share of the planned examples asks for a level of its own
        hdi_prob = demand.looks.prob_at(min(task.subject.n_samples), task.options.hdi_prob)
        task = replace(task, options=replace(task.options, hdi_prob=hdi_prob))
    left_out: list[str] = []
    overall, *parts = _overall_and_classes(demand, task, source, left_out)
    gaps: list[Verdict] = []
    for column, slices in columns.items():
        found = {}
        for part, value, result in _slices(column, slices, task, demand, left_out):
            found[part] = result
            judged = demand.judged(result.without_draws(), part, "slices")
            parts.append(replace(judged, by=column, value=value))
        gaps += _gaps(column, found, overall, demand, left_out)
    budget: float | None = None
    total: tuple[Verdict, ...] = ()
    if source.anchor is not None:
        budget, total = judge_total(source.anchor(), task, overall, demand)
    return GateRun(source, demand, (overall, *total, *parts, *gaps), tuple(left_out), budget)


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


def _overall_and_classes(demand: Demand, task: Task, source: Source, left_out: list[str]) -> Iterator[Verdict]:
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
    yield demand.judged(overall if source.history is None else source.history(overall, options=task.options))
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
    column: str, found: Mapping[str, Any], overall: Verdict, demand: Demand, left_out: list[str]
) -> Iterator[Verdict]:
    """Judge how far two slices or more are apart."""
    if len(found) > 1 and not demand.policy.is_floor:
        try:
            gap = score_gap(found, by=column, limit=demand.max_gap)
        except InputError as error:
            left_out.append(f"No gap by {one_line(column)}: {error}")
        else:
            yield judged_gap(gap, overall.comparison, demand.family)


def judged_gap(gap: ScoreGap, overall: Comparison, family: Family | None) -> Verdict:
    """Judge a gap: it fails where its whole interval lies above the limit."""
    verdict = Verdict(gap, NOT_WORSE, "max_gap", Outcome.PASSED, advice="", by=gap.by)
    if not gap.is_too_wide:
        return verdict
    assert gap.limit is not None
    assert gap.p_value is not None
    wide = f"The gap by {one_line(gap.by)} is wider than the {format_exactly(overall, gap.limit)} of max_gap"
    if family is not None and gap.p_value >= family.tail:
        lifted = f"{wide} on its own. {family.within_chance(gap.p_value)}"
        return replace(verdict, outcome=Outcome.WARNED, advice=lifted)
    advice = f"{wide}: find what {one_line(gap.worst)} lacks, or allow more in a commit that says why."
    return replace(verdict, outcome=Outcome.FAILED, advice=advice)


def evaluate(gate: Gate[Any], commit: FileSource = CHECKED_OUT) -> GateRun:
    """Judge what a gate declares; its file alone decides, no setting of the project changes it.

    Baseline and anchor are read from the commit.
    """
    with as_declared(gate):
        return judge(gate.source.opened(commit), gate.demand).without_draws()


@contextmanager
def as_declared(gate: Gate[Any]) -> Iterator[None]:
    """Compare without the project's settings, and warn once of each thing there."""
    with warnings.catch_warnings(record=True) as caught, active(Session()):
        warnings.simplefilter("always")
        yield
    for message, category in dict.fromkeys((str(each.message), each.category) for each in caught):
        gate.warn(message, category)


Emit: TypeAlias = Callable[[str, type[BayesF1Warning]], None]
"""Issues a warning at the line that it is about."""


def enforce(run: GateRun, emit: Emit = warn, about: str = "") -> None:
    """Record what was judged in the session, then raise or warn."""
    current_session().record(run)
    for warning in data_warnings(run.overall.decided):
        emit(str(warning), type(warning))
    if run.outcome is Outcome.FAILED:
        raise AssertionError(run.message)
    shown: list[Any] = [run, *(each for each in run.since_anchor if not each.lifted)]
    for each in shown:
        category = _warning_about(each.outcome)
        if category is not None:
            emit(as_session_shows(each), category)
    warn_if_underpowered(run.overall, lambda message, category: emit(f"{about}{message}", category))


def _warning_about(outcome: Outcome) -> type[BayesF1Warning] | None:
    """Return the warning that an outcome calls for, if any."""
    if outcome is Outcome.UNDECIDED:
        return UndecidedWarning if current_session().warn_undecided else None
    return LeaningWorseWarning if outcome is Outcome.WARNED else None


def warn_if_underpowered(verdict: Verdict, emit: Emit = warn) -> None:
    """Warn of a gate whose green means little, unless another gate of this run was warned of."""
    if verdict.policy.is_floor:
        return
    comparison, warned = verdict.comparison, current_session().warned
    unproven = verdict.outcome is not Outcome.FAILED and comparison.decision not in SETTLED
    if UnderpoweredGateWarning in warned or not unproven or not comparison.is_underpowered:
        return
    emit(f"{gate_finds(comparison)} {_WHAT_NOW}", UnderpoweredGateWarning)
    warned.add(UnderpoweredGateWarning)  # not reached where warnings are errors: every such gate fails


_WHAT_NOW = (
    "A pass says little, because smaller losses may slip through: test on more examples. This warning appears once per "
    "run; the report shows which losses each gate catches."
)
