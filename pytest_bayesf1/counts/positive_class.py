"""Which of two classes is the positive one, where nobody names it."""

from collections.abc import Sequence

from pytest_bayesf1.counts.labels import Label

_NEGATIVE_AND_POSITIVE = (("0", "1"), ("-1", "1"), ("False", "True"), ("false", "true"), ("FALSE", "TRUE"))


def positive_class(labels: Sequence[Label], true_labels: Sequence[Label]) -> Label | None:
    """Return the class that a measure of one class is about when none is named, if the labels tell; else None.

    They do when they are 0 and 1, -1 and 1, or False and True, also where a file has these as text. Others may be among
    them that no example has: these are no classes.

    Parameters
    ----------
    labels
        All labels.
    true_labels
        Those that examples have.

    Examples
    --------
    >>> positive_class([0, 1], [0, 1]), positive_class(["ham", "spam"], ["ham", "spam"])
    (1, None)
    """
    by_text = {str(label): label for label in labels}
    true = set(map(str, true_labels))
    positives = {pair[1] for pair in _NEGATIVE_AND_POSITIVE if true <= set(pair) <= by_text.keys()}
    return by_text[positives.pop()] if len(positives) == 1 else None
