"""Every paired table of up to five examples and two classes, through every assertion, beside brute force.

The brute force knows nothing of the package: Dirichlet draws in two lines, the shortest interval by sorting, the six
decisions by their definition. Where Monte Carlo error could turn one of its answers, either answer counts.
"""

import json
import re
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

import pytest_bayesf1
from pytest_bayesf1.results.policy import POLICIES
from pytest_bayesf1.words.results import verdict_line

ROPE = 0.1
N_DRAWS, N_BATCHES = 20_000, 8
CELLS = list(product((0, 1), repeat=3))
ASSERTIONS = {
    "assert_not_worse": lambda decision, low: decision != "≪",
    "assert_not_inferior": lambda decision, low: low > -ROPE,
    "assert_better": lambda decision, low: decision == "≫",
    "assert_equivalent": lambda decision, low: decision == "≈",
}


def tables(most):
    """All tables of a most of so many examples, each as (truth, baseline, candidate); both classes occur somewhere."""
    for n in range(1, most + 1):
        for examples in combinations_with_replacement(CELLS, n):
            if len({code for example in examples for code in example}) == 2:
                yield tuple(zip(*examples, strict=True))


def accuracy(joint):
    """Of joint probabilities (..., truth, prediction)."""
    return joint[..., 0, 0] + joint[..., 1, 1]


def f1_macro(joint):
    right = np.diagonal(joint, axis1=-2, axis2=-1)
    totals = joint.sum(axis=-1) + joint.sum(axis=-2)
    return (2 * right / np.where(totals > 0, totals, 1)).mean(axis=-1)


MEASURES = {"accuracy": (accuracy, "accuracy"), "f1_macro": (f1_macro, "macro-F1")}


def cube_of(table):
    cube = np.zeros((2, 2, 2))
    np.add.at(cube, table, 1)
    return cube


def sides(cube):
    return cube.sum(axis=-1), cube.sum(axis=-2)


def differences(table, measure):
    """Draw the change of the score: half an example in every outcome of the classes that occur, and in each class."""
    cube, occurs = cube_of(table), np.isin((0, 1), table[0])
    rng = np.random.default_rng([7, *np.ravel(table)])
    gammas = rng.standard_gamma((cube + 0.5) * occurs[:, None, None], (N_BATCHES * N_DRAWS, 2, 2, 2))
    shares = rng.standard_gamma((cube.sum(axis=(1, 2)) + 0.5) * occurs, (len(gammas), 2))
    rows = gammas / np.where(occurs, gammas.sum(axis=(2, 3)), 1)[:, :, None, None]
    before, after = sides(rows * (shares / shares.sum(axis=1, keepdims=True))[:, :, None, None])
    score, _ = MEASURES[measure]
    return (score(after) - score(before)).reshape(N_BATCHES, N_DRAWS)


def shortest(draws, mass=0.95):
    """The shortest interval that holds so much of the draws."""
    ordered, n = np.sort(draws), int(np.ceil(mass * draws.size))
    first = (ordered[n - 1 :] - ordered[: draws.size - n + 1]).argmin()
    return ordered[first], ordered[first + n - 1]


def decision_of(low, high, below, above):
    """The six decisions, as the README lists them."""
    if high < -ROPE:
        return "≪"
    if low > ROPE:
        return "≫"
    if low > -ROPE and high < ROPE:
        return "≈"
    return "<" if below >= 0.75 else ">" if above >= 0.75 else "?"


@cache
def expected(table, measure):
    """What brute force can say: pairs of a decision and the lower end, as far as Monte Carlo error leaves them open."""
    draws = differences(table, measure)
    ends = np.array([shortest(batch) for batch in draws])
    (low, high), error = ends.mean(axis=0), 5 * ends.std(axis=0, ddof=1)
    below, above = (draws < -ROPE).mean(), (draws > ROPE).mean()
    chance = 5 * (below * (1 - below) / N_DRAWS) ** 0.5, 5 * (above * (1 - above) / N_DRAWS) ** 0.5
    return {
        (decision_of(low + a * error[0], high + b * error[1], below + c * chance[0], above + d * chance[1]), a)
        for a, b, c, d in product((-1, 1), repeat=4)
    }, {a: low + a * error[0] for a in (-1, 1)}


def cases(most):
    """Tables and measures; macro-F1 where the truth has both classes, as a class that is never true has no row."""
    for table in tables(most):
        yield table, "accuracy"
        if len(set(table[0])) == 2:
            yield table, "f1_macro"


DEMANDS = {"assert_better": "you demand more than +10", "assert_equivalent": "you allow ±10"}


def assert_says_what_is_so(line, name, decision, table, measure):
    """Read the first line back: decision, change, both scores."""
    score, word = MEASURES[measure]
    before, after = (float(score(side / len(table[0]))) for side in sides(cube_of(table)))
    demand = DEMANDS.get(name, "you allow 10")
    found = re.fullmatch(rf"{re.escape(decision)} {word} (\S+) points \({re.escape(demand)}\): (\S+) → (\S+)", line)
    assert found is not None, line
    decimals = len(found[1].partition(".")[2])  # more of them where an end of the range is close to a limit
    change = f"{round(100 * (after - before), decimals) + 0.0:+.{decimals}f}".replace("-", "−")
    assert found.groups() == (change, f"{before:.3f}", f"{after:.3f}"), line


@pytest.mark.parametrize("most", [2, pytest.param(5, marks=pytest.mark.long)])
@pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")
def test_every_assertion_agrees_with_brute_force(most):
    n, decisions = 0, set()
    for table, measure in cases(most):
        possible, lows = expected(table, measure)
        for name, passes in ASSERTIONS.items():
            try:
                result = getattr(pytest_bayesf1, name)(*map(list, table), rope=ROPE, measure=measure, labels=[0, 1])
            except AssertionError as failure:
                line, failed = str(failure).splitlines()[0], True
            else:
                line, failed = verdict_line(result, "", POLICIES[name.removeprefix("assert_")]), False
            decision = line[0]
            assert decision in {each for each, _ in possible}, (table, measure, line, possible)
            allowed = {not passes(decision, lows[a]) for each, a in possible if each == decision}
            assert failed in allowed, (table, measure, name, line)
            assert_says_what_is_so(line, name, decision, table, measure)
            decisions.add(decision)
            n += 1
    assert n > 4 * 2 ** (2 * most)
    assert decisions >= set("<?>" if most == 2 else "≪<?>≫")


_MODULE = """\
import json
from pathlib import Path
import pytest
import pytest_bayesf1
from pytest_bayesf1.results.policy import POLICIES
from pytest_bayesf1.words.results import verdict_line

CASES = json.loads(Path("cases.json").read_text())

@pytest.mark.parametrize("name", {names})
@pytest.mark.parametrize("number", range(len(CASES)))
def test_table(number, name):
    table, measure = CASES[number]
    getattr(pytest_bayesf1, name)(*table, rope={rope}, measure=measure, labels=[0, 1])
"""


@pytest.mark.parametrize("one_in", [5, pytest.param(1, marks=pytest.mark.long)])
def test_exit_code_and_report_say_the_same(pytester, one_in):
    found = list(cases(2))[::one_in]
    pytester.path.joinpath("cases.json").write_text(json.dumps(found), encoding="utf-8")
    pytester.makepyfile(test_tables=_MODULE.format(names=list(ASSERTIONS), rope=ROPE))
    run = pytester.runpytest_subprocess("-q", "--tb=no", "-p", "bayesf1", "--bayesf1-report=report.json")
    gates = json.loads(pytester.path.joinpath("report.json").read_text(encoding="utf-8"))["entries"]
    assert len(gates) == len(found) * len(ASSERTIONS)
    failed = set()
    for gate in gates:
        number, name = re.search(r"\[(\d+)-(\w+)\]", gate["test"]).groups()
        table, measure = found[int(number)]
        possible, lows = expected(table, measure)
        allowed = {not ASSERTIONS[name](each, lows[a]) for each, a in possible if each == gate["decision"]}
        assert (gate["verdict"] == "failed") in allowed
        failed |= {gate["test"]} if gate["verdict"] == "failed" else set()
    outcomes = run.parseoutcomes()
    assert outcomes["failed"] == len(failed)
    assert outcomes["passed"] == len(gates) - len(failed)
    assert run.ret == (1 if failed else 0)
