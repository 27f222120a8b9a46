"""`bayes_regression`: a candidate against the stored baseline of its test, and its update."""

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias, Unpack, overload

from pytest_bayesf1.baselines.store import Baseline, BaselineStore, Origin, Stored
from pytest_bayesf1.choices import OnNewTestSet
from pytest_bayesf1.comparison.arguments import ArrayArguments, CompareArguments, CompareOptions, of_arrays, resolved
from pytest_bayesf1.comparison.compare import Comparison, ComparisonTask
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.data.paired import Side, as_side
from pytest_bayesf1.errors import BaselineError, InputError, LeaningWorseWarning, shown
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.files.tables import AS_IT_IS
from pytest_bayesf1.gates.acceptance import Acceptance, moves
from pytest_bayesf1.gates.anchor import PART, SinceAnchor
from pytest_bayesf1.gates.assertions import GateArguments
from pytest_bayesf1.gates.demand import Demand
from pytest_bayesf1.gates.earlier import with_history
from pytest_bayesf1.gates.evaluate import GateResult, as_declared, enforce, judge
from pytest_bayesf1.gates.gate_file import Gate
from pytest_bayesf1.gates.policy import Judgement
from pytest_bayesf1.gates.source import FilePair, InMemory, SliceValues, format_of, slice_values
from pytest_bayesf1.git import CHECKED_OUT, FileSource
from pytest_bayesf1.project import Update
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.policy import NOT_WORSE, Verdict
from pytest_bayesf1.session import current_session
from pytest_bayesf1.writing import write_all

PairGate: TypeAlias = Gate[FilePair]


class Promotion(StrEnum):
    """What became of a baseline whose candidate was to replace it."""

    CREATED = "created"
    REPLACED = "replaced"
    KEPT = "kept"
    """It was there already, or is the candidate itself."""
    REFUSED = "refused"
    """A gate fails it, and not only because the data leave the question open."""


def promote(
    gates: Sequence[PairGate],
    update: Update = Update.ALL,
    accepted: Callable[[PairGate], Sequence[Acceptance]] = lambda _: (),
) -> Promotion:
    """Copy the candidate's file over the baseline's, unless one of its gates fails the candidate.

    ``accepted`` returns the losses of a gate that are accepted all the same. An anchor that is missing begins as a copy
    of the baseline. It stays where the baseline moves, unless the test set is a new one, or a gate fails.
    """
    baseline, candidate = gates[0].source.baseline, _one_candidate(gates)
    anchors = {gate.source.anchor for gate in gates if gate.source.anchor is not None}
    missing = {anchor for anchor in anchors if not anchor.exists()}
    if not baseline.exists():
        for gate in gates:
            read_side(candidate, "candidate", gate.source.reading("candidate")).counts()
        _write(dict.fromkeys([baseline, *(anchors if update is Update.ANCHOR else missing)], candidate.read_bytes()))
        return Promotion.CREATED
    if update is Update.NEW:
        _write(dict.fromkeys(missing, baseline.read_bytes()))
        return Promotion.CREATED if missing else Promotion.KEPT
    opened = _opened(gates, anchors - missing, counts_anew=missing if update is not Update.ANCHOR else anchors)
    if update is Update.ALL and not missing and baseline.read_bytes() == candidate.read_bytes():
        return Promotion.KEPT
    anew = update is Update.ANCHOR
    try:
        for gate in opened if anchors or update is not Update.FORCE else ():
            is_refused, counts_anew = _judged(gate, accepted(gate))
            if is_refused and update is not Update.FORCE:
                return Promotion.REFUSED
            anew = anew or counts_anew
    except (InputError, BaselineError):  # nothing can be compared
        if update is not Update.FORCE:
            raise
        anew = True
    contents = dict.fromkeys(missing, baseline.read_bytes())
    contents |= dict.fromkeys([baseline, *(anchors if anew else ())], candidate.read_bytes())
    if all(path.exists() and path.read_bytes() == content for path, content in contents.items()):
        return Promotion.KEPT
    _write(contents)
    return Promotion.REPLACED


def _opened(gates: Sequence[PairGate], anchors: Collection[Path], counts_anew: Collection[Path]) -> list[PairGate]:
    """Let gates of the same files read them once; an anchor from which total loss is counted anew is the baseline."""
    sources: list[FilePair] = []
    for gate in gates:
        source = gate.source.opened(CHECKED_OUT)
        source = replace(source, anchor=source.baseline) if source.anchor in counts_anew else source
        if source not in sources:
            source.require_readable(anchors)
        sources.append(source)
    return [replace(gate, source=sources[sources.index(source)]) for gate, source in zip(gates, sources, strict=True)]


def _judged(gate: PairGate, accepted: Sequence[Acceptance]) -> tuple[bool, bool]:
    """Whether the gate refuses an update, and whether total loss counts anew from it.

    It judges as ever, but test sets that differ are independent: an update is what says that one is new. It need not
    prove anything: where the data alone do not settle the question, it refuses nothing.
    """
    source, demand = gate.source, gate.demand
    with as_declared(gate):
        is_new_test_set = bool(source.difference_on(_on_new_test_set(demand.arguments)))
        if is_new_test_set:
            demand = replace(demand, arguments={**demand.arguments, "on_new_test_set": OnNewTestSet.INDEPENDENT})
        result = judge(source, demand)
    fails = result.verdict is Verdict.FAILED and not result.only_undecided
    is_accepted = fails and any(each.covers(result.loss, has_gap=result.has_gap) for each in accepted)
    return fails and not is_accepted, fails or is_new_test_set


def _on_new_test_set(arguments: Mapping[str, Any]) -> OnNewTestSet:
    asked: OnNewTestSet = resolved("on_new_test_set", arguments.get("on_new_test_set"))
    return asked


def _one_candidate(gates: Sequence[PairGate]) -> Path:
    first = gates[0].source
    for gate in gates:
        source = gate.source
        if source.candidate.resolve() != first.candidate.resolve():
            both = f"{first.candidate} of {gates[0].name} and {source.candidate} of {gate.name}"
            problem = f"Two candidates for {first.baseline}: {both}"
            raise InputError.plain(f"{gate.name}: candidate", problem, "Choose with --gate.")
        for side, copy in (("baseline", source.baseline), ("anchor", source.anchor)):
            if copy is not None:
                _require_same_format(gate, side, copy)
                _require_same_reading(gate, side, copy)
    return first.candidate


def _require_same_reading(gate: PairGate, side: str, copy: Path) -> None:
    """Require that a copy of the candidate's file will be read as that is."""
    if gate.source.reading(side) == gate.source.reading("candidate"):
        return
    advice = "Say columns and rows once, for the whole gate."
    if copy.resolve() == gate.source.candidate.resolve():
        advice = "Rename the columns in the gate file, or keep each side in a file."
    problem = "The candidate's file becomes this one, but has other columns or rows"
    raise InputError.plain(f"{gate.name}: {side}", problem, advice)


def _require_same_format(gate: PairGate, side: str, copy: Path) -> None:
    suffixes = format_of(gate.source.candidate)
    if suffixes != format_of(copy):
        expected = f"a name that ends with {suffixes!r}, as candidate's"
        raise InputError(f"{gate.name}: {side}", expected, shown(copy.name), "Rename it in the gate file.")


def _write(contents: Mapping[Path, bytes]) -> None:
    try:
        write_all(contents)
    except OSError as error:
        raise BaselineError.plain(str(next(iter(contents))), f"Cannot write the file: {error}") from error


@dataclass(frozen=True, kw_only=True)
class StoredBaseline(InMemory):
    """A candidate, and the stored baseline of its test; a first candidate is its own."""

    folder: str
    """Where it is stored, seen from the test module; empty where that is the usual place."""
    count_anew: str
    """The command that makes the candidate the anchor."""
    anchor: Side | None = None
    """What total loss is counted from; None where that is the baseline itself."""
    origin: str = ""
    """Where the anchor is from."""
    baseline_file: Path | None = None
    is_replaced: bool = False
    commit: FileSource = CHECKED_OUT
    """What the baseline is read from."""

    has_anchor = True
    is_bound = True  # the first candidate's file will say so once it is written

    def since_anchor(self) -> SinceAnchor:
        """Return the anchor and the candidate."""
        if self.anchor is None:
            return SinceAnchor()
        return SinceAnchor(Sides.aligned(self.anchor, self.candidate), self.origin, self.count_anew)

    def with_history(self, result: Comparison, task: ComparisonTask) -> Comparison:
        """Compare the versions of the stored baseline."""
        if self.baseline_file is None:
            return result
        return with_history(result, self.baseline_file, self.commit, AS_IT_IS, task.options)

    def fingerprint(self) -> dict[str, Any]:
        """Return where the baseline is stored."""
        return {"baseline": self.folder}


_FORCED = {
    Update.FORCE: (
        "A significantly worse candidate replaces the baseline, as --bayesf1-update=force demands. Total loss counts "
        "from it on."
    ),
    Update.ANCHOR: "Total loss counts from this candidate on, as --bayesf1-update=anchor demands.",
}


class BaselineUse(StrEnum):
    """What a test did with a baseline."""

    USED = "used"
    CHANGED = "changed"
    """The file that is checked out is another one than that of the commit that baselines are read from."""
    AHEAD = "ahead"
    """The candidate is significantly better than the anchor."""
    CREATED = "created"
    REPLACED = "replaced"


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
    report
        Called with every baseline that is used or written.
    moved_to
        The store's folder, seen from the test module; empty where it is the usual one.

    Examples
    --------
    >>> def test_spam(bayes_regression):  # a fixture of the plugin
    ...     bayes_regression.check(predictions(), measure="f1[spam]", rope=0.01)
    """

    store: BaselineStore
    test: str
    update: Update
    command: str
    report: Callable[[BaselineUse, Path], None]
    moved_to: str = ""
    _seen: dict[str, Side] = field(default_factory=dict)
    _pending: dict[str, tuple[Baseline, Stored | None]] = field(default_factory=dict)
    """What to write once the test has passed, and what each replaces."""

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
            self._begin(name, counts, demand, columns)
            return None
        self.report(BaselineUse.USED, stored.path)
        if is_replaced := self.store.files.changed(stored.path):
            self.report(BaselineUse.CHANGED, stored.path)
        source = self._source(
            stored.baseline.counts,
            counts,
            columns,
            anchor=stored.baseline.anchor,
            origin=stored.baseline.origin.words,
            baseline_file=stored.path,
            is_replaced=is_replaced,
            commit=self.store.files,
        )
        on_new_test_set, slices = _on_new_test_set(arguments), demand.slices
        try:
            difference = source.sides.difference_on(on_new_test_set)
        except InputError as error:
            self._require_force(stored, error)
            self._begin(name, counts, demand, columns, stored)
            return None
        if difference:
            self._require_allowed(on_new_test_set, stored, difference)
            demand = replace(demand, arguments={**arguments, "on_new_test_set": OnNewTestSet.INDEPENDENT})
            if on_new_test_set is not OnNewTestSet.INDEPENDENT:
                slices = ()  # of a new test set the baseline has none
        judged = replace(judge(source, replace(demand, slices=slices)), demand=demand)
        comparison: Comparison = judged.overall.comparison
        result = self._forced(judged).answered()
        self._enforce(result)
        ahead = any(each.comparison.decision == Decision.MUCH_BETTER for each in result.since_anchor)
        if ahead and self.update is not Update.ANCHOR:
            self.report(BaselineUse.AHEAD, stored.path)
        if self.update not in (Update.NONE, Update.NEW):
            overruled = judged.verdict is Verdict.FAILED
            anew = overruled or self.update is Update.ANCHOR or bool(difference)
            self._pending[name] = self._next(stored.baseline, counts, anew=anew), stored
            moves(result)
        return comparison

    def keep(self) -> None:
        """Write the baselines that this run may write; to be called when the test has passed."""
        for baseline, replaces in self._pending.values():
            if path := self.store.write(baseline, replaces):
                self.report(BaselineUse.REPLACED if replaces else BaselineUse.CREATED, path)

    def __repr__(self) -> str:
        """Short, for pytest shows it above every failure."""
        return f"<Regression {self.test}>"

    def _source(self, baseline: Side, candidate: Side, columns: SliceValues, **known: Any) -> StoredBaseline:
        anew = f"{self.command} --bayesf1-update=anchor"
        return StoredBaseline(baseline, candidate, columns, folder=self.moved_to, count_anew=anew, **known)

    def _next(self, stored: Baseline, counts: Side, *, anew: bool) -> Baseline:
        """Return what is to be stored of the candidate: as an anchor anew, or with the one that there was."""
        here = Origin.here(self.store.directory)
        return Baseline(stored.name, counts, here) if anew else stored.followed_by(counts, here)

    def _forced(self, result: GateResult) -> GateResult:
        """Return the result without failures that this update forces."""

        def forced(judgement: Judgement) -> Judgement:
            is_forced = self.update is Update.FORCE or (self.update is Update.ANCHOR and judgement.part == PART)
            if judgement.verdict is not Verdict.FAILED or not is_forced:
                return judgement
            return replace(judgement, verdict=Verdict.WARNED, advice=_FORCED[self.update])

        return replace(result, judgements=tuple(map(forced, result.judgements)))

    def _enforce(self, result: GateResult) -> None:
        with warnings.catch_warnings():
            if result.lifted:
                warnings.simplefilter("always", LeaningWorseWarning)  # as an error it would forbid what was forced
            enforce(result)

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

    def _require_force(self, stored: Stored, error: InputError) -> None:
        if self.update is not Update.FORCE:
            raise BaselineError.plain(
                str(stored.path),
                f"Cannot compare the candidate with this baseline: {error.without_advice}",
                f"If that is on purpose, make this candidate the baseline: {self.command} --bayesf1-update=force",
            ) from None

    def _begin(
        self, name: str, counts: Side, demand: Demand, columns: SliceValues, replaces: Stored | None = None
    ) -> None:
        """Keep a candidate as a first baseline, if it can be compared with itself: the next one is not known yet."""
        result = judge(self._source(counts, counts, columns), demand)
        current_session().on_gate(result)
        self._pending[name] = Baseline(name, counts, Origin.here(self.store.directory)), replaces

    def _require_allowed(self, on_new_test_set: OnNewTestSet, stored: Stored, difference: str) -> None:
        if on_new_test_set is not OnNewTestSet.INDEPENDENT and self.update in (Update.NONE, Update.NEW):
            raise BaselineError.plain(
                str(stored.path),
                f"The baseline is from another test set than the candidate: {difference}",
                'Pass check(..., on_new_test_set="independent") to compare across the two test sets. Or make this '
                f"candidate the baseline: {self.command} --bayesf1-update",
            )


def _checked_name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise InputError("name", "the name of a baseline", shown(name))
    return name
