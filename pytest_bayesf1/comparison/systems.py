"""Several systems on the same examples, as what is ranked."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from pytest_bayesf1._util import one_line
from pytest_bayesf1.comparison.design import Design, finished
from pytest_bayesf1.comparison.options import CompareOptions
from pytest_bayesf1.comparison.outcome_subject import OutcomeSubject
from pytest_bayesf1.comparison.score_subject import ScoreSubject
from pytest_bayesf1.comparison.subject import AnyPrior
from pytest_bayesf1.comparison.subjects import of_counts, of_scores, subject_of_two, threshold_of
from pytest_bayesf1.data.confusion import SideCounts
from pytest_bayesf1.data.outcomes import Experiment, ScoreExperiment
from pytest_bayesf1.data.paired import DIFFERENT_SETS, align, matched, predictions_of
from pytest_bayesf1.data.scores import Scores, align_scores
from pytest_bayesf1.data.sides import Side, as_side
from pytest_bayesf1.engines.exact import SystemsSampler
from pytest_bayesf1.engines.protocol import Sampler
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import Several
from pytest_bayesf1.priors import ImaginedExamples
from pytest_bayesf1.settings import Model

_REASON = "all systems' predictions of the same examples are known"
_POSTERIOR = 0  # the stream of random numbers of a comparison


@dataclass(frozen=True, eq=False)
class Systems:
    """Two systems, which are drawn as in a comparison, or more.

    Attributes
    ----------
    names
        What they are called.
    subject
        Their joint outcomes, or scores.
    """

    names: tuple[str, ...]
    subject: OutcomeSubject | ScoreSubject

    @classmethod
    def of(cls, systems: Mapping[str, Any], options: CompareOptions) -> "Systems":
        """Bring the examples of all systems together.

        Parameters
        ----------
        systems
            Predictions by name.
        options
            The measure: scores are ranked by a measure of scores, or from a threshold on as predicted classes.

        Raises
        ------
        InputError
            When there is but one, or they are not about the same examples.
        """
        sides = _sides(systems)
        (first_name, first), *others = sides.items()
        if len(sides) == 2:
            ((name, other),) = others
            with _called(first_name, name):
                subject = subject_of_two(first, other, options)
        elif isinstance(first, Scores):
            threshold = threshold_of(options)
            if threshold is None:
                subject = of_scores(_score_subject(sides), options)
            else:
                at = {name: side.at(threshold) for name, side in sides.items() if isinstance(side, Scores)}
                subject = of_counts(_design(at), options, threshold)
        else:
            subject = of_counts(_design(sides), options)
        assert isinstance(subject, OutcomeSubject | ScoreSubject)
        return cls(tuple(sides), replace(subject, names=tuple(map(one_line, sides))))

    def prior(self, options: CompareOptions) -> AnyPrior:
        """Return the prior: that of a comparison, or the only one of more systems."""
        return self._imagined or self.subject.prior(options)

    def sampler(self, measure: Any, options: CompareOptions) -> Sampler:
        """Start a stream of draws of every system's score.

        Parameters
        ----------
        measure
            Of the subject.
        options
            The engine of two systems, and the seed.

        Returns
        -------
        Sampler
            Of scores (systems, n, 1).
        """
        subject: Any = self.subject
        if self._imagined is None:
            sampler: Sampler = subject.sampler((measure,), options)
            return sampler
        return SystemsSampler(subject.experiment, self._imagined, Several((measure,)), (options.seed, _POSTERIOR))

    @property
    def _imagined(self) -> ImaginedExamples | None:
        if isinstance(self.subject, ScoreSubject) or len(self.names) == 2:
            return None
        return ImaginedExamples.of(self.subject.experiment.tables[0])


def _sides(systems: Mapping[str, Any]) -> dict[str, Side]:
    if not isinstance(systems, Mapping) or len(systems) < 2 or not all(isinstance(name, str) for name in systems):
        found = f"{len(systems)} of them" if isinstance(systems, Mapping) else type(systems).__name__
        raise InputError("systems", "a dictionary of two systems or more by name", found)
    sides = {name: as_side(value, one_line(name)) for name, value in systems.items()}
    (first_name, first), *others = sides.items()
    for name, other in others:
        if isinstance(other, Scores) != isinstance(first, Scores):
            expected = f"{type(first).__name__}, as {one_line(first_name)}"
            raise InputError(one_line(name), expected, type(other).__name__, "Build all systems in the same way.")
    return sides


def _design(sides: Mapping[str, Side]) -> Design:
    """Join the predictions of all systems into one table of outcomes."""
    names, (first, *others) = [*sides], _with_all_labels(sides)
    known = [predictions_of(first, names[0])]
    for name, other in zip(names[1:], others, strict=True):
        with _called(names[0], name):
            known.append(matched(known[0], predictions_of(other, name), first.labels)[1])
    table = known[0].tally(len(first.labels), *known[1:])
    notes = tuple(dict.fromkeys(note for side in (first, *others) for note in side.notes))
    return finished(Design(Experiment(Model.PAIRED, (table,)), first.labels, _REASON, notes), first, *others)


def _with_all_labels(sides: Mapping[str, Any]) -> list[SideCounts]:
    """Bring all systems to the labels that any of them has."""
    (first_name, first), *others = sides.items()
    aligned: list[SideCounts] = []
    for _ in range(2):  # what a later system adds, an earlier one gets the second time
        aligned = [first]
        for name, other in others:
            with _called(first_name, name):
                aligned[0], new = align(aligned[0], other)
            aligned.append(new)
        first = aligned[0]
    return aligned


def _score_subject(sides: Mapping[str, Any]) -> ScoreSubject:
    """Join the scores of all systems into one table."""
    (first_name, first), *others = sides.items()
    known = [first.predictions]
    for name, other in others:
        with _called(first_name, name):
            _, aligned = align_scores(first, other)
            known.append(matched(first.predictions, aligned.predictions, first.labels)[1])
    experiment = ScoreExperiment(Model.PAIRED, (known[0].tally(len(first.labels), *known[1:]),))
    notes = tuple(dict.fromkeys(note for side in sides.values() for note in side.notes))
    return ScoreSubject(experiment, first.labels, _REASON, notes)


@contextmanager
def _called(first: str, other: str) -> Iterator[None]:
    """Call baseline and candidate by their names where they do not fit together."""
    names = {"baseline": one_line(first), "candidate": one_line(other)}

    def named(text: str) -> str:
        return re.sub(r"\b(baseline|candidate)\b", lambda found: names[found[0]], text)

    try:
        yield
    except InputError as error:
        advice = error.advice.replace(DIFFERENT_SETS, "Systems are ranked on the same examples.")
        raise InputError(named(error.where), named(error.expected), error.found, advice) from None
