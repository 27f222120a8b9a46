"""The gallery's pages, of the reports that examples have left."""


def pages() -> dict[str, str | bytes]:
    """Make a page of samples, and the samples beside it."""
    return {"gallery/index.md": "# Gallery\n"}
