"""The manifest of gates: what every gate of a project demands, one setting per line, made to be reviewed in a diff."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

from pytest_bayesf1._util import json_text, levels
from pytest_bayesf1.comparison.result import Comparison, Estimate
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.gates.gate_result import GateResult
from pytest_bayesf1.gates.policy import FLOOR, Policy
from pytest_bayesf1.results.schema import Flag, Limited, Number, Text
from pytest_bayesf1.settings import expected

if TYPE_CHECKING:
    from pydantic import ConfigDict, TypeAdapter

FORMAT = "pytest-bayesf1 gates"
VERSION = 1

_EXAMPLES = "examples"
_NO_FAMILY = 1.0
_ADVICE = "Restore the file from version control, or delete it and make it anew with --bayesf1-update."


@dataclass(frozen=True, kw_only=True)
class GateSettings:
    """What one gate demands; a setting that a gate does not have, or that its manifest does not know, is None.

    Settings of a later version are kept as they are.

    Attributes
    ----------
    policy
        A `Policy` or ``at_least``.
    rope, budget, floor
        The differences that do not matter, the loss since the anchor that is tolerated in all where there is one, and
        the least score, on the measure's own scale.
    prior
        As it was asked for: what ``auto`` takes depends on the data.
    model
        The one that was used: with predictions left out, a gate sees less.
    max_gap
        How far the best and the worst slice of a column may be apart, where that is demanded.
    family_level
        Below what the probability that all is well must lie so that the gate fails, whatever its HDI: its share of the
        level of its family; 1 without a family.
    units
        What was taken for drawn independently, in the plural.
    agreement
        The share of the examples on which both sides were said to predict the same, in words; empty where nobody said.
    """

    __pydantic_config__: ClassVar["ConfigDict"] = {"extra": "allow"}

    policy: Text | None = None
    measure: Text | None = None
    rope: Annotated[list[Number], Limited(min_length=2, max_length=2)] | None = None
    budget: Number | None = None
    floor: Number | None = None
    hdi_prob: Number | None = None
    prior: Text | None = None
    model: Text | None = None
    per_class: Flag | None = None
    slices: list[Text] | None = None
    max_gap: Number | None = None
    family_level: Number = _NO_FAMILY
    units: Text = _EXAMPLES
    agreement: Text = ""

    @classmethod
    def of(cls, comparison: Comparison, policy: Policy, prior: str, **others: Any) -> "GateSettings":
        """Read off what was demanded of a comparison.

        Parameters
        ----------
        comparison
            By the gate's own arguments.
        policy
            By which it is judged.
        prior
            As it was asked for.
        **others
            Settings that only gates with an anchor, or of gate files have.
        """
        stated = comparison.stated_agreement
        return cls(
            policy=policy.key,
            measure=comparison.measure,
            rope=list(comparison.rope),
            hdi_prob=comparison.hdi_prob,
            prior=prior,
            model=str(comparison.model),  # an enumeration cannot be sent between processes
            units=_EXAMPLES if comparison.units is None else comparison.units.noun,
            agreement="" if stated is None else levels(stated),
            **others,
        )

    @classmethod
    def of_floor(cls, estimate: Estimate, prior: str) -> "GateSettings":
        """Read off what was demanded of one classifier's score.

        Parameters
        ----------
        estimate
            By the gate's own arguments.
        prior
            As it was asked for.
        """
        return cls(
            policy=FLOOR,
            measure=estimate.measure,
            floor=estimate.floor,
            hdi_prob=estimate.hdi_prob,
            prior=prior,
            units=_EXAMPLES if estimate.units is None else estimate.units.noun,
        )

    @classmethod
    def of_gate(cls, result: GateResult) -> "GateSettings":
        """Read off what a gate of a gate file demands of all the data, and of which parts it demands more.

        Parameters
        ----------
        result
            Of the gate.
        """
        gate = result.gate
        parts = {
            "budget": result.budget,
            "per_class": gate.per_class,
            "slices": list(gate.slices),
            "max_gap": gate.max_gap,
            "family_level": _NO_FAMILY if gate.family is None else gate.family.share,
        }
        return cls.of(result.overall.comparison, gate.policy, str(gate.arguments["prior"]), **parts)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings that there are, JSON-able; but for those that are what they are without a word."""
        return {name: value for name, value in vars(self).items() if value != getattr(GateSettings, name, None)}


Gates: TypeAlias = Mapping[str, Sequence[GateSettings]]
"""By test, in the order in which the test makes them."""


@cache
def _adapter() -> "TypeAdapter[Gates]":
    from pydantic import TypeAdapter  # noqa: PLC0415 (gates that read no manifest need none)

    return TypeAdapter(dict[str, tuple[GateSettings, ...]])


def to_text(gates: Gates) -> str:
    """Write a manifest down, sorted by test.

    Parameters
    ----------
    gates
        Tests without any are left out.
    """
    listed = {test: [each.to_dict() for each in gates[test]] for test in sorted(gates) if gates[test]}
    document = {"format": FORMAT, "version": VERSION, "gates": listed}
    return json_text(document)


def from_text(text: str, where: str) -> Gates:
    """Read a manifest.

    Parameters
    ----------
    text
        As `to_text` writes it.
    where
        Names the file in errors.

    Returns
    -------
    Gates
        By test.

    Raises
    ------
    BaselineError
        When it is damaged, or from a newer version that means something else.
    """
    from pydantic import ValidationError  # noqa: PLC0415 (see _adapter)

    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BaselineError(where, "a manifest of gates", f"text that is damaged ({error})", _ADVICE) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BaselineError(where, f"a file of the format {FORMAT!r}", "something else", _ADVICE)
    if document.get("version") != VERSION:
        advice = "Install the newer pytest-bayesf1 that wrote it."
        raise BaselineError(where, f"format version {VERSION}", str(document.get("version")), advice)
    try:
        return _adapter().validate_python(document.get("gates"))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(["gates", *map(str, first["loc"])])
        found = f"{place} that is not {expected(first, mapping='an object')}"
        raise BaselineError(where, "the settings of every gate by test", found, _ADVICE) from None


def matched_gates(
    listed: Sequence[GateSettings], made: Sequence[GateSettings]
) -> Iterator[tuple[GateSettings | None, GateSettings | None]]:
    """Pair the gates of one test with those that are listed: those of one measure first, what is left by its place.

    Parameters
    ----------
    listed
        What the manifest says of the test.
    made
        The gates that the test made.

    Yields
    ------
    (GateSettings or None, GateSettings or None)
        What is listed and what was made of it; None where either is lacking.
    """
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
    """Bring a manifest up to date with a run.

    Parameters
    ----------
    listed
        What it says; of tests that made no gate this stays.
    made
        The gates of the run, which replace those of the same test.
    gone
        Tests that are to be dropped.
    only_new
        Let what is listed stay, and only add to it.

    Returns
    -------
    Gates
        What the manifest is to say.
    """
    kept = {test: settings for test, settings in listed.items() if test not in gone}
    if not only_new:
        return {**kept, **made}
    added = {test: [*kept.get(test, ()), *_unlisted(kept.get(test, ()), settings)] for test, settings in made.items()}
    return {**kept, **added}


def _unlisted(listed: Sequence[GateSettings], made: Sequence[GateSettings]) -> Iterable[GateSettings]:
    return [now for was, now in matched_gates(listed, made) if was is None and now is not None]
