"""The manifest of gates, for ``bayesf1 gate``."""

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from pytest_bayesf1.cli.answers import Answers
from pytest_bayesf1.gates.manifest import GatesOfRun, compare_gates, parse_manifest, write_manifest
from pytest_bayesf1.git import CheckedOut
from pytest_bayesf1.results.other import Finding
from pytest_bayesf1.settings import manifest_path


@dataclass(frozen=True)
class Manifest:
    """The manifest of a root folder, beside the gates that answered.

    Attributes
    ----------
    whole
        The gate files of which all gates were evaluated: what is listed of them and was not is gone.
    """

    root: Path
    answers: Answers
    whole: Collection[Path]

    def update(self) -> None:
        """List the gates that answered; raise `BaselineError` when that cannot be done."""
        write_manifest(manifest_path(self.root), self.answers.settings, gone=self._is_gone)

    def findings(self) -> tuple[Finding, ...]:
        """Compare with what is listed; raise `BaselineError` when that cannot be read."""
        path = manifest_path(self.root)
        content = CheckedOut().read(path)
        if content is None:
            return ()
        return compare_gates(parse_manifest(content, path), GatesOfRun(self.answers.settings, self._why_missing))

    def _is_gone(self, test: str) -> bool:
        files = {os.path.relpath(file, self.root) for file in self.whole}
        return test.partition("::")[0] in files and all(entry.test != test for entry in self.answers.entries)

    def _why_missing(self, test: str) -> str:
        return "its file does not declare it any more" if self._is_gone(test) else ""
