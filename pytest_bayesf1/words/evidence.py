"""What is behind a result: errors and examples that changed, what pairing brings, other tests, earlier scores."""

from collections.abc import Callable

from pytest_bayesf1.results.comparison import (
    NO_SPAN,
    ComparisonFigures,
    ErrorChange,
    EstimateFigures,
    JudgeFigures,
    ReportedChanges,
    SpanErrors,
)
from pytest_bayesf1.results.timeline import Trend
from pytest_bayesf1.text import MINUS, Scale, counted, first_few, flowed, p_value, scores
from pytest_bayesf1.words.amounts import LONGEST_TEXT, Amounts, format_score, name_text, shortened


def changes_headline(changes: ReportedChanges, measure: str, scale: Scale) -> str:
    """Say how far the observed score moved, and what explains most of it."""
    size = f"{abs(scale.factor * changes.change):.2f}"
    if float(size) == 0:
        return f"The observed {name_text(measure)} is the same on both sides."
    moved = f"The observed {name_text(measure)} {'fell' if changes.change < 0 else 'rose'} {scale.amount(size)}"
    error = changes.most_telling
    if error is None:
        return f"{moved}."
    amount = scale.amount(_signed(scale.factor * error.contribution, 2)[1:])
    other = "higher" if error.contribution < 0 else "lower"
    return f"{moved}. Without {error_name(error)} ({error_counts(error)}) it would be {amount} {other}."


def changes_note(changes: ReportedChanges, scale: Scale) -> str:
    """Say what is undone, and what other class shares add."""
    note = (
        "Each row undoes one error: it compares the candidate's score with what it would be with the baseline's answers"
    )
    rest = _signed(scale.factor * changes.rest, 2)
    if not changes.rest or rest[1:] == "0.00":
        return f"{note}. Rows need not add up to the change."
    return f"{note}. Other class shares change the score by {scale.amount(rest)}."


def error_name(error: ErrorChange, verb: str = "taken for", name: Callable[[object], str] = name_text) -> str:
    """Name an error on one line."""
    if error.predicted == NO_SPAN:
        return f"{name(error.true)} missed"
    if error.true == NO_SPAN:
        return f"{name(error.predicted)} spurious"
    return f"{name(error.true)} {verb} {name(error.predicted)}"


def span_errors(both: tuple[SpanErrors, SpanErrors] | None) -> str:
    """Count what is wrong with spans, before and now: ``wrong type 2 → 7, missed 3 → 3``; nothing of other data."""
    if both is None:
        return ""
    before, now = (vars(each) for each in both)
    return ", ".join(
        f"{name.replace('_', ' ')} {before[name]:,} → {now[name]:,}" for name in now if before[name] or now[name]
    )


def error_counts(error: ErrorChange) -> str:
    """Write how many examples had it and have it; where runs share examples these are no whole numbers."""
    return " → ".join(
        f"{count:,}" if isinstance(count, int) else f"{count:,.1f}" for count in (error.baseline, error.candidate)
    )


def error_share(error: ErrorChange, scale: Scale) -> str:
    """Write what an error adds to the change."""
    return _signed(scale.factor * error.contribution, 2)


def changed_examples(changes: ReportedChanges | None) -> str:
    """Name the first examples whose number fell, and count those whose number rose; nothing where none is known."""
    examples = () if changes is None or changes.errors else changes.examples
    fell = [name_text(each.id) for each in examples if each.contribution < 0]
    n_rose = len(examples) - len(fell)
    parts = [f"{counted(len(fell), 'example')} got worse: {first_few(fell, 3)}"] if fell else []
    return "; ".join([*parts, *([f"{counted(n_rose, 'example')} got better"] if n_rose else [])])


def judge_alone(result: ComparisonFigures | EstimateFigures) -> str:
    """Say what the judge alone finds, and what corrects it."""
    judge, n = result.judge, result.n_samples
    assert judge is not None
    if isinstance(result, EstimateFigures):
        found = f"{format_score(judge.change)} ({scores(judge.hdi)})"
    else:
        found = Amounts.of(result, judge.hdi).text(judge.change, judge.hdi)
    n_all = n if isinstance(n, int) else min(n)
    return f"{found}; people's grades of {judge.n_human:,} of {n_all:,} examples correct it"


def judge_errors(result: ComparisonFigures | EstimateFigures) -> str:
    """Say how the judge errs on each side, without its subject."""
    judge = result.judge
    assert judge is not None
    sides = ["the baseline", "the candidate"][-len(judge.errors) :]
    if judge.failed is not None and judge.passed is not None:
        parts = [
            f"{passed:,} of {counted(failed, 'answer')} of {side} that people fail"
            for side, passed, failed in zip(sides, judge.passed, judge.failed, strict=True)
        ]
        return f"passes {' and '.join(parts)}"
    parts = [
        f"{side} {format_score(abs(error))} {'lower' if error < 0 else 'higher'}"
        for side, error in zip(sides, judge.errors, strict=True)
    ]
    return f"grades {' and '.join(parts)} than people"


def uneven_judge(judge: JudgeFigures) -> str:
    """Say that a judge does not treat both sides alike."""
    assert judge.p_even is not None
    assert judge.favour is not None
    side = "candidate" if judge.favour > 0 else "baseline"
    higher = f"{format_score(abs(judge.favour))} higher (Student's t test, {p_value(judge.p_even, 'p')})"
    return (
        f"The judge favours the {side}: where people grade alike, it grades the {side} {higher}. The figures are "
        "corrected for it; the judge's own are not."
    )


def selective_grades(judge: JudgeFigures) -> str:
    """Say that people graded no random sample."""
    assert judge.p_random is not None
    return (
        f"The answers that people graded are no random sample of all: the judge grades them otherwise than the rest "
        f"({p_value(judge.p_random, 'p')}). The range is then wrong: have people grade answers drawn at random, every "
        "one of them, and leave the others out."
    )


def _signed(number: float, decimals: int) -> str:
    return f"{number:+z.{decimals}f}".replace("-", MINUS)


def trend_sentence(trend: Trend, candidate: float) -> str:
    """Say how the baseline's score moved, and the candidate's score."""
    first, last = trend.points[0], trend.points[-1]
    begin, end = (f"{format_score(each.score)} on {name_text(each.date)}" for each in (first, last))
    said = f"The last {len(trend.points)} baselines: {begin} to {end}; the candidate {format_score(candidate)}."
    age = trend.age or 0
    return f"{said} The baseline is {counted(age, 'day')} old." if age > 0 else said


def missing_trend(trend: Trend) -> str:
    """Say why a trend is missing."""
    return f"The history of {name_text(trend.file)} is missing: {shortened(flowed(trend.problem), LONGEST_TEXT)}"


def trend_legend(trend: Trend) -> str:
    """Say what the lines of its figure mean."""
    least = "" if trend.least is None else f", the dashed line ({format_score(trend.least)}) the least that you allow"
    said = f"The dot is the candidate{least}."
    if any(point.new_test_set for point in trend.points):
        said += " A vertical line marks a new test set."
    return said
