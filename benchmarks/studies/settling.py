"""How often more examples settle a question, if they are as many as are said to give an even chance.

Run ``python -m benchmarks.studies.settling`` for the tables of settling.md; ``--help`` lists the options.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import sqrt
from types import MappingProxyType

import numpy as np

from benchmarks.studies.chances import ALLOWED, ERRORS, PER_HISTORY, WORLDS
from benchmarks.studies.populations import Population
from benchmarks.studies.power import Setting
from pytest_bayesf1.choices import Model
from pytest_bayesf1.results.comparison import EarlierChange
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.forecast import TIMES, examples_needed
from pytest_bayesf1.stats.posterior import Draws, summarise_delta
from pytest_bayesf1.stats.usual import UsualChanges
from pytest_bayesf1.text import Interval

QUESTIONS: Mapping[str, str] = MappingProxyType({"not_worse": "lost more", "equivalent": "in the ROPE"})
SETTINGS = (
    Setting(2, 400, Model.PAIRED),
    Setting(2, 2_000, Model.PAIRED),
    Setting(5, 1_000, Model.PAIRED),
    Setting(2, 1_000, Model.INDEPENDENT, 0.8),
)
N_RELEASES = 30
_Z = 1.959964
_N_DRAWS = 20_000
_STANDARD = np.random.default_rng(0).permutation(np.linspace(-4, 4, 4_001))


def _ends(question: str, allowed: float) -> Interval:
    return (-allowed, -allowed if question == "not_worse" else allowed)


def _is_settled(hdi: Interval, ends: Interval) -> bool:
    return hdi[1] < ends[0] or hdi[0] > ends[1] or (ends[0] < hdi[0] and hdi[1] < ends[1])


def _usual(world: str, allowed: float, rng: np.random.Generator) -> UsualChanges:
    """Learn from a history of the same world."""
    errors = rng.uniform(*ERRORS, N_RELEASES)
    changes = zip(rng.normal(WORLDS[world](N_RELEASES, rng), errors), errors, strict=True)
    return UsualChanges.of([EarlierChange(*each) for each in changes], allowed)


def by_world(world: str, allowed: float, question: str, n: int) -> Iterator[tuple[bool, bool]]:
    """Yield whether open questions are settled, without a history and with one; posteriors are normal."""
    rng = np.random.default_rng([round(1e4 * allowed), list(WORLDS).index(world), len(question)])
    ends, rope = _ends(question, allowed), Rope(-allowed, allowed)
    like = summarise_delta(Draws(_STANDARD), rope, 0.95)
    for number in range(n):
        if number % PER_HISTORY == 0:
            learned = _usual(world, allowed, rng)
        true, std = float(WORLDS[world](1, rng)[0]), float(rng.uniform(*ERRORS))
        mean = float(rng.normal(true, std))
        seen = replace(like, mean=mean, std=std, hdi=(mean - _Z * std, mean + _Z * std))
        if _is_settled(seen.hdi, ends):
            continue
        settled = []
        for usual in (UsualChanges.within(allowed), learned):
            n_more = getattr(examples_needed(seen, rope, usual, 1e6 * TIMES, TIMES), question)
            times = (n_more or 0) / 1e6
            half = _Z * std / sqrt(1 + times)
            later = float(rng.normal((mean + times * true) / (1 + times), std * sqrt(times) / (1 + times)))
            settled.append(n_more is not None and _is_settled((later - half, later + half), ends))
        yield settled[0], settled[1]


def of_test_sets(setting: Setting, question: str, n: int) -> Iterator[bool]:
    """Yield whether open questions about real counts are settled by more of them, where changes are those of *mix*."""
    rng, rope, ends = setting.generator, Rope.of(setting.rope), _ends(question, setting.rope)
    for _ in range(n):
        true = float(WORLDS["mix"](1, rng)[0])
        population = setting.population(-abs(true))
        if true > 0:  # a gain is a loss of the other side's
            population = Population(population.joint.swapaxes(1, 2))
        counts = setting.draw(population, setting.n_examples, rng)
        first = setting.judged(counts, rng, _N_DRAWS)
        usual = UsualChanges.within(setting.rope)
        n_more = getattr(examples_needed(first, rope, usual, setting.n_examples * TIMES, TIMES), question)
        if n_more:
            more = setting.draw(population, n_more, rng)
            together = tuple(before + new for before, new in zip(counts, more, strict=True))
            yield _is_settled(setting.judged(together, rng, _N_DRAWS).hdi, ends)


def tables(n: int, n_test_sets: int) -> Iterator[str]:
    """Yield the lines of two Markdown tables."""
    yield "| question | you allow | world | open | settled, no history | settled, 30 releases before |"
    yield "| --- | ---: | --- | ---: | ---: | ---: |"
    for question, allowed, world in product(QUESTIONS, ALLOWED, WORLDS):
        found = np.array(list(by_world(world, allowed, question, n)))
        shares = " | ".join(f"{share:.0%}" for share in found.mean(axis=0))
        yield f"| {QUESTIONS[question]} | {100 * allowed:g} | {world} | {len(found):,} | {shares} |"
    yield ""
    yield "| question | M | N | model | agreement | open | settled |"
    yield "| --- | ---: | ---: | --- | ---: | ---: | ---: |"
    for question, setting in product(QUESTIONS, SETTINGS):
        settled = np.array(list(of_test_sets(setting, question, n_test_sets)))
        about = f"{setting.n_classes} | {setting.n_examples:,} | {setting.model} | {setting.agreement:.0%}"
        yield f"| {QUESTIONS[question]} | {about} | {len(settled):,} | {settled.mean():.0%} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1_000, help="candidates of each world (1,000)")
    parser.add_argument("--test-sets", type=int, default=100, help="test sets of each setting (100)")
    given = parser.parse_args()
    for line in tables(given.cases, given.test_sets):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
