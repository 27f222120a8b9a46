"""Which text files are not in UTF-8, by their first bytes."""

import gzip
from pathlib import Path

_MARKS = {b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def wide_encoding(path: Path) -> str:
    """Name the encoding of a text, compressed or not, whose characters take two bytes or four; else nothing.

    Without a byte order mark it is known by the zeros that the first characters, if they are Latin, are filled up with.
    """
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    with opened(path, "rb") as file:
        head = file.read(4)
    marked = next((name for mark, name in _MARKS.items() if head.startswith(mark)), "")
    if marked or head.count(0) < 2:
        return marked
    return "UTF-16" if head.count(0) == 2 else "UTF-32"
