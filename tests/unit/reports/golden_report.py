"""A report of made-up entries, the same on every machine to the last digit, with a bit of everything in it."""

from dataclasses import astuple, replace
from math import exp

from pytest_bayesf1 import Decision, InputError
from pytest_bayesf1.reports.entry import ComparisonEntry, EstimateEntry, Place, Report, error_entry
from pytest_bayesf1.results.comparison import (
    Breakdown,
    ClassContribution,
    ClassDifference,
    Density,
    ErrorChange,
    ExampleChange,
    GapEstimate,
    NamedExample,
    PairedDifference,
    PoolFigures,
    ReportedChanges,
    ScoreGap,
    UnsupportedClass,
)
from pytest_bayesf1.results.run import RunIdentity
from pytest_bayesf1.results.timeline import Trend, TrendPoint
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import a_class, a_slice, comparison, entry, estimate, score

NAME = " ".join(HOSTILE[:-1]).replace("\ud800", "")
WORSE = {
    "decision": Decision.MUCH_WORSE,
    "mean": -0.03,
    "std": 0.005,
    "hdi": (-0.04, -0.02),
    "p_worse": 1.0,
    "p_lost_more": 1.0,
    "p_below_rope": 1.0,
    "p_in_rope": 0.0,
    "p_above_rope": 0.0,
}
NEVER_TRUE = (UnsupportedClass("I cannot answer", (3, 1), listed=False), UnsupportedClass(NAME, (0, 1), listed=True))
MISSING = InputError("a.csv", "a file", "none")
ADVICE = "Find what changed (data, model, prompt) before merging."


def gap(by, best, worst):
    """Return how far apart two slices are."""
    return ScoreGap(
        by=by,
        best=f"{by}={best}",
        worst=f"{by}={worst}",
        baseline=GapEstimate(0.02, (0.0, 0.04)),
        candidate=GapEstimate(0.08, (0.06, 0.1)),
        limit=0.05,
        p_value=0.001,
    )


def breakdown(*labels):
    """Return what is behind a comparison, the first class being the worst."""
    classes = (
        ClassDifference(
            label,
            n_samples=(100 + place, 120),
            baseline=0.8,
            candidate=0.7 + 0.02 * place,
            mean=0.02 * place - 0.1,
            hdi=(0.02 * place - 0.15, 0.02 * place - 0.05),
        )
        for place, label in enumerate(labels)
    )
    return Breakdown(tuple(classes), ())


def steady(entry):
    """Put curves of plain arithmetic in the place of those estimated from draws; round what special functions give."""
    match entry:
        case ComparisonEntry():
            outcomes = entry.paired_outcomes
            return replace(
                entry,
                density=_curve(entry.mean, entry.std),
                paired_outcomes=outcomes and PairedDifference(*(round(value, 4) for value in astuple(outcomes))),
            )
        case EstimateEntry():
            return replace(entry, density=_curve(entry.score.mean, entry.score.std))
    return entry


def judged(entry):
    """Say by which policy, where there is a verdict on a loss."""
    is_judged = isinstance(entry, ComparisonEntry) and entry.verdict
    return replace(entry, policy="not_worse") if is_judged else entry


def _curve(mean, std):
    values = (round(exp(-(((step - 20) / 5) ** 2) / 2), 4) for step in range(41))
    return Density(mean - 4 * std, mean + 4 * std, tuple(values))


ENTRIES = [
    replace(
        entry(
            comparison(**WORSE, candidate=score(0.77, observed=0.769)),
            "failed",
            test="bayesf1.yaml::spam",
            gate="not_worse",
            advice=ADVICE,
        ),
        breakdown=breakdown("spam", "ham", "news", "ads", "forum", "social"),
        gaps=(gap("language", "de", "fi"),),
        trend=Trend(
            "baselines/spam.csv",
            0.02,
            0.89,
            (
                TrendPoint("2026-05-02", "1a2b3c4d5e", 0.89, (0.88, 0.9)),
                TrendPoint("2026-07-14", "2b3c4d5e6f", 0.896, (0.887, 0.905)),
                TrendPoint("2026-10-01", "3c4d5e6f7a", 0.903, (0.894, 0.912)),
            ),
        ),
        changes=ReportedChanges(
            change=-0.031,
            rest=0.0,
            errors=(
                ErrorChange(
                    "spam",
                    "ham",
                    12,
                    41,
                    -0.034,
                    (NamedExample("mail 7", ("Dear friend, you have won",)), NamedExample("mail 12")),
                ),
                ErrorChange("ham", "spam", 20, 9, 0.003, (NamedExample("mail 3"),)),
            ),
            classes=(ClassContribution("spam", -0.034), ClassContribution("ham", 0.003)),
            n_examples=42,
            examples=(
                ExampleChange("mail 7", "spam", "spam", "ham", 1.0, -0.001, ("Dear friend, you have won",)),
                ExampleChange("mail 3", "ham", "spam", "ham", 0.5, 0.0005),
            ),
        ),
    ),
    entry(
        comparison(**WORSE, measure="f1[spam]"), "failed", test="bayesf1.yaml::spam", **a_class("spam"), advice=ADVICE
    ),
    entry(comparison(measure="f1[ham]"), "undecided", test="bayesf1.yaml::spam", **a_class("ham")),
    entry(comparison(**WORSE), "failed", test="bayesf1.yaml::spam", **a_slice("language", "fi"), advice=ADVICE),
    entry(comparison(), test="bayesf1.yaml::spam", **a_slice("language", "de")),
    replace(
        entry(
            comparison(**WORSE, measure=f"f1[{NAME}]", model_reason=NAME, prior=NAME),
            "failed",
            test=f"tests/test_a.py::test[{NAME}]",
            gate=NAME,
            part=NAME,
            advice=NAME,
        ),
        breakdown=breakdown(NAME, "ham"),
        gaps=(gap(NAME, "b", NAME),),
        trend=Trend(NAME, None, None, (TrendPoint(NAME, NAME, 0.9, (0.89, 0.91)),) * 2),
        changes=ReportedChanges(
            change=-0.03,
            rest=-0.01,
            errors=(ErrorChange(NAME, NAME, 1.5, 2, -0.02, (NamedExample(NAME, (NAME,)), NamedExample(7))),),
            classes=(ClassContribution(NAME, -0.02),),
            n_examples=1,
            examples=(ExampleChange(NAME, NAME, NAME, NAME, 1.0, -0.02),),
        ),
    ),
    entry(comparison(), test=f"tests/test_a.py::test[{NAME}]", **a_slice(NAME, NAME)),
    error_entry(InputError("a.csv", "a file", "none"), Place(test="bayesf1.yaml::eggs", file="bayesf1.yaml", line=9)),
    replace(
        entry(comparison(model="same-set", examples_needed=340), "warned", test="tests/test_b.py::test_counts"),
        breakdown=breakdown("ham", "spam"),
    ),
    entry(comparison(), "undecided", test="tests/test_b.py::test_undecided", advice="Test on more examples."),
    entry(
        comparison(decision=Decision.EQUIVALENT, mean=0.001, hdi=(-0.004, 0.006), unsupported=NEVER_TRUE),
        test="tests/test_b.py::test_f1",
    ),
    entry(
        comparison(
            measure="cost",
            custom_measure=True,
            mean=12.5,
            hdi=(10.0, 15.0),
            rope=(-20.0, 20.0),
            decision=Decision.EQUIVALENT,
        ),
        "",
        test="tests/test_c.py::test_look",
    ),
    entry(estimate(score=score(0.8, observed=0.801)), test="tests/test_d.py::test_floor", gate="assert_at_least"),
]


def report_of(entries, *others, branch="main", about=""):
    """Report entries of a run that is the same everywhere."""
    commit = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
    return replace(
        Report.of(map(judged, map(steady, entries)), *others),
        versions={"python": "3.11.0", "pytest-bayesf1": "0.1.0"},
        run=RunIdentity(commit=commit, branch=branch, date="2026-05-02", about=about),
    )


REPORT = report_of(
    ENTRIES,
    ["tests/test_late.py::test_late"],
    {"tests/__bayesf1__/test_a/test_a.json": "base"},
    branch=NAME,
    about=NAME,
)
"""A bit of everything, with names that are out to break what shows them."""

VERDICTS = {
    "failed": WORSE,
    "warned": {"decision": Decision.WORSE, "mean": -0.012, "hdi": (-0.02, -0.004)},
    "undecided": {},
    "passed": {},
}
FAILED_WITH_ITS_PARTS = ENTRIES[:5]
OF_A_POOL = PoolFigures(
    n_pool=20_000,
    n_labelled=300,
    n_differ=1_400,
    n_labelled_differ=180,
    n_strata=6,
    n_unlabelled_strata=1,
    unlabelled_share=0.012,
)
REPORTS = {
    "one-failed": report_of(FAILED_WITH_ITS_PARTS),
    "many": report_of(
        [
            *(entry(comparison(**of), verdict, test=f"a.yaml::{verdict}") for verdict, of in VERDICTS.items()),
            error_entry(MISSING, Place(test="a.yaml::error", file="a.yaml", line=9)),
        ],
        ["a.yaml::late"],
        {"old.csv": "base"},
    ),
    "floor": report_of(
        [
            entry(
                estimate(score=score(0.72), floor=0.75, p_below_floor=0.99, below_floor=True, above_floor=False),
                "failed",
                test="tests/test_d.py::test_floor",
                gate="assert_at_least",
                advice=ADVICE,
            )
        ]
    ),
    "pool": report_of([entry(comparison(pool=OF_A_POOL), "undecided", test="bayesf1.yaml::pool")]),
}
"""What people review of the page, the comment and the report."""
