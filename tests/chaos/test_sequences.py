"""Sequences of commands on one repository, some of them killed: nothing is lost, nothing is believed, runs recover.

Beside the repository a model of a few lines knows what it must say. `SEQUENCES=500` makes it a long evening.
"""

import json
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pytest_bayesf1.baselines.store import from_text
from tests.chaos.test_chaos import Project, git, require_whole

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform == "win32", reason="kills by a signal")]

BAYESF1 = "-c", "from pytest_bayesf1.cli.main import main; main()"
GOOD, USUAL, BAD = 16, 20, 60
"""Errors of three candidates among 200 examples; five points may be lost, so only BAD fails beside the others."""
POOL = "id,old,new\n" + "\n".join(f"e{n},{n % 2},{n % 2 if n % 3 else (n + 1) % 2}" for n in range(60)) + "\n"


class Repository(RuleBasedStateMachine):
    """What is stored is known: the errors of the baseline, whether the loss of BAD is accepted, and the labels."""

    def __init__(self):
        super().__init__()
        self.project = Project(Path(tempfile.mkdtemp()))
        self.folder = self.project.folder
        self.name = "spam"

    def teardown(self):
        shutil.rmtree(self.folder)

    @initialize()
    def begin(self):
        (self.folder / ".gitignore").write_text("cache-of-results\n__pycache__\n*.csv.lock\n")
        (self.folder / "pool.csv").write_text(POOL)
        git(self.folder, "init", "-q")
        assert self.pytest("--bayesf1-update=new", wrong=USUAL).returncode == 0
        self.succeeds("label", "start", "pool.csv", "--baseline", "old", "--candidate", "new", "--rope", "0.05")
        self.stored, self.accepted, self.labels = USUAL, False, {}
        self.left = False
        self.commit()

    def pytest(self, *arguments, **options):
        return self.project.pytest(*arguments, **options)

    def succeeds(self, *arguments):
        result = self.project.run(*BAYESF1, *arguments)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def path(self):
        return self.folder / "__bayesf1__" / f"test_{self.name}" / "test_spam.json"

    def read(self):
        """Count the errors of the stored baseline; None where there is none."""
        if not self.path().exists():
            return None
        from_text(self.path().read_text("utf-8"), str(self.path()))
        return sum(true != said for _, true, said, *_ in json.loads(self.path().read_text("utf-8"))["rows"])

    def fails(self, wrong):
        return wrong == BAD and self.stored != BAD and not self.accepted

    @rule(wrong=st.sampled_from([GOOD, USUAL, BAD]))
    def check(self, wrong):
        before = self.project.contents()
        result = self.pytest(wrong=wrong)
        assert result.returncode == (1 if self.stored is None or self.fails(wrong) else 0), result.stdout
        assert self.project.contents() == before

    @rule(wrong=st.sampled_from([GOOD, USUAL, BAD]), new=st.booleans())
    def update(self, wrong, new):
        result = self.pytest("--bayesf1-update=new" if new else "--bayesf1-update", wrong=wrong)
        if self.stored is None:
            assert result.returncode == 0, result.stdout
            self.stored = wrong
        elif self.fails(wrong):
            assert result.returncode == 1, result.stdout
        elif not new:
            assert result.returncode == 0, result.stdout
            self.accepted = self.accepted and self.stored == wrong
            self.stored = wrong

    @precondition(lambda self: self.stored in (GOOD, USUAL) and not self.accepted)
    @rule()
    def accept(self):
        assert self.pytest(wrong=BAD).returncode == 1
        self.succeeds("accept", f"test_{self.name}.py::test_spam", "--reason", "half the size")
        self.accepted = True

    @rule(point=st.integers(1, 6), wrong=st.sampled_from([GOOD, USUAL]))
    def killed_update(self, point, wrong):
        result = self.pytest("--bayesf1-update", wrong=wrong, fault_at=point)
        assert result.returncode in (0, -signal.SIGKILL)
        assert self.read() in (self.stored, wrong)
        self.accepted = self.accepted and self.read() == self.stored
        self.stored = self.read()

    @rule(label=st.sampled_from("01"), kill=st.integers(0, 4))
    def label(self, label, kill):
        batch = self.folder / "batch.csv"
        batch.unlink(missing_ok=True)
        if len(self.labels) > 50:
            return
        self.succeeds("label", "next", "--count", "2", "-o", "batch.csv")
        names = [line.split(",")[0] for line in batch.read_text("utf-8").splitlines()[1:]]
        assert not set(names) & set(self.labels)
        batch.write_text("id,label\n" + "".join(f"{name},{label}\n" for name in names))
        added = self.labels | dict.fromkeys(names, label)
        result = self.project.run(*BAYESF1, "label", "add", "batch.csv", fault_at=kill)
        assert result.returncode in (0, -signal.SIGKILL), result.stdout + result.stderr
        assert self.stored_labels() in ((added,) if result.returncode == 0 else (self.labels, added))
        self.labels = self.stored_labels()

    def stored_labels(self):
        lines = (self.folder / "pool.labels.csv").read_text("utf-8").splitlines()
        names = lines[0].split(",")
        rows = [dict(zip(names, line.split(","), strict=True)) for line in lines[1:]]
        return {row["id"]: row["label"] for row in rows}

    @rule()
    def commit(self):
        git(self.folder, "add", "--all")
        git(self.folder, "commit", "-qm", "change", "--allow-empty")
        self.committed = self.name, self.stored, self.accepted, dict(self.labels), self.left

    @rule()
    def throw_away(self):
        git(self.folder, "reset", "-q", "--hard")
        git(self.folder, "clean", "-qfd")
        self.name, self.stored, self.accepted, labels, self.left = self.committed
        self.labels = dict(labels)

    @rule()
    def rename(self):
        """A test in another module has no baseline of its own; that of the old one stays where it is.

        So does an accepted loss, until an update lists the gates without that test.
        """
        other = {"spam": "mail", "mail": "spam"}[self.name]
        (self.folder / f"test_{self.name}.py").rename(self.folder / f"test_{other}.py")
        self.name = other
        listed = json.loads((self.folder / "__bayesf1__" / "gates.json").read_text("utf-8")).get("accepted", {})
        returning, self.left = self.left and f"test_{other}.py::test_spam" in listed, self.accepted
        self.stored, self.accepted = self.read(), returning

    @rule()
    def history(self):
        result = self.project.run(*BAYESF1, "history")
        assert result.returncode in (0, 4), result.stdout + result.stderr
        assert "Traceback" not in result.stderr

    @invariant()
    def files_are_whole(self):
        require_whole(self.project.contents())
        assert self.read() == self.stored
        assert self.stored_labels() == self.labels


Repository.TestCase.settings = settings(
    max_examples=int(os.environ.get("SEQUENCES", "20")),
    stateful_step_count=8,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestRepository = Repository.TestCase
