"""Scores and their differences for a long series, without what costs draws of its own, such as Bayes factors."""

from typing import Unpack

import numpy as np

from pytest_bayesf1.comparison.compare import Question
from pytest_bayesf1.comparison.options import CompareArguments, Options, SharedArguments
from pytest_bayesf1.comparison.sampling import AdaptiveSampling
from pytest_bayesf1.comparison.subject import AnyMeasure
from pytest_bayesf1.comparison.subjects import AnySides, subject_of_one
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.results.other import VersionChange, VersionScore
from pytest_bayesf1.stats.posterior import Draws, summarise_delta

N_DRAWS = 5_000
"""At first: their error is a fortieth of the interval's width, and a decision that it leaves open gets more."""


class _FewDraws(ExactEngine):
    first_draws = N_DRAWS


def brief_change(sides: AnySides, **given: Unpack[CompareArguments]) -> VersionChange:
    """Compare two sides as `pytest_bayesf1.compare` does, on fewer draws as long as they settle the decision.

    Parameters
    ----------
    sides
        The earlier one and the later one.
    **given
        As in `pytest_bayesf1.compare`, but for the engine.

    Raises
    ------
    InputError
        When the data or an argument cannot be used.
    """
    given["engine"] = _FewDraws()
    question = Question.of(sides, **given)
    options, measure = question.options, question.measure(question.options.measure)
    drawing = AdaptiveSampling(
        question.subject,
        options,
        lambda scores: np.asarray(scores[1] - scores[0]),
        lambda delta: summarise_delta(delta, options.rope, options.hdi_prob),
    )
    (drawn,) = drawing.until_settled((measure,))
    return VersionChange(drawn.summary.mean, drawn.summary.hdi, drawn.summary.decision)


def brief_score(side: Side, **given: Unpack[SharedArguments]) -> VersionScore:
    """Estimate one classifier's score.

    Parameters
    ----------
    side
        Its counts or scores.
    **given
        As in `pytest_bayesf1.assert_at_least`, but for the engine and the number of draws.

    Raises
    ------
    InputError
        When the data or an argument cannot be used.
    """
    given["engine"] = _FewDraws()
    options = Options.resolve(**given)
    subject = subject_of_one(side, options)
    measure: AnyMeasure = subject.measure(options.measure)
    draws = Draws(subject.sampler((measure,), options).draw(N_DRAWS)[0, :, 0])
    return VersionScore(subject.particulars(measure).observed[0], draws.mean, draws.hdi(options.hdi_prob))
