"""The exact engine: independent draws of joint probabilities, without Markov chains.

A Dirichlet's cells may be added up before they are drawn, so a draw costs only as many gamma variables as the measure
looks at:

- `TotalDraws`: 2^S for S sides, where the whole joint probability is one Dirichlet and the measure adds up the classes.
- `GroupDraws`: M 2^S for M classes, for what each side gets right of each class. Of two classes that is everything, as
  what is wrong is predicted as the other class.
- `CellDraws`: one for each non-zero cell, where a measure needs predicted totals or the whole matrix.
- `SystemDraws`: one for each different outcome, however many systems there are.

Where examples belong to clusters, there is one for each cluster, whatever the measure looks at.

**Cells.** In a group of several cells a gamma variable of shape c + w is the sum of one of shape c, the data's
(`data_draws`), and one of shape w, the prior's (`prior_draws`). The data's part visits the non-zero cells only and does
not depend on eta; with clusters it is what they hold times their weights. Where the prior is about the class
proportions on their own, the cells of each row are rescaled before the columns are added up.

**Systems.** All systems share the weights of the examples, those of the test set and a few pseudo-observations. The
mass of a system's cell is the sum of the weights of the examples there, so any two systems have the joint Dirichlet
process of a pair. The weights of a class's pseudo-observations are the atoms of a truncated gamma process with the
prior's mass.

**Population.** Where scores are about other class proportions than those of a side's test set, every row is rescaled to
them once its cells are drawn, and classes are not added up beforehand. A test set that has these proportions itself is
drawn as ever, and the other one is rescaled to each of its draws.

Draws come in blocks, which are independent.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from pytest_bayesf1.arrays import Codes, Floats, Weights
from pytest_bayesf1.choices import EngineName, Model
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.data_draws import (
    ClusterGroups,
    ClusterWeights,
    ErrorSums,
    GammaRows,
    cluster_weights,
    data_part,
    gamma_rows,
    selector,
)
from pytest_bayesf1.engines.hyperparameters import GroupMass, group_mass, in_rows
from pytest_bayesf1.engines.prior_draws import Cells, GroupDraw, atom_sizes, prior_parts, with_fixed_cells
from pytest_bayesf1.engines.protocol import BlockSampler, Seed
from pytest_bayesf1.measures.classification import Joint, Levelled, Scoring
from pytest_bayesf1.measures.formulas import Detail, ratio, total
from pytest_bayesf1.priors import Prior, PseudoObservations


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


_DEPTH = -math.log(1e-6)
"""Where the gamma process is truncated; the atoms beyond, which are left out, weigh a millionth of the prior's mass."""


class PseudoObservationDraws(NamedTuple):
    """The J pseudo-observations of n draws, of S systems."""

    true: Codes
    """(J,) the true class of each."""
    start: Codes
    """(J,) the first class of each one's draw, counted through all draws."""
    weight: Floats
    """(J,) what each weighs, in real examples."""
    wrong: npt.NDArray[np.bool_]
    """(S, J) which systems are wrong about it."""
    predicted: Codes
    """(S, J) what each system predicts if it is wrong."""

    @property
    def row(self) -> Codes:
        """(J,) true class of each, counted through all draws."""
        return self.start + self.true

    def rescaled(self, factor: Floats) -> "PseudoObservationDraws":
        """Multiply the weights in each row by its factor, (n, M)."""
        return self._replace(weight=self.weight * np.take(factor, self.row))

    def of_side(self, index: int) -> "PseudoObservationDraws":
        """Keep the examples that one system is wrong about."""
        at = np.flatnonzero(self.wrong[index])
        wrong, predicted = self.wrong[index : index + 1, at], self.predicted[index : index + 1, at]
        return PseudoObservationDraws(self.true[at], self.start[at], self.weight[at], wrong, predicted)

    def summed(self, target: Codes, shape: tuple[int, int]) -> Floats:
        """Add the weights up at positions (J,) of an array of this shape."""
        return np.bincount(target, self.weight, math.prod(shape)).astype(np.float64, copy=False).reshape(shape)


class PseudoObservationSource:
    """A source of pseudo-observations."""

    def __init__(self, table: OutcomeTable, prior: PseudoObservations) -> None:
        self._table = table
        self._rows = np.flatnonzero(table.may_be_true)
        self._mass = self._rows.size * prior.mass
        wrong, kinds = table.predicted != table.true, table.row_kinds[table.true]
        known = range(int(table.row_kinds.max()) + 1) if prior.as_observed else ()
        self._patterns = [_Patterns(wrong[:, kinds == kind], table.count[kinds == kind]) for kind in known]
        self.numbers_per_draw = int((4 + 2 * table.n_sides) * self._mass * _DEPTH)

    def draw(self, n: int, rng: np.random.Generator) -> PseudoObservationDraws:
        """Draw the pseudo-observations of n draws."""
        table = self._table
        times = rng.poisson(self._mass * _DEPTH, n)
        start = np.repeat(table.n_classes * np.arange(n), times)
        true = self._rows[rng.integers(0, self._rows.size, start.size)]
        weight, wrong = atom_sizes(start.size, _DEPTH, rng), self._who_is_wrong(true, rng)
        if table.spans:  # a span that is absent and that no system predicts is nothing
            counts = (true % 2 == 1) | wrong.any(axis=0)
            start, true, weight, wrong = start[counts], true[counts], weight[counts], wrong[:, counts]
        return PseudoObservationDraws(true, start, weight, wrong, self._other_class(true, rng))

    def _who_is_wrong(self, true: Codes, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        wrong = rng.integers(0, 2, (self._table.n_sides, true.size), dtype=np.int8).astype(np.bool_)
        kinds = self._table.row_kinds[true]
        for kind, patterns in enumerate(self._patterns):
            patterns.put_into(wrong, np.flatnonzero(kinds == kind), rng)
        return wrong

    def _other_class(self, true: Codes, rng: np.random.Generator) -> Codes:
        table = self._table
        if table.n_outcomes == 2:
            return np.broadcast_to(true ^ 1, (table.n_sides, true.size))
        other = rng.integers(0, table.n_classes - 1, (table.n_sides, true.size))
        other += other >= true
        return other


class _Patterns:
    """Which systems are wrong together about the examples of the test set, of one kind of true class."""

    _HEADS_OR_TAILS = 2  # examples beside those of the test set of which nothing is known

    def __init__(self, wrong: npt.NDArray[np.bool_], count: Weights) -> None:
        self._patterns, pattern = np.unique(wrong, axis=1, return_inverse=True)
        self._up_to = np.cumsum(np.bincount(pattern.ravel(), count))
        self._total = float(count.sum()) + self._HEADS_OR_TAILS

    def put_into(self, wrong: npt.NDArray[np.bool_], at: Codes, rng: np.random.Generator) -> None:
        """Take an example of the test set for each of some positions; few stay as they are."""
        chosen = np.searchsorted(self._up_to, self._total * rng.random(at.size))
        known = chosen < self._up_to.size
        wrong[:, at[known]] = self._patterns[:, chosen[known]]


class SystemDraws:
    """Draws of every system's joint probabilities, in as little detail as the measure needs."""

    def __init__(
        self, table: OutcomeTable, prior: PseudoObservations, detail: Detail, *, rescaled: bool = False
    ) -> None:
        self._table, self._pseudo = table, PseudoObservationSource(table, prior)
        self._layout = layout = ErrorSums(table.n_classes, table.n_sides, detail) if detail >= Detail.MARGINS else None
        self._weights, contents, self._true = _weights(table)
        self._contents, cells = None, np.arange(table.count.size)
        if rescaled and table.shared_weights is not None:  # the cells of a cluster may be of several classes
            self._contents, contents, self._true = contents, selector(cells, cells, cells.size, cells.size), table.true

        def sums(target: Codes, at: Codes, size: int) -> csr_array:
            return csr_array(selector(target, at, size, cells.size) @ contents)

        self._by_class = sums(table.true, cells, table.n_classes)
        self._wrong_by_class, self._errors = [], []
        for side in table.predicted:
            wrong = np.flatnonzero(side != table.true)
            self._wrong_by_class.append(sums(table.true[wrong], wrong, table.n_classes))
            if layout is not None:
                self._errors.append(sums(layout.targets(table.true[wrong], side[wrong]), wrong, layout.width))
        width = table.n_classes if layout is None else layout.width
        self.numbers_per_draw = contents.shape[1] + 4 * width + self._pseudo.numbers_per_draw

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:
        """Yield the joint probabilities of each system, n draws; ``class_mass`` (n, M) sets the row sums."""
        weights, pseudo = self._weights.draw(n, rng), self._pseudo.draw(n, rng)
        if self._contents is not None:
            weights = self._contents @ weights
        shape = n, self._table.n_classes
        true = _by_draw(self._by_class, weights) + pseudo.summed(pseudo.row, shape)
        if class_mass is not None:
            factor = ratio(class_mass, true)
            weights *= factor.T[self._true]
            true, pseudo = class_mass, pseudo.rescaled(factor)
        for side, wrong_by_class in enumerate(self._wrong_by_class):
            errors = pseudo.of_side(side)
            wrong = _by_draw(wrong_by_class, weights) + errors.summed(errors.row, shape)
            correct = np.maximum(true - wrong, 0)  # rounding may leave less than nothing
            yield self._joint(side, weights, errors, true, correct)

    def _joint(
        self, side: int, weights: Floats, errors: PseudoObservationDraws, true: Floats, correct: Floats
    ) -> Joint:
        layout = self._layout
        if layout is None:
            return joint_of_rows(self._table, true, correct)
        targets = layout.targets(errors.true, errors.predicted[0], errors.start)
        sums = _by_draw(self._errors[side], weights) + errors.summed(targets, (len(true), layout.width))
        all_rows = total(true)[:, None]
        (joint,) = layout.joints((sums / all_rows)[None], true / all_rows, [correct / all_rows])
        return joint


def _weights(table: OutcomeTable) -> tuple[GammaRows | ClusterWeights, csr_array, Codes]:
    """Return the source of weights, the examples of every cell (K, D) that each weighs, and the true class of each."""
    if table.shared_weights is None:
        order = GammaRows.order(table.count)
        in_order = selector(order, np.arange(order.size), order.size, order.size)
        return GammaRows(table.count[order]), in_order, table.true[order]
    assert table.clusters is not None
    weights = cluster_weights(table)
    return weights, csr_array(table.clusters.cells[:, weights.order] / table.design_effect), table.true[:0]


def _by_draw(sums: csr_array, weights: Floats) -> Floats:
    return np.ascontiguousarray((sums @ weights).T, dtype=np.float64)


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
        super().__init__(numbers, seed, concurrent=scoring.concurrent)

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


class SystemsSampler(BlockSampler):
    """Independent draws of every system's score: (systems, n), or (systems, n, K) where K are scored at once."""

    def __init__(self, experiment: Experiment, prior: PseudoObservations, scoring: Scoring, seed: Seed) -> None:
        (table,) = experiment.tables
        if table.spans and scoring.detail is Detail.TOTAL:
            table = table.pooled()
        self._scorer = Scorer(scoring, experiment.trainings)
        self._population = experiment.population
        self._systems = SystemDraws(table, prior, scoring.detail, rescaled=self._population is not None)
        self._class_shapes = (table.row_totals / table.design_effect + prior.beta) * table.may_be_true
        self._implied = prior.makes_joint_dirichlet and self._population is None
        super().__init__(self._systems.numbers_per_draw, seed, concurrent=scoring.concurrent)

    def _scores(self, n: int, rng: np.random.Generator) -> Floats:
        mass = None if self._implied else rng.standard_gamma(self._class_shapes, (n, self._class_shapes.size))
        if mass is not None and self._population is not None:
            mass = self._population.given([mass])
        return self._scorer.scores(self._systems.draw(n, rng, mass), rng)
