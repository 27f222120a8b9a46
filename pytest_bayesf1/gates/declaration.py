"""What a gate file may say. The JSON Schema for editors comes from here too."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from pytest_bayesf1.comparison import rules
from pytest_bayesf1.comparison.wide_rope import require_difference_of_scores
from pytest_bayesf1.files.content import require_once
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.stats.decision import Rope

_FILES = (
    "Predictions (id, y_true, y_pred) or a confusion matrix, in CSV, JSON, YAML, NPZ or Parquet; "
    "found relative to this file."
)


_HalfWidth = Annotated[float, Field(json_schema_extra={"exclusiveMinimum": 0, "exclusiveMaximum": 1})]
_Pair = Annotated[list[float], Field(min_length=2, max_length=2)]
_Wide = Annotated[list[float | Literal["wide"]], Field(min_length=2, max_length=3)]
_PROBABILITY = {"minimum": 0.5, "exclusiveMaximum": 1}  # for editors; our own rule says more when it is broken


def _checked_rope(value: Any) -> Any:
    require_difference_of_scores(Rope.of(value))
    return value


def _checked_measure(value: str) -> str:
    return parse_name(value).text


def _without_default(schema: dict[str, Any]) -> None:
    del schema["default"]


def _each_once(columns: list[str]) -> list[str]:
    require_once(columns)
    return columns


class Settings(BaseModel):
    """What a gate may say and what ``defaults`` may say for all gates of a file."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    measure: Annotated[str, AfterValidator(_checked_measure)] = Field(
        default="f1_macro", description="What to compare: f1_macro, accuracy, f1[spam], fbeta_macro(2), ..."
    )
    rope: Annotated[_HalfWidth | _Pair | _Wide | SkipJsonSchema[None], BeforeValidator(_checked_rope)] = Field(
        default=None,
        json_schema_extra=_without_default,
        description=(
            "Differences that do not matter: a half-width such as 0.01, or [low, high]. Required. "
            "Above 0.1 write wide behind it: [0.3, wide]."
        ),
    )
    fail_on: Literal["<<", "<", "?"] = Field(
        default="<<",
        description="<<: significantly worse. <: slightly worse too. ?: anything that is not shown to be no worse.",
    )
    hdi_prob: Annotated[float, AfterValidator(lambda value: rules.hdi_probability("hdi_prob", value))] = Field(
        default=0.95,
        json_schema_extra={**_PROBABILITY},
        description="Probability inside the highest-density interval.",
    )
    model: Literal["auto", "paired", "same-set", "independent"] = Field(
        default="auto", description="What the two sides share; auto takes the strongest model that the data allow."
    )
    prior: Literal["auto", "hierarchical", "nested", "uniform", "jeffreys"] = Field(
        default="auto", description="The prior of the cell probabilities."
    )
    engine: Literal["exact", "pymc"] = Field(default="exact", description="How to sample the posterior.")
    seed: int = Field(default=0, ge=0, description="Of the random numbers.")
    per_class: bool = Field(default=False, description="Also one comparison a class; none may be significantly worse.")
    slices: Annotated[list[Annotated[str, Field(min_length=1)]], AfterValidator(_each_once)] = Field(
        default=[],
        json_schema_extra={"uniqueItems": True},
        description="Columns of the predictions. Also one comparison a value of each; none may be significantly worse.",
    )


class Declaration(Settings):
    """One gate."""

    baseline: str = Field(min_length=1, description=f"File that the candidate must not fall behind. {_FILES}")
    candidate: str = Field(min_length=1, description=f"File of the classifier to judge. {_FILES}")


_NAME = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029:]+"
GateName = Annotated[str, Field(pattern=f"^{_NAME}(:{_NAME})*$", max_length=200)]


class GateFile(BaseModel):
    """The content of a gate file."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, title="Gates of pytest-bayesf1")

    defaults: Settings = Field(default_factory=Settings, description="Settings of all gates that do not say otherwise.")
    gates: dict[GateName, Declaration] = Field(
        min_length=1, json_schema_extra={"additionalProperties": False}, description="The gates by name."
    )


def json_schema() -> dict[str, Any]:
    """Describe gate files for editors: JSON Schema, draft 2020-12."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **GateFile.model_json_schema()}
