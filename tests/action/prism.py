"""Prism, which holds every request and every answer against GitHub's own description of them."""

import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.node import node_command, run_node

_SECONDS_TO_START = 60


@contextmanager
def prism_before(upstream: str, folder: Path) -> Iterator[str]:
    """Start Prism as a proxy before `upstream` and give its URL."""
    description, log = folder / "github.json", folder / "prism.log"
    run_node("action/openapi.mjs", str(description))
    command = node_command(
        "node_modules/@stoplight/prism-cli/dist/index.js",
        *("proxy", str(description), upstream, "--errors", "--cors", "false", "--host", "127.0.0.1", "--port", "0"),
    )
    with log.open("w") as output, subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT) as process:
        try:
            yield _listening(process, log)
        finally:
            process.terminate()


def _listening(process: subprocess.Popen[bytes], log: Path) -> str:
    end = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < end and process.poll() is None:
        if started := re.search(r"Prism is listening on (http://[\d.:]+)", log.read_text()):
            return started[1]
        time.sleep(0.05)
    raise AssertionError(f"Prism did not start:\n{log.read_text()}")
