"""How often more examples settle a question, if the true change is the observed one.

Run ``python -m benchmarks.studies.settling`` for the table of settling.md; ``--help`` lists the options.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from itertools import product
from types import MappingProxyType

import numpy as np

from benchmarks.studies.power import Setting
from pytest_bayesf1.choices import Model
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import TIMES, examples_needed
from pytest_bayesf1.text import Interval

QUESTIONS: Mapping[str, str] = MappingProxyType({"not_worse": "lost more", "equivalent": "in the ROPE"})
SETTINGS = (
    Setting(2, 400, Model.PAIRED),
    Setting(2, 2_000, Model.PAIRED),
    Setting(5, 1_000, Model.PAIRED),
    Setting(2, 1_000, Model.INDEPENDENT, 0.8),
)
LOSSES = (0.0, 0.01, 0.03)
"""Of the populations that the first test sets are from, in turn."""
MOST_TIMES = 100
_N_DRAWS = 20_000


def _is_settled(hdi: Interval, ends: Interval) -> bool:
    return hdi[1] < ends[0] or hdi[0] > ends[1] or (ends[0] < hdi[0] and hdi[1] < ends[1])


def settled(setting: Setting, question: str, n: int) -> Iterator[bool]:
    """Yield whether open questions are settled by as many more examples as are said; these are like the first ones."""
    rng, rope = setting.generator, Rope.of(setting.rope)
    ends = (rope.low, rope.low if question == "not_worse" else rope.high)
    populations = [setting.population(-loss) for loss in LOSSES]
    for case in range(n):
        counts = setting.draw(populations[case % len(LOSSES)], setting.n_examples, rng)
        first = setting.judged(counts, rng, _N_DRAWS)
        n_more = getattr(examples_needed(first, rope, setting.n_examples * TIMES, TIMES), question)
        if n_more and n_more < MOST_TIMES * setting.n_examples:
            together = tuple(
                each + rng.multinomial(n_more, each.ravel() / each.sum()).reshape(each.shape) for each in counts
            )
            yield _is_settled(setting.judged(together, rng, _N_DRAWS).hdi, ends)


def table(n: int) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| question | M | N | model | agreement | open | settled |"
    yield "| --- | ---: | ---: | --- | ---: | ---: | ---: |"
    for question, setting in product(QUESTIONS, SETTINGS):
        found = np.array(list(settled(setting, question, n)))
        about = f"{setting.n_classes} | {setting.n_examples:,} | {setting.model} | {setting.agreement:.0%}"
        yield f"| {QUESTIONS[question]} | {about} | {len(found):,} | {found.mean():.0%} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--test-sets", type=int, default=240, help="test sets of each setting (240)")
    for line in table(parser.parse_args().test_sets):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
