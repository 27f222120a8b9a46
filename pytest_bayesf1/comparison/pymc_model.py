"""The models as `pm.Model` objects, for those who want to look at them, or to build on them."""

from typing import Any

from pytest_bayesf1.choices import AnyModel
from pytest_bayesf1.comparison.arguments import Options, resolved
from pytest_bayesf1.comparison.design import design_comparison, design_estimate
from pytest_bayesf1.comparison.subject import OutcomeSubject
from pytest_bayesf1.data.paired import PairedCounts
from pytest_bayesf1.engines.chains import VariablePrior, build_model
from pytest_bayesf1.engines.nuts import dirichlet
from pytest_bayesf1.priors import Prior


def pymc_model(
    baseline: Any,
    candidate: Any = None,
    *,
    model: str | None = None,
    prior: str | Prior | None = None,
    mu: VariablePrior = dirichlet,
    eta: VariablePrior = dirichlet,
) -> Any:
    """Build the PyMC model of a comparison, or of one classifier when it comes alone.

    ================================================ ===================================================
    model                                            call
    ================================================ ===================================================
    hierarchical, one classifier (2015, eq. 1-13)    ``pymc_model(cm, prior="hierarchical")``
    its independent pair (2015)                      ``pymc_model(a, b, model="independent", ...)``
    paired, binary (2016)                            ``pymc_model(pairs, prior="uniform")``
    paired, hierarchical                             ``pymc_model(pairs, prior="hierarchical")``
    ================================================ ===================================================

    Parameters
    ----------
    baseline, candidate, model, prior
        As in `pytest_bayesf1.compare`.
    mu, eta
        Functions that create the variable of that name in place of a Dirichlet one, given its name and the Dirichlet
        weights it would have; see `pytest_bayesf1.engines.chains.build_model`.

    Returns
    -------
    pm.Model
        Where classes share parameters (hierarchical, nested), theta is integrated out; else it is ``theta``.

    Examples
    --------
    >>> model = pymc_model([[50, 2, 1], [5, 40, 3], [0, 2, 60]])
    >>> sorted(variable.name for variable in model.free_RVs)
    ['eta', 'mu']
    """
    options = Options.resolve(prior=prior)
    design = _design(baseline, candidate, resolved("model", model), options)
    return build_model(design.experiment, options.prior_for(design.experiment), mu, eta)


def _design(baseline: Any, candidate: Any, model: AnyModel, options: Options) -> OutcomeSubject:
    if candidate is None and not isinstance(baseline, PairedCounts):
        return design_estimate(baseline, options.earlier)
    return design_comparison(baseline, candidate, model, options.earlier)
