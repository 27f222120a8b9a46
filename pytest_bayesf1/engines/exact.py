"""The exact engine: independent draws of joint probabilities, without Markov chains.

A Dirichlet's cells may be added up before they are drawn, so a draw costs only as many gamma variables as the measure
looks at:

- `TotalDraws`: 2^S for S sides, where the whole joint probability is one Dirichlet and the measure adds up the classes.
- `GroupDraws`: M 2^S for M classes, for what each side gets right of each class. Of two classes that is everything, as
  what is wrong is predicted as the other class.
- `CellDraws`: one for each non-zero cell, where a measure needs predicted totals or the whole matrix.

Where examples belong to clusters, there is one for each cluster, whatever the measure looks at.

**Cells.** In a group of several cells a gamma variable of shape c + w is the sum of one of shape c, the data's
(`data_draws`), and one of shape w, the prior's (`prior_draws`). The data's part visits the non-zero cells only and does
not depend on eta; with clusters it is what they hold times their weights. Where the prior is about the class
proportions on their own, the cells of each row are rescaled before the columns are added up.

**Population.** Where scores are about other class proportions than those of a side's test set, every row is rescaled to
them once its cells are drawn, and classes are not added up beforehand. A test set that has these proportions itself is
drawn as ever, and the other one is rescaled to each of its draws.

Draws come in blocks, which are independent.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import EngineName, Model
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.data_draws import ClusterGroups, ErrorSums, data_part, gamma_rows
from pytest_bayesf1.engines.hyperparameters import GroupMass, group_mass, in_rows
from pytest_bayesf1.engines.prior_draws import Cells, GroupDraw, prior_parts, with_fixed_cells
from pytest_bayesf1.engines.protocol import BlockSampler, Seed
from pytest_bayesf1.measures.classification import Joint, Levelled, Scoring
from pytest_bayesf1.measures.formulas import Detail, ratio, total
from pytest_bayesf1.priors import Prior


class GroupDraws:
    """Draws of what each side gets right of every class, and of two classes in any detail."""

    def __init__(self, table: OutcomeTable, mass: GroupMass, detail: Detail) -> None:
        self._table, self._mass, self._detail = table, mass, detail
        self._clusters = None if table.shared_weights is None else ClusterGroups(table)
        undrawn = table.group_counts.T if self._clusters is None else self._clusters.undrawn
        self._known = np.ascontiguousarray(undrawn + mass.pseudo.T)
        self.numbers_per_draw = 2 * table.group_counts.size
        if self._clusters is not None:
            self.numbers_per_draw += self._clusters.numbers_per_draw

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:
        """Yield the joint probabilities of each side, n draws; ``class_mass`` (n, M) sets the row sums."""
        masses = in_rows(self._mass.draw(n, rng), self._table)
        parts = self._parts(n, masses, rng)
        true = sum_of_groups(parts, range(len(parts)))
        if class_mass is not None:
            parts *= ratio(class_mass, true)
            true = class_mass
        for side in range(self._table.n_sides):
            joint = joint_of_rows(self._table, true, sum_of_groups(parts, self._table.right_groups(side)))
            yield joint if self._detail <= Detail.CORRECT else joint.of_two_classes(self._detail)

    def _parts(self, n: int, masses: Floats, rng: np.random.Generator) -> Floats:
        """Draw the data's part and the prior's, together where every example is drawn on its own: (groups, n, M)."""
        if self._clusters is None:
            return rng.standard_gamma(self._known[:, None] + masses)
        of_clusters = self._clusters.group_sums(self._clusters.draw(n, rng))
        return of_clusters + rng.standard_gamma(self._known[:, None] + masses)


class TotalDraws:
    """Draws of `Detail.TOTAL` where the joint probability is one Dirichlet given the masses: classes add up too."""

    def __init__(self, table: OutcomeTable, mass: GroupMass) -> None:
        self._table, self._mass = table, mass
        self._counts = (table.group_counts + mass.pseudo).sum(axis=0)
        self.numbers_per_draw = 2 * self._counts.size

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:
        """Yield the joint probabilities of each side, n draws, as if there were one class; it has a mass of one."""
        assert class_mass is None
        n_rows = int(self._table.may_be_true.sum())
        parts = rng.standard_gamma(self._counts + n_rows * self._mass.draw(n, rng)[:, 0])
        parts /= total(parts)[:, None]
        for side in range(self._table.n_sides):
            right = self._table.right_groups(side)
            yield Joint(np.ones((n, 1)), total(parts[:, right])[:, None])


def sum_of_groups(held: Floats, groups: Iterable[int]) -> Floats:
    """Add up what some groups of every row hold."""
    return np.asarray(sum(held[group] for group in groups))


def joint_of_rows(table: OutcomeTable, true: Floats, correct: Floats) -> Joint:
    """Normalise what every true class holds, and what a side gets right of it: (n, M) each.

    The masses of every problem, the only one or each label, add up to one; those of spans all together. Spans that
    only another side invents are left out.
    """
    shape = (len(true), *table.class_shape)
    true, correct = true.reshape(shape), correct.reshape(shape)
    if not table.spans:
        of_problem = total(true)[..., None]
        return Joint(true / of_problem, correct / of_problem)
    found = correct * [0, 1]
    true = true - (correct - found)
    in_all = true.sum(axis=(-2, -1), keepdims=True)
    return Joint(true / in_all, found / in_all)


_ALL_RIGHT = 0  # the group in which every side is


class CellDraws:
    """Draws of `Detail.MARGINS` or `Detail.MATRIX`, of three classes or more."""

    def __init__(self, table: OutcomeTable, mass: GroupMass, detail: Detail, *, rescaled: bool) -> None:
        self._table, self._mass = table, mass
        self._sums = ErrorSums(table.n_classes, table.n_sides, detail)
        self._prior = prior_parts(table, mass, one_by_one=detail is Detail.MATRIX)
        known = table
        if table.shared_weights is None:
            fixed = [group for group, part in self._prior.items() if isinstance(part, Cells)]
            known = with_fixed_cells(table, mass, fixed)
            self._prior = {group: part for group, part in self._prior.items() if group not in fixed}
        self._data = data_part(known, self._sums, rescaled=rescaled)
        self._right = [table.right_groups(side) for side in range(table.n_sides)]
        self.numbers_per_draw = self._data.numbers_per_draw + 2 * (
            table.group_counts.size + table.n_sides * self._sums.width
        )
        self.numbers_per_draw += sum(part.numbers_per_draw for part in self._prior.values())

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:
        """Yield the joint probabilities of each side, n draws; ``class_mass`` (n, M) sets the row sums."""
        masses = self._mass.draw(n, rng)
        data = self._data.draw(n, rng)
        prior = {group: part.draw(masses[:, 0, group], rng) for group, part in self._prior.items()}
        held = self._parts(data, prior, masses, rng)
        true, factor = sum_of_groups(held, range(len(held))), None
        if class_mass is not None:
            factor = ratio(class_mass, true)
            true = class_mass
            held *= factor
            data = self._data.rescaled(data, factor)
        all_rows = total(true)[:, None]
        correct = [sum_of_groups(held, right) / all_rows for right in self._right]
        wrong = self._data.side_sums(data)
        for drawn in prior.values():
            drawn.add_to(wrong, self._sums, factor)
        yield from self._sums.joints(wrong / all_rows, true / all_rows, correct)

    def _parts(self, data: Floats, prior: dict[int, GroupDraw], masses: Floats, rng: np.random.Generator) -> Floats:
        """Draw what the groups of every row hold: (groups, n, M)."""
        held = self._data.group_sums(data)
        for group, drawn in prior.items():
            held[group] += drawn.held
        of_one_cell = self._data.undrawn[_ALL_RIGHT] + in_rows(masses, self._table)[_ALL_RIGHT]
        held[_ALL_RIGHT] += rng.standard_gamma(of_one_cell)
        return held


def table_draws(table: OutcomeTable, mass: GroupMass, detail: Detail, *, one_dirichlet: bool = False) -> "TableDraws":
    """Choose the cheapest draws that are detailed enough."""
    if table.spans and detail is Detail.TOTAL:
        return GroupDraws(table.pooled(), mass, detail)
    if detail is Detail.TOTAL and one_dirichlet and table.shared_weights is None:
        return TotalDraws(table, mass)
    if detail <= Detail.CORRECT or table.n_outcomes == 2:
        return GroupDraws(table, mass, detail)
    return CellDraws(table, mass, detail, rescaled=not one_dirichlet)


TableDraws: TypeAlias = GroupDraws | TotalDraws | CellDraws
"""A source of draws of joint probabilities."""


class TrainingSpread(NamedTuple):
    """How far the mean score of a recipe's n trainings may be from that of all that it can train."""

    n: int
    error: Floats
    """Standard error of the mean of the trainings' observed scores; (K,) where K scores are computed at once."""

    @classmethod
    def of(cls, trainings: Sequence[OutcomeTable], scoring: Scoring) -> "TrainingSpread | None":
        """Score every training; None where a side is one classifier."""
        if not trainings:
            return None
        plain = scoring.several if isinstance(scoring, Levelled) else scoring
        scores = np.stack([plain(Joint.observed(table, scoring.detail)) for table in trainings])
        return cls(len(trainings), np.asarray(scores.std(axis=0, ddof=1) / sqrt(len(trainings))))


class Scorer:
    """Scores the draws of every side; those of a recipe vary with the trainings that there were.

    Trainings of one recipe give its mean score Student's t distribution with n - 1 degrees of freedom, the posterior of
    a normal mean with a flat prior on it and on log sd. Two recipes have a variance each, but what is unknown of these
    is drawn for both together. So the difference has Welch's approximation: with up to the sum of their degrees of
    freedom where they vary alike, and those of one alone where they clearly differ.

    References
    ----------
    Welch (1947), The generalization of Student's problem when several different population variances are involved.
    """

    def __init__(self, scoring: Scoring, trainings: Sequence[Sequence[OutcomeTable]]) -> None:
        self._scoring = scoring
        self._recipes = [TrainingSpread.of(tables, scoring) for tables in trainings]

    def scores(self, joints: Iterable[Joint], rng: np.random.Generator) -> Floats:
        """Score draws."""
        scores = np.stack([self._scoring(joint) for joint in joints])
        recipes = [(side, recipe) for side, recipe in enumerate(self._recipes) if recipe is not None]
        for group in [recipes] if len(recipes) == 2 else [[each] for each in recipes]:
            scale = _unknown_scale([recipe for _, recipe in group], scores.shape[1], rng)
            for side, recipe in group:
                scores[side] += np.multiply.outer(rng.standard_normal(scores.shape[1]), recipe.error) * scale
        return scores


def _unknown_scale(recipes: Sequence[TrainingSpread], n: int, rng: np.random.Generator) -> Floats:
    """Draw how many times its estimate the recipes' standard error is, (n,) or (n, K)."""
    variances = np.stack([recipe.error**2 for recipe in recipes])
    each = np.array([recipe.n - 1 for recipe in recipes], float).reshape(-1, *[1] * (variances.ndim - 1))
    alike = variances.sum(axis=0) ** 2
    dof = np.where(alike > 0, alike / np.maximum((variances**2 / each).sum(axis=0), np.finfo(float).tiny), 1.0)
    return np.asarray(np.sqrt(dof / rng.chisquare(dof, (n, *dof.shape))))


@dataclass(frozen=True)
class ExactEngine:
    """The default engine: independent draws from the exact posterior, as many as are asked for."""

    name: ClassVar[str] = EngineName.EXACT
    first_draws: ClassVar[int] = 10_000
    most_draws: ClassVar[int] = 100_000

    def sampler(self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> "ExactSampler":
        """Start a stream of independent draws."""
        return ExactSampler(experiment, prior, scoring, seed)


class ExactSampler(BlockSampler):
    """Draws from the exact posterior."""

    def __init__(self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> None:
        self._scorer = Scorer(scoring, experiment.scored_trainings)
        self._proportions = proportions = _Proportions(experiment, prior)
        detail = scoring.detail if experiment.population is None else max(scoring.detail, Detail.CORRECT)
        self._tables = [
            table_draws(table, group_mass(table, prior), detail, one_dirichlet=proportions.are_implied(place))
            for place, table in enumerate(experiment.known)
        ]
        numbers = sum(table.numbers_per_draw for table in self._tables)
        super().__init__(numbers, seed)

    def _scores(self, n: int, rng: np.random.Generator) -> Floats:
        return self._scorer.scores(self._joints(n, rng), rng)

    def _joints(self, n: int, rng: np.random.Generator) -> Iterator[Joint]:
        masses, given = self._proportions.draw(n, rng), self._proportions.given
        if given is None:
            for table, mass in zip(self._tables, masses, strict=True):
                yield from table.draw(n, rng, mass)
            return
        (known,) = self._tables[given].draw(n, rng, masses[given])
        (other,) = self._tables[1 - given].draw(n, rng, known.true)
        yield from (known, other) if given == 0 else (other, known)


class _Proportions:
    """Unnormalised class proportions mu for each table, or None where drawing a table's cells settles them already.

    Attributes
    ----------
    given
        The table whose proportions the other one has too; None where neither has the other's.
    """

    def __init__(self, experiment: Experiment, prior: Prior) -> None:
        self._shared, self._population = experiment.model == Model.SAME_SET, experiment.population
        self._shapes = [
            table.row_totals / (1 if self._population is None else table.design_effect) + prior.class_weights(table)
            for table in (experiment.known[:1] if self._shared else experiment.known)
        ]
        self._implied = prior.makes_joint_dirichlet(experiment.tables[0]) and not self._shared
        self._n_tables = len(experiment.tables)
        self.given = None if self._population is None else self._population.side

    def are_implied(self, table: int) -> bool:
        """Whether those of a table are settled by its cells."""
        return self._implied and (self._population is None or self.given == table)

    def draw(self, n: int, rng: np.random.Generator) -> list[Floats | None]:
        """Masses of shape (n, M), one per table."""
        if self._population is not None and self.given is None:
            masses = self._population.given([_gammas(shape, n, rng) for shape in self._shapes])
            return [masses] * self._n_tables
        if self._shared:
            return [_gammas(self._shapes[0], n, rng)] * self._n_tables
        return [None if self._implied else _gammas(shape, n, rng) for shape in self._shapes]


def _gammas(shapes: Floats, n: int, rng: np.random.Generator) -> Floats:
    return np.ascontiguousarray(gamma_rows(shapes, n, rng).T)
