"""Data frames of what this package found."""

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw

from pytest_bayesf1.errors import InputError


def frame_of(columns: Mapping[str, list[Any]], library: Any) -> Any:
    """Make a data frame.

    Parameters
    ----------
    columns
        By name.
    library
        What Narwhals calls the library.

    Raises
    ------
    InputError
        When there is no such library, or it is not installed.
    """
    try:
        return nw.from_dict(columns, backend=library).to_native()
    except (ImportError, ValueError) as error:
        found = f"{library!r} ({error})"
        raise InputError("library", "pandas, polars or pyarrow, installed", found) from None
