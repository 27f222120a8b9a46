"""Each test of the command line runs in a folder of its own, with two classifiers in files."""

import pytest

from tests.functional.classifiers import BASELINE, BETTER, MUCH_WORSE, UNDECIDED, WORSE
from tests.functional.gates import write_counts
from tests.unit.called import call

FILES = {
    "old": BASELINE,
    "same": BASELINE,
    "better": BETTER,
    "much_worse": MUCH_WORSE,
    "worse": WORSE,
    "undecided": UNDECIDED,
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    for name, counts in FILES.items():
        write_counts(tmp_path / f"{name}.json", counts)
    return tmp_path


@pytest.fixture
def run():
    return call


@pytest.fixture
def gates(folder):
    """Write a gate file of the gates, each the name of its candidate, with more settings of its own where given."""

    def write(*names, **settings):
        lines = ["defaults: {rope: 0.02}", "gates:"]
        for name in (*names, *settings):
            more = settings.get(name, "")
            candidate = name if name in FILES else "better"
            baseline = "" if "baseline:" in more else "baseline: old.json, "
            lines.append(f"  {name}: {{{baseline}candidate: {candidate}.json{more and ', '}{more}}}")
        path = folder / "bayesf1.yaml"
        path.write_text("\n".join(lines) + "\n")
        return path

    return write
