import csv
from io import StringIO
from pathlib import Path

import pytest

from pytest_bayesf1 import ConfusionMatrix, Scores, compare
from pytest_bayesf1.comparison.result import run_estimate
from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports.writing import changes_csv, changes_path, write_changes

NAMES = ["=1+1", "+a", "-b", "@c", "\td", 'say "hi", you', "\ne", "plain", "other"]


def compared(**options):
    sides = (
        ConfusionMatrix.from_predictions(NAMES, predicted, **options) for predicted in (NAMES, NAMES[1:] + NAMES[:1])
    )
    return compare(*sides, rope=0.01, measure="accuracy", n_draws=1_000)


def test_no_cell_is_a_formula():
    rows = list(csv.reader(StringIO(changes_csv(compared(ids=NAMES).changes))))
    texts = {cell for row in rows[1:] for cell in row[:4]}
    assert texts == {"'=1+1", "'+a", "'-b", "'@c", "'\td", 'say "hi", you', "'\ne", "plain", "other"}


def test_numbers_stay_numbers():
    first, *_ = csv.DictReader(StringIO(changes_csv(compared().changes)))
    assert float(first["contribution"]) < 0
    assert first["id"].isdigit()


@pytest.mark.parametrize(
    "test", ["tests/test_a.py::test_b[x/y]", "../../etc/passwd", "", "a" * 500, "bayesf1.yaml::ä:b"]
)
def test_files_stay_in_their_directory_and_have_names_that_every_system_takes(test):
    path = changes_path(Path("out"), test, 1)
    assert path.parent == Path("out")
    assert len(path.name) < 130
    assert not set(path.name) & set('<>:"/\\|?*')
    assert changes_path(Path("out"), test, 2) != path


def test_ids_that_look_alike_have_files_of_their_own():
    assert changes_path(Path(), "a/b", 1) != changes_path(Path(), "a:b", 1)


def test_nothing_is_written_where_nobody_knows_the_examples(tmp_path):
    scores = [Scores.from_predictions([0, 1] * 20, [0.1, value] * 20, labels=[0, 1]) for value in (0.6, 0.7)]
    results = [
        run_estimate([[9, 1], [2, 8]], floor=0.5, n_draws=1_000),
        compare([[9, 1], [2, 8]], [[8, 2], [2, 8]], rope=0.01, n_draws=1_000),
        compare(*scores, rope=0.01, measure="roc_auc"),
    ]
    for result in results:
        write_changes(result, tmp_path / "changes.csv")
    assert not list(tmp_path.iterdir())
    write_changes(compared(), tmp_path / "changes.csv")
    assert (tmp_path / "changes.csv").read_text("utf-8") == changes_csv(compared().changes)


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RenderError):
        write_changes(compared(), tmp_path / "file" / "changes.csv")
