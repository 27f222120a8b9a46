"""Every number that people read of a result is one of its figures, as far as it is written."""

import re
from functools import partial

import pytest

from pytest_bayesf1 import ConfusionMatrix, LabelledPool, compare
from pytest_bayesf1.comparison.compare import run_comparison, run_estimate
from pytest_bayesf1.results.comparison import EarlierChange
from pytest_bayesf1.results.policy import AT_LEAST, POLICIES, PROVEN_AT_LEAST
from pytest_bayesf1.words.notes import notes
from pytest_bayesf1.words.results import advice, brief_facts, facts, headline, statistics, verdict_line

NAMES = ("ham", "spam", "egg")
NUMBER = re.compile(r"(?<![\w.,<>])[−+±]?\d[\d,]*(?:\.\d+)?")
OF_METHODS = {"80": "the power of detectable losses", "0": "where a Bayes factor is taken"}


def examples(both, only_old, only_new, neither, classes=2):
    """Return truth and predictions, of which so many are right on either side."""
    right = both * [(1, 1)] + only_old * [(1, 0)] + only_new * [(0, 1)] + neither * [(0, 0)]
    truth = [place % classes for place in range(len(right))]
    sides = [[(t + 1 - ok[side]) % classes for t, ok in zip(truth, right, strict=True)] for side in (0, 1)]
    return [[NAMES[each] for each in column] for column in (truth, *sides)]


def matrix(*counts):
    return ConfusionMatrix([counts[:2], counts[2:]], labels=["ham", "spam"])


def of_pool(n_labelled):
    truth, old, new = examples(850, 60, 30, 60)
    known = {place: truth[place] for place in range(0, 1000, 1000 // n_labelled)}
    return compare(LabelledPool.from_predictions(old, new, known), measure="accuracy", rope=0.01)


def of_counts(*counts):
    return compare(*examples(*counts), measure="accuracy", rope=0.01)


def of_history(*counts):
    return of_counts(*counts).with_history([EarlierChange(0.001 * (-1) ** each, 0.004) for each in range(12)])


OUTCOMES = {
    "≪": (900, 40, 10, 50),
    "<": (500, 18, 6, 20),
    "≈": (950, 3, 3, 44),
    ">": (500, 6, 18, 20),
    "≫": (900, 10, 40, 50),
    "?": (700, 60, 50, 190),
    "few": (12, 2, 1, 1),
}
RESULTS = {
    **{name: partial(of_counts, *counts) for name, counts in OUTCOMES.items()},
    "no loss allowed": lambda: compare(*examples(500, 18, 6, 20), rope=(0, 0.01)),
    "three classes": lambda: compare(*examples(900, 60, 20, 20, classes=3), rope=0.01),
    "clusters": lambda: compare(*examples(900, 60, 20, 20), rope=0.01, clusters=[n // 10 for n in range(1000)]),
    "matrices": lambda: compare(matrix(450, 50, 60, 440), matrix(430, 70, 60, 440), rope=0.01),
    "shares decide": lambda: run_comparison(
        matrix(900, 100, 5, 15), matrix(400, 100, 80, 320), rope=0.01, measure="precision[spam]"
    ),
    "history": lambda: of_history(500, 18, 6, 20),
    "pool": lambda: of_pool(50),
    "floor": lambda: run_estimate(ConfusionMatrix.from_predictions(*examples(900, 60, 20, 20)[:2]), 0.915),
}


def texts(result):
    """Yield what is said of a result, whatever is demanded."""
    floors = result.kind == "estimate"
    policies = (AT_LEAST, PROVEN_AT_LEAST) if floors else [each for each in POLICIES.values() if not each.is_floor]
    yield headline(result)
    yield from notes(result)
    yield from (value for _, value in statistics(result))
    for policy in policies:
        yield verdict_line(result, policy=policy)
        yield advice(policy, result, policy.judge(result))
        yield from (value for _, value in (*facts(result, policy), *brief_facts(result, policy, is_warning=False)))


def numbers(value):
    """Yield every number of plain data."""
    if isinstance(value, dict):
        value = [each for name, each in value.items() if name != "density"]
    if isinstance(value, list):
        for each in value:
            yield from numbers(each)
    elif isinstance(value, int | float):
        yield float(value)


def figures(result):
    """Return the figures, also in points and in percent, and the classes that facts list."""
    known = {*numbers(result.to_dict())}
    if result.kind == "comparison":
        times = (1 + n / min(result.n_samples) for n in vars(result.examples_needed).values() if n)
        errors = () if result.known_changes is None else result.known_changes.errors
        sides = (number for each in (*result.classes, *errors) for number in (each.baseline, each.candidate))
        known |= {result.change, len(result.earlier_changes), *times, *sides}
    return known | {100 * each for each in known}


def is_written(text, known):
    """Whether a number is one of the figures, as far as it is written, or to two digits."""
    number = abs(float(text.replace("−", "-").lstrip("±").replace(",", "")))
    step = 10.0 ** -len(text.partition(".")[2])
    return any(abs(number - abs(each)) <= 0.51 * step or number == float(f"{abs(each):.2g}") for each in known)


@pytest.mark.parametrize("name", RESULTS)
def test_every_number_is_a_figure(name):
    result = RESULTS[name]()
    known = figures(result)
    wrong = {
        (number, text)
        for text in texts(result)
        for number in NUMBER.findall(re.sub(r"\([\d, …]+\)", "", text))
        if number not in OF_METHODS and not is_written(number, known)
    }
    assert not wrong
