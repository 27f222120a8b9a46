"""What is known of a side without any posterior: for the person who reviews a baseline."""

from contextlib import suppress
from typing import Any

from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.measures.names import OF_MANY_CLASSES, OF_TWO_CLASSES, OF_VALUES
from pytest_bayesf1.measures.ranking import parse_score_measure

_OF_CLASSES, _OF_SPANS = ("accuracy", "f1_macro"), ("f1_micro", "f1_macro")
_TELL_EXAMPLES = ("id", "cluster", "y_true")


def observed_scores(side: Side) -> dict[str, float]:
    """Return the observed scores that help a reviewer.

    Parameters
    ----------
    side
        Counts or scores.

    Returns
    -------
    dict of str to float
        By the measure's name; those of scores that the data leave undefined are left out.
    """
    if not isinstance(side, Scores):
        table = side.table
        names, spans = _OF_SPANS if table.spans else _OF_CLASSES, table.spans
        measures = [parse_measure(name, side.labels, multilabel=table.multilabel, spans=spans) for name in names]
        return {each.name: float(each(Joint.observed(table, each.detail))) for each in measures}
    of_classes = OF_TWO_CLASSES if len(side.labels) == 2 else OF_MANY_CLASSES
    found, scores = {}, side.table
    for name in of_classes if side.labels else OF_VALUES:
        with suppress(InputError):
            found[name] = parse_score_measure(name, side.labels, ((scores, 0),)).observed(scores, 0)
    return found


def test_set_columns(table: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Keep the columns that tell which examples were tested, without what was said of them.

    Parameters
    ----------
    table
        The columns of a baseline.
    """
    return {name: values for name, values in table.items() if name in _TELL_EXAMPLES}
