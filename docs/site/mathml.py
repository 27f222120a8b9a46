"""Formulas as MathML, written while the site is built."""

import re
from html import unescape

from latex2mathml.converter import convert

_INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
_DISPLAY = re.compile(r'<div class="arithmatex">\\\[(.*?)\\\]</div>', re.DOTALL)


def written(html: str) -> str:
    """Replace the formulas of a page, which the extension arithmatex has marked."""
    inline = _INLINE.sub(lambda match: convert(unescape(match[1])), html)
    return _DISPLAY.sub(lambda match: convert(unescape(match[1]), display="block"), inline)
