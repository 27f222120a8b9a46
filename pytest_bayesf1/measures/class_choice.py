"""Which class a measure of one class is about: the one that is named, or else the positive one where it is known."""

from collections.abc import Sequence

from pytest_bayesf1.data.labels import Label, positive_class, spelling_key, whole_number
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.names import MeasureName


def require_of_classes(name: MeasureName, threshold: float | None) -> None:
    """Require a measure of predicted classes, at the threshold from which on the positive one was predicted.

    Parameters
    ----------
    name
        The measure.
    threshold
        None where predictions were given.

    Raises
    ------
    InputError
        For a measure of scores, or at another threshold.
    """
    if name.of_scores or (threshold is None and name.threshold is not None):
        advice = "Build both sides with Scores.from_predictions(y_true, y_score)."
        raise InputError("measure", "a measure of predicted classes", f"{name.text!r}, which is about scores", advice)
    if name.threshold != threshold:
        raise InputError("measure", f"a measure at the threshold {threshold:g}", repr(name.text))


def class_index(name: MeasureName, labels: Sequence[Label], true_labels: Sequence[Label], multilabel: bool) -> int:
    """Return the position of the class that a measure of one class is about.

    Parameters
    ----------
    name
        The measure.
    labels
        All labels.
    true_labels
        Those that examples have: among these one may be positive without being named.
    multilabel
        Whether an example may have any number of the labels; a single one needs no name.

    Raises
    ------
    InputError
        When there is no such class, or none is named and several may be meant.
    """
    if name.label is not None:
        return _named_index(name.label, labels)
    if name.threshold is not None:
        return 1  # what is predicted from a threshold on
    if multilabel and len(labels) == 1:
        return 0
    implied = None if multilabel else positive_class(labels, true_labels)
    if implied is not None:
        return labels.index(implied)
    pair = next((each for each in (true_labels, labels) if len(each) == 2 and not multilabel), None)
    if pair:
        advice = f"Use {name.of(pair[0])!r} or {name.of(pair[1])!r}."
        raise InputError("measure", "a class, since either of the two may be meant", repr(name.text), advice)
    average = name.text.replace(name.base, f"{name.base}_macro")
    raise InputError(
        "measure",
        f"an average or a class, since there are {len(labels)} {'labels' if multilabel else 'classes'}",
        repr(name.text),
        f"Use {average!r} or {name.of(labels[0])!r}.",
    )


def _named_index(label: str, labels: Sequence[Label]) -> int:
    names = [str(each) for each in labels]
    if label in names:
        return names.index(label)
    keys = [spelling_key(each) for each in names]
    if whole_number(label) is not None and keys.count(spelling_key(label)) == 1:
        return keys.index(spelling_key(label))
    raise InputError("measure", f"a class among {', '.join(names[:20])}", repr(label))
