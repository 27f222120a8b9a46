"""The figures as a table in words."""

from collections.abc import Iterator
from typing import Any

from pytest_bayesf1.text import counted

Rows = list[dict[str, Any]]
Line = tuple[str, str, str, str]

DRAWS = 20_000


def table(rows: Rows) -> str:
    """Write Markdown: what was done, how long it took, how much longer than here, and the memory."""
    lines = ["| | time | times ours | memory |", "| --- | ---: | ---: | ---: |"]
    return "\n".join([*lines, *(f"| {' | '.join(cells)} |" for cells in _lines(rows))])


def _lines(rows: Rows) -> Iterator[Line]:
    for row in rows:
        match row["series"]:
            case "start-up":
                yield from _start_up(row)
            case "comparison" | "large":
                yield _line(f"paired {row.get('measure', 'f1_macro')}, {_size(row)}{_prior(row)}", row)
            case "classes":
                yield _line(f"a gate and its 20 classes, {_size(row)}", row)
    yield from _runs(rows)
    yield from _clusters(rows)
    yield from _spans(rows)
    yield from _scores(rows)
    yield from _peers(rows)


def _start_up(row: dict[str, Any]) -> Iterator[Line]:
    text = "what the plugin adds to `pytest --collect-only`"
    if "failure" in row:
        yield text, row["failure"], "", ""
        return
    yield text, seconds(row["seconds"]), "", ""
    yield "`pytest --collect-only` without it", seconds(row["bare"]), "", ""


def _runs(rows: Rows) -> Iterator[Line]:
    for row in _of(rows, "gate file"):
        gates = f"{counted(row['n_gates'], 'gate')} of {_size(row)}"
        kind = "JSON" if row["report"].endswith("json") else "full"
        what = f"pytest, {gates}, with a {kind} report" if row["report"] else f"`bayesf1 gate`, {gates}"
        yield _line(f"{what}: all in all", row)
    for row in _of(rows, "load"):
        by = f" by {row['workers']} workers" if row["workers"] else ""
        yield _line(
            f"pytest, {counted(row['n_gates'], 'gate')} of {_size(row)}, half of them open{by}: all in all", row
        )
    for row in _of(rows, "tests"):
        kind = "a JSON report" if row["report"] else "no report"
        yield _line(f"pytest, {row['n_tests']:,} tests with a small comparison each, {kind}: all in all", row)
    for row in _of(rows, "draws of tests"):
        yield _line(f"the draws of {row['n_tests']:,} such comparisons alone", row)
    for row in _of(rows, "history"):
        yield _line(f"a history of {row['n_versions']} versions, {_size(row)}", row)
    for row in _of(rows, "rank"):
        yield _line(f"a ranking of {row['n_systems']} systems, {_size(row)}", row)


def _clusters(rows: Rows) -> Iterator[Line]:
    for row in _of(rows, "clusters"):
        ours = next(iter(_of(rows, "clusters", n_examples=row["n_examples"], per_cluster=0)))
        held = f" in {row['n_examples'] // row['per_cluster']:,} clusters" if row["per_cluster"] else ""
        text = f"paired f1_macro, {_size(row)}{held}{_prior(row)}"
        yield _line(text if held else f"**{text}**", row, _ratio(row, ours))
    for row in _of(rows, "bootstrap of clusters"):
        ours = next(iter(_of(rows, "clusters", n_examples=row["n_examples"], per_cluster=0)))
        scaled = {**row, **_scaled(row, DRAWS / row["n_draws"])}
        n_clusters = row["n_examples"] // row["per_cluster"]
        text = f"paired bootstrap of {n_clusters:,} clusters with scikit-learn's `f1_score`"
        yield _line(text, scaled, _ratio(scaled, ours))


def _spans(rows: Rows) -> Iterator[Line]:
    for row in _of(rows, "spans"):
        size = f"{row['n_documents']:,} documents, {row['n_types']} types"
        yield _line(f"**paired f1_micro of spans, {size}**", row, 1)
        for theirs in _of(rows, "bootstrap of spans", n_documents=row["n_documents"]):
            scaled = {**theirs, **_scaled(theirs, DRAWS / theirs["n_draws"])}
            text = f"paired bootstrap of {row['n_documents']:,} documents with seqeval's `f1_score`"
            yield _line(text, scaled, _ratio(scaled, row))


def _scores(rows: Rows) -> Iterator[Line]:
    for row in _of(rows, "scores"):
        yield _line(f"**paired roc_auc, {row['n_examples']:,} examples**", row, 1)
        for theirs in _of(rows, "bootstrap of scores", n_examples=row["n_examples"]):
            scaled = {**theirs, **_scaled(theirs, DRAWS / theirs["n_draws"])}
            text = "paired bootstrap with scikit-learn's `roc_auc_score`"
            yield _line(text, scaled, _ratio(scaled, row))
        for theirs in _of(rows, "DeLong", n_examples=row["n_examples"]):
            yield _line("DeLong's variance by ranks (a normal interval, no posterior)", theirs, _ratio(theirs, row))


def _peers(rows: Rows) -> Iterator[Line]:
    ours = next(iter(_of(rows, "draws", n_draws=DRAWS)), {"failure": "not run"})
    yield _line(f"**{DRAWS:,} paired draws of macro F1, 20 classes, 7,532 examples**", ours, 1)
    for row in _of(rows, "limit"):
        yield _line(
            f"numpy, on all processors: a gamma variable for every non-zero cell, {DRAWS:,} times, nothing else",
            row,
            _ratio(row, ours),
        )
    for series, what in (("NUTS", "our NUTS engine"), ("plain NUTS", "PyMC, the model of 2015 as it is written")):
        for row in _of(rows, series):
            scaled = {**row, **_with_as_many_effective_draws(row)} if "ess" in row else row
            found = f": {row['ess']:,.0f} effective draws in {seconds(row['seconds'])}" if "ess" in row else ""
            yield _line(f"{what}{found}", scaled, _ratio(scaled, ours))
    for row in _of(rows, "bootstrap"):
        scaled = {**row, **_scaled(row, DRAWS / row["n_draws"])}
        yield _line("paired bootstrap with scikit-learn's `f1_score`", scaled, _ratio(scaled, ours))
    for row in _of(rows, "baycomp"):
        yield _line("baycomp's signed-rank test on the classes' F1 (another question)", row, _ratio(row, ours))
    for our_row, row in zip(_of(rows, "two matrices"), _of(rows, "prob_conf_mat"), strict=True):
        what = f"{row['n_draws']:,} draws of macro and micro F1, two matrices, {_size(row)}"
        yield _line(f"**{what}**", our_row, 1)
        yield _line(f"`prob_conf_mat`, {what}", row, _ratio(row, our_row))


def _line(what: str, row: dict[str, Any], ratio: float | None = None) -> Line:
    if "failure" in row:
        return what, row["failure"], "", ""
    times = "" if ratio is None else f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"
    return what, seconds(row["seconds"]), times, f"{row['megabytes']:,.0f} MB"


def _of(rows: Rows, series: str, **wanted: Any) -> Rows:
    return [row for row in rows if row["series"] == series and wanted.items() <= row.items()]


def _with_as_many_effective_draws(row: dict[str, Any]) -> dict[str, Any]:
    """Compile and tune once, and go on until there are enough."""
    return {"seconds": row["seconds"] + row["per_draw"] * row["draws"] * (DRAWS / row["ess"] - 1)}


def _scaled(row: dict[str, Any], factor: float) -> dict[str, Any]:
    return {"seconds": row["seconds"] * factor} if "seconds" in row else {}


def _ratio(row: dict[str, Any], ours: dict[str, Any]) -> float | None:
    return row["seconds"] / ours["seconds"] if "seconds" in row and "seconds" in ours else None


def _size(row: dict[str, Any]) -> str:
    return f"{row['n_classes']:,} classes, {row['n_examples']:,} examples"


def _prior(row: dict[str, Any]) -> str:
    return f", prior {row['prior']}" if "prior" in row else ""


def seconds(value: float) -> str:
    """Write a time."""
    if value < 1:
        return f"{1000 * value:.0f} ms"
    return f"{value:.1f} s" if value < 120 else f"{value / 60:,.0f} min" if value < 7200 else f"{value / 3600:,.0f} h"
