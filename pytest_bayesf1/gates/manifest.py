"""`gates.json`: what every gate demands and is about, and the exceptions that are accepted, with their reasons."""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

from pytest_bayesf1.choices import Model, OnNewTestSet
from pytest_bayesf1.comparison.arguments import ARGUMENTS, asked_prior, resolved
from pytest_bayesf1.errors import BaselineError, shown
from pytest_bayesf1.gates.acceptance import Acceptance, AcceptedChange, Exceptions, scale_of_measure
from pytest_bayesf1.git import CHECKED_OUT
from pytest_bayesf1.results.policy import POLICIES, Ends
from pytest_bayesf1.results.run import Finding, FindingKind
from pytest_bayesf1.results.schema import Count, Number, Text, plain
from pytest_bayesf1.text import Scale, first_few, level, one_line, rope_width
from pytest_bayesf1.values import expected
from pytest_bayesf1.writing import json_text, locked, seen_from, short_fingerprint, write_all

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from pytest_bayesf1.gates.evaluate import GateRun


V = TypeVar("V")

Row: TypeAlias = Mapping[str, Any]
"""What one gate demands and is about, as JSON holds it; a key that does not apply to the gate is left out."""
Rows: TypeAlias = Mapping[str, Sequence[Row]]
"""By test, in the order in which the test makes its gates."""

FORMAT = "pytest-bayesf1 gates"
VERSION = 1

_FOUND = {
    "redefined": "classes: {}",
    "unlike_baseline": "the candidate was judged on other examples than its baseline: {}",
    "replaced_by": "this change replaces the baseline by something else than the judged candidate ({})",
}
"""Keys of what a run found, which no manifest lists, and how each is said."""
_UNLIKE = {"lacking": "lacks {:,}", "relabelled": "{:,} other labels", "moved": "{:,} in other slices"}


_USUAL = {"on_new_test_set": OnNewTestSet.SHARED, "clusters": "examples", "runs": 1}


def row_of(run: "GateRun", *, with_test_set: bool = True) -> Row:
    """Write down what a gate demands and is about.

    Reading the test set takes time with many ids, and is left out where no manifest is read or written.
    """
    overall, demand, source = run.overall.decided, run.demand, run.source
    row = {argument.name: argument.of(overall) for argument in ARGUMENTS.values() if argument.listed}
    row |= {
        "policy": demand.policy.key,
        "floor": demand.arguments.get("floor"),
        "run_sd": demand.arguments.get("run_sd"),
        "hdi_prob": resolved("hdi_prob", demand.arguments.get("hdi_prob")),
        "prior": asked_prior(demand.arguments.get("prior")),
        "budget": run.budget,
        "per_class": demand.per_class or None,
        "weak_baseline": demand.arguments.get("weak_baseline") or None,
        "human": overall.judge and f"{overall.judge.n_human:,} of checksum {overall.judge.checksum}",
        "slices": sorted(set(demand.slices)),
        "max_gap": demand.max_gap,
        "family_level": None if demand.family is None else demand.family.share,
        "clusters": overall.clusters.noun if overall.clusters is not None else None,
        "runs": source.n_runs,
        **source.known,
    }
    row |= {name: None for name, usual in _USUAL.items() if row[name] == usual}
    if demand.looks is not None:
        row |= {"looks": demand.looks.n, "planned_examples": demand.looks.planned}
    if with_test_set:
        row |= _test_set_of(run)
    known = {name: value for name, value in row.items() if value not in (None, "", [])}
    # as the manifest lists it: with its digits, and without enumerations, which workers cannot send
    written: Row = json.loads(json_text(plain(known)))
    return written


def _test_set_of(run: "GateRun") -> dict[str, Any]:
    """Say which examples a gate is about, or where a baseline's file says so, how far the candidate's differ."""
    overall, demand, source = run.overall.decided, run.demand, run.source
    found: dict[str, Any] = {"replaced_by": source.replaced_by(), "redefined": source.redefined}
    declares_another = demand.arguments.get("on_new_test_set") == OnNewTestSet.INDEPENDENT
    if source.is_bound and not declares_another and getattr(overall, "model", None) != Model.INDEPENDENT:
        unlike = Counter(source.unlike_baseline(demand.slices))
        if (shared := overall.shared_examples) is not None:
            unlike.update(lacking=shared.n_lacking, relabelled=shared.n_corrected)
        said = (words.format(unlike[name]) for name, words in _UNLIKE.items() if unlike[name])
        return found | {"unlike_baseline": ", ".join(said)}
    grows = {"grows": True} if declares_another or demand.looks is not None else {}
    return found | {"test_set": source.test_set(demand.slices) | grows}


def to_text(rows: Rows, exceptions: Exceptions = MappingProxyType({})) -> str:
    """Write a manifest down in one way only, whatever the order of tests and keys."""
    gates = {test: [_listed(row) for row in rows[test]] for test in sorted(rows) if rows[test]}
    accepted = {gate: [_listed(each.to_dict()) for each in exceptions[gate]] for gate in sorted(exceptions)}
    accepted = {gate: entries for gate, entries in accepted.items() if entries}
    document = {"format": FORMAT, "version": VERSION, "gates": gates}
    return json_text(document | ({"exceptions": accepted} if accepted else {}))


def _listed(row: Row) -> Row:
    return {name: row[name] for name in sorted(row) if name not in _FOUND}


_ADVICE = "Restore the file from version control, or delete it and write it again: pytest --bayesf1-update=new"


@dataclass(frozen=True)
class Listed:
    """What a manifest lists, and whether it is written as this version writes it."""

    rows: Rows = field(default_factory=dict)
    exceptions: Exceptions = field(default_factory=dict)
    is_canonical: bool = True

    @classmethod
    def of(cls, content: bytes | None, path: Path) -> Self:
        """Read the content of a manifest; nothing is listed where there is no such file."""
        if content is None:
            return cls()
        where = str(path)
        try:
            text = content.decode("utf-8", "surrogatepass").replace("\r\n", "\n")
            document = json.loads(text, parse_constant=_refuse)
            if not isinstance(document, dict) or document.get("format") != FORMAT:
                raise BaselineError.plain(where, f"Not a file of the format {FORMAT!r}", _ADVICE)
            version = document.get("version")
            if version != VERSION:
                is_newer = isinstance(version, int) and version > VERSION
                advice = "Install the newer pytest-bayesf1 that wrote it." if is_newer else _ADVICE
                raise BaselineError(where, f"format version {VERSION}", shown(version), advice)
            rows, exceptions = _read_rows(document, where), _read_exceptions(document, where)
            return cls(rows, exceptions, to_text(rows, exceptions) == text)
        except UnicodeDecodeError as error:
            raise BaselineError.plain(where, f"Not UTF-8: {error.reason} at byte {error.start}", _ADVICE) from None
        except (ValueError, RecursionError) as error:
            raise BaselineError.plain(where, f"The manifest of gates is damaged ({error})", _ADVICE) from None

    @classmethod
    def checked_out(cls, path: Path) -> Self:
        """Read a manifest as it is checked out."""
        return cls.of(CHECKED_OUT.read(path), path)

    def losses(self, test: str) -> list[Acceptance]:
        """Return the losses of a test that are accepted."""
        return [each for each in self.exceptions.get(test, ()) if isinstance(each, Acceptance)]

    def seen_from(self, root: Path, folder: Path) -> "Listed":
        """Name the tests of a folder's manifest as a run does that has another root folder."""
        rows = {id_seen_from(root, folder, test): each for test, each in self.rows.items()}
        exceptions = {id_seen_from(root, folder, gate): each for gate, each in self.exceptions.items()}
        return replace(self, rows=rows, exceptions=exceptions)

    def renamed(self, renames: Mapping[str, str]) -> "Listed":
        """Return the same with tests by the names that they have now."""
        return replace(self, rows=renamed(self.rows, renames), exceptions=renamed(self.exceptions, renames))

    def updated(self, run: "GatesOfRun", passed: Collection[str]) -> "Listed":
        """Return what is listed after a run: its gates of tests that passed, and the exceptions that it needs."""
        kept = {test: rows for test, rows in self.rows.items() if not run.is_gone(test)}
        made = {test: run.rows[test] for test in passed}
        needless = [*needless_exceptions(self.exceptions, run, compare_gates([self.rows], run), self.exceptions)]
        exceptions = {
            gate: [each for each in entries if (gate, each) not in needless]
            for gate, entries in self.exceptions.items()
        }
        return Listed({**kept, **made}, exceptions)

    def with_new(self, run: "GatesOfRun", passed: Collection[str]) -> "Listed":
        """Return the same with the gates that are not listed yet."""
        rows = dict(self.rows)
        for test in passed:
            known = rows.get(test, ())
            rows[test] = [*known, *run.rows[test][len(known) :]]
        return Listed(rows, self.exceptions)

    def with_exceptions(self, new: Exceptions) -> "Listed":
        """Return the same with more exceptions, which replace those that they are instead of."""
        found = dict(self.exceptions)
        for gate, entries in new.items():
            kept = [each for each in found.get(gate, ()) if not any(entry.replaces(each) for entry in entries)]
            found[gate] = [*kept, *entries]
        return Listed(self.rows, found)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")


_TYPES: Mapping[str, Any] = {
    "policy": Text,
    "measure": Text,
    "rope": tuple[Number, Number],
    "budget": Number,
    "floor": Number,
    "hdi_prob": Number,
    "max_gap": Number,
    "slices": list[Text],
    "test_set": dict[Text, Count | Text | bool],
}
"""Of the keys that are read, and not only compared."""


@cache
def _adapter(kind: Any) -> "TypeAdapter[Any]":
    from pydantic import TypeAdapter  # noqa: PLC0415 (gates that read no manifest need none)

    return TypeAdapter(kind)


def _checked(kind: Any, value: Any, where: str, *place: str | int) -> Any:
    from pydantic import ValidationError  # noqa: PLC0415 (see _adapter)

    try:
        return _adapter(kind).validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(map(str, (*place, *first["loc"])))
        lacking = "missing" if first["type"] == "missing" else f"not {expected(first, mapping='an object')}"
        raise BaselineError.plain(where, f"{name} is {lacking}", _ADVICE) from None


def _read_rows(document: Mapping[str, Any], where: str) -> Rows:
    rows: Rows = _checked(dict[str, list[dict[str, Any]]], document.get("gates"), where, "gates")
    for test, gates in rows.items():
        for number, row in enumerate(gates):
            for name in row.keys() & _TYPES.keys():
                _checked(_TYPES[name], row[name], where, "gates", test, number, name)
    return rows


def _read_exceptions(document: Mapping[str, Any], where: str) -> Exceptions:
    table = _checked(dict[str, list[dict[str, Any]]], document.get("exceptions", {}), where, "exceptions")
    return {
        gate: [
            _checked(AcceptedChange if "change" in each else Acceptance, each, where, "exceptions", gate, number)
            for number, each in enumerate(entries)
        ]
        for gate, entries in table.items()
    }


def id_seen_from(root: Path, folder: Path, test: str) -> str:
    """Return the id that a test of a folder has in runs with another root folder.

    Examples
    --------
    >>> id_seen_from(Path("/project/tests"), Path("/project"), "tests/test_spam.py::test_f1")
    'test_spam.py::test_f1'
    """
    file, separator, name = test.partition("::")
    return f"{seen_from(root, folder / file)}{separator}{name}"


def write_manifest(path: Path, change: Callable[[Listed], Listed]) -> bool:
    """Change what a manifest lists, and return whether the file changed."""
    if not path.exists() and change(Listed()) == Listed():
        return False
    try:
        with locked(path.parent):
            content = CHECKED_OUT.read(path)
            new = change(Listed.of(content, path))
            text = to_text(new.rows, new.exceptions).encode("utf-8", "surrogatepass")
            if text != content:
                write_all({path: text})
            return text != content
    except OSError as error:
        raise BaselineError.plain(str(path), f"Cannot write the file: {error}") from error


def _policy_is_looser(before: str, after: str, _: Row) -> bool | None:
    was, now = POLICIES.get(before), POLICIES.get(after)
    if was is None or now is None:
        return None
    return now.is_weaker_than(was) or (False if was.is_weaker_than(now) else None)


def _rope_is_looser(before: Sequence[float], after: Sequence[float], row: Row) -> bool:
    """Ask of every end of the ROPE that can make the gate fail whether it lies farther from failing."""
    below, above = before[0] - after[0], after[1] - before[1]
    moved = {Ends.HIGH: [-above], Ends.BOTH: [below, above]}.get(POLICIES[row["policy"]].ends, [below])
    return max(moved) > 0


def _hdi_is_looser(before: float, after: float, row: Row) -> bool:
    """Take a lower probability for weaker evidence; a higher one keeps a gate that must be sure from failing."""
    return after < before or not POLICIES[row["policy"]].demands_proof


def _slices_are_fewer(before: Sequence[str], after: Sequence[str], _: Row) -> bool | None:
    return None if {*before} - {*after} and {*after} - {*before} else len(after) < len(before)


def _is_more(before: float, after: float, _: Row) -> bool:
    return after > before


def _is_less(before: float, after: float, _: Row) -> bool:
    return after < before


_IS_LOOSER: Mapping[str, Callable[[Any, Any, Row], bool | None]] = {
    "policy": _policy_is_looser,
    "rope": _rope_is_looser,
    "budget": _is_more,
    "floor": _is_less,
    "hdi_prob": _hdi_is_looser,
    "max_gap": _is_more,
    "per_class": _is_less,
    "slices": _slices_are_fewer,
}
"""By keys of which one direction loosens a gate; None where neither does. Any other key makes it another gate."""


def _is_looser(name: str, before: Any, after: Any, row: Row) -> bool | None:
    """Whether a key that differs loosens the gate; False where it does not matter, None where it makes another one."""
    if name == "test_set" and before and after:
        return False if _is_same_or_grown(before, after) else None
    if name not in _IS_LOOSER:
        return None
    if before is None or after is None:
        return after is None
    return _IS_LOOSER[name](before, after, row)


def _is_same_or_grown(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether a test set has more examples as planned, of which no digest tells which are new, or is the same."""
    is_planned = "grows" in after and after["examples"] > before.get("examples", 0)
    compared = {"digest", *(name for name in before if name in after)} - {"examples", "grows"}
    return bool(is_planned or all(before.get(name) == after[name] for name in compared))


def _scale(row: Row) -> Scale:
    return scale_of_measure(row.get("measure", ""))


def _amount(value: float, row: Row) -> str:
    return _scale(row).amount(f"{_scale(row).factor * value:g}")


_SAID: Mapping[str, Callable[[Any, Row], str]] = {
    "policy": lambda key, _: one_line(key).replace("_", " "),
    "rope": lambda ends, row: rope_width(ends, _scale(row)),
    "budget": _amount,
    "max_gap": _amount,
    "hdi_prob": lambda prob, _: level(prob),
    "test_set": lambda known, _: f"{known.get('examples', 0):,} examples ({known.get('digest')})",
    "slices": lambda columns, _: ", ".join(map(one_line, columns)),
}


def _words(name: str, value: Any, row: Row) -> str:
    if value is None:
        return "not set"
    if name in _SAID:
        return _SAID[name](value, row)
    return "yes" if value is True else one_line(value)


@dataclass(frozen=True, kw_only=True)
class GatesOfRun:
    """What a run did with gates.

    Attributes
    ----------
    rows
        Of the gates that judged.
    why_missing
        Says of a test why a gate of it did not judge; nothing where that is no alarm.
    is_gone
        Whether a full run shows that a test makes no gate.
    powerless
        Tests that are expected to fail: their gates cannot fail the run.
    listed, exceptions
        Of the manifest that is checked out.
    losses
        By test that passed, what its gates lost or may lose.
    """

    rows: Rows
    why_missing: Callable[[str], str]
    is_gone: Callable[[str], bool] = lambda _: False
    powerless: frozenset[str] = frozenset()
    listed: Rows = field(default_factory=dict)
    exceptions: Exceptions = field(default_factory=dict)
    losses: Mapping[str, Sequence[Acceptance]] = field(default_factory=dict)

    def marked(self, found: Iterable[Finding], *rows: Row | None, more: str = "") -> Iterator[Finding]:
        """Mark the findings of a gate with the digest that accepts them, and with the reason if that is listed."""
        texts = ["" if each is None else json.dumps(each, sort_keys=True) for each in rows]
        change = short_fingerprint([*texts, more])
        for each in found:
            entries = (entry for entry in self.exceptions.get(each.gate, ()) if isinstance(entry, AcceptedChange))
            reason = next((entry.reason for entry in entries if entry.change == change), "")
            yield replace(each, change=change, accepted=reason) if each.is_looser else each


def compare_gates(listings: Sequence[Rows], run: GatesOfRun) -> tuple[Finding, ...]:
    """List every difference from manifests, of which a looser one hides no stricter one."""
    listed = {test for rows in listings for test in rows}
    found: list[Finding] = []
    for test in sorted({*listed, *run.rows}) if listed else ():
        found += _of_test(test, [rows[test] for rows in listings if test in rows] or [()], run)
    return tuple(dict.fromkeys(found))


def _of_test(test: str, listings: Sequence[Sequence[Row]], run: GatesOfRun) -> Iterator[Finding]:
    made = run.rows.get(test, ())
    pairs: dict[str, list[tuple[Row | None, Row | None]]] = {}
    for listed in listings:
        several = max(len(listed), len(made)) > 1
        for number, pair in enumerate(zip_longest(listed, made), start=1):
            of_gate = pairs.setdefault(f"{test} (gate {number})" if several else test, [])
            of_gate += [] if pair in of_gate else [pair]
    for gate, each in pairs.items():
        found = [finding for old, new in each for finding in _of_gate(test, gate, old, new, run)]
        yield from run.marked(found, *(old for old, _ in each), each[-1][1], more="xfail" * (test in run.powerless))


_NEW = "gates.json does not list it: pytest --bayesf1-update=new adds it once it passes"


def _of_gate(test: str, gate: str, old: Row | None, new: Row | None, run: GatesOfRun) -> Iterator[Finding]:
    if test in run.powerless:
        kind = FindingKind.OUTDATED if old is None else FindingKind.LOOSENED
        yield Finding(gate, kind, "xfail", "its test is expected to fail (xfail), so it cannot fail the run")
    elif old is None:
        if new is not None and _listed(new) not in run.listed.get(test, ()):
            yield Finding(gate, FindingKind.OUTDATED, "", _NEW)
    elif new is not None:
        yield from _differences(gate, old, new)
    elif why := run.why_missing(test):
        yield Finding(gate, FindingKind.MISSING, "", why)


def _differences(gate: str, old: Row, new: Row) -> Iterator[Finding]:
    for name in sorted({*old, *new}):
        before, after = old.get(name), new.get(name)
        is_looser = False if before == after else _is_looser(name, before, after, new)
        if is_looser is not False:
            said = f"{name}: was {_words(name, before, new)}, is {_words(name, after, new)}"
            text = _FOUND[name].format(after) if name in _FOUND else said
            yield Finding(gate, FindingKind.LOOSENED if is_looser else FindingKind.CHANGED, name, text)


def renamed_tests(
    listings: Iterable[Rows], run: GatesOfRun, has_its_baselines: Callable[[str, str], bool]
) -> dict[str, str]:
    """Find listed tests that are gone, of which one of the same name in another file, not listed, makes the gates."""
    listed = {test: rows for each in listings for test, rows in each.items()}
    new = sorted(run.rows.keys() - listed.keys())
    found: dict[str, str] = {}
    for old, rows in sorted(listed.items()):
        alike = (test for test in new if _name_in_file(test) == _name_in_file(old) and test not in found.values())
        same = (test for test in alike if list(map(_listed, run.rows[test])) == rows and has_its_baselines(old, test))
        now = next(same, None) if run.is_gone(old) else None
        if now is not None:
            found[old] = now
    return found


def _name_in_file(test: str) -> str:
    return test.partition("::")[2]


def renamed(listed: Mapping[str, V], renames: Mapping[str, str]) -> dict[str, V]:
    """Return what is listed of tests, or of one of several gates of a test, by the names that these have now."""
    found = {}
    for name, each in listed.items():
        test = name if name in renames else _test_of(name)
        found[renames.get(test, test) + name.removeprefix(test)] = each
    return found


def _test_of(gate: str) -> str:
    return re.sub(r" \(gate \d+\)$", "", gate)


def needless_exceptions(
    exceptions: Exceptions, run: GatesOfRun, found: Iterable[Finding], known: Exceptions
) -> Iterator[tuple[str, Acceptance | AcceptedChange]]:
    """Find the exceptions of gates that ran or are gone which match no finding, nor a loss from the same baseline.

    One that is not known yet must match a loss of this candidate: what nothing has lost is not accepted in advance.
    """
    changes = {(each.gate, each.change) for each in found}
    for gate, entries in sorted(exceptions.items()):
        test = _test_of(gate)
        has_failed = test in run.rows and test not in run.losses
        for each in entries if test in run.rows or run.is_gone(test) else ():
            if isinstance(each, AcceptedChange):
                is_needed = (gate, each.change) in changes
            else:
                losses = run.losses.get(test, ())
                is_needed = has_failed or each.is_needed(losses, is_known=each in known.get(gate, ()))
            if not is_needed:
                yield gate, each


_REPAIR = "Restore it, or write it with pytest --bayesf1-update"


def compare_file(
    name: str, now: Listed, base: Listed | None, run: GatesOfRun, found: Iterable[Finding]
) -> Iterator[Finding]:
    """Find what a manifest lists neither as the base commit does nor as this run would write it.

    ``base`` is None where there is no base commit; ``found`` are the other findings of the run.
    """
    if not now.is_canonical:
        yield Finding(name, FindingKind.FILE, "", f"it is not as pytest-bayesf1 writes it. {_REPAIR}")
    known = now.exceptions if base is None else base.exceptions
    for gate, entry in needless_exceptions(now.exceptions, run, found, known):
        is_loss = isinstance(entry, Acceptance)
        what = "a loss of another candidate, or from another baseline" if is_loss else "a change that this run has not"
        what = f"accepts {what} ({one_line(entry.reason)})"
        if entry in known.get(gate, ()):
            yield Finding(gate, FindingKind.OUTDATED, "", f"gates.json {what}. pytest --bayesf1-update removes it")
        else:
            yield Finding(name, FindingKind.FILE, "", f"it {what}, of {one_line(gate)}. Remove that")
    if base is None:
        return
    judged = {*run.rows, *filter(run.is_gone, now.rows)}
    if otherwise := sorted(test for test in judged if not _is_either(test, now, base, run)):
        text = f"it lists {first_few(map(one_line, otherwise))} neither as the base commit nor as this run does"
        yield Finding(name, FindingKind.FILE, "", f"{text}. {_REPAIR}")
    for gate, entries in sorted(now.exceptions.items()):
        for each in entries:
            if isinstance(each, Acceptance) and each.is_new_limit(known.get(gate, ())):
                text = f"accepted: was not set, is any loss of up to {each.limit}"
                yield Finding(gate, FindingKind.LOOSENED, "exceptions", text, accepted=each.reason)


def _is_either(test: str, now: Listed, base: Listed, run: GatesOfRun) -> bool:
    """Whether every gate of a test is listed as the base commit lists it, or as this run would."""
    made = map(_listed, run.rows.get(test, ()))
    triples = zip_longest(now.rows.get(test, ()), base.rows.get(test, ()), made)
    return all(row in either for row, *either in triples)
