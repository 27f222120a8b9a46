"""The floor of a system that does not change, from runs of it on the same examples.

The scores of runs are taken as independent draws from a normal distribution whose mean and variance are unknown. Given
R of them, with mean m and standard deviation s, the mean of K more is m + s t sqrt(1/K + 1/R), where t follows
Student's distribution with R - 1 degrees of freedom. Counts of right answers are skewed, which makes low means a little
more frequent than that: one example in all, 1 / (N sqrt(K)), is allowed for it. A gate with a floor and s as ``run_sd``
fails when the mean lies below the floor by more than z s / sqrt(K), half the width of its HDI: so the floor is chosen.

PYTEST_DONT_REWRITE
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import floor, inf, isfinite, sqrt
from textwrap import wrap
from types import MappingProxyType
from typing import Any, Unpack

import numpy as np
from scipy.special import ndtri, stdtrit

from pytest_bayesf1.choices import OnNewTestSet
from pytest_bayesf1.comparison.arguments import ARGUMENTS, Options, SharedArguments, resolved
from pytest_bayesf1.comparison.design import subject_of_one
from pytest_bayesf1.comparison.subject import AnyMeasure, words_of
from pytest_bayesf1.data.paired import Scores
from pytest_bayesf1.data.sides import Side, Sides, align
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.results.comparison import POWER
from pytest_bayesf1.results.schema import opened, plain
from pytest_bayesf1.text import Scale, counted, one_line, percent, scale_of
from pytest_bayesf1.words.amounts import format_score

FEWEST_RUNS, ENOUGH = 3, 8
FALSE_ALARMS = 0.01
_DIGITS = 4
ASSUMED = (
    "These figures suppose runs that are alike and independent; if low scores stray farther than high ones, about 4% "
    "of unchanged systems fail instead of 1%."
)


@dataclass(frozen=True)
class Floor:
    """A floor for the mean of so many runs.

    Attributes
    ----------
    n_runs
        How many runs each gate judges.
    floor
        What the gate says, beside the standard deviation as ``run_sd``.
    fails_below
        The mean score below which such a gate fails.
    detectable_loss
        The smallest loss that fails it with a probability of 0.8.
    """

    n_runs: int
    floor: float
    fails_below: float
    detectable_loss: float


@dataclass(frozen=True)
class RunScores:
    """Scores of runs of a system on the same examples.

    Attributes
    ----------
    scores
        Of every run.
    measure, measure_words
        The measure's name, and as people say it.
    scale
        In what unit losses are written.
    n_samples
        How many examples there are; None where only scores are known, for whose skewness nothing is allowed then.
    hdi_prob
        Of the gate.
    false_alarms
        How often it may fail a system that has not changed.
    lowest
        The bound that no score is below.
    """

    scores: tuple[float, ...]
    measure: str
    measure_words: str
    scale: Scale
    n_samples: int | None
    hdi_prob: float
    false_alarms: float = FALSE_ALARMS
    lowest: float = -inf

    def __post_init__(self) -> None:
        """Refuse too few runs, and runs that do not vary."""
        if not 0 < self.false_alarms < 0.5:
            raise InputError("false_alarms", "a probability between 0 and 0.5, such as 0.01", f"{self.false_alarms:g}")
        if self.n < FEWEST_RUNS:
            expected = f"at least {FEWEST_RUNS} runs, better {ENOUGH}, to estimate how much scores vary"
            raise InputError("runs", expected, f"{self.n}", "Run the unchanged system again.")
        if self.sd == 0:
            advice = "Compare new predictions with those of one run: bayesf1 compare OLD NEW --rope 0.01"
            raise InputError.plain("runs", f"All {self.n} have the same score, {self.mean:g}", advice)

    @classmethod
    def of(
        cls, runs: Mapping[str, Side], false_alarms: float = FALSE_ALARMS, **given: Unpack[SharedArguments]
    ) -> "RunScores":
        """Score runs, which must be of the same examples."""
        options, (first, *_) = Options.resolve(**given), runs
        scores = []
        for name, side in runs.items():
            difference = Sides(*align(runs[first], side)).difference_on(OnNewTestSet.ERROR)
            if difference:
                raise InputError.plain(name, f"Not about the examples of {first}, as every run is: {difference}")
            subject = subject_of_one(side, options)
            measure: AnyMeasure = subject.measure(options.measure)
            scores.append(subject.observed(measure).scores[0])
        if subject.n_samples == (1,):  # a file of one row holds the score of its run
            return cls.of_scores(scores, options.hdi_prob, false_alarms)
        words, scale = words_of(measure, subject, options), scale_of(custom_measure=not measure.bounded)
        (n_samples,) = subject.n_samples
        values = [each for side in runs.values() if isinstance(side, Scores) for each in side.scores.flat]
        is_share = measure.name == "mean" and _are_shares(values)
        lowest = 0 if is_share else measure.lowest
        known = (n_samples, options.hdi_prob, false_alarms, lowest)
        return cls(tuple(scores), measure.name, words, scale, *known)

    @classmethod
    def of_scores(
        cls, scores: Iterable[float], hdi_prob: float | None = None, false_alarms: float = FALSE_ALARMS
    ) -> "RunScores":
        """Take scores as they are; where all lie between 0 and 1, so does every score."""
        found = tuple(scores)
        is_share = _are_shares(found)
        prob, scale = resolved("hdi_prob", hdi_prob), scale_of(custom_measure=not is_share)
        return cls(found, "mean", "the score", scale, None, prob, false_alarms, 0 if is_share else -inf)

    @property
    def n(self) -> int:
        """How many runs there are."""
        return len(self.scores)

    @property
    def mean(self) -> float:
        """Their mean score."""
        return float(np.mean(self.scores))

    @cached_property
    def sd(self) -> float:
        """Standard deviation from run to run, to as many digits as a gate says."""
        return float(f"{np.std(self.scores, ddof=1):.{_DIGITS}g}") if len(set(self.scores)) > 1 else 0.0

    def _reach(self, n_new: int, prob: float) -> float:
        """Return how far from their mean the mean of new runs lies at most, with this probability."""
        variance = float(np.var(self.scores, ddof=1)) * (1 / n_new + 1 / self.n)
        return sqrt(variance) * float(stdtrit(self.n - 1, prob))

    def _skewness(self, n_new: int) -> float:
        """Return what is allowed for the skewness of counts."""
        return 0.0 if self.n_samples is None else 1 / (self.n_samples * sqrt(n_new))

    def floor(self, n_new: int) -> Floor:
        """Propose the floor for the mean of so many new runs; raise `InputError` where no score would be below it."""
        found = self._proposed(n_new)
        if found.fails_below > self.lowest:
            return found
        problem = f"Scores vary so much from run to run ({self._amount(self.sd)}) that no floor serves"
        problem += f" {counted(n_new, 'new run')}: it would lie below {self.lowest:g}, the lowest score"
        raise InputError.plain(
            "runs", problem, "Pass more runs of the unchanged system, or judge the mean of more: --new-runs."
        )

    def _proposed(self, n_new: int) -> Floor:
        reach = float(ndtri((1 + self.hdi_prob) / 2)) * self.sd / sqrt(n_new)
        proposed = self.mean - self._reach(n_new, 1 - self.false_alarms) - self._skewness(n_new) + reach
        rounded = floor(proposed * 10**_DIGITS) / 10**_DIGITS  # never up, so that false alarms are no more frequent
        return Floor(n_new, rounded, rounded - reach, self.detectable_loss(n_new))

    def detectable_loss(self, n_new: int) -> float:
        """Return the loss that fails the gate with a probability of 0.8."""
        return self._reach(n_new, 1 - self.false_alarms) + self._reach(n_new, POWER) + self._skewness(n_new)

    def _amount(self, value: float) -> str:
        return self.scale.amount(f"{float(f'{self.scale.factor * value:.3g}'):g}")

    @property
    def headline(self) -> str:
        """Say how the runs vary."""
        known = f"{self.n} runs" if self.n_samples is None else f"{self.n} runs on the same {self.n_samples:,} examples"
        return (
            f"{known}: {one_line(self.measure_words)} is "
            f"{format_score(self.mean)} on average, standard deviation {self._amount(self.sd)} from run to run"
        )

    def gate(self, n_new: int, candidate: str, reading: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
        """Yield the lines of a gate, with the figures in a comment."""
        proposed, runs = self.floor(n_new), counted(n_new, "run")
        low, high, mean = map(format_score, (min(self.scores), max(self.scores), self.mean))
        often = f"in at most {percent(self.false_alarms)} of cases if nothing changed, in {POWER:.0%} if it lost"
        figures = (
            f"{self.n} runs of the unchanged system scored {low} to {high}, {mean} on average; standard deviation from "
            f"run to run: {self._amount(self.sd)}. This gate fails when the mean of {runs} is below "
            f"{_digits(proposed.fails_below)}: {often} {self._amount(proposed.detectable_loss)}."
        )
        yield from (f"  # {line}" for line in wrap(figures, 96, break_long_words=False, break_on_hyphens=False))
        yield '  "no-drop":'
        yield f"    candidate: {json.dumps(candidate)}  # {runs} of what is tested{', a file each' * (n_new > 1)}"
        for key, value in {"measure": json.dumps(self.measure), **reading}.items():
            yield f"    {key}: {value}"
        yield f"    floor: {_digits(proposed.floor)}"
        yield f"    run_sd: {self.sd:g}"
        if self.hdi_prob != ARGUMENTS["hdi_prob"].default:
            yield f"    hdi_prob: {self.hdi_prob:g}"

    def to_dict(self, n_new: int) -> dict[str, Any]:
        """Return every figure, JSON-able."""
        figures = {**opened(self), "mean": self.mean, "sd": self.sd}
        del figures["scale"]
        found: dict[str, Any] = plain({**figures, **opened(self.floor(n_new))})
        return found


def read_scores(text: str) -> list[float]:
    r"""Read scores of runs: numbers, one below the other or between commas, with or without the head score.

    Examples
    --------
    >>> read_scores("0.8, 0.9"), read_scores("score\n0.8\n0.9")
    ([0.8, 0.9], [0.8, 0.9])
    """
    fields = [field for field in re.split(r"[\s,\[\]]+", text) if field]
    numbers = fields[1:] if fields[:1] == ["score"] else fields
    if len(numbers) > 1 and {"0", "1"} & {*numbers} and not any("." in each for each in numbers):
        raise InputError("scores", "scores with decimal points, such as 0.845", shown(text))  # 0,845
    return [_score(field, number) for number, field in enumerate(numbers, start=1)]


def _are_shares(values: Iterable[float]) -> bool:
    return all(0 <= each <= 1 for each in values)


def _score(text: str, number: int) -> float:
    try:
        score = float(text)
    except ValueError:
        score = inf
    if not isfinite(score):
        problem = f"Number {number} is no score such as 0.845, but {shown(text)}"
        advice = "Pass numbers between commas, or the path of a file of such numbers."
        raise InputError.plain("scores", problem, advice)
    return score


def _digits(score: float) -> str:
    return f"{score:.{_DIGITS}f}"
