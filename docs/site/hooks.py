"""What MkDocs asks while it builds the site: see `hooks` in mkdocs.yml."""

import re
from typing import Any

from mkdocs.structure.files import File, Files

from docs.site import first, gallery, mathml, outward, schema_page

_CELL = re.compile(r"<td.*?</td>", re.DOTALL)


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that stand in no file: of the report's schema, and of the samples that were made."""
    made = {"reference/report-json.md": schema_page.page(), "first/report.html": first.report(), **gallery.pages()}
    for uri, content in made.items():
        files.append(File.generated(config, uri, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links out of docs/ to the repository."""
    return outward.links(markdown, page.file.src_uri)


def on_page_content(html: str, **_: Any) -> str:
    """Write formulas as MathML, which browsers show without a script, and bars in tables as GitHub does."""
    html = html.replace("array - like", "array-like")  # a type in words, which mkdocstrings takes for a difference
    return _CELL.sub(lambda cell: cell[0].replace(r"\|", "|"), mathml.written(html))
