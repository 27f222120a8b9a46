"""Several systems' files, read alike."""

from collections.abc import Mapping
from pathlib import Path

from pytest_bayesf1.files.reading import AS_IT_IS, Reading
from pytest_bayesf1.files.side_file import SideFile, read_side


def read_systems(files: Mapping[str, Path], reading: Reading = AS_IT_IS) -> dict[str, SideFile]:
    """Read a file for every name as `read_side` does; labels, ids or units that are text in one are text in all.

    Raises
    ------
    InputError
        As `read_side` does.
    """
    systems = {name: read_side(path, name, reading) for name, path in files.items()}
    if _some_are_text({each.label_kind for each in systems.values()}):
        systems = {name: each.with_text_labels() if each.label_kind else each for name, each in systems.items()}
    for column in reading.identifiers:
        if _some_are_text({each.identifier_kind(column) for each in systems.values()}):
            systems = {
                name: each.with_text_identifiers(column) if each.identifier_kind(column) else each
                for name, each in systems.items()
            }
    return systems


def _some_are_text(kinds: set[str | None]) -> bool:
    return "strings" in kinds and len(kinds - {None}) > 1


def system_names(paths: tuple[Path, ...]) -> dict[str, Path]:
    """Name every file by its stem, or by as much of its path as tells it from others.

    Examples
    --------
    >>> [*system_names((Path("out/bert.csv"), Path("old/bert.csv"), Path("out/svm-1.2.json.gz")))]
    ['out/bert', 'old/bert', 'svm-1.2']
    """
    parts = {path: _without_suffixes(path).parts for path in dict.fromkeys(paths)}
    return {
        _shortest(own, [each for other, each in parts.items() if other != path]) or str(path): path
        for path, own in parts.items()
    }


def _without_suffixes(path: Path) -> Path:
    return path.with_suffix("").with_suffix("") if path.suffix.lower() == ".gz" else path.with_suffix("")


def _shortest(own: tuple[str, ...], others: list[tuple[str, ...]]) -> str:
    """Return the last parts of a path that no other ends in; nothing where there are none."""
    for length in range(1, len(own) + 1):
        if all(other[-length:] != own[-length:] for other in others):
            return "/".join(own[-length:])
    return ""
