"""How much longer our cases take than as of another commit: both by turns, so that neither has the quieter machine."""

import io
import subprocess
import tarfile
from collections.abc import Iterator, Sequence
from compileall import compile_dir
from math import exp, log, sqrt
from pathlib import Path
from statistics import mean, stdev
from tempfile import TemporaryDirectory
from typing import Any

from scipy.special import stdtrit

from benchmarks.isolation import ROOT
from benchmarks.plan import Case
from benchmarks.table import seconds

_ROUNDS = 6
_PACKAGE = "pytest_bayesf1"
_CONFIDENCE = 0.95


def against(ref: str, cases: Sequence[Case], rounds: int = _ROUNDS) -> Iterator[str]:
    """Run every case of ours with the package as it is here and as it was, and yield a table in Markdown.

    Time is that of the processors. The interval is that of the ratio's geometric mean over the rounds, by Student's t.

    Parameters
    ----------
    ref
        A commit, a tag or a branch.
    cases
        Those that run other packages are left out.
    rounds
        How often each is run on either side, two at least.

    Yields
    ------
    str
        A line.
    """
    yield f"| | {ref} | here | times as long |"
    yield "| --- | ---: | ---: | ---: |"
    with TemporaryDirectory() as folder:
        before = Path(folder)
        packed = ["git", "-C", str(ROOT), "archive", ref, _PACKAGE]
        tar = subprocess.run(packed, check=True, capture_output=True).stdout  # noqa: S603 (git, without a shell)
        with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
            archive.extractall(before, filter="data")
        for root in (before, ROOT):
            compile_dir(root / _PACKAGE, quiet=1)  # as an installation does
        for case in cases:
            if not case.function.startswith("peers."):
                runs = [(case.once(before), case.once(ROOT)) for _ in range(rounds)]
                yield f"| {_text(case)} | {' | '.join(compared(runs))} |"


def compared(runs: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> tuple[str, str, str]:
    """Return both times, and how many times as long the second takes.

    Parameters
    ----------
    runs
        Figures of both sides, round by round.
    """
    failures = tuple(
        next((each["failure"] for each in side if "failure" in each), "") for side in zip(*runs, strict=True)
    )
    if any(failures):
        return failures[0], failures[1], ""
    before, now = ([each["processor"] for each in side] for side in zip(*runs, strict=True))
    ratios = [log(after / first) for first, after in zip(before, now, strict=True)]
    half = float(stdtrit(len(ratios) - 1, (1 + _CONFIDENCE) / 2)) * stdev(ratios) / sqrt(len(ratios))
    low, middle, high = (exp(mean(ratios) + distance) for distance in (-half, 0, half))
    return seconds(min(before)), seconds(min(now)), f"{middle:.2f} ({low:.2f} to {high:.2f})"


def _text(case: Case) -> str:
    sizes = ", ".join(f"{name.removeprefix('n_')} {value}" for name, value in case.arguments.items())
    return f"{case.series}: {sizes}"
