"""From a report to annotations at the tests that failed."""

from pathlib import PurePosixPath

from pytest_bayesf1.github.workflow import MOST_ANNOTATIONS, Annotation
from pytest_bayesf1.reports.entry import AnyEntry, Report
from pytest_bayesf1.results.formatting import spelt_out, visible
from pytest_bayesf1.results.other import Finding

_LEVELS = {"failed": "error", "error": "error", "warned": "warning"}
"""Of verdicts; all others are but a notice."""


def annotations_of(report: Report, folder: str = "") -> list[Annotation]:
    """Annotate what needs attention or was loosened; the last of a level that is full tells how many were left out.

    ``folder`` is where pytest ran, relative to the repository.
    """
    first: dict[tuple[str, str], AnyEntry] = {}
    for entry in report.entries:
        if entry.needs_attention:
            first.setdefault((_LEVELS.get(entry.verdict, "notice"), entry.test), entry)
    found: dict[str, list[Annotation]] = {}
    for (level, _), entry in first.items():
        found.setdefault(level, []).append(_annotation(level, entry, folder))
    found["warning"] = [*map(_loosened, report.loosened), *found.get("warning", ())]
    return [annotation for level in found for annotation in _limited(found[level])]


def _annotation(level: str, entry: AnyEntry, folder: str) -> Annotation:
    lines = f"{entry.headline}.\n{entry.advice}".strip().splitlines()
    file = spelt_out(str(PurePosixPath(folder) / entry.file)) if entry.file else ""
    return Annotation(level, visible(entry.name), "\n".join(map(spelt_out, lines)), file, entry.line)


def _loosened(finding: Finding) -> Annotation:
    return Annotation("warning", visible(finding.gate), f"This gate was loosened: {visible(finding.told)}.")


def _limited(annotations: list[Annotation]) -> list[Annotation]:
    if len(annotations) <= MOST_ANNOTATIONS:
        return annotations
    kept = annotations[: MOST_ANNOTATIONS - 1]
    left = len(annotations) - len(kept)
    return [*kept, Annotation(kept[0].level, "pytest-bayesf1", f"{left} more: see the job summary.")]
