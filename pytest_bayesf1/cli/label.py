"""``bayesf1 label``: a verdict from few labels."""

from collections import Counter
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pytest_bayesf1.cli import options
from pytest_bayesf1.cli.console import complain, say, say_json, show_table
from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.errors import InputError, command_line, within
from pytest_bayesf1.results.policy import EQUIVALENT, NOT_WORSE, Policy
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.writing import encoded, write_all

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.result import Comparison
    from pytest_bayesf1.data.columns import Schemas
    from pytest_bayesf1.data.pool import LabelledPool
    from pytest_bayesf1.labelling import Labelling, Started

_STATE = click.option(
    "--state",
    type=options.FILE,
    metavar="FILE",
    help="What label start wrote; by default the only *.labelling.json where you are.",
)


@click.group("label")
def label_command() -> None:
    """Label few examples of a large pool, those that tell most about which of two models is better.

    People must not see what either model predicts, and must answer every example of a batch: leaving out hard ones
    makes the verdict wrong.
    """


@label_command.command(
    "start", epilog="Example: bayesf1 label start pool.csv --baseline old --candidate new --rope 0.01 --show text"
)
@click.argument("pool", type=options.FILE)
@click.option("--baseline", default="", metavar="COLUMN", help="Column of what the baseline predicts.")
@click.option("--candidate", default="", metavar="COLUMN", help="Column of what the candidate predicts.")
@click.option("--id", "id_", default="id", show_default=True, metavar="COLUMN", help="Column that names each example.")
@click.option("--show", multiple=True, metavar="COLUMN", help="Column that people see. Repeatable.")
@click.option(
    "--class",
    "classes",
    multiple=True,
    metavar="CLASS",
    help="Every class, where neither side predicts some. Repeat it.",
)
@options.labelling
def start(
    pool: Path, baseline: str, candidate: str, id_: str, show: tuple[str, ...], classes: tuple[str, ...], **given: Any
) -> None:
    """Begin to label POOL: a table of examples that both models predicted, drawn like production.

    Writes POOL.labelling.json and POOL.labels.csv beside it: keep both in version control.
    """
    from pytest_bayesf1.data.columns import columns_found
    from pytest_bayesf1.labelling import Labelling, Started

    asked = CompareOptions.resolve(**given)
    for option, column in (("--baseline", baseline), ("--candidate", candidate)):
        if not column:
            problem = f"Name the column of what the {option[2:]} predicts"
            raise InputError.plain(option, problem, f"{pool} has {columns_found(_columns_of(pool, id_))}.")
    folder, (low, high, wide) = pool.parent, astuple(asked.rope)
    started = Started(
        pool=pool.name,
        id=id_,
        baseline=baseline,
        candidate=candidate,
        show=show,
        classes=classes,
        measure=str(asked.measure),
        rope=(low, high, "wide") if wide else (low, high),
        hdi_prob=asked.hdi_prob,
        seed=asked.seed,
    )
    made = Labelling.start(folder, started)
    strata = made.pool.strata
    say(f"Wrote {made.path} and {made.labels_path}.")
    differ = int(strata.sizes[~strata.agree].sum())
    say(f"{made.pool.n_examples:,} examples, {len(made.pool.labels)} classes; the two differ on {differ:,}.")
    say("Next:")
    say(made.next_batch)


def _columns_of(pool: Path, id_: str) -> list[str]:
    from pytest_bayesf1.data.columns import AS_IT_IS
    from pytest_bayesf1.files.side import named_rows

    with within(str(pool)):
        return [name for name in named_rows(pool, AS_IT_IS).values if name != id_]


@label_command.command("next", epilog="Example: bayesf1 label next --count 100 -o batch-1.csv")
@_STATE
@click.option("--count", type=click.IntRange(min=1), default=100, show_default=True, help="How many examples.")
@click.option("-o", "--output", type=options.FILE, required=True, metavar="FILE", help="Where to write them.")
def next_command(state: Path | None, count: int, output: Path) -> None:
    """Write the examples whose labels tell most, as CSV: ids, what people see, and an empty column `label`.

    They come in random order, without what either model predicts. Add the labels before you ask for the next batch.
    """
    from pytest_bayesf1.labelling import next_examples

    labelling = _found(state)
    chosen = next_examples(labelling.pool, labelling.more(count), labelling.started.seed)
    if not chosen.size:
        advice = f"What the labels say: {command_line('bayesf1', 'label', 'status', '--state', labelling.path)}"
        raise InputError.plain("", "Every example of the pool has a label already", advice)
    if output.exists():
        raise InputError.plain("--output", f"{output} exists already", "It may hold labels: name another file.")
    write_all({output: encoded(labelling.batch(chosen))})
    say(f"{counted(chosen.size, 'example')} in {output}. Once they have labels:")
    say(command_line("bayesf1", "label", "add", output, "--state", labelling.path))


@label_command.command("add", epilog="Example: bayesf1 label add batch-1.csv")
@click.argument("batches", nargs=-1, required=True, type=options.FILE)
@_STATE
def add(batches: tuple[Path, ...], state: Path | None) -> None:
    """Add the labels of BATCHES, CSV files with columns id and label, and say what they show.

    Two labels of one id are an error.
    """
    from pytest_bayesf1.labelling import read_batch

    labelling = _found(state)
    read = [read_batch(batch) for batch in batches]
    before, left_out = labelling.pool, {key for _, ids in read for key in ids} - labelling.label_of.keys()
    pool = labelling.add([row for rows, _ in read for row in rows], left_out)
    say(f"{counted(pool.n_labelled - before.n_labelled, 'label')} added, {pool.n_labelled:,} in all.")
    if left_out:
        say(
            f"{counted(len(left_out), 'example')} without a label. Label these too: if hard ones stay out, the verdict "
            "is about the easy ones.",
            "yellow",
        )
    if pool.n_labelled:
        _tell(_compared(labelling.started, pool))


@label_command.command("status", epilog="Example: bayesf1 label status --json")
@_STATE
@options.as_json
def status(state: Path | None, as_json: bool) -> None:
    """Say what the labels show so far, and how many more would decide."""
    labelling = _found(state)
    pool, rows = labelling.pool, labelling.rows
    if not pool.n_labelled:
        say(f"The pool has no label yet. Begin with: {labelling.next_batch}")
        return
    if note := labelling.note_on_skipped():
        complain(note)
    comparison = _compared(labelling.started, pool)
    if as_json:
        say_json(comparison.to_dict())
    else:
        of_pool = f"{pool.n_examples:,} examples, {counted(pool.n_labelled, 'label')}"
        say(f"{labelling.path.parent / labelling.started.pool}: {of_pool}")
        show_table(("batch", "labels"), [(name, f"{n:,}") for name, n in Counter(row.batch for row in rows).items()])
        _tell(comparison)


_FIRST_BATCH = 50


@label_command.command("judge", epilog="Example: bayesf1 label judge old.csv new.csv --rope 0.1 --human people.csv")
@click.argument("baseline", type=options.FILE)
@click.argument("candidate", type=options.FILE)
@click.option(
    "--human",
    type=options.FILE,
    required=True,
    metavar="FILE",
    help="CSV of people's grades, with columns id, baseline and candidate. New rows come at its end.",
)
@click.option("--count", type=click.IntRange(min=1), help="How many answers to draw; by default 50 for a new file.")
@options.judging
@options.reading
def judge(baseline: Path, candidate: Path, human: Path, count: int | None, readings: "Schemas", **given: Any) -> None:
    """Draw answers at random for people to grade, where a judge, such as a language model, graded all.

    BASELINE and CANDIDATE are files of its grades. Once people graded what was drawn before, it says how many more
    grades would decide; --count draws more. People grade both sides' answers of every row, and must not see which is
    which, nor the judge's grades.
    """
    from pytest_bayesf1.comparison.compare import run_comparison
    from pytest_bayesf1.comparison.design import judged_pairs, subject_of_two
    from pytest_bayesf1.files.side import read_sides
    from pytest_bayesf1.labelling import add_to_grade

    if human.suffix.lower() != ".csv":
        raise InputError("--human", "a file that ends in .csv", repr(human.name))
    before, after = (side.counts() for side in read_sides(baseline, candidate, readings))
    asked = CompareOptions.resolve(measure="mean", **given)
    judged = judged_pairs(subject_of_two(before, after, asked), f"human ({human})")
    if human.exists() and count is None:
        comparison = run_comparison(before, after, measure="mean", human=human, weak_baseline=True, **given)
        for line in filter(None, (comparison.title, _forecast(comparison))):
            say(line)
        return
    n = add_to_grade(human, judged, count or _FIRST_BATCH, asked.seed)
    if not n:
        raise InputError.plain(f"human ({human})", "People graded every answer already", "Have the judge grade more.")
    say(f"{counted(n, 'answer')} to grade in {human}: fill in the columns baseline and candidate.")


def _forecast(comparison: "Comparison") -> str:
    """Say how many more labels or grades would decide; nothing where it is decided."""
    from pytest_bayesf1.words.amounts import more_needed, no_forecast

    if still_open := _still_open(comparison):
        return more_needed(comparison, still_open)
    return f"{no_forecast(comparison)}." if comparison.examples_needed.not_worse is None else ""


def _found(state: Path | None) -> "Labelling":
    """Read the only pool that is being labelled where you are, or the one that is named."""
    from pytest_bayesf1.labelling import STATE, Labelling

    found = [state] if state is not None else sorted(Path().glob(f"*{STATE}"))
    if len(found) != 1:
        if not found:
            raise InputError.plain(f"*{STATE}", "file not found", "Write it as this shows: bayesf1 label start --help")
        raise InputError.plain("state", f"There are several files: {first_few(map(str, found))}", "Name one.")
    return Labelling.read(found[0])


def _compared(started: "Started", pool: "LabelledPool") -> "Comparison":
    """Compare on what is labelled."""
    from pytest_bayesf1.comparison.compare import run_comparison

    asked = {name: getattr(started, name) for name in ("measure", "rope", "hdi_prob", "seed")}
    return run_comparison(pool, weak_baseline=True, **asked)  # a gate says so; few labels do not


def _still_open(comparison: "Comparison") -> Policy | None:
    """Return what more labels would settle: whether more was lost than is allowed comes first."""
    return next(filter(comparison.examples_needed.of, (NOT_WORSE, EQUIVALENT)), None)


def _tell(comparison: "Comparison") -> None:
    """Say what is known, and how many more labels would decide."""
    from pytest_bayesf1.words.amounts import with_range

    say(comparison.title, bold=True)
    baseline, candidate = (with_range(comparison, each) for each in (comparison.baseline, comparison.candidate))
    say(f"The scores alone are less certain: baseline {baseline}, candidate {candidate}.")
    if forecast := _forecast(comparison):
        say(forecast)
