"""`gates.json`: what every gate demanded, so that a loosened gate is seen, and the losses that are accepted."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, TypeVar

from pytest_bayesf1.choices import Model, OnNewTestSet
from pytest_bayesf1.comparison.arguments import ARGUMENTS, asked_prior, resolved
from pytest_bayesf1.comparison.compare import Comparison, Estimate
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.gates.acceptance import Acceptance, Acceptances, AcceptedChange, AcceptedChanges
from pytest_bayesf1.gates.tally import Tally, n_gone, n_replaced
from pytest_bayesf1.git import CHECKED_OUT
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.results.policy import NOT_WORSE, POLICIES, Ends, Policy
from pytest_bayesf1.results.run import Finding, FindingKind
from pytest_bayesf1.results.schema import Flag, Limited, Number, Text, plain
from pytest_bayesf1.text import Scale, counted, first_few, level, one_line, rope_width, scale_of
from pytest_bayesf1.values import expected
from pytest_bayesf1.writing import json_text, locked, seen_from, short_fingerprint, write_all

if TYPE_CHECKING:
    from pydantic import ConfigDict, TypeAdapter

    from pytest_bayesf1.gates.evaluate import GateResult


T = TypeVar("T")

FORMAT = "pytest-bayesf1 gates"
VERSION = 1

_EXAMPLES = "examples"
_NO_FAMILY = 1.0
_OF_RUN = ("lacking", "corrected", "moved", "relabelled")
_ADVICE = "Restore the file from version control, or delete it and write it again with --bayesf1-update."


@dataclass(frozen=True, kw_only=True)
class GateSettings:
    """What one gate demands; a setting that a gate does not have, or that its manifest does not know, is None.

    Settings of a later version are kept as they are.

    Attributes
    ----------
    policy
        The key of a `Policy`.
    rope, budget, floor
        The differences that do not matter, the loss since the anchor that is allowed in all where there is one, and
        the least score, on the measure's own scale.
    run_sd
        How far the score varies from run to run, where the floor is about the same examples every time; else 0.
    hdi_prob, looks, planned_examples
        As they were asked for: with several looks, the interval that is judged by grows narrower with the test set.
    prior
        As you asked for it: what ``auto`` takes depends on the data.
    model
        The one that was used: with predictions left out, a gate sees less.
    max_gap
        How far the best and the worst slice of a column may be apart, where that is demanded.
    family_level
        Below what the probability that all is well must lie so that the gate fails, whatever its HDI: its share of the
        level of its family; 1 without a family.
    clusters
        What was taken for drawn independently, in the plural.
    prevalence
        The class shares that both sides were scored at, as an option takes them; empty if unstated.
    on_new_test_set
        How test sets that differ are compared.
    baseline, anchor, labels
        The files, seen from that of the gate, of a pool with a checksum of what is predicted; of a stored baseline its
        folder, empty for the usual one, and so for a pool's own labels.
    reading
        What the gate file says of the columns and rows of these files, and of answers; empty if nothing.
    ruler, other_ruler
        What graded the answers of an evaluation's log, and whether it may be something else on each side.
    runs, missing_runs
        How many runs of an example there are at most, and how many are missing of examples that have fewer.
    files
        Of a floor the files that it reads.
    examples, truths, in_slices, labelled
        Where no baseline's file says which they are: how many examples there are, tallies of their truths and, by
        column, of the slices and clusters that they are in; and of the labels of a pool. Rows have the ids of examples
        where these are known; only without does their order matter.
    lacking, corrected, moved, relabelled
        What this run found and no file keeps: how many of the baseline's examples the candidate lacks, how many labels
        are not the baseline's, in words, how many examples are in other slices than in the baseline's file, and what
        became of labels of the base commit, in words.
    """

    __pydantic_config__: ClassVar["ConfigDict"] = {"extra": "allow"}

    policy: Text | None = None
    measure: Text | None = None
    rope: Annotated[list[Number], Limited(min_length=2, max_length=2)] | None = None
    budget: Number | None = None
    floor: Number | None = None
    run_sd: Number = 0.0
    hdi_prob: Number | None = None
    looks: int = 1
    planned_examples: int = 0
    prior: Text | None = None
    model: Text | None = None
    per_class: Flag = False
    slices: tuple[Text, ...] = ()
    max_gap: Number | None = None
    family_level: Number = _NO_FAMILY
    clusters: Text = _EXAMPLES
    prevalence: Text = ""
    on_new_test_set: Text = OnNewTestSet.SHARED.value
    baseline: Text = ""
    anchor: Text | None = None
    labels: Text = ""
    reading: Text = ""
    ruler: Text | None = None
    other_ruler: Flag | None = None
    runs: int = 1
    missing_runs: int = 0
    files: tuple[Text, ...] = ()
    examples: int | None = None
    truths: dict[Text, int] | None = None
    in_slices: dict[Text, dict[Text, int]] | None = None
    labelled: dict[Text, int] | None = None
    lacking: int = 0
    corrected: Text = ""
    moved: int = 0
    relabelled: Text = ""

    @classmethod
    def of(cls, result: "GateResult", *, is_compared: bool = True) -> "GateSettings":
        """Read off what was demanded of all the data and of their parts, and what the data are.

        That takes time with many ids, and is left out where no manifest is read or written.
        """
        overall, demand = result.overall.result, result.demand
        asked = ((each.name, each.of(overall)) for each in ARGUMENTS.values() if each.listed)
        recorded = {name: value for name, value in asked if value is not None}
        found = {
            **recorded,
            **_of_test_sets(overall),
            "policy": demand.policy.key,
            "floor": demand.arguments.get("floor"),
            "run_sd": demand.arguments.get("run_sd") or 0.0,
            "hdi_prob": resolved("hdi_prob", demand.arguments.get("hdi_prob")),
            "prior": asked_prior(demand.arguments.get("prior")),
            "clusters": _EXAMPLES if overall.clusters is None else overall.clusters.noun,
            "budget": result.budget,
            "per_class": demand.per_class,
            "max_gap": demand.max_gap,
            "family_level": _NO_FAMILY if demand.family is None else demand.family.share,
            **({} if demand.looks is None else {"looks": demand.looks.n, "planned_examples": demand.looks.planned}),
            **result.source.fingerprint(),
            "runs": result.source.n_runs,
            "moved": max(map(result.source.n_moved, demand.slices), default=0),
        }
        if is_compared and not (result.source.is_bound and recorded.get("model") != Model.INDEPENDENT):
            found |= result.source.test_set(demand.slices)
        # as the manifest lists them: with its digits, and without enumerations, which workers cannot send
        return cls(**json.loads(json_text(plain(found))), slices=demand.slices)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings that there are, JSON-able; but for those that are what they are without a word."""
        return {name: value for name, value in vars(self).items() if value != getattr(GateSettings, name, None)}


def _of_test_sets(result: Comparison | Estimate) -> dict[str, Any]:
    """Say what a run found of its test set where it is not the baseline's."""
    shared, corrected = result.shared_examples, ""
    if shared is None:
        return {}
    if shared.n_corrected:
        corrected = f"{shared.n_corrected:,} other labels"
        old = shared.decision_on_old_truth
        if old is not None and old != result.decision:
            corrected += f", by yours the decision would be {old} ({old.words})"
    return {"lacking": shared.n_lacking, "corrected": corrected}


Gates: TypeAlias = Mapping[str, Sequence[GateSettings]]
"""By test, in the order in which the test makes them."""


_NONE: Mapping[str, Any] = MappingProxyType({})


def to_text(gates: Gates, accepted: Acceptances = _NONE, loosened: AcceptedChanges = _NONE) -> str:
    """Write a manifest down, sorted by test."""
    document = {"format": FORMAT, "version": VERSION, "gates": _listed(gates)}
    more = {"accepted": _listed(accepted), "loosened": _listed(loosened)}
    return json_text(document | {name: table for name, table in more.items() if table})


def _listed(
    table: Mapping[str, Sequence[GateSettings | Acceptance | AcceptedChange]],
) -> dict[str, list[dict[str, Any]]]:
    return {
        test: [{name: value for name, value in each.to_dict().items() if name not in _OF_RUN} for each in table[test]]
        for test in sorted(table)
        if table[test]
    }


@cache
def _adapter(kind: Any) -> "TypeAdapter[Any]":
    from pydantic import TypeAdapter  # noqa: PLC0415 (gates that read no manifest need none)

    return TypeAdapter(dict[str, tuple[kind, ...]])


@dataclass(frozen=True)
class Listed:
    """What a manifest lists; of each of its tables what is damaged is said when it is first read."""

    where: str
    document: Mapping[str, Any]

    @classmethod
    def of(cls, content: bytes | None, path: Path) -> "Listed":
        """Read the content of a manifest; nothing is listed where there is no such file."""
        where = str(path)
        if content is None:
            return cls(where, {})
        try:
            document = json.loads(content.decode("utf-8", "surrogatepass"))
        except UnicodeDecodeError as error:
            raise BaselineError.plain(where, f"Not UTF-8: {error.reason} at byte {error.start}", _ADVICE) from None
        except (ValueError, RecursionError) as error:
            raise BaselineError.plain(where, f"The manifest of gates is damaged ({error})", _ADVICE) from None
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise BaselineError.plain(where, f"Not a file of the format {FORMAT!r}", _ADVICE)
        if document.get("version") != VERSION:
            advice = "Install the newer pytest-bayesf1 that wrote it."
            raise BaselineError(where, f"format version {VERSION}", str(document.get("version")), advice)
        return cls(where, document)

    @classmethod
    def checked_out(cls, path: Path) -> "Listed":
        """Read a manifest as it is checked out."""
        return cls.of(CHECKED_OUT.read(path), path)

    @cached_property
    def gates(self) -> Gates:
        """What every gate demanded."""
        return self._table("gates", GateSettings)

    @cached_property
    def accepted(self) -> Acceptances:
        """The losses that are accepted."""
        return self._table("accepted", Acceptance)

    @cached_property
    def loosened(self) -> AcceptedChanges:
        """The changes that are accepted though they loosen gates."""
        return self._table("loosened", AcceptedChange)

    def _table(self, name: str, kind: Any) -> dict[str, tuple[Any, ...]]:
        from pydantic import ValidationError  # noqa: PLC0415 (see _adapter)

        found = self.document.get(name)
        if not found and not (self.document and name == "gates"):  # which every manifest has
            return {}
        try:
            table: dict[str, tuple[Any, ...]] = _adapter(kind).validate_python(found)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join([name, *map(str, first["loc"])])
            lacking = f"not {expected(first, mapping='an object')}" if first["type"] != "missing" else "missing"
            raise BaselineError.plain(self.where, f"{place} is {lacking}", _ADVICE) from None
        return table


def matched_gates(
    listed: Sequence[GateSettings], made: Sequence[GateSettings]
) -> Iterator[tuple[GateSettings | None, GateSettings | None]]:
    """Pair the gates of one test with those that are listed: those of one measure first, what is left by its place."""
    left, was_left = list(made), []
    for was in listed:
        same = next((each for each in left if each.measure == was.measure), None)
        if same is None:
            was_left.append(was)
        else:
            left.remove(same)
            yield was, same
    yield from zip_longest(was_left, left)


def updated_gates(listed: Gates, made: Gates, *, gone: Collection[str] = (), only_new: bool = False) -> Gates:
    """Bring a manifest up to date with a run."""
    kept = {test: settings for test, settings in listed.items() if test not in gone}
    if not only_new:
        return {**kept, **made}
    for test, settings in made.items():
        before = kept.get(test, ())
        new = (now for was, now in matched_gates(before, settings) if was is None and now is not None)
        kept[test] = [*before, *new]
    return kept


_MAY_GO = ("budget", "max_gap", "floor")
"""Settings that a gate can lose, which loosens it; of all others None means that they do not apply to it."""

_Change: TypeAlias = tuple[FindingKind, str, str]
"""How a setting differs; what was, and what is."""

_Compared: TypeAlias = Callable[[Any, Any, GateSettings], _Change | None]
"""Compares a setting before and after, which differ, of a gate that now demands what the third argument says."""


@dataclass(frozen=True)
class GatesOfRun:
    """What a run did with gates.

    Attributes
    ----------
    gates
        Those that judged.
    why_missing
        Says of a test why a gate of it did not judge; nothing where that is no alarm.
    powerless
        Tests that are expected to fail: their gates cannot fail the run.
    another_commit
        Whether the manifest is that of the commit that the change is to be merged into.
    wanted
        The changes that the manifest that is checked out accepts.
    """

    gates: Gates
    why_missing: Callable[[str], str]
    powerless: frozenset[str] = frozenset()
    another_commit: bool = False
    wanted: AcceptedChanges = field(default_factory=dict)

    @property
    def who(self) -> str:
        """What differs from the manifest."""
        return "this pull request" if self.another_commit else "this run"

    @property
    def unlisted(self) -> str:
        """Why a gate is a new one."""
        if self.another_commit:
            return "the base commit's gates.json does not list it"
        return "gates.json does not list it: pytest --bayesf1-update=new adds it once it passes"


def compare_gates(listed: Gates, run: GatesOfRun) -> tuple[Finding, ...]:
    """List every difference; none from a manifest that lists accepted losses alone."""
    if not listed:
        return ()
    return tuple(finding for test in sorted({*listed, *run.gates}) for finding in _of_test(test, listed, run))


_UNKNOWN = (
    "this pull request declares it otherwise, and the base commit's gates.json does not list it, so nothing shows "
    "whether it is looser: first merge a gates.json that does, with pytest --bayesf1-update=new"
)


def unlisted_changes(declared: Mapping[str, bool], listed: Gates, run: GatesOfRun) -> Iterator[Finding]:
    """Find gates of the base commit's gate files that it does not list: those that are gone, or declared otherwise."""
    for test, is_changed in sorted(declared.items()):
        made = run.gates.get(test, ())
        why = (_UNKNOWN if is_changed else "") if made else run.why_missing(test)
        if why and test not in listed:
            change = _digest(None, made[0] if made else None, "")
            reason = next((each.reason for each in run.wanted.get(test, ()) if each.change == change), "")
            kind = FindingKind.OTHER if made else FindingKind.MISSING
            yield Finding(test, kind, "", why, change=change, accepted=reason)


def new_limits(listed: Acceptances, now: Acceptances) -> Iterator[Finding]:
    """List the losses of any candidate that are accepted now, and were not; another reason accepts no more."""
    for test, losses in sorted(now.items()):
        for each in losses:
            if each.up_to is None:
                continue
            largest = replace(each, candidate="", loss=each.up_to)
            if not any(old.covers(largest) for old in listed.get(test, ())):
                limit = each.amount(each.up_to)
                text = f"you accepted no such loss, this pull request accepts losses of up to {limit}"
                yield Finding(test, FindingKind.LOOSER, "accepted", text, accepted=each.reason)


def _of_test(test: str, listed: Gates, run: GatesOfRun) -> Iterator[Finding]:
    was, now = listed.get(test, ()), run.gates.get(test, ())
    several = max(len(was), len(now)) > 1
    for number, (old, new) in enumerate(matched_gates(was, now), start=1):
        gate = f"{test} (gate {number})" if several else test
        found = list(_of_gate(test, gate, old, new, run))
        if any(each.is_looser for each in found):
            change = _digest(old, new, "xfail" * (test in run.powerless))
            reason = next((each.reason for each in run.wanted.get(gate, ()) if each.change == change), "")
            found = [replace(each, change=change, accepted=reason) if each.is_looser else each for each in found]
        yield from found


def _digest(old: GateSettings | None, new: GateSettings | None, more: str) -> str:
    """Tell a change of a gate from any other."""
    texts = ["" if each is None else json.dumps(plain(each.to_dict()), sort_keys=True) for each in (old, new)]
    return short_fingerprint([*texts, more])


def _of_gate(
    test: str, gate: str, old: GateSettings | None, new: GateSettings | None, run: GatesOfRun
) -> Iterator[Finding]:
    if test in run.powerless:
        kind = FindingKind.UNLISTED if old is None else FindingKind.LOOSER
        yield Finding(gate, kind, "xfail", "its test is expected to fail (xfail), so it cannot fail the run")
    elif old is None:
        yield Finding(gate, FindingKind.UNLISTED, "", run.unlisted)
    elif new is not None:
        yield from _differences(gate, old, new, run.who)
    elif why := run.why_missing(test):
        yield Finding(gate, FindingKind.MISSING, "", why)


def _differences(gate: str, old: GateSettings, new: GateSettings, who: str) -> Iterator[Finding]:
    for about in (each.name for each in fields(GateSettings)):
        before, after = getattr(old, about), getattr(new, about)
        if before is None or (after is None and about not in _MAY_GO) or before == after:
            continue
        change = _CHANGES.get(about) or _said(f"had {about} {{}}", f"has {about} {{}}")
        if found := change(before, after, new):
            kind, was, now = found
            yield Finding(gate, kind, about, f"you {was}, {who} {now}")


def _kind(*, looser: bool) -> FindingKind:
    return FindingKind.LOOSER if looser else FindingKind.STRICTER


def _said(was: str, now: str, words: Callable[[Any], str] = str, *, looser: bool = False) -> _Compared:
    """Say what a setting was and is, where neither is stricter, or any change is looser."""
    kind = FindingKind.LOOSER if looser else FindingKind.OTHER
    return lambda before, after, _: (kind, was.format(words(before)), now.format(words(after)))


def _policy(before: str, after: str, _: GateSettings) -> _Change:
    was, now = POLICIES.get(before), POLICIES.get(after)
    kind = FindingKind.OTHER
    if was is not None and now is not None and was.is_floor == now.is_floor and was.strength != now.strength:
        kind = _kind(looser=now.strength < was.strength)
    return kind, f"demanded {before.replace('_', ' ')}", f"demands {after.replace('_', ' ')}"


def _policy_of(settings: GateSettings) -> Policy:
    return POLICIES.get(settings.policy or "", NOT_WORSE)


def _rope(before: list[float], after: list[float], new: GateSettings) -> _Change | None:
    """Ask of every end of the ROPE that can make the gate fail whether it lies farther from failing."""
    below, above = before[0] - after[0], after[1] - before[1]
    moved = {Ends.HIGH: [-above], Ends.BOTH: [below, above]}.get(_policy_of(new).ends, [below])
    if not any(moved):
        return None
    was, now = (rope_width((low, high), _scale(new)) for low, high in (before, after))
    return _kind(looser=max(moved) > 0), f"allowed {was}", f"allows {now}"


def _scale(settings: GateSettings) -> Scale:
    try:
        bounded = parse_name(settings.measure or "").bounded
    except InputError:  # a function of the user's own
        bounded = False
    return scale_of(custom_measure=not bounded)


def _limit(of_what: str, none: str) -> _Compared:
    """Compare what a gate allows of something, or whether it still asks about it."""

    def compared(before: float, after: float | None, new: GateSettings) -> _Change:
        scale = _scale(new)
        was = f"allowed {scale.amount(f'{scale.factor * before:g}')} {of_what}"
        if after is None:
            return FindingKind.LOOSER, was, none
        return _kind(looser=after > before), was, f"allows {scale.amount(f'{scale.factor * after:g}')}"

    return compared


def _floor(before: float, after: float | None, _: GateSettings) -> _Change:
    if after is None:
        return FindingKind.LOOSER, f"demanded at least {before:g}", "demands no least score"
    return _kind(looser=after < before), f"demanded at least {before:g}", f"demands at least {after:g}"


def _run_sd(before: float, after: float, _: GateSettings) -> _Change:
    """Take a larger one for looser, as more is put down to chance; and one that comes or goes, which asks otherwise."""
    was, now = (f"{each:g} from run to run" if each else "other examples" for each in (before, after))
    return _kind(looser=after > before or not after), f"took {was} for chance", f"takes {now}"


def _hdi_prob(before: float, after: float, new: GateSettings) -> _Change:
    """Take a lower probability for weaker evidence; a higher one keeps a gate that must be sure from failing."""
    kind = _kind(looser=after < before or not _policy_of(new).demands_proof)
    return kind, f"judged by a {level(before)} HDI", f"judges by a {level(after)} HDI"


def _more(new: GateSettings) -> FindingKind:
    """Take more parts for stricter, but in a family, where all share one level."""
    return FindingKind.STRICTER if new.family_level == _NO_FAMILY else FindingKind.OTHER


def _per_class(_: bool, after: bool, new: GateSettings) -> _Change:
    if after:
        return _more(new), "judged the whole", "judges every class too"
    return FindingKind.LOOSER, "judged every class too", "judges the whole alone"


def _slices(before: tuple[str, ...], after: tuple[str, ...], new: GateSettings) -> _Change | None:
    if set(before) == set(after):
        return None
    was, now = (", ".join(sorted(set(each))) or "no slice" for each in (before, after))
    kind = FindingKind.LOOSER if set(before) - set(after) else _more(new)
    return kind, f"judged the slices by {was}", f"judges {now}"


def _fewer(noun: str, lacks: str) -> _Compared:
    """Take fewer for looser: those that are wrong could be left out."""

    def compared(before: int, after: int, _: GateSettings) -> _Change | None:
        if after >= before:
            return None
        return FindingKind.LOOSER, f"judged {counted(before, noun)}", f"{lacks} {before - after:,} of them"

    return compared


def _truths(before: Tally, after: Tally, new: GateSettings) -> _Change | None:
    """Take changed truths for looser, and more of them too unless they are planned: easy examples dilute others."""
    n_before, n_after = sum(before.values()), sum(after.values())
    if changed := n_replaced(before, after):
        now = f"changes at least {changed:,} of them"
        return FindingKind.LOOSER, f"judged by {counted(n_before, 'truth')}", now
    if n_after < n_before:
        return None  # which the number of examples says
    is_planned = new.looks > 1 or new.on_new_test_set == OnNewTestSet.INDEPENDENT
    kind = FindingKind.STRICTER if is_planned else FindingKind.OTHER
    return kind, f"judged by {counted(n_before, 'truth')}", f"judges by {n_after:,}"


def _in_slices(before: Mapping[str, Tally], after: Mapping[str, Tally], _: GateSettings) -> _Change | None:
    """Take examples that move to other slices for looser: there are fewer errors where these are judged."""
    moved = {
        column: n
        for column in before.keys() & after.keys()
        if before[column] != after[column] and (n := n_replaced(before[column], after[column]))
    }
    if not moved:
        return None
    column = max(moved, key=lambda each: (moved[each], each))
    now = f"changes that of at least {counted(moved[column], 'example')}"
    return FindingKind.LOOSER, f"took the {one_line(column)} of every example for granted", now


def _labelled(before: Tally, after: Tally, _: GateSettings) -> _Change | None:
    """Take labels that changed or went for looser; there may be more of them."""
    n_before = sum(before.values())
    gone = max(n_gone(before, after), n_before - sum(after.values()), n_replaced(before, after))
    if not gone:
        return None
    return FindingKind.LOOSER, f"judged by {counted(n_before, 'label')}", f"changes or lacks at least {gone:,} of them"


def _files(before: tuple[str, ...], after: tuple[str, ...], _: GateSettings) -> _Change | None:
    """Take fewer for looser; other names are those of other runs."""
    if len(after) >= len(before):
        return None
    gone = first_few(one_line(name) for name in before if name not in after)
    return FindingKind.LOOSER, f"read {counted(len(before), 'file')}", f"lacks {len(before) - len(after):,}: {gone}"


def _missing_runs(before: int, after: int, _: GateSettings) -> _Change | None:
    """Take more of them for looser: a candidate could leave out single runs that are wrong."""
    if after <= before:
        return None
    was = f"judged a candidate that lacks {counted(before, 'run')} of its examples"
    return FindingKind.LOOSER, was, f"judges one that lacks {after:,}"


def _family_level(before: float, after: float, _: GateSettings) -> _Change:
    """Take a smaller share of a family for looser: such a gate takes more to fail."""
    was, now = (
        "by the HDI alone" if each == 1 else f"only where its family leaves a chance below {100 * each:.2g}%"
        for each in (before, after)
    )
    return _kind(looser=after < before), f"failed {was}", f"fails {now}"


def _read(what: str, again: str, usual: str = "", by: str = "from") -> _Compared:
    """Take any other file, and any other way to read it, for looser: what was reviewed no longer counts."""
    return _said(
        f"read {what} {{}}", f"reads {again} {{}}", lambda each: f"{by} {each}" if each else usual, looser=True
    )


_CHANGES: Mapping[str, _Compared] = {
    "policy": _policy,
    "measure": _said("compared {}", "compares {}"),
    "rope": _rope,
    "budget": _limit("lost since the anchor", none="does not compare with an anchor"),
    "floor": _floor,
    "run_sd": _run_sd,
    "hdi_prob": _hdi_prob,
    # more looks, or more examples to come, ask for more evidence now; with fewer, looks that are past count for less
    "looks": _said("looked {}", "looks {}", lambda n: "once" if n == 1 else f"{n} times"),
    "planned_examples": _said("planned {} examples", "plans {}"),
    "prior": _said("took the {} prior", "takes the {} one"),
    "model": _said("compared by the {} model", "compares by the {} one"),
    "per_class": _per_class,
    "slices": _slices,
    "max_gap": _limit("between slices", none="allows any gap"),
    "family_level": _family_level,
    # with larger clusters intervals are wider, and policies differ in whom that helps
    "clusters": _said("took {} for independent", "takes {}"),
    # a loss among rare examples passes where these are said to be rarer still
    "prevalence": _said(
        "scored {}",
        "scores {}",
        lambda each: f"at prevalence {each}" if each else "at the shares of the test set",
        looser=True,
    ),
    # each serves some candidates: none is stricter
    "on_new_test_set": _said("compared new test sets as {}", "compares them as {}"),
    "baseline": _read("the baseline", "it", "beside the test"),
    "anchor": _read("the anchor", "it"),
    "labels": _read("the labels", "them", "beside the pool"),
    "runs": _fewer("run", "lacks"),
    "missing_runs": _missing_runs,
    "files": _files,
    "examples": _fewer("example", "leaves out"),
    "truths": _truths,
    "in_slices": _in_slices,
    "labelled": _labelled,
    "reading": _read("files", "them", "as they are", by="with"),
    # a candidate could leave out those that it gets wrong
    "lacking": _said(
        "compared on all examples of the baseline", "has no prediction of {} of them", "{:,}".format, looser=True
    ),
    "corrected": _said("scored by the baseline's labels", "scores both models by {}"),
    "moved": _said("sliced as the baseline's file does", "moves {}", lambda n: counted(n, "example"), looser=True),
    "relabelled": _said("judged by the labels of the base commit", "{} of them", looser=True),
}
"""How a setting is compared, once both sides know it and they differ; any other makes no gate looser."""


def table_seen_from(root: Path, folder: Path, table: Mapping[str, T]) -> dict[str, T]:
    """Name the tests of a folder's manifest as a run does that has another root folder.

    Examples
    --------
    >>> table_seen_from(Path("/project/tests"), Path("/project"), {"tests/test_spam.py::test_f1": 1})
    {'test_spam.py::test_f1': 1}
    """
    return {id_seen_from(root, folder, test): value for test, value in table.items()}


def id_seen_from(root: Path, folder: Path, test: str) -> str:
    """Return the id that a test of a folder has in runs with another root folder."""
    file, separator, name = test.partition("::")
    return f"{seen_from(root, folder / file)}{separator}{name}"


def write_manifest(
    path: Path,
    made: Gates = MappingProxyType({}),
    *,
    gone: Callable[[str], bool] = lambda _: False,
    only_new: bool = False,
    accept: Acceptances = MappingProxyType({}),
    no_longer: Callable[[str, Acceptance], bool] = lambda *_: False,
    loosen: AcceptedChanges = _NONE,
) -> bool:
    """Bring the file up to date with a run, and return whether it changed.

    ``made`` are the gates of the run, ``accept`` the losses that it accepts, ``loosen`` the changes of gates, and
    ``no_longer`` says of a test and of a loss that is listed whether it is no longer to be accepted.
    """
    if not (made or accept or loosen or path.exists()):
        return False
    try:
        with locked(path.parent):
            content = CHECKED_OUT.read(path)
            listed = Listed.of(content, path)
            dropped = {test for test in listed.gates if test not in made and gone(test)}
            gates = updated_gates(listed.gates, made, gone=dropped, only_new=only_new)
            accepted = {
                test: [each for each in losses if not no_longer(test, each)]
                for test, losses in listed.accepted.items()
                if test in made or not gone(test)
            }
            for test, losses in accept.items():
                others = [each for each in accepted.get(test, []) if not any(each.covers(loss) for loss in losses)]
                accepted[test] = [*others, *losses]
            changes = dict(listed.loosened)
            for gate, wanted in loosen.items():
                changes[gate] = [*changes.get(gate, []), *wanted]
            new = to_text(gates, accepted, changes).encode("utf-8", "surrogatepass")
            if new != content:
                write_all({path: new})
            return new != content
    except OSError as error:
        raise BaselineError.plain(str(path), f"Cannot write the file: {error}") from error
