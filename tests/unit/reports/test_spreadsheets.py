import csv
from io import StringIO

from pytest_bayesf1.reports.spreadsheets import csv_text


def test_no_text_is_run_as_a_formula_and_numbers_stay_numbers():
    rows = list(csv.reader(StringIO(csv_text({"name": ["=1+1", "@x", "a,b\n"], "change": [-1.5, 2, 0.1]}))))
    assert rows == [["name", "change"], ["'=1+1", "-1.5"], ["'@x", "2"], ["a,b\n", "0.1"]]
