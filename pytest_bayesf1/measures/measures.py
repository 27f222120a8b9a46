"""Performance measures as functions of the joint probabilities; for their names see `names`.

A function of the user's own serves too: joint probabilities ``(..., M, M)``, of multi-label data ``(..., L, 2, 2)``, to
scores ``(...)``, larger being better.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar, Protocol, TypeAlias

import numpy as np

from pytest_bayesf1._util import shown
from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.errors import UNREADABLE, InputError
from pytest_bayesf1.measures.class_choice import class_index, require_of_classes
from pytest_bayesf1.measures.custom import require_of_joint_probabilities
from pytest_bayesf1.measures.joint import Joint
from pytest_bayesf1.measures.names import Detail, MeasureName, parse_name, require_served
from pytest_bayesf1.measures.overall import OVERALL_SCORES
from pytest_bayesf1.measures.rates import Rates, f1, score, scores_by_class

CustomMeasure: TypeAlias = Callable[[Floats], Floats]
MeasureLike: TypeAlias = str | CustomMeasure


class Scoring(Protocol):
    """What engines apply to their draws: joint probabilities to a score, or to several."""

    @property
    def detail(self) -> Detail:
        """What of the joint distribution it looks at."""
        ...

    @property
    def concurrent(self) -> bool:
        """Whether several threads may call it at once."""
        ...

    def __call__(self, joint: Joint) -> Floats:
        """Score every distribution in ``joint``: shape (...), or (..., K) for K scores."""
        ...


@dataclass(frozen=True)
class Measure:
    """A measure of one classifier, ready to be applied: a named one, or a function of the user's own.

    Attributes
    ----------
    name
        As the user wrote it.
    named
        The name taken apart; None for a function.
    class_index
        The class that a measure of one class is about.
    custom
        The user's function.
    multilabel
        Whether it is about labels, each present or absent, rather than classes.
    spans
        Whether these are types of spans.
    """

    name: str
    named: MeasureName | None = None
    class_index: int | None = None
    custom: CustomMeasure | None = None
    multilabel: bool = False
    spans: bool = False

    @property
    def words(self) -> str:
        """The measure as people say it: macro-F1, recall of spam."""
        return self.name if self.named is None else self.named.words

    @property
    def bounded(self) -> bool:
        """Whether its scores go up to 1: nobody knows the scale of a function of the user's own."""
        return self.custom is None

    @property
    def lowest(self) -> float:
        """The bound that no score is below."""
        return -inf if self.named is None else self.named.lowest

    @property
    def detail(self) -> Detail:
        """What of the joint distribution it looks at; of labels, right or wrong is all there is.

        A micro average does not look at the types of spans, which it pools.
        """
        if self.multilabel:
            pools = self.spans and self.named is not None and self.named.average == "micro"
            return Detail.TOTAL if pools else Detail.CORRECT
        return Detail.MATRIX if self.named is None else self.named.detail

    @property
    def concurrent(self) -> bool:
        """Whether several threads may call it: who knows what a user's function does."""
        return self.custom is None

    def __call__(self, joint: Joint) -> Floats:
        """Score every distribution in ``joint``: shape (...)."""
        if self.named is None:
            return self._custom_score(joint)
        if self.named.base in OVERALL_SCORES and not self.multilabel:
            return OVERALL_SCORES[self.named.base](joint)
        return score(self.named, self.class_index, self.rates(joint))

    def rates(self, joint: Joint) -> Rates:
        """Return what scores of classes or labels are made of."""
        return Rates.of_labels(joint) if self.multilabel else Rates.of_classes(joint)

    def _custom_score(self, joint: Joint) -> Floats:
        p, axes = (self.rates(joint).matrices, "three") if self.multilabel else (joint.matrix, "two")
        expected = joint.true.shape[: -2 if self.multilabel else -1]
        assert self.custom is not None
        assert p is not None
        try:
            found = np.asarray(self.custom(p), dtype=float)
        except ValueError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
                raise  # it comes from the measure itself
            raise InputError(f"measure {self.name}", "an array of scores", "something else") from None
        if found.shape != expected:
            raise InputError(
                f"measure {self.name}",
                f"scores of shape {expected} for joint probabilities of shape {p.shape}",
                f"shape {found.shape}",
                f"Reduce over the last {axes} axes.",
            )
        if not np.isfinite(found).all():
            raise InputError(f"measure {self.name}", "finite scores", "NaN or infinity", "Mind empty classes.")
        return found


@dataclass(frozen=True)
class Several:
    """Several measures at once: shape (..., K)."""

    measures: tuple[Measure, ...]

    @property
    def detail(self) -> Detail:
        """The detail of the measure that looks at most."""
        return max(measure.detail for measure in self.measures)

    @property
    def concurrent(self) -> bool:
        """Whether several threads may call all of them."""
        return all(measure.concurrent for measure in self.measures)

    def __call__(self, joint: Joint) -> Floats:
        """Score every distribution in ``joint``; the classes' scores are computed once, however many are asked for."""
        by_class: dict[tuple[str, float], Floats] = {}
        columns = []
        for measure in self.measures:
            name, index = measure.named, measure.class_index
            if name is None or index is None:
                columns.append(measure(joint))
                continue
            kind = name.base, name.beta
            if kind not in by_class:
                by_class[kind] = scores_by_class(*kind, measure.rates(joint))
            columns.append(by_class[kind][..., index])
        return np.stack(columns, axis=-1)


@dataclass(frozen=True, eq=False)
class ClassF1:
    """F1 of several classes or labels at once: shape (..., K).

    Attributes
    ----------
    indices : (K,)
        Which classes.
    multilabel
        Whether they are labels, each present or absent.
    """

    indices: Codes
    multilabel: bool = False

    concurrent: ClassVar[bool] = True

    @property
    def detail(self) -> Detail:
        """What it looks at; of labels, right or wrong is all there is."""
        return Detail.CORRECT if self.multilabel else Detail.MARGINS

    def __call__(self, joint: Joint) -> Floats:
        """Score every distribution in ``joint``."""
        return f1(Rates.of_labels(joint) if self.multilabel else Rates.of_classes(joint))[..., self.indices]


def parse_measure(
    measure: MeasureLike,
    labels: Sequence[Label],
    *,
    multilabel: bool = False,
    spans: bool = False,
    true_labels: Sequence[Label] | None = None,
    threshold: float | None = None,
) -> Measure:
    """Understand a measure's name, or take a function as one.

    Parameters
    ----------
    measure
        A name, see `parse_name`; or a function.
    labels
        The classes, by which ``f1[label]`` finds its own.
    multilabel
        Whether an example may have any number of the labels.
    spans
        Whether these are types of spans.
    true_labels
        Those that examples have, by default all: of these a name without a class chooses the positive one.
    threshold
        The score from which on the second class was predicted; None where predictions were given.

    Raises
    ------
    InputError
        For a name, label or beta that does not exist or does not fit the classes.
    """
    if callable(measure):
        require_of_joint_probabilities(measure)
        return Measure(getattr(measure, "__name__", "custom"), custom=measure, multilabel=multilabel, spans=spans)
    if not isinstance(measure, str):
        raise InputError("measure", "the name of a measure, or a function", shown(measure))
    name = parse_name(measure)
    require_of_classes(name, threshold)
    require_served(name, multilabel=multilabel, spans=spans)
    if name.base == "answered" and labels[-1] is not UNREADABLE:
        raise InputError(
            "measure",
            'a measure of labels, unless predictions are read with invalid="wrong"',
            repr(name.text),
            "Then answers that could not be read count as wrong, and this is the share of the others.",
        )
    if name.average or name.base in OVERALL_SCORES:
        return Measure(name.text, name, multilabel=multilabel, spans=spans)
    index = class_index(name, labels, labels if true_labels is None else true_labels, multilabel)
    return Measure(name.text, replace(name, label=str(labels[index])), index, multilabel=multilabel, spans=spans)
