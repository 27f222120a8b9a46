"""Gate files: how they are declared, read and checked."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from errno import ELOOP
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeGuard, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    create_model,
)
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import ErrorDetails

from pytest_bayesf1.choices import (
    FAIL_ON_DEFAULT,
    FAIL_ON_HELP,
    INVALID_DEFAULT,
    READING,
    UNPROVEN,
    UNPROVEN_IN_SHORT,
    FailOn,
    Invalid,
    Runs,
)
from pytest_bayesf1.comparison.arguments import ARGUMENTS, Argument, Offered, SharedArguments, offered
from pytest_bayesf1.comparison.compare import require_difference_of_scores
from pytest_bayesf1.errors import NOT_FOUND, GateFileError, InputError, shown
from pytest_bayesf1.files.formats import FORMATS, YamlDocument, YamlError, load_document
from pytest_bayesf1.files.tables import KNOWN, Reading, answer_pattern, require_known, value_text
from pytest_bayesf1.gates.demand import FAMILY_LEVEL, FLOOR_FAILS_ON, Demand, Family
from pytest_bayesf1.gates.source import Declared, FilePair, Files, PoolFiles, RunFiles, files_of
from pytest_bayesf1.results.schema import ByValue
from pytest_bayesf1.stats.looks import MOST_LOOKS, LookSchedule
from pytest_bayesf1.values import argument_meant, did_you_mean, expected, require_once

_FILES = (
    f"Predictions (id, y_true, y_pred), spans, a confusion matrix or a log, in {', '.join(FORMATS)}, relative to "
    "this file. A mapping says what this file alone calls its columns, or which rows to read."
)


_HalfWidth = Annotated[float, Field(json_schema_extra={"exclusiveMinimum": 0, "exclusiveMaximum": 1})]
_Pair = Annotated[list[float], Field(min_length=2, max_length=2)]
_Open = SkipJsonSchema[None]
_ClassShare = Annotated[float, Field(json_schema_extra={"exclusiveMinimum": 0, "exclusiveMaximum": 1})]
_ClassShares = Annotated[dict[str | int | bool, _ClassShare], Field(min_length=1)]
_Wide = Annotated[list[float | Literal["wide"]], Field(min_length=2, max_length=3)]


def _without_default(schema: dict[str, Any]) -> None:
    del schema["default"]


def _open(description: str) -> Any:
    """Declare a field that may be left out."""
    return Field(default=None, description=description, json_schema_extra=_without_default)


def _difference_of_scores(value: Any) -> Any:
    require_difference_of_scores(ARGUMENTS["rope"].check(value))
    return value


def _each_once(columns: list[str]) -> list[str]:
    require_once(columns)
    return columns


def _row_value(value: Any) -> str:
    if isinstance(value, str | int | float):
        return value_text(value)
    raise InputError("", "a text, a number or a boolean", shown(value))


_FailOn = Annotated[
    FailOn,
    BeforeValidator(
        lambda value: UNPROVEN if value == UNPROVEN_IN_SHORT else value,
        json_schema_input_type=Literal["<<", "<", "unproven", "?"],
    ),
]


def _column_name(value: Any) -> Any:
    """Take the number of a column for its name; CoNLL columns have numbers."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


_KnownName = Annotated[str, AfterValidator(require_known), Field(json_schema_extra={"pattern": KNOWN})]
_Text = Annotated[str, Field(min_length=1)]
_Names = Annotated[list[_Text], AfterValidator(_each_once), Field(json_schema_extra={"uniqueItems": True})]
_RowValue = Annotated[str, BeforeValidator(_row_value, json_schema_input_type=str | float | bool)]
_ColumnName = Annotated[_Text, BeforeValidator(_column_name, json_schema_input_type=_Text | int)]
_Columns: TypeAlias = Annotated[
    dict[_KnownName, _ColumnName],
    Field(description=READING["columns"], json_schema_extra={"additionalProperties": False}),
]
_Rows: TypeAlias = Annotated[dict[_Text, _RowValue], Field(description=READING["rows"])]


_TYPES: Mapping[str, Any] = {
    "rope": Annotated[_HalfWidth | _Pair | _Wide | _Open, BeforeValidator(_difference_of_scores)],
    "prevalence": Annotated[
        Any, PlainValidator(ARGUMENTS["prevalence"].check, json_schema_input_type=str | _ClassShares | _Open)
    ],
}
"""Of arguments that are more than a text or a number."""
_NOTES = {
    "rope": " Required. Two ends are [low, high]; a wide one is [0.3, wide].",
    "prevalence": " A mapping of classes, {fraud: 0.01}, serves too.",
}


def _declared(argument: Argument) -> tuple[Any, Any]:
    """Return type and field of an argument, as the table declares it."""
    schema = {"enum": list(argument.choices)} if argument.choices else dict(argument.limits)

    def describe(written: dict[str, Any]) -> None:
        written |= schema
        if argument.default is None:
            _without_default(written)

    kind: Any = argument.read | _Open if argument.optional else argument.read
    checked: Any = Annotated[kind, AfterValidator(argument.check)]
    description = argument.sentence + _NOTES.get(argument.name, "")
    return _TYPES.get(argument.name, checked), Field(
        default=argument.default, description=description, json_schema_extra=describe
    )


def _arguments() -> Iterator[tuple[str, Any]]:
    """Declare every argument, and what fails after what is allowed."""
    for argument in offered(Offered.GATE | Offered.ANCHORED):
        yield argument.name, _declared(argument)
        if argument.name == "budget":
            yield "fail_on", (_FailOn, Field(default=FAIL_ON_DEFAULT, description=FAIL_ON_HELP))


class _Strict(BaseModel):
    """A part of the file; what validates it is built once, as part of the file's."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


_Arguments: Any = create_model("_Arguments", __base__=_Strict, **dict(_arguments()))


def _regular_expression(pattern: str) -> str:
    answer_pattern(pattern)
    return pattern


class Settings(_Arguments, _Strict):  # type: ignore[misc] # pydantic makes the first base
    """What a gate may say and what ``defaults`` may say for all gates of a file."""

    invalid: Invalid = Field(default=INVALID_DEFAULT, description=READING["invalid"])
    answer: Annotated[_Text, AfterValidator(_regular_expression)] | _Open = _open(READING["answer"])
    clusters: _Text | _Open = _open(READING["clusters"])
    runs: Annotated[Runs, ByValue()] | _Open = _open(READING["runs"])
    show: _Names = Field(default=[], description=READING["show"])
    columns: _Columns = {}
    rows: _Rows = {}
    gold: _Text | _Open = _open(READING["gold"])
    per_class: bool = Field(
        default=False, description="Also one comparison per class; none may be significantly worse."
    )
    slices: _Names = Field(
        default=[],
        description=(
            "Columns of the predictions. Also one comparison per value of each; none may be significantly worse."
        ),
    )
    max_gap: Annotated[float, Field(gt=0, allow_inf_nan=False)] | _Open = _open(
        "Of every column of slices: how far the candidate's scores of the best and the worst slice may be apart; "
        "significantly more fails."
    )
    looks: Annotated[int, Field(ge=2, le=MOST_LOOKS)] | _Open = _open(
        "How often you judge the test set while it grows to planned_examples. Early looks need more evidence, so that "
        "all together fail falsely no more often than one."
    )
    planned_examples: Annotated[int, Field(ge=1)] | _Open = _open("How many examples it will have at the last look.")


class SideDeclaration(_Strict):
    """A file, and what is said of it alone."""

    model_config = ConfigDict(title="Side")

    file: _Text = Field(description="Its name, found relative to the gate file.")
    columns: _Columns = {}
    rows: _Rows = {}


def _as_mapping(value: Any) -> Any:
    if value is None or isinstance(value, Mapping):
        return value
    if isinstance(value, str) and value:
        return {"file": value}
    raise InputError(
        "", f"the name of a file, or a mapping with {', '.join(SideDeclaration.model_fields)}", shown(value)
    )


_READ_SIDE = BeforeValidator(_as_mapping, json_schema_input_type=_Text | SideDeclaration)


class Declaration(Settings):
    """A gate: two files, or a pool, and how they are compared; or a file and its floor."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [{"required": [*keys]} for keys in (("baseline", "candidate"), ("pool",), ("candidate", "floor"))]
        }
    )

    baseline: Annotated[SideDeclaration | None, _READ_SIDE] = _open(
        f"File that the candidate must not fall behind. {_FILES}"
    )
    anchor: Annotated[SideDeclaration | None, _READ_SIDE] = _open(
        "File from which total loss counts, as baseline: the candidate may not fall behind it by significantly "
        "more than budget."
    )
    candidate: Annotated[SideDeclaration | None, _READ_SIDE] = _open(f"File of the classifier to judge. {_FILES}")
    pool: _Text | _Open = _open(
        "In place of baseline and candidate, the file *.labelling.json of a pool with few labels; "
        "bayesf1 label start writes it."
    )
    labels: _Text | _Open = _open("Other labels of the pool than those in *.labels.csv: a file with the same columns.")
    floor: Annotated[float, Field(allow_inf_nan=False)] | _Open = _open(
        "In place of baseline, the score that candidate must reach: the gate fails when the whole HDI lies below it. "
        "The name of candidate may be a pattern such as runs/*.json: each file is a run on the same examples."
    )
    run_sd: Annotated[float, Field(gt=0, allow_inf_nan=False)] | _Open = _open(
        "Of a floor on examples that are always the same: the standard deviation of the score from run to run. bayesf1 "
        "floor finds it."
    )


# what pytest prints as it is holds nothing that hides, or turns the line around
_NAME = r"[^\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb:]+"
GateName = Annotated[str, Field(pattern=f"^{_NAME}(:{_NAME})*$", min_length=1, max_length=200)]


class FamilyDeclaration(_Strict):
    """Gates among which the chance of any false failure stays below a level."""

    gates: Annotated[_Names, Field(min_length=1)] = Field(
        description="Names of gates of this file, or patterns such as mail-*. One gate is a family of all "
        "that can fail it."
    )
    level: float = Field(
        default=FAMILY_LEVEL, gt=0, le=0.5, description="The chance of any false failure in the family stays below it."
    )


class GateFile(_Strict):
    """The content of a gate file."""

    model_config = ConfigDict(title="Gates of pytest-bayesf1")

    defaults: Settings = Field(default_factory=Settings, description="Settings of all gates that do not say otherwise.")
    gates: dict[GateName, Declaration] = Field(
        min_length=1, json_schema_extra={"additionalProperties": False}, description="The gates by name."
    )
    families: dict[Annotated[str, Field(min_length=1, max_length=200)], FamilyDeclaration] = Field(
        default={}, description="Families of gates by name; a gate is in one at most."
    )


def gate_file_schema() -> dict[str, Any]:
    """Describe gate files for editors: JSON Schema, draft 2020-12."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **GateFile.model_json_schema()}


_Place: TypeAlias = tuple[int | str, ...]
"""Of a value in a gate file: the keys and positions that lead to it."""


def families_by_gate(declared: Mapping[str, FamilyDeclaration], gates: Mapping[str, object]) -> dict[str, Family]:
    """Find the family of every gate that has one."""
    members = {name: _members(family, gates) for name, family in declared.items()}
    return {gate: Family(name, declared[name].level, len(names)) for name, names in members.items() for gate in names}


def problems_of_families(
    declared: Mapping[str, FamilyDeclaration], gates: Mapping[str, object]
) -> Iterator[tuple[_Place, str]]:
    """Yield what is wrong with the families of a file."""
    family_of: dict[str, str] = {}
    for name, family in declared.items():
        for place, pattern in enumerate(family.gates):
            if not any(_matches(gate, pattern) for gate in gates):
                advice = did_you_mean(pattern, tuple(gates))
                text = f"expected a gate of this file, or a pattern of some, got {pattern!r}{advice and f'. {advice}'}"
                yield ("families", name, "gates", place), text
        for gate in _members(family, gates):
            other = family_of.setdefault(gate, name)
            if other != name:
                yield (
                    ("families", name, "gates"),
                    f"{gate} is in the family {other} already. A gate is in one family at most.",
                )


def _members(family: FamilyDeclaration, gates: Mapping[str, object]) -> list[str]:
    return [gate for gate in gates if any(_matches(gate, pattern) for pattern in family.gates)]


def _matches(gate: str, pattern: str) -> bool:
    return gate == pattern or fnmatchcase(gate, pattern)


FilesT = TypeVar("FilesT", bound=Files)


@dataclass(frozen=True, kw_only=True)
class Gate(Declared, Generic[FilesT]):
    """A gate, ready to be judged: what it reads, and what it demands."""

    source: FilesT
    demand: Demand


def has_baseline(gate: Gate[Any]) -> TypeGuard[Gate[FilePair]]:
    """Whether it compares two files, of which one is the baseline."""
    return isinstance(gate.source, FilePair)


_NO_FLOOR = "There is no baseline. Name one; or set floor, the score that the candidate must reach."
_NO_ROPE = f"expected {ARGUMENTS['rope'].required}, such as 0.01, got nothing. Set it here or in defaults."
_OWN_WORDS = {
    "string_pattern_mismatch": "a name without '::' and control characters, and without ':' at its ends",
    "string_too_long": "at most 200 characters",
    "string_too_short": "some text",
    "too_short": "at least one",
}
_LONGEST = 80
_SIDES = ("baseline", "anchor", "candidate")
_KEYS: dict[tuple[str, ...], tuple[str, ...]] = {
    (): tuple(GateFile.model_fields),
    ("defaults",): tuple(Settings.model_fields),
    ("gates", "*"): tuple(Declaration.model_fields),
    ("families", "*"): tuple(FamilyDeclaration.model_fields),
    **{("gates", "*", side): tuple(SideDeclaration.model_fields) for side in _SIDES},
}


def load_gates(path: Path, root: Path, content: Path | None = None) -> tuple[Gate[Files], ...]:
    """Read the gates of a file."""
    where = os.path.relpath(path, root)
    document = _parsed(content or path, where)
    found: list[tuple[_Place, str]] = [
        *_missing_ropes(document.value),
        *_missing_sides(document.value),
        *_files_outside(document.value, path.parent, root),
    ]
    try:
        declared = GateFile.model_validate(document.value)
    except ValidationError as error:
        found += _invalid(error)
    else:
        found += _contradictions(declared)
    problems = [
        (line, _problem(where, line, at, "This key is there twice. Keep one.")) for at, line in document.repeated
    ]
    for at, said in found:
        line = document.line_of(at)
        problems.append((line, _problem(where, line, at, said)))
    if problems:
        raise GateFileError([text for _, text in sorted(problems)])
    family_of = families_by_gate(declared.families, declared.gates)
    return tuple(
        _gate(name, path, document.line_of(("gates", name)), _settings(declared, name), family_of.get(name))
        for name in declared.gates
    )


def load_all_gates(files: Iterable[Path], root: Path) -> list[Gate[Files]]:
    """Read the gates of several files; one error lists what is wrong with any of them."""
    gates: list[Gate[Files]] = []
    problems: list[str] = []
    for file in files:
        try:
            gates += load_gates(file, root)
        except GateFileError as error:
            problems += error.problems
    if problems:
        raise GateFileError(problems)
    return gates


def _written_gates(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is written as gates, whatever else is wrong with the file."""
    gates = value.get("gates") if isinstance(value, dict) else None
    for name, gate in gates.items() if isinstance(gates, dict) else ():
        if isinstance(gate, dict):
            yield name, gate


def _missing_ropes(value: Any) -> Iterator[tuple[_Place, str]]:
    for name, gate in _written_gates(value):
        defaults = value.get("defaults")
        if not ("rope" in gate or "floor" in gate or (isinstance(defaults, dict) and "rope" in defaults)):
            yield ("gates", name, "rope"), _NO_ROPE


def _missing_sides(value: Any) -> Iterator[tuple[_Place, str]]:
    for name, gate in _written_gates(value):
        sides = ("candidate",) if "floor" in gate else ("baseline", "candidate")
        for side in sides if "pool" not in gate else ():
            if gate.get(side) is None:
                yield (
                    ("gates", name, side),
                    _NO_FLOOR if side == "baseline" else "There is no candidate. Name its file.",
                )


def _files_outside(value: Any, folder: Path, root: Path) -> Iterator[tuple[_Place, str]]:
    defaults = value.get("defaults") if isinstance(value, dict) else None
    written = [(("gates", name), gate) for name, gate in _written_gates(value)]
    for place, gate in [*written, *([(("defaults",), defaults)] if isinstance(defaults, dict) else [])]:
        for side in (*_SIDES, "pool", "labels", "gold"):
            said = gate.get(side)
            file = said.get("file") if isinstance(said, dict) else said
            if isinstance(file, str) and not all(_is_inside(each, root) for each in files_of(folder / file)):
                yield (*place, side), f"{_brief(file)} leads out of {root.resolve()}. Copy the file into that folder"


def _is_inside(file: Path, root: Path) -> bool:
    """Whether a path, wherever links and dots lead, is one inside of the folder."""
    try:
        file.stat()
    except OSError as error:  # what cannot be opened is reported when it is read
        if error.errno == ELOOP:  # links in a circle, of which resolve() says nothing from Python 3.13 on
            return False
    except ValueError:  # a path that no system has
        return False
    return file.resolve().is_relative_to(root.resolve())


def _settings(declared: GateFile, name: str) -> Declaration:
    """Return what a gate says, and where it says nothing what ``defaults`` say."""
    gate, defaults = declared.gates[name], declared.defaults
    others = defaults.model_fields_set - gate.model_fields_set
    return gate.model_copy(update={setting: getattr(defaults, setting) for setting in others})


def _contradictions(declared: GateFile) -> Iterator[tuple[_Place, str]]:
    yield from problems_of_families(declared.families, declared.gates)
    family_of = families_by_gate(declared.families, declared.gates)
    for name in declared.gates:
        settings = _settings(declared, name)
        yield from _beside_pool(name, settings)
        yield from _beside_floor(name, declared.gates[name], family_of.get(name))
        sides = [_normalised(side) for side in (settings.baseline, settings.candidate) if side is not None]
        if len(sides) == 2 and sides[0] == sides[1]:
            yield ("gates", name), "Both sides are one file. Name another, or columns or rows that tell them apart."
        if settings.max_gap is not None and not settings.slices:
            yield ("gates", name), "max_gap is about slices, and there are none. Add slices."
        if (settings.looks is None) != (settings.planned_examples is None):
            lacking = "planned_examples" if settings.planned_examples is None else "looks"
            yield ("gates", name), f"looks and planned_examples go together. Add {lacking}."
        if settings.looks is not None and name in family_of:
            yield (
                ("gates", name),
                f"Gates of the family {family_of[name].name} look once. Leave looks and planned_examples out.",
            )
        if name in family_of and settings.fail_on != FAIL_ON_DEFAULT:
            need = (
                f'Gates of the family {family_of[name].name} need fail_on "{FAIL_ON_DEFAULT}", not "{settings.fail_on}"'
            )
            yield ("gates", name), f"{need}: of no other can a family limit the chance of a false failure."


_NOT_OF_POOLS = ("baseline", "candidate", "anchor", "slices", *(each for each in READING if each != "invalid"))


def _beside_pool(name: str, settings: Declaration) -> Iterator[tuple[_Place, str]]:
    """Yield what does not serve beside a pool."""
    if settings.pool is None:
        if settings.labels is not None:
            yield ("gates", name), "labels are about a pool. Add pool."
        return
    for key in _NOT_OF_POOLS:
        if getattr(settings, key):
            yield ("gates", name), f"{key} does not go with pool, which bayesf1 label start described. Leave {key} out."


_OF_FLOORS = {"candidate", "floor", "run_sd", "fail_on", "per_class", "slices", *SharedArguments.__annotations__}
_OF_FLOORS |= READING.keys() - {"show"}


def _beside_floor(name: str, gate: Declaration, family: Family | None) -> Iterator[tuple[_Place, str]]:
    """Yield what does not serve beside a floor; what defaults say of comparisons is no matter."""
    if gate.floor is None:
        if gate.run_sd is not None:
            yield ("gates", name), "run_sd is about a floor. Add floor."
        return
    for key in sorted(gate.model_fields_set - _OF_FLOORS):
        yield ("gates", name, key), f"{key} does not go with floor, which is about one file. Leave {key} out."
    if gate.fail_on not in FLOOR_FAILS_ON and "fail_on" in gate.model_fields_set:
        yield ("gates", name, "fail_on"), f'Beside floor, this is "{FAIL_ON_DEFAULT}" or {UNPROVEN}'
    if gate.run_sd is not None and (gate.per_class or gate.slices):
        yield ("gates", name), "run_sd is about all the data. Leave per_class and slices out."
    if family is not None:
        problem = f"Gates of the family {family.name} compare two files, and this one has a floor"
        yield ("gates", name), f"{problem}. Take it out of the family."


def _normalised(side: SideDeclaration) -> SideDeclaration:
    return side.model_copy(update={"file": os.path.normpath(side.file)})


def _gate(name: str, path: Path, line: int, settings: Declaration, family: Family | None) -> Gate[Files]:
    sides = {name: side for name in _SIDES if (side := getattr(settings, name)) is not None}
    files = {name: path.parent / side.file for name, side in sides.items()}
    reading = Reading(
        settings.invalid,
        settings.clusters or "",
        settings.runs,
        tuple(settings.show),
        answer=settings.answer or "",
        gold=None if settings.gold is None else str(path.parent / settings.gold),
    ).of_side(settings.columns, settings.rows)
    declared = Declared(name=name, file=path, line=line)
    known: Any = {
        "declared": declared,
        "readings": {name: reading.of_side(side.columns, side.rows) for name, side in sides.items()},
    }
    parts: Any = {
        "per_class": settings.per_class,
        "slices": tuple(settings.slices),
        "budget": settings.budget,
        "max_gap": settings.max_gap,
        "looks": None if settings.looks is None else LookSchedule(settings.looks, settings.planned_examples or 0),
        "family": family,
    }
    where = Offered.GATE if settings.floor is None else Offered.FLOOR
    arguments = {each.name: getattr(settings, each.name) for each in offered(where) if each.offered & Offered.GATE}
    demand = Demand.unless(settings.fail_on, arguments, **parts)
    if settings.floor is not None:
        source: Files = RunFiles(runs=(files["candidate"],), **known)
        fail_on = settings.fail_on if settings.fail_on in FLOOR_FAILS_ON else FAIL_ON_DEFAULT  # "<" is the defaults'
        demand = Demand.at_least(settings.floor, settings.run_sd, fail_on, arguments, **parts)
    elif settings.pool is not None:
        labels = None if settings.labels is None else path.parent / settings.labels
        source = PoolFiles(pool=path.parent / settings.pool, labels=labels, **known)
    else:
        source = FilePair(**files, **known)
    return Gate(**vars(declared), source=source, demand=demand)


def _parsed(path: Path, where: str) -> YamlDocument:
    try:
        document = load_document(path.read_text("utf-8-sig"))
    except YamlError as error:
        quotes = (
            ' Write unproven, or put "?" in quotes.'
            if "'?'" in error.problem or "mapping keys" in error.problem
            else ""
        )
        if "got '['" in error.problem:
            quotes = ' Put names with brackets in quotes, such as "f1[spam]".'
        problem = f"{where}:{error.line}: Not YAML at column {error.column}: {error.problem}.{quotes}"
        raise GateFileError([problem]) from None
    except UnicodeDecodeError as error:
        raise GateFileError([f"{where}: Not UTF-8: {error.reason} at byte {error.start}"]) from None
    except FileNotFoundError:
        raise GateFileError([f"{where}: {NOT_FOUND[0]}. Check the path, or propose one: bayesf1 init"]) from None
    except OSError as error:
        raise GateFileError([f"{where}: {error.strerror or error}"]) from None
    if document.value is None:
        raise GateFileError([f"{where}:1: There are no gates. List them under gates."])
    return document


def _invalid(error: ValidationError) -> Iterator[tuple[_Place, str]]:
    found = error.errors(include_url=False)
    # of a key that may be left out pydantic reports two problems: with the value, and that it is not None
    may_be_left_out = {detail["loc"][:-1] for detail in found if detail["type"] == "none_required"}
    for detail in found:
        if detail["type"] != "none_required":
            place = detail["loc"][:-1] if _is_about_key(detail) else detail["loc"]
            yield place[:-1] if place[:-1] in may_be_left_out else place, _explained(detail)


def _is_about_key(detail: ErrorDetails) -> bool:
    """Whether the name of a gate or of a column is at fault; pydantic then adds ``[key]`` to its place."""
    of_text = detail["type"].startswith(("string_", "value_error"))
    return of_text and len(detail["loc"]) > 2 and detail["loc"][-1] == "[key]"


def _explained(detail: ErrorDetails) -> str:
    """Say what was expected and what was found, whether pydantic found the problem or our own rules did."""
    cause = detail.get("ctx", {}).get("error")
    if isinstance(cause, InputError):
        return str(InputError("", cause.expected, _cut(cause.found), cause.advice))
    if detail["type"] == "missing":
        return "expected a value, got nothing"
    if detail["type"] == "extra_forbidden":
        return _unknown_key(detail["loc"], detail["input"])
    is_key = _is_about_key(detail) or detail["type"] == "invalid_key"
    advice = ". Put it in quotes" if is_key and not isinstance(detail["input"], str) else ""
    if detail["loc"] == ("gates",) and isinstance(detail["input"], list):
        advice = ". Write each gate under its name: gates: {spam: {baseline: ..., candidate: ..., rope: 0.01}}"
    return f"expected {expected(detail, 'a mapping', _OWN_WORDS)}, got {_brief(detail['input'])}{advice}"


def _unknown_key(loc: _Place, value: object) -> str:
    *above, key = loc
    known = _KEYS[tuple("*" if position == 1 else str(step) for position, step in enumerate(above))]
    listed = f"The keys are {', '.join(known)}."
    if not above and isinstance(value, dict):
        gate = f"{{{key}: {{baseline: ..., candidate: ..., rope: 0.01}}}}"
        listed = f"If it is a gate, write it below gates: gates: {gate}"
    meant = argument_meant(str(key), value, known)
    return f"There is no such key. {meant or did_you_mean(key, known) or listed}"


def _brief(value: Any) -> str:
    return _cut("nothing" if value is None else shown(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _problem(where: str, line: int, at: _Place, said: str) -> str:
    place = ".".join(_cut(step if step and step.isprintable() else ascii(step)) for step in map(str, at))
    return f"{where}:{line}: {place}: {said}" if place else f"{where}:{line}: {said}"
