"""Reports in every state that a reader may meet, from real comparisons of made-up data."""

from dataclasses import replace
from functools import cache

import numpy as np

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, compare
from pytest_bayesf1.comparison.compare import run_estimate
from pytest_bayesf1.reports.entry import Place, Report
from pytest_bayesf1.reports.record import NO_GATE, entry_of
from pytest_bayesf1.results.comparison import Convergence
from pytest_bayesf1.results.timeline import Trend, TrendPoint
from tests.unit.made_up import a_slice, comparison, error
from tests.unit.reports.golden_report import gap

HOSTILE = "<script>alert(1)</script> \"quoted\" | 'x' & \u202eabc \U0001f600 " + "long " * 40


def classifiers(n_classes=20, n=2_000, seed=1, losing=0.0):
    """Return two classifiers that agree on most examples; the second loses some of what the first gets right."""
    rng = np.random.default_rng(seed)
    labels = [f"class {number:02}" for number in range(n_classes)]
    true = rng.integers(0, n_classes, n)
    baseline = np.where(rng.random(n) < 0.8, true, (true + rng.integers(1, 4, n)) % n_classes)
    lost = (rng.random(n) < losing) & (baseline == true)
    candidate = np.where(lost | (rng.random(n) < 0.03), (true + 1) % n_classes, baseline)
    return [
        ConfusionMatrix.from_predictions(np.take(labels, true), np.take(labels, side)) for side in (baseline, candidate)
    ]


def entry(result, verdict, test, **said):
    file = test.partition("::")[0]
    texts = {name: said.pop(name) for name in [*said] if name in NO_GATE}
    texts = {"gate": "assert_not_worse", "verdict": verdict, **texts}
    return entry_of(result, texts, in_full=True, **said).at(Place(test=test, file=file, line=7))


def settled(*sides, **given):
    return compare(*sides, **{"rope": 0.01, "n_draws": 4_000, **given})


@cache
def typical():
    """Return one entry of every kind."""
    better, worse = classifiers(losing=0.1)
    counts = (
        ConfusionMatrix(better.counts, better.labels),
        ConfusionMatrix(classifiers(seed=2)[0].counts, better.labels),
    )
    topics = entry(
        settled(better, worse), "failed", "tests/test_models.py::test_topics", advice="See the classes below."
    )
    return [
        replace(topics, gaps=(gap("language", "en", HOSTILE),)),
        *(replace(topics, **a_slice("language", name)) for name in ("de", "en", HOSTILE)),
        error("bayesf1.yaml:3: no baseline", test="bayesf1.yaml::spam", file="bayesf1.yaml", line=3),
        entry(settled(*counts, prior="hierarchical"), "warned", "bayesf1.yaml::topics", gate="fail_on <<"),
        entry(
            settled([[80, 20], [15, 85]], [[81, 19], [15, 85]], measure="f1"),
            "failed",
            "tests/test_models.py::test_spam",
        ),
        entry(settled(worse, better, measure=profit, rope=0.1), "passed", "tests/test_models.py::test_profit"),
        entry(chained(), "undecided", "tests/test_models.py::test_with_chains", advice="Test on more examples."),
        entry(
            settled([[90, 10], [10, 90]], [[90, 10], [10, 90]], rope=(0.95, "wide")),
            "passed",
            "bayesf1.yaml::cannot_fail",
            gate="fail_on <<",
        ),
        entry(labelled(), "", "tests/test_models.py::test_tags", gate="compare"),
        entry(
            run_estimate([[480, 20], [30, 470]], 0.9, measure="f1", n_draws=4_000),
            "passed",
            "tests/test_models.py::test_floor",
            gate="assert_at_least",
        ),
    ]


def profit(p):
    return p.diagonal(axis1=-2, axis2=-1).sum(axis=-1) * 5


def chained():
    """Return a comparison as NUTS makes it, without its half minute of compiling."""
    return comparison(engine="pymc", n_draws=2_000, convergence=Convergence(ess=1_800.0, n_chains=4, r_hat=1.002))


def labelled():
    truth = np.random.default_rng(3).random((300, 4)) < 0.3
    sides = [truth ^ (np.random.default_rng(seed).random(truth.shape) < 0.1) for seed in (4, 5)]
    labels = ["art", "law", "music", "war"]
    return settled(*(MultilabelCounts.from_predictions(truth, side, labels=labels) for side in sides))


@cache
def hostile():
    """Return an entry whose every name is out to break the page."""
    labels = [HOSTILE, "ham\nspam", "</style><img src=x onerror=alert(2)>"]
    baseline = ConfusionMatrix([[50, 5, 5], [4, 60, 6], [3, 2, 70]], labels)
    candidate = ConfusionMatrix([[20, 25, 15], [14, 50, 6], [3, 2, 70]], labels)
    test = f"test_x.py::test[{HOSTILE}{'x' * 10_000}]"
    result = settled(baseline, candidate)
    of_one = settled(baseline, candidate, measure=f"f1[{HOSTILE}]")
    return [
        entry(result, "failed", test, advice=HOSTILE, part=HOSTILE),
        entry(of_one, "passed", test, part="class"),
        error(HOSTILE, test=HOSTILE, file="", line=0),
    ]


@cache
def twenty_gates():
    """Return twenty gates of twenty classes, all failed: the most that a page shows of each."""
    made = entry(settled(*classifiers(losing=0.1)), "failed", "x")
    return [replace(made, test=f"bayesf1.yaml::gate-{number}", file="bayesf1.yaml") for number in range(20)]


@cache
def many_gates():
    """Return five hundred gates."""
    made = twenty_gates()[0]
    verdicts = ("failed", "warned", "undecided", "passed", "passed")
    return [
        replace(made, test=f"bayesf1.yaml::gate-{number}", file="bayesf1.yaml", verdict=verdicts[number % 5])
        for number in range(500)
    ]


@cache
def very_many_gates():
    """Return five thousand gates, most of them failed."""
    return [
        replace(each, test=f"{each.test}-{number}", verdict="failed") for number in range(10) for each in many_gates()
    ]


LONG_NAME = "a-gate-with-a-name-of-a-hundred-characters-which-holds-the-model-and-the-version-of-its-data-2026-"


@cache
def long_names():
    """Return gates with names of a hundred characters that differ at their ends, wide characters, and examples."""
    labels = ["配送の問題", "返品 😀", f"a class of {LONG_NAME}", "legal"]
    rng = np.random.default_rng(7)
    true = rng.integers(0, 4, 800)
    sides = [np.where(rng.random(800) < share, true, (true + 1) % 4) for share in (0.9, 0.75)]
    show = [f"Ticket {number}: 商品が届きません, and I have been waiting for a week now" for number in range(800)]
    counts = [
        ConfusionMatrix.from_predictions(np.take(labels, true), np.take(labels, side), show=show) for side in sides
    ]
    result = settled(*counts)
    whole = [entry(result, "failed", f"bayesf1.yaml::{LONG_NAME}{number:02}") for number in range(3)]
    part = entry(result, "failed", f"bayesf1.yaml::{LONG_NAME}00", **a_slice("language", LONG_NAME))
    return [
        *whole,
        part,
        entry(result, "undecided", "bayesf1.yaml::配送の分類😀"),
        entry(result, "failed", "a.yaml::短"),
    ]


def class_names():
    """Return a gate whose classes have the names that people give them."""
    better, worse = classifiers(n_classes=5, n=1_500, losing=0.1)
    names = [
        "comp.sys.ibm.pc.hardware",
        "customer asks for a copy of an invoice",
        "misc.forsale/second-hand:furniture",
        "Kundenzufriedenheitsumfrage",
        "talk_politics_mideast_and_elsewhere",
    ]
    sides = [ConfusionMatrix(side.counts, names) for side in (better, worse)]
    return [entry(settled(*sides), "failed", "tests/test_models.py::test_topics")]


def large_matrix():
    """Return a comparison of 200 classes."""
    better, worse = classifiers(n_classes=200, n=20_000, losing=0.05)
    return [entry(settled(better, worse, n_draws=1_000), "failed", "tests/test_models.py::test_many_classes")]


def with_trend():
    """Return a gate whose baseline has a history."""
    points = (0.862, 0.87, 0.868, 0.88)
    known = tuple(
        TrendPoint(f"2026-0{month}-14", "1a2b3c4" * 5, score, (score - 0.02, score + 0.02), new_test_set=month == 4)
        for month, score in enumerate(points, start=2)
    )
    return [replace(spam("failed"), trend=Trend("baselines/spam.csv", 0.02, 0.85, known))]


def spam(verdict, **told):
    """Return a gate of two classes."""
    result = settled([[180, 20], [15, 185]], [[165, 35], [25, 175]], measure="f1")
    return entry(result, verdict, "tests/test_models.py::test_spam", **told)


def gate_with_slices():
    """Return a gate file's gates, of which one has slices."""
    whole = spam("passed")
    verdicts = {"de": "failed", "en": "passed", "fi": "warned"}
    parts = [replace(spam(verdict), **a_slice("language", part)) for part, verdict in verdicts.items()]
    failed = [replace(each, test="bayesf1.yaml::topics", verdict="failed") for each in (whole, *parts)]
    return [whole, *parts, *failed]


LARGE = {"twenty-gates", "many-gates", "very-many-gates"}
STATES = {
    "typical": lambda: Report.of(typical()),
    "one": lambda: Report.of(typical()[:1]),
    "passed": lambda: Report.of([spam("passed")]),
    "all-passed": lambda: Report.of(replace(spam("passed"), test=f"test_{number}") for number in range(6)),
    "expected": lambda: Report.of([spam("failed").of_expected_failure()]),
    "accepted": lambda: Report.of([spam("accepted", advice="Accepted: half the size"), *typical()[2:4]]),
    "no-gate": lambda: Report.of([spam("", gate="compare")]),
    "trend": lambda: Report.of(with_trend()),
    "slices": lambda: Report.of(gate_with_slices()),
    "floor": lambda: Report.of([entry(run_estimate([[480, 20], [30, 470]], 0.97, n_draws=4_000), "failed", "t.py::t")]),
    "own-measure": lambda: Report.of(typical()[4:5]),
    "error": lambda: Report.of(typical()[1:2]),
    "hostile": lambda: Report.of(hostile(), missing=[HOSTILE], changed={HOSTILE: "base"}),
    "twenty-gates": lambda: Report.of(twenty_gates()),
    "many-gates": lambda: Report.of(many_gates()),
    "very-many-gates": lambda: Report.of(very_many_gates()),
    "class-names": lambda: Report.of(class_names()),
    "long-names": lambda: Report.of(long_names()),
    "large-matrix": lambda: Report.of(large_matrix()),
    "incomplete": lambda: Report.of(typical()[-1:], missing=["tests/test_models.py::test_that_crashed"]),
    "nothing": lambda: Report.of([]),
}
