"""The choices that a user has, and what each means."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, TypeAlias

AUTO: Literal["auto"] = "auto"
"""Leaves the choice to the data."""


class Choice(StrEnum):
    """A word that stands for itself, in messages as in calls.

    Examples
    --------
    >>> Model.SAME_SET
    'same-set'
    >>> Model("paired") == "paired"
    True
    """

    def __repr__(self) -> str:
        """Write it as a caller does."""
        return repr(self.value)


class Model(Choice):
    """What the two sides share; see `pytest_bayesf1.data.outcomes.Experiment`."""

    PAIRED = "paired"
    SAME_SET = "same-set"
    INDEPENDENT = "independent"
    SINGLE = "single"
    """One classifier alone, which shares nothing."""


COMPARISONS = (Model.PAIRED, Model.SAME_SET, Model.INDEPENDENT)
"""The models of two sides, the strongest first."""

AnyModel: TypeAlias = Model | Literal["auto"]


class OnNewTestSet(Choice):
    """What becomes of a comparison whose two test sets differ."""

    SHARED = "shared"
    """It is made on the examples that both have, as their ids tell."""
    INDEPENDENT = "independent"
    """It is made as of two samples that have no example in common."""
    ERROR = "error"


class PriorName(Choice):
    """The priors that have a name; see `pytest_bayesf1.priors.PRIORS`."""

    HIERARCHICAL = "hierarchical"
    NESTED = "nested"
    UNIFORM = "uniform"
    JEFFREYS = "jeffreys"


BOOTSTRAP = "bootstrap"
"""What results call the only prior of scores, which need not be asked for; see `pytest_bayesf1.engines.bootstrap`."""

STRATA = "strata"
"""What they call that of pools, likewise; see `pytest_bayesf1.engines.stratified`."""

FROM_RUNS = "run-to-run"
"""What they call it where runs of the same examples alone vary, by a standard deviation that is known."""


class Kind(Choice):
    """What is asked of every example, and answered."""

    CLASSES = "classes"
    """Which class it has."""
    LABELS = "labels"
    """Which of several labels are there."""
    SPANS = "spans"
    """Which spans it holds: from where to where, and of which type."""
    SCORES = "scores"
    """How likely it is of each class."""
    VALUES = "values"
    """How good it is, as a number."""
    COUNTS = "counts"
    """How many examples each outcome has: there are no examples themselves."""


class Better(Choice):
    """Of which values there should be more."""

    HIGHER = "higher"
    LOWER = "lower"


class Runs(Choice):
    """What several predictions of the same example are."""

    SAMPLES = "samples"
    """The same system, asked again: the question is about the system."""
    SEEDS = "seeds"
    """Trainings of one recipe: the question is about the recipe, of which these are a sample."""


CLASSES_IN_LOGS: Mapping[str, str] = MappingProxyType({"y_true": "target", "y_pred": "answer"})
"""What the truth and the answer are called in the log of any evaluation that has one of each."""


class EngineName(Choice):
    """The engines that have a name; see `pytest_bayesf1.engines.load_engine`."""

    EXACT = "exact"
    PYMC = "pymc"


FailOn: TypeAlias = Literal["<<", "unproven"]

UNPROVEN: Literal["unproven"] = "unproven"

FAIL_ON: Mapping[FailOn, str] = MappingProxyType(
    {"<<": "significantly worse", UNPROVEN: "anything not shown to be no worse"}
)
"""What fails a gate, as gate files and the command line say it; each fails on more than the one before."""

FAIL_ON_DEFAULT: FailOn = "<<"

FAIL_ON_HELP = " ".join(f"{word}: {meaning}." for word, meaning in FAIL_ON.items())

Invalid: TypeAlias = Literal["error", "wrong"] | None

INVALID: Mapping[str, str] = MappingProxyType(
    {"error": "it is an error", "wrong": "it counts as wrong, and in no average"}
)
"""What becomes of a prediction that is missing or none of the classes, as arguments and gate files say it."""

INVALID_DEFAULT: Invalid = None
"""Such a prediction counts as wrong on the candidate, and is refused on the baseline."""

MOST_UNREADABLE = 0.1
"""Of a baseline's answers: more than that, beyond the candidate's share, may have been lost on the way."""

OTHER_RULER = "Compare logs even if something else graded each side: another scorer, metric, filter or assertion."

_OF_EXAMPLES = frozenset({Kind.CLASSES, Kind.LABELS, Kind.SPANS, Kind.SCORES, Kind.VALUES})
_OF_TRUTHS = _OF_EXAMPLES - {Kind.VALUES}


@dataclass(frozen=True)
class Declaration:
    """What a caller may declare of input.

    Attributes
    ----------
    meaning
        What gate files and the command line say of it.
    kinds
        The kinds of data that it goes with.
    """

    meaning: str
    kinds: frozenset[Kind] = frozenset(Kind)


READING: Mapping[str, Declaration] = MappingProxyType(
    {
        "kind": Declaration(
            "What the files hold. By default their columns say it: classes (y_true and y_pred), scores (y_score), "
            "values (value) or spans (gold and predicted, or CoNLL). Lists of labels and counts need it."
        ),
        "columns": Declaration(
            "What the files call y_true, y_pred, y_score, value, id, run or n (a count). In CoNLL files a number from "
            "1, or a name of the first line '# global.columns = ...'; in JSON a path such as expected.label."
        ),
        "rows": Declaration("The rows to read, by a column and its value, in files of several systems."),
        "labels": Declaration(
            "All classes, labels or types of spans, in their order. By default those of the truth.",
            frozenset(Kind) - {Kind.VALUES},
        ),
        "runs": Declaration(
            "What several rows of one id are. samples: answers of a system that does not always answer alike. seeds: "
            "trainings of one recipe.",
            frozenset({Kind.CLASSES, Kind.VALUES}),
        ),
        "gold": Declaration(
            "File of the truth, if both files have predictions alone. Its rows and theirs pair up by id, or by "
            "position where neither has ids.",
            _OF_TRUTHS,
        ),
        "answer": Declaration(
            "Regular expression that finds the class in an answer: its only group, or all that matches. {classes} is "
            "any class of the truth; (?i) in front ignores case. An answer with several classes, or none, is no class: "
            "see invalid.",
            frozenset({Kind.CLASSES}),
        ),
        "clusters": Declaration(
            "Column of what you drew independently, such as documents or users: its examples belong together.",
            _OF_EXAMPLES,
        ),
        "invalid": Declaration(
            " ".join(
                [
                    "A prediction that is missing or none of the classes.",
                    *(f"{word}: {what}." for word, what in INVALID.items()),
                ]
            ),
            frozenset({Kind.CLASSES, Kind.VALUES}),
        ),
        "better": Declaration(
            "Whether higher or lower values are better. Columns that are not called value or score need it.",
            frozenset({Kind.VALUES}),
        ),
        "show": Declaration(
            "Columns that reports show of each changed example, such as its text. Mind who reads them.", _OF_EXAMPLES
        ),
    }
)
"""What gate files and the command line may declare of how files are read."""
