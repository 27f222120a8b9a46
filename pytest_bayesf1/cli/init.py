"""``bayesf1 init``: a gate file that is proposed from what a repository holds.

PYTEST_DONT_REWRITE
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from math import floor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from warnings import catch_warnings, simplefilter

import click

from pytest_bayesf1.choices import Model, OnNewTestSet, Runs
from pytest_bayesf1.cli import options
from pytest_bayesf1.cli.console import say, with_progress
from pytest_bayesf1.errors import (
    AS_KEYS,
    AmbiguousError,
    BayesF1Error,
    InputError,
    RenderError,
    arg,
    command_line,
    printable,
    spelt_as,
)
from pytest_bayesf1.project import FOLDER, GATE_FILES
from pytest_bayesf1.text import counted, first_few, naturally, rope_width, scale_of
from pytest_bayesf1.writing import make_folder, seen_from, write_all

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.compare import Comparison
    from pytest_bayesf1.data.paired import Side
    from pytest_bayesf1.files.tables import Reading

_MOST_FILES = 200
_LARGEST = 50_000_000
_PASSED_BY = {"node_modules", "site-packages", "__pycache__", "dist", "bayesf1-report", FOLDER}
_OLD = re.compile(r"old|base|prod|champion|current|before|main|reference|release", re.IGNORECASE)
_NEW = re.compile(r"new|cand|challenger|after|next|latest|head|build|output", re.IGNORECASE)
_THRESHOLD = re.compile(r"^\s*assert\s.*(?:score|accuracy|f1|precision|recall|auc)\b.*>=?\s*0?\.\d+", re.MULTILINE)
_ROPES = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1)


@dataclass
class _Found:
    """What a folder holds that a gate can be made of."""

    groups: list[dict[Path, "Side"]] = field(default_factory=list)
    """Files about the same examples."""
    readings: dict[Path, "Reading"] = field(default_factory=dict)
    """How each is read."""
    tasks: dict[Path, str] = field(default_factory=dict)
    """The task of each that is a log."""
    pools: list[Path] = field(default_factory=list)
    """What `bayesf1 label start` wrote."""
    thresholds: list[str] = field(default_factory=list)
    """Assertions that a score reaches a number."""
    unclear: list[str] = field(default_factory=list)
    """Logs that say too little of what is to be compared."""

    @classmethod
    def below(cls, folder: Path) -> "_Found":
        """Look at the files of a folder."""
        from pytest_bayesf1.files.formats import FORMATS
        from pytest_bayesf1.files.opening import PACKED
        from pytest_bayesf1.labelling import STATE

        files = [*_files_below(folder)]
        found = cls(pools=[path for path in files if path.name.endswith(STATE)])
        data = [path for path in files if path.name.lower().endswith((*FORMATS, PACKED))][:_MOST_FILES]
        for path in with_progress(data, "Reading", len(data)):
            side = found._read(path, path.relative_to(folder).as_posix())
            if side is not None:
                group = next((each for each in found.groups if found.compares(each, path, side)), None)
                if group is None:
                    found.groups.append(group := {})
                group[path] = side
        for path in files:
            if path.match("test_*.py") or path.match("*_test.py"):
                text = path.read_text("utf-8", "replace")
                lines = (
                    text[: each.start()].count("\n") + each[0].count("\n") + 1 for each in _THRESHOLD.finditer(text)
                )
                found.thresholds += (f"{path.relative_to(folder).as_posix()}:{line}" for line in lines)
        return found

    def compares(self, group: "dict[Path, Side]", path: Path, side: "Side") -> bool:
        """Whether a file is about the examples of others; and if they are logs, about the same task and grade."""
        first, other = next(iter(group.items()))
        tasks = {(self.tasks[each], self.readings[each].columns if self.tasks[each] else ()) for each in (first, path)}
        return len(tasks) == 1 and _same_examples(other, side)

    def _read(self, path: Path, name: str) -> "Side | None":
        """Read a file of predictions, as errors advise; of any other nothing."""
        from pytest_bayesf1.files.eval_logs import LoggedRun
        from pytest_bayesf1.files.side import read_side
        from pytest_bayesf1.files.tables import AS_IT_IS, Table

        reading: Reading | None = AS_IT_IS
        while reading is not None:
            try:
                with spelt_as(AS_KEYS):
                    file = read_side(path, name, reading)
                if not isinstance(file.content, Table):  # any table of numbers could be one of counts
                    return None
                side = file.counts()
            except BayesF1Error as error:
                if isinstance(error, AmbiguousError):
                    self.unclear.append(f"{name}: {error.advice}")
                reading = _as_advised(reading, error)
            else:
                run = LoggedRun.of(path, AS_IT_IS)
                self.readings[path], self.tasks[path] = reading, next(iter(run.tasks), "") if run else ""
                return side
        return None


def _as_advised(reading: "Reading", error: BayesF1Error) -> "Reading | None":
    """Read as the advice of an error says, else as several answers to a question; None when that was tried."""
    if isinstance(error, InputError) and not (reading.columns or reading.runs):
        advised = reading.of_side(error.advised.get("columns", {}), error.advised.get("rows", {}))
        if advised != reading:
            return advised
    return replace(reading, runs=Runs.SAMPLES) if reading.runs is None else None


def _same_examples(one: "Side", other: "Side") -> bool:
    from pytest_bayesf1.comparison.design import Sides

    try:
        return not Sides.aligned(one, other).difference_on(OnNewTestSet.ERROR)
    except InputError:
        return False


def _files_below(folder: Path) -> Iterator[Path]:
    for where, folders, files in os.walk(folder):
        here = Path(where)
        kept = (name for name in folders if not name.startswith(".") and name not in _PASSED_BY)
        folders[:] = sorted(name for name in kept if not (here / name / "pyvenv.cfg").exists())
        paths = (here / name for name in sorted(files))
        yield from (path for path in paths if path.is_file() and path.stat().st_size <= _LARGEST)


def _ordered(paths: Sequence[Path]) -> list[Path]:
    """Put the file that looks like the baseline first, and the one that looks like the candidate last.

    Names tell before folders, and words before numbers.
    """
    shared = len(Path(os.path.commonpath([path.parent for path in paths])).parts)

    def leaning(text: str) -> int:
        return bool(_NEW.search(text)) - bool(_OLD.search(text))

    def key(path: Path) -> tuple[int, int, list[tuple[int, str]]]:
        return leaning(path.name), leaning("/".join(path.parent.parts[shared:])), naturally(path.as_posix())

    return sorted(paths, key=key)


_STAMPS = re.compile(
    r"\d{4}-?\d\d-?\d\d(?:[T_-]\d\d[-_:]?\d\d(?:[-_:]?\d\d)?(?:[+-]\d\d[-:]?\d\d)?)?|(?<![^\W_])[0-9a-f]{12,}\b"
)
_LONGEST = 60


def _gate_name(path: Path, task: str, folder: Path, taken: set[str]) -> str:
    """Name a gate after the task of a log, else after its file and, where that is taken, the folders above."""
    *above, file = path.relative_to(folder).parts
    parts = [*above, task or file.partition(".")[0] or file]
    names = ["-".join(map(_word, parts[-length:])).strip("-_")[-_LONGEST:] for length in range(1, len(parts) + 1)]
    name = next((each for each in names if each and each not in taken), names[0] or "gate")
    number = 2
    while name in taken:
        name, number = f"{names[0] or 'gate'}-{number}", number + 1
    return name


def _word(text: str) -> str:
    words = (re.sub(r"\W+", "-", each).strip("-_") for each in (_STAMPS.sub("", text), text))
    return next(filter(None, words), "")


def _quoted(text: str) -> str:
    """Write text in quotes as YAML takes it."""
    shown = (each if each.isprintable() and each not in '"\\' else f"\\U{ord(each):08x}" for each in text)
    return f'"{"".join(shown)}"'


def _key(name: str) -> str:
    plain = re.fullmatch(r"[a-zA-Z][\w-]*", name, re.ASCII) and name.lower() not in _WORDS
    return name if plain else _quoted(name)


_WORDS = {"false", "n", "no", "null", "off", "on", "true", "y", "yes"}


def _side_of(path: Path, where: Path, reading: "Reading") -> str:
    """Write a file as seen from the folder of the gate file, and which columns and rows of it are read."""
    file = _quoted(seen_from(where, path))
    said = [
        f"{name}: {{{', '.join(f'{_quoted(key)}: {_quoted(each)}' for key, each in pairs)}}}"
        for name, pairs in (("columns", reading.columns), ("rows", reading.rows))
        if pairs
    ]
    return f"{{{', '.join([f'file: {file}', *said])}}}" if said else file


def _of_one_model(group: "dict[Path, Side]") -> "list[dict[Path, Side]]":
    """Part files about the same examples by their names, where every name occurs in several folders."""
    named: dict[str, dict[Path, Side]] = {}
    for path, side in group.items():
        named.setdefault(path.name, {})[path] = side
    return [*named.values()] if all(len(each) > 1 for each in named.values()) else [group]


def _gates(found: _Found, folder: Path, gate_file: Path, root: Path) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Yield the lines of every gate that can be judged, each with what explains it, and of how many files it is."""
    taken: set[str] = set()

    def head(name: str) -> tuple[str, str]:
        return f"  {_key(name)}:", f"any name: pytest lists the gate as {gate_file.name}::{name}"

    for sides in chain.from_iterable(map(_of_one_model, found.groups)):
        first, *others = _ordered([*sides])
        measure = _measure(sides[first])
        last = (others or [first])[-1]
        name = _gate_name(last, found.tasks[last], folder, taken)
        paths = [_side_of(path, gate_file.parent, found.readings[path]) for path in (first, *others)]
        repeated = [("    runs: samples", "several answers to a question, of the same system")] * (
            found.readings[first].runs is not None
        )
        proposed = (
            _comparison(sides[first], sides[others[-1]], paths, measure)
            if others
            else _floor(paths[0], sides[first], measure)
        )
        gate = [head(name), *proposed, *repeated]
        if proposed and _is_accepted(gate, gate_file, root):
            taken.add(name)
            yield len(sides), gate
    for pool in found.pools:
        name = _gate_name(pool, "", folder, taken)
        gate = [head(name), *_of_pool(pool, gate_file)]
        if _is_accepted(gate, gate_file, root):
            taken.add(name)
            yield 1, gate


def _is_accepted(gate: list[tuple[str, str]], gate_file: Path, root: Path) -> bool:
    """Whether a gate file of this gate can be read and judged."""
    from pytest_bayesf1.gates.evaluate import evaluate
    from pytest_bayesf1.gates.gate_file import load_gates

    with TemporaryDirectory() as elsewhere, catch_warnings():
        simplefilter("ignore")
        content = Path(elsewhere) / gate_file.name
        content.write_text("gates:\n" + "".join(f"{line}\n" for line, _ in gate), "utf-8")
        try:
            for each in load_gates(gate_file, root, content):
                evaluate(each)
        except BayesF1Error:
            return False
    return True


def _comparison(baseline: "Side", candidate: "Side", paths: Sequence[str], measure: str) -> list[tuple[str, str]]:
    from pytest_bayesf1.results.formatting import gate_finds

    compared = _compared(baseline, candidate, measure)
    if compared is None:
        return []
    rope, comparison = compared
    n, examples = comparison.n_samples[0], f"{comparison.example}s"
    of_same = f"the same {examples}, pair by pair" if comparison.model == Model.PAIRED else f"its own {examples}"
    allowed = rope_width(comparison.rope, scale_of(custom_measure=comparison.custom_measure))
    more = f"; also of these {examples}: {first_few(paths[1:-1], 3)}" if paths[1:-1] else ""
    return [
        (f"    baseline: {paths[0]}", f"the old score: {comparison.baseline.observed:.3f} on {n:,} {examples}"),
        (f"    candidate: {paths[-1]}", f"the new score: {comparison.candidate.observed:.3f} on {of_same}{more}"),
        (f"    measure: {measure}", _MEASURES[measure]),
        (f"    rope: {rope:g}", f"the loss that you allow, {allowed}. {gate_finds(comparison).rstrip('.')};"),
        ("", "the number is a first guess from that: ask what such a loss costs your users"),
        ('    fail_on: "<<"', "only a clearly larger loss fails; unproven: also one that the data do not rule out"),
    ]


def _of_pool(path: Path, gate_file: Path) -> list[tuple[str, str]]:
    from pytest_bayesf1.labelling import Labelling
    from pytest_bayesf1.stats.decision import Rope

    try:
        started = Labelling.read(path).started
    except InputError:
        return []
    with spelt_as(AS_KEYS):
        rope = arg("rope", Rope.of(started.rope).given)
    return [
        (f"    pool: {_quoted(seen_from(gate_file.parent, path))}", "its labels are those of bayesf1 label add"),
        (f"    measure: {_quoted(started.measure)}", "as bayesf1 label start was told"),
        (f"    {rope}", "the loss that you allow"),
    ]


_MEASURES = {
    "f1_macro": "the mean F1 of all classes; f1[spam] is that of one",
    "mean": "the mean of the grades",
    "roc_auc": "how often a positive example scores above a negative one",
    "roc_auc_ovr": "how often an example of a class scores above the others, on average",
}


def _measure(side: "Side") -> str:
    from pytest_bayesf1.data.scores import Scores

    if not side.labels:
        return "mean"
    if not isinstance(side, Scores):
        return "f1_macro"
    return "roc_auc" if len(side.labels) == 2 else "roc_auc_ovr"


def _compared(baseline: "Side", candidate: "Side", measure: str) -> "tuple[float, Comparison] | None":
    """Find the smallest usual ROPE with which the test set can tell something; None where nothing can be compared."""
    from pytest_bayesf1.comparison.compare import run_comparison
    from pytest_bayesf1.results.formatting import is_underpowered

    comparison = None
    for rope in _ROPES:
        try:
            comparison = run_comparison(baseline, candidate, measure=measure, rope=rope)
        except InputError:
            return None
        if not is_underpowered(comparison):
            break
    assert comparison is not None
    return -comparison.rope[0], comparison


def _floor(path: str, side: "Side", measure: str) -> list[tuple[str, str]]:
    from pytest_bayesf1.comparison.compare import run_estimate

    try:
        score = run_estimate(side, 0.0, measure=measure).score
    except InputError:
        return []
    low, high = score.hdi
    least = floor(100 * low) / 100
    if not least:  # which nothing could fall below
        return []
    return [
        (f"    candidate: {path}", f"its score: {score.observed:.3f} on {side.n_samples:,} examples"),
        (f"    measure: {measure}", _MEASURES[measure]),
        (f"    floor: {least:g}", f"the score to reach: today's is likely {low:.3f} to {high:.3f}."),
        ("", "With an older file of the same examples, baseline and rope find smaller losses"),
    ]


_HEAD = """\
# Proposed by bayesf1 init from the files that it found. Read every line, and change what does not fit.
# bayesf1 gate evaluates the gates; so does {run}. Nothing else reads this file.
gates:
"""


def _each_once(gates: Sequence[Sequence[tuple[str, str]]]) -> list[tuple[str, str]]:
    """Explain each key where it comes first: of a dozen gates only figures are news."""
    said: set[str] = set()
    lines: list[tuple[str, str]] = []
    for line, comment in (each for gate in gates for each in gate):
        explains = comment.partition("::")[0]
        if explains not in said:
            lines.append((line, comment))
        elif line:
            lines.append((line, ""))
        else:
            lines[-1] = lines[-1][0], lines[-1][1].removesuffix(";")
        if not _FIGURES.match(comment):
            said.add(explains)
    return lines


_FIGURES = re.compile("the old score|the new score|its score|the score to reach|the loss that you allow")


def _text(gates: Sequence[Sequence[tuple[str, str]]], found: _Found, gate_file: Path) -> str:
    width = max(len(line) for gate in gates for line, _ in gate)
    lines = [f"{line:<{width}}  # {comment}" if comment else line for line, comment in _each_once(gates)]
    if found.thresholds:
        lines += [
            "# These tests compare a score with a number, which fails by bad luck. assert_at_least or bayes_regression",
            "# takes their place: https://pytest-bayesf1.github.io/pytest-bayesf1/how-to/replace-a-threshold/",
            *map(_in_comment, found.thresholds),
        ]
    if found.unclear:
        lines += ["# These files hold several grades or systems. Choose what a gate is about:"]
        lines += map(_in_comment, found.unclear)
    run = "every pytest run in this folder" if _is_found(gate_file) else "a pytest run that names this file"
    return _HEAD.format(run=run) + "".join(f"{line}\n" for line in lines)


def _is_found(gate_file: Path) -> bool:
    """Whether commands find a gate file without being told its name."""
    return any(map(gate_file.match, GATE_FILES))


def _in_comment(text: str) -> str:
    return f"#   {printable(text).replace(chr(10), ' ')}"


@click.command("init", epilog="Example: bayesf1 init")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path())
@click.option("-o", "--output", type=options.FILE, metavar="FILE", help="Write to this file instead of bayesf1.yaml.")
def init_command(folder: Path, output: Path | None) -> None:
    """Propose a gate file from the predictions, evaluation logs and tests in FOLDER, by default where you are.

    Comments explain every key. Never overwrites a file.
    """
    path = output or folder / "bayesf1.yaml"
    if path.exists():
        advice = "Name another one with --output, such as --output bayesf1-proposed.yaml."
        raise InputError.plain(str(path), "This file exists already", advice)
    root = Path(os.path.commonpath([folder.resolve(), path.parent.resolve()]))
    found = _Found.below(folder)
    made = [each for each in (path.parent, *path.parent.parents) if not each.exists()]
    try:
        make_folder(path.parent)  # the gates are tried as seen from there
        if gates := [*_gates(found, folder, path, root)]:
            write_all({path: _text([gate for _, gate in gates], found, path).encode()})
        else:
            for parent in made:
                parent.rmdir()
    except OSError as error:
        raise RenderError(f"{error.filename or path}: {error.strerror or error}") from error
    if not gates:
        for each in (*found.unclear, *(f"{each}: compares a score with a number" for each in found.thresholds)):
            say(each)
        problem = "There are neither files of predictions nor evaluation logs"
        advice = "Write what a classifier predicts to files with the columns id, y_true and y_pred."
        if read := [os.path.relpath(file, folder) for file in (*chain.from_iterable(found.groups), *found.pools)]:
            problem = f"No gate can be made yet of {first_few(read)}"
            advice = "It takes more examples, an older file of the same ones, or labels of a pool."
        raise InputError.plain(str(folder), problem, advice)
    n_files = sum(n for n, _ in gates)
    say(f"{path}: {counted(len(gates), 'gate')}, proposed from {counted(n_files, 'file')}. Read it, then run:", "bold")
    is_found = _is_found(path) and path.parent.resolve() == root
    where = [] if root == Path.cwd() else ["--root", os.path.relpath(root)]
    say(command_line("bayesf1", "gate", *([] if is_found else [path]), *where))
