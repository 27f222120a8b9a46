"""Runs that are killed, that find the disk full, or that meet each other: files are old or new, never neither.

All are long: `nox -s chaos` runs them.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent

import pytest

from pytest_bayesf1.baselines.store import from_text, is_baseline_text
from pytest_bayesf1.gates import manifest

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform == "win32", reason="kills by a signal")]

DISTURBER = """
    import errno, os, signal, sys

    at, seen, fault = int(os.environ.get("FAULT_AT", 0)), 0, os.environ.get("FAULT")
    WRITES = ("os.rename", "os.remove", "os.mkdir", "os.chmod", "tempfile.mkstemp")

    def disturb(event, args):
        global seen
        writes = event in WRITES or (event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+"))
        if at and writes and any(place in str(args[0]) for place in ("__bayesf1__", "report", "cache-of", "pool.")):
            seen += 1
            if fault is None and seen == at:
                os.kill(os.getpid(), signal.SIGKILL)
            if fault is not None and seen >= at and (event, fault) != ("os.remove", "ENOSPC"):
                raise OSError(getattr(errno, fault), fault, str(args[0]))

    sys.addaudithook(disturb)
"""
GATE = """
    import os
    from pytest_bayesf1 import ConfusionMatrix

    def test_{name}(bayes_regression):
        wrong = int(os.environ["WRONG"])
        predicted = [(n + (n < wrong)) % 2 for n in range(200)]
        candidate = ConfusionMatrix.from_predictions([n % 2 for n in range(200)], predicted, ids=range(200))
        bayes_regression.check(candidate, measure="accuracy", rope=0.05)
"""


class Project:
    """A folder with gates, each in a module of its own."""

    def __init__(self, folder, names=("spam",)):
        self.folder = folder
        (folder / "sitecustomize.py").write_text(dedent(DISTURBER))
        (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider -p no:randomly\n")
        for name in names:
            (folder / f"test_{name}.py").write_text(dedent(GATE.format(name=name)))

    def run(self, *command, wrong=20, fault_at=0, fault=None, **options):
        known = {"PYTHONPATH": f"{self.folder}{os.pathsep}{Path(__file__).parents[2]}", "PYTHONDONTWRITEBYTECODE": "1"}
        cache = str(self.folder / "cache-of-results")
        faults = {"FAULT_AT": str(fault_at)} | ({} if fault is None else {"FAULT": fault})
        settings = {"WRONG": str(wrong), "BAYESF1_CACHE": cache, **known, **faults}
        without_ci = {name: value for name, value in os.environ.items() if name not in ("CI", "PYTEST_ADDOPTS")}
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env={**without_ci, **settings},
            capture_output=True,
            text=True,
            check=False,
            **options,
        )

    def pytest(self, *arguments, **options):
        return self.run("-m", "pytest", "-q", *arguments, **options)

    def contents(self, pattern="__bayesf1__/**/*.json"):
        return {path: path.read_text("utf-8") for path in self.folder.glob(pattern) if not path.name.startswith(".")}

    def leftovers(self):
        """Find temporary files; a lock of a dead process stays until the next run that writes there."""
        return [path for path in self.folder.glob("__bayesf1__/**/.*") if path.is_file() and "lock" not in path.name]


def require_whole(contents):
    for path, text in contents.items():
        if is_baseline_text(text):
            from_text(text, str(path))
        else:
            _ = manifest.Listed.of(text.encode(), path)


def git(folder, *arguments):
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


MOST_POINTS = 60


def until_it_survives(act):
    """Kill at the first point, the second and so on, until a run comes to its end."""
    for point in range(1, MOST_POINTS):
        if act(point).returncode != -signal.SIGKILL:
            return point - 1
    pytest.fail(f"the run was killed {MOST_POINTS} times: it writes more than it should")


def test_an_update_that_is_killed_leaves_old_files_or_new_ones(tmp_path):
    project = Project(tmp_path)
    assert project.pytest("--bayesf1-update=new").returncode == 0
    old = project.contents()
    project.pytest("--bayesf1-update", wrong=19)
    new = project.contents()
    assert old.keys() == new.keys()
    assert old != new

    def act(point):
        for path, text in old.items():
            path.write_text(text, "utf-8")
        result = project.pytest("--bayesf1-update", wrong=19, fault_at=point)
        found = project.contents()
        assert found.keys() == old.keys()
        assert all(found[path] in (old[path], new[path]) for path in found)
        assert project.pytest("--bayesf1-update", wrong=19).returncode == 0
        assert project.contents() == new
        assert not project.leftovers()
        return result

    assert until_it_survives(act) >= 3


def test_a_report_that_is_killed_leaves_whole_files(tmp_path):
    project = Project(tmp_path)
    project.pytest("--bayesf1-update=new")
    project.pytest("--bayesf1-report=report")
    names = {path.name for path in (tmp_path / "report").iterdir()}

    def act(point):
        result = project.pytest("--bayesf1-report=report", wrong=19, fault_at=point)
        assert {path.name for path in (tmp_path / "report").iterdir() if path.name[0] != "."} >= names
        json.loads((tmp_path / "report" / "report.json").read_text("utf-8"))
        assert (tmp_path / "report" / "report.html").read_text("utf-8").rstrip().endswith("</html>")
        return result

    assert until_it_survives(act) >= 3


def test_a_history_that_is_killed_says_the_same_the_next_time(tmp_path):
    project = Project(tmp_path)
    (tmp_path / ".gitignore").write_text("cache-of-results\n__pycache__\n")
    git(tmp_path, "init", "-q")
    for wrong, update in ((20, "--bayesf1-update=new"), (19, "--bayesf1-update"), (22, "--bayesf1-update")):
        assert project.pytest(update, wrong=wrong).returncode == 0
        git(tmp_path, "add", "--all")
        git(tmp_path, "commit", "-qm", str(wrong))
    history = "-c", "from pytest_bayesf1.cli.main import main; main()", "history"
    expected = project.run(*history)
    assert expected.returncode == 0, expected.stdout + expected.stderr

    def act(point):
        for path in sorted((tmp_path / "cache-of-results").rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
        result = project.run(*history, fault_at=point)
        again = project.run(*history)
        assert (again.returncode, again.stdout) == (0, expected.stdout)
        return result

    assert until_it_survives(act) >= 1


def test_a_worker_that_is_killed_fails_the_run_and_loses_nothing(tmp_path):
    project = Project(tmp_path, ("spam", "ham"))
    project.pytest("--bayesf1-update=new")
    old = project.contents()
    with (tmp_path / "test_ham.py").open("a") as file:
        file.write("    os.kill(os.getpid(), 9)\n")
    result = project.pytest("-n2", "--bayesf1-report=report", "--bayesf1-update", wrong=19)
    assert result.returncode == 1
    assert "crashed" in result.stdout
    require_whole(project.contents())
    ham = next(path for path in old if path.name == "test_ham.json")
    assert project.contents()[ham] == old[ham]
    assert json.loads((tmp_path / "report" / "report.json").read_text("utf-8"))["verdict"] != "passed"


def test_an_update_on_a_disk_that_fills_up_at_any_point_keeps_whole_files_and_fails(tmp_path):
    project = Project(tmp_path)
    project.pytest("--bayesf1-update=new")
    old = project.contents()
    project.pytest("--bayesf1-update", wrong=19)
    new = project.contents()
    for point in range(1, MOST_POINTS):
        for path, text in old.items():
            path.write_text(text, "utf-8")
        result = project.pytest("--bayesf1-update", wrong=19, fault_at=point, fault="ENOSPC")
        found = project.contents()
        assert found.keys() == old.keys()
        assert all(found[path] in (old[path], new[path]) for path in found)
        assert not project.leftovers()
        if result.returncode == 0:
            break
        assert "ENOSPC" in result.stdout
    assert point > 3
    assert found == new


@pytest.mark.parametrize("command", ["--bayesf1-update", "--bayesf1-report=report"])
def test_a_folder_that_cannot_be_written_to_is_named_and_keeps_what_it_has(tmp_path, command):
    project = Project(tmp_path)
    project.pytest("--bayesf1-update=new")
    project.pytest("--bayesf1-report=report")
    old = project.contents() | project.contents("report/report.[jmh]*")
    result = project.pytest(command, wrong=19, fault_at=1, fault="EROFS")
    assert result.returncode != 0
    assert "EROFS" in result.stdout
    assert project.contents() | project.contents("report/report.[jmh]*") == old


def test_a_full_disk_replaces_nothing_and_fails_the_run(tmp_path):
    project = Project(tmp_path)
    project.pytest("--bayesf1-update=new")
    project.pytest("--bayesf1-report=report")
    old, report = project.contents(), project.contents("report/*.json")

    def fill():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))

    result = project.pytest("--bayesf1-update", "--bayesf1-report=report", wrong=19, preexec_fn=fill)
    assert result.returncode != 0
    assert "Cannot write the file" in result.stdout or "NOT written" in result.stdout
    assert project.contents() == old
    assert project.contents("report/*.json") == report
    assert project.pytest("--bayesf1-update", wrong=19).returncode == 0
    assert not project.leftovers()


def test_eight_updates_at_once_list_all_gates(tmp_path):
    names = [f"gate{number}" for number in range(8)]
    project = Project(tmp_path, names)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda name: project.pytest("--bayesf1-update=new", f"test_{name}.py"), names))
    assert [each.returncode for each in results] == [0] * 8
    listed = json.loads((tmp_path / "__bayesf1__" / "gates.json").read_text("utf-8"))["gates"]
    assert sorted(listed) == sorted(f"test_{name}.py::test_{name}" for name in names)
    require_whole(project.contents())


def test_two_histories_at_once_say_the_same(tmp_path):
    project = Project(tmp_path)
    git(tmp_path, "init", "-q")
    project.pytest("--bayesf1-update=new")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "-qm", "one")
    history = "-c", "from pytest_bayesf1.cli.main import main; main()", "history"
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: project.run(*history), range(2))
    assert (one.returncode, one.stdout) == (0, other.stdout)
