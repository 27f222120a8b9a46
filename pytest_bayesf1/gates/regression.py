"""`bayes_regression`: a candidate against the stored baseline of its test, and its update."""

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack, overload

from pytest_bayesf1.baselines.classes import ChangedClasses
from pytest_bayesf1.baselines.store import Baseline, BaselineStore, Stored, read_baseline
from pytest_bayesf1.choices import OnNewTestSet
from pytest_bayesf1.comparison.arguments import ArrayArguments, CompareArguments, CompareOptions, of_arrays, resolved
from pytest_bayesf1.comparison.compare import ComparisonTask
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.data.columns import AS_IT_IS
from pytest_bayesf1.data.paired import as_side
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.data.two_sides import Sides
from pytest_bayesf1.errors import BaselineError, InputError, LeaningWorseWarning, shown
from pytest_bayesf1.gates.advance import Advance, advance, asked_on_new_test_set
from pytest_bayesf1.gates.anchor import SinceAnchor
from pytest_bayesf1.gates.assertions import GateArguments
from pytest_bayesf1.gates.demand import Demand
from pytest_bayesf1.gates.earlier import with_history
from pytest_bayesf1.gates.evaluate import GateRun, enforce, judge
from pytest_bayesf1.gates.source import InMemory, slice_values
from pytest_bayesf1.git import CHECKED_OUT, FileSource
from pytest_bayesf1.project import Update
from pytest_bayesf1.results.decisions import Decision
from pytest_bayesf1.results.policy import NOT_WORSE
from pytest_bayesf1.results.run import FileUse, Use
from pytest_bayesf1.session import current_session, record_all
from pytest_bayesf1.text import one_line


@dataclass(frozen=True, kw_only=True)
class StoredBaseline(InMemory):
    """A candidate, and the stored baseline of its test; a first candidate is its own."""

    folder: str
    """Where it is stored, seen from the test module; empty where that is the usual place."""
    command: str
    """The shell command that runs the test."""
    stored: Stored | None = None
    """None where there is none yet."""
    anchor: Stored | None = None
    """None where the baseline is the anchor."""
    commit: FileSource = CHECKED_OUT
    """What the baseline is read from."""
    redefined: str = ""
    """How this change redefines the classes, by an update of the baseline; empty where it does not."""

    has_anchor = True
    is_bound = True  # the first candidate's file will say so once it is written

    @property
    def is_first(self) -> bool:
        """Whether there is no baseline yet, or none that the candidate can be compared with."""
        return self.stored is None

    def task(self, arguments: Mapping[str, Any]) -> ComparisonTask:
        """Compare both; people's grades are checked, but are not of a first candidate and itself."""
        task = super().task(arguments)
        return super().task({**arguments, "human": None}) if self.is_first and task.options.human else task

    @property
    def baseline_file(self) -> Path | None:
        """The file that the baseline is stored in."""
        return None if self.stored is None else self.stored.path

    @cached_property
    def is_replaced(self) -> bool:
        """Whether the baseline is another one than that which is checked out."""
        return self.stored is not None and self.commit.changed(self.stored.path)

    @cached_property
    def changed_classes(self) -> ChangedClasses | None:
        """How the candidate's classes differ from the baseline's."""
        return None if self.stored is None else ChangedClasses.between(self.stored.baseline.counts, self.candidate)

    def beside(self, stored: Stored, store: BaselineStore, *, counts_anew: bool) -> "StoredBaseline":
        """Return the candidate beside what is stored, which is the anchor, too, where total loss counts anew."""
        anchor = store.anchor_of(stored)
        if counts_anew and anchor and ChangedClasses.between(anchor.baseline.counts, self.candidate) is not None:
            anchor = None
        return replace(self, baseline=stored.baseline.counts, stored=stored, anchor=anchor, commit=store.files)

    def difference_on(self, on_new_test_set: OnNewTestSet) -> str:
        """Why the two cannot be compared on the same examples; raise `BaselineError` where not even as independent."""
        try:
            return super().difference_on(on_new_test_set)
        except InputError as error:
            raise BaselineError.plain(
                str(self.baseline_file),
                f"Cannot compare the candidate with this baseline: {error.without_advice}",
                f"If that is on purpose, make this candidate the baseline: {self.command} --bayesf1-update=force",
            ) from None

    def since_anchor(self) -> SinceAnchor:
        """Return the anchor and the candidate."""
        if self.anchor is None:
            return SinceAnchor()
        anchor, count_anew = self.anchor.baseline.counts, f"{self.command} --bayesf1-update=anchor"
        if (changed := ChangedClasses.between(anchor, self.candidate)) is not None:
            raise changed.refused(str(self.anchor.path), count_anew)
        origin = one_line(os.path.relpath(self.anchor.path))
        return SinceAnchor(Sides.aligned(anchor, self.candidate), origin, count_anew)

    def with_history(self, result: Comparison, task: ComparisonTask) -> Comparison:
        """Compare the versions of the stored baseline."""
        if self.stored is None:
            return result
        return with_history(result, self.stored.path, self.commit, AS_IT_IS, task.options)

    def fingerprint(self) -> dict[str, Any]:
        """Return where the baseline is stored."""
        return {"baseline": self.folder}

    def new_baseline(self) -> Side | None:
        """Read the baseline that is checked out, if it is another one than the commit's."""
        file = self.baseline_file
        if file is None or not self.is_replaced or self.commit.committed(file) is None:
            return None
        counts: Side = read_baseline(file).baseline.counts
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
    moved_to: str = ""
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
        first = StoredBaseline(counts, counts, columns, folder=self.moved_to, command=self.command)
        if stored is None:
            self._require_update(name)
            found = Advance(Use.CREATED, counts_anew=True)
        else:
            source = self._beside(first, stored)
            found = self._compared(source, stored, demand)
        if stored is None or found.run is None:
            current_session().record(judge(first, demand))  # the next candidate is not known yet
        else:
            self._enforce(found.run, stored)
        if found.outcome in (Use.CREATED, Use.REPLACED):
            anchor = None if stored is None or found.counts_anew else source.anchor or source.stored
            self._pending[name] = Baseline(name, counts), stored, anchor, found.about
        return None if found.run is None else found.run.overall.comparison

    def _beside(self, first: StoredBaseline, stored: Stored) -> StoredBaseline:
        """Set a candidate beside what is stored."""
        source = first.beside(stored, self.store, counts_anew=self.update is Update.ANCHOR)
        if source.changed_classes is None:
            return source
        return self._redefined(stored.baseline.name, source, source.changed_classes)

    def _compared(self, source: StoredBaseline, stored: Stored, demand: Demand) -> Advance:
        """Compare a candidate with what is stored."""
        record_all([FileUse(Use.USED, str(stored.path))])
        for path in (stored.path, *([source.anchor.path] if source.anchor else [])):
            record_all(FileUse.differing(self.store.files, path, checked_out=bool(source.redefined)))
        if source.changed_classes is None:
            self._require_same_test_set(source, demand)
        elif self.update in (Update.NONE, Update.NEW):
            raise source.changed_classes.refused(str(stored.path), f"{self.command} --bayesf1-update")
        return advance(source, demand, self.update)

    def _redefined(self, name: str, source: StoredBaseline, changed: ChangedClasses) -> StoredBaseline:
        """Take the baseline that is checked out where a change has redefined the classes of the commit's."""
        checked_out = BaselineStore(self.store.directory)
        stored = None if self.store.files is CHECKED_OUT else checked_out.find(name)
        if stored is None:
            return source
        of_change = source.beside(stored, checked_out, counts_anew=False)
        if of_change.changed_classes is not None:
            return source
        return replace(of_change, redefined=changed.redefined_by(stored.path))

    def keep(self) -> None:
        """Write the baselines that this run may write; to be called when the test has passed."""
        for baseline, replaces, anchor, about in self._pending.values():
            if path := self.store.write(baseline, replaces, anchor):
                record_all([FileUse(Use.REPLACED if replaces else Use.CREATED, str(path), about=about)])

    def __repr__(self) -> str:
        """Short, for pytest shows it above every failure."""
        return f"<Regression {self.test}>"

    def _enforce(self, run: GateRun, stored: Stored) -> None:
        with warnings.catch_warnings():
            if run.lifted:
                warnings.simplefilter("always", LeaningWorseWarning)  # as an error it would forbid what was forced
            enforce(run)
        is_ahead = any(each.comparison.decision == Decision.MUCH_BETTER for each in run.since_anchor)
        if is_ahead and self.update is not Update.ANCHOR:
            record_all([FileUse(Use.AHEAD, str(stored.path))])

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

    def _require_same_test_set(self, source: StoredBaseline, demand: Demand) -> None:
        """Refuse another test set, unless the call or an update says that it is one."""
        on_new_test_set = asked_on_new_test_set(demand)
        if on_new_test_set is OnNewTestSet.INDEPENDENT or self.update not in (Update.NONE, Update.NEW):
            return
        if difference := source.difference_on(on_new_test_set):
            advice = 'Pass check(..., on_new_test_set="independent") to compare across the two test sets.'
            if self.store.files is CHECKED_OUT:  # else the base commit's baseline would stay
                advice += f" Or make this candidate the baseline: {self.command} --bayesf1-update"
            problem = f"The baseline is from another test set than the candidate: {difference}"
            raise BaselineError.plain(str(source.baseline_file), problem, advice)


def _checked_name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise InputError("name", "the name of a baseline", shown(name))
    return name
