"""``bayesf1 init``: a gate file that is proposed from the files of a folder.

What it guesses of a file, columns by their names, kind, classes and direction, is for a person to read.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pytest_bayesf1.choices import Better, Kind
from pytest_bayesf1.cli import options
from pytest_bayesf1.cli.console import say, with_progress
from pytest_bayesf1.errors import InputError, command_line
from pytest_bayesf1.project import FOLDER, GATE_FILES
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.text import counted
from pytest_bayesf1.writing import seen_from, write_all

if TYPE_CHECKING:
    from pytest_bayesf1.data.columns import Columns, Schema
    from pytest_bayesf1.data.sides import Side


_TRUTH = """
    actual annotated class expected gold golden groundtruth gt label labels real ref reference target true truth
"""
_ANSWER = "answer classified guess hypothesis output pred predicted prediction predictions preds response"
_ID = "guid id idx uid uuid"
_MORE = "accuracy correct f1 grade match passed rating reward score success"
_LESS = "cost error errors failed harmful incorrect latency loss penalty perplexity toxicity violations wer wrong"
_MOST_CLASSES = 30


def proposed(path: Path) -> "Columns":
    """Read a file as it is, or else as the names of its columns suggest; raise `InputError` where neither works."""
    from pytest_bayesf1.data.columns import AS_IT_IS
    from pytest_bayesf1.files.side import read_side

    try:
        file = read_side(path, "file")
    except InputError as error:
        schema = _guessed(path)
        if schema == AS_IT_IS:
            raise
        try:
            file = read_side(path, "file", schema)
        except InputError:
            raise error from None
    if file.kind is Kind.COUNTS:
        raise InputError.plain("", "There are counts, not predictions of examples")
    found = _with_classes(file)
    found.counts()
    return found


def n_roles(path: Path) -> int:
    """Count the columns of a file whose names say what they may be; 0 for one that cannot be read."""
    from pytest_bayesf1.data.columns import AS_IT_IS
    from pytest_bayesf1.files.side import named_rows

    try:
        return len([*_columns(named_rows(path, AS_IT_IS).values)])
    except InputError:
        return 0


def _guessed(path: Path) -> "Schema":
    from pytest_bayesf1.data.columns import PREDICTED, TRUE, VALUE, Schema
    from pytest_bayesf1.files.side import named_rows

    raw = named_rows(path, Schema())
    columns = {known: name for known, name in _columns(raw.values) if known != name}
    schema = Schema().of_side(columns, {})
    if {TRUE, PREDICTED} <= raw.values.keys() | columns.keys():
        first = next(iter(raw.values[columns.get(TRUE, TRUE)]), None)
        if isinstance(first, list):
            are_spans = bool(first) and not isinstance(first[0], str | int)
            schema = replace(schema, kind=Kind.SPANS if are_spans else Kind.LABELS)
    elif VALUE in columns:
        less = {*_LESS.split()} & {*words_of(columns[VALUE])}
        schema = replace(schema, better=Better.LOWER if less else Better.HIGHER)
    return schema


def _columns(names: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the columns that are called as ids, the truth, predictions or grades usually are, one of each at most."""
    from pytest_bayesf1.data.columns import ID, PREDICTED, TRUE, VALUE

    roles = {ID: _ID, PREDICTED: _ANSWER, TRUE: _TRUTH, VALUE: f"{_MORE} {_LESS}"}
    found: dict[str, str] = {}
    for known, words in roles.items():
        likely = [name for name in names if {*words.split()} & {*words_of(name)} and name not in found.values()]
        if known in names or len(likely) == 1:
            found[known] = known if known in names else likely[0]
    if {TRUE, PREDICTED} <= found.keys():
        found.pop(VALUE, None)
    elif VALUE in found:
        found.pop(TRUE, None)
        found.pop(PREDICTED, None)
    yield from found.items()


def words_of(name: str) -> list[str]:
    """Take a name apart, in small letters: ``trueLabel`` and ``true_label`` are the same.

    Examples
    --------
    >>> words_of("trueLabel")
    ['true', 'label']
    """
    return re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower().replace("_", " "))


def _with_classes(file: "Columns") -> "Columns":
    """List all classes where predictions have some that the truth lacks."""
    from pytest_bayesf1.data.columns import PREDICTED, TRUE, value_text

    if file.kind is not Kind.CLASSES or file.labels is not None:
        return file
    true, said = ({value_text(each) for each in file.column(name)} for name in (TRUE, PREDICTED))
    if said <= true or "" in said or len(said | true) > _MOST_CLASSES:
        return file
    return replace(file, schema=replace(file.schema, labels=tuple(sorted(said | true))))


def keys_of(schema: "Schema") -> dict[str, Any]:
    """Return what is declared as keys of a gate."""
    said = schema.declared
    if "columns" in said:
        said["columns"] = dict(schema.columns)
    return said


_MOST_FILES = 200
_LARGEST = 50_000_000
_LONGEST = 60
_PASSED_BY = {"node_modules", "site-packages", "__pycache__", "dist", "bayesf1-report", FOLDER}
_SIDE = re.compile(r"(?<![^\W_])(?:(old|baselines?)|(new|candidates?|build))(?![^\W_])", re.IGNORECASE)

_HEAD = """\
# Proposed by bayesf1 init. Read every line, and change what does not fit.
# measure: f1_macro is the mean F1 of all classes, f1[spam] the F1 of one, and mean the mean of grades.
# rope: the loss that you allow. Ask what such a loss costs your users; bayesf1 gate says which losses it catches.
# fail_on: with "<<" only a clearly larger loss fails; with unproven also one that the data do not rule out.
gates:
"""


@dataclass(frozen=True)
class _Predictions:
    """A file of predictions, or a log.

    Attributes
    ----------
    name
        Its path in the folder.
    task
        The task of a log; empty for other files.
    schema
        How it may be meant to be read.
    """

    path: Path
    name: str
    task: str
    schema: "Schema"

    @property
    def subject(self) -> str:
        """What both sides have in common: the task of their logs, or the name of their files."""
        return self.task or self.path.name

    @property
    def stem(self) -> str:
        """What a gate may be called."""
        return self.task or self.path.name.partition(".")[0]

    @property
    def without_side(self) -> str:
        """The subject and the folders above it, without the words for a side."""
        return _SIDE.sub("", f"{Path(self.name).parent.as_posix()}/{self.subject}")

    @property
    def order(self) -> tuple[int, str]:
        """What the baseline has less of than the candidate."""
        words = [found.lastindex for found in _SIDE.finditer(self.name)]
        return words.count(2) - words.count(1), self.name


def _files_below(folder: Path) -> Iterator[Path]:
    """Find the files that gates may read: links can lead out of the folder."""
    for where, folders, files in os.walk(folder):
        here = Path(where)
        kept = (name for name in folders if not name.startswith(".") and name not in _PASSED_BY)
        folders[:] = sorted(name for name in kept if not (here / name / "pyvenv.cfg").exists())
        for path in (here / name for name in sorted(files)):
            is_inside = path.resolve().is_relative_to(folder.resolve())
            if is_inside and path.is_file() and path.stat().st_size <= _LARGEST:
                yield path


def _recognised(files: Sequence[Path], folder: Path) -> tuple[list[_Predictions], list[str]]:
    """Return the files of predictions and the logs, and what the others lack that have the format of one."""
    from pytest_bayesf1.files.formats import FORMATS
    from pytest_bayesf1.files.opening import PACKED

    found, left_out = [], []
    data = [path for path in files if path.name.lower().endswith((*FORMATS, PACKED))][:_MOST_FILES]
    for path in with_progress(data, "Reading", len(data)):
        name = path.relative_to(folder).as_posix()
        try:
            schema = proposed(path).schema
            found.append(_Predictions(path, name, _task(path), schema))
        except InputError as error:
            left_out.append((n_roles(path), f"{name}: {error.problem}"))
    return found, [text for _, text in sorted(left_out, key=lambda each: -each[0])]


def _task(path: Path) -> str:
    from pytest_bayesf1.data.columns import AS_IT_IS
    from pytest_bayesf1.files.eval_logs import LoggedRun

    run = LoggedRun.of(path, AS_IT_IS)
    return next(iter(run.tasks), "") if run else ""


def _pairs(files: Sequence[_Predictions]) -> tuple[list[list[_Predictions]], list[_Predictions]]:
    """Pair files that words for a side alone tell apart, then those of one name; return those that are left, too."""
    pairs: list[list[_Predictions]] = []
    left = list(files)
    for attribute in ("without_side", "subject"):
        groups: dict[str, list[_Predictions]] = {}
        for each in left:
            groups.setdefault(getattr(each, attribute), []).append(each)
        pairs += [sorted(group, key=lambda each: each.order) for group in groups.values() if len(group) == 2]
        left = [each for group in groups.values() if len(group) != 2 for each in group]
    return pairs, left


def _gates(folder: Path, where: Path) -> tuple[dict[str, list[str]], list[str]]:
    """Return the lines of every gate by its name, as seen from a folder, and why others have none, nearest first."""
    from pytest_bayesf1.labelling import STATE

    files = list(_files_below(folder))
    pools = [path for path in files if path.name.endswith(STATE)]
    predictions, left_out = _recognised([path for path in files if path not in pools], folder)
    pairs, alone = _pairs(predictions)
    proposals: list[tuple[str, str, Callable[[Path], list[str]]]] = [
        *((f"{old.name}, {new.name}", new.stem, partial(_comparison, old, new)) for old, new in pairs),
        *((str(path), path.name.removesuffix(STATE), partial(_pool, path)) for path in pools),
    ]
    gates: dict[str, list[str]] = {}
    for about, stem, propose in proposals:
        try:
            lines = propose(where)
        except InputError as error:
            left_out.append(f"{about}: {error.problem}")
        else:
            gates[_name(stem, gates)] = lines
    n_alike = Counter(each.subject for each in alone)
    takes = "it takes two files of one name, or two logs of one task"
    unpaired = [f"{each.name}: {takes}, not {n_alike[each.subject]} of {each.subject!r}" for each in alone]
    return gates, [*unpaired, *left_out]


def _name(text: str, taken: Collection[str]) -> str:
    name = re.sub(r"\W+", "-", text)[:_LONGEST].strip("-_") or "gate"
    numbered = (f"{name}-{number}" for number in count(2))
    return name if name not in taken else next(each for each in numbered if each not in taken)


def _comparison(baseline: _Predictions, candidate: _Predictions, where: Path) -> list[str]:
    from pytest_bayesf1.files.side import read_sides

    schema = _of_both(baseline.schema, candidate.schema)
    before, _ = read_sides(baseline.path, candidate.path, {"baseline": schema, "candidate": schema})
    old, new = (_quoted(seen_from(where, each.path)) for each in (baseline, candidate))
    return [
        f"baseline: {old}",
        f"candidate: {new}",
        f"measure: {_measure(before.counts())}",
        "rope: 0.01  # a guess",
        'fail_on: "<<"',
        *(
            f"{key}: {json.dumps(plain(value), ensure_ascii=False)}  # a guess"
            for key, value in keys_of(schema).items()
        ),
    ]


def _of_both(baseline: "Schema", candidate: "Schema") -> "Schema":
    """Return how both files may be meant to be read: with the classes of both."""
    labels = sorted({*(baseline.labels or ()), *(candidate.labels or ())}, key=str)
    return replace(baseline, labels=tuple(labels) or None)


def _measure(side: "Side") -> str:
    from pytest_bayesf1.data.paired import Scores

    if not side.labels:
        return "mean"
    if not isinstance(side, Scores):
        return "f1_macro"
    return "roc_auc" if len(side.labels) == 2 else "roc_auc_ovr"


def _pool(path: Path, where: Path) -> list[str]:
    from pytest_bayesf1.labelling import Labelling

    labelling = Labelling.read(path)
    if not labelling.pool.n_labelled:
        raise InputError.plain("", "The pool has no label yet")
    return [
        f"pool: {_quoted(seen_from(where, path))}",
        f"measure: {_quoted(labelling.started.measure)}",
        f"rope: {json.dumps(labelling.started.rope)}",
    ]


def _quoted(text: str) -> str:
    """Write text in quotes as YAML takes it."""
    shown = (each if each.isprintable() and each not in '"\\' else f"\\U{ord(each):08x}" for each in text)
    return f'"{"".join(shown)}"'


@click.command("init", epilog="Example: bayesf1 init")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path())
@click.option("-o", "--output", type=options.FILE, metavar="FILE", help="Write to this file instead of bayesf1.yaml.")
def init_command(folder: Path, output: Path | None) -> None:
    """Propose a gate file from the predictions, evaluation logs and pools in FOLDER, by default where you are.

    A gate compares two files of one name in two folders, two logs of one task, or two files that the words old and new,
    baseline and candidate, or baselines and build tell apart. Never overwrites a file.
    """
    path = output or folder / "bayesf1.yaml"
    if path.exists():
        advice = "Name another one with --output, such as --output bayesf1-proposed.yaml."
        raise InputError.plain(str(path), "This file exists already", advice)
    gates, left_out = _gates(folder, path.parent)
    if not gates:
        for each in left_out:
            say(each)
        problem = "There are neither two files of predictions or logs to compare, nor a pool with labels"
        problem += f". Nearest came {left_out[0]}" if left_out else ""
        advice = "Write what each classifier predicts to old.csv and new.csv, with the columns id, y_true and y_pred."
        raise InputError.plain(str(folder), problem, advice)
    lines = [
        line for name, gate in gates.items() for line in (f"  {_quoted(name)}:", *(f"    {each}" for each in gate))
    ]
    write_all({path: (_HEAD + "".join(f"{line}\n" for line in lines)).encode()})
    say(f"{path}: {counted(len(gates), 'gate')}. Read it, then run:", bold=True)
    root = Path(os.path.commonpath([folder.resolve(), path.parent.resolve()]))
    is_found = any(map(path.match, GATE_FILES)) and path.parent.resolve() == root
    where = [] if root == Path.cwd() else ["--root", os.path.relpath(root)]
    say(command_line("bayesf1", "gate", *([] if is_found else [path]), *where))
