"""The candidate of gates becomes their baseline, and where asked for their anchor."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TypeGuard

from pytest_bayesf1._util import write_all
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.options import CompareArguments
from pytest_bayesf1.comparison.subject import AnySides, aligned
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.files.side import alike, read_side
from pytest_bayesf1.files.tables import Reading
from pytest_bayesf1.gates.evaluate import budget_of, judge_since_anchor
from pytest_bayesf1.gates.gate_file import Gate
from pytest_bayesf1.gates.policy import Judgement, Policy, Verdict
from pytest_bayesf1.settings import Model, Session, Update, active


class Promotion(StrEnum):
    """What became of a baseline whose candidate was to replace it."""

    CREATED = "created"
    REPLACED = "replaced"
    KEPT = "kept"
    """It was there already, or is the candidate itself."""
    REFUSED = "refused"
    """The candidate is significantly worse than the baseline, or than the budget allows since the anchor."""


def promote(gates: Sequence[Gate], update: Update = Update.ALL) -> Promotion:
    """Copy the candidate's file over the baseline's, unless the candidate is significantly worse.

    An anchor that is missing begins as a copy of the baseline. It stays where the baseline moves, unless the test set
    is a new one.

    Parameters
    ----------
    gates
        All that have this baseline in common; none may find the candidate significantly worse.
    update
        ``NEW`` leaves alone what is there, ``ANCHOR`` moves the anchors too, whatever is lost since, and ``FORCE``
        replaces the baseline by a significantly worse candidate, too, which is the anchor then.

    Returns
    -------
    Promotion
        What became of the baseline and its anchors.

    Raises
    ------
    InputError
        When a file cannot be used, or the gates have several candidates; then nothing is written.
    BaselineError
        When a file cannot be written.
    """
    baseline, candidate = gates[0].baseline, _one_candidate(gates)
    anchors = {gate.anchor for gate in gates if gate.anchor is not None}
    missing = {anchor for anchor in anchors if not anchor.exists()}
    together = _Together(candidate)
    if not baseline.exists():
        for gate in gates:
            read_side(candidate, "candidate", gate.reading("candidate")).counts()
        _write(dict.fromkeys([baseline, *(anchors if update is Update.ANCHOR else missing)], candidate.read_bytes()))
        return Promotion.CREATED
    if update is Update.NEW:
        _write(dict.fromkeys(missing, baseline.read_bytes()))
        return Promotion.CREATED if missing else Promotion.KEPT
    for gate in gates:
        together.require_readable(gate)
    if update is Update.ALL and not missing and baseline.read_bytes() == candidate.read_bytes():
        return Promotion.KEPT
    judged = gates if anchors or update is not Update.FORCE else []
    try:
        refused = any(together.is_much_worse(gate, since_anchor=update is not Update.ANCHOR) for gate in judged)
        outdated = {gate.anchor for gate in gates if together.outdates_anchor(gate)}
    except InputError:  # nothing can be compared
        if update is not Update.FORCE:
            raise
        refused, outdated = True, set()
    if refused and update is not Update.FORCE:
        return Promotion.REFUSED
    moved = anchors if refused or update is Update.ANCHOR else outdated
    contents = dict.fromkeys(missing, baseline.read_bytes())
    contents |= dict.fromkeys([baseline, *filter(None, moved)], candidate.read_bytes())
    if all(path.exists() and path.read_bytes() == content for path, content in contents.items()):
        return Promotion.KEPT
    _write(contents)
    return Promotion.REPLACED


class _Together:
    """A candidate beside the files that it must not fall behind: each is read and aligned once."""

    def __init__(self, candidate: Path) -> None:
        self._candidate = candidate
        self.counts, self.sides = cache(self._counts), cache(self._sides)

    def _counts(self, file: Path, where: str, reading: Reading) -> tuple[Side, Side]:
        baseline, candidate = alike(read_side(file, where, reading), read_side(self._candidate, "candidate", reading))
        return baseline.counts(), candidate.counts()

    def _sides(self, file: Path, where: str, reading: Reading) -> AnySides:
        return aligned(*self.counts(file, where, reading))

    def require_readable(self, gate: Gate) -> None:
        """Raise `InputError` when a file cannot be read, or not beside the candidate."""
        self.counts(gate.baseline, "baseline", gate.reading("candidate"))
        if _is_there(gate.anchor):
            self.counts(gate.anchor, "anchor", gate.reading("candidate"))

    def outdates_anchor(self, gate: Gate) -> bool:
        """Whether the candidate is about another test set than the anchor."""
        if not _is_there(gate.anchor):
            return False
        return bool(self.sides(gate.anchor, "anchor", gate.reading("candidate")).difference_of_test_sets)

    def is_much_worse(self, gate: Gate, *, since_anchor: bool) -> bool:
        """Compare as the gate does, and across two test sets where the candidate's is a new one."""
        with gate.warnings(), active(Session()):
            sides = self.sides(gate.baseline, "baseline", gate.reading("candidate"))
            first = Judgement.of(run_comparison(sides, **_arguments(gate, sides)), Policy.NOT_WORSE)
            if first.verdict is Verdict.FAILED or not (since_anchor and _is_there(gate.anchor)):
                return first.verdict is Verdict.FAILED
            sides, budget = (
                self.sides(gate.anchor, "anchor", gate.reading("candidate")),
                budget_of(first.comparison, gate.budget),
            )
            total = judge_since_anchor(sides, _arguments(gate, sides), first, budget)
            return total.verdict is Verdict.FAILED


def _is_there(anchor: Path | None) -> TypeGuard[Path]:
    return anchor is not None and anchor.exists()


def _arguments(gate: Gate, sides: AnySides) -> CompareArguments:
    arguments = gate.with_measure(gate.measure)
    if sides.difference_of_test_sets:
        arguments["model"] = Model.INDEPENDENT
    return arguments


def _one_candidate(gates: Sequence[Gate]) -> Path:
    first = gates[0]
    for gate in gates:
        if gate.candidate.resolve() != first.candidate.resolve():
            expected = f"one candidate for {first.baseline}"
            found = f"{first.candidate} of {first.name} and {gate.candidate} of {gate.name}"
            raise InputError(f"{gate.name}: candidate", expected, found, "Choose with --gate.")
        for side, copy in (("baseline", gate.baseline), ("anchor", gate.anchor)):
            if copy is not None:
                _require_format(gate.candidate, copy, f"{gate.name}: {side}")
                _require_same_reading(gate, side, copy)
    return first.candidate


def _require_same_reading(gate: Gate, side: str, copy: Path) -> None:
    """Require that a copy of the candidate's file will be read as that is."""
    if gate.reading(side) == gate.reading("candidate"):
        return
    expected = "the columns and rows of the candidate, whose file is copied"
    if copy.resolve() == gate.candidate.resolve():
        found, advice = (
            "other ones of the same file",
            "Name the columns anew in the gate file, or keep each side in a file.",
        )
    else:
        found, advice = "other ones", "Say columns and rows once, for the whole gate."
    raise InputError(f"{gate.name}: {side}", expected, found, advice)


def _require_format(candidate: Path, copy: Path, where: str) -> None:
    if _format(candidate) != _format(copy):
        expected = f"a name that ends with {_format(candidate)!r}, as candidate's"
        raise InputError(where, expected, repr(copy.name), "Rename it in the gate file.")


def _format(path: Path) -> str:
    """Return the suffixes that tell a file's format: model-1.2.csv.gz is a .csv.gz."""
    name = Path(path.name.lower())
    unpacked = name.with_suffix("") if name.suffix == ".gz" else name
    return str(name).removeprefix(unpacked.stem)


def _write(contents: Mapping[Path, bytes]) -> None:
    try:
        write_all(contents)
    except OSError as error:
        raise BaselineError(str(next(iter(contents))), "a file that can be written", str(error)) from error
