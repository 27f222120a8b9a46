"""Each case in a process of its own, within a limit of memory and time, so that none can take the machine down."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

GIGABYTE = 1 << 30
ROOT = Path(__file__).parents[1]


def run(
    case: str, *, gigabytes: float = 8, seconds: float = 240, root: Path = ROOT, **arguments: Any
) -> dict[str, Any]:
    """Return a case's figures, or why there are none, as ``failure``; ``root`` is where our package is."""

    def limited() -> None:
        size = int(gigabytes * GIGABYTE)
        resource.setrlimit(resource.RLIMIT_AS, (size, size))

    command = [sys.executable, "-P", "-m", "benchmarks.case", case, json.dumps(arguments)]
    try:
        done = subprocess.run(  # noqa: S603 (our own modules)
            command,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (root, ROOT)))},
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
            preexec_fn=limited,
        )
    except subprocess.TimeoutExpired:
        return {"failure": f"more than {seconds:g} s"}
    if done.returncode == 0:
        figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return figures
    reason = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit code {done.returncode}"
    memory = "MemoryError" in done.stderr or "Unable to allocate" in done.stderr or done.returncode < 0
    return {"failure": f"more than {gigabytes:g} GB" if memory else reason}
