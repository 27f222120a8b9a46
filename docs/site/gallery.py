"""The gallery: for each sample its page, its comment and its summary, as far as they have been made."""

from pathlib import Path

from cmarkgfm import github_flavored_markdown_to_html
from cmarkgfm.cmark import Options

from docs.site.samples import SAMPLES, Sample

_FILES = ("report.html", "report.json")
_HEAD = """\
# Gallery

Reports of this project's own examples, as they come out. Nothing here is drawn for show: each sample has the
command that makes it.
"""
_NONE = "\nThere is none in this build: `nox -s gallery` makes the samples, and `nox -s docs` puts them here.\n"


def pages() -> dict[str, str | bytes]:
    """Make the gallery, a page for every comment, and copies of the reports."""
    made = [sample for sample in SAMPLES if (sample.folder / "report.html").exists()]
    files: dict[str, str | bytes] = {
        "gallery/index.md": "\n".join([_HEAD, *(map(_section, made) if made else [_NONE])])
    }
    for sample in made:
        files[f"gallery/{sample.name}/comment.md"] = _comment_page(sample)
        files |= {
            f"gallery/{sample.name}/{name}": (sample.folder / name).read_bytes()
            for name in _FILES
            if (sample.folder / name).exists()
        }
    return files


def _section(sample: Sample) -> str:
    name = sample.name
    return f"""\
## {sample.title}

{sample.text}

<iframe class="sample" src="{name}/report.html" title="Report: {sample.title}" loading="lazy"></iframe>

[The page alone]({name}/report.html) ·
[the comment on a pull request]({name}/comment.md) ·
[report.json]({name}/report.json)

```sh
{sample.command}
```
"""


def _comment_page(sample: Sample) -> str:
    return f"""\
---
hide: [toc]
search: {{exclude: true}}
---

# Comment: {sample.title}

As GitHub shows it below a pull request, made by [the Action](../../reference/github-action.md); `report.md` is
the same text.

<div class="comment">
{comment(sample.folder / "report.md")}
</div>
"""


def comment(path: Path) -> str:
    """Render Markdown as GitHub does."""
    html = str(github_flavored_markdown_to_html(path.read_text("utf-8"), options=Options.CMARK_OPT_UNSAFE))
    return html.replace("\n\n", "\n")
