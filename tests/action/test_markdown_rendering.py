import pytest

from .github_markdown import as_github_shows


def test_a_table_stays_a_table():
    shown = as_github_shows("| measure | ΔF1 |\n| --- | ---: |\n| f1_macro | −0.02 |\n")
    assert "<th>measure</th>" in shown
    assert '<td align="right">−0.02</td>' in shown


def test_details_stay_and_hold_markdown():
    shown = as_github_shows("<details><summary>More</summary>\n\n**bold**\n\n</details>")
    assert shown == "<details><summary>More</summary>\n<p><strong>bold</strong></p>\n</details>"


def test_a_mermaid_block_stays_one():
    shown = as_github_shows("```mermaid\nxychart-beta\n```")
    assert shown == '<pre><code class="language-mermaid">xychart-beta\n</code></pre>'


def test_a_mention_is_no_link():
    assert as_github_shows("@octocat, see #12") == "<p>@octocat, see #12</p>"


def test_a_marker_in_a_comment_is_hidden():
    assert as_github_shows("<!-- marker -->\n\nshown").strip() == "<p>shown</p>"


@pytest.mark.parametrize(
    ("hostile", "left"),
    [
        ("a<script>alert(1)</script>b", "<p>ab</p>"),
        ("a<style>p { color: red }</style>b", "<p>ap { color: red }b</p>"),
        ('<b onclick="alert(1)" style="color: red">x</b>', "<p><b>x</b></p>"),
        ("<iframe src='https://example.org'></iframe>x", "x"),
        ("[x](javascript:alert(1))", "<p><a>x</a></p>"),
        ("![x](data:image/png;base64,AAAA)", '<p><img alt="x"></p>'),
        ("<svg><circle r='1'/></svg>x", "<p>x</p>"),
    ],
)
def test_hostile_html_is_dropped(hostile, left):
    assert as_github_shows(hostile) == left
