"""What becomes of a baseline when a candidate comes: of the one that a test stores, and of the file of a gate."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from pytest_bayesf1.baselines.classes import ChangedClasses
from pytest_bayesf1.choices import OnNewTestSet
from pytest_bayesf1.comparison.arguments import resolved
from pytest_bayesf1.errors import BaselineError, InputError, shown
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.gates.acceptance import Acceptance
from pytest_bayesf1.gates.anchor import PART
from pytest_bayesf1.gates.demand import Demand
from pytest_bayesf1.gates.evaluate import GateRun, as_declared, judge
from pytest_bayesf1.gates.gate_file import Gate
from pytest_bayesf1.gates.source import FilePair, Pair, format_of
from pytest_bayesf1.gates.verdict import Verdict
from pytest_bayesf1.git import CHECKED_OUT
from pytest_bayesf1.project import Update
from pytest_bayesf1.results.policy import Outcome
from pytest_bayesf1.results.run import Use
from pytest_bayesf1.writing import write_all

PairGate: TypeAlias = Gate[FilePair]


@dataclass(frozen=True)
class Advance:
    """What becomes of a baseline, and why.

    Attributes
    ----------
    outcome
        Created, replaced, kept or refused.
    counts_anew
        Whether total loss counts from the candidate on.
    run
        What the gate says, without the failures that were forced or accepted; None where there is no comparison.
    changed_classes
        The classes that it redefines; None where they stay.
    """

    outcome: Use
    counts_anew: bool = False
    run: GateRun | None = None
    changed_classes: ChangedClasses | None = None

    @property
    def about(self) -> str:
        """What an update tells beside the file: the classes that it redefines."""
        if self.changed_classes is None or self.outcome is not Use.REPLACED:
            return ""
        return f"other classes ({self.changed_classes.words}): total loss counts from it on"


def advance(source: Pair, demand: Demand, mode: Update, accepted: Sequence[Acceptance] = ()) -> Advance:
    """Judge a candidate as its gate does, and decide whether it replaces the baseline.

    An update is what says that a test set is new, and compares two such sets as independent. It demands no proof: where
    the data alone do not settle the question, it refuses nothing. It is what says that classes changed, too: then there
    is nothing to compare.
    """
    if source.changed_classes is not None and mode not in (Update.NONE, Update.NEW):
        return Advance(Use.REPLACED, counts_anew=True, changed_classes=source.changed_classes)
    try:
        judged, is_new_test_set = _judged(source, demand, mode)
    except (BaselineError, InputError):  # nothing can be compared
        if mode is not Update.FORCE:
            raise
        return Advance(Use.REPLACED, counts_anew=True)
    run = replace(judged, verdicts=tuple(_forced(each, mode) for each in judged.verdicts)).under_terms()
    is_accepted = any(each.covers(judged.loss, has_gap=judged.has_gap) for each in accepted)
    if _fails(run) and not is_accepted and mode is not Update.FORCE:
        return Advance(Use.REFUSED, run=run)
    if mode in (Update.NONE, Update.NEW):
        return Advance(Use.KEPT, run=run)
    counts_anew = mode is Update.ANCHOR or is_new_test_set or _fails(judged)
    return Advance(Use.REPLACED, counts_anew, replace(run, becomes_baseline=True))


def _judged(source: Pair, demand: Demand, mode: Update) -> tuple[GateRun, bool]:
    """Judge a candidate; return also whether its test set is another one than the baseline's."""
    on_new_test_set = asked_on_new_test_set(demand)
    is_new_test_set = bool(source.difference_on(on_new_test_set))
    asked = demand
    if is_new_test_set and mode not in (Update.NONE, Update.NEW):
        asked = replace(demand, arguments={**demand.arguments, "on_new_test_set": OnNewTestSet.INDEPENDENT})
        if not source.files and on_new_test_set is not OnNewTestSet.INDEPENDENT:
            asked = replace(asked, slices=())  # of a new test set the baseline has none
    return replace(judge(source, asked), demand=demand), is_new_test_set


def asked_on_new_test_set(demand: Demand) -> OnNewTestSet:
    """Return what a demand makes of test sets that differ."""
    asked: OnNewTestSet = resolved("on_new_test_set", demand.arguments.get("on_new_test_set"))
    return asked


def _fails(run: GateRun) -> bool:
    return run.outcome is Outcome.FAILED and not run.only_undecided


_FORCED = {
    Update.FORCE: (
        "A significantly worse candidate replaces the baseline, as --bayesf1-update=force demands. Total loss counts "
        "from it on."
    ),
    Update.ANCHOR: "Total loss counts from this candidate on, as --bayesf1-update=anchor demands.",
}


def _forced(verdict: Verdict, mode: Update) -> Verdict:
    """Warn of a failure that an update forces."""
    is_forced = mode is Update.FORCE or (mode is Update.ANCHOR and verdict.part == PART)
    if verdict.outcome is not Outcome.FAILED or not is_forced:
        return verdict
    return replace(verdict, outcome=Outcome.WARNED, advice=_FORCED[mode])


def promote(
    gates: Sequence[PairGate],
    mode: Update = Update.ALL,
    accepted: Callable[[PairGate], Sequence[Acceptance]] = lambda _: (),
) -> Advance:
    """Copy the candidate's file over the baseline's, unless one of its gates refuses it.

    ``accepted`` returns the losses of a gate that are accepted all the same. An anchor that is missing begins as a copy
    of the baseline. It stays where the baseline moves, unless total loss counts anew.
    """
    baseline, candidate = gates[0].source.baseline, _one_candidate(gates)
    anchors = {gate.source.anchor for gate in gates if gate.source.anchor is not None}
    missing = {anchor for anchor in anchors if not anchor.exists()}
    if not baseline.exists():
        for gate in gates:
            read_side(candidate, "candidate", gate.source.reading("candidate")).counts()
        _write(dict.fromkeys([baseline, *(anchors if mode is Update.ANCHOR else missing)], candidate.read_bytes()))
        return Advance(Use.CREATED)
    contents = {anchor: baseline.read_bytes() for anchor in missing}
    if mode is Update.NEW:
        _write(contents)
        return Advance(Use.CREATED if missing else Use.KEPT)
    opened = _opened(gates, anchors - missing, missing if mode is not Update.ANCHOR else anchors)
    if mode is Update.ALL and not missing and baseline.read_bytes() == candidate.read_bytes():
        return Advance(Use.KEPT)
    found = Advance(Use.REPLACED)
    for gate, pair in zip(gates, opened, strict=True):
        with as_declared(gate):
            of_gate = advance(pair, gate.demand, mode, accepted(gate))
        if of_gate.outcome is Use.REFUSED:
            return of_gate
        changed = found.changed_classes or of_gate.changed_classes
        found = Advance(Use.REPLACED, found.counts_anew or of_gate.counts_anew, changed_classes=changed)
    contents |= dict.fromkeys([baseline, *(anchors if found.counts_anew else ())], candidate.read_bytes())
    if all(CHECKED_OUT.read(path) == content for path, content in contents.items()):
        return Advance(Use.KEPT)
    _write(contents)
    return found


def _opened(gates: Sequence[PairGate], anchors: Collection[Path], counts_anew: Collection[Path]) -> list[Pair]:
    """Let gates of the same files read them once; an anchor from which total loss is counted anew is the baseline."""
    files: list[FilePair] = []
    opened: list[Pair] = []
    for gate in gates:
        source = gate.source
        source = replace(source, anchor=source.baseline) if source.anchor in counts_anew else source
        if source in files:
            opened.append(opened[files.index(source)])
        else:
            opened.append(source.opened())
            for anchor in anchors:
                source.read(anchor, "anchor").with_own_classes().counts()
        files.append(source)
    return opened


def _one_candidate(gates: Sequence[PairGate]) -> Path:
    first = gates[0].source
    for gate in gates:
        source = gate.source
        if source.candidate.resolve() != first.candidate.resolve():
            both = f"{first.candidate} of {gates[0].name} and {source.candidate} of {gate.name}"
            problem = f"Two candidates for {first.baseline}: {both}"
            raise InputError.plain(f"{gate.name}: candidate", problem, "Choose with --gate.")
        for side, file in (("baseline", source.baseline), ("anchor", source.anchor)):
            if file is not None:
                _require_read_alike(gate, side, file)
    return first.candidate


def _require_read_alike(gate: PairGate, side: str, file: Path) -> None:
    """Require that a copy of the candidate's file under another name is read as the candidate is."""
    source = gate.source
    suffixes = format_of(source.candidate)
    if suffixes != format_of(file):
        expected = f"a name that ends with {suffixes!r}, as candidate's"
        raise InputError(f"{gate.name}: {side}", expected, shown(file.name), "Rename it in the gate file.")
    if source.reading(side) != source.reading("candidate"):
        advice = "Say columns and rows once, for the whole gate."
        if file.resolve() == source.candidate.resolve():
            advice = "Rename the columns in the gate file, or keep each side in a file."
        problem = "The candidate's file becomes this one, but has other columns or rows"
        raise InputError.plain(f"{gate.name}: {side}", problem, advice)


def _write(contents: Mapping[Path, bytes]) -> None:
    try:
        write_all(contents)
    except OSError as error:
        raise BaselineError.plain(str(next(iter(contents))), f"Cannot write the file: {error}") from error
