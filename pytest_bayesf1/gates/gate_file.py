"""Gate files: YAML -> gates, or all that is wrong with them at once, each with its line."""

import os
from collections.abc import Iterator
from errno import ELOOP
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pytest_bayesf1._util import did_you_mean, shown
from pytest_bayesf1.comparison.arguments import ARGUMENTS, Offered, offered
from pytest_bayesf1.errors import GateFileError, InputError
from pytest_bayesf1.files.formats import YamlDocument, YamlError, load_document
from pytest_bayesf1.files.tables import Reading
from pytest_bayesf1.gates.declaration import Declaration, FamilyDeclaration, GateFile, Settings, SideDeclaration
from pytest_bayesf1.gates.family import Family, families_by_gate, problems_of_families
from pytest_bayesf1.gates.gate import Gate
from pytest_bayesf1.settings import FAIL_ON_DEFAULT, expected

_NO_ROPE = f"expected {ARGUMENTS['rope'].required}, got nothing. Set it here or in defaults."
_OWN_WORDS = {
    "string_pattern_mismatch": "a name without '::' and control characters, and without ':' at its ends",
    "string_too_long": "at most 200 characters",
    "string_too_short": "some text",
    "too_short": "at least one",
}
_LONGEST = 80
_SIDES = ("baseline", "anchor", "candidate")
_Place: TypeAlias = tuple[int | str, ...]
_KEYS: dict[tuple[str, ...], tuple[str, ...]] = {
    (): tuple(GateFile.model_fields),
    ("defaults",): tuple(Settings.model_fields),
    ("gates", "*"): tuple(Declaration.model_fields),
    ("families", "*"): tuple(FamilyDeclaration.model_fields),
    **{("gates", "*", side): tuple(SideDeclaration.model_fields) for side in _SIDES},
}


def load_gates(path: Path, root: Path, content: Path | None = None) -> tuple[Gate, ...]:
    """Read the gates of a file.

    Parameters
    ----------
    path
        The gate file.
    root
        The folder outside of which no file is read.
    content
        Where to read instead what the file says.

    Returns
    -------
    tuple of Gate
        In the order of the file.

    Raises
    ------
    GateFileError
        With everything that is wrong with the file.
    """
    where = os.path.relpath(path, root)
    document = _parsed(content or path, where)
    problems = [_problem(where, line, at, "expected each key once, got it twice") for at, line in document.repeated]
    problems += [
        _problem(where, document.line_of(at), at, said)
        for at, said in (*_missing_ropes(document.value), *_files_outside(document.value, path.parent, root))
    ]
    try:
        declared = GateFile.model_validate(document.value)
    except ValidationError as error:
        problems += _invalid(error, document, where)
    else:
        problems += [_problem(where, document.line_of(at), at, said) for at, said in _contradictions(declared)]
    if problems:
        raise GateFileError(_sorted(problems))
    family_of = families_by_gate(declared.families, declared.gates)
    return tuple(
        _gate(name, path, document.line_of(("gates", name)), _settings(declared, name), family_of.get(name))
        for name in declared.gates
    )


def _written_gates(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is written as gates, whatever else is wrong with the file."""
    gates = value.get("gates") if isinstance(value, dict) else None
    for name, gate in gates.items() if isinstance(gates, dict) else ():
        if isinstance(gate, dict):
            yield name, gate


def _missing_ropes(value: Any) -> Iterator[tuple[_Place, str]]:
    for name, gate in _written_gates(value):
        defaults = value.get("defaults")
        if not ("rope" in gate or (isinstance(defaults, dict) and "rope" in defaults)):
            yield ("gates", name, "rope"), _NO_ROPE


def _files_outside(value: Any, folder: Path, root: Path) -> Iterator[tuple[_Place, str]]:
    for name, gate in _written_gates(value):
        for side in _SIDES:
            said = gate.get(side)
            file = said.get("file") if isinstance(said, dict) else said
            if isinstance(file, str) and not _is_inside(folder / file, root):
                yield ("gates", name, side), f"expected a file inside {root.resolve()}, got {_brief(file)}"


def _is_inside(file: Path, root: Path) -> bool:
    """Whether a path, wherever links and dots lead, is one inside of the folder."""
    try:
        file.stat()
    except OSError as error:  # what cannot be opened is told when it is read
        if error.errno == ELOOP:  # links in a circle, of which resolve() says nothing from Python 3.13 on
            return False
    except ValueError:  # a path that no system has
        return False
    return file.resolve().is_relative_to(root.resolve())


def _settings(declared: GateFile, name: str) -> Declaration:
    """Return what a gate says, and where it says nothing what ``defaults`` say."""
    gate, defaults = declared.gates[name], declared.defaults
    others = defaults.model_fields_set - gate.model_fields_set
    return gate.model_copy(update={setting: getattr(defaults, setting) for setting in others})


def _contradictions(declared: GateFile) -> Iterator[tuple[_Place, str]]:
    yield from problems_of_families(declared.families, declared.gates)
    family_of = families_by_gate(declared.families, declared.gates)
    for name in declared.gates:
        settings = _settings(declared, name)
        if settings.max_gap is not None and not settings.slices:
            yield ("gates", name), "expected slices beside max_gap, which is about every column of them, got none"
        if name in family_of and settings.fail_on != FAIL_ON_DEFAULT:
            said = f'expected fail_on "{FAIL_ON_DEFAULT}" in {family_of[name]}, got "{settings.fail_on}"'
            yield ("gates", name), f"{said}: only that a failure is false has a chance that can be kept."


def _gate(name: str, path: Path, line: int, settings: Declaration, family: Family | None) -> Gate:
    arguments = {argument.name: getattr(settings, argument.name) for argument in offered(Offered.GATE)}
    sides = {name: side for name in _SIDES if (side := getattr(settings, name)) is not None}
    files = {name: path.parent / side.file for name, side in sides.items()}
    reading = Reading(settings.invalid, settings.clusters or "", settings.runs, tuple(settings.show))
    reading = reading.of_side(settings.columns, settings.rows)
    return Gate(
        name=name,
        file=path,
        line=line,
        baseline=files["baseline"],
        candidate=files["candidate"],
        measure=arguments.pop("measure"),
        arguments=arguments,  # type: ignore[arg-type]
        fail_on=settings.fail_on,
        per_class=settings.per_class,
        slices=tuple(settings.slices),
        anchor=files.get("anchor"),
        budget=settings.budget,
        max_gap=settings.max_gap,
        family=family,
        readings={name: reading.of_side(side.columns, side.rows) for name, side in sides.items()},
    )


def _parsed(path: Path, where: str) -> YamlDocument:
    try:
        document = load_document(path.read_text("utf-8-sig"))
    except YamlError as error:
        quotes = ' Put "?" in quotes.' if "'?'" in error.problem or "mapping keys" in error.problem else ""
        raise GateFileError(
            [f"{where}:{error.line}: not YAML at column {error.column}: {error.problem}.{quotes}"]
        ) from None
    except UnicodeDecodeError as error:
        raise GateFileError([f"{where}: expected UTF-8, got {error.reason} at byte {error.start}"]) from None
    except OSError as error:
        raise GateFileError([f"{where}: {error.strerror or error}"]) from None
    if document.value is None:
        raise GateFileError([f"{where}:1: expected gates, got an empty file"])
    return document


def _invalid(error: ValidationError, document: YamlDocument, where: str) -> Iterator[tuple[int, str]]:
    for detail in error.errors(include_url=False):
        at = detail["loc"][:-1] if _is_about_key(detail) else detail["loc"]
        yield _problem(where, document.line_of(at), at, _explained(detail))


def _is_about_key(detail: ErrorDetails) -> bool:
    """Whether the name of a gate or of a column is at fault; pydantic then adds ``[key]`` to its place."""
    of_text = detail["type"].startswith(("string_", "value_error"))
    return of_text and len(detail["loc"]) > 2 and detail["loc"][-1] == "[key]"


def _explained(detail: ErrorDetails) -> str:
    """Say what was expected and what was found, whether pydantic found the problem or our own rules did."""
    cause = detail.get("ctx", {}).get("error")
    if isinstance(cause, InputError):
        said = f"expected {cause.expected}, got {_cut(cause.found)}"
        return f"{said}. {cause.advice}" if cause.advice else said
    if detail["type"] == "missing":
        return "expected a value, got nothing"
    if detail["type"] == "extra_forbidden":
        return _unknown_key(detail["loc"])
    is_key = _is_about_key(detail) or detail["type"] == "invalid_key"
    advice = ". Put it in quotes" if is_key and not isinstance(detail["input"], str) else ""
    return f"expected {expected(detail, 'a mapping', _OWN_WORDS)}, got {_brief(detail['input'])}{advice}"


def _unknown_key(loc: tuple[int | str, ...]) -> str:
    *above, key = loc
    known = _KEYS[tuple("*" if position == 1 else str(step) for position, step in enumerate(above))]
    advice = did_you_mean(key, known)
    return f"expected one of {', '.join(known)}, got {_brief(key)}{advice and f'. {advice}'}"


def _brief(value: Any) -> str:
    return _cut("nothing" if value is None else shown(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _problem(where: str, line: int, at: tuple[int | str, ...], said: str) -> tuple[int, str]:
    steps = [step if step.isprintable() else ascii(step) for step in map(str, at)]
    place = ".".join(map(_cut, steps))
    return line, f"{where}:{line}: {place}: {said}" if place else f"{where}:{line}: {said}"


def _sorted(problems: list[tuple[int, str]]) -> list[str]:
    return [text for _, text in sorted(problems)]
