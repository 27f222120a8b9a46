"""Gate files: how they are declared, read and checked."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeGuard, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    ValidationError,
    ValidationInfo,
    create_model,
)
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import ErrorDetails, core_schema

from pytest_bayesf1.choices import (
    FAIL_ON_DEFAULT,
    FAIL_ON_HELP,
    INVALID_DEFAULT,
    OTHER_RULER,
    READING,
    Better,
    FailOn,
    Invalid,
    Kind,
    Runs,
)
from pytest_bayesf1.comparison.arguments import ARGUMENTS, Argument, Offered, offered
from pytest_bayesf1.comparison.compare import require_difference_of_scores
from pytest_bayesf1.data.columns import KNOWN, Schema, require_known, value_text
from pytest_bayesf1.errors import NOT_FOUND, GateFileError, InputError, shown
from pytest_bayesf1.files.formats import FORMATS
from pytest_bayesf1.files.side import answer_pattern
from pytest_bayesf1.gates.demand import FAMILY_LEVEL, Demand, Family
from pytest_bayesf1.gates.source import Declared, FilePair, Files, PoolFiles, RunFiles, files_of
from pytest_bayesf1.gates.yaml_document import YamlDocument, YamlError, load_document
from pytest_bayesf1.project import every_gate_file, folders_from
from pytest_bayesf1.results.schema import ByValue
from pytest_bayesf1.stats.looks import MOST_LOOKS, LookSchedule
from pytest_bayesf1.values import did_you_mean, expected, require_once

_FILES = (
    f"Predictions (id, y_true, y_pred), spans, a confusion matrix or a log, in {', '.join(FORMATS)}, relative to "
    "this file. A mapping says what this file alone calls its columns, or which rows to read."
)

_CANDIDATE = f"File of the classifier to judge. {_FILES}"


def _open(description: str) -> Any:
    """Declare a field that may be left out."""
    return Field(default=None, description=description)


def _reading(name: str) -> Any:
    return _open(READING[name].meaning)


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


def _column_name(value: Any) -> Any:
    """Take the number of a column for its name; CoNLL columns have numbers."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _regular_expression(pattern: str) -> str:
    answer_pattern(pattern)
    return pattern


def _inside(file: str, info: ValidationInfo) -> str:
    """Refuse a file outside of the root folder, wherever links and dots lead."""
    folder, root = cast("tuple[Path, Path]", info.context)
    if not all(_is_inside(each, root) for each in files_of(folder / file)):
        raise InputError.plain("", f"{_brief(file)} leads out of {root.resolve()}", "Copy the file into that folder")
    return file


def _beside(file: str, info: ValidationInfo) -> str:
    """Find a file from the gate file's folder."""
    return str(cast("tuple[Path, Path]", info.context)[0] / file)


def _is_inside(file: Path, root: Path) -> bool:
    try:
        return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(root))
    except ValueError:  # a path that no system has
        return False


_Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_Share = Annotated[float, Field(json_schema_extra={"exclusiveMinimum": 0, "exclusiveMaximum": 1})]
_Pair = Annotated[list[float], Field(min_length=2, max_length=2)]
_Wide = Annotated[list[float | Literal["wide"]], Field(min_length=2, max_length=3)]
_ClassShares = Annotated[dict[str | int | bool, _Share], Field(min_length=1)]
_KnownName = Annotated[str, AfterValidator(require_known), Field(json_schema_extra={"pattern": KNOWN})]
_Text = Annotated[str, Field(min_length=1)]
_Label: TypeAlias = str | int | bool
_File = Annotated[_Text, AfterValidator(_inside)]
_Names = Annotated[list[_Text], AfterValidator(_each_once), Field(json_schema_extra={"uniqueItems": True})]
_RowValue = Annotated[str, BeforeValidator(_row_value, json_schema_input_type=str | float | bool)]
_ColumnName = Annotated[_Text, BeforeValidator(_column_name, json_schema_input_type=_Text | int)]
_Columns: TypeAlias = Annotated[
    dict[_KnownName, _ColumnName],
    Field(description=READING["columns"].meaning, json_schema_extra={"additionalProperties": False}),
]
_Rows: TypeAlias = Annotated[dict[_Text, _RowValue], Field(description=READING["rows"].meaning)]
_Rope: TypeAlias = Annotated[Any, PlainValidator(_difference_of_scores, json_schema_input_type=_Share | _Pair | _Wide)]
_Prevalence: TypeAlias = Annotated[
    Any, PlainValidator(ARGUMENTS["prevalence"].check, json_schema_input_type=str | _ClassShares)
]
_Human: TypeAlias = Annotated[_File, AfterValidator(_beside)] | None
_TYPES: Mapping[str, Any] = {"rope": _Rope, "human": _Human, "prevalence": _Prevalence}
"""Of arguments that are more than a text or a number."""
_NOTES = {
    "rope": " Required. Two ends are [low, high]; a wide one is [0.3, wide].",
    "prevalence": " A mapping of classes, {fraud: 0.01}, serves too.",
}


def _description(argument: Argument) -> str:
    return argument.sentence + _NOTES.get(argument.name, "")


class _Strict(BaseModel):
    """A part of the file; what validates it is built once, as part of the file's."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class SideDeclaration(_Strict):
    """A file, and what is said of it alone."""

    model_config = ConfigDict(title="Side")

    file: _File = Field(description="Its name, found relative to the gate file.")
    columns: _Columns = {}
    rows: _Rows = {}


def _as_mapping(value: Any) -> Any:
    if isinstance(value, Mapping):
        return value
    if isinstance(value, str):
        return {"file": value}
    keys = ", ".join(SideDeclaration.model_fields)
    raise InputError("", f"the name of a file, or a mapping with {keys}", _brief(value))


_Side: TypeAlias = Annotated[
    SideDeclaration, BeforeValidator(_as_mapping, json_schema_input_type=_Text | SideDeclaration)
]


def _declared(*arguments: Argument) -> Any:
    """Make a model of arguments, as the table declares them."""
    fields: dict[str, Any] = {}
    for argument in arguments:
        read: Any = argument.read
        kind = read | None if argument.optional else read
        schema: Any = {"enum": list(argument.choices)} if argument.choices else dict(argument.limits)
        fields[argument.name] = (
            _TYPES.get(argument.name, Annotated[kind, AfterValidator(argument.check)]),
            Field(default=argument.default, description=_description(argument), json_schema_extra=schema),
        )
    return create_model("_Arguments", __base__=_Strict, **fields)


_OF_ONE_SIDE = tuple(each for each in offered(Offered.GATE) if each.offered & Offered.FLOOR)
_COMPARED = {each.name for each in offered(Offered.GATE)}
_OF_TWO_SIDES = tuple(each for each in offered(Offered.GATE | Offered.ANCHORED) if each not in _OF_ONE_SIDE)


class _AnyGate(_declared(*_OF_ONE_SIDE), _Strict):  # type: ignore[misc] # pydantic makes the first base
    """What every gate may say."""

    fail_on: FailOn = Field(default=FAIL_ON_DEFAULT, description=FAIL_ON_HELP)
    per_class: bool = Field(default=False, description="Also compare each class; none may be significantly worse.")

    @property
    def arguments(self) -> dict[str, Any]:
        """Return those of the comparison."""
        return {name: getattr(self, name) for name in type(self).model_fields if name in _COMPARED}


class _OfFiles(_AnyGate):
    """What a gate on files of predictions may say."""

    kind: Annotated[Kind, ByValue()] | None = _reading("kind")
    labels: Annotated[list[_Label], Field(min_length=2)] | None = _reading("labels")
    invalid: Invalid = Field(default=INVALID_DEFAULT, description=READING["invalid"].meaning)
    answer: Annotated[_Text, AfterValidator(_regular_expression)] | None = _reading("answer")
    better: Annotated[Better, ByValue()] | None = _reading("better")
    clusters: _Text | None = _reading("clusters")
    runs: Annotated[Runs, ByValue()] | None = _reading("runs")
    columns: _Columns = {}
    rows: _Rows = {}
    gold: _Side | None = _reading("gold")
    slices: _Names = Field(
        default=[], description="Columns. Also compare each of their values; none may be significantly worse."
    )

    def reading(self, side: SideDeclaration, folder: Path, show: Iterable[str] = ()) -> Schema:
        """Return how the file of a side is read."""
        of_gold: dict[str, Any] = {}
        if self.gold is not None:
            of_gold = {
                "gold": str(folder / self.gold.file),
                "gold_columns": tuple(self.gold.columns.items()),
                "gold_rows": tuple(self.gold.rows.items()),
            }
        schema = Schema(
            invalid=self.invalid,
            clusters=self.clusters or "",
            runs=self.runs,
            show=tuple(show),
            answer=self.answer or "",
            kind=self.kind,
            labels=None if self.labels is None else tuple(self.labels),
            better=self.better,
            **of_gold,
        )
        return schema.of_side(self.columns, self.rows).of_side(side.columns, side.rows)


class _OfTwoSides(_AnyGate):
    """What a gate that compares two classifiers may say."""

    looks: Annotated[int, Field(ge=2, le=MOST_LOOKS)] | None = _open(
        "How often you judge the test set while it grows to planned_examples. Early looks need more evidence, so that "
        "all together fail falsely no more often than one."
    )
    planned_examples: Annotated[int, Field(ge=1)] | None = _open("How many examples it will have at the last look.")

    def demand(self, family: Family | None, **parts: Any) -> Demand:
        """Return what it demands."""
        looks = None if self.looks is None else LookSchedule(self.looks, self.planned_examples or 0)
        parts |= {"per_class": self.per_class, "looks": looks, "family": family}
        return Demand.unless(self.fail_on, self.arguments, **parts)

    def problems(self, family: Family | None) -> Iterator[str]:
        """Yield what does not go together."""
        if (self.looks is None) != (self.planned_examples is None):
            lacking = "planned_examples" if self.planned_examples is None else "looks"
            yield f"looks and planned_examples go together. Add {lacking}."
        if family is not None and self.looks is not None:
            yield f"Gates of the family {family.name} look once. Leave looks and planned_examples out."
        if family is not None and self.fail_on != FAIL_ON_DEFAULT:
            need = f'Gates of the family {family.name} need fail_on "{FAIL_ON_DEFAULT}", not "{self.fail_on}"'
            yield f"{need}: of no other can a family limit the chance of a false failure."


class Settings(_declared(*_OF_TWO_SIDES), _OfFiles, _OfTwoSides):  # type: ignore[misc] # pydantic makes the first base
    """What ``defaults`` may say for all gates of a file: each takes what its kind has."""

    show: _Names = Field(default=[], description=READING["show"].meaning)
    other_ruler: bool = Field(default=False, description=OTHER_RULER)
    max_gap: _Positive | None = _open(
        "Of every column of slices: how far the candidate's scores of the best and the worst slice may be apart; "
        "significantly more fails."
    )


class PairDeclaration(Settings):
    """A gate that compares two files."""

    model_config = ConfigDict(json_schema_extra={"required": ["baseline", "candidate"]})  # defaults may have the rope

    rope: _Rope = Field(description=_description(ARGUMENTS["rope"]))
    baseline: _Side = Field(description=f"File that the candidate must not fall behind. {_FILES}")
    anchor: _Side | None = _open(
        "File from which total loss counts, as baseline: the candidate may not fall behind it by significantly more "
        "than budget."
    )
    candidate: _Side = Field(description=_CANDIDATE)

    def problems(self, family: Family | None) -> Iterator[str]:
        """Yield what does not go together."""
        one, other = (
            (os.path.normpath(each.file), each.columns, each.rows) for each in (self.baseline, self.candidate)
        )
        if one == other:
            yield "Both sides are one file. Name another, or columns or rows that tell them apart."
        if self.human is not None and self.anchor is not None:
            yield "People grade no answers of the anchor. Leave human or anchor out."
        if self.max_gap is not None and not self.slices:
            yield "max_gap is about slices, and there are none. Add slices."
        yield from super().problems(family)

    def source(self, declared: Declared) -> FilePair:
        """Return what it judges."""
        folder = declared.file.parent
        named = {"baseline": self.baseline, "anchor": self.anchor, "candidate": self.candidate}
        sides = {name: side for name, side in named.items() if side is not None}
        readings = {name: self.reading(side, folder, self.show) for name, side in sides.items()}
        files: Any = {name: folder / side.file for name, side in sides.items()}
        return FilePair(declared=declared, readings=readings, other_ruler=self.other_ruler, is_stored=True, **files)

    def demand(self, family: Family | None, **parts: Any) -> Demand:
        """Return what it demands."""
        return super().demand(family, slices=tuple(self.slices), budget=self.budget, max_gap=self.max_gap, **parts)


class FloorDeclaration(_OfFiles):
    """A gate on the score of one classifier."""

    candidate: _Side = Field(description=f"{_CANDIDATE} A pattern, runs/*.json, names runs on the same examples.")
    floor: Annotated[float, Field(allow_inf_nan=False)] = Field(
        description="The score that candidate must reach: the gate fails when the whole HDI lies below it."
    )
    run_sd: _Positive | None = _open(
        "Of a floor on examples that are always the same: the standard deviation of the score from run to run. bayesf1 "
        "floor finds it."
    )

    def problems(self, family: Family | None) -> Iterator[str]:
        """Yield what does not go together."""
        if self.run_sd is not None and (self.per_class or self.slices):
            yield "run_sd is about all the data. Leave per_class and slices out."
        if family is not None:
            problem = f"Gates of the family {family.name} compare two files, and this one has a floor"
            yield f"{problem}. Take it out of the family."

    def source(self, declared: Declared) -> RunFiles:
        """Return what it judges."""
        folder = declared.file.parent
        readings = {"candidate": self.reading(self.candidate, folder)}
        return RunFiles(declared=declared, readings=readings, runs=(folder / self.candidate.file,))

    def demand(self, family: Family | None) -> Demand:
        """Return what it demands."""
        parts: Any = {"per_class": self.per_class, "slices": tuple(self.slices), "family": family}
        return Demand.at_least(self.floor, self.run_sd, self.fail_on, self.arguments, **parts)


class PoolDeclaration(_OfTwoSides):
    """A gate on a pool of which few examples are labelled."""

    model_config = ConfigDict(json_schema_extra={"required": ["pool"]})  # defaults may have the rope

    rope: _Rope = Field(description=_description(ARGUMENTS["rope"]))
    pool: _File = Field(description="Its file *.labelling.json, which bayesf1 label start writes.")
    labels: _File | None = _open("Other labels than those in *.labels.csv: a file with the same columns.")

    def source(self, declared: Declared) -> PoolFiles:
        """Return what it judges."""
        folder = declared.file.parent
        labels = None if self.labels is None else folder / self.labels
        return PoolFiles(declared=declared, pool=folder / self.pool, labels=labels)


_KINDS: Mapping[str, type[_AnyGate]] = {
    "pool": PoolDeclaration,
    "floor": FloorDeclaration,
    "two files": PairDeclaration,
}
"""By the key that a gate of the kind has, or else by what it compares."""


def _kind_of(gate: Any) -> str:
    return next((kind for kind in ("pool", "floor") if isinstance(gate, Mapping) and kind in gate), "two files")


_AnyDeclaration = Annotated[
    Annotated[PoolDeclaration, Tag("pool")]
    | Annotated[FloorDeclaration, Tag("floor")]
    | Annotated[PairDeclaration, Tag("two files")],
    Discriminator(_kind_of),
]


# what pytest prints as it is holds nothing that hides, or turns the line around
_NAME = r"[^\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb:]+"
GateName = Annotated[str, Field(pattern=f"^{_NAME}(:{_NAME})*$", min_length=1, max_length=200)]


class FamilyDeclaration(_Strict):
    """Gates among which the chance of any false failure stays below a level."""

    gates: Annotated[_Names, Field(min_length=1)] = Field(
        description="Names of gates of this file, or patterns such as mail-*. One gate is a family of all "
        "that can fail it. Families of one name in several gate files of a repository are one."
    )
    level: float = Field(
        default=FAMILY_LEVEL, gt=0, le=0.5, description="The chance of any false failure in the family stays below it."
    )


class GateFile(_Strict):
    """The content of a gate file."""

    model_config = ConfigDict(title="Gates of pytest-bayesf1")

    defaults: Settings = Field(
        default_factory=Settings,
        description="Settings of all gates of which the kind has them, and that do not say otherwise.",
    )
    gates: dict[GateName, _AnyDeclaration] = Field(
        min_length=1, json_schema_extra={"additionalProperties": False}, description="The gates by name."
    )
    families: dict[Annotated[str, Field(min_length=1, max_length=200)], FamilyDeclaration] = Field(
        default={}, description="Families of gates by name; a gate is in one at most."
    )


class _Schema(GenerateJsonSchema):
    """What may be left out is described by the values that it may have."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """Describe the value."""
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Describe the default where there is one."""
        described = super().default_schema(schema)
        return {name: value for name, value in described.items() if (name, value) != ("default", None)}


def gate_file_schema() -> dict[str, Any]:
    """Describe gate files for editors: JSON Schema, draft 2020-12."""
    described = GateFile.model_json_schema(schema_generator=_Schema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **described}


_Place: TypeAlias = tuple[int | str, ...]
"""Of a value in a gate file: the keys and positions that lead to it."""


def families_by_gate(
    declared: Mapping[str, FamilyDeclaration], gates: Mapping[str, object], elsewhere: Mapping[str, "GateFile"]
) -> dict[str, Family]:
    """Find the family of every gate that has one; gates of ``elsewhere`` are in the family of the same name."""
    found: dict[str, Family] = {}
    for name, family in declared.items():
        members = _members(family, gates)
        others = [_members(file.families[name], file.gates) for file in elsewhere.values() if name in file.families]
        found |= dict.fromkeys(members, Family(name, family.level, len(members) + sum(map(len, others))))
    return found


def problems_of_families(
    declared: Mapping[str, FamilyDeclaration], gates: Mapping[str, object], elsewhere: Mapping[str, "GateFile"]
) -> Iterator[tuple[_Place, str]]:
    """Yield what is wrong with the families of a file."""
    family_of: dict[str, str] = {}
    for name, family in declared.items():
        for path, file in elsewhere.items():
            if name in file.families and file.families[name].level != family.level:
                text = f"{family.level:g} here, {file.families[name].level:g} in {path}. A family has one level."
                yield ("families", name, "level"), text
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

    @property
    def reviewed(self) -> list[Path]:
        """The files that a candidate is judged by: none of them is the candidate's own."""
        human = self.demand.arguments.get("human")
        return [*self.source.reviewed, *([] if human is None else [Path(human)])]


def has_baseline(gate: Gate[Any]) -> TypeGuard[Gate[FilePair]]:
    """Whether it compares two files, of which one is the baseline."""
    return isinstance(gate.source, FilePair)


_MISSING = {
    "rope": f"expected {ARGUMENTS['rope'].required}, such as 0.01, got nothing. Set it here or in defaults.",
    "baseline": "There is no baseline. Name one; or set floor, the score that the candidate must reach.",
    "candidate": "There is no candidate. Name its file.",
}
_OWN_WORDS = {
    "string_pattern_mismatch": "a name without '::' and control characters, and without ':' at its ends",
    "string_too_long": "at most 200 characters",
    "string_too_short": "some text",
    "too_short": "at least one",
}
_LONGEST = 80


def load_gates(path: Path, root: Path, content: Path | None = None) -> tuple[Gate[Files], ...]:
    """Read the gates of a file."""
    where = os.path.relpath(path, root)
    document = _parsed(content or path, where)
    declared = _content(document, where, path.parent, root)
    elsewhere = _elsewhere(path, root) if declared.families else {}
    if problems := _problems(document, where, _contradictions(declared, elsewhere)):
        raise GateFileError(problems)
    family_of = families_by_gate(declared.families, declared.gates, elsewhere)
    gates: list[Gate[Files]] = []
    for name, said in declared.gates.items():
        place = Declared(name=name, file=path, line=document.line_of(("gates", name)))
        gates.append(Gate(**vars(place), source=said.source(place), demand=said.demand(family_of.get(name))))
    return tuple(gates)


def _content(document: YamlDocument, where: str, folder: Path, root: Path) -> GateFile:
    try:
        return GateFile.model_validate(_with_defaults(document.value), context=(folder, root))
    except ValidationError as error:
        raise GateFileError(_problems(document, where, _invalid(error, document.value))) from None


def _problems(document: YamlDocument, where: str, found: Iterable[tuple[_Place, str]]) -> list[str]:
    """Say what is wrong with a file, by lines."""
    problems = [
        (line, _problem(where, line, at, "This key is there twice. Keep one.")) for at, line in document.repeated
    ]
    for at, said in found:
        line = document.line_of(at)
        problems.append((line, _problem(where, line, at, said)))
    return [text for _, text in sorted(problems)]


def _elsewhere(path: Path, root: Path) -> dict[str, GateFile]:
    """Find the other gate files of the repository that declare families, by their paths."""
    found = _files_with_families(_repository(path, root))
    return {os.path.relpath(other, root.resolve()): file for other, file in found.items() if other != path.resolve()}


def _repository(path: Path, root: Path) -> Path:
    """Return the folder of the repository that a file is in; the root folder, where it is in none."""
    return next((each for each in folders_from(path.resolve().parent) if (each / ".git").exists()), root.resolve())


@cache
def _files_with_families(folder: Path) -> dict[Path, GateFile]:
    """Read every gate file of a repository that declares families, once in a process."""
    found: dict[Path, GateFile] = {}
    for path in every_gate_file(folder):
        where = os.path.relpath(path, folder)
        document = _parsed(path, where)
        if isinstance(document.value, dict) and "families" in document.value:
            found[path] = _content(document, where, path.parent, folder)
    return found


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
        raise GateFileError(dict.fromkeys(problems))
    return gates


def _with_defaults(value: Any) -> Any:
    """Let every gate say what it does not say itself, and ``defaults`` say of its kind."""
    defaults, gates = (value.get(key) for key in ("defaults", "gates")) if isinstance(value, dict) else (None, None)
    if not (isinstance(defaults, dict) and isinstance(gates, dict)):
        return value
    return value | {"gates": {name: _of_defaults(gate, defaults) for name, gate in gates.items()}}


def _of_defaults(gate: Any, defaults: Mapping[str, Any]) -> Any:
    if not isinstance(gate, dict):
        return gate
    kind = _kind_of(gate)
    taken = {key: value for key, value in defaults.items() if key in _KINDS[kind].model_fields}
    if kind == "pool":  # whose labels are a file
        taken.pop("labels", None)
    return taken | gate


def _contradictions(declared: GateFile, elsewhere: Mapping[str, GateFile]) -> Iterator[tuple[_Place, str]]:
    yield from problems_of_families(declared.families, declared.gates, elsewhere)
    family_of = families_by_gate(declared.families, declared.gates, elsewhere)
    for name, gate in declared.gates.items():
        for problem in gate.problems(family_of.get(name)):
            yield ("gates", name), problem


def _parsed(path: Path, where: str) -> YamlDocument:
    try:
        document = load_document(path.read_text("utf-8-sig"))
    except YamlError as error:
        problem = f":{error.line}: Not YAML at column {error.column}: {error.problem}."
    except UnicodeDecodeError as error:
        problem = f": Not UTF-8: {error.reason} at byte {error.start}"
    except FileNotFoundError:
        problem = f": {NOT_FOUND[0]}. Check the path, or propose one: bayesf1 init"
    except OSError as error:
        problem = f": {error.strerror or error}"
    else:
        if document.value is not None:
            return document
        problem = ":1: There are no gates. List them under gates."
    raise GateFileError([where + problem])


def _invalid(error: ValidationError, value: Any) -> Iterator[tuple[_Place, str]]:
    """Yield what is wrong with values; with one that gates take from ``defaults`` once."""
    found = error.errors(include_url=False)
    of_defaults = {detail["loc"][1] for detail in found if detail["loc"][0:1] == ("defaults",) and detail["loc"][1:]}
    for detail in found:
        place = detail["loc"][:-1] if _is_about_key(detail) else detail["loc"]
        if place[:1] == ("gates",) and place[2:3] and place[2] in _KINDS:
            place = place[:2] + place[3:]
        taken = place[:1] == ("gates",) and place[2:3] and place[2] in of_defaults
        if not (taken and place[2] not in value["gates"][place[1]]):
            yield place, _explained(detail)


def _is_about_key(detail: ErrorDetails) -> bool:
    """Whether the name of a gate or of a column is at fault; pydantic then adds ``[key]`` to its place."""
    of_text = detail["type"].startswith(("string_", "value_error"))
    return of_text and len(detail["loc"]) > 2 and detail["loc"][-1] == "[key]"


def _explained(detail: ErrorDetails) -> str:
    """Say what was expected and what was found, whether pydantic found the problem or our own rules did."""
    cause = detail.get("ctx", {}).get("error")
    if isinstance(cause, InputError):
        found = _cut(cause.found) if cause.expected else cause.found
        return str(InputError("", cause.expected, found, cause.advice))
    if detail["type"] == "missing":
        return _MISSING.get(str(detail["loc"][-1]), "expected a value, got nothing")
    if detail["type"] == "extra_forbidden":
        return _unknown_key(detail["loc"])
    is_key = _is_about_key(detail) or detail["type"] == "invalid_key"
    advice = ". Put it in quotes" if is_key and not isinstance(detail["input"], str) else ""
    return f"expected {expected(detail, 'a mapping', _OWN_WORDS)}, got {_brief(detail['input'])}{advice}"


_MODELS: Mapping[tuple[str, ...], type[BaseModel]] = {
    (): GateFile,
    ("defaults",): Settings,
    ("families", "*"): FamilyDeclaration,
    **{("gates", "*", kind): model for kind, model in _KINDS.items()},
}
"""By the place of their keys."""


def _unknown_key(loc: _Place) -> str:
    *above, key = loc
    place = tuple("*" if position == 1 else str(step) for position, step in enumerate(above))
    keys = _MODELS.get(place, SideDeclaration).model_fields
    if place in _MODELS and place[:1] == ("gates",) and any(key in each.model_fields for each in _KINDS.values()):
        return f"{key} does not go with {place[2]}. Leave {key} out."
    listed = f"The keys are {', '.join(keys)}."
    return f"There is no such key. {did_you_mean(key, keys) or listed}"


def _brief(value: Any) -> str:
    return _cut("nothing" if value is None else shown(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _problem(where: str, line: int, at: _Place, said: str) -> str:
    place = ".".join(_cut(step if step and step.isprintable() else ascii(step)) for step in map(str, at))
    return f"{where}:{line}: {place}: {said}" if place else f"{where}:{line}: {said}"
