"""The choices a user has, the settings of a project, and the session that a comparison runs in.

Light: the plugin checks options with them.

A test run announces itself here for the time of each test. Outside of one there are no settings and no listeners.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pytest_bayesf1.errors import BayesF1Warning, InputError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from pytest_bayesf1.comparison.compare import Comparison, Estimate
    from pytest_bayesf1.gates.acceptance import Acceptor
    from pytest_bayesf1.results.comparison import Group


AUTO: Literal["auto"] = "auto"
"""Leaves the choice to the data."""

PICTURES = (".svg", ".png")
"""What the name of a figure's file can end in."""


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


class Runs(Choice):
    """What several predictions of the same example are."""

    SAMPLES = "samples"
    """The same system, asked again: the question is about the system."""
    SEEDS = "seeds"
    """Trainings of one recipe: the question is about the recipe, of which these are a sample."""


RUNS_HELP = (
    "What several predictions of an example are, rows of one id and another run. samples: of a system that does not "
    "always answer alike. seeds: trainings of one recipe."
)
CLUSTERS_HELP = (
    "Column that tells which examples belong together, such as those of a document or a user: these are drawn "
    "independently."
)


SHOW_HELP = (
    "Column of which reports show an excerpt beside the id of an example that changed, such as its text. Mind who "
    "reads the report."
)

COLUMNS_HELP = (
    "What the files call a column: y_true, y_pred, y_score, value, id or run, and its name there. Of CoNLL columns, a "
    "number from 1, or the name in a first line '# global.columns = ...'."
)
ROWS_HELP = "The rows to read: a column and the value that it has in them. For files of several systems."
GOLD_HELP = "File of the true tags, where the CoNLL files of both sides have the predicted tags alone."


class EngineName(Choice):
    """The engines that have a name; see `pytest_bayesf1.engines.load_engine`."""

    EXACT = "exact"
    PYMC = "pymc"


FailOn: TypeAlias = Literal["<<", "<", "unproven"]

UNPROVEN: Literal["unproven"] = "unproven"
UNPROVEN_IN_SHORT: Literal["?"] = "?"
FAIL_ON: Mapping[FailOn, str] = MappingProxyType(
    {
        "<<": "significantly worse",
        "<": "leaning worse too",
        UNPROVEN: f"anything that is not shown to be no worse, {UNPROVEN_IN_SHORT} for short",
    }
)
"""What fails a gate, as gate files and the command line say it; each fails on more than the one before."""

FAIL_ON_DEFAULT: FailOn = "<<"
FAIL_ON_HELP = " ".join(f"{word}: {meaning}." for word, meaning in FAIL_ON.items())

Invalid: TypeAlias = Literal["error", "wrong"]

INVALID: Mapping[Invalid, str] = MappingProxyType(
    {"error": "it is an error", "wrong": "it counts as wrong, and in no average"}
)
"""What becomes of a prediction that is missing or none of the classes, as arguments and gate files say it."""

INVALID_DEFAULT: Invalid = "error"
INVALID_HELP = " ".join(
    ["A prediction that is missing or none of the classes.", *(f"{word}: {what}." for word, what in INVALID.items())]
)
ANSWER_HELP = (
    "How the class is read off an answer. An answer that holds several classes, or none, is none of the classes: see "
    "invalid."
)
COUNT_AS_WRONG = 'Answers that could not be read count as wrong with invalid="wrong".'


FOLDER = "__bayesf1__"
MANIFEST = "gates.json"
GATE_FILES = ("bayesf1*.yaml", "bayesf1*.yml")


class Update(StrEnum):
    """What a run may do to baselines and to the manifest."""

    NONE = "none"
    NEW = "new"
    ALL = "all"
    ANCHOR = "anchor"
    FORCE = "force"


def gate_files(folder: Path) -> list[Path]:
    """List a folder's gate files."""
    return sorted(path for pattern in GATE_FILES for path in folder.glob(pattern) if path.is_file())


def store_directory(module: Path, root: Path, folder: Path | None) -> Path:
    """Return where a module's baselines are: beside it, or at the same place below the project's folder for them."""
    if folder is None:
        return module.parent / FOLDER / module.stem
    return folder / os.path.relpath(module.with_suffix(""), root)


def baselines_below(folder: Path) -> Iterator[Path]:
    """Find the stored baselines in a project, passing by what is no part of it."""
    for where, folders, files in os.walk(folder):
        here = Path(where)
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        if FOLDER in here.parts:
            yield from (here / name for name in sorted(files) if is_baseline(name) and not _is_manifest(here / name))


def is_baseline(name: str) -> bool:
    """Whether a file in a store is a baseline."""
    return name.endswith((".json", ".json.gz")) and not name.startswith(".")


def manifest_path(root: Path) -> Path:
    """Return where a project's manifest of gates is: always there, so that no setting can hide it."""
    return root / FOLDER / MANIFEST


def _is_manifest(path: Path) -> bool:
    """Whether a file is a manifest: a baseline never stands in the folder itself, but below it."""
    return path.name == MANIFEST and path.parent.name == FOLDER


def require_updatable(update: Update, where: str, force: str = "") -> None:
    """Refuse to write where it would not be reviewed and committed, with an `InputError` that offers what forces it."""
    if update not in (Update.NONE, Update.FORCE) and in_ci():
        expected = "a machine where what is written is reviewed and committed"
        advice = f"Run it on your own machine{f'; or pass {force}' if force else ''}."
        raise InputError(where, expected, f"CI={os.environ['CI']}", advice)


_LONGEST_REASON = 500


@dataclass(frozen=True)
class Wanted:
    """Why losses are accepted, and the largest that is accepted of later candidates too, if any.

    ``up_to_name`` is the option that the limit is from.
    """

    reason: str
    up_to: float | None
    up_to_name: str

    @classmethod
    def of(cls, reason: str, up_to: float | None, reason_name: str, up_to_name: str) -> "Wanted":
        """Check what options say; raise `InputError` for an empty reason, or a limit that is none."""
        if not reason.strip() or len(reason) > _LONGEST_REASON:
            found = f"{len(reason):,} characters" if reason.strip() else "nothing"
            raise InputError(reason_name, f"a reason of up to {_LONGEST_REASON} characters", found)
        if up_to is not None and not 0 < up_to < inf:
            raise InputError(up_to_name, "a loss, such as 0.02 for two points", f"{up_to:g}")
        return cls(" ".join(reason.split()), up_to, up_to_name)


def in_ci() -> bool:
    """Whether this is a machine whose files are not reviewed."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


@dataclass(frozen=True)
class Record:
    """A result, the gate that asked for it, and what followed.

    Attributes
    ----------
    gate
        Name of the function that was called, or what the gate demands.
    verdict
        ``passed``, ``undecided``, ``warned``, ``accepted`` or ``failed``; empty when there was nothing to judge.
    advice
        What to do next.
    part
        Which class or which slice of the data it is about; empty when about all of them.
    notes
        What a careful reader should know besides what the result tells.
    caveats
        Those of the notes that every reader should know.
    policy
        What was demanded, such as ``not_worse``; empty when there was nothing to judge.
    baseline
        The file that the baseline is from; None where it is from none.
    budget
        The loss since the baseline's anchor that is tolerated in all; None where there is no anchor.
    groups
        The classes and slices that were compared too, shrunk toward each other.
    """

    result: "Comparison | Estimate"
    gate: str
    verdict: str = ""
    advice: str = ""
    part: str = ""
    notes: tuple[str, ...] = ()
    policy: str = ""
    baseline: Path | None = None
    budget: float | None = None
    groups: tuple["Group", ...] = ()
    caveats: tuple[str, ...] = ()


def _ignore(record: Any) -> None:
    """Ignore a record."""


def _nobody() -> None:
    """Accept no loss."""


@dataclass(frozen=True)
class Session:
    """The surroundings of the comparisons made now.

    Attributes
    ----------
    settings
        Values for arguments that the caller of a comparison leaves out, by argument name.
    listener
        Called with every record.
    on_gate
        Called with the settings of every gate that judges, as the manifest of gates writes them.
    acceptor
        Returns who may accept a loss of the test that runs; None where losses cannot be accepted.
    warn_undecided
        Whether gates warn that pass because the data cannot tell.
    warned
        Warnings that come once a run, and came.
    in_full
        Whether failed gates tell all their figures.
    more
        Where else those are shown; empty where that is unknown.
    ascii_only
        Whether failed gates are shown where only ASCII serves.
    """

    settings: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    listener: Callable[[Record], None] = _ignore
    on_gate: Callable[[dict[str, Any]], None] = _ignore
    acceptor: "Callable[[], Acceptor | None]" = _nobody
    warn_undecided: bool = False
    warned: set[type[BayesF1Warning]] = field(default_factory=set)
    in_full: bool = False
    more: str = ""
    ascii_only: bool = False


_SESSIONS = [Session()]  # the last is in effect; one for the whole process, so that a test's threads see it too


def current_session() -> Session:
    """Return the session in effect."""
    return _SESSIONS[-1]


@contextmanager
def active(session: Session) -> Iterator[None]:
    """Put a session into effect for the time of a with block."""
    _SESSIONS.append(session)
    try:
        yield
    finally:
        _SESSIONS.pop()


_EXPECTED = {
    "bool_type": "true or false",
    "dataclass_type": "{mapping}",
    "dict_type": "{mapping}",
    "extra_forbidden": "no such key",
    "float_type": "a number",
    "greater_than_equal": "at least {ge:g}",
    "int_type": "a whole number",
    "invalid_key": "text",
    "is_instance_of": "text",
    "less_than_equal": "at most {le:g}",
    "list_type": "a list",
    "literal_error": "{expected}",
    "missing": "a value",
    "model_attributes_type": "{mapping}",
    "model_type": "{mapping}",
    "string_type": "text",
    "string_unicode": "text",
    "too_long": "a length of at most {max_length:,}",
    "too_short": "a length of at least {min_length}",
    "tuple_type": "a list",
    "unexpected_keyword_argument": "no such key",
    "union_tag_invalid": "one of {expected_tags}",
    "union_tag_not_found": "an entry with its kind",
}


def expected(detail: "ErrorDetails", mapping: str, own: Mapping[str, str] | None = None) -> str:
    """Say what a file should have held.

    Examples
    --------
    >>> from pydantic import TypeAdapter, ValidationError
    >>> try:
    ...     TypeAdapter(list[int]).validate_python({})
    ... except ValidationError as error:
    ...     print(expected(error.errors()[0], mapping="an object"))
    a list
    """
    text = {**_EXPECTED, **(own or {})}.get(detail["type"])
    if text is None:
        return detail["msg"].removeprefix("Input should be ")
    return text.format(mapping=mapping, **detail.get("ctx", {}))
