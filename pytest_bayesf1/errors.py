"""Every error that this package raises on purpose.

::

    BayesF1Error
    ├── InputError (also a ValueError)    the data or the arguments cannot be used
    ├── EngineError
    │   └── ConvergenceError              the draws cannot be trusted
    └── RenderError                       a report could not be made or written

A gate that fails is a result, not an error: it is an ``AssertionError`` in the test that made it.
"""


class BayesF1Error(Exception):
    """Base of all deliberate errors."""


class _ExplainedError(BayesF1Error):
    """An error that says where it is, what was expected, what was found, and what to do."""

    def __init__(self, where: str, expected: str, found: str, advice: str = "") -> None:
        super().__init__(where, expected, found, advice)
        self.where = where
        self.expected = expected
        self.found = found
        self.advice = advice

    def __str__(self) -> str:
        """One line: ``where: expected …, got …. What to do.``"""
        message = f"{self.where}: expected {self.expected}, got {self.found}"
        return f"{message}. {self.advice}" if self.advice else message


class InputError(_ExplainedError, ValueError):
    """Data or an argument that cannot be used."""


class EngineError(_ExplainedError):
    """The posterior could not be sampled."""


class ConvergenceError(EngineError):
    """Markov chains that have not converged, or too few effective draws for a decision: neither a pass nor a fail."""


class BayesF1Warning(UserWarning):
    """A gate passed, but the candidate is more likely worse than not."""


class RenderError(BayesF1Error):
    """A report could not be rendered or written."""
