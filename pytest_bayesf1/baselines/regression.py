"""A test's comparison with its stored baseline, and what becomes of the baseline."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Unpack

from pytest_bayesf1._util import require_choice, shown
from pytest_bayesf1.baselines.baseline import Baseline
from pytest_bayesf1.baselines.origin import Origin
from pytest_bayesf1.baselines.store import BaselineStore, Stored
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.design import without_advice
from pytest_bayesf1.comparison.options import ONE_SIDE, CompareArguments, asked_prior, positional
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.comparison.subject import AnySides, aligned
from pytest_bayesf1.data.sides import Side, as_side
from pytest_bayesf1.errors import BaselineError, InputError, SlightlyWorseWarning
from pytest_bayesf1.gates.evaluate import budget_of, judge_since_anchor
from pytest_bayesf1.gates.manifest import GateSettings
from pytest_bayesf1.gates.policy import Judgement, Policy, Verdict, enforce, warn_if_blind
from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.settings import Model, Update, current_session

_GATE = "bayes_regression"
_FORCED = {
    Update.FORCE: (
        "The baseline is replaced by a significantly worse candidate, as --bayesf1-update=force demands. Total loss is "
        "counted from it on."
    ),
    Update.ANCHOR: "Total loss is counted from this candidate on, as --bayesf1-update=anchor demands.",
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


@dataclass(frozen=True)
class _Pending:
    baseline: Baseline
    replaces: Stored | None


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
    """

    store: BaselineStore
    test: str
    update: Update
    command: str
    report: Callable[[BaselineUse, Path], None]
    _seen: dict[str, Side] = field(default_factory=dict)
    _pending: dict[str, _Pending] = field(default_factory=dict)

    @positional(ONE_SIDE)
    def check(
        self,
        candidate: Any,
        *,
        name: str | None = None,
        on_new_test_set: str = "fail",
        budget: float | None = None,
        **arguments: Unpack[CompareArguments],
    ) -> Comparison | None:
        """Fail when the candidate is significantly worse (≪) than the stored baseline, like `assert_not_worse`.

        It fails, too, when significantly more than ``budget`` is lost since the anchor: the first baseline, until
        ``--bayesf1-update=anchor`` moves it.

        Parameters
        ----------
        candidate
            A `ConfusionMatrix`, `MultilabelCounts`, `SpanCounts`, `Scores` or anything with counts, as in `compare`.
            With predictions that have ids the next comparison is paired, in whatever order the examples come.
        name
            Of the baseline; by default the test's own.
        on_new_test_set
            ``"fail"``, or ``"independent"``: compare as two different test sets when the baseline's was another one.
        budget
            The loss since the anchor that is tolerated in all; by default twice the ROPE's lower half.
        **arguments
            As in `compare`.

        Returns
        -------
        Comparison, or None when there is nothing to compare with yet and this run writes the first baseline
            With the baseline.

        Raises
        ------
        AssertionError
            When the candidate is significantly worse than the baseline, or than the budget allows since the anchor.
        BaselineError
            When the baseline is missing, damaged, or about another test set or other labels.
        InputError
            When the data or an argument cannot be used.
        """
        require_choice("on_new_test_set", on_new_test_set, ("fail", "independent"))
        counts = as_side(candidate, "candidate")
        name = self.test if name is None else _checked_name(name)
        self._require_one_candidate(name, counts)
        stored = self.store.find(name)
        if stored is None:
            self._create(name, counts, arguments, budget)
            return None
        self.report(BaselineUse.USED, stored.path)
        if self.store.files.changed(stored.path):
            self.report(BaselineUse.CHANGED, stored.path)
        try:
            sides = aligned(stored.baseline.counts, counts)
        except InputError as error:
            self._start_again(name, counts, arguments, budget, stored, error)
            return None
        if sides.difference_of_test_sets:
            self._require_allowed(on_new_test_set, stored, sides.difference_of_test_sets)
            arguments["model"] = Model.INDEPENDENT
        comparison, total = _gated(sides, arguments, budget)
        first = replace(Judgement.of(comparison, Policy.NOT_WORSE, gate=_GATE), baseline=stored.path, budget=total)
        since_anchor = self._since_anchor(stored.baseline, counts, arguments, first, total)
        if since_anchor is not None and first.verdict is Verdict.FAILED:
            current_session().listener(since_anchor.record())
        self._enforce(first, forced_by=(Update.FORCE,))
        if since_anchor is not None:
            self._enforce(since_anchor, forced_by=(Update.FORCE, Update.ANCHOR))
            if since_anchor.comparison.decision == Decision.MUCH_BETTER and self.update is not Update.ANCHOR:
                self.report(BaselineUse.AHEAD, stored.path)
        warn_if_blind(first)
        if self.update not in (Update.NONE, Update.NEW):
            overruled = Verdict.FAILED in (first.verdict, since_anchor and since_anchor.verdict)
            anew = overruled or self.update is Update.ANCHOR or bool(sides.difference_of_test_sets)
            self._pending[name] = _Pending(self._next(stored.baseline, counts, anew=anew), stored)
        return comparison

    def keep(self) -> None:
        """Write the baselines that this run may write; to be called when the test has passed."""
        for pending in self._pending.values():
            if path := self.store.write(pending.baseline, pending.replaces):
                self.report(BaselineUse.REPLACED if pending.replaces else BaselineUse.CREATED, path)

    def __repr__(self) -> str:
        """Short, for pytest shows it above every failure."""
        return f"<Regression {self.test}>"

    def _since_anchor(
        self, stored: Baseline, counts: Side, arguments: CompareArguments, first: Judgement, budget: float
    ) -> Judgement | None:
        if stored.anchor is None:
            return None
        sides, anew = aligned(stored.anchor, counts), f"{self.command} --bayesf1-update=anchor"
        return judge_since_anchor(sides, arguments, first, budget, origin=stored.origin.words, count_anew=anew)

    def _next(self, stored: Baseline, counts: Side, *, anew: bool) -> Baseline:
        """Return what is to be stored of the candidate: as an anchor anew, or with the one that there was."""
        here = Origin.here(self.store.directory)
        return Baseline(stored.name, counts, here) if anew else stored.followed_by(counts, here)

    def _enforce(self, judgement: Judgement, forced_by: tuple[Update, ...]) -> None:
        if judgement.verdict is not Verdict.FAILED:
            enforce(judgement)
        elif self.update in forced_by:
            with warnings.catch_warnings():
                warnings.simplefilter("always", SlightlyWorseWarning)  # as an error it would forbid what was forced
                enforce(replace(judgement, verdict=Verdict.WARNED, advice=_FORCED[self.update]))
        elif judgement.part:
            enforce(judgement)
        else:
            way_out = (
                "The baseline stays as it is. To make the candidate the baseline all the same:\n"
                f"    {self.command} --bayesf1-update=force"
            )
            enforce(replace(judgement, advice=f"{judgement.advice}\n{way_out}"))

    def _require_one_candidate(self, name: str, counts: Side) -> None:
        """Two candidates of one test under one name would each be the other's baseline."""
        if self._seen.setdefault(name, counts) != counts:
            found = "another one, checked before"
            raise InputError(
                "candidate", f"one candidate for the baseline {name!r}", found, "Pass check(..., name=...)."
            )

    def _create(self, name: str, counts: Side, arguments: CompareArguments, budget: float | None) -> None:
        if self.update is Update.NONE:
            raise BaselineError(
                str(self.store.directory),
                f"a baseline for {name!r}",
                "none",
                f"To make this candidate the baseline, run: {self.command} --bayesf1-update=new",
            )
        self._begin(name, counts, arguments, budget, None)

    def _start_again(
        self,
        name: str,
        counts: Side,
        arguments: CompareArguments,
        budget: float | None,
        stored: Stored,
        error: InputError,
    ) -> None:
        if self.update is not Update.FORCE:
            raise BaselineError(
                str(stored.path),
                "a baseline with the candidate's labels",
                f"one that is not comparable: {without_advice(error)}",
                f"If they changed on purpose, make this candidate the baseline: {self.command} --bayesf1-update=force",
            ) from None
        self._begin(name, counts, arguments, budget, stored)

    def _begin(
        self, name: str, counts: Side, arguments: CompareArguments, budget: float | None, replaces: Stored | None
    ) -> None:
        """Keep a candidate that has nothing to be compared with, if the next one can be compared with it."""
        _gated(aligned(counts, counts), arguments, budget)
        self._pending[name] = _Pending(Baseline(name, counts, Origin.here(self.store.directory)), replaces)

    def _require_allowed(self, on_new_test_set: str, stored: Stored, difference: str) -> None:
        if on_new_test_set == "fail" and self.update in (Update.NONE, Update.NEW):
            raise BaselineError(
                str(stored.path),
                "a baseline from the candidate's test set",
                f"one that is not comparable: {difference}",
                'Pass check(..., on_new_test_set="independent") to compare across the two test sets, or make this '
                f"candidate the baseline: {self.command} --bayesf1-update",
            )


def _gated(sides: AnySides, arguments: CompareArguments, budget: float | None) -> tuple[Comparison, float]:
    """Compare, and tell the session what is demanded: of the first candidate, which has no baseline yet, too."""
    comparison = run_comparison(sides, **arguments)
    total = budget_of(comparison, budget)
    settings = GateSettings.of(comparison, Policy.NOT_WORSE, asked_prior(arguments.get("prior")), budget=total)
    current_session().on_gate(settings.to_dict())
    return comparison, total


def _checked_name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise InputError("name", "the name of a baseline", shown(name))
    return name
