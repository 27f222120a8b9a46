"""A project with gate files: matrices named by the decision that each leads to, and texts of gates over them."""

import json

from . import classifiers

DECISIONS = ("BASELINE", "MUCH_WORSE", "WORSE", "UNDECIDED", "EQUIVALENT", "BETTER", "MUCH_BETTER")


def write_counts(path, counts):
    """Write the counts of a confusion matrix."""
    path.write_text(json.dumps({"counts": counts}))


def write_matrices(folder):
    """Write every classifier of the module `classifiers` as ``NAME.json``."""
    for name in DECISIONS:
        write_counts(folder / f"{name}.json", getattr(classifiers, name))


def write_gates(folder, file="bayesf1.yaml", **candidates):
    """Write a gate file: by name of the gate its candidate, or its settings; one per line, from the second on."""
    gates = {name: {"candidate": each} if isinstance(each, str) else each for name, each in candidates.items()}
    settings = {"baseline": "BASELINE.json", "rope": classifiers.ROPE}
    lines = [
        f"  {json.dumps(name)}: {json.dumps({**settings, **gate, 'candidate': gate['candidate'] + '.json'})}"
        for name, gate in gates.items()
    ]
    (folder / file).write_text("\n".join(["gates:", *lines]), encoding="utf-8")


def write_gate(folder, **settings):
    """Write a gate file with one gate, `spam`."""
    (folder / "bayesf1.yaml").write_text(json.dumps({"gates": {"spam": settings}}))


def write_rows(path, rows):
    """Write a CSV file of mappings with the same names."""
    lines = [",".join(map(str, row)) for row in [rows[0], *(each.values() for each in rows)]]
    path.write_text("\n".join([*lines, ""]))
