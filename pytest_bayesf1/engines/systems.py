"""Joint draws of the scores of several systems on the same examples."""

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.blocks import Block, BlockSampler
from pytest_bayesf1.engines.cells.system_draws import SystemDraws
from pytest_bayesf1.engines.posteriors.training_spread import Scorer
from pytest_bayesf1.engines.protocol import Seed
from pytest_bayesf1.measures.classification import Scoring
from pytest_bayesf1.measures.names import Detail
from pytest_bayesf1.priors import ImaginedExamples


class SystemsSampler(BlockSampler):
    """Independent draws of every system's score: (systems, n), or (systems, n, K) where K are scored at once.

    Parameters
    ----------
    experiment
        The joint outcomes of all systems, in one table.
    prior
        What is imagined of every class.
    scoring
        What of each draw is kept.
    seed
        Draws of one seed are the same whatever the number of threads.
    """

    def __init__(self, experiment: Experiment, prior: ImaginedExamples, scoring: Scoring, seed: Seed) -> None:
        (table,) = experiment.tables
        if table.spans and scoring.detail is Detail.TOTAL:
            table = table.pooled()
        self._scorer = Scorer(scoring, experiment.trainings)
        self._systems = SystemDraws(table, prior, scoring.detail)
        self._class_shapes = (table.row_totals + prior.beta) * table.may_be_true
        self._implied = prior.makes_joint_dirichlet
        super().__init__(self._systems.numbers_per_draw, seed, concurrent=scoring.concurrent)

    def _scores(self, block: Block) -> Floats:
        n, rng = block.n, block.rng
        mass = None if self._implied else rng.standard_gamma(self._class_shapes, (n, self._class_shapes.size))
        return self._scorer.scores(self._systems.draw(n, rng, mass), rng)
