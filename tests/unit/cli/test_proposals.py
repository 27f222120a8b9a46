"""What `bayesf1 init` proposes, and how it is judged: all of it reviewed."""

import pytest

from tests.unit.cli.folders import empty_folder, predicted, put

folder = pytest.fixture(autouse=True)(empty_folder)


def test_an_old_and_a_new_file_of_each_model(transcript):
    for kind, n, every in ("spam", 240, 12), ("topics of mail", 310, 15), ("Größe", 90, 20):
        put(f"runs/new/{kind}.csv", predicted(n, every - 7))
        put(f"runs/old/{kind}.csv", {name: each[::-1] for name, each in predicted(n, every).items()})
    transcript.bayesf1("init")
    transcript.cat("bayesf1.yaml")
    transcript.bayesf1("gate")
