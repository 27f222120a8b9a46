"""Losses and changes that are wanted: what the manifest of gates records of each, and the gates that it covers."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

from pytest_bayesf1.errors import InputError, command_line
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.project import Wanted, in_ci
from pytest_bayesf1.results.policy import Verdict
from pytest_bayesf1.results.schema import Check, Number, Text, plain
from pytest_bayesf1.session import current_session
from pytest_bayesf1.text import flowed, scale_of
from pytest_bayesf1.writing import Cache, cache_folder

if TYPE_CHECKING:
    from pydantic import ConfigDict

    from pytest_bayesf1.gates.evaluate import GateResult


_Reason: TypeAlias = Annotated[Text, Check(lambda text: bool(text.strip()), "a reason")]


@dataclass(frozen=True, kw_only=True)
class Acceptance:
    """A loss that somebody wants, of one gate; settings of a later version are kept as they are.

    Attributes
    ----------
    measure
        Of the gate.
    baseline, candidate
        Digests of both sides' predictions, or of their counts where no predictions are known.
    loss, hdi
        Posterior mean of what was lost and its HDI, on the measure's own scale; of the part that lost most.
    part
        Which class or slice that is; empty for all the data.
    reason
        Why you want the loss.
    up_to
        The largest loss that is accepted of other candidates too; None accepts this candidate alone.
    """

    __pydantic_config__: ClassVar["ConfigDict"] = {"extra": "allow"}

    measure: Text
    baseline: Text
    candidate: Text
    loss: Number
    hdi: tuple[Number, Number]
    reason: _Reason
    part: Text = ""
    up_to: Number | None = None

    def covers(self, failure: "Acceptance", *, has_gap: bool = False) -> bool:
        """Whether it accepts a failure: the same candidate's whatever failed, another one's up to a loss, not a gap."""
        if self.baseline != failure.baseline or self.measure != failure.measure:
            return False
        is_small_enough = self.up_to is not None and failure.loss <= self.up_to and not has_gap
        return self.candidate == failure.candidate or is_small_enough

    def is_needed(self, losses: Iterable["Acceptance"]) -> bool:
        """Whether any of these is a loss of the same candidate, or of one that the limit is about."""
        return any(
            (loss.measure, loss.baseline) == (self.measure, self.baseline)
            and (self.up_to is not None or loss.candidate == self.candidate)
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
            expected = f"at least the loss of this candidate, {self.loss:g}"
            raise InputError(wanted.up_to_name, expected, f"{wanted.up_to:g}")
        return replace(self, reason=wanted.reason, up_to=wanted.up_to)

    def amount(self, loss: float) -> str:
        """Write a loss of the measure: in points, or as it is of a function of the user's own."""
        try:
            scale = scale_of(custom_measure=not parse_name(self.measure).bounded)
        except InputError:
            scale = scale_of(custom_measure=True)
        return scale.amount(f"{scale.factor * loss:.3g}")

    @property
    def limit(self) -> str:
        """The largest loss that is accepted of other candidates; empty where none is."""
        return "" if self.up_to is None else self.amount(self.up_to)

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


class GateOutcome(StrEnum):
    """What became of a gate, for whoever keeps the manifest."""

    NOTHING_LOST = "nothing lost"
    FAILED = "failed"
    HONOURED = "honoured"
    """Its loss is accepted in the manifest."""
    ACCEPTED = "accepted"
    """This run accepts its loss."""
    MOVED = "moved"
    """The candidate becomes the baseline."""


@dataclass(frozen=True)
class Answer:
    """What is to be said of a gate that failed: who accepts it, or how it could be accepted."""

    accepted: Acceptance | None = None
    way_out: str = ""
    command: str = ""

    def of(self, judged: Any) -> Any:
        """Return a judgement, of a comparison or of a gap, with this answer, if it failed."""
        if judged.verdict is not Verdict.FAILED:
            return judged
        if self.accepted is None:
            return replace(judged, way_out=self.way_out, command=self.command)
        return replace(judged, verdict=Verdict.ACCEPTED, advice=self.accepted.words)


NO_ANSWER = Answer()


@dataclass(frozen=True)
class Acceptor:
    """Answers for the gates of one test.

    Attributes
    ----------
    listed
        The losses of the test that are accepted in the manifest that is checked out.
    command
        Returns the shell command that accepts a loss of the test, by whether its baseline was replaced.
    hear
        Called with what became of each gate.
    wanted
        Why this run accepts losses, if it does.
    baseline_ref
        The commit that baselines are read from; empty for the files that are checked out.
    """

    listed: Sequence[Acceptance]
    command: Callable[[bool], str]
    hear: Callable[[GateOutcome, Acceptance], None]
    wanted: Wanted | None = None
    baseline_ref: str = ""

    def answer(self, gate: "GateResult") -> Answer:
        """Accept a gate's failure, or say how it could be accepted."""
        listed = [each for each in self.listed if each.measure == gate.overall.comparison.measure]
        if not (gate.failed or gate.has_gap):  # of a part that could not be judged no loss is known
            if listed:  # digests take time, and are needed here only
                self.hear(GateOutcome.NOTHING_LOST, gate.loss)
            return NO_ANSWER
        known = next((each for each in listed if each.covers(gate.loss, has_gap=gate.has_gap)), None)
        if known is not None:
            self.hear(GateOutcome.HONOURED, gate.loss)
            return Answer(known)
        reasons = list(self._why_not(listed, gate))
        if self.wanted is not None:
            try:
                accepted = gate.loss.wanted(self.wanted)
            except InputError as error:
                reasons = [f"Not accepted: {error}."]
            else:
                self.hear(GateOutcome.ACCEPTED, accepted)
                return Answer(accepted)
        self.hear(GateOutcome.FAILED, gate.loss)
        way_out = " ".join([*reasons, self._way_out(gate)])
        return Answer(way_out=way_out, command=self.command(gate.source.is_replaced))

    def moved(self, gate: "GateResult") -> None:
        """Hear that the candidate becomes the baseline."""
        if self.listed and gate.loss.baseline != gate.loss.candidate:
            self.hear(GateOutcome.MOVED, gate.loss)

    def _why_not(self, listed: Sequence[Acceptance], gate: "GateResult") -> list[str]:
        """Say why what is listed does not cover the failure."""
        if not listed:
            return []
        same_baseline = [each for each in listed if each.baseline == gate.loss.baseline]
        limits = [each.up_to for each in same_baseline if each.up_to is not None]
        if not same_baseline:
            what = "from another baseline"
        elif not limits:
            what = "of another candidate"
        elif gate.has_gap:
            what = "of another candidate, which covers no gap between slices"
        else:
            what = f"of at most {gate.loss.amount(max(limits))}"
        return [f"gates.json accepts a loss of this gate, but {what}."]

    def _way_out(self, gate: "GateResult") -> str:
        about = "the loss" if gate.worst.comparison.decision.side < 0 or gate.has_gap else "this candidate"
        accept = f"If you want {about}, accept it and commit gates.json"
        if not gate.source.is_replaced:
            return accept
        compared = f"this run compares with that of {self.baseline_ref}"
        return f"This change replaced the baseline, but {compared}. {accept}"


def answer_for(gate: "GateResult") -> Answer:
    """Let the session answer for a gate."""
    acceptor = current_session().acceptor()
    return NO_ANSWER if acceptor is None else acceptor.answer(gate)


def moves(gate: "GateResult") -> None:
    """Tell the session that the candidate of a gate becomes its baseline, once the test has passed."""
    acceptor = current_session().acceptor()
    if acceptor is not None:
        acceptor.moved(gate)


Failures: TypeAlias = dict[str, list[Acceptance]]
"""What failed last, by test: losses without a reason."""


def _read_failures(document: Any) -> Failures:
    return {test: [Acceptance(**each) for each in losses] for test, losses in document.items()}


def _kept() -> Cache[Failures]:
    return Cache("failed", 1, cache_folder(), _read_failures)


def keeps_failures() -> bool:
    """Whether `bayesf1 accept` will find what fails here; in CI, where losses are not accepted, nothing is kept."""
    return not in_ci() and cache_folder() is not None


def command_to_accept(test: str, root: Path, here: Path, again: str, *, only_again: bool = False) -> str:
    """Return the command that accepts a loss of a test: of the last run, where its failures are kept, or by another."""
    if only_again or not keeps_failures():
        return f"{again} {command_line('--bayesf1-accept', ...)}"
    folder = os.path.relpath(root, here)
    return command_line("bayesf1", "accept", test, *([] if folder == "." else ["--root", folder]), "--reason", ...)


def failures_of(root: Path) -> Failures:
    """Return what failed when the gates of a project ran last, and whose file is still there."""
    kept: Failures = _kept().find({"root": str(root.resolve())}) or {}
    return {test: losses for test, losses in kept.items() if (root / test.partition("::")[0]).exists()}


@dataclass(frozen=True)
class Losses:
    """What became of the gates of a run, and what each lost.

    Attributes
    ----------
    heard
        By test, what an `Acceptor` heard.
    passed
        The tests that passed, whose gates judged.
    """

    heard: Sequence[tuple[str, GateOutcome, Acceptance]]
    passed: Collection[str]

    def of(self, outcome: GateOutcome) -> Failures:
        """Find the losses of gates that came to this."""
        found: Failures = {}
        for test, became, loss in self.heard:
            if became is outcome:
                found.setdefault(test, []).append(loss)
        return found

    @property
    def by_test(self) -> Mapping[str, Sequence[Acceptance]]:
        """What the gates of each test that passed lost or may lose, unless the candidate becomes the baseline."""
        moved = [(test, loss) for test, became, loss in self.heard if became is GateOutcome.MOVED]
        return {
            test: [loss for name, _, loss in self.heard if name == test and (name, loss) not in moved]
            for test in self.passed
        }

    def keep_failures(self, root: Path, judged: Collection[str]) -> None:
        """Keep what failed for `bayesf1 accept`; of tests that did not run what is known."""
        if not keeps_failures():
            return
        before = failures_of(root)
        kept = {test: losses for test, losses in before.items() if test not in judged} | self.of(GateOutcome.FAILED)
        if kept != before:
            _kept().keep(
                {"root": str(root.resolve())}, {test: list(map(vars, losses)) for test, losses in kept.items()}
            )
