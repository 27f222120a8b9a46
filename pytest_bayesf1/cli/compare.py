"""``bayesf1 compare``."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pytest_bayesf1.cli import options
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.settings import FAIL_ON, FAIL_ON_DEFAULT, FAIL_ON_HELP, FailOn

if TYPE_CHECKING:
    from pytest_bayesf1.files.tables import Readings


@click.command("compare", epilog="Example: bayesf1 compare baselines/spam.csv build/spam.csv --rope 0.01")
@click.argument("baseline", type=options.FILE)
@click.argument("candidate", type=options.FILE)
@options.comparison_options
@click.option(
    "--fail-on",
    type=click.Choice(list(FAIL_ON)),
    default=FAIL_ON_DEFAULT,
    show_default=True,
    help=FAIL_ON_HELP,
)
@click.option("--per-class", is_flag=True, help="Also one comparison per class.")
@click.option(
    "--slice", "slices", multiple=True, metavar="COLUMN", help="Also one comparison per value of this column."
)
@options.reading
@options.show
@options.notes
@options.as_json
@options.report
def command(
    baseline: Path,
    candidate: Path,
    fail_on: FailOn,
    per_class: bool,
    slices: tuple[str, ...],
    readings: "Readings",
    notes: dict[str, str],
    as_json: bool,
    report: Path | None,
    **arguments: Any,
) -> None:
    """Compare the CANDIDATE with the BASELINE: two files of predictions or counts.

    Predictions have the columns y_true and y_pred, and id if the order differs; scores have y_score in place of y_pred,
    or y_score_<label> for every class; numbers per example are a column value; counts are a square matrix, rows being
    the true class. CSV, TSV, JSON, JSONL, YAML, NPZ and Parquet serve, and logs of inspect_ai, lm-evaluation-harness
    and promptfoo.

    Columns of other names are named by --column; one file may hold both sides:
    --baseline-column y_pred=old --candidate-column y_pred=new.
    """
    from pytest_bayesf1.cli.answers import Answers
    from pytest_bayesf1.gates.gate_file import Gate
    from pytest_bayesf1.results.other import RunIdentity

    if not baseline.exists():
        raise BaselineError(str(baseline), "a baseline", "no such file")
    gate = Gate(
        name=f"{baseline} → {candidate}",
        file=Path("bayesf1 compare"),
        line=1,
        baseline=baseline,
        candidate=candidate,
        measure=arguments.pop("measure"),
        arguments=arguments,  # type: ignore[arg-type]
        fail_on=fail_on,
        per_class=per_class,
        slices=slices,
        readings=readings,
    )
    answers = Answers.of([gate], lambda gate: gate.name, in_full=as_json or report is not None, tell_all=True)
    answers.run = RunIdentity.of(Path(), notes)
    answers.publish(as_json=as_json, report=report)
    sys.exit(answers.code)
