"""Markov chains: how well they mix, and their export. The only importer of ArviZ, which PyMC brings along."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.engines.pymc.quiet_arviz import quiet_arviz

with quiet_arviz():
    import arviz as az


def bulk_ess(values: Floats) -> float:
    """Effective number of independent draws; all of them where they do not vary.

    Parameters
    ----------
    values : (chains, draws)
        Of one quantity.

    References
    ----------
    Vehtari et al. (2021), Rank-normalization, folding, and localization: an improved R-hat.
    """
    return float(az.ess(values)) if np.ptp(values) > 0 else float(values.size)


def largest_r_hat(variables: Iterable[Floats]) -> float:
    """Largest rank-normalised split R-hat of all components of variables; 1 where nothing varies.

    Parameters
    ----------
    variables : (chains, draws, ...) each
        Of all of which the components are looked at one by one.

    References
    ----------
    Vehtari et al. (2021), Rank-normalization, folding, and localization: an improved R-hat.
    """
    return max((float(az.rhat(each)) for each in _components(variables) if np.ptp(each) > 0), default=1.0)


def _components(variables: Iterable[Floats]) -> Iterator[Floats]:
    for values in variables:
        yield from values.reshape(*values.shape[:2], -1).transpose(2, 0, 1)


def to_arviz(variables: Mapping[str, Floats]) -> Any:
    """Wrap draws as ArviZ's data: a DataTree from version 1 on, an InferenceData before.

    Parameters
    ----------
    variables : (chains, draws, ...) each
        By name.
    """
    convert = az.convert_to_datatree if hasattr(az, "convert_to_datatree") else az.convert_to_inference_data
    return convert(dict(variables))
