"""`bayes_regression`: a candidate against the stored baseline of its test, and its update."""

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import cache
from math import hypot, sqrt
from pathlib import Path
from typing import Any, Unpack

from pytest_bayesf1.baselines.store import (
    Baseline,
    BaselineStore,
    Origin,
    Stored,
    is_baseline_text,
    read_baseline,
    unpacked,
)
from pytest_bayesf1.choices import OnNewTestSet
from pytest_bayesf1.comparison.arguments import ONE_SIDE, CompareArguments, CompareOptions, positional, resolved
from pytest_bayesf1.comparison.compare import Comparison, run_comparison
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.data.confusion import SideCounts
from pytest_bayesf1.data.paired import Side, as_side, digests_of
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.errors import BaselineError, InputError, LeaningWorseWarning, arg
from pytest_bayesf1.files.side import alike, read_side, read_sides
from pytest_bayesf1.files.tables import ALL_AS_THEY_ARE, AS_IT_IS, Reading, Readings
from pytest_bayesf1.gates.acceptance import Acceptance, JudgedGate, answer_for, moves
from pytest_bayesf1.gates.evaluate import (
    PART,
    GateResult,
    SliceValues,
    budget_of,
    judge_sides,
    judge_since_anchor,
    slice_values,
)
from pytest_bayesf1.gates.gate_file import Demands, Gate
from pytest_bayesf1.gates.manifest import GateSettings
from pytest_bayesf1.gates.policy import Judgement, Policy, Verdict, enforce, warn_if_underpowered
from pytest_bayesf1.project import Update
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.formatting import Amounts
from pytest_bayesf1.session import Session, active, current_session
from pytest_bayesf1.text import one_line, shown
from pytest_bayesf1.writing import write_all

_MOST_CELLS = 10
_OF_THE_TEST_SET = ("ids added", "ids removed", "true class changed")
_OUTCOMES = ("tn", "fp", "fn", "tp")
_SPAN_ERRORS = ("invented", "missed")


@dataclass(frozen=True)
class BaselineDiff:
    """What changed; of each pair the first is old and the second new."""

    n_samples: tuple[int, int]
    test_set: str
    """``the same``, ``another``, or why that is unknown."""
    scores: dict[str, tuple[float, float]]
    examples: dict[str, int]
    """By id: how many came, went and changed; empty when either side has no predictions with ids."""
    cells: dict[str, tuple[float, float]]
    """The errors whose counts changed most."""

    def to_dict(self) -> dict[str, Any]:
        """Return every figure, JSON-able."""
        return asdict(self)

    def facts(self) -> dict[str, str | list[str]]:
        """Write the figures by name, old → new, for a terminal."""
        old, new = self.n_samples
        return {
            "examples": f"{old:,} → {new:,}",
            "test set": self.test_set,
            **{
                name: f"{before:.4f} → {after:.4f}  ({after - before:+z.4f})"
                for name, (before, after) in self.scores.items()
            },
            **{name: f"{number:,}" for name, number in self.examples.items()},
            "errors that changed most": [
                f"{cell}: {round(before, 1):,} → {round(after, 1):,}" for cell, (before, after) in self.cells.items()
            ],
        }


def difference_of_files(old: Path, new: Path, readings: Readings = ALL_AS_THEY_ARE) -> BaselineDiff:
    """Compare two files."""
    sides = Sides.aligned(*_counts(old, new, readings))
    before, after = sides.baseline, sides.candidate
    scores_before, scores_after = Baseline("", before).scores, Baseline("", after).scores
    examples = _examples(before, after)
    return BaselineDiff(
        n_samples=(before.n_samples, after.n_samples),
        test_set=_test_set(sides, examples),
        scores={name: (score, scores_after[name]) for name, score in scores_before.items()},
        examples=examples,
        cells=_cells(before, after),
    )


def _counts(old: Path, new: Path, readings: Readings) -> tuple[Side, Side]:
    if not (_is_stored(old) or _is_stored(new)):
        before, after = read_sides(old, new, readings)
        return before.counts(), after.counts()
    of_old, of_new = (readings.get(side, AS_IT_IS) for side in ("baseline", "candidate"))
    return _counts_of(old, "old", of_old), _counts_of(new, "new", of_new)


def _counts_of(path: Path, where: str, reading: Reading) -> Side:
    return read_baseline(path).baseline.counts if _is_stored(path) else read_side(path, where, reading).counts()


def _is_stored(path: Path) -> bool:
    return path.name.endswith((".json", ".json.gz")) and path.exists() and is_baseline_text(unpacked(path))


def _test_set(sides: Sides, examples: dict[str, int]) -> str:
    if examples:
        return "another" if any(examples[name] for name in _OF_THE_TEST_SET) else "the same"
    predictions = [side.predictions for side in (sides.baseline, sides.candidate) if side.predictions is not None]
    if len(predictions) == 2 and any(each.ids is not None for each in predictions):
        return "unknown, for only one side has ids"
    if sides.difference_of_test_sets:
        return "another"
    return "the same" if sides.know_predictions else "the same, by the totals of the classes"


def _examples(before: Side, after: Side) -> dict[str, int]:
    """Compare example by example, where both sides have predictions with ids."""
    old, new = _by_id(before), _by_id(after)
    if not old or not new:
        return {}
    both = old.keys() & new.keys()
    changed = [(old[key], new[key]) for key in both if old[key] != new[key]]
    of_test_set = {
        "ids added": len(new) - len(both),
        "ids removed": len(old) - len(both),
        "true class changed": sum(was[0] != now[0] for was, now in changed),
    }
    if isinstance(before, Scores):
        return of_test_set | {"scored in another way": sum(was[1:] != now[1:] for was, now in changed)}
    return of_test_set | {
        "right before, wrong now": sum(_right(was) and not _right(now) for was, now in changed),
        "wrong before, right now": sum(_right(now) and not _right(was) for was, now in changed),
        "wrong in another way": sum(not _right(was) and not _right(now) for was, now in changed),
    }


def _by_id(side: Side) -> dict[str, tuple[Any, ...]]:
    """Find every example by its id as text, which ids are in some formats: its true class, and what was said of it."""
    if side.predictions is None:
        return {}
    columns = side.predictions.columns(side.labels)
    said = [values for name, values in columns.items() if name not in {"id", "cluster", "y_true"}]
    examples = zip(columns.get("y_true", [None] * len(said[0])), *said, strict=True)
    return dict(zip(map(str, columns.get("id", [])), examples, strict=False))


def _right(example: tuple[Any, ...]) -> bool:
    """Whether an example is right; where it has several runs, all of them."""
    true, predicted = example
    several = isinstance(predicted, list) and not isinstance(true, list)
    return all(said == true for said in predicted) if several else bool(true == predicted)


def _cells(before: Side, after: Side) -> dict[str, tuple[float, float]]:
    """Find the errors of the confusion matrix, or the cells of the labels' tables, whose counts changed most."""
    if isinstance(before, Scores) or isinstance(after, Scores):
        return {}
    old, new = _tally(before), _tally(after)
    cells = sorted(old.keys() | new.keys(), key=lambda cell: (-abs(new[cell] - old[cell]), cell))
    return {cell: (old[cell], new[cell]) for cell in cells[:_MOST_CELLS] if new[cell] != old[cell]}


def _tally(counts: SideCounts) -> Counter[str]:
    cells = counts.cells()
    if "count" in cells:
        triples = zip(cells["y_true"], cells["y_pred"], cells["count"], strict=True)
        return Counter({f"{one_line(true)} taken for {one_line(said)}": n for true, said, n in triples if true != said})
    labels = [one_line(label) for label in counts.labels]
    if counts.table.spans:
        errors = zip(labels, *counts.counts.T[1:].tolist(), strict=True)
        return Counter({f"{kind} {what}": n for kind, *ns in errors for what, n in zip(_SPAN_ERRORS, ns, strict=True)})
    return Counter({f"{label}, {name}": cells[name][row] for row, label in enumerate(labels) for name in _OUTCOMES})


class Promotion(StrEnum):
    """What became of a baseline whose candidate was to replace it."""

    CREATED = "created"
    REPLACED = "replaced"
    KEPT = "kept"
    """It was there already, or is the candidate itself."""
    REFUSED = "refused"
    """The candidate is significantly worse than the baseline, or than the budget allows since the anchor."""


def promote(
    gates: Sequence[Gate], update: Update = Update.ALL, accepted: Callable[[Gate], Sequence[Acceptance]] = lambda _: ()
) -> Promotion:
    """Copy the candidate's file over the baseline's, unless the candidate is significantly worse.

    ``accepted`` returns the losses of a gate that are accepted all the same. An anchor that is missing begins as a copy
    of the baseline. It stays where the baseline moves, unless the test set is a new one, or the candidate is worse.
    """
    baseline, candidate = gates[0].baseline, _one_candidate(gates)
    anchors = {gate.anchor for gate in gates if gate.anchor is not None}
    missing = {anchor for anchor in anchors if not anchor.exists()}
    check = _PromotionCheck(candidate)
    if not baseline.exists():
        for gate in gates:
            read_side(candidate, "candidate", gate.reading("candidate")).counts()
        _write(dict.fromkeys([baseline, *(anchors if update is Update.ANCHOR else missing)], candidate.read_bytes()))
        return Promotion.CREATED
    if update is Update.NEW:
        _write(dict.fromkeys(missing, baseline.read_bytes()))
        return Promotion.CREATED if missing else Promotion.KEPT
    for gate in gates:
        check.require_readable(gate)
    if update is Update.ALL and not missing and baseline.read_bytes() == candidate.read_bytes():
        return Promotion.KEPT
    judged = gates if anchors or update is not Update.FORCE else []
    try:
        worse = [gate for gate in judged if check.is_much_worse(gate, since_anchor=update is not Update.ANCHOR)]
        if update is not Update.FORCE and not all(check.is_accepted(gate, accepted(gate)) for gate in worse):
            return Promotion.REFUSED
        outdated = {gate.anchor for gate in gates if check.outdates_anchor(gate)}
    except InputError:  # nothing can be compared
        if update is not Update.FORCE:
            raise
        worse, outdated = list(gates), set()
    moved = anchors if worse or update is Update.ANCHOR else outdated
    contents = dict.fromkeys(missing, baseline.read_bytes())
    contents |= dict.fromkeys([baseline, *filter(None, moved)], candidate.read_bytes())
    if all(path.exists() and path.read_bytes() == content for path, content in contents.items()):
        return Promotion.KEPT
    _write(contents)
    return Promotion.REPLACED


class _PromotionCheck:
    """Compares a candidate with baselines and anchors, each of which is read and aligned once."""

    def __init__(self, candidate: Path) -> None:
        self._candidate = candidate
        self.counts, self.sides = cache(self._counts), cache(self._sides)

    def _counts(self, file: Path, where: str, reading: Reading) -> tuple[Side, Side]:
        baseline, candidate = alike(read_side(file, where, reading), read_side(self._candidate, "candidate", reading))
        return baseline.counts(), candidate.counts()

    def _sides(self, file: Path, where: str, reading: Reading) -> Sides:
        return Sides.aligned(*self.counts(file, where, reading))

    def require_readable(self, gate: Gate) -> None:
        """Raise `InputError` when a file cannot be read, or not in the same way as the candidate's."""
        self.counts(gate.baseline, "baseline", gate.reading("candidate"))
        if gate.anchor is not None and gate.anchor.exists():
            self.counts(gate.anchor, "anchor", gate.reading("candidate"))

    def _since_anchor(self, gate: Gate) -> Sides | None:
        if gate.anchor is None or not gate.anchor.exists():
            return None
        return self.sides(gate.anchor, "anchor", gate.reading("candidate"))

    def is_accepted(self, gate: Gate, accepted: Sequence[Acceptance]) -> bool:
        """Whether the loss of this candidate is accepted."""
        return bool(accepted) and digests_of(*self.counts(gate.baseline, "baseline", gate.reading("candidate"))) in {
            (each.baseline, each.candidate) for each in accepted
        }

    def outdates_anchor(self, gate: Gate) -> bool:
        """Whether the candidate is about another test set than the anchor."""
        sides = self._since_anchor(gate)
        return sides is not None and bool(sides.difference_on(_on_new_test_set(gate.arguments)))

    def is_much_worse(self, gate: Gate, *, since_anchor: bool) -> bool:
        """Compare as the gate does, and across two test sets where the candidate's is a new one."""
        with gate.warnings(), active(Session()):
            sides = self.sides(gate.baseline, "baseline", gate.reading("candidate"))
            first = Judgement.of(run_comparison(sides, **_arguments(gate, sides)), Policy.NOT_WORSE)
            if first.verdict is Verdict.FAILED:
                return True
            of_total = self._since_anchor(gate) if since_anchor else None
            if of_total is None:
                return False
            budget = budget_of(first.comparison, gate.budget)
            return judge_since_anchor(of_total, _arguments(gate, of_total), first, budget).verdict is Verdict.FAILED


def _arguments(gate: Gate, sides: Sides) -> CompareArguments:
    """Let two test sets be independent that cannot be compared otherwise: an update is what says that one is new."""
    if not sides.difference_on(_on_new_test_set(gate.arguments)):
        return gate.arguments
    return {**gate.arguments, "on_new_test_set": OnNewTestSet.INDEPENDENT}


def _on_new_test_set(arguments: CompareArguments) -> OnNewTestSet:
    asked: OnNewTestSet = resolved("on_new_test_set", arguments.get("on_new_test_set"))
    return asked


def _one_candidate(gates: Sequence[Gate]) -> Path:
    first = gates[0]
    for gate in gates:
        if gate.candidate.resolve() != first.candidate.resolve():
            expected = f"one candidate for {first.baseline}"
            found = f"{first.candidate} of {first.name} and {gate.candidate} of {gate.name}"
            raise InputError(f"{gate.name}: candidate", expected, found, "Choose with --gate.")
        for side, copy in (("baseline", gate.baseline), ("anchor", gate.anchor)):
            if copy is not None:
                _require_same_format(gate, side, copy)
                _require_same_reading(gate, side, copy)
    return first.candidate


def _require_same_reading(gate: Gate, side: str, copy: Path) -> None:
    """Require that a copy of the candidate's file will be read as that is."""
    if gate.reading(side) == gate.reading("candidate"):
        return
    found, advice = "other ones", "Say columns and rows once, for the whole gate."
    if copy.resolve() == gate.candidate.resolve():
        found = "other ones of the same file"
        advice = "Rename the columns in the gate file, or keep each side in a file."
    expected = "the columns and rows of the candidate, because its file becomes this one"
    raise InputError(f"{gate.name}: {side}", expected, found, advice)


def _require_same_format(gate: Gate, side: str, copy: Path) -> None:
    if _format(gate.candidate) != _format(copy):
        expected = f"a name that ends with {_format(gate.candidate)!r}, as candidate's"
        raise InputError(f"{gate.name}: {side}", expected, repr(copy.name), "Rename it in the gate file.")


def _format(path: Path) -> str:
    """Return the suffixes of a file's format: model-1.2.csv.gz is a .csv.gz."""
    name = Path(path.name.lower())
    unpacked = name.with_suffix("") if name.suffix == ".gz" else name
    return str(name).removeprefix(unpacked.stem)


def _write(contents: Mapping[Path, bytes]) -> None:
    try:
        write_all(contents)
    except OSError as error:
        raise BaselineError(str(next(iter(contents))), "a file that can be written", str(error)) from error


_GATE = "bayes_regression"
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

    @positional(ONE_SIDE)
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
        candidate
            A `ConfusionMatrix`, `MultilabelCounts`, `SpanCounts`, `Scores` or anything with counts, as in `compare`.
            With predictions that have ids the next comparison is paired, in whatever order the examples come.
        name
            Of the baseline; by default the test's own.
        budget
            The loss since the anchor that is tolerated in all; by default twice the ROPE's lower half.
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
        values = {} if slices is None else slice_values(counts, slices)
        policy, columns = Policy.NOT_WORSE, tuple(values)
        demands = Demands(name=_GATE, policy=policy, arguments=arguments, per_class=per_class, slices=columns)
        name = self.test if name is None else _checked_name(name)
        self._require_one_candidate(name, counts)
        stored = self.store.find(name)
        if stored is None:
            self._require_update(name)
            self._begin(name, counts, demands, values, budget)
            return None
        self.report(BaselineUse.USED, stored.path)
        if self.store.files.changed(stored.path):
            self.report(BaselineUse.CHANGED, stored.path)
        try:
            sides = Sides.aligned(stored.baseline.counts, counts)
        except InputError as error:
            self._require_force(stored, error)
            self._begin(name, counts, demands, values, budget, stored)
            return None
        on_new_test_set = _on_new_test_set(arguments)
        difference = sides.difference_on(on_new_test_set)
        if difference:
            self._require_allowed(on_new_test_set, stored, difference)
            if on_new_test_set is not OnNewTestSet.INDEPENDENT:
                values = {}  # of a new test set the baseline has no slices
            arguments["on_new_test_set"] = OnNewTestSet.INDEPENDENT
        result, total = self._gated(replace(demands, arguments=arguments, baseline=stored.path), sides, values, budget)
        comparison, n_judged = result.overall.comparison, len(result.judgements)
        note, is_warning = note_on_reuse(stored.baseline.releases, comparison, total)
        notes = (note,) if note else ()
        first = replace(result.overall, notes=notes, caveats=notes if is_warning else ())
        since_anchor = self._since_anchor(stored.baseline, counts, arguments, first, total)
        judged = [first, *result.judgements[1:], *since_anchor]
        overruled = any(each.verdict is Verdict.FAILED for each in judged)
        gate = self._gate(judged, stored, counts)
        answer = answer_for(gate)
        result = replace(result, judgements=tuple(gate.judgements[:n_judged])).answered(answer)
        others = [answer.of(each) for each in gate.judgements[n_judged:]]
        for each in others if result.verdict is Verdict.FAILED else ():
            current_session().listener(each.record())
        self._enforce(result)
        for each in others:
            self._enforce(each)
            if each.comparison.decision == Decision.MUCH_BETTER and self.update is not Update.ANCHOR:
                self.report(BaselineUse.AHEAD, stored.path)
        warn_if_underpowered(result.overall)
        if self.update not in (Update.NONE, Update.NEW):
            anew = overruled or self.update is Update.ANCHOR or bool(difference)
            self._pending[name] = self._next(stored.baseline, counts, anew=anew), stored
            moves(gate)
        return comparison

    def keep(self) -> None:
        """Write the baselines that this run may write; to be called when the test has passed."""
        for baseline, replaces in self._pending.values():
            if path := self.store.write(baseline, replaces):
                self.report(BaselineUse.REPLACED if replaces else BaselineUse.CREATED, path)

    def __repr__(self) -> str:
        """Short, for pytest shows it above every failure."""
        return f"<Regression {self.test}>"

    def _gated(
        self, demands: Demands, sides: Sides, values: SliceValues, budget: float | None
    ) -> tuple[GateResult, float]:
        """Judge, and record in the session what is demanded; of a first candidate too, which has no baseline yet."""
        result = judge_sides(demands, sides, values=values)
        total = budget_of(result.overall.comparison, budget)
        settings = GateSettings.of_call(result, budget=total, baseline=self.moved_to)
        current_session().on_gate(settings.to_dict())
        return replace(result, budget=total), total

    def _since_anchor(
        self, stored: Baseline, counts: Side, arguments: CompareArguments, first: Judgement, budget: float
    ) -> Iterator[Judgement]:
        if stored.anchor is None:
            return
        sides, anew = Sides.aligned(stored.anchor, counts), f"{self.command} --bayesf1-update=anchor"
        yield judge_since_anchor(sides, arguments, first, budget, origin=stored.origin.words, count_anew=anew)

    def _next(self, stored: Baseline, counts: Side, *, anew: bool) -> Baseline:
        """Return what is to be stored of the candidate: as an anchor anew, or with the one that there was."""
        here = Origin.here(self.store.directory)
        following = stored.followed_by(counts, here)
        return Baseline(stored.name, counts, here, releases=following.releases) if anew else following

    def _gate(self, judged: Sequence[Judgement], stored: Stored, counts: Side) -> JudgedGate:
        """Return what is left to be answered for: without failures that this update forces."""
        left = [
            replace(each, verdict=Verdict.WARNED, advice=_FORCED[self.update])
            if each.verdict is Verdict.FAILED
            and (self.update is Update.FORCE or (self.update is Update.ANCHOR and each.part == PART))
            else each
            for each in judged
        ]
        replaced = self.store.files.changed(stored.path)
        return JudgedGate(left, lambda: digests_of(stored.baseline.counts, counts), replaced=replaced)

    def _enforce(self, judged: Judgement | GateResult) -> None:
        if not judged.lifted:
            enforce(judged)
            return
        with warnings.catch_warnings():
            warnings.simplefilter("always", LeaningWorseWarning)  # as an error it would forbid what was forced
            enforce(judged)

    def _require_one_candidate(self, name: str, counts: Side) -> None:
        """Two candidates of one test under one name would each be the other's baseline."""
        if self._seen.setdefault(name, counts) != counts:
            expected = f"one candidate for the baseline {name!r}"
            raise InputError(arg("candidate"), expected, "another one, checked before", "Pass check(..., name=...).")

    def _require_update(self, name: str) -> None:
        if self.update is Update.NONE:
            raise BaselineError(
                str(self.store.directory),
                f"a baseline for {name!r}",
                "none",
                f"To make this candidate the baseline, run: {self.command} --bayesf1-update=new",
            )

    def _require_force(self, stored: Stored, error: InputError) -> None:
        if self.update is not Update.FORCE:
            raise BaselineError(
                str(stored.path),
                "a baseline with the candidate's labels",
                f"one that is not comparable: {error.problem}",
                f"If they changed on purpose, make this candidate the baseline: {self.command} --bayesf1-update=force",
            ) from None

    def _begin(
        self,
        name: str,
        counts: Side,
        demands: Demands,
        values: SliceValues,
        budget: float | None,
        replaces: Stored | None = None,
    ) -> None:
        """Keep a candidate as a first baseline, if the next one can be compared with it."""
        self._gated(demands, Sides.aligned(counts, counts), values, budget)
        self._pending[name] = Baseline(name, counts, Origin.here(self.store.directory)), replaces

    def _require_allowed(self, on_new_test_set: OnNewTestSet, stored: Stored, difference: str) -> None:
        if on_new_test_set is not OnNewTestSet.INDEPENDENT and self.update in (Update.NONE, Update.NEW):
            raise BaselineError(
                str(stored.path),
                "a baseline from the candidate's test set",
                f"one that is not comparable: {difference}",
                "If the test set is a new one, make this candidate the baseline: "
                f'{self.command} --bayesf1-update\nOr pass check(..., on_new_test_set="independent") to compare '
                "across the two test sets.",
            )


HIDDEN_LUCK = 0.742
"""0.638, the most of g(f) = (1 - (1 - f)^R) / sqrt(f R) for many releases R, times 1.163, the mean of the best of 5."""


def note_on_reuse(releases: int, comparison: Comparison, budget: float) -> tuple[str, bool]:
    """Say how often a test set was used to choose, and whether that may hide more than may be lost in all.

    Each release predicts a share f of the examples afresh, and is the best of five on this test set. Its luck there
    looks like a gain, and goes when its examples are predicted afresh. After R releases the luck adds up to no more
    than ``0.742 s sqrt(R)``, with s the standard error of the difference of two unrelated classifiers.
    """
    if releases < 2:
        return "", False
    hidden = HIDDEN_LUCK * hypot(comparison.baseline.std, comparison.candidate.std) * sqrt(releases)
    judged = f"This test set has judged {releases:,} releases."
    if hidden <= budget:
        return judged, False
    amounts = Amounts.of(comparison)
    return (
        f"{judged} If each was the best of five candidates on it, it can hide a true loss of up to "
        f"{amounts.size(hidden)}. You allow {amounts.size(budget)} in all. Test on fresh examples."
    ), True


def _checked_name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise InputError("name", "the name of a baseline", shown(name))
    return name
