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
    options
        Of ``bayesf1 compare``, where it compares two folders; else pytest runs them.
    """

    name: str
    title: str
    text: str
    examples: tuple[str, ...]
    options: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Where ``nox -s gallery`` leaves the report."""
        return ROOT / ".nox" / "gallery" / self.name

    @property
    def command(self) -> str:
        """What anybody can run to get the same."""
        return " ".join(self.program("bayesf1-report"))

    def program(self, report: str) -> list[str]:
        """Write the command with the place of its report."""
        if self.options:
            return ["bayesf1", "compare", *self.examples, *self.options, f"--report={report}"]
        return ["pytest", *self.examples, f"--bayesf1-report={report}"]


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
        "columns",
        "Several taggers in one file",
        "Gold tags and those of two systems in one file. A third of the tweets have no entity, and the result says so.",
        ("examples/tagged-columns",),
    ),
    Sample(
        "evaluations",
        "Two evaluation runs",
        "Logs of five tasks by inspect_ai, two runs of each. One is worse; their false alarms are limited together.",
        ("examples/evaluations/v1", "examples/evaluations/v2"),
        ("--rope=0.05",),
    ),
    Sample(
        "llm-classifier",
        "A language model as classifier",
        "Three prompts sort tickets, five times each; some answers are no category, and 120 tickets cannot tell all.",
        ("examples/llm-classifier",),
    ),
    Sample(
        "judges",
        "A judge, corrected by people",
        "GPT-4 prefers one system's answers; people's grades of a half of them say that it is not clearly better.",
        ("examples/judges",),
    ),
)


def make() -> None:
    """Run the examples of every sample."""
    for sample in SAMPLES:
        program, *arguments = sample.program(str(sample.folder))
        done = subprocess.run([Path(sys.executable).with_name(program), *arguments], cwd=ROOT, check=False)  # noqa: S603
        if not (sample.folder / "report.json").exists():
            sys.exit(done.returncode or 1)


if __name__ == "__main__":
    make()
