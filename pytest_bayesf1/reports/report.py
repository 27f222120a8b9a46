"""`Report`: the results of a run, the only thing that a renderer sees."""

import platform
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from types import MappingProxyType

from pytest_bayesf1._util import json_text
from pytest_bayesf1.reports.document import FORMAT, VERSION, Document, RunVerdict, Verdicts
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, VerdictName, room_for_examples
from pytest_bayesf1.reports.order import badness, by_gate
from pytest_bayesf1.reports.together import Together
from pytest_bayesf1.reports.verdict import VERDICTS, verdict_of
from pytest_bayesf1.results.other import UNKNOWN_RUN, Finding, RunIdentity
from pytest_bayesf1.results.schema import opened

_ALWAYS_TALLIED: tuple[VerdictName, ...] = ("failed", "warned", "passed")
_TALLIED: tuple[VerdictName, ...] = ("failed", "error", "warned", "passed", "undecided", "expected", "")


@cache
def _versions() -> Mapping[str, str]:
    found = {"python": platform.python_version()}
    for package in ("pytest-bayesf1", "numpy", "scipy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return MappingProxyType(found)


@dataclass(frozen=True)
class Report:
    """The comparisons of a run, gate by gate, the worst first.

    Attributes
    ----------
    entries
        One for each comparison or estimate, and for each error that kept a test from its answer.
    missing
        Ids of the tests that should have finished and did not, and of the files that could not be collected.
    changed
        Baselines and gate files that are others than in the commit that baselines were read from.
    findings
        How the gates that judged differ from those of the manifest; those that loosen first.
    versions
        Of Python and of the packages that computed the figures; by default those of this process.
    run
        Which run it is of.
    """

    entries: tuple[AnyEntry, ...]
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    versions: Mapping[str, str] = field(default_factory=_versions)
    run: RunIdentity = UNKNOWN_RUN

    @classmethod
    def of(
        cls,
        entries: Iterable[AnyEntry],
        missing: Iterable[str] = (),
        changed: Iterable[str] = (),
        findings: Iterable[Finding] = (),
        run: RunIdentity = UNKNOWN_RUN,
    ) -> "Report":
        """Put entries in order: see `pytest_bayesf1.reports.order`."""
        ordered = list(chain.from_iterable(by_gate(entries)))
        loosening_first = sorted(findings, key=lambda finding: not finding.loosens)
        return cls(
            _with_fewer_examples(ordered),
            tuple(sorted(set(missing))),
            tuple(sorted(set(changed))),
            tuple(loosening_first),
            run=run,
        )

    @property
    def complete(self) -> bool:
        """Whether everything that was to run finished."""
        return not self.missing

    @property
    def loosened(self) -> tuple[Finding, ...]:
        """What might let a regression pass that the manifest of gates would not."""
        return tuple(finding for finding in self.findings if finding.loosens)

    @property
    def verdict(self) -> RunVerdict:
        """What the run as a whole comes to: see `pytest_bayesf1.reports.verdict`."""
        undecided = any(entry.verdict == "undecided" and not entry.part for entry in self.entries)
        return verdict_of(self.counts, complete=self.complete, loosened=bool(self.loosened), undecided=undecided)

    @property
    def counts(self) -> Verdicts:
        """How many entries came to each verdict."""
        verdicts = [entry.verdict for entry in self.entries]
        return Verdicts(
            total=len(verdicts),
            failed=verdicts.count("failed"),
            error=verdicts.count("error"),
            warned=verdicts.count("warned"),
            undecided=verdicts.count("undecided"),
            expected=verdicts.count("expected"),
            passed=verdicts.count("passed"),
        )

    @property
    def worst(self) -> AnyEntry | None:
        """The entry that a reader should see first, if there is any: of a gate, or of a class or slice of one."""
        return min(self.entries, key=badness, default=None)

    @property
    def together(self) -> Together:
        """How many losses are expected among what failed, and among the others."""
        return Together.of(self.entries)

    def tally(self) -> str:
        """Say how many entries came to each verdict."""
        number = Counter(entry.verdict for entry in self.entries)
        told = (verdict for verdict in _TALLIED if verdict in _ALWAYS_TALLIED or number[verdict])
        return ", ".join(f"{number[verdict]} {VERDICTS[verdict].counted}" for verdict in told)

    def document(self) -> Document:
        """Return what report.json holds."""
        return Document(
            format=FORMAT,
            version=VERSION,
            verdict=self.verdict,
            run=self.run,
            versions=dict(self.versions),
            complete=self.complete,
            missing=self.missing,
            changed=self.changed,
            findings=self.findings,
            counts=self.counts,
            together=self.together,
            entries=self.entries,
        )

    def to_json(self) -> str:
        """Write everything as JSON."""
        return json_text(self.document(), opened)


def _with_fewer_examples(entries: list[AnyEntry]) -> tuple[AnyEntry, ...]:
    """Let the entries of a large run share the room for examples that changed."""
    room = room_for_examples(len(entries))
    return tuple(
        replace(entry, changes=replace(entry.changes, examples=entry.changes.examples[:room]))
        if isinstance(entry, ComparisonEntry) and entry.changes is not None and len(entry.changes.examples) > room
        else entry
        for entry in entries
    )
