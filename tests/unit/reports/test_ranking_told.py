from pytest_bayesf1 import rank
from pytest_bayesf1.reports.markdown import tables_markdown
from tests.unit.ranked import systems


def test_a_table_whose_names_are_text():
    given = systems()
    names = {"<b>": given["a"], "a|b": given["b"], "@someone": given["c"]}
    ranking = rank(names, rope=0.02, n_draws=1_000)
    lines = tables_markdown(ranking.title, [("", "---", ranking.table())], [f"{ranking.computed()}."]).splitlines()
    assert lines[0].startswith("**@\N{ZERO WIDTH SPACE}someone leads with macro-F1 0.")
    assert lines[2] == "| system | score | HDI | P(best) | ranks | expected loss | against the first |"
    assert lines[3].count("---") == 7
    assert lines[5].startswith("| a\\|b |")
    assert lines[6].startswith("| &lt;b&gt; |")
    assert lines[-1].startswith("- 400 examples of 3 classes")
