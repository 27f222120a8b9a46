"""The project's checks, one session each; `nox` runs what every push must pass, `nox -l` lists them.

The sessions make no environments: they use the one that nox itself is installed in, as CONTRIBUTING.md says.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nox

nox.needs_version = ">=2024.4.15"
nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "types", "imports", "docs", "build", "coverage"]

ROOT = Path(__file__).parent
ENVIRONMENT = Path(sys.executable).parent
PYPROJECT = nox.project.load_toml(ROOT / "pyproject.toml")
PARALLEL = ("-n", "auto", "--dist", "worksteal")


def run(session: nox.Session, tool: str, *arguments: str, env: dict[str, str] | None = None) -> None:
    """Run a program of nox's own environment."""
    session.run(str(ENVIRONMENT / tool), *arguments, external=True, env=env)


def readme_command(number: int) -> str:
    """Read a command below the README's heading "Try it from a checkout"."""
    section = (ROOT / "README.md").read_text("utf-8").split("\n## Try it from a checkout\n")[1].split("\n## ")[0]
    commands: list[str] = re.findall(r"```sh\n(.*?)```", section, flags=re.DOTALL)
    return commands[number - 1].strip()


@nox.session
def lint(session: nox.Session) -> None:
    """Ruff's rules and format."""
    run(session, "ruff", "check")
    run(session, "ruff", "format", "--check")


@nox.session
def types(session: nox.Session) -> None:
    """Mypy: strict for the package, all bodies elsewhere."""
    run(session, "mypy")


@nox.session
def imports(session: nox.Session) -> None:
    """The layers, and one door for each heavy library."""
    run(session, "lint-imports", "--no-logo")


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation, every link in it checked; `nox -s docs -- serve` shows it while you write."""
    command = session.posargs or ["build", "--quiet"]
    environment = {"NO_MKDOCS_2_WARNING": "1"}
    session.run(sys.executable, "-m", "mkdocs", *command, "--strict", external=True, env=environment)


@nox.session
def regenerate(session: nox.Session) -> None:
    """Write everything that is generated: JSON Schemas, tables in the docs, golden files; review it with git diff."""
    writes = re.compile(r"generated\(|\btranscript\b").search
    files = [str(file) for file in (ROOT / "tests").glob("*/**/test_*.py") if writes(file.read_text("utf-8"))]
    run(session, "pytest", "-q", "-m", "", *files, env={"BAYESF1_REGENERATE": "1"})


@nox.session
def gallery(session: nox.Session) -> None:
    """Reports of the examples, for the documentation's gallery."""
    session.run(sys.executable, "-m", "docs.site.samples", external=True)


@nox.session
def readme(session: nox.Session) -> None:
    """The README's first command: real classifiers compared, and a report."""
    shutil.rmtree(ROOT / "bayesf1-report", ignore_errors=True)
    session.run("bash", "-euo", "pipefail", "-c", readme_command(1), external=True)
    for name in ("report.html", "report.md", "report.json"):
        if not (ROOT / "bayesf1-report" / name).stat().st_size:
            session.error(f"the README's first command left an empty {name}")


@nox.session
def tests(session: nox.Session) -> None:
    """The README's second command: all that a push must pass."""
    run_tests(session)


@nox.session
def coverage(session: nox.Session) -> None:
    """The same tests, and how many branches they run, which takes them a third longer."""
    for left_over in ROOT.glob(".coverage*"):
        left_over.unlink()
    run_tests(session, COVERAGE_PROCESS_START=str(ROOT / "pyproject.toml"))
    run(session, "coverage", "combine", "-q")
    run(session, "coverage", "report")


def run_tests(session: nox.Session, **environment: str) -> None:
    """Run the README's second command, and keep its output."""
    log = ROOT / ".nox" / "tests.log"
    log.parent.mkdir(exist_ok=True)
    command = f"{{ {readme_command(2)}; }} 2>&1 | tee {shlex.quote(str(log))}"
    session.run("bash", "-euo", "pipefail", "-c", command, external=True, env=environment)


@nox.session
def fast(session: nox.Session) -> None:
    """All tests that are not slow."""
    run(session, "pytest", *PARALLEL, "-m", "not slow", *session.posargs)


def tests_in(session: nox.Session, folder: str) -> None:
    """Run every test of a folder, the longest too."""
    run(session, "pytest", *PARALLEL, "-m", "", f"tests/{folder}", *session.posargs)


@nox.session
def reference(session: nox.Session) -> None:
    """Every closed form, naive sampler, NUTS agreement and calibration."""
    tests_in(session, "reference")


@nox.session
def action(session: nox.Session) -> None:
    """The steps of the GitHub Action, and its comment as GitHub shows it; needs Node."""
    tests_in(session, "action")


@nox.session
def browser(session: nox.Session) -> None:
    """The reports in Chromium; needs Chromium and Node."""
    tests_in(session, "browser")


@nox.session
def screenshots(session: nox.Session) -> None:
    """Pictures of the HTML report in every state, into screenshots/; needs Chromium."""
    run(session, "python", "-m", "tests.browser.screenshots", *session.posargs)


@nox.session
def spark(session: nox.Session) -> None:
    """Counting on a Spark cluster on this machine; needs Java."""
    tests_in(session, "cluster")


@nox.session
def chaos(session: nox.Session) -> None:
    """Updates, reports and histories that are killed, run out of disk or meet each other."""
    tests_in(session, "chaos")


@nox.session
def long(session: nox.Session) -> None:
    """What pushes leave out: NUTS, calibration, the cluster, states of reports; more examples of properties."""
    run(session, "pytest", *PARALLEL, "-m", "long", *session.posargs)
    run(session, "pytest", *PARALLEL, "--hypothesis-profile=thorough", "tests/property")
    compare_speed(session, [])


@nox.session
def speed(session: nox.Session) -> None:
    """How much longer cases take than a week ago, or than as of `nox -s speed -- REF`; it never fails."""
    compare_speed(session, session.posargs)


def compare_speed(session: nox.Session, refs: list[str]) -> None:
    """Compare with a commit, or with the last one that is a week old."""
    found = (
        refs or str(session.run("git", "rev-list", "-1", "--before=1.week", "HEAD", external=True, silent=True)).split()
    )
    if found:
        run(session, "python", "-m", "benchmarks", "--against", found[0])
    else:
        session.log("there is no commit of a week ago to compare with")


_MISSING = "test_runs.py::TestIncomplete::test_what_was_asked_for_and_did_not_run_is_missing"
WRITTEN_OTHERWISE = (  # by pytest 8.0, which takes Ctrl+C in a module for an error and with -x reaches more arguments
    "test_gates.py::TestGateFiles::test_a_gate_fails_with_what_to_know_and_to_do_and_no_traceback",
    f"{_MISSING}[interrupted in collecting]",
    f"{_MISSING}[-x in collecting]",
)
VERSIONED = ("tests/unit", "tests/property", "tests/functional/test_gates.py", "tests/functional/test_runs.py")


def pythons() -> Iterator[str]:
    """Find every finished Python that is supported and that can be run by its name, or that pyenv has."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    oldest = int(PYPROJECT["project"]["requires-python"].removeprefix(">=3."))
    finished = "import sys; sys.exit(sys.version_info.releaselevel != 'final')"
    for minor in range(oldest, 30):
        names = [f"python3.{minor}", *map(str, pyenv.glob(f"3.{minor}.*/bin/python3"))]
        for python in filter(None, map(shutil.which, names)):
            if subprocess.run([python, "-c", finished], check=False, capture_output=True).returncode == 0:
                yield python
                break


@nox.session
def versions(session: nox.Session) -> None:
    """Unit, property and plugin tests with the lowest declared and the newest versions, on every supported Python."""
    for python in pythons():
        for resolution in ("lowest-direct", "highest"):
            with tempfile.TemporaryDirectory() as folder:
                test_with(session, python, resolution, Path(folder))


def test_with(session: nox.Session, python: str, resolution: str, folder: Path) -> None:
    """Run these tests in an environment of its own."""
    environment, constraints, options = folder / "environment", folder / "constraints", []
    run(session, "uv", "venv", "-q", "-p", python, str(environment))
    constraints.touch()
    if resolution == "lowest-direct":
        constraints.write_text("arviz<1\n")  # PyMC 5 takes any ArviZ, but works with none from 1 on
        options = ["-W", "ignore::DeprecationWarning"]  # old packages use what the newer ones below them discourage
        options += [f"--deselect=tests/functional/{test}" for test in WRITTEN_OTHERWISE]
    # nothing is compiled: of what has no wheel for a newer Python, the lowest version that has one is taken
    wheels = ["--only-binary", ":all:", "--no-binary", "pytest-bayesf1"]
    resolved = ["--resolution", resolution, "--constraints", str(constraints)]
    run(session, "uv", "pip", "install", "-q", "-p", str(environment), *resolved, *wheels, "-e", ".[test]")
    pytest = [str(environment / "bin" / "python"), "-m", "pytest", *PARALLEL, "-q", "-p", "no:cacheprovider"]
    session.run(*pytest, *options, *VERSIONED, external=True)


TINY_TEST = """
import pytest
from pytest_bayesf1 import assert_not_worse

def test_passes():
    assert_not_worse([[90, 10], [10, 90]], [[91, 9], [10, 90]], rope=0.05)

def test_fails():
    with pytest.raises(AssertionError, match="worse"):
        assert_not_worse([[90, 10], [10, 90]], [[50, 50], [50, 50]], rope=0.05)
"""


def version_of(wheel: Path) -> str:
    """Read the version off a wheel's name."""
    return wheel.name.split("-")[1]


def wrong_tag(tag: str, wheel: Path) -> str | None:
    """Say what is wrong with a tag that does not name the wheel's version."""
    expected = f"v{version_of(wheel)}"
    return None if tag == expected else f"the tag is {tag}, but the version built is that of {expected}"


@nox.session
def build(session: nox.Session) -> None:
    """All of a release but the upload: `nox -s build -- v1.2.3` with its tag, without one as a rehearsal."""
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    run(session, "uv", "build", "-q", "--out-dir", str(dist))
    (wheel,) = dist.glob("*.whl")
    run(session, "twine", "check", "--strict", *map(str, dist.glob("pytest_bayesf1-*")))
    tag = session.posargs[0] if session.posargs else f"v{version_of(wheel)}"
    if wrong := wrong_tag(tag, wheel):
        session.error(wrong)
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "environment"
        run(session, "uv", "venv", "-q", "-p", sys.executable, str(environment))
        run(session, "uv", "pip", "install", "-q", "-p", str(environment), str(wheel))
        (Path(folder) / "test_tiny.py").write_text(TINY_TEST, "utf-8")
        with session.chdir(folder):  # where the checkout cannot be imported
            version = session.run(str(environment / "bin" / "bayesf1"), "--version", external=True, silent=True)
            if version_of(wheel) not in str(version):
                session.error(f"bayesf1 --version says {version!r}, not {version_of(wheel)}")
            session.run(str(environment / "bin" / "pytest"), "-q", "test_tiny.py", external=True)
