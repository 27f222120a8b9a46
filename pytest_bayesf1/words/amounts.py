"""Differences, scores, chances and losses as short plain text, wherever they are shown."""

from collections.abc import Sequence
from math import floor, log10
from typing import Protocol

from pytest_bayesf1.results.comparison import POWER, Doubt, Score, SharedExamples
from pytest_bayesf1.results.comparison import ComparisonFigures as Figures
from pytest_bayesf1.results.policy import NOT_WORSE, Ends, Policy
from pytest_bayesf1.text import (
    MINUS,
    Interval,
    Scale,
    brief,
    class_named,
    counted,
    level,
    one_line,
    percent,
    rope_end,
    rounded,
    scale_of,
    scores,
    whole_percent,
)

LONGEST_TEXT = 2_000
"""Characters about one result: only unreadably long names exceed it."""

_LONGEST_NAME = 200


def name_text(text: object) -> str:
    """Put a name on one line, and leave out the middle of one that is too long."""
    return shortened(one_line(text), _LONGEST_NAME)


class _OfLevel(Protocol):
    @property
    def hdi_prob(self) -> float: ...


def likely(result: _OfLevel) -> str:
    """Name the interval that a true value likely lies in: ``95% likely``, before its ends."""
    return f"{level(result.hdi_prob)} likely"


def likely_to_miss(result: _OfLevel, n: int) -> str:
    """Say how many of n such intervals may miss."""
    expected, right = n * (1 - result.hdi_prob), f"Each interval is right {level(result.hdi_prob)} of the time"
    if expected < 1:
        return f"{right}; the chance that any of {n:,} misses is up to {whole_percent(expected)}."
    return f"{right}; among {counted(n, 'interval')}, expect about {round(expected):,} to miss."


def shortened(text: str, longest: int) -> str:
    """Leave out the middle of a text that is too long, and say how much, where that is shorter."""
    half = longest // 2
    short = f"{text[:half]}[{len(text) - 2 * half:,} characters left out]{text[-half:]}"
    return text if len(text) <= max(longest, len(short)) else short


_MOST_DECIMALS = 6


class Amounts:
    """Writes differences of a measure, all with the same decimals: as many as the width of their interval deserves."""

    def __init__(self, scale: Scale, interval: Interval, rope: Sequence[float] = ()) -> None:
        self._scale, self._rope = scale, rope
        low, high = (scale.factor * end for end in interval)
        width = (high - low) * (5 if scale.unit else 1)  # points have one decimal from 0.2 on, as scores have three
        decimals = min(max(1 - floor(log10(width)), 1), 4) if width > 0 else 1
        ends = [(end, scale.factor * bound) for end in (low, high) for bound in rope]
        while decimals < _MOST_DECIMALS and any(_seems(end, decimals, bound) for end, bound in ends):
            decimals += 1
        self._decimals = decimals

    @classmethod
    def of(cls, comparison: Figures, interval: Interval | None = None) -> "Amounts":
        """Write the differences of a comparison."""
        scale = scale_of(custom_measure=comparison.custom_measure)
        return cls(scale, comparison.hdi if interval is None else interval, comparison.rope)

    @property
    def unit(self) -> str:
        """``points``, or nothing."""
        return f"{self._scale.unit}s" if self._scale.unit else ""

    @property
    def factor(self) -> float:
        """By what a difference is multiplied to be read."""
        return self._scale.factor

    @property
    def rope(self) -> str:
        """The ROPE in the column of a table."""
        low, high = (self._scale.factor * bound for bound in self._rope)
        return f"±{high:g}" if -low == high else f"{low:+g} to {high:+g}".replace("-", MINUS)

    def signed(self, change: float) -> str:
        """Write a difference with its sign."""
        return self._digits(change, "+z")

    def with_unit(self, change: float) -> str:
        """Write a difference with its sign and its unit."""
        return self._scale.amount(self.signed(change))

    def size(self, change: float) -> str:
        """Write how far a measure moved, whichever way."""
        return self._scale.amount(self._digits(abs(change)))

    def move(self, change: float) -> str:
        """Say which way a measure moved, and how far."""
        if float(self._digits(abs(change))) == 0:
            return f"changed by less than {self._scale.amount(f'{10**-self._decimals:g}')}"
        return f"{'fell' if change < 0 else 'rose'} {self.size(change)}"

    def interval(self, interval: Interval) -> str:
        """Write an interval of differences with their signs."""
        return " to ".join(map(self.signed, interval))

    def spoken(self, interval: Interval, moved: float = 0.0) -> str:
        """Write an interval as part of a sentence: of sizes, unless it needs its signs.

        It needs them where it holds 0, and beside a score that moved the other way.
        """
        low, high = interval
        if low < 0 < high or min(low * moved, high * moved) < 0:
            return self.interval(interval)
        return " to ".join(self._digits(size) for size in sorted((abs(low), abs(high))))

    def text(self, change: float, interval: Interval) -> str:
        """Write a difference and its interval."""
        return f"{self.signed(change)} ({self.interval(interval)})"

    def _digits(self, change: float, sign: str = "") -> str:
        return f"{self._scale.factor * change:{sign}.{self._decimals}f}".replace("-", MINUS)


def _seems(end: float, decimals: int, bound: float) -> bool:
    """Whether a number, once it is rounded, seems not to be on the side of a bound where it is."""
    shown = round(end, decimals)
    return end != bound and (shown - bound) * (end - bound) <= 0


_DECIMALS = 3
_EXACT = 12
"""Decimals beyond which sums differ by their order: 0.8475 is to look the same wherever it comes from."""


def before_after(comparison: Figures) -> str:
    """Write the observed scores, as scikit-learn computes them; of a pool, which has few labels, their HDIs."""
    return " → ".join(
        format_score(score.observed) if comparison.pool is None else scores(score.hdi)
        for score in (comparison.baseline, comparison.candidate)
    )


def with_range(comparison: Figures, score: Score) -> str:
    """Write a side's score; of a pool, which has few labels, with its HDI."""
    observed = format_score(score.observed)
    return observed if comparison.pool is None else f"{observed} ({likely(comparison)} {scores(score.hdi)})"


def moved(comparison: Figures) -> str:
    """Say how the observed score moved, and how far it likely did: ``F1 fell 7.0 points, from 0.98 to 0.91 (…)``.

    Of a pool both scores are far less certain than their difference, and left out; a judge's are corrected apart.
    """
    amounts = Amounts.of(comparison)
    before, after = format_score(comparison.baseline.observed), format_score(comparison.candidate.observed)
    change = amounts.move(comparison.change)
    if comparison.pool is None and comparison.judge is None:
        change = f"stayed at {before}" if before == after else f"{change}, from {before} to {after}"
    interval = f"{likely(comparison)} {amounts.spoken(comparison.hdi, comparison.change)}"
    return f"{one_line(comparison.measure_words)} {change} ({interval})"


def allowed(comparison: Figures, policy: Policy = NOT_WORSE) -> str:
    """Write what a gate asks for: ``allow 1``, ``allow no loss`` or ``demand more than +1``."""
    amount = format_allowed(comparison, policy)
    if policy.ends is Ends.HIGH:
        return f"demand more than {amount.removeprefix('> ')}"
    return "allow no loss" if amount == "0" else f"allow {amount}"


def format_allowed(comparison: Figures, policy: Policy) -> str:
    """Write which loss a policy allows, or which gain it demands, as a number: ``1``, ``> +1`` or ``±1``."""
    low, high = scaled(comparison.rope, Amounts.of(comparison).factor)
    match policy.ends:
        case Ends.HIGH:
            return f"> {rope_end(high)}"
        case Ends.BOTH:
            return Amounts.of(comparison).rope
    return f"{abs(low):g}"


def format_change(comparison: Figures, policy: Policy = NOT_WORSE) -> str:
    """Write how much the observed score changed, and what is allowed: ``−7.0 points (you allow 1)``."""
    return f"{Amounts.of(comparison).with_unit(comparison.change)} (you {allowed(comparison, policy)})"


def format_score(score: float) -> str:
    """Write a score to a thousandth, and one of a measure that goes far beyond 1 with as many digits as that has."""
    score = round(score, _EXACT)
    decimals = _DECIMALS if abs(score) < 10 else max(_DECIMALS - floor(log10(abs(score))), 0)
    return f"{score:z,.{decimals}f}".replace("-", MINUS)


def scaled(interval: Interval, factor: float) -> Interval:
    """Multiply both ends."""
    return factor * interval[0], factor * interval[1]


_TOLD_AS_TIMES = 10
"""From here on the number of examples that are needed says less than what multiple it is."""


def doubt(shared: SharedExamples | None) -> str:
    """Say what may hide that the candidate is worse; nothing where nothing may."""
    if shared is None:
        return ""
    match shared.doubt:
        case Doubt.LACKING:
            return f"the candidate lacks {counted(shared.n_lacking, 'example')} of the baseline"
        case Doubt.OLD_LABELS if shared.decision_on_old_truth is not None:
            return f"by the baseline's labels the candidate is {shared.decision_on_old_truth.words}"
        case Doubt.WHOLE if shared.decision_on_whole is not None:
            return f"on each side's whole test set the candidate is {shared.decision_on_whole.words}"
    return ""


def losses_found(figures: Figures) -> str:
    """Say which losses a gate finds, and which are allowed."""
    found = _losses_caught(figures)
    return f"{found}; you {allowed(figures)}" if found else f"no loss with probability {level(POWER)}, however large"


def gate_finds(figures: Figures) -> str:
    """Say in a sentence what a gate can see with this test set."""
    if figures.detectable_losses is None:
        return ""
    caught = _losses_caught(figures)
    if not caught:
        return f"With {_test_set(figures)} this gate is unlikely to catch any loss, however large."
    return f"With {_test_set(figures)} this gate catches {caught}."


def _losses_caught(figures: Figures) -> str:
    """Write the losses that a gate detects, spread evenly and of one class: nothing where it detects none."""
    assert figures.detectable_losses is not None
    found, one_class = figures.detectable_losses.power_80, figures.detectable_losses.one_class_80
    if found is None:
        return ""
    easy, hard = format_loss(figures, found), "" if one_class is None else format_loss(figures, one_class)
    evenly = " if spread evenly" if figures.n_classes > 1 and easy != hard else ""
    alone = f", {hard} if the rarest class alone loses" if hard and evenly else ""
    return f"losses of {format_amount(figures, found)} in {level(POWER)} of cases{evenly}{alone}"


def format_class_shares(figures: Figures) -> str:
    """Say how class shares differ between two test sets, and what that does to the change."""
    shares, amounts = figures.class_shares, Amounts.of(figures)
    assert shares is not None
    turned = "rose" if shares.candidate > shares.baseline else "fell"
    moved = f"{turned} from {percent(shares.baseline)} to {percent(shares.candidate)}"
    at_baseline, at_candidate, tested = map(
        amounts.with_unit, (shares.at_baseline, shares.at_candidate, figures.change)
    )
    equal = f"{at_baseline} at the baseline's and {at_candidate} at the candidate's"
    measure = brief(figures.measure_words, LONGEST_MEASURE)
    if not figures.custom_measure:  # a function is called what it is called
        measure = f"{measure[:1].upper()}{measure[1:]}"
    return (
        f"The share of {class_named(shares.label)} {moved}. {measure} "
        f"depends on it: with equal shares the change is {at_baseline if at_baseline == at_candidate else equal}, not "
        f"{tested}. Set prevalence to decide which."
    )


def format_chance(figures: Figures, policy: Policy) -> str:
    """Say how likely it is that more was lost than is allowed, or more gained than is demanded."""
    lost, gained = -figures.rope[0], figures.rope[1]
    chance, end, way = (figures.p_lost_more, lost, "lost")
    is_only_gain_open = policy.ends is Ends.BOTH and figures.hdi[0] >= figures.rope[0]
    if policy.ends is Ends.HIGH or is_only_gain_open:
        chance, end, way = (figures.p_gained_more, gained, "gained")
    what = f"more than {format_exactly(figures, end)}" if end else "anything"
    return f"that {what} was {way}: {likeliest(figures, chance)}"


def likeliest(figures: Figures, chance: float) -> str:
    """Say how likely it is, going by the changes before where they are known."""
    n_earlier = len(figures.earlier_changes)
    by = f", going by the {n_earlier} changes before" if n_earlier else " by this test set alone"
    return f"{whole_percent(chance)}{by}"


def format_exactly(figures: Figures, amount: float) -> str:
    """Write an amount as it was given, with its unit."""
    scale = scale_of(custom_measure=figures.custom_measure)
    return scale.amount(f"{scale.factor * amount:g}")


LONGEST_MEASURE = 39  # so long is macro-F1 at the class shares of the baseline


def amount_needed(figures: Figures, policy: Policy) -> str:
    """Write how many more examples settle what a policy asks in half of the cases."""
    n = figures.examples_needed.of(policy)
    assert n
    noun = "label" if figures.pool else "answer" if figures.judge else figures.example
    times = multiple_needed(figures, policy)
    return f"{times} times as many {noun}s" if times else f"{rounded(n)} more {noun}{'' if n == 1 else 's'}"


def more_needed(figures: Figures, policy: Policy) -> str:
    """Say so in a sentence."""
    amount = f"{amount_needed(figures, policy)}{', graded by people,' if figures.judge else ''}"
    return f"About {amount} would settle it in half of the cases, if the true change is the observed one."


def multiple_needed(figures: Figures, policy: Policy) -> str:
    """Write how many times as many examples would do so; empty where a number is easier to read."""
    times = 1 + (figures.examples_needed.of(policy) or 0) / (min(figures.n_samples) or 1)
    return rounded(round(times)) if times >= _TOLD_AS_TIMES else ""


def format_loss(figures: Figures, loss: float) -> str:
    """Write a loss without its unit, to two digits that count."""
    return f"{float(f'{scale_of(custom_measure=figures.custom_measure).factor * loss:.2g}'):,g}"


def format_amount(figures: Figures, loss: float) -> str:
    """Write a loss with its unit."""
    return scale_of(custom_measure=figures.custom_measure).amount(format_loss(figures, loss))


def _test_set(figures: Figures) -> str:
    if figures.clusters is not None:
        return f"{_numbers(figures.clusters.n)} {figures.clusters.noun}"
    numbers = _numbers(figures.n_samples)
    return f"{numbers} {figures.example}{'' if numbers == '1' else 's'}"


def _numbers(of_sides: Sequence[float]) -> str:
    return " and ".join(dict.fromkeys(f"{n:,}" for n in of_sides))


def no_forecast(figures: Figures) -> str:
    """Say what more examples, or labels or grades of those that there are, may do where no number of them would."""
    pool, judge = figures.pool, figures.judge
    if judge is not None and judge.n_human == min(figures.n_samples):
        return "People graded every answer: only more answers, graded by both, can tell more"
    if judge is not None:
        return "If the true change is the observed one, people's grades of these answers are unlikely to settle it"
    if pool is None:
        return "No number of examples is likely to settle it"
    if pool.n_labelled == pool.n_pool:
        return "Every example of the pool is labelled: only a larger pool can tell more"
    if figures.decision in ("<", ">"):
        return "No number of labels of this pool is likely to settle it"
    return "If the two are equally good, this pool is too small to prove it; a real difference may show sooner"
