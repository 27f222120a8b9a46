"""What report.json may say, tight enough for documents that strangers wrote. Its JSON Schema comes from here."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, InstanceOf, model_validator
from pydantic_core import PydanticCustomError

_LARGEST = 1e15
"""Of any score: far beyond those of measures that people make up, and small enough to write out and to draw."""

_Text = Annotated[InstanceOf[str], Field(max_length=100_000)]  # a str may hold half of a surrogate pair
_Label = _Text | int | bool
_Number = Annotated[float, Field(ge=-_LARGEST, le=_LARGEST)]
_Size = Annotated[float, Field(ge=0, le=_LARGEST)]
_Factor = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Height = Annotated[float, Field(ge=0, le=1e100)]
_Probability = Annotated[float, Field(ge=0, le=1)]
_Count = Annotated[int, Field(ge=0)]
_Chain = Annotated[list[_Number], Field(min_length=1, max_length=1_000)]
_Counts = Annotated[list[_Count], Field(min_length=2, max_length=2)]
_Errors = Annotated[list[_Size | None], Field(min_length=2, max_length=2)]


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


_Interval = Annotated[list[_Number], Field(min_length=2, max_length=2), AfterValidator(_ordered)]
_Rope = Annotated[list[_Number], Field(min_length=2, max_length=2), AfterValidator(_around_zero)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, protected_namespaces=())


class Density(_Model):
    """A curve at evenly spaced points."""

    low: _Number
    high: _Number
    values: Annotated[list[_Height], Field(min_length=2, max_length=1_001), AfterValidator(_with_a_peak)]

    @model_validator(mode="after")
    def _low_is_below_high(self) -> Self:
        if not self.low < self.high:
            raise PydanticCustomError("unordered", "low < high")
        return self


class Convergence(_Model):
    """How far the draws can be trusted."""

    ess: _Size
    n_chains: Annotated[int, Field(ge=1)]
    r_hat: _Size | None
    divergences: _Count


class Score(_Model):
    """The posterior of one side's score."""

    observed: _Number
    mean: _Number
    std: _Size
    hdi: _Interval
    density: Density | None


class ClassChange(_Model):
    """A class's observed F1 on either side."""

    label: _Label
    baseline: _Number
    candidate: _Number


class NeverTrue(_Model):
    """A class without examples, and how often each side predicts it."""

    label: _Label
    predicted: Annotated[list[_Count], Field(min_length=1, max_length=2)]


class Move(_Model):
    """A kind of error, and on how many examples either side makes it."""

    true: _Label
    predicted: _Label
    baseline: _Count
    candidate: _Count


class Agreement(_Model):
    """How many examples each side gets right."""

    both_right: _Count
    only_baseline: _Count
    only_candidate: _Count
    both_wrong: _Count


class ClassDifference(_Model):
    """A class's observed F1 on either side, and the posterior of the difference."""

    label: _Label
    n_samples: _Counts
    baseline: _Number
    candidate: _Number
    mean: _Number
    hdi: _Interval


class Breakdown(_Model):
    """What is behind a comparison."""

    classes: Annotated[list[ClassDifference], Field(max_length=200, description="The worst first.")]
    cells: Annotated[
        list[Annotated[list[_Count], Field(min_length=4, max_length=4)]],
        Field(
            max_length=4_000,
            description="Cells that changed: true and predicted class, as positions among the classes; counts.",
        ),
    ]
    closest: _Interval | None = Field(description="HDI of delta if the two sides agreed as often as they could.")

    @model_validator(mode="after")
    def _cells_are_of_the_classes(self) -> Self:
        if any(max(cell[:2]) >= len(self.classes) for cell in self.cells):
            raise PydanticCustomError("elsewhere", "cells of the classes that are listed")
        return self


class Significance(_Model):
    """A test of Yang & Liu (1999)."""

    name: Literal["s-test", "S-test", "T-test", "T'-test", "p-test"]
    of: Literal["", "accuracy", "recall", "precision", "micro-recall", "micro-precision"] = Field(
        description="The proportion that a p-test compares: recall and precision are those of the measure's class."
    )
    statistic: _Number
    p_value: _Probability
    n: _Count
    symbol: Literal["<<", "<", "~", ">", ">>"]


class PairedOutcomes(_Model):
    """Of pi_1, that only the candidate is right, and pi_2, only the baseline (Goutte & Gaussier 2005, section 3)."""

    p_first_better: _Probability = Field(description="P(pi_1 > pi_2).")
    mean_difference: _Number = Field(description="Expectation of Delta = pi_1 - pi_2.")
    mean_log_odds: _Number = Field(description="Expectation of rho = ln(pi_1 / pi_2).")


class Entry(_Model):
    """What every entry says."""

    test: _Text
    file: _Text
    line: _Count
    gate: _Text
    part: _Text
    advice: _Text
    headline: _Text


class Error(Entry):
    """What kept a test or a gate from an answer."""

    kind: Literal["error"]
    verdict: Literal["error"]


class Result(Entry):
    """What comparisons and estimates have in common."""

    verdict: Literal["failed", "warned", "undecided", "passed", ""]
    policy: Literal["not_worse", "not_even_slightly_worse", "not_inferior", "better", "equivalent", "at_least", ""] = (
        Field(description="What was demanded; empty when nothing was judged, or an older version did not write it.")
    )
    notes: Annotated[list[_Text], Field(max_length=100_000)]
    measure: _Text
    measure_words: _Text
    hdi_prob: _Probability
    mcse_hdi: _Errors
    settled: bool
    prior: _Text
    engine: _Text
    seed: _Count
    n_draws: Annotated[int, Field(ge=1)]
    n_classes: _Count
    never_true: Annotated[list[NeverTrue], Field(max_length=1_000_000)]
    convergence: Convergence
    density: Density
    trace: Annotated[list[_Chain], Field(min_length=1, max_length=100)] | None


class Estimate(Result):
    """One classifier's score beside a floor."""

    kind: Literal["estimate"]
    floor: _Number
    p_below_floor: _Probability
    below_floor: bool
    above_floor: bool
    n_samples: _Count
    score: Score


class Comparison(Result):
    """The posterior of delta = candidate - baseline."""

    kind: Literal["comparison"]
    decision: Literal["≪", "<", "≈", ">", "≫", "?"]
    decision_words: _Text
    custom_measure: bool
    rope: _Rope
    mean: _Number
    std: _Size
    mcse: _Size
    hdi: _Interval
    p_worse: _Probability
    p_better: _Probability
    p_below_rope: _Probability
    p_in_rope: _Probability
    p_above_rope: _Probability
    bayes_factor: _Factor | None
    bayes_factor_mcse: _Factor | None
    bayes_factor_sd: _Factor | None
    bayes_factor_sd_mcse: _Factor | None
    examples_needed: _Count | None
    can_fail: bool = Field(description="Whether some candidate could be found significantly worse.")
    model: Literal["paired", "same-set", "independent"]
    model_reason: _Text
    n_samples: _Counts
    largest_drops: Annotated[list[ClassChange], Field(max_length=3)]
    largest_moves: Annotated[list[Move], Field(max_length=5)]
    agreement: Agreement | None
    prior_density: Density | None
    breakdown: Breakdown | None
    companions: Annotated[list[Significance], Field(max_length=7)]
    paired_outcomes: PairedOutcomes | None
    baseline: Score
    candidate: Score


class Verdicts(_Model):
    """How many entries came to each verdict."""

    total: _Count
    failed: _Count
    error: _Count
    warned: _Count
    undecided: _Count
    passed: _Count


class Finding(_Model):
    """How a gate differs from the one that the manifest of gates lists."""

    gate: _Text = Field(description="The test that makes it, and which of its gates where it makes several.")
    kind: Literal["missing", "looser", "other", "stricter", "unlisted"] = Field(
        description="The first three loosen: other asks something else, which is neither stricter nor looser."
    )
    about: _Text = Field(description="The setting that differs; empty when the gate as a whole does.")
    told: _Text


class Document(_Model):
    """The content of report.json."""

    model_config = ConfigDict(title="Report of pytest-bayesf1")

    format: Literal["pytest-bayesf1 report"]
    version: Literal[3]
    versions: Annotated[
        dict[Annotated[InstanceOf[str], Field(max_length=100)], Annotated[InstanceOf[str], Field(max_length=100)]],
        Field(max_length=100, description="Of Python and of the packages that computed the figures."),
    ]
    verdict: Literal["failed", "error", "none", "loosened", "warned", "undecided", "passed"] = Field(
        description="Of the whole run, the gravest that applies. none: no gate judged. loosened: see findings."
    )
    complete: bool = Field(description="Whether everything that was to run finished.")
    missing: Annotated[list[_Text], Field(max_length=100_000, description="What did not finish.")]
    changed: Annotated[
        list[_Text],
        Field(max_length=100_000, description="Baselines and gate files that differ from those of the base commit."),
    ]
    findings: Annotated[
        list[Finding],
        Field(max_length=100_000, description="Against the manifest of gates; what loosens a gate first."),
    ]
    counts: Verdicts
    entries: Annotated[
        list[Annotated[Comparison | Estimate | Error, Field(discriminator="kind")]],
        Field(description="The worst first. Where a number is infinite or unknown, there is null."),
    ]


def json_schema() -> dict[str, Any]:
    """Describe report.json: JSON Schema, draft 2020-12."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema()}
