"""The figures of report.json: what each may be, tight enough for documents that strangers wrote."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, InstanceOf, model_validator
from pydantic_core import PydanticCustomError

LARGEST = 1e15
"""Of any score: far beyond those of measures that people make up, and small enough to write out and to draw."""

Text = Annotated[InstanceOf[str], Field(max_length=100_000)]  # a str may hold half of a surrogate pair
Label = Text | int | bool
Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Size = Annotated[float, Field(ge=0, le=LARGEST)]
Factor = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Height = Annotated[float, Field(ge=0, le=1e100)]
Probability = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Chain = Annotated[list[Number], Field(min_length=1, max_length=1_000)]
Counts = Annotated[list[Count], Field(min_length=2, max_length=2)]
Errors = Annotated[list[Size | None], Field(min_length=2, max_length=2)]


def _ordered(bounds: list[float]) -> list[float]:
    if not bounds[0] <= bounds[1]:
        raise PydanticCustomError("unordered", "[low, high] with low <= high")
    return bounds


def _around_zero(bounds: list[float]) -> list[float]:
    if not (bounds[0] <= 0 <= bounds[1] and bounds[0] < bounds[1]):
        raise PydanticCustomError("without_zero", "[low, high] with 0 between them")
    return bounds


def _with_a_peak(values: list[float]) -> list[float]:
    if not any(values):
        raise PydanticCustomError("flat", "a density that is not 0 everywhere")
    return values


Interval = Annotated[list[Number], Field(min_length=2, max_length=2), AfterValidator(_ordered)]
Rope = Annotated[list[Number], Field(min_length=2, max_length=2), AfterValidator(_around_zero)]


class Model(BaseModel):
    """Read strictly, and with nothing in it that is not declared."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, protected_namespaces=())


class Density(Model):
    """A curve at evenly spaced points."""

    low: Number
    high: Number
    values: Annotated[list[Height], Field(min_length=2, max_length=1_001), AfterValidator(_with_a_peak)]

    @model_validator(mode="after")
    def _low_is_below_high(self) -> Self:
        if not self.low < self.high:
            raise PydanticCustomError("unordered", "low < high")
        return self


class Convergence(Model):
    """How far the draws can be trusted."""

    ess: Size
    n_chains: Annotated[int, Field(ge=1)]
    r_hat: Size | None
    divergences: Count


class Score(Model):
    """The posterior of one side's score."""

    observed: Number
    mean: Number
    std: Size
    hdi: Interval
    density: Density | None


class ClassChange(Model):
    """A class's observed F1 on either side."""

    label: Label
    baseline: Number
    candidate: Number


class NeverTrue(Model):
    """A class without examples, and how often each side predicts it."""

    label: Label
    predicted: Annotated[list[Count], Field(min_length=1, max_length=2)]


class Move(Model):
    """A kind of error, and on how many examples either side makes it."""

    true: Label
    predicted: Label
    baseline: Count
    candidate: Count


class Agreement(Model):
    """How many examples each side gets right."""

    both_right: Count
    only_baseline: Count
    only_candidate: Count
    both_wrong: Count


class ClassDifference(Model):
    """A class's observed F1 on either side, and the posterior of the difference."""

    label: Label
    n_samples: Counts
    baseline: Number
    candidate: Number
    mean: Number
    hdi: Interval


class Breakdown(Model):
    """What is behind a comparison."""

    classes: Annotated[list[ClassDifference], Field(max_length=200, description="The worst first.")]
    cells: Annotated[
        list[Annotated[list[Count], Field(min_length=4, max_length=4)]],
        Field(
            max_length=4_000,
            description="Cells that changed: true and predicted class, as positions among the classes; counts.",
        ),
    ]
    closest: Interval | None = Field(description="HDI of delta if the two sides agreed as often as they could.")

    @model_validator(mode="after")
    def _cells_are_of_the_classes(self) -> Self:
        if any(max(cell[:2]) >= len(self.classes) for cell in self.cells):
            raise PydanticCustomError("elsewhere", "cells of the classes that are listed")
        return self


class Significance(Model):
    """A test of Yang & Liu (1999)."""

    name: Literal["s-test", "S-test", "T-test", "T'-test", "p-test"]
    of: Literal["", "accuracy", "recall", "precision", "micro-recall", "micro-precision"] = Field(
        description="The proportion that a p-test compares: recall and precision are those of the measure's class."
    )
    statistic: Number
    p_value: Probability
    n: Count
    symbol: Literal["<<", "<", "~", ">", ">>"]


class PairedOutcomes(Model):
    """Of pi_1, that only the candidate is right, and pi_2, only the baseline (Goutte & Gaussier 2005, section 3)."""

    p_first_better: Probability = Field(description="P(pi_1 > pi_2).")
    mean_difference: Number = Field(description="Expectation of Delta = pi_1 - pi_2.")
    mean_log_odds: Number = Field(description="Expectation of rho = ln(pi_1 / pi_2).")
