"""Losses and changes that are wanted: what the manifest of gates records of each, and the gates that it covers."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

from pytest_bayesf1.errors import InputError, command_line
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.project import Wanted, in_ci
from pytest_bayesf1.results.policy import Outcome
from pytest_bayesf1.results.schema import Check, Number, Text, plain
from pytest_bayesf1.text import Scale, flowed, scale_of
from pytest_bayesf1.writing import Cache, cache_folder

if TYPE_CHECKING:
    from pydantic import ConfigDict

    from pytest_bayesf1.gates.evaluate import GateRun


_Reason: TypeAlias = Annotated[Text, Check(lambda text: bool(text.strip()), "a reason")]


def scale_of_measure(name: str) -> Scale:
    """Return the scale on which scores of a measure are written."""
    try:
        bounded = parse_name(name).bounded
    except InputError:  # a function of the user's own
        bounded = False
    return scale_of(custom_measure=not bounded)


@dataclass(frozen=True, kw_only=True)
class Acceptance:
    """A loss that somebody wants, of one gate; settings of a later version are kept as they are.

    Attributes
    ----------
    measure
        Of the gate.
    baseline, candidate
        Digests of both sides' predictions, or of their counts where no predictions are known.
    loss
        Posterior mean of what was lost, on the measure's own scale; of the part that lost most.
    reason
        Why you want the loss.
    failed
        What failed, as reports write it: all the data, classes, slices, the total loss and gaps.
    up_to
        The largest loss that is accepted of other candidates too; None accepts this candidate alone.
    """

    __pydantic_config__: ClassVar["ConfigDict"] = {"extra": "allow"}

    measure: Text
    baseline: Text
    candidate: Text
    loss: Number
    reason: _Reason
    failed: tuple[Text, ...] = ()
    up_to: Number | None = None

    def covers(self, failure: "Acceptance", *, has_gap: bool = False) -> bool:
        """Whether it accepts a failure: the same candidate's whatever failed, another one's up to a loss, not a gap."""
        if self.baseline != failure.baseline or self.measure != failure.measure:
            return False
        is_small_enough = self.up_to is not None and failure.loss <= self.up_to and not has_gap
        return self.candidate == failure.candidate or is_small_enough

    def is_needed(self, losses: Iterable["Acceptance"], *, is_known: bool) -> bool:
        """Whether any of these is from the same baseline; of the same candidate, unless it is known or a limit."""
        of_any = is_known or self.up_to is not None
        return any(
            (loss.measure, loss.baseline) == (self.measure, self.baseline)
            and (of_any or loss.candidate == self.candidate)
            for loss in losses
        )

    def is_new_limit(self, known: Iterable["Acceptance | AcceptedChange"]) -> bool:
        """Whether it accepts losses of other candidates that none of these covers."""
        if self.up_to is None:
            return False
        largest = replace(self, candidate="", loss=self.up_to)
        return not any(isinstance(each, Acceptance) and each.covers(largest) for each in known)

    def replaces(self, other: "Acceptance | AcceptedChange") -> bool:
        """Whether another exception of the gate is needless beside it."""
        return isinstance(other, Acceptance) and other.covers(self)

    def wanted(self, wanted: Wanted) -> "Acceptance":
        """Return the same with a reason; raise `InputError` for a limit that this loss is beyond."""
        if wanted.up_to is not None and wanted.up_to < self.loss:
            raise InputError("--up-to", f"at least the loss of this candidate, {self.loss:g}", f"{wanted.up_to:g}")
        return replace(self, reason=wanted.reason, up_to=wanted.up_to)

    @property
    def limit(self) -> str:
        """The largest loss that is accepted of other candidates; empty where none is."""
        scale = scale_of_measure(self.measure)
        return "" if self.up_to is None else scale.amount(f"{scale.factor * self.up_to:.3g}")

    @property
    def words(self) -> str:
        """Say what is accepted, and why."""
        limit = f" up to a loss of {self.limit}" if self.limit else ""
        return f"Accepted{limit}: {flowed(self.reason)}"

    def to_dict(self) -> dict[str, Any]:
        """Return what there is to say, JSON-able."""
        values: dict[str, Any] = plain(dict(vars(self)))
        return {name: value for name, value in values.items() if value != getattr(Acceptance, name, ...)}


@dataclass(frozen=True, kw_only=True)
class AcceptedChange:
    """A change of one gate that is wanted, though it loosens the gate or makes it another one.

    Attributes
    ----------
    change
        A digest of what was listed of the gate and of what it is, so that no other change is accepted.
    reason
        Why the change is wanted.
    """

    __pydantic_config__: ClassVar["ConfigDict"] = {"extra": "allow"}

    change: Text
    reason: _Reason

    def replaces(self, other: "Acceptance | AcceptedChange") -> bool:
        """Whether another exception of the gate is needless beside it: the gate has one change."""
        return isinstance(other, AcceptedChange)

    def to_dict(self) -> dict[str, Any]:
        """Return what there is to say, JSON-able."""
        return dict(vars(self))


Exceptions: TypeAlias = Mapping[str, Sequence[Acceptance | AcceptedChange]]
"""By test or, of a change, by gate."""


@dataclass(frozen=True)
class Terms:
    """Which losses of a test are accepted, and by which command others could be.

    Attributes
    ----------
    test
        Its id.
    root, here
        The root folder of the project, and where commands are typed.
    again
        The command that runs the test alone.
    listed
        The losses of the test that are accepted in the manifest that is checked out.
    listed_before
        Those in the manifest of the commit that baselines are read from. They count where the change replaces the
        baseline, and with it drops what nothing will need any more.
    baseline_ref
        The commit that baselines are read from; empty for the files that are checked out.
    """

    test: str
    root: Path
    here: Path
    again: str
    listed: Sequence[Acceptance] = ()
    listed_before: Sequence[Acceptance] = ()
    baseline_ref: str = ""

    def applied(self, gate: "GateRun") -> "GateRun":
        """Return the gate with its failures accepted, or with how they could be; a loss is known where it matters."""
        known_before = self.listed_before if gate.source.is_replaced else ()
        of_test = (*self.listed, *known_before)
        listed = [each for each in of_test if each.measure == gate.overall.comparison.measure]
        if not (gate.failed or gate.has_gap):  # of a part that could not be judged no loss is known
            return replace(gate, lost=gate.loss) if listed else gate  # digests take time
        known = next((each for each in listed if each.covers(gate.loss, has_gap=gate.has_gap)), None)
        if known is not None:
            return gate.with_failures(gate.loss, outcome=Outcome.ACCEPTED, advice=known.words)
        reasons = ["gates.json accepts another loss of this gate."] if listed else []
        way_out = " ".join([*reasons, self._way_out(gate)])
        return gate.with_failures(gate.loss, way_out=way_out, command=self.command(is_replaced=gate.source.is_replaced))

    def command(self, *, is_replaced: bool) -> str:
        """Return the command that accepts a loss, below the one that fails again where failures are not kept."""
        folder = os.path.relpath(self.root, self.here)
        options = [] if folder == "." else ["--root", folder]
        accept = command_line("bayesf1", "accept", self.test, *options, "--reason", ...)
        if keeps_failures():
            return accept
        compared_with = f" --bayesf1-baseline-ref={quote(self.baseline_ref)}" if is_replaced else ""
        return f"{self.again}{compared_with}\n{accept}"

    def _way_out(self, gate: "GateRun") -> str:
        about = "the loss" if gate.worst.comparison.decision.side < 0 or gate.has_gap else "this candidate"
        replaced = f"This change replaced the baseline of {self.baseline_ref}. " if gate.source.is_replaced else ""
        return f"{replaced}If you want {about}, accept it and commit gates.json"


Failures: TypeAlias = dict[str, list[Acceptance]]
"""What failed last, by test: losses without a reason."""


def _read_failures(document: Any) -> Failures:
    return {test: [Acceptance(**each) for each in losses] for test, losses in document.items()}


def _kept() -> Cache[Failures]:
    return Cache("failed", 2, cache_folder(), _read_failures)


def keeps_failures() -> bool:
    """Whether `bayesf1 accept` will find what fails here; in CI, where losses are not accepted, nothing is kept."""
    return not in_ci() and cache_folder() is not None


def failures_of(root: Path) -> Failures:
    """Return what failed when the gates of a project ran last, and whose file is still there."""
    kept: Failures = _kept().find({"root": str(root.resolve())}) or {}
    return {test: losses for test, losses in kept.items() if (root / test.partition("::")[0]).exists()}


def keep_failures(root: Path, judged: Collection[str], failed: Failures) -> None:
    """Keep what failed for `bayesf1 accept`; of tests that did not judge what is known."""
    if not keeps_failures():
        return
    before = failures_of(root)
    kept = {test: losses for test, losses in before.items() if test not in judged} | failed
    if kept != before:
        _kept().keep({"root": str(root.resolve())}, {test: list(map(vars, losses)) for test, losses in kept.items()})
