"""Draw the figures of the explanations, of studies and real comparisons: ``python -m docs.figures [NAME ...]``."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from itertools import pairwise, takewhile
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib as mpl
import numpy as np
from click.testing import CliRunner
from matplotlib.figure import Figure
from scipy.stats import norm
from sklearn.svm import SVC

from docs.site.first import shown_test
from pytest_bayesf1 import Comparison, ConfusionMatrix, PairedCounts, SpanCounts, compare, rank
from pytest_bayesf1.cli.main import main as bayesf1
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.files.side import read_side

DOCS = Path(__file__).parent
FOLDER = DOCS / "explanation"
EXAMPLES = DOCS.parent / "examples"
STUDIES = DOCS.parent / "benchmarks" / "studies"
RULES = {"observed < −ROPE": ("a threshold", "#b3261e", "o"), "paired": ("the gate", "#1f4e9c", "s")}
PANELS = {"fails at 0": "fails a candidate that lost nothing", "−4 ROPE": "passes a candidate that lost 4 points"}
DASHES = {2: ":", 5: "--", 20: "-"}
BLUE, RED, GREY, ROPE = "#1f4e9c", "#b3261e", "#6e7781", "#f2d58a"
COLOURS = {"<<": RED, "<": "#b35900", "~": BLUE, ">": "#2e7d32", ">>": "#1b5e20", "?": "#6639ba"}


def main(names: Sequence[str]) -> None:
    """Draw the figures that are named, or all."""
    for name in names or FIGURES:
        draw(name, FOLDER / f"{name}.svg")


def draw(name: str, path: Path) -> None:
    """Draw a figure into a file."""
    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "font.family": "sans-serif"}):
        FIGURES[name]().savefig(path, metadata={"Date": None})


def table(study: str, first: str) -> list[dict[str, str]]:
    """Read the rows of a study's table by the beginning of its header."""
    lines = (STUDIES / f"{study}.md").read_text("utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {first}"))
    head, _, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")] for line in takewhile(str.strip, lines[start:])
    )
    return [dict(zip(head, row, strict=True)) for row in rows]


def number(cell: str) -> float:
    """Read the first number of a cell."""
    return float(cell.split(maxsplit=1)[0].rstrip("%").replace(",", ""))


def rates() -> Iterator[tuple[int, int, str, dict[str, float]]]:
    """Read number of classes, number of examples, rule and rates in per cent off the study's tables."""
    for section in (STUDIES / "rates.md").read_text("utf-8").split("\n### ")[1:]:
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if "|" in line]
        for size, rule, *cells in rows[2:]:
            figures = {name: float(cell) for name, cell in zip(rows[0][2:], cells, strict=True) if cell}
            yield int(section.split()[0]), int(size.replace(",", "")), rule, figures


def panels(count: int = 1, width: float = 7.0, height: float = 3.0, **options: Any) -> tuple[Figure, list[Any]]:
    """Begin a figure with panels in a row."""
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = list(np.atleast_1d(figure.subplots(1, count, **options)))
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
    return figure, axes


def intervals(axes: Any, rows: Sequence[tuple[str, Comparison]], rope: float) -> None:
    """Draw the likely ranges of comparisons below each other, in points."""
    axes.axvspan(-100 * rope, 100 * rope, color=ROPE, linewidth=0, zorder=0)
    axes.axvline(0, color=GREY, linestyle="--", linewidth=1)
    for place, (_, result) in enumerate(rows):
        colour = COLOURS[result.decision.ascii]
        axes.plot(100 * np.array(result.hdi), [place, place], color=colour, linewidth=4, solid_capstyle="butt")
        axes.plot(100 * result.mean, place, "o", color="white", markeredgecolor=colour, markersize=7)
    axes.set_yticks(range(len(rows)), [label for label, _ in rows])
    axes.set(ylim=(len(rows) - 0.4, -0.6), xlabel="change in points; yellow: what you allow")


def paired(only_old: int, only_new: int, neither: int, n: int) -> PairedCounts:
    """Make paired counts of two balanced classes from how many examples each side alone gets right."""
    rest = n // 2 - only_old - only_new - neither
    true, old, new = map(list, ("aaaab", "aabbb", "ababb"))
    counts = [rest, only_old, only_new, neither, n // 2]
    return PairedCounts.from_cells(true, old, new, counts, labels=["a", "b"])


def digits() -> tuple[ConfusionMatrix, ConfusionMatrix]:
    """Run the test of the home page up to its assertion, and return both sides."""
    names: dict[str, Any] = {}
    exec(shown_test((DOCS / "index.md").read_text("utf-8")), names)  # noqa: S102 (our own page)
    sides = (SVC().fit(names["X_train"][:n], names["y_train"][:n]).predict(names["X_test"]) for n in (898, 300))
    old, new = (ConfusionMatrix.from_predictions(names["y_test"], each) for each in sides)
    return old, new


def entities(*names: str) -> list[SpanCounts]:
    """Read systems of the example of entities."""
    system = run_path(str(EXAMPLES / "entities" / "conftest.py"))["system"].__wrapped__()
    return [system(name) for name in names]


def why_not_a_threshold() -> Figure:
    """Draw a panel for each kind of mistake."""
    known = list(rates())
    figure, both = panels(2, 8.5, 3.6)
    for axes, (column, title) in zip(both, PANELS.items(), strict=True):
        for rule, (name, colour, marker) in RULES.items():
            for classes, dashes in DASHES.items():
                line = [(size, row[column]) for m, size, each, row in known if (m, each) == (classes, rule)]
                label = f"{name}, {classes} classes"
                axes.plot(*zip(*line, strict=True), dashes, color=colour, marker=marker, markersize=4, label=label)
        axes.set(xscale="log", ylim=(-2, 100 if column == "−4 ROPE" else 52), xlabel="test examples", title=title)
        axes.set_xticks([200, 400, 1000, 2000, 8000], ["200", "400", "1,000", "2,000", "8,000"], minor=False)
        axes.minorticks_off()
        axes.set_ylabel("of the simulated test sets")
        axes.yaxis.set_major_formatter("{x:.0f}%")
    both[1].legend(frameon=False, fontsize="small")
    return figure


def decisions() -> Figure:
    """Draw a comparison of each decision."""
    counts = [(180, 110), (160, 115), (12, 10), (115, 160), (110, 180), (100, 96)]
    rows = [compare(paired(*each, 200, 2_000), measure="accuracy", rope=0.01) for each in counts]
    figure, (axes,) = panels(height=3.2)
    names = ["≪ significantly worse", "< leaning worse", "≈ practically equivalent", "> leaning better"]
    names += ["≫ significantly better", "? undecided"]
    assert [result.decision.value for result in rows] == [name[0] for name in names]
    intervals(axes, list(zip(names, rows, strict=True)), 0.01)
    return figure


def same_fall() -> Figure:
    """Draw the same observed fall of two points on test sets of several sizes."""
    sizes = (200, 1_000, 5_000)
    rows = [
        (f"{n:,} examples: {result.decision.value}", result)
        for n in sizes
        for result in [compare(paired(n // 25, n // 50, n // 20, n), measure="accuracy", rope=0.01)]
    ]
    figure, (axes,) = panels(height=2.2)
    intervals(axes, rows, 0.01)
    return figure


def errors() -> Figure:
    """Draw what the errors of the home page's test add to its change."""
    found = compare(*digits(), rope=0.01).changes.errors[:8]
    figure, (axes,) = panels(height=3.2)
    labels = [f"{each.true} read as {each.predicted}: {each.baseline} → {each.candidate}" for each in found]
    axes.barh(labels, [100 * each.contribution for each in found], color=RED)
    axes.invert_yaxis()
    axes.set_xlabel("points of macro-F1 that the error adds")
    return figure


def models() -> Figure:
    """Draw the home page's test under every model, the last two from bare counts."""
    old, new = digits()
    bare = [ConfusionMatrix(each.counts) for each in (old, new)]
    rows = [("paired", compare(old, new, rope=0.01))]
    rows += [(model, compare(*bare, rope=0.01, model=model)) for model in ("same-set", "independent")]
    figure, (axes,) = panels(height=2.2)
    intervals(axes, rows, 0.01)
    return figure


def priors() -> Figure:
    """Draw the coverage of macro-F1 and of δ with 20 classes."""
    lines = (STUDIES / "priors.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| 20 |")]
    figure, both = panels(2, 8.0, 3.0, sharey=True)
    for axes, column, title in zip(both, (5, 8), ("macro-F1 of one classifier", "change of macro-F1"), strict=True):
        for prior, colour in (("hierarchical", RED), ("nested", BLUE)):
            for classes, dashes in (("balanced", "-"), ("skewed", "--")):
                line = [(row[1], number(row[column])) for row in rows if row[2:4] == [classes, prior]]
                label = f"{prior}, {classes}"
                axes.plot(*zip(*line, strict=True), dashes, color=colour, marker="o", markersize=4, label=label)
        axes.axhline(95, color=GREY, linewidth=1)
        axes.set(title=title, xlabel="test examples, 20 classes")
        axes.yaxis.set_major_formatter("{x:.0f}%")
    both[0].set_ylabel("the 95% HDI holds the truth")
    both[1].legend(frameon=False, fontsize="small")
    return figure


def sampling() -> Figure:
    """Draw a posterior as both engines sample it."""
    sides = [[85, 10, 5], [8, 36, 6], [2, 3, 25]], [[80, 12, 8], [9, 34, 7], [4, 3, 23]]
    figure, (axes,) = panels(height=2.6)
    for engine, colour in (("exact", BLUE), ("pymc", RED)):
        result = compare(*sides, model="independent", prior="hierarchical", rope=0.05, engine=engine)
        label = f'engine="{engine}": {result.delta.size:,} draws'
        axes.hist(100 * result.delta, 60, range=(-30, 20), density=True, histtype="step", color=colour, label=label)
    axes.set(xlabel="change of macro-F1 in points", yticks=[])
    axes.legend(frameon=False)
    return figure


def power() -> Figure:
    """Draw the chance that a gate fails, to first order, for accuracy of two models that differ on 5%."""
    figure, (axes,) = panels(height=3.0)
    loss = np.linspace(0.0, 0.08, 300)
    for n, dashes in ((400, ":"), (1_000, "--"), (4_000, "-")):
        spread = np.sqrt((2 * 0.025 + loss - loss**2) / n)
        axes.plot(
            100 * loss, 100 * norm.cdf((loss - 0.01) / spread - 1.96), dashes, color=BLUE, label=f"{n:,} examples"
        )
    axes.axvspan(0, 1, color=ROPE, linewidth=0, zorder=0)
    axes.axhline(80, color=GREY, linewidth=1)
    axes.set(xlabel="true loss of accuracy in points; yellow: what you allow", ylabel="the gate fails")
    axes.yaxis.set_major_formatter("{x:.0f}%")
    axes.legend(frameon=False)
    return figure


def error_rates() -> Figure:
    """Draw how often any of many gates fails by chance, with and without a family."""
    rows = [row for row in table("families", "N | true") if row["true δ"] == "−ROPE" and row["N"] == "4,000"]
    figure, (axes,) = panels(height=2.8)
    for column, label, colour in (
        ("any fails on its own", "each gate on its own", RED),
        ("any fails in the family", "in a family at 5%", BLUE),
    ):
        line = [(row["gates"], number(row[column])) for row in rows]
        axes.plot(*zip(*line, strict=True), color=colour, marker="o", label=label)
    axes.set(ylim=(0, 105), xlabel="gates whose candidates lost exactly what you allow", ylabel="any gate fails")
    axes.yaxis.set_major_formatter("{x:.0f}%")
    axes.legend(frameon=False)
    return figure


def clusters() -> Figure:
    """Draw the range of coverage over the sizes and numbers of clusters."""
    rows = table("clusters", "correlation | clusters | examples")
    figure, (axes,) = panels(height=2.8)
    levels = sorted({row["correlation"] for row in rows}, key=float)
    for column, label, colour in (
        ("independent: holds δ", "examples taken as independent", RED),
        ("clusters: holds δ", "with clusters=", BLUE),
    ):
        found = [[number(row[column]) for row in rows if row["correlation"] == level] for level in levels]
        x = [float(level) for level in levels]
        axes.fill_between(x, [min(each) for each in found], [max(each) for each in found], color=colour, alpha=0.2)
        axes.plot(x, [sum(each) / len(each) for each in found], color=colour, marker="o", label=label)
    axes.axhline(95, color=GREY, linewidth=1)
    axes.set(ylim=(0, 105), xlabel="correlation within clusters", ylabel="the 95% HDI holds δ")
    axes.yaxis.set_major_formatter("{x:.0f}%")
    axes.legend(frameon=False, loc="lower left")
    return figure


def spans() -> Figure:
    """Draw the interval of two recognisers, and what it would be if every span were independent."""
    result = compare(*entities("v1", "v2"), measure="f1_micro", rope=0.005)
    assert result.clusters is not None
    figure, (axes,) = panels(height=1.8)
    rows = [
        ("documents as clusters", result.hdi, BLUE),
        ("spans as if independent", result.clusters.independent_hdi, RED),
    ]
    for place, (_, hdi, colour) in enumerate(rows):
        axes.plot(100 * np.array(hdi), [place, place], color=colour, linewidth=4, solid_capstyle="butt")
    axes.axvline(0, color=GREY, linestyle="--", linewidth=1)
    axes.set_yticks([0, 1], [row[0] for row in rows])
    axes.set(ylim=(1.6, -0.6), xlabel="change of micro-F1 in points, 231 documents")
    return figure


def scores() -> Figure:
    """Draw the standard deviations of differences of areas on the chest X-rays, ours and DeLong's."""
    rows = sorted(table("scores", "label"), key=lambda row: number(row["positives"]))
    figure, (axes,) = panels(height=2.8)
    places = np.arange(len(rows))
    for shift, column, label, colour in ((-0.18, "sd", "pytest-bayesf1", BLUE), (0.18, "DeLong", "DeLong", GREY)):
        axes.bar(places + shift, [100 * number(row[column]) for row in rows], 0.36, color=colour, label=label)
    axes.set_xticks(places, [f"{row['label']}\n{row['positives']} positives" for row in rows], size="small")
    axes.set_ylabel("sd of the change of\nROC AUC in points")
    axes.legend(frameon=False)
    return figure


def how_likely() -> Figure:
    """Draw how often more was lost in three worlds, and what is said, alone and by thirty earlier changes."""
    rows = [row for row in table("chances", "world") if (row["you allow"], row["releases"]) == ("1", "30")]
    figure, (axes,) = panels(height=2.8)
    places = np.arange(len(rows))
    colours = {"lost more": COLOURS["<<"], "by history": BLUE, "alone": GREY}
    for shift, (column, colour) in zip((-0.27, 0, 0.27), colours.items(), strict=True):
        axes.bar(places + shift, [number(row[column]) for row in rows], 0.25, color=colour, label=column)
    axes.set_xticks(places, [row["world"] for row in rows])
    axes.set_ylabel("% that lost more than a point")
    axes.legend(frameon=False)
    return figure


def earlier_changes() -> Figure:
    """Draw a change of today's on those of twenty releases before it."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 2_000)

    def release(accuracy: float) -> ConfusionMatrix:
        said = np.where(first < accuracy, truth, (truth + 1) % 3)
        return ConfusionMatrix.from_predictions(truth, np.where(rng.random(2_000) < 0.03, truth, said))

    first = rng.random(2_000)
    releases = [release(accuracy) for accuracy in 0.9 + 0.004 * rng.standard_normal(21)]
    history = [compare(old, new, measure="accuracy", rope=0.01) for old, new in pairwise(releases)]
    today = compare(releases[-1], release(0.894), measure="accuracy", rope=0.01).with_history(history)
    return today.figure()


def judges() -> Figure:
    """Draw the change by a judge that favours one side, and as people's grades correct it."""
    files = [EXAMPLES / "judges" / f"{name}.csv" for name in ("claude-v1", "gpt-3.5")]
    sides = [read_side(file, file.stem, Schema(clusters="question")) for file in files]
    human = EXAMPLES / "judges" / "people.csv"
    found = compare(*(side.counts() for side in sides), measure="mean", rope=0.1, human=human)
    return found.figure()


def several_systems() -> Figure:
    """Draw the scores of three recognisers and their ranks."""
    names = ("v1", "v2", "v3")
    ranking = rank(dict(zip(names, entities(*names), strict=True)), measure="f1_micro", rope=0.005)
    figure, (axes,) = panels(height=1.8)
    labels = []
    for place, system in enumerate(ranking.systems):
        axes.plot(system.hdi, [place, place], color=BLUE, linewidth=4, solid_capstyle="butt")
        axes.plot(system.mean, place, "o", color="white", markeredgecolor=BLUE, markersize=7)
        low, high = system.rank_hdi
        labels.append(f"{system.name}, rank {low}" if low == high else f"{system.name}, rank {low} to {high}")
    axes.set_yticks(range(len(labels)), labels)
    axes.set(ylim=(len(labels) - 0.4, -0.6), xlabel="micro-F1, 95% likely")
    return figure


def limits() -> Figure:
    """Draw how often intervals hold the truth as wrong labels, random training or choosing get worse."""
    wrong = [
        ("another class, at random; loss of 3 points", "another class, at random", "-3.0", BLUE),
        ("the baseline's prediction; no loss", "the baseline's prediction", "+0.0", RED),
    ]
    labels = table("limits", "true δ | labelled")
    training = [row for row in table("limits", "N | sd") if row["N"] == "2,000"]
    figure, both = panels(3, 9.0, 2.8, sharey=True)
    for label, kind, loss, colour in wrong:
        rows = [row for row in labels if row["true δ"] == loss and row["labelled instead"] in ("none", kind)]
        line = [(row["share"], number(row["HDI holds true δ"])) for row in rows]
        both[0].plot(*zip(*line, strict=True), color=colour, marker="o", label=label)
    both[0].set(title="wrong labels", xlabel="of the labels are instead")
    both[0].legend(frameon=False, fontsize="small", loc="lower left")
    both[1].plot(
        [row["sd of a score"] for row in training],
        [number(row["HDI holds the recipes' δ"]) for row in training],
        color=BLUE,
        marker="o",
    )
    both[1].set(title="chance in training", xlabel="sd of a score in points")
    chosen = table("limits", "candidates")
    both[2].plot(
        [row["candidates"] for row in chosen], [number(row["HDI holds 0"]) for row in chosen], color=BLUE, marker="o"
    )
    both[2].set(title="the best of many", xlabel="candidates")
    for axes in both:
        axes.axhline(95, color=GREY, linewidth=1)
    both[0].set(ylim=(0, 105), ylabel="the 95% HDI holds the truth")
    both[0].yaxis.set_major_formatter("{x:.0f}%")
    return figure


def other_tools() -> Figure:
    """Draw both kinds of mistakes of three rules on 20 classes."""
    rules = {"paired": "pytest-bayesf1", "bootstrap": "paired bootstrap", "observed < −ROPE": "threshold"}
    known = {(size, rule): row for classes, size, rule, row in rates() if classes == 20}
    figure, both = panels(2, 8.0, 2.4, sharey=True)
    for axes, (column, title) in zip(
        both, (("fails at 0", PANELS["fails at 0"]), ("−4 ROPE", PANELS["−4 ROPE"])), strict=True
    ):
        for shift, size, colour in ((-0.2, 400, "#9db7e0"), (0.2, 2_000, BLUE)):
            axes.barh(
                np.arange(3) + shift,
                [known[size, rule][column] for rule in rules],
                0.38,
                color=colour,
                label=f"{size:,} examples",
            )
        axes.set(title=title)
        axes.xaxis.set_major_formatter("{x:.0f}%")
    both[0].set_yticks(range(3), rules.values())
    both[0].invert_yaxis()
    both[1].legend(frameon=False)
    return figure


def case_study() -> Figure:
    """Draw the interval of every step of the models of editquality, at the class shares of the earlier version."""
    replay = run_path(str(EXAMPLES / "editquality" / "replay.py"))["replay"]
    with TemporaryDirectory() as folder, chdir(folder):
        replay(Path(folder))
        shown = CliRunner().invoke(bayesf1, ["history", "--format", "json"], catch_exceptions=False)
    changes = [
        version["change"] for each in json.loads(shown.stdout) for version in each["versions"] if version["change"]
    ]
    changes.sort(key=lambda change: change["mean"])
    figure, (axes,) = panels(width=8.0, height=3.2)
    ascii_of = {"≪": "<<", "<": "<", "≈": "~", ">": ">", "≫": ">>", "?": "?"}
    for place, change in enumerate(changes):
        decision = ascii_of[change["decision"]]
        width = 2.0 if decision in ("<<", ">>") else 0.6
        colour = COLOURS[decision] if decision in ("<<", ">>") else "#b8c0c8"
        axes.plot([place, place], 100 * np.array(change["hdi"]), color=colour, linewidth=width, zorder=width)
    axes.axhline(0, color=GREY, linestyle="--", linewidth=1)
    axes.set(
        xticks=[],
        xlabel=f"{len(changes)} retrainings, sorted; red ≪, green ≫, grey neither",
        ylabel="change of F1 in points",
        ylim=(-60, 60),
    )
    return figure


FIGURES: dict[str, Callable[[], Figure]] = {
    "why-not-a-threshold": why_not_a_threshold,
    "how-to-read-a-verdict": decisions,
    "how-likely": how_likely,
    "earlier-changes": earlier_changes,
    "faq": same_fall,
    "decisions": errors,
    "models": models,
    "priors": priors,
    "sampling": sampling,
    "power": power,
    "measured": error_rates,
    "clusters": clusters,
    "spans": spans,
    "scores": scores,
    "judges": judges,
    "several-systems": several_systems,
    "limits": limits,
    "other-tools": other_tools,
    "case-study": case_study,
}
"""By the page that shows it."""


if __name__ == "__main__":
    main(sys.argv[1:])
