"""Names that were made to break a report."""

LONG = 10_000 * "x"
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)> <details> </summary> <!-- -->",
    "| a || b \\| c |",
    "\"double\" 'single' `code` ```fence``` $math$",
    "**bold** [x](https://evil.example) ![y](z) @octocat #1 GH-2 ~~gone~~",
    "\u202egnp.exe \u2066 \u200f \u0627\u0644\u0639\u0631\u0628\u064a\u0629",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f600 猫",
    "one\ntwo\r\n\n# three\n| --- |\n```\n</details>\n\u2028four",
    "\x1b[31mred\x07\x00 \ud800",
    LONG,
)
