"""How to compute an entry again."""

import shlex

from pytest_bayesf1.reports.report import Entry
from pytest_bayesf1.stats.scalars import one_line


def redo(entry: Entry) -> str:
    """Return the command that runs the test or the gate again; empty for what is neither."""
    file, _, name = str(entry["test"]).partition("::")
    if not name or file != entry["file"]:
        return ""
    if file.endswith((".yaml", ".yml")):
        return one_line(shlex.join(["bayesf1", "gate", file, "--gate", name]))
    return one_line(shlex.join(["pytest", str(entry["test"])]))


def python_call(entry: Entry) -> str:
    """Return the call that makes the same comparison of the same data."""
    measure = entry["measure"] if entry["custom_measure"] else repr(entry["measure"])
    given = {
        "measure": measure,
        "rope": repr(tuple(entry["rope"])),
        "hdi_prob": repr(entry["hdi_prob"]),
        "model": repr(entry["model"]),
        "prior": repr(entry["prior"]),
        "engine": repr(entry["engine"]),
        "seed": repr(entry["seed"]),
        "n_draws": repr(entry["n_draws"]),
    }
    return one_line(f"compare(baseline, candidate, {', '.join(f'{key}={value}' for key, value in given.items())})")
