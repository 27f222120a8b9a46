"""Figures as files of their own."""

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.settings import PICTURES

if TYPE_CHECKING:
    from pytest_bayesf1.figures.plots import Canvas


def require_picture(path: Path | None, option: str = "--figure") -> None:
    """Refuse a name that is not one of a picture, before anything is drawn; raise `InputError`."""
    if path is not None and path.suffix not in PICTURES:
        raise InputError(option, f"a name that ends in {' or '.join(PICTURES)}", repr(path.name))


def write_picture(drawn: "Canvas", path: Path) -> None:
    """Write a figure to a file whose suffix tells the format; raise `RenderError` when it cannot be written."""
    from pytest_bayesf1._util import write_all
    from pytest_bayesf1.errors import RenderError

    try:
        write_all({path: drawn.file(path.suffix)})
    except OSError as error:
        raise RenderError(f"{path}: {error.strerror or error}") from error
