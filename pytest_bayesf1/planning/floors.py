"""The floor of a system that does not change, from runs of it on the same examples.

The scores of runs are taken as independent draws from a normal distribution whose mean and variance are unknown. Given
R of them, with mean m and standard deviation s, the mean of K more is m + s t sqrt(1/K + 1/R), where t follows
Student's distribution with R - 1 degrees of freedom. Counts of right answers are skewed, which makes low means a little
more frequent than that: one example in all, 1 / (N sqrt(K)), is allowed for it. A gate with a floor and s as ``run_sd``
fails when the mean lies below the floor by more than z s / sqrt(K), half the width of its HDI: so the floor is chosen.

Runs of a night, folder or file may share a fault. Where three or more are known, K new runs are those of another one.
Its mean varies as the G means of these do, with variance b and n runs each (harmonic mean), and where K < n also by
w (1/K - 1/n), w being the variance within them. Each part takes its own quantile, which is never too little for their
sum: the mean lies sqrt(b (1 + 1/G) t^2 + w (1/K - 1/n) t^2) below, with G - 1 and R - G degrees of freedom. A drift of
nights goes on, so that is below the lowest mean of the newest of them, two or more, where the order of nights is known.

PYTEST_DONT_REWRITE
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, inf, isfinite, sqrt
from pathlib import Path
from textwrap import wrap
from types import MappingProxyType
from typing import Any, Unpack

import numpy as np
from scipy.special import ndtri, stdtrit

from pytest_bayesf1.choices import OnNewTestSet
from pytest_bayesf1.comparison.arguments import ARGUMENTS, Options, SharedArguments, resolved
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.comparison.subject import AnyMeasure, subject_of_one, words_of
from pytest_bayesf1.data.paired import Side
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.errors import InputError, arg, shown
from pytest_bayesf1.results.formatting import POWER, format_score
from pytest_bayesf1.results.schema import opened, plain
from pytest_bayesf1.text import Scale, begun, brief, counted, one_line, percent, scale_of

FEWEST_RUNS, ENOUGH = 3, 8
FALSE_ALARMS = 0.01
_MOST_NEW = 100
_SHOWN = (1, 2, 3, 5, 10, 20)
_DIGITS = 4
_FEWEST_IN_ORDER = 4
_SHOW_DRIFT = 2
"""Runs of a night that show a drift among few nights, or more often make the floor allow for it."""
_CHANCE = 0.05
_DATE = re.compile(r"(?<!\d)(20\d\d)([-_./]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?=(?:\d{4}|\d{6})?(?!\d))")


@dataclass(frozen=True)
class Groups:
    """Which runs may share a fault.

    Attributes
    ----------
    noun
        What a group is: a night, folder, file or group; a run where no groups are known.
    of_runs
        The group of every run.
    """

    noun: str = "run"
    of_runs: tuple[str, ...] = ()

    @cached_property
    def names(self) -> list[str]:
        """Each group once, nights by date."""
        return sorted({*self.of_runs}) if self.noun == "night" else list(dict.fromkeys(self.of_runs))

    @property
    def units(self) -> str:
        """How many there are of what."""
        return counted(len(self.names), self.noun)

    @classmethod
    def of_files(cls, runs: Sequence[tuple[Path, str]]) -> "Groups":
        """Group runs, each a file and its name in it, by date; else by folder or file, where several hold several.

        Examples
        --------
        >>> Groups.of_files([(Path(f"llama-20240806/2026-11-{day}T03-00.csv"), "") for day in (20, 20, 21)])
        Groups(noun='night', of_runs=('2026-11-20', '2026-11-20', '2026-11-21'))
        """
        dates = [_dates(f"{path.as_posix()} {run}") for path, run in runs]
        if all(dates):
            shared = set.intersection(*map(set, dates))  # such as the date of a model's version
            return cls("night", tuple(([day for day in each if day not in shared] or each)[-1] for each in dates))
        folders, files = ([place(path).as_posix() for path, _ in runs] for place in (lambda path: path.parent, Path))
        for noun, found in (("folder", folders), ("file", files)):
            if 1 < len({*found}) < len(found):
                return cls(noun, tuple(found))
        return cls()


NO_GROUPS = Groups()


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
    groups
        Of the runs.
    """

    scores: tuple[float, ...]
    measure: str
    measure_words: str
    scale: Scale
    n_samples: int | None
    hdi_prob: float
    false_alarms: float = FALSE_ALARMS
    lowest: float = -inf
    groups: Groups = NO_GROUPS

    def __post_init__(self) -> None:
        """Refuse too few runs, and runs that do not vary."""
        if not 0 < self.false_alarms < 0.5:
            raise InputError(
                arg("false_alarms"), "a probability between 0 and 0.5, such as 0.01", f"{self.false_alarms:g}"
            )
        if self.n < FEWEST_RUNS:
            expected = f"at least {FEWEST_RUNS} runs, better {ENOUGH}, to estimate how much scores vary"
            raise InputError("runs", expected, f"{self.n}", "Run the unchanged system again.")
        if self.sd == 0:
            advice = "Compare new predictions with those of one run: bayesf1 compare OLD NEW --rope 0.01"
            raise InputError.plain("runs", f"All {self.n} have the same score, {self.mean:g}", advice)

    @classmethod
    def of(
        cls,
        runs: Mapping[str, Side],
        false_alarms: float = FALSE_ALARMS,
        groups: Groups = NO_GROUPS,
        **given: Unpack[SharedArguments],
    ) -> "RunScores":
        """Score runs, which must be of the same examples."""
        options, (first, *_) = Options.resolve(**given), runs
        scores = []
        for name, side in runs.items():
            difference = Sides.aligned(runs[first], side).difference_on(OnNewTestSet.ERROR)
            if difference:
                raise InputError.plain(name, f"Not about the examples of {first}, as every run is: {difference}")
            subject = subject_of_one(side, options)
            measure: AnyMeasure = subject.measure(options.measure)
            scores.append(subject.observed(measure).scores[0])
        if subject.n_samples == (1,):  # a file of one row holds the score of its run
            return cls.of_scores(scores, options.hdi_prob, false_alarms, groups)
        words, scale = words_of(measure, subject, options), scale_of(custom_measure=not measure.bounded)
        (n_samples,) = subject.n_samples
        values = [each for side in runs.values() if isinstance(side, Scores) for each in side.scores.flat]
        is_share = measure.name == "mean" and _are_shares(values)
        lowest = 0 if is_share else measure.lowest
        known = (n_samples, options.hdi_prob, false_alarms, lowest, groups)
        return cls(tuple(scores), measure.name, words, scale, *known)

    @classmethod
    def of_scores(
        cls,
        scores: Iterable[float],
        hdi_prob: float | None = None,
        false_alarms: float = FALSE_ALARMS,
        groups: Groups = NO_GROUPS,
    ) -> "RunScores":
        """Take scores as they are; where all lie between 0 and 1, so does every score."""
        found = tuple(scores)
        is_share = _are_shares(found)
        prob, scale = resolved("hdi_prob", hdi_prob), scale_of(custom_measure=not is_share)
        return cls(found, "mean", "the score", scale, None, prob, false_alarms, 0 if is_share else -inf, groups)

    @property
    def n(self) -> int:
        """How many runs there are."""
        return len(self.scores)

    @property
    def mean(self) -> float:
        """Their mean score, in which groups count alike."""
        return float(np.mean(self._means))

    @cached_property
    def sd(self) -> float:
        """Standard deviation from run to run, to as many digits as a gate says."""
        return float(f"{np.std(self.scores, ddof=1):.{_DIGITS}g}") if len(set(self.scores)) > 1 else 0.0

    @property
    def _by_group(self) -> bool:
        return len(self.groups.names) >= FEWEST_RUNS

    @property
    def _in_order(self) -> bool:
        return self._by_group and self.groups.noun == "night"

    @cached_property
    def _units(self) -> list[list[float]]:
        """The scores of each group; of each run where too few groups are known."""
        if not self._by_group:
            return [[score] for score in self.scores]
        pairs = [*zip(self.groups.of_runs, self.scores, strict=True)]
        return [[score for group, score in pairs if group == name] for name in self.groups.names]

    @cached_property
    def _means(self) -> list[float]:
        return [sum(scores) / len(scores) for scores in self._units]

    @cached_property
    def _n_newest(self) -> int:
        """How many of the groups the floor goes by: the newest nights where these score lower than all."""
        n = len(self._means)
        newest = np.cumsum(self._means[::-1]) / np.arange(1, n + 1)
        return 2 + int(newest[1:].argmin()) if self._in_order else n

    @cached_property
    def _centre(self) -> float:
        """The mean of these."""
        return float(np.mean(self._means[-self._n_newest :]))

    @property
    def _by_means(self) -> str:
        mean, centre = map(format_score, (self.mean, self._centre))
        of_newest = "" if centre == mean else f", the newest {self._n_newest} of which average {centre}"
        return f"by the means of {self.groups.units}{of_newest}"

    @cached_property
    def _runs_of_each(self) -> float:
        """How many runs a group has, as their harmonic mean."""
        return len(self._units) / sum(1 / len(scores) for scores in self._units)

    @cached_property
    def _variances(self) -> tuple[float, float]:
        """Of the groups' means, no less than chance alone makes it, and of the runs within a group."""
        pairs = zip(self._units, self._means, strict=True)
        within = sum((score - mean) ** 2 for scores, mean in pairs for score in scores) / self._n_within
        return max(float(np.var(self._means, ddof=1)), within / self._runs_of_each), within

    @property
    def _n_within(self) -> int:
        """How many degrees of freedom the variance within groups has."""
        return max(self.n - len(self._units), 1)

    def _reach(self, n_new: int, prob: float) -> float:
        """Return how far from this mean the mean of new runs lies at most, with this probability."""
        (between, within), n_units = self._variances, len(self._units)
        n_new_units = 1 if self._by_group else n_new
        square = between * (1 / n_new_units + 1 / n_units) * float(stdtrit(n_units - 1, prob)) ** 2
        if n_new < self._runs_of_each:
            square += within * (1 / n_new - 1 / self._runs_of_each) * float(stdtrit(self._n_within, prob)) ** 2
        return sqrt(square)

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
        serves = (n for n in range(n_new, _MOST_NEW + 1) if self._proposed(n).fails_below > self.lowest)
        enough = next(serves, None)
        more = "" if enough is None else f", or judge the mean of {enough}: --new-runs {enough}"
        raise InputError.plain("runs", problem, f"Pass more {self._unit}s of the unchanged system{more}.")

    def _proposed(self, n_new: int) -> Floor:
        reach = float(ndtri((1 + self.hdi_prob) / 2)) * self.sd / sqrt(n_new)
        proposed = self._centre - self._reach(n_new, 1 - self.false_alarms) - self._skewness(n_new) + reach
        rounded = floor(proposed * 10**_DIGITS) / 10**_DIGITS  # never up, so that false alarms are no more frequent
        return Floor(n_new, rounded, rounded - reach, self.detectable_loss(n_new))

    def detectable_loss(self, n_new: int) -> float:
        """Return the loss that fails the gate with a probability of 0.8."""
        reach = self._reach(n_new, 1 - self.false_alarms) + self._reach(n_new, POWER)
        return self.mean - self._centre + reach + self._skewness(n_new)

    def runs_to_find(self, loss: float) -> int:
        """Return the fewest new runs that find a loss with a probability of 0.8; raise `InputError` if none do."""
        if not 0 < loss < inf:
            raise InputError(arg("loss"), "a loss above 0, such as 0.03 for three points", f"{loss:g}")
        found = next((n_new for n_new in range(1, _MOST_NEW + 1) if self.detectable_loss(n_new) <= loss), None)
        if found is None:
            least = self._amount(self.detectable_loss(_MOST_NEW))
            problem = f"{self.n} runs of the unchanged system cannot show a loss of less than {least}"
            advice = f"Pass more {self._unit}s: the floor can then lie closer to their mean."
            raise InputError.plain(arg("loss"), problem, advice)
        return found

    @property
    def _unit(self) -> str:
        """What varies independently."""
        return self.groups.noun if self._by_group else "run"

    def _amount(self, value: float) -> str:
        return self.scale.amount(f"{float(f'{self.scale.factor * value:.3g}'):g}")

    @property
    def headline(self) -> str:
        """Say how the runs vary."""
        known = f"{self.n} runs" if self.n_samples is None else f"{self.n} runs on the same {self.n_samples:,} examples"
        return (
            f"{known}: {one_line(self.measure_words)} is "
            f"{format_score(self.mean)} on average, standard deviation {self._amount(self.sd)} from run to run"
            f"{f'; floors {self._by_means}' if self._by_group else ''}"
        )

    @property
    def supposed(self) -> str:
        """Say what the figures suppose of the runs, and how they would suppose less."""
        if self._by_group:
            unit, n = self._unit, ceil(self._runs_of_each)
            new = f"new runs of one {unit}. More than {n} of these help only if you pass more of each {unit}."
            more = "" if len(self._units) >= ENOUGH else f" Pass {ENOUGH} {unit}s for a higher floor."
            return f"These figures suppose independent {unit}s, and {new}{more}"
        if self.groups.names:
            return "These figures suppose independent runs."
        how = "put the date into each file's name, such as 2026-11-20-run1.csv."
        if self.n_samples is None:
            how = "pass CSV with the columns date and score."
        return f"These figures suppose independent runs. To allow for nights, {how}"

    @property
    def warnings(self) -> list[str]:
        """Say what makes the figures doubtful, and what to do."""
        noun, names, found = self.groups.noun, self.groups.names, []
        if names and not self._by_group:
            problem = f"All {self.n} runs are of {self.groups.units} ({' and '.join(map(brief, names))}), so a fault"
            problem += f" that the runs of a {noun} share is not in these figures."
            found.append(f"{problem} Pass runs of {ENOUGH} nights{'' if noun == 'night' else f', a {noun} each'}.")
        span = f" ({brief(names[0])} to {brief(names[-1])})" if self._by_group else ""
        if shown := self._order():
            problem = f"{shown}{span}, but these figures suppose independent {self._unit}s."
            found.append(f"{problem} Find what changes over time before you use this floor.")
        elif self._in_order and len(names) < ENOUGH and self._runs_of_each < _SHOW_DRIFT:
            problem = f"{self.groups.units}{span} with hardly more than one run each may hide a drift, which makes"
            advice = f"Pass {_SHOW_DRIFT} runs or more of each {noun}, or {ENOUGH} {noun}s."
            found.append(f"{problem} false alarms up to three times as frequent. {advice}")
        return found

    def _order(self) -> str:
        """Say what the order of runs or groups shows, if chance alone would show it in one of twenty histories."""
        from_mean, n = np.array(self._means) - self.mean, len(self._means)
        if n < _FEWEST_IN_ORDER or np.ptp(self._means) == 0:
            return ""
        time, total = np.arange(n) - (n - 1) / 2, from_mean @ from_mean
        correlation = from_mean @ time / sqrt(total * (time @ time))
        t = float(stdtrit(n - 2, 1 - _CHANCE / 2))
        if abs(correlation) > t / sqrt(t**2 + n - 2):
            return f"Later {self._unit}s score {'higher' if correlation > 0 else 'lower'}"
        # von Neumann's ratio, whose mean is 2, and its variance under independence
        is_low = np.square(np.diff(from_mean)).sum() / total < 2 + ndtri(_CHANCE) * 2 * sqrt((n - 2) / (n**2 - 1))
        return f"Neighbouring {self._unit}s score alike" if is_low else ""

    def table(self, n_new: int) -> list[tuple[str, ...]]:
        """Return floors for several numbers of new runs, below the names of the columns."""
        columns = ("new runs", "floor", "fails below a mean of", f"finds in {POWER:.0%}")
        most = ceil(self._runs_of_each) if self._by_group else _MOST_NEW
        floors = map(self._proposed, sorted({*(n for n in _SHOWN if n <= most), n_new}))
        rows = [
            (f"{each.n_runs}", *map(_digits, (each.floor, each.fails_below)), self._amount(each.detectable_loss))
            for each in floors
            if each.fails_below > self.lowest
        ]
        return [columns, *rows]

    def gate(
        self, n_new: int, candidate: str, reading: Mapping[str, str] = MappingProxyType({}), name: str = "no-drop"
    ) -> Iterator[str]:
        """Yield the lines of a gate, with the figures in a comment."""
        proposed, runs = self.floor(n_new), counted(n_new, "run")
        low, high, mean = map(format_score, (min(self.scores), max(self.scores), self.mean))
        often = f"in at most {percent(self.false_alarms)} of cases if nothing changed, in {POWER:.0%} if it lost"
        by, of_one = "This", ""
        if self._by_group:
            by, of_one = f"{begun(self._by_means)}, this", f" of one {self._unit}"
        figures = (
            f"{self.n} runs of the unchanged system scored {low} to {high}, {mean} on average; standard deviation from "
            f"run to run: {self._amount(self.sd)}. {by} gate fails when the mean of {runs}{of_one} is below "
            f"{_digits(proposed.fails_below)}: {often} {self._amount(proposed.detectable_loss)}."
        )
        for comment in (*self.warnings, figures):
            yield from (f"  # {line}" for line in wrap(comment, 96, break_long_words=False, break_on_hyphens=False))
        yield f"  {json.dumps(name)}:"
        yield f"    candidate: {json.dumps(candidate)}  # {runs} of what is tested{', a file each' * (n_new > 1)}"
        for key, value in {"measure": json.dumps(self.measure), **reading}.items():
            yield f"    {key}: {value}"
        yield f"    floor: {_digits(proposed.floor)}"
        yield f"    run_sd: {self.sd:g}"
        if self.hdi_prob != ARGUMENTS["hdi_prob"].default:
            yield f"    hdi_prob: {self.hdi_prob:g}"

    def to_dict(self, n_new: int) -> dict[str, Any]:
        """Return every figure, JSON-able."""
        figures = {**opened(self), "mean": self.mean, "sd": self.sd, "warnings": self.warnings}
        del figures["scale"]
        found: dict[str, Any] = plain({**figures, **opened(self.floor(n_new))})
        return found


def read_scores(text: str) -> dict[str, tuple[list[float], Groups]]:
    r"""Read scores of runs of each model: numbers, one below the other or between commas, or CSV of model and score.

    A column date or group says which runs may share a fault.

    Examples
    --------
    >>> read_scores("0.8, 0.9")
    {'': ([0.8, 0.9], Groups(noun='run', of_runs=()))}
    >>> read_scores("model,score,date\nold,0.8,20261120\nold,0.9,20261121")
    {'old': ([0.8, 0.9], Groups(noun='night', of_runs=('2026-11-20', '2026-11-21')))}
    """
    first = text.partition("\n")[0]
    head, *rows = csv.reader(text.splitlines(), delimiter=max(";,\t", key=first.count))
    names = [name.strip().lower() for name in head]
    if "score" not in names:
        numbers = [field for field in re.split(r"[\s,\[\]]+", text) if field]
        if len(numbers) > 1 and {"0", "1"} & {*numbers} and not any("." in each for each in numbers):
            raise InputError(arg("scores"), "scores with decimal points, such as 0.845", shown(text))  # 0,845
        return {"": ([_score(field, number) for number, field in enumerate(numbers, start=1)], NO_GROUPS)}
    by = next((name for name in ("group", "date") if name in names), "")
    found: dict[str, list[tuple[float, str]]] = {}
    for number, row in enumerate(rows, start=1):
        fields = dict(zip(names, map(str.strip, row), strict=False))
        if fields:
            group = _group(by, fields.get(by, ""), number) if by else ""
            found.setdefault(fields.get("model", ""), []).append((_score(fields.get("score", ""), number), group))
    noun = {"date": "night", "group": "group"}.get(by, "")
    return {
        model: ([score for score, _ in runs], Groups(noun, tuple(group for _, group in runs)) if by else NO_GROUPS)
        for model, runs in found.items()
    }


def _group(by: str, text: str, number: int) -> str:
    names = _dates(text) if by == "date" else [text]
    if not any(names):
        example = " such as 2026-11-20" if by == "date" else ""
        advice = "Write one for every score, or leave the column out."
        raise InputError.plain(arg("scores"), f"Score {number} has no {by}{example}, but {shown(text)}", advice)
    return names[0]


def _dates(text: str) -> list[str]:
    """Find every date of a text."""
    return ["-".join(found.group(1, 3, 4)) for found in _DATE.finditer(text)]


def _are_shares(values: Iterable[float]) -> bool:
    return all(0 <= each <= 1 for each in values)


def _score(text: str, number: int) -> float:
    try:
        score = float(text)
    except ValueError:
        score = inf
    if not isfinite(score):
        problem = f"Number {number} is no score such as 0.845, but {shown(text)}"
        advice = (
            "Pass numbers between commas, or a file that exists: numbers alone, or CSV with columns model and score."
        )
        raise InputError.plain(arg("scores"), problem, advice)
    return score


def _digits(score: float) -> str:
    return f"{score:.{_DIGITS}f}"
