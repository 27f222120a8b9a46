"""What becomes of a baseline when a candidate comes: of a gate's file, and of the one that a test stores.

The second is the fixture ``bayes_regression``.
"""

import os
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, Unpack, overload

from pytest_bayesf1.baselines.store import Baseline, BaselineStore, ChangedClasses, Stored, read_baseline
from pytest_bayesf1.choices import OnNewTestSet
from pytest_bayesf1.comparison.arguments import ArrayArguments, CompareArguments, CompareOptions, of_arrays, resolved
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.data.columns import AS_IT_IS
from pytest_bayesf1.data.paired import as_side
from pytest_bayesf1.data.sides import Side, Sides
from pytest_bayesf1.errors import BaselineError, InputError, LeaningWorseWarning, shown
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.gates.acceptance import Acceptance
from pytest_bayesf1.gates.anchor import PART, SinceAnchor
from pytest_bayesf1.gates.assertions import GateArguments
from pytest_bayesf1.gates.demand import Demand, Verdict
from pytest_bayesf1.gates.evaluate import GateRun, as_declared, enforce, judge
from pytest_bayesf1.gates.gate_file import Gate
from pytest_bayesf1.gates.source import FilePair, Pair, SliceValues, as_redefined, format_of, kept_in, slice_values
from pytest_bayesf1.git import CHECKED_OUT
from pytest_bayesf1.project import Update
from pytest_bayesf1.results.policy import NOT_WORSE, Outcome
from pytest_bayesf1.results.run import FileUse, Use
from pytest_bayesf1.session import current_session, record_all
from pytest_bayesf1.text import one_line
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
    if _fails(run) and not is_accepted:
        return Advance(Use.REFUSED, run=run)
    if mode in (Update.NONE, Update.NEW):
        return Advance(Use.KEPT, run=run)
    counts_anew = mode is Update.ANCHOR or is_new_test_set or _fails(judged)
    return Advance(Use.REPLACED, counts_anew, replace(run, becomes_baseline=True))


def _judged(source: Pair, demand: Demand, mode: Update) -> tuple[GateRun, bool]:
    """Judge a candidate; return also whether its test set is another one than the baseline's."""
    on_new_test_set = _asked_on_new_test_set(demand)
    is_new_test_set = bool(source.difference_on(on_new_test_set))
    asked = demand
    if is_new_test_set and mode not in (Update.NONE, Update.NEW):
        asked = replace(demand, arguments={**demand.arguments, "on_new_test_set": OnNewTestSet.INDEPENDENT})
        if not source.files and on_new_test_set is not OnNewTestSet.INDEPENDENT:
            asked = replace(asked, slices=())  # of a new test set the baseline has none
    return replace(judge(source, asked), demand=demand), is_new_test_set


def _asked_on_new_test_set(demand: Demand) -> OnNewTestSet:
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


@dataclass(frozen=True, kw_only=True)
class _Stored(Pair):
    """A candidate, and the stored baseline of its test."""

    stored: Stored
    kept_anchor: Stored | None = None
    """None where the baseline is the anchor."""


def _read_counts(path: Path) -> Side:
    counts: Side = read_baseline(path).baseline.counts
    return counts


class _OfSide(GateArguments, total=False):
    name: str | None
    budget: float | None


class _OfArrays(_OfSide, ArrayArguments, total=False): ...


@dataclass(frozen=True, repr=False)
class Regression:
    """The fixture ``bayes_regression``: compares a candidate with the stored baseline of the test.

    Attributes
    ----------
    store
        The baselines of the test's module.
    test
        The test's name in its module, under which its baseline is kept.
    update
        What may be written.
    command
        The shell command that runs the test.

    Examples
    --------
    >>> def test_spam(bayes_regression):  # a fixture of the plugin
    ...     bayes_regression.check(predictions(), measure="f1[spam]", rope=0.01)
    """

    store: BaselineStore
    test: str
    update: Update
    command: str
    _seen: dict[str, Side] = field(default_factory=dict)
    _pending: dict[str, tuple[Baseline, Stored | None, Stored | None, str]] = field(default_factory=dict)
    """What to write once the test has passed, what each replaces, its anchor, and what else the run says of it."""

    @overload
    def check(self, y_true: Any, y_pred: Any, **arguments: Unpack[_OfArrays]) -> Comparison | None: ...

    @overload
    def check(self, candidate: Any, **arguments: Unpack[_OfSide]) -> Comparison | None: ...

    @of_arrays("y_true", "y_pred")
    def check(
        self,
        candidate: Any,
        *,
        name: str | None = None,
        budget: float | None = None,
        per_class: bool = False,
        slices: Any = None,
        **arguments: Unpack[CompareArguments],
    ) -> Comparison | None:
        """Fail when the candidate is significantly worse (≪) than the stored baseline, like `assert_not_worse`.

        It fails, too, when significantly more than ``budget`` is lost since the anchor: the first baseline, until
        ``--bayesf1-update=anchor`` moves it.

        Parameters
        ----------
        y_true, y_pred
            The truth and the predictions, as arrays; see `compare`. Pass ``ids`` with them.
        candidate
            In place of them: a `ConfusionMatrix`, `MultilabelCounts`, `SpanCounts`, `Scores` or anything with counts,
            as in `compare`.
            With predictions that have ids the next comparison is paired, in whatever order the examples come.
        name
            Of the baseline; by default the test's own.
        budget
            The total loss since the anchor that you allow; by default twice the loss that `rope` allows.
        per_class, slices
            Judge every class, and every slice, too; see `assert_not_worse`. Only the whole is compared with the anchor.
        **arguments
            As in `compare`.

        Returns
        -------
        Comparison, or None when there is nothing to compare with yet and this run writes the first baseline
            With the baseline.

        Raises
        ------
        AssertionError
            When the candidate, or a class or slice of it, is significantly worse than the baseline, or the candidate
            than the budget allows since the anchor.
        BaselineError
            When the baseline is missing, damaged, or about another test set or other labels.
        InputError
            When the data or an argument cannot be used.

        Examples
        --------
        >>> def test_spam(bayes_regression):
        ...     candidate, languages = predictions()
        ...     bayes_regression.check(candidate, rope=0.01, per_class=True, slices={"language": languages})
        """
        CompareOptions.resolve(**arguments)  # a mistake is one before there is a baseline, too
        resolved("budget", budget)
        counts = as_side(candidate, "candidate")
        columns = slice_values(counts, slices)
        demand = Demand(
            policy=NOT_WORSE,
            arguments=arguments,
            words="bayes_regression",
            per_class=per_class,
            slices=tuple(columns),
            budget=budget,
        )
        name = self.test if name is None else _checked_name(name)
        self._require_one_candidate(name, counts)
        stored = self.store.find(name)
        if stored is None:
            self._require_update(name)
            found = Advance(Use.CREATED, counts_anew=True)
        else:
            source = self._beside(stored, counts, columns)
            found = self._compared(source, demand)
        if stored is None or found.run is None:
            current_session().record(judge(self._first(counts, columns), demand))  # the next candidate is not known yet
        else:
            self._enforce(found.run)
        if found.outcome in (Use.CREATED, Use.REPLACED):
            anchor = None if stored is None or found.counts_anew else source.kept_anchor or source.stored
            self._pending[name] = Baseline(name, counts), stored, anchor, found.about
        return None if found.run is None else found.run.overall.comparison

    def _first(self, counts: Side, columns: SliceValues) -> Pair:
        """Let a first candidate be its own baseline."""
        return Pair(counts, counts, columns=columns, anchor=SinceAnchor, is_first=True)

    def _beside(self, stored: Stored, counts: Side, columns: SliceValues) -> _Stored:
        """Set a candidate beside what is stored."""
        of_commit = self._pair(stored, self.store, counts, columns)

        def of_change() -> _Stored | None:
            store = BaselineStore(self.store.directory)
            found = store.find(stored.baseline.name)
            return None if found is None else self._pair(found, store, counts, columns)

        return as_redefined(of_commit, of_change)

    def _pair(self, stored: Stored, store: BaselineStore, counts: Side, columns: SliceValues) -> _Stored:
        baseline, anchor = stored.baseline.counts, store.anchor_of(stored)
        if self.update is Update.ANCHOR and anchor and ChangedClasses.between(anchor.baseline.counts, counts):
            anchor = None
        return _Stored(
            baseline,
            counts,
            columns=columns,
            anchor=partial(self._since, anchor, counts),
            changed_classes=ChangedClasses.between(baseline, counts),
            update=f"{self.command} --bayesf1-update",
            stored=stored,
            kept_anchor=anchor,
            **kept_in(stored.path, store.files, AS_IT_IS, _read_counts),
        )

    def _since(self, stored: Stored | None, candidate: Side) -> SinceAnchor:
        """Return the anchor and the candidate."""
        if stored is None:
            return SinceAnchor()
        anchor, count_anew = stored.baseline.counts, f"{self.command} --bayesf1-update=anchor"
        if (changed := ChangedClasses.between(anchor, candidate)) is not None:
            raise changed.refused(str(stored.path), count_anew)
        return SinceAnchor(Sides.aligned(anchor, candidate), one_line(os.path.relpath(stored.path)), count_anew)

    def _compared(self, source: _Stored, demand: Demand) -> Advance:
        """Compare a candidate with what is stored."""
        path = source.stored.path
        record_all([FileUse(Use.USED, str(path))])
        for each in (path, *([source.kept_anchor.path] if source.kept_anchor else [])):
            record_all(FileUse.differing(self.store.files, each, checked_out=bool(source.redefined)))
        if source.changed_classes is None:
            self._require_comparable(source)
            self._require_same_test_set(source, demand)
        return advance(source, demand, self.update)

    def _require_comparable(self, source: _Stored) -> None:
        """Raise `BaselineError` where the two cannot be compared, not even as independent."""
        try:
            source.sides  # noqa: B018 (kept for the comparison)
        except InputError as error:
            if self.update is Update.FORCE:
                return
            raise BaselineError.plain(
                str(source.stored.path),
                f"Cannot compare the candidate with this baseline: {error.without_advice}",
                f"If that is on purpose, make this candidate the baseline: {self.command} --bayesf1-update=force",
            ) from None

    def keep(self) -> None:
        """Write the baselines that this run may write; to be called when the test has passed."""
        for baseline, replaces, anchor, about in self._pending.values():
            if path := self.store.write(baseline, replaces, anchor):
                record_all([FileUse(Use.REPLACED if replaces else Use.CREATED, str(path), about=about)])

    def __repr__(self) -> str:
        """Short, for pytest shows it above every failure."""
        return f"<Regression {self.test}>"

    def _enforce(self, run: GateRun) -> None:
        with warnings.catch_warnings():
            if run.lifted:
                warnings.simplefilter("always", LeaningWorseWarning)  # as an error it would forbid what was forced
            enforce(run)

    def _require_one_candidate(self, name: str, counts: Side) -> None:
        """Two candidates of one test under one name would each be the other's baseline."""
        if self._seen.setdefault(name, counts) != counts:
            problem = f"This test has compared another candidate with the baseline {name!r}"
            raise InputError.plain("candidate", problem, "Give each a name: check(..., name=...).")

    def _require_update(self, name: str) -> None:
        if self.update is Update.NONE:
            raise BaselineError.plain(
                "",
                f"There is no baseline {name!r} yet in {self.store.directory}",
                f"To make this candidate the baseline, run: {self.command} --bayesf1-update=new",
            )

    def _require_same_test_set(self, source: _Stored, demand: Demand) -> None:
        """Refuse another test set, unless the call or an update says that it is one."""
        on_new_test_set = _asked_on_new_test_set(demand)
        if on_new_test_set is OnNewTestSet.INDEPENDENT or self.update not in (Update.NONE, Update.NEW):
            return
        if difference := source.difference_on(on_new_test_set):
            advice = 'Pass check(..., on_new_test_set="independent") to compare across the two test sets.'
            if self.store.files is CHECKED_OUT:  # else the base commit's baseline would stay
                advice += f" Or make this candidate the baseline: {self.command} --bayesf1-update"
            problem = f"The baseline is from another test set than the candidate: {difference}"
            raise BaselineError.plain(str(source.stored.path), problem, advice)


def _checked_name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise InputError("name", "the name of a baseline", shown(name))
    return name
