"""A document, or the records of a file of lines -> a table, where a tool that evaluates language models wrote it."""

from collections.abc import Mapping, Sequence

from pytest_bayesf1.files.content import Table
from pytest_bayesf1.files.logs import inspect_ai, lm_eval, promptfoo


def read_log(document: object, names: Mapping[str, str], lines: Sequence[int] | None = None) -> Table | None:
    """Recognise a log by what it holds.

    Parameters
    ----------
    document
        Plain values.
    names
        What the log calls the columns that are compared, where that is said.
    lines
        The line of each record, in a file of lines.

    Returns
    -------
    Table or None
        None for anything else.

    Raises
    ------
    InputError
        When it cannot be used.
    """
    if inspect_ai.is_log(document):
        return inspect_ai.read_document(document, names)
    if lm_eval.is_log(document):
        return lm_eval.read_records(document, names, lines)
    if promptfoo.is_log(document):
        return promptfoo.read_document(document, names, lines)
    return None
