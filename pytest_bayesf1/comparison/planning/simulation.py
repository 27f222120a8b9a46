"""The real gate on simulated test sets: what it decides, in as many processes as there are processors.

Every test set has random numbers of its own, which depend on the seed and its place alone: however many processes share
the work, the decisions are the same.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TypeAlias

import numpy as np

from pytest_bayesf1.comparison.design import Design
from pytest_bayesf1.comparison.options import CompareOptions
from pytest_bayesf1.comparison.outcome_subject import OutcomeSubject
from pytest_bayesf1.comparison.planning.population import Population
from pytest_bayesf1.comparison.sampling import sampling_of_delta
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.settings import Model

N_DRAWS = 2_500
"""Of each simulated posterior, unless others are asked for: its HDI's bounds are known to about 1/20 of its spread."""

_PER_TASK = 10  # test sets that a process takes at once

Answers: TypeAlias = list[list[Decision]]
"""Of each test set, at each look."""
Watch: TypeAlias = Callable[[Iterable[Answers], int], Iterable[Answers]]
"""Goes through so many parts of the work, and may show how far it is."""


@dataclass(frozen=True, eq=False)
class Trial:
    """Test sets of one population, read by one model, and looked at once or several times.

    Attributes
    ----------
    population
        Where they come from.
    labels
        The names of the classes.
    options
        Of the gate.
    model
        What the sides share.
    n_examples
        Of each test set in the end.
    n_looks
        How often each is looked at, whenever another equal part of it is labelled.
    key
        Numbers that tell this trial from others of the same seed.
    """

    population: Population
    labels: tuple[Label, ...]
    options: CompareOptions
    model: Model
    n_examples: int
    n_looks: int = 1
    key: tuple[int, ...] = ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """Examples that there are at each look."""
        return tuple(self.n_examples * (look + 1) // self.n_looks for look in range(self.n_looks))

    def decisions(self, repetition: int) -> list[Decision]:
        """Simulate one test set, and decide at every look.

        Parameters
        ----------
        repetition
            Which of the trial's test sets.
        """
        rng = np.random.default_rng([self.options.seed, *self.key, repetition])
        found, seen, before = [], None, 0
        for size in self.sizes:
            batch = self.population.experiment(self.model, size - before, rng)
            seen, before = batch if seen is None else _together(seen, batch), size
            found.append(self._decision(seen))
        return found

    def _decision(self, experiment: Experiment) -> Decision:
        """Decide as a gate does; where it cannot, for want of examples of a class, nothing is decided."""
        subject = OutcomeSubject(Design(experiment.without_classes_never_true(), self.labels, ""))
        try:
            measure = subject.measure(self.options.measure)
        except InputError:
            return Decision.UNDECIDED
        (drawn,) = sampling_of_delta(subject, self.options).until_settled((measure,))
        return drawn.summary.decision


@dataclass(frozen=True)
class Simulation:
    """How a simulation is run.

    Attributes
    ----------
    repetitions
        Test sets of each trial.
    workers
        Processes; 1 stays in this one.
    watch
        Told of every finished part of the work.
    """

    repetitions: int
    workers: int
    watch: Watch

    def run(self, trials: list[Trial]) -> list[Answers]:
        """Simulate all trials.

        Parameters
        ----------
        trials
            In any order.

        Returns
        -------
        list of Answers
            Of each trial.
        """
        parts = range(0, self.repetitions, _PER_TASK)
        tasks = [(trial, start, min(start + _PER_TASK, self.repetitions)) for trial in trials for start in parts]
        found = iter(list(self.watch(self._answers(tasks), len(tasks))))
        return [[each for _ in parts for each in next(found)] for _ in trials]

    def _answers(self, tasks: list[tuple[Trial, int, int]]) -> Iterator[Answers]:
        if self.workers == 1:
            yield from map(_simulated, tasks)
            return
        with ProcessPoolExecutor(self.workers, mp_context=get_context("spawn")) as pool:
            try:
                yield from pool.map(_simulated, tasks)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _simulated(task: tuple[Trial, int, int]) -> Answers:
    trial, start, stop = task
    return [trial.decisions(repetition) for repetition in range(start, stop)]


def _together(before: Experiment, batch: Experiment) -> Experiment:
    """Add a batch to what was seen: evidence adds up, in counts as by `Comparison.as_prior`."""
    tables: tuple[OutcomeTable, ...] = tuple(
        old.plus(new) for old, new in zip(before.tables, batch.tables, strict=True)
    )
    return Experiment(before.model, tables)


def unwatched(parts: Iterable[Answers], n_parts: int) -> Iterable[Answers]:  # noqa: ARG001
    """Do the work in silence.

    Parameters
    ----------
    parts, n_parts
        What is done, and how many parts it has.
    """
    return parts
