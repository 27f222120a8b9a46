"""What report.json may say. Its JSON Schema comes from here."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, InstanceOf

from pytest_bayesf1.reports.document_figures import (
    Agreement,
    Breakdown,
    Chain,
    ClassChange,
    Convergence,
    Count,
    Counts,
    Density,
    Errors,
    Factor,
    Interval,
    Model,
    Move,
    NeverTrue,
    Number,
    PairedOutcomes,
    Probability,
    Rope,
    Score,
    Significance,
    Size,
    Text,
)


class Entry(Model):
    """What every entry says."""

    test: Text
    file: Text
    line: Count
    gate: Text
    part: Text
    advice: Text
    headline: Text


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
    notes: Annotated[list[Text], Field(max_length=100_000)]
    measure: Text
    measure_words: Text
    hdi_prob: Probability
    mcse_hdi: Errors
    settled: bool
    prior: Text
    engine: Text
    seed: Count
    n_draws: Annotated[int, Field(ge=1)]
    n_classes: Count
    never_true: Annotated[list[NeverTrue], Field(max_length=1_000_000)]
    convergence: Convergence
    density: Density
    trace: Annotated[list[Chain], Field(min_length=1, max_length=100)] | None


class Estimate(Result):
    """One classifier's score beside a floor."""

    kind: Literal["estimate"]
    floor: Number
    p_below_floor: Probability
    below_floor: bool
    above_floor: bool
    n_samples: Count
    score: Score


class Comparison(Result):
    """The posterior of delta = candidate - baseline."""

    kind: Literal["comparison"]
    decision: Literal["≪", "<", "≈", ">", "≫", "?"]
    decision_words: Text
    custom_measure: bool
    rope: Rope
    mean: Number
    std: Size
    mcse: Size
    hdi: Interval
    p_worse: Probability
    p_better: Probability
    p_below_rope: Probability
    p_in_rope: Probability
    p_above_rope: Probability
    bayes_factor: Factor | None
    bayes_factor_mcse: Factor | None
    bayes_factor_sd: Factor | None
    bayes_factor_sd_mcse: Factor | None
    examples_needed: Count | None
    can_fail: bool = Field(description="Whether some candidate could be found significantly worse.")
    model: Literal["paired", "same-set", "independent"]
    model_reason: Text
    n_samples: Counts
    largest_drops: Annotated[list[ClassChange], Field(max_length=3)]
    largest_moves: Annotated[list[Move], Field(max_length=5)]
    agreement: Agreement | None
    prior_density: Density | None
    breakdown: Breakdown | None
    companions: Annotated[list[Significance], Field(max_length=7)]
    paired_outcomes: PairedOutcomes | None
    baseline: Score
    candidate: Score


class Verdicts(Model):
    """How many entries came to each verdict."""

    total: Count
    failed: Count
    error: Count
    warned: Count
    undecided: Count
    passed: Count


class Finding(Model):
    """How a gate differs from the one that the manifest of gates lists."""

    gate: Text = Field(description="The test that makes it, and which of its gates where it makes several.")
    kind: Literal["missing", "looser", "other", "stricter", "unlisted"] = Field(
        description="The first three loosen: other asks something else, which is neither stricter nor looser."
    )
    about: Text = Field(description="The setting that differs; empty when the gate as a whole does.")
    told: Text


class Document(Model):
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
    missing: Annotated[list[Text], Field(max_length=100_000, description="What did not finish.")]
    changed: Annotated[
        list[Text],
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
