"""What a comparison or an estimate found: in a line, in a sentence, and as figures by name.

And what to do about one that did not plainly pass.
"""

from collections.abc import Callable, Iterable, Iterator
from heapq import nsmallest
from itertools import accumulate, islice
from typing import TYPE_CHECKING, TypeAlias

from pytest_bayesf1.results.comparison import ComparisonFigures, Convergence, EstimateFigures, ScoreGap, Significance
from pytest_bayesf1.results.policy import AT_LEAST, NOT_WORSE, Decision, Outcome, Policy
from pytest_bayesf1.text import (
    begun,
    brief,
    counted,
    error,
    factor,
    grouped,
    one_line,
    p_value,
    percent,
    rope_end,
    rope_width,
    scale_of,
    scores,
    whole_percent,
)
from pytest_bayesf1.words.amounts import (
    LONGEST_MEASURE,
    Amounts,
    allowed,
    before_after,
    doubt,
    format_allowed,
    format_chance,
    format_change,
    format_class_shares,
    format_exactly,
    format_score,
    likeliest,
    likely,
    losses_found,
    more_needed,
    moved,
    multiple_needed,
    name_text,
    no_forecast,
    with_range,
)
from pytest_bayesf1.words.evidence import changed_examples, error_name, judge_alone, judge_errors, span_errors

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.result import Comparison, Estimate
    from pytest_bayesf1.reports.entry import Answered


Live: TypeAlias = "Comparison | Estimate"
"""A result with the data that it was computed from."""
Figures: TypeAlias = ComparisonFigures | EstimateFigures
"""Those of a result that was just computed, or of an entry of a report."""
Facts: TypeAlias = Iterator[tuple[str, str]]
"""Figures by name."""


def verdict_line(result: Figures, part: str = "", policy: Policy = NOT_WORSE) -> str:
    """Say it in the line above a failure.

    ``≪ F1 of spam −7.0 points (you allow 1): 0.982 → 0.912``, or ``F1 of spam 0.812 is below the floor of 0.9``.
    """
    what = ", ".join(filter(None, (brief(part), brief(result.measure_words, LONGEST_MEASURE))))
    if isinstance(result, EstimateFigures):
        return f"{what} {observed(result)} is {where(result, policy)} the floor of {result.floor:g}"
    each = "; each side corrected on its own" if result.judge else ""
    return f"{result.decision} {what} {format_change(result, policy)}{each}: {before_after(result)}"


def observed(result: Figures) -> str:
    """Write the observed score, or both: ``0.982 → 0.912``."""
    return format_score(result.score.observed) if isinstance(result, EstimateFigures) else before_after(result)


def change_and_interval(result: Figures) -> tuple[str, str]:
    """Write the observed change and its interval in the unit of the measure; of a score only its interval."""
    if isinstance(result, EstimateFigures):
        return "", " to ".join(map(format_score, result.score.hdi))
    amounts = Amounts.of(result)
    return amounts.signed(result.change), amounts.interval(result.hdi)


def change_of_measure(comparison: ComparisonFigures) -> str:
    """Write the measure, its observed change and the range: ``macro-F1 −5.0 points (95% likely −5.9 to −4.1)``."""
    amounts = Amounts.of(comparison)
    change = f"{name_text(comparison.measure_words)} {amounts.with_unit(comparison.change)}"
    return f"{change} ({likely(comparison)} {amounts.interval(comparison.hdi)})"


def allows(result: Figures, policy: Policy) -> str:
    """Write which loss a policy allows, which gain or which score it demands, without a unit."""
    return f"≥ {result.floor:g}" if isinstance(result, EstimateFigures) else format_allowed(result, policy)


def sample_size(estimate: EstimateFigures) -> str:
    """Say what was counted: of a measure of one class how much there is of it, which is what makes its range wide."""
    of_class = "" if estimate.n_of_class is None else f"{estimate.n_of_class:,} of "
    return f"{of_class}{counted(estimate.n_samples, estimate.example)}"


def where(estimate: EstimateFigures, policy: Policy) -> str:
    """Say where a score lies beside its floor; of an open one what the policy misses."""
    missed = "above" if policy.demands_proof else "below"
    return "below" if estimate.below_floor else "above" if estimate.above_floor else f"not clearly {missed}"


def title(result: Figures) -> str:
    """Write the first line of every text: the headline, and of a comparison its symbol."""
    symbol = "" if isinstance(result, EstimateFigures) else f"{result.decision} "
    return f"{symbol}{headline(result)}."


def headline(result: Figures) -> str:
    """Say the outcome in one sentence, without its full stop."""
    if isinstance(result, EstimateFigures):
        return _headline_of_score(result)
    return f"{moved(result)}{_what_that_means(result)}"


def _headline_of_score(estimate: EstimateFigures) -> str:
    score = estimate.score
    likely_range = f"{likely(estimate)} {scores(score.hdi)}"
    inside = f"{one_line(estimate.measure_words)} is {format_score(score.observed)} ({likely_range})"
    if estimate.floor is None or estimate.p_below_floor is None:
        return begun(inside)
    is_open = not (estimate.below_floor or estimate.above_floor)
    chance = f", P(below) {whole_percent(estimate.p_below_floor)}" if is_open else ""
    return f"{begun(where(estimate, AT_LEAST))} the floor of {estimate.floor:g}: {inside}{chance}"


def _what_that_means(comparison: ComparisonFigures) -> str:
    asked = f". You {allowed(comparison)}"
    high = format_exactly(comparison, comparison.rope[1])
    gained = f"gained more than {high}" if comparison.rope[1] else "is better"
    settled = {
        Decision.MUCH_WORSE: asked,
        Decision.WORSE: f"{asked}; {_chance('lost more', comparison, comparison.p_lost_more)}",
        Decision.EQUIVALENT: f"{asked}: the two are practically equivalent",
        Decision.BETTER: f"; {_chance(gained, comparison, comparison.p_gained_more)}",
        Decision.MUCH_BETTER: ": significantly better",
    }
    if comparison.decision is not Decision.UNDECIDED:
        return settled[comparison.decision]
    shares = comparison.class_shares
    if shares is not None and shares.decides:
        side = shares.decision.side
        least, whose = min((side * shares.at_baseline, "baseline"), (side * shares.at_candidate, "candidate"))
        change = Amounts.of(comparison).move(side * least)
        return f" as tested, but it {change} where both sides have the {whose}'s class shares: undecided"
    if why := doubt(comparison.shared_examples):
        return f" as tested, but {why}: undecided"
    if comparison.doubted_class is not None:
        return f"{asked}: too few {comparison.example}s of {one_line(comparison.doubted_class)} to tell"
    if comparison.is_not_inferior:
        return f"{asked}: no worse than that; whether it is better is open"
    return f"{asked}: too few {comparison.example}s to tell"


def _chance(what: str, comparison: ComparisonFigures, chance: float) -> str:
    return f"the chance that it {what} is {likeliest(comparison, chance)}"


def facts(result: Live, policy: Policy = NOT_WORSE) -> Facts:
    """Yield the figures by name, for everybody."""
    if isinstance(result, EstimateFigures):
        yield from _facts_of_score(result)
        return
    yield from _facts_of_change(result, policy)
    yield from _where_it_changed(result)
    yield from _how_it_was_computed(result)


def entry_facts(result: Figures, policy: Policy) -> Facts:
    """Yield those that an entry of a report has."""
    if isinstance(result, EstimateFigures):
        yield from _facts_of_score(result)
        return
    yield from _facts_of_change(result, policy)
    yield from _how_it_was_computed(result)


def _facts_of_score(estimate: EstimateFigures) -> Facts:
    yield "score", f"{observed(estimate)} on {sample_size(estimate)}"
    yield likely(estimate), scores(estimate.score.hdi)
    yield from judge_facts(estimate)
    if estimate.p_below_floor is not None:
        yield "floor", f"{estimate.floor:g}   P(below) {whole_percent(estimate.p_below_floor)}"
    yield "computed", computed(estimate)


def _facts_of_change(comparison: ComparisonFigures, policy: Policy) -> Facts:
    amounts = Amounts.of(comparison)
    yield "change", f"{amounts.with_unit(comparison.change)}   {likely(comparison)} {amounts.interval(comparison.hdi)}"
    yield from judge_facts(comparison)
    yield "ROPE", rope_width(comparison.rope, scale_of(custom_measure=comparison.custom_measure), ends=True)
    if not comparison.is_clear:
        yield "chance", format_chance(comparison, policy)
    n_baseline, n_candidate = (counted(n, comparison.example) for n in comparison.n_samples)
    yield "baseline", f"{with_range(comparison, comparison.baseline)} on {n_baseline}"
    yield "candidate", f"{with_range(comparison, comparison.candidate)} on {n_candidate}"
    if comparison.detectable_losses is not None:
        yield "gate finds", losses_found(comparison)
    if comparison.examples_needed.of(policy):
        yield "to settle", more_needed(comparison, policy)
    if found := comparison.contingency:
        one = f"only the baseline {found.only_baseline:,}, only the candidate {found.only_candidate:,}"
        yield "right", f"both {found.both_right:,}, {one}, neither {found.both_wrong:,}"


def _where_it_changed(comparison: "Comparison") -> Facts:
    if drops := _drops(comparison, one_line):
        yield "F1 falls in", "   ".join(drops)
    yield from _what_changed(comparison)


def _what_changed(comparison: "Comparison") -> Facts:
    if errors := fitting(islice(_explaining_errors(comparison), 2), _TWO_LINES):
        yield "errors", errors
    if comparison.known_changes is not None and (wrong := span_errors(comparison.known_changes.span_errors)):
        yield "wrong spans", wrong
    if changed := changed_examples(comparison.changed_values):
        yield "changed", changed


def _how_it_was_computed(comparison: ComparisonFigures) -> Facts:
    yield "model", f"{comparison.model}, because {comparison.model_reason}"
    yield "computed", computed(comparison)


def judge_facts(result: Figures) -> Facts:
    """Yield what a judge alone finds and how it errs, where people's grades correct it."""
    if result.judge is not None:
        yield "judge alone", judge_alone(result)
        yield "judge", judge_errors(result)


def computed(result: Figures) -> str:
    """Say how the figures were computed."""
    if isinstance(result, EstimateFigures) and result.run_sd is not None:
        return f"normal about the observed score, standard deviation {result.score.std:.2g}"
    drawn = f"{result.n_draws:,} draws{_chains(result.convergence)}"
    return f"{result.prior} prior, {drawn}, {result.engine} engine, seed {result.seed}"


def _chains(found: Convergence) -> str:
    if found.r_hat is None:
        return ""
    return f" ({found.n_chains} chains, R-hat {found.r_hat:.3f}, ESS {found.ess:,.0f})"


def statistics(result: "Live | Answered") -> Facts:
    """Yield probabilities, posterior means, Bayes factors and other tests by name, for those who ask for them."""
    if isinstance(result, EstimateFigures):
        yield "mean", format_score(result.score.mean)
        if result.run_sd is None:  # else nothing was drawn
            yield "MC error", f"{_errors(result.mcse_hdi)} of the HDI's bounds; {_clear(result)}"
        return
    amounts = Amounts.of(result)
    below, inside, above, worse, better = map(
        whole_percent, (result.p_below_rope, result.p_in_rope, result.p_above_rope, result.p_worse, result.p_better)
    )
    beside_rope = f"below the ROPE {below}, in it {inside}, above it {above}"
    yield "P", f"{beside_rope}   worse {worse}, better {better}, by this test set alone"
    change = f"change {amounts.with_unit(result.mean)}"
    means = f"baseline {format_score(result.baseline.mean)}   candidate {format_score(result.candidate.mean)}"
    yield "means", f"{change}   {means}"
    at_rope = factor(result.bayes_factor, result.bayes_factor_mcse)
    if at_rope != "undefined":  # else nothing is known before the data
        at_zero = factor(result.bayes_factor_sd, result.bayes_factor_sd_mcse)
        yield "BF", f"{at_rope} inside the ROPE   {at_zero} at 0"
    if result.classical_tests:
        yield "Yang & Liu", "   ".join(map(_classical_test, result.classical_tests))
    if outcomes := result.paired_outcomes:
        means = f"E(Δ) {outcomes.mean_difference:+z.4f}   E(ρ) {outcomes.mean_log_odds:+z.2f}"
        yield "Goutte & G.", f"P(π₁ > π₂) {percent(outcomes.p_first_better)}   {means}"
    of_mean, of_bounds = (_errors(sizes, amounts.factor) for sizes in ((result.mcse,), result.mcse_hdi))
    unit = f", in {amounts.unit}" if amounts.unit else ""
    yield "MC error", f"{of_mean} of the mean, {of_bounds} of the HDI's bounds{unit}; {_clear(result)}"


def _errors(sizes: Iterable[float | None], scale: float = 1.0) -> str:
    """Write Monte Carlo standard errors, of which some may be unknown."""
    return ", ".join("unknown" if size is None else error(scale * size) for size in sizes)


def _clear(result: Figures) -> str:
    return "the decision is clear of it" if result.settled else "the decision is not clear of it"


def brief_facts(result: Live, policy: Policy, *, is_warning: bool) -> Facts:
    """Yield what a failure or a warning says first, and of a failure where the loss is."""
    if isinstance(result, EstimateFigures):
        assert result.p_below_floor is not None  # what is judged has a floor
        _, interval = change_and_interval(result)
        yield likely(result), f"{interval}, P(below the floor) {whole_percent(result.p_below_floor)}"
        yield "tested on", sample_size(result)
        yield from judge_facts(result)
        return
    yield likely(result), f"{Amounts.of(result).interval(result.hdi)}, {result.decision_words}"
    yield from judge_facts(result)
    if not result.is_clear:
        yield "chance", format_chance(result, policy)
    is_open = policy.claim or not result.is_not_inferior
    if is_open and result.examples_needed.of(policy) and not multiple_needed(result, policy):  # which the advice says
        yield "to settle", more_needed(result, policy)
    if is_warning:
        return
    if drops := _drops(result, brief):
        yield "F1 falls in", fitting(drops, _ONE_LINE)
    yield from _what_changed(result)
    if result.decision is not Decision.MUCH_WORSE and result.detectable_losses is not None:
        yield "gate finds", losses_found(result)


_MOST_EXAMPLES = 3
_MOST_DROPS = 3
_ONE_LINE, _TWO_LINES = 58, 116
"""Characters of a fact on one line and on two."""


def _drops(comparison: "Comparison", name: Callable[[object], str]) -> list[str]:
    """Write the classes whose F1 falls most, each with both scores, if these differ as written."""
    falling = (each for each in comparison.classes if each.change < 0)
    most = nsmallest(_MOST_DROPS, falling, key=lambda each: each.change)
    drops = ((name(each.label), format_score(each.baseline), format_score(each.candidate)) for each in most)
    return [f"{label}: {before} → {after}" for label, before, after in drops if before != after]


def _explaining_errors(comparison: "Comparison") -> Iterator[str]:
    """Yield the errors that explain the change, each with some examples where they have names."""
    for each in comparison.known_changes.errors if comparison.known_changes is not None else ():
        if each.contribution * comparison.change > 0:
            pair = error_name(each, "as", brief)
            names = [brief(example.id) for example in each.examples[:_MOST_EXAMPLES]]
            names += ["…"] * (len(each.examples) > _MOST_EXAMPLES)
            examples = f" ({', '.join(names)})" if names else ""
            yield f"{pair}: {grouped(each.baseline)} → {grouped(each.candidate)}{examples}"


def fitting(texts: Iterable[str], room: int) -> str:
    """Join the first texts, as many as there is room for, and at least one."""
    joined = list(accumulate(texts, "{}, {}".format))
    return next((each for each in reversed(joined) if len(each) <= room), *joined[:1] or [""])


def _classical_test(test: Significance) -> str:
    found = p_value(test.p_value, "p")
    name = " of ".join(filter(None, (test.name.removesuffix("-test"), test.of)))
    return f"{name} {test.symbol} ({found})"


_STATE_SHARES = (
    "Say which class shares count: prevalence can be baseline or candidate (the shares of its test set), or test-set "
    "(each side at its own). It can also be shares such as fraud=0.01, those of production."
)


def advice(policy: Policy, result: Figures, outcome: Outcome) -> str:
    """Say what to do; nothing about what passed."""
    if outcome is Outcome.PASSED:
        return ""
    if isinstance(result, EstimateFigures):
        return policy.advice(result.decision)
    if result.doubted_class is not None:
        label = one_line(result.doubted_class)
        return f"Test on more {result.example}s of {label}: it alone may have lost more than you allow of the average."
    found = _STATE_SHARES if result.shares_decide else _filled(policy, result)
    return f"{found} {format_class_shares(result)}" if result.class_shares else found


def _filled(policy: Policy, comparison: ComparisonFigures) -> str:
    """Fill in what more examples do, the loss or gain, and the ends that the HDI crosses."""
    scale = scale_of(custom_measure=comparison.custom_measure)
    low, high = (scale.factor * end for end in comparison.rope)
    lost, gained = (scale.amount(f"{abs(end):g}") for end in (low, high))
    (start, end), rope = comparison.hdi, comparison.rope
    crossed = [f"below {rope_end(low)}"] * (start <= rope[0]) + [f"above {rope_end(high)}"] * (end >= rope[1])
    return policy.advice(comparison.decision).format(
        more=_more_examples(policy, comparison),
        fell=f"fell by more than the {lost} you allow" if low else "fell, and you allow no loss",
        rose=f"rose by more than the {gained} you demand" if high else "rose",
        ends=" and ".join(crossed),
        narrower=", or count smaller improvements too, by a narrower rope" if start > 0 else "",
    )


def _more_examples(policy: Policy, comparison: ComparisonFigures) -> str:
    """Say what more examples would do; they are advised only where they are not too many to get."""
    pool = comparison.pool
    if why := doubt(comparison.shared_examples):
        return f"More examples do not settle it, because {why}"
    if comparison.examples_needed.of(policy) is None:
        return no_forecast(comparison)
    if comparison.judge is not None:
        return "Have people grade more answers"
    if times := multiple_needed(comparison, policy):
        return f"It would take about {times} times as many examples to settle it"
    return "Test on more examples" if pool is None else "Label more examples"


def format_gap(gap: ScoreGap, overall: ComparisonFigures) -> str:
    """Write a gap in a sentence."""
    amounts = Amounts.of(overall, gap.candidate.interval)
    (best, worst), unit = map(one_line, (gap.best, gap.worst)), one_line(overall.measure_words)
    baseline = f"{amounts.size(gap.baseline.estimate)} ({amounts.spoken(gap.baseline.interval)})"
    return (
        f"The candidate's best and worst slices by {one_line(gap.by)}, {best} and {worst}, are "
        f"{amounts.size(gap.candidate.estimate)} of {unit} apart ({likely(overall)} "
        f"{amounts.spoken(gap.candidate.interval)}); the baseline's, {baseline}."
    )
