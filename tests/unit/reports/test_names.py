"""Labels of different spelling are shown differently wherever they are shown."""

from html import unescape
from pathlib import Path

import pytest

from pytest_bayesf1 import ConfusionMatrix, compare, rank
from pytest_bayesf1.gates.demand import Demand
from pytest_bayesf1.gates.evaluate import judge
from pytest_bayesf1.gates.source import Pair
from pytest_bayesf1.reports import html, markdown
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.record import Records
from pytest_bayesf1.reports.sheets import history_settings
from pytest_bayesf1.reports.terminal import report_lines
from pytest_bayesf1.results.policy import NOT_WORSE
from pytest_bayesf1.results.timeline import History
from pytest_bayesf1.text import one_line

SPELLINGS = ("new\nline", "new\tline", "new  line", "new\xa0line", "new\r\nline", "new\u200bline")


def outputs(label):
    """Yield all that people read of comparisons of the class."""
    truth = 100 * [label] + 100 * ["ham"] + 100 * ["eggs"]
    baseline, candidate = (
        ConfusionMatrix.from_predictions(truth, n * ["ham"] + truth[n:-n] + n * ["ham"], labels=[label, "ham", "eggs"])
        for n in (5, 45)
    )
    of_class = compare(baseline, candidate, measure=f"f1[{label}]", rope=0.01, n_draws=1_000)
    demand = Demand(policy=NOT_WORSE, arguments={"rope": 0.01, "n_draws": 1_000}, per_class=True)
    gate = judge(Pair(baseline, candidate), demand)
    yield from (gate.text(in_full=False), gate.text(in_full=True), str(of_class), repr(of_class))
    report = Report.of(Records(Path(), in_full=True, is_compared=False).of_gate(gate).entries)
    yield "\n".join(line for line, _ in report_lines(report, width=120, verbose=True))
    yield from (markdown.markdown(report), html.html(report), of_class._repr_html_())
    ranking = rank({label: baseline, "b": candidate}, measure=f"f1[{label}]", rope=0.02, n_draws=1_000)
    yield from (str(ranking), ranking._repr_html_())
    figures = {"file": label, "measure": "f1", "bounded": True, "rope": (-0.01, 0.01), "budget": 0.02, "hdi_prob": 0.95}
    history = History(**figures, measure_words=f"F1 of {label}", shallow=False, versions=())
    yield history_settings(history)


@pytest.mark.parametrize("label", SPELLINGS)
def test_a_label_is_shown_as_it_is_spelt(label):
    for output in map(unescape, outputs(label)):
        assert one_line(label).replace("\\", "") in output.replace("\\", "")  # Markdown escapes them
        assert "new line" not in output
        assert label not in output or not {*label} & {*"\n\t"}


def test_no_two_spellings_look_alike():
    assert len({*map(one_line, (*SPELLINGS, "new line", " new line", "new line ", r"new\nline"))}) == len(SPELLINGS) + 4
