"""How the gates of a run differ from those that the manifest lists: missing, looser, stricter or unlisted, in words."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pytest_bayesf1._util import Scale, level, rope_width, scale_of
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.gates.manifest.settings import Gates, GateSettings, matched_gates
from pytest_bayesf1.gates.policy import FLOOR, Policy
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.results.other import Finding, FindingKind

_STRENGTH = {
    FLOOR: 0,
    Policy.NOT_WORSE.key: 1,
    Policy.NOT_EVEN_SLIGHTLY_WORSE.key: 2,
    Policy.NOT_INFERIOR.key: 3,
    Policy.BETTER.key: 4,
    Policy.EQUIVALENT.key: 4,
}
"""What passes a stronger policy passes every weaker one from 1 on; equal ones, and floors, ask something else."""

_MUST_BE_SHOWN = (Policy.NOT_INFERIOR.key, Policy.BETTER.key, Policy.EQUIVALENT.key)
"""Policies that fail unless the interval shows something: the wider it is, the more they fail."""

_MAY_GO = ("budget", "max_gap")
"""Settings that a gate can lose, which loosens it; of all others None means that they do not apply to it."""

_Change: TypeAlias = tuple[FindingKind, str, str]
"""How a setting differs; what was, and what is."""

_Compared: TypeAlias = Callable[[GateSettings, GateSettings], _Change | None]
"""Compares what two gates say of a setting."""


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
    """

    gates: Gates
    why_missing: Callable[[str], str]
    powerless: frozenset[str] = frozenset()
    another_commit: bool = False

    @property
    def who(self) -> str:
        """What differs from the manifest."""
        return "this pull request" if self.another_commit else "this run"


def compare_gates(listed: Gates, run: GatesOfRun) -> tuple[Finding, ...]:
    """List every difference.

    Parameters
    ----------
    listed
        What the manifest says.
    run
        What the run did.

    Returns
    -------
    tuple of Finding
        Sorted by test, then as its gates come.
    """
    return tuple(finding for test in sorted({*listed, *run.gates}) for finding in _of_test(test, listed, run))


def _of_test(test: str, listed: Gates, run: GatesOfRun) -> Iterator[Finding]:
    was, now = listed.get(test, ()), run.gates.get(test, ())
    several = max(len(was), len(now)) > 1
    for number, (old, new) in enumerate(matched_gates(was, now), start=1):
        gate = f"{test} (gate {number})" if several else test
        if test in run.powerless:
            kind = FindingKind.UNLISTED if old is None else FindingKind.LOOSER
            yield Finding(gate, kind, "xfail", "its test is expected to fail (xfail), so it cannot fail the run")
        elif old is None:
            yield Finding(gate, FindingKind.UNLISTED, "", _unlisted(run))
        elif new is not None:
            yield from _differences(gate, old, new, run.who)
        elif why := run.why_missing(test):
            yield Finding(gate, FindingKind.MISSING, "", why)


def _unlisted(run: GatesOfRun) -> str:
    if run.another_commit:
        return "the base commit's gates.json does not list it"
    return "gates.json does not list it: pytest --bayesf1-update=new adds it"


def _differences(gate: str, old: GateSettings, new: GateSettings, who: str) -> Iterator[Finding]:
    for about, change in _CHANGES.items():
        before, after = getattr(old, about), getattr(new, about)
        if before is None or (after is None and about not in _MAY_GO) or before == after:
            continue
        found = change(old, new)
        if found is not None:
            kind, was, now = found
            yield Finding(gate, kind, about, f"you {was}, {who} {now}")


def _policy(old: GateSettings, new: GateSettings) -> _Change:
    before, after = _STRENGTH.get(old.policy or ""), _STRENGTH.get(new.policy or "")
    kind = FindingKind.OTHER
    if before and after and before != after:
        kind = FindingKind.LOOSER if after < before else FindingKind.STRICTER
    return kind, f"demanded {_said(old.policy)}", f"demands {_said(new.policy)}"


def _said(name: object) -> str:
    return str(name).replace("_", " ")


def _measure(old: GateSettings, new: GateSettings) -> _Change:
    return FindingKind.OTHER, f"compared {old.measure}", f"compares {new.measure}"


def _rope(old: GateSettings, new: GateSettings) -> _Change | None:
    """Ask of every end of the ROPE that can make the gate fail whether it lies farther from failing."""
    assert old.rope is not None
    assert new.rope is not None
    below, above = old.rope[0] - new.rope[0], new.rope[1] - old.rope[1]
    match new.policy:
        case "better":
            moved = [-above]
        case "equivalent":
            moved = [below, above]
        case _:
            moved = [below]
    if not any(moved):
        return None
    kind = FindingKind.LOOSER if max(moved) > 0 else FindingKind.STRICTER
    scale = scale_of(custom_measure=not _is_bounded(new.measure))
    was, now = (rope_width((settings.rope[0], settings.rope[1]), scale) for settings in (old, new))  # type: ignore[index]
    return kind, f"tolerated {was}", f"tolerates {now}"


def _is_bounded(measure: str | None) -> bool:
    try:
        return parse_name(measure or "").bounded
    except InputError:  # a function of the user's own
        return False


def _limit(about: str, of_what: str, none: str) -> _Compared:
    """Compare what a gate tolerates of something, or whether it still asks about it."""

    def compared(old: GateSettings, new: GateSettings) -> _Change:
        before, after = getattr(old, about), getattr(new, about)
        scale = scale_of(custom_measure=not _is_bounded(new.measure))
        was = f"tolerated {_amount(before, scale)} {of_what}"
        if after is None:
            return FindingKind.LOOSER, was, none
        return FindingKind.LOOSER if after > before else FindingKind.STRICTER, was, f"tolerates {_amount(after, scale)}"

    return compared


def _amount(limit: float, scale: Scale) -> str:
    return scale.amount(f"{scale.factor * limit:g}")


def _floor(old: GateSettings, new: GateSettings) -> _Change:
    assert old.floor is not None
    assert new.floor is not None
    kind = FindingKind.LOOSER if new.floor < old.floor else FindingKind.STRICTER
    return kind, f"demanded at least {old.floor:g}", f"demands at least {new.floor:g}"


def _hdi_prob(old: GateSettings, new: GateSettings) -> _Change:
    """Take a lower probability for weaker evidence; a higher one keeps a gate that must be sure from failing."""
    assert old.hdi_prob is not None
    assert new.hdi_prob is not None
    is_looser = new.hdi_prob < old.hdi_prob or new.policy not in _MUST_BE_SHOWN
    kind = FindingKind.LOOSER if is_looser else FindingKind.STRICTER
    return kind, f"judged by a {level(old.hdi_prob)} HDI", f"judges by a {level(new.hdi_prob)} HDI"


def _prior(old: GateSettings, new: GateSettings) -> _Change:
    return FindingKind.OTHER, f"took the {old.prior} prior", f"takes the {new.prior} one"


def _model(old: GateSettings, new: GateSettings) -> _Change:
    return FindingKind.OTHER, f"compared by the {old.model} model", f"compares by the {new.model} one"


def _per_class(old: GateSettings, new: GateSettings) -> _Change:  # noqa: ARG001
    if new.per_class:
        return FindingKind.STRICTER, "judged the whole", "judges every class too"
    return FindingKind.LOOSER, "judged every class too", "judges the whole alone"


def _slices(old: GateSettings, new: GateSettings) -> _Change | None:
    before, after = set(old.slices or ()), set(new.slices or ())
    if before == after:
        return None
    kind = FindingKind.LOOSER if before - after else FindingKind.STRICTER
    was, now = (", ".join(sorted(each)) or "no slice" for each in (before, after))
    return kind, f"judged the slices by {was}", f"judges {now}"


def _family_level(old: GateSettings, new: GateSettings) -> _Change:
    """Tell a gate that enters a family, or one that is stricter or larger: it then takes more to fail."""
    kind = FindingKind.LOOSER if new.family_level < old.family_level else FindingKind.STRICTER
    was, now = (
        "by the HDI alone" if each == 1 else f"only where its family leaves a chance below {100 * each:.2g}%"
        for each in (old.family_level, new.family_level)
    )
    return kind, f"failed {was}", f"fails {now}"


def _units(old: GateSettings, new: GateSettings) -> _Change:
    """Tell units that come or go: with larger ones intervals are wider, and policies differ in whom that helps."""
    return FindingKind.OTHER, f"took {old.units} for independent", f"takes {new.units}"


def _agreement(old: GateSettings, new: GateSettings) -> _Change:
    """Tell an agreement that comes, goes or changes: the higher it is, the narrower the interval."""
    return FindingKind.OTHER, _stated(old, "stated"), _stated(new, "states")


def _stated(settings: GateSettings, verb: str) -> str:
    if not settings.agreement:
        return f"{verb} no agreement"
    return f"{verb} that the two agree on {settings.agreement}"


_CHANGES: Mapping[str, _Compared] = {
    "policy": _policy,
    "measure": _measure,
    "rope": _rope,
    "budget": _limit("budget", "lost since the anchor", none="does not compare with an anchor"),
    "floor": _floor,
    "hdi_prob": _hdi_prob,
    "prior": _prior,
    "model": _model,
    "per_class": _per_class,
    "slices": _slices,
    "max_gap": _limit("max_gap", "between slices", none="tolerates any gap"),
    "family_level": _family_level,
    "units": _units,
    "agreement": _agreement,
}
"""How each setting is compared, once both sides know it and they differ."""
