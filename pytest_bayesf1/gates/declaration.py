"""What a gate file may say. The JSON Schema for editors comes from here too."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
)
from pydantic.json_schema import SkipJsonSchema

from pytest_bayesf1._util import require_once, shown
from pytest_bayesf1.comparison.arguments import ARGUMENTS, Offered, offered
from pytest_bayesf1.comparison.result import require_difference_of_scores
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.tables import KNOWN, require_known, value_text
from pytest_bayesf1.results.schema import ByValue
from pytest_bayesf1.settings import (
    CLUSTERS_HELP,
    COLUMNS_HELP,
    FAIL_ON_DEFAULT,
    FAIL_ON_HELP,
    INVALID_DEFAULT,
    INVALID_HELP,
    ROWS_HELP,
    RUNS_HELP,
    SHOW_HELP,
    FailOn,
    Invalid,
    Runs,
)

_FILES = (
    "Predictions (id, y_true, y_pred) or a confusion matrix, in CSV, TSV, JSON, JSONL, YAML, NPZ or Parquet; spans, in "
    "CoNLL columns, JSONL, JSON or YAML; or a log of inspect_ai, lm-evaluation-harness or promptfoo; found relative to "
    "this file. A mapping says what this file alone calls its columns, or which of its rows are read."
)


_HalfWidth = Annotated[float, Field(json_schema_extra={"exclusiveMinimum": 0, "exclusiveMaximum": 1})]
_Pair = Annotated[list[float], Field(min_length=2, max_length=2)]
_Share = Annotated[float, Field(json_schema_extra={"minimum": 0, "maximum": 1})]
_Shares = tuple[_Share, _Share]
_Wide = Annotated[list[float | Literal["wide"]], Field(min_length=2, max_length=3)]


def _argument(name: str, note: str = "", **schema: Any) -> Any:
    """Take default and description of an argument from the table.

    Parameters
    ----------
    note
        What to say of it besides.
    **schema
        What editors are told of its values beside its choices; the table's own check says more when it is broken.
    """
    argument = ARGUMENTS[name]
    if argument.choices:
        schema["enum"] = list(argument.choices)

    def tell(written: dict[str, Any]) -> None:
        written |= schema
        if argument.default is None:
            _without_default(written)

    return Field(default=argument.default, description=f"{argument.sentence} {note}".strip(), json_schema_extra=tell)


def _without_default(schema: dict[str, Any]) -> None:
    del schema["default"]


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


_KnownName = Annotated[str, AfterValidator(require_known), Field(json_schema_extra={"pattern": KNOWN})]
_Text = Annotated[str, Field(min_length=1)]
_RowValue = Annotated[str, BeforeValidator(_row_value, json_schema_input_type=str | float | bool)]
_Columns: TypeAlias = Annotated[
    dict[_KnownName, _Text], Field(description=COLUMNS_HELP, json_schema_extra={"additionalProperties": False})
]
_Rows: TypeAlias = Annotated[dict[_Text, _RowValue], Field(description=ROWS_HELP)]


class Settings(BaseModel):
    """What a gate may say and what ``defaults`` may say for all gates of a file."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    measure: str = _argument("measure")
    rope: Annotated[_HalfWidth | _Pair | _Wide | SkipJsonSchema[None], BeforeValidator(_difference_of_scores)] = (
        _argument("rope", "Required. Two ends are [low, high]; a wide one is [0.3, wide].")
    )
    budget: float | SkipJsonSchema[None] = _argument("budget", exclusiveMinimum=0)
    fail_on: FailOn = Field(default=FAIL_ON_DEFAULT, description=FAIL_ON_HELP)
    hdi_prob: float = _argument("hdi_prob", minimum=0.5, exclusiveMaximum=1)
    model: str = _argument("model")
    agreement: Annotated[_Share | _Shares | SkipJsonSchema[None], BeforeValidator(ARGUMENTS["agreement"].check)] = (
        _argument("agreement")
    )
    prior: str = _argument("prior")
    engine: str = _argument("engine")
    seed: int = _argument("seed", minimum=0)
    invalid: Invalid = Field(default=INVALID_DEFAULT, description=INVALID_HELP)
    clusters: Annotated[str, Field(min_length=1)] | SkipJsonSchema[None] = Field(
        default=None, description=CLUSTERS_HELP, json_schema_extra=_without_default
    )
    runs: Annotated[Runs, ByValue()] | SkipJsonSchema[None] = Field(
        default=None, description=RUNS_HELP, json_schema_extra=_without_default
    )
    show: Annotated[list[Annotated[str, Field(min_length=1)]], AfterValidator(_each_once)] = Field(
        default=[], json_schema_extra={"uniqueItems": True}, description=SHOW_HELP.replace("Column", "Columns", 1)
    )
    columns: _Columns = {}
    rows: _Rows = {}
    per_class: bool = Field(
        default=False, description="Also one comparison per class; none may be significantly worse."
    )
    slices: Annotated[list[Annotated[str, Field(min_length=1)]], AfterValidator(_each_once)] = Field(
        default=[],
        json_schema_extra={"uniqueItems": True},
        description=(
            "Columns of the predictions. Also one comparison per value of each; none may be significantly worse."
        ),
    )
    max_gap: Annotated[float, Field(gt=0, allow_inf_nan=False)] | SkipJsonSchema[None] = Field(
        default=None,
        description="Of every column of slices: how far the candidate's scores of the best and the worst slice may be "
        "apart; significantly more fails.",
        json_schema_extra=_without_default,
    )

    @field_validator(*(each.name for each in offered(Offered.GATE | Offered.ANCHORED) if not each.required))
    @classmethod
    def _checked(cls, value: Any, info: ValidationInfo) -> Any:
        assert info.field_name is not None
        return ARGUMENTS[info.field_name].check(value)


class SideDeclaration(BaseModel):
    """A file, and what is said of it alone."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, title="Side")

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
_Side = Annotated[SideDeclaration, _READ_SIDE]


class Declaration(Settings):
    """A gate: two files, and how they are compared."""

    baseline: _Side = Field(description=f"File that the candidate must not fall behind. {_FILES}")
    anchor: Annotated[SideDeclaration | None, _READ_SIDE] = Field(
        default=None,
        description="File from which total loss is counted, as baseline: the candidate may not fall behind it by "
        "significantly more than budget.",
        json_schema_extra=_without_default,
    )
    candidate: _Side = Field(description=f"File of the classifier to judge. {_FILES}")


_NAME = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029:]+"
GateName = Annotated[str, Field(pattern=f"^{_NAME}(:{_NAME})*$", max_length=200)]


class FamilyDeclaration(BaseModel):
    """Gates among which the chance of any false failure stays below a level."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    gates: Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1), AfterValidator(_each_once)] = (
        Field(
            json_schema_extra={"uniqueItems": True},
            description="Names of gates of this file, or patterns such as mail-*. One gate is a family of all "
            "that can fail it.",
        )
    )
    level: float = Field(
        default=0.05, gt=0, le=0.5, description="The chance of any false failure in the family stays below it."
    )


class GateFile(BaseModel):
    """The content of a gate file."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, title="Gates of pytest-bayesf1")

    defaults: Settings = Field(default_factory=Settings, description="Settings of all gates that do not say otherwise.")
    gates: dict[GateName, Declaration] = Field(
        min_length=1, json_schema_extra={"additionalProperties": False}, description="The gates by name."
    )
    families: dict[Annotated[str, Field(min_length=1, max_length=200)], FamilyDeclaration] = Field(
        default={}, description="Families of gates by name; a gate is in one at most."
    )


def json_schema() -> dict[str, Any]:
    """Describe gate files for editors: JSON Schema, draft 2020-12."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **GateFile.model_json_schema()}
