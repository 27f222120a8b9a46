"""What looks like a mistake.

Identical sides, swapped labels, leakage, a test set that changed, predictions of classes that are never true, an
estimate far from what was observed.
"""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, TypeAlias

import numpy as np

from pytest_bayesf1.comparison.design import renamed_classes, said_of
from pytest_bayesf1.comparison.subject import Provenance, Subject
from pytest_bayesf1.data.labels import COUNT_AS_WRONG, are_tags
from pytest_bayesf1.errors import BayesF1Warning, ChangedTestSetWarning, UnexpectedPredictionsWarning
from pytest_bayesf1.priors import NestedGroups, SharedGroups, UnseenPrior
from pytest_bayesf1.results.comparison import SPANS, SharedExamples, UnsupportedClass, owners_of
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.formatting import format_score
from pytest_bayesf1.results.schema import UNREADABLE, Label
from pytest_bayesf1.text import counted, first_few, one_line, percent


def identical_sides(subject: Subject[Any]) -> list[str]:
    """Say so where the two predict the same throughout, as when one file was compared with itself."""
    found = "Identical predictions: both sides predict the same for every example."
    return [found] if subject.is_identical else []


_STANDARD_ERRORS, _FAR_BELOW = 4, 0.8


def labels_swapped(subject: Subject[Any]) -> list[str]:
    """Say so where both sides are right less often than by chance, or the baseline's classes have other names."""
    if subject.counts is None or subject.experiment.multilabel or subject.experiment.spans:
        return []
    advice = "check that no two classes have swapped labels."
    if names := renamed_classes(subject.experiment.sides[0], subject.labels):
        return [f"More of the baseline is right if {said_of(names)}: {advice}"]
    found: list[str] = []
    for table in subject.experiment.sides:
        n = table.n_samples
        if n < _FEWEST_ALL_RIGHT:
            return []
        right = float(table.count[table.true == table.predicted[0]].sum() / n)
        said = np.bincount(table.predicted[0], table.count, table.n_classes) / n
        by_chance = float(table.row_totals @ said) / n
        if max(right + _STANDARD_ERRORS * sqrt(right * (1 - right) / n), right / _FAR_BELOW) >= by_chance:
            return []
        found.append(f"{percent(right)} instead of {percent(by_chance)}")
    return [f"Both sides are right less often than by chance ({' and '.join(found)}): {advice}"]


def tags_scored_one_by_one(subject: Subject[Any]) -> list[str]:
    """Say so where classes are the tags of tokens: most tokens are O, so lost entities hardly count."""
    if subject.counts is None or subject.experiment.multilabel or not are_tags([[[*subject.labels]]]):
        return []
    whole = "To judge entities, pass a list of tags for each sentence."
    return [f"The classes are tags of single tokens, not entities. {whole}"]


CHECK_FOR_LEAKAGE = "check for leakage before you trust it"
_FEWEST_ALL_RIGHT = 50


def leakage_suspected(subject: Subject[Any]) -> list[str]:
    """Say so where the candidate is right on all examples, if these are not few, and the baseline is not."""
    if subject.counts is None:
        return []
    baseline, candidate = subject.experiment.sides
    if candidate.n_samples < _FEWEST_ALL_RIGHT or not candidate.is_all_right or baseline.is_all_right:
        return []
    held = SPANS if candidate.spans else "examples"
    return [f"The candidate is right on all {candidate.n_samples:,} {held}, the baseline is not: {CHECK_FOR_LEAKAGE}."]


def notes_on_shared(shared: SharedExamples) -> Iterator[str]:
    """Say on which examples two test sets that differ were compared, and by whose truth."""
    if shared.n_lacking or shared.n_candidate > shared.n_shared:
        total = shared.n_baseline + shared.n_candidate - shared.n_shared
        only = [
            f"{n:,} only in the {side}'s"
            for n, side in ((shared.n_lacking, "baseline"), (shared.n_candidate - shared.n_shared, "candidate"))
            if n
        ]
        yield (f"{shared.n_shared:,} of {total:,} examples are in both test sets; {' and '.join(only)}.")
    if n := shared.n_corrected:
        new = "label" if n == 1 else "labels"
        yield f"{counted(n, 'label')} corrected since the baseline: both scores use the new {new}."


def warnings_on_shared(shared: SharedExamples, decision: Decision) -> Iterator[BayesF1Warning]:
    """Warn of examples that are missing where they matter, and of corrections that look one-sided."""
    other = shared.decision_if_wrong
    if other is not None and other != decision:
        yield ChangedTestSetWarning(
            f"The candidate has no prediction of {counted(shared.n_lacking, 'example')} of the baseline. If it were "
            f"wrong on all of them, the decision would be {other} ({other.words}). Find out why they are missing"
            f"{': the comparison is undecided until it predicts them' if other is Decision.MUCH_WORSE else ''}."
        )
    whole = shared.decision_on_whole
    if whole is Decision.MUCH_WORSE and decision is not whole and shared.whole_scores is not None:
        baseline, candidate = map(format_score, shared.whole_scores)
        yield ChangedTestSetWarning(
            f"On its own {shared.n_candidate:,} examples the candidate scores {candidate}, the baseline {baseline} on "
            f"its {shared.n_baseline:,}: {whole} ({whole.words}), which the {shared.n_shared:,} shared examples do not "
            "show. Have the baseline predict the new examples too, and compare on all of them."
        )
    if not shared.are_one_sided:
        return
    share, (for_baseline, for_candidate) = shared.n_corrected / shared.n_shared, shared.favoured
    found = f"{shared.n_corrected:,} of {shared.n_shared:,} labels ({percent(share)}) are not what the baseline's were"
    side, n = ("candidate", for_candidate) if for_candidate > for_baseline else ("baseline", for_baseline)
    found += f", and {n:,} of the {for_baseline + for_candidate:,} corrections that matter help the {side}"
    old = shared.decision_on_old_truth
    before = f" On the old labels the decision would be {old} ({old.words})." if old not in (None, decision) else ""
    yield ChangedTestSetWarning(
        f"{found}.{before} Check that annotators did not see a model's answers, and that every id names the same "
        "example as before."
    )


def why_far_from_observed(provenance: Provenance, nouns: tuple[str, str]) -> str:
    """Say what moves an estimate away from what was observed, and where it weighs most.

    Parameters
    ----------
    nouns
        What was counted and what it is of, both in the singular.
    """
    (example, category), subject, prior = nouns, provenance.subject, provenance.prior
    if prior.n_examples:
        return f"the estimate also counts {counted(prior.n_examples, 'earlier example')}"
    if not subject.labels:
        n = min(subject.n_samples)
        return f"the prior adds examples at both ends of the scale, beside {counted(n, example)} of yours"
    totals = [table.row_totals[getattr(table, "named", slice(None))] for table in subject.experiment.tables]
    only = provenance.counts[1].class_index if provenance.counts else None
    sizes = ((n, place) for each in totals for place, n in enumerate(each.tolist()) if n > 0)
    n, place = min(each for each in sizes if only in (None, each[1]))
    named = f"({one_line(subject.labels[place])} has {counted(max(round(n), 1), example)})"
    in_rarest = f", which weighs most in the rarest {named}" if only is None else f" {named}"
    if isinstance(prior, UnseenPrior):
        return f"the prior adds an example of each {category}{in_rarest}"
    if isinstance(prior.rows, SharedGroups | NestedGroups):
        most = f", most of all the rarest {named}" if only is None else f" {named}"
        return f"the prior pulls each {category} towards the others{most}"
    return f"the prior adds {_ADDED[prior.rows.weight]} of every outcome{in_rarest}"


_ADDED = {0.5: "half an example", 1.0: "an example"}

_MOST_NAMED = 5
_LONGEST_NAME = 80
_MANY = 0.01
"""Of a side's predictions."""


NamedSizes: TypeAlias = Sequence[tuple[str, int]]
"""Whose predictions there are, and of how many examples."""


def sides_of(n_samples: Sequence[int]) -> NamedSizes:
    """Name the sides of a comparison, or the only one of an estimate."""
    return list(zip(owners_of(len(n_samples)), n_samples, strict=True))


def notes_on(unsupported: Sequence[UnsupportedClass], sides: NamedSizes) -> Iterator[str]:
    """Say what became of these classes.

    Examples
    --------
    >>> found = [UnsupportedClass("n/a", (0, 2)), UnsupportedClass(UNREADABLE, (5, 1))]
    >>> for note in notes_on(found, sides_of((200, 200))):
    ...     print(note)
    2.5% of the baseline's answers and 0.5% of the candidate's answers are unreadable and count as wrong.
    'n/a': predicted 2 times by the candidate, never true: counted as wrong, in no average.
    """
    owners = [owner for owner, _ in sides]
    yield from _shares_unreadable(unsupported, sides)
    unexpected = _unexpected(unsupported)
    for each in unexpected[:_MOST_NAMED]:
        yield _note(each, owners)
    if rest := unexpected[_MOST_NAMED:]:
        together = _times([sum(counts) for counts in zip(*(each.predicted for each in rest), strict=True)], owners)
        yield f"{len(rest):,} more classes that are never true: {together}."


def warnings_about(
    unsupported: Sequence[UnsupportedClass], sides: NamedSizes
) -> Iterator[UnexpectedPredictionsWarning]:
    """Warn of every side of whose predictions more than one in a hundred is of such a class.

    Answers that were said to be unreadable are none: who said so knows.
    """
    unexpected = _unexpected(unsupported)
    for side, (owner, n_samples) in enumerate(sides):
        n_unexpected = sum(each.predicted[side] for each in unexpected)
        if n_unexpected > _MANY * n_samples:
            classes = first_few((_brief(each.label) for each in unexpected if each.predicted[side]), _MOST_NAMED)
            yield UnexpectedPredictionsWarning(
                f"{percent(n_unexpected / n_samples)} of what {owner} predicts ({round(n_unexpected):,} of "
                f"{n_samples:,}) are classes that the truth never has: {classes}. They count as wrong. If they "
                "are classes, add examples of them to the test set; if they are none, mend the reading. "
                f"{COUNT_AS_WRONG}"
            )


def _unexpected(unsupported: Sequence[UnsupportedClass]) -> list[UnsupportedClass]:
    return [each for each in unsupported if each.label is not UNREADABLE]


def _shares_unreadable(unsupported: Sequence[UnsupportedClass], sides: NamedSizes) -> Iterator[str]:
    own = [f"{owner}'s answers" for owner, _ in sides] if len(sides) > 1 else ["the answers"]
    for found in unsupported:
        if found.label is UNREADABLE and any(found.predicted):
            shares = zip(own, found.predicted, sides, strict=True)
            parts = [f"{percent(times / n)} of {answers}" for answers, times, (_, n) in shares if times]
            yield f"{' and '.join(parts)} are unreadable and count as wrong."


def _note(found: UnsupportedClass, owners: Sequence[str]) -> str:
    consequence = "counted as wrong, in no average" if any(found.predicted) else "in no average"
    return f"{_brief(found.label)}: {_times(found.predicted, owners)}, never true: {consequence}."


def _brief(label: Label) -> str:
    """Write a label; of answers that are texts the beginning."""
    name = one_line(repr(label))
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def _times(shares: Sequence[float], owners: Sequence[str]) -> str:
    predicted = [max(round(share), 1) if share else 0 for share in shares]
    if not any(predicted):
        return "never predicted"
    if len(predicted) == 1:
        return f"predicted {counted(predicted[0], 'time')}"
    if len(set(predicted)) == 1:
        return f"predicted {counted(predicted[0], 'time')} by {'either side' if len(predicted) == 2 else 'each'}"
    times = [f"{counted(n, 'time')} by {owner}" for n, owner in zip(predicted, owners, strict=True) if n]
    return f"predicted {' and '.join(times)}"
