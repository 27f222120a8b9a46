"""What `bayesf1 init` proposes for folders as users have them, and how it is judged: all of it reviewed."""

import pytest

from tests.unit.cli.folders import empty_folder, predicted, put

folder = pytest.fixture(autouse=True)(empty_folder)


@pytest.fixture
def proposal(transcript):
    """Show what is proposed for a folder, and what the gates say of it."""

    def propose(options="", file="bayesf1.yaml", gate="gate"):
        transcript.bayesf1(f"init {options}".rstrip())
        transcript.cat(file)
        transcript.bayesf1(gate)

    return propose


def test_an_old_and_a_new_file_of_each_model(proposal):
    """Names tell the sides, else folders, else numbers; the proposal names what lies between; formats may differ."""
    for kind, n, every in ("spam", 240, 12), ("topics of mail", 310, 15), ("Größe", 90, 20):
        put(f"runs/new/{kind}.csv", predicted(n, every - 7))
        put(f"runs/old/{kind}.csv", {name: each[::-1] for name, each in predicted(n, every).items()})
    for name, every in ("v10", 9), ("v9.1", 11), ("v9", 13), ("v2-prod", 17), ("v8", 12), ("v1-candidate", 8):
        put(f"models/{name}.jsonl", predicted(400, every))
    put("a/LATEST.JSON", predicted(150, 10))
    put("b/before.npz", predicted(150, 30))
    proposal()
