"""The counts that a prior holds already, beside those of the data: the same model, classes and shape."""

from dataclasses import replace

from pytest_bayesf1._util import counted, first_few
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.priors.pseudo_counts import PseudoCounts
from pytest_bayesf1.settings import AUTO, AnyModel, Model


def model_with(earlier: PseudoCounts | None, asked: AnyModel, possible: tuple[Model, ...]) -> AnyModel:
    """Choose the model of earlier counts, which is the model of the new ones; without any, the one asked for.

    Parameters
    ----------
    earlier
        The prior's counts, if any.
    asked
        The model that the user named, or ``auto``.
    possible
        The models that the data allow.

    Raises
    ------
    InputError
        When the earlier counts are of another model.
    """
    require_model(earlier, possible if asked == AUTO else (Model(asked),))
    return asked if earlier is None or earlier.model is None else earlier.model


def require_model(earlier: PseudoCounts | None, wanted: tuple[Model, ...]) -> None:
    """Require that earlier counts, if there are any, are of one of the models.

    Parameters
    ----------
    earlier
        The prior's counts, if any.
    wanted
        The models that the data, or the user, allow.

    Raises
    ------
    InputError
        When they are of another model.
    """
    if earlier is not None and earlier.model is not None and earlier.model not in wanted:
        expected = f"a posterior of the model {' or '.join(map(repr, wanted))}"
        raise InputError("prior", expected, f"one of the model {earlier.model!r}")


def beside_earlier(
    experiment: Experiment, labels: tuple[Label, ...], earlier: PseudoCounts
) -> tuple[Experiment, tuple[Label, ...]]:
    """Put earlier counts beside an experiment's, over the classes of the earlier ones where those have names.

    Parameters
    ----------
    experiment, labels
        The new counts, and the names of their classes.
    earlier
        The prior's counts.

    Returns
    -------
    experiment, labels
        With `Experiment.earlier`.

    Raises
    ------
    InputError
        When the data have other classes, or the counts another shape.
    """
    if earlier.labels is not None:
        experiment, labels = _relabelled(experiment, labels, earlier.labels), earlier.labels
    tables = experiment.tables
    before = earlier.tables * len(tables) if len(earlier.tables) == 1 else earlier.tables
    if _shapes(before) != _shapes(tables):
        found = counted(len(earlier.tables), "array")
        raise InputError("prior", _wanted(experiment), f"{found} of shape {earlier.tables[0].cell_shape}")
    if experiment.model == Model.SAME_SET and not earlier.sides_share_totals:
        raise InputError(
            "prior",
            "pseudo-counts whose row totals agree, as the sides of one test set share the class proportions",
            earlier.totals_text,
            "For two different test sets pass model='independent'.",
        )
    return replace(experiment, earlier=before), labels


def _relabelled(experiment: Experiment, labels: tuple[Label, ...], wanted: tuple[Label, ...]) -> Experiment:
    position = {(type(label), label): code for code, label in enumerate(wanted)}  # for Python, True is 1
    new = [label for label in labels if (type(label), label) not in position]
    if new:
        raise InputError(
            "prior",
            "counts of every class of the data",
            f"none of {first_few(map(repr, new))}",
            "Begin with the test set that holds all classes, with the same labels=[...] on both.",
        )
    codes = [position[type(label), label] for label in labels]

    def moved(tables: tuple[OutcomeTable, ...]) -> tuple[OutcomeTable, ...]:
        return tuple(table.relabelled(codes, len(wanted)) for table in tables)

    return replace(experiment, tables=moved(experiment.tables), trainings=tuple(map(moved, experiment.trainings)))


def _shapes(tables: tuple[OutcomeTable, ...]) -> list[tuple[bool, bool, tuple[int, ...]]]:
    return [(table.spans, table.multilabel, table.cell_shape) for table in tables]


def _wanted(experiment: Experiment) -> str:
    (spans, multilabel, shape), *others = _shapes(experiment.tables)
    if spans:
        return f"a posterior of spans, for the model {experiment.model!r}"
    kind = "labels' pseudo-counts (multilabel=True)" if multilabel else "pseudo-counts"
    return f"{kind} for the model {experiment.model!r}: one array of shape {shape}{', or one per side' * len(others)}"
