"""Every error that this package raises on purpose.

::

    BayesF1Error
    ├── InputError (also a ValueError)    the data or the arguments cannot be used
    └── RenderError                       a report could not be made or written

A gate that fails is a result, not an error: it is an ``AssertionError`` in the test that made it.
"""


class BayesF1Error(Exception):
    """Base of all deliberate errors."""


class InputError(BayesF1Error, ValueError):
    """Data or an argument that cannot be used: where it is, what was expected, what was found, what to do."""

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


class BayesF1Warning(UserWarning):
    """A gate passed, but the candidate is more likely worse than not."""


class RenderError(BayesF1Error):
    """A report could not be rendered or written."""
