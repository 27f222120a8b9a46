"""JSON as people review it in a diff: one value per line, but a list of numbers on one line."""

import json
import re
from typing import Any

_NUMBERS = re.compile(r"\[\n[-+.e\d,\s]+\]")  # a list of numbers; inside of strings there are no line breaks


def json_text(document: Any) -> str:
    """Write a document; raise `ValueError` for a number that is none."""
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
    return _NUMBERS.sub(lambda found: " ".join(found[0].split()), text) + "\n"
