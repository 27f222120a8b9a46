"""The reports that the gallery shows: ``python -m docs.site.samples`` makes them."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Sample:
    """A report of some examples.

    Attributes
    ----------
    name
        Of its folder.
    title
        Its heading in the gallery.
    text
        What is to be seen in it.
    examples
        The folders that are run for it.
    """

    name: str
    title: str
    text: str
    examples: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """Where ``nox -s gallery`` leaves the report."""
        return ROOT / ".nox" / "gallery" / self.name

    @property
    def command(self) -> str:
        """What anybody can run to get the same."""
        return f"pytest {' '.join(self.examples)} --bayesf1-report=bayesf1-report"


SAMPLES = (
    Sample(
        "floors",
        "A benchmark that flickers",
        "Five runs of the same 200 questions against a floor that eight runs of the unchanged system gave.",
        ("examples/floors",),
    ),
    Sample(
        "classifiers",
        "Retrained classifiers",
        "Newsgroup postings and handwritten digits: one candidate is leaning worse, one fails, as it is to (xfail).",
        ("examples/newsgroups", "examples/digits"),
    ),
    Sample(
        "entities",
        "Entity recognisers",
        "Names in 231 documents, which are taken as a whole: found, missed and invented ones, type by type.",
        ("examples/entities",),
    ),
    Sample(
        "llm-classifier",
        "A language model as classifier",
        "Three prompts sort tickets, five times each; some answers are no category, and 120 tickets cannot tell all.",
        ("examples/llm-classifier",),
    ),
)


def make() -> None:
    """Run the examples of every sample."""
    for sample in SAMPLES:
        report = f"--bayesf1-report={sample.folder}"
        subprocess.run([sys.executable, "-m", "pytest", "-q", *sample.examples, report], cwd=ROOT, check=True)  # noqa: S603


if __name__ == "__main__":
    make()
