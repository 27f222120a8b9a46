"""The candidate of gates becomes their baseline."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from pytest_bayesf1.atomic import write_all
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.subjects import AnySides, aligned
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.files.side_file import read_side, read_sides
from pytest_bayesf1.gates.gate import Gate
from pytest_bayesf1.gates.policy import Policy, Verdict
from pytest_bayesf1.session import Session, active


class Promotion(StrEnum):
    """What became of a baseline whose candidate was to replace it."""

    CREATED = "created"
    REPLACED = "replaced"
    KEPT = "kept"
    """It was there already, or is the candidate itself."""
    REFUSED = "refused"
    """The candidate is significantly worse."""


def promote(gates: Sequence[Gate], *, only_missing: bool = False, force: bool = False) -> Promotion:
    """Copy the candidate's file over the baseline's, unless the candidate is significantly worse.

    Parameters
    ----------
    gates
        All that have this baseline in common; none may find the candidate significantly worse.
    only_missing
        Leave a baseline that is there alone.
    force
        Replace it all the same by a significantly worse candidate.

    Returns
    -------
    Promotion
        What became of the baseline.

    Raises
    ------
    InputError
        When a file cannot be used, or the gates have several candidates; then nothing is written.
    BaselineError
        When the baseline cannot be written.
    """
    baseline, candidate = gates[0].baseline, _one_candidate(gates)
    readings = {gate.reading for gate in gates}
    if not baseline.exists():
        for reading in readings:
            read_side(candidate, "candidate", reading).counts()
        _copy(candidate, baseline)
        return Promotion.CREATED
    if only_missing:
        return Promotion.KEPT
    counts = {each: [side.counts() for side in read_sides(baseline, candidate, each)] for each in readings}
    if baseline.read_bytes() == candidate.read_bytes():
        return Promotion.KEPT
    if not force:
        sides = {reading: aligned(*both) for reading, both in counts.items()}
        if any(_is_much_worse(gate, sides[gate.reading]) for gate in gates):
            return Promotion.REFUSED
    _copy(candidate, baseline)
    return Promotion.REPLACED


def _one_candidate(gates: Sequence[Gate]) -> Path:
    first = gates[0]
    for gate in gates:
        if gate.candidate.resolve() != first.candidate.resolve():
            expected = f"one candidate for {first.baseline}"
            found = f"{first.candidate} of {first.name} and {gate.candidate} of {gate.name}"
            raise InputError(f"{gate.name}: candidate", expected, found, "Choose with --gate.")
    if _format(first.candidate) != _format(first.baseline):
        raise InputError(
            f"{first.name}: baseline",
            f"a name that ends with {_format(first.candidate)!r}, as candidate's",
            repr(first.baseline.name),
            "Rename it in the gate file.",
        )
    return first.candidate


def _format(path: Path) -> str:
    """Return the suffixes that tell a file's format: model-1.2.csv.gz is a .csv.gz."""
    name = Path(path.name.lower())
    unpacked = name.with_suffix("") if name.suffix == ".gz" else name
    return str(name).removeprefix(unpacked.stem)


def _is_much_worse(gate: Gate, sides: AnySides) -> bool:
    """Compare as the gate does, and across two test sets where the candidate's is a new one."""
    arguments = gate.with_measure(gate.measure)
    if sides.difference_of_test_sets:
        arguments["model"] = Model.INDEPENDENT
    with gate.warnings(), active(Session()):
        return Policy.NOT_WORSE.judge(run_comparison(sides, **arguments)) is Verdict.FAILED


def _copy(candidate: Path, baseline: Path) -> None:
    try:
        write_all({baseline: candidate.read_bytes()})
    except OSError as error:
        raise BaselineError(str(baseline), "a file that can be written", str(error)) from error
