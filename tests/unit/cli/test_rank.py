import csv
import json
from io import StringIO

import pytest

from tests.unit.ranked import predictions


@pytest.fixture(autouse=True)
def files(folder):
    true, predicted = predictions(300, (0.6, 0.7, 0.8))
    for name, each in zip(("low", "middle", "high"), predicted, strict=True):
        rows = [f"{number},{one},{other}" for number, (one, other) in enumerate(zip(true, each, strict=True))]
        (folder / f"{name}.csv").write_text("\n".join(["id,y_true,y_pred", *rows]))


def ranked(run, *options):
    return run("rank", "low.csv", "middle.csv", "high.csv", "--measure", "accuracy", "--rope", "0.02", *options)


def test_systems_are_called_what_their_files_are(run):
    result = ranked(run)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("high leads with accuracy 0.")
    assert [line.split()[0] for line in lines[2:5]] == ["high", "middle", "low"]


def test_other_formats(run):
    rows = list(csv.DictReader(StringIO(ranked(run, "--format", "csv").stdout)))
    found = json.loads(ranked(run, "--format", "json").stdout)
    assert [row["system"] for row in rows] == [each["name"] for each in found["systems"]] == ["high", "middle", "low"]
    assert float(rows[0]["p_best"]) == pytest.approx(found["systems"][0]["p_best"])
    assert "| high |" in ranked(run, "--format", "md").stdout


@pytest.mark.parametrize(("name", "start"), [("ranking.svg", b"<svg"), ("ranking.png", b"\x89PNG")])
def test_a_figure(run, folder, name, start):
    assert ranked(run, "--figure", name).exit_code == 0
    assert (folder / name).read_bytes().startswith(start)


def test_a_figure_of_another_format(run):
    refused = ranked(run, "--figure", "ranking.pdf")
    assert refused.exit_code == 2
    assert "--figure: expected a name that ends in .svg or .png, got 'ranking.pdf'" in refused.stderr


def test_a_figure_that_cannot_be_written(run):
    assert ranked(run, "--figure", "low.csv/ranking.svg").exit_code == 5


@pytest.mark.parametrize("names", [["low.csv"], ["low.csv", "low.csv"], ["low.csv", "none.csv"]])
def test_what_cannot_be_ranked(run, names):
    refused = run("rank", *names, "--rope", "0.02")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("Error: ")
