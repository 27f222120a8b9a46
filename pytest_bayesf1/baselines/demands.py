"""What versions of a baseline are compared by: as a command says, else as the gate that the baseline belongs to."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pytest_bayesf1.baselines.store import file_stem
from pytest_bayesf1.comparison.options import resolved
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.tables import AS_IT_IS, Reading
from pytest_bayesf1.gates.evaluate import total_budget
from pytest_bayesf1.gates.gate_file import Gate, load_gates
from pytest_bayesf1.gates.manifest import Gates, GateSettings, parse_manifest
from pytest_bayesf1.git import CheckedOut
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.settings import FOLDER, gate_files, manifest_path
from pytest_bayesf1.stats.decision import Rope

LoadGates: TypeAlias = Callable[[Path, Path], Sequence[Gate]]

_NAMES = ("measure", "rope", "budget", "hdi_prob", "prior")


@dataclass(frozen=True)
class Demands:
    """What versions of a baseline are compared by.

    Attributes
    ----------
    measure, rope, budget, hdi_prob, prior
        As in `pytest_bayesf1.compare`, and of its check of the anchor.
    anchor
        The file from which total loss is counted; None where each version holds its own anchor, or there is none.
    reading, anchor_reading
        How files of predictions are to be read, and how the anchor's is.
    """

    measure: str
    rope: Rope
    budget: float
    hdi_prob: float
    prior: str
    anchor: Path | None = None
    reading: Reading = AS_IT_IS
    anchor_reading: Reading = AS_IT_IS

    @classmethod
    def of(
        cls, path: Path, given: Mapping[str, Any], anchor: Path | None = None, load: LoadGates = load_gates
    ) -> "Demands":
        """Find out what is demanded of a baseline.

        Parameters
        ----------
        path
            The baseline.
        given
            What the caller asks for, by name; None leaves it to the gate, and then to the default.
        anchor
            As above; None leaves it to the gate.
        load
            What reads a gate file, which may remember those that it has read.

        Raises
        ------
        InputError
            For a value that cannot be used, or when neither the caller nor a gate tells the ROPE.
        BaselineError
            When the manifest of gates cannot be read.
        GateFileError
            When a gate file cannot be.
        """
        found = _of_gate_file(path, load) or _of_manifest(path)
        values = {name: found.get(name) if given.get(name) is None else given[name] for name in _NAMES}
        if values["rope"] is None:
            expected = "a ROPE, from --rope or from a gate that names the baseline"
            raise InputError(str(path), expected, "neither", "Pass --rope, such as --rope 0.01.")
        measure, rope = resolved("measure", values["measure"]), resolved("rope", values["rope"])
        return cls(
            measure,
            rope,
            total_budget(-rope.low, values["budget"], bounded=parse_name(measure).bounded),
            resolved("hdi_prob", values["hdi_prob"]),
            str(resolved("prior", values["prior"])),
            anchor or found.get("anchor"),
            found.get("reading", AS_IT_IS),
            found.get("anchor_reading", AS_IT_IS),
        )


def _of_gate_file(path: Path, load: LoadGates) -> Mapping[str, Any]:
    """Return what the first gate demands that names this file as its baseline, in a gate file above it."""
    if FOLDER in path.absolute().parts:
        return {}
    for folder in _folders_above(path):
        for file in gate_files(folder):
            for gate in load(file, folder):
                if gate.baseline.resolve() == path.resolve():
                    known = {"measure": gate.measure, "budget": gate.budget, "anchor": gate.anchor}
                    readings = {"reading": gate.reading("baseline"), "anchor_reading": gate.reading("anchor")}
                    return {**gate.arguments, **known, **readings}
    return {}


def _folders_above(path: Path) -> Iterator[Path]:
    """List the folders that a file is in, up to the root of its repository: what lies above is none of its gates."""
    for folder in path.absolute().parents:
        yield folder
        if (folder / ".git").exists():
            return


def _of_manifest(path: Path) -> Mapping[str, Any]:
    """Return what the manifest lists for the test that this baseline is stored for."""
    stored = path.absolute()
    for root in _folders_above(path):
        manifest = manifest_path(root)
        content = CheckedOut().read(manifest)
        if content is not None:
            gates = _gates_of(stored, root, parse_manifest(content, manifest))
            return gates[0] if gates else {}
    return {}


def _gates_of(path: Path, root: Path, listed: Gates) -> list[dict[str, Any]]:
    """Find the gates of the test that a baseline is named after; else those of its module, if all demand the same."""
    directory = path.parent
    module = (directory.parent.parent / f"{directory.name}.py").relative_to(root).as_posix()
    of_module = {test: gates for test, gates in listed.items() if test.partition("::")[0] == module}
    name = path.name.removesuffix(".gz").removesuffix(".json")
    named = [gates for test, gates in of_module.items() if file_stem(_baseline_name(test)) == name]
    found = [_values(gate) for gates in named or of_module.values() for gate in gates if gate.rope is not None]
    is_clear = bool(named) or all(each == found[0] for each in found)
    return sorted(found, key=lambda each: each["budget"] is None) if is_clear else []


def _baseline_name(test: str) -> str:
    """Return what a test's baseline is called unless the test says otherwise: the id within the module, with dots."""
    names, bracket, parameters = test.partition("::")[2].partition("[")
    return f"{names.replace('::', '.')}{bracket}{parameters}"


def _values(settings: GateSettings) -> dict[str, Any]:
    assert settings.rope is not None
    known = {name: getattr(settings, name) for name in _NAMES}
    return known | {"rope": Rope(settings.rope[0], settings.rope[1], wide=True)}
