"""The study of chest X-rays, on made-up files of the same format: the data themselves are not ours to keep."""

import csv

import numpy as np
import pytest

from docs.studies.chexpert import findings, main

LABELS = ("Edema", "Fracture")


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(6)
    studies = [f"CheXpert-v1.0/test/patient{number}/study1" for number in range(400)]
    truth = {"Edema": rng.random(400) < 0.4, "Fracture": np.arange(400) < 3}
    shared = rng.normal(size=400)
    predictions = tmp_path / "example_models" / "predictions" / "standard"
    predictions.mkdir(parents=True)

    def write(path, columns, order):
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["Study", *columns])
            writer.writerows([studies[row], *(values[row] for values in columns.values())] for row in order)

    write(tmp_path / "groundtruth.csv", {label: values.astype(int) for label, values in truth.items()}, range(400))
    for system in ("yww211", "hieupham"):
        scores = {label: truth[label] + shared + 0.5 * rng.normal(size=400) for label in LABELS}
        write(predictions / f"{system}_predictions.csv", scores, rng.permutation(400))
    return tmp_path


def test_the_posterior_scatters_as_delong_found(folder):
    (found,) = findings(folder)
    assert (found.label, found.comparison.n_samples) == ("Edema", (400, 400))
    assert found.comparison.std == pytest.approx(found.delong, rel=0.05)


def test_the_table(folder, capsys):
    main(str(folder))
    assert len(capsys.readouterr().out.splitlines()) == 3
