import json

import pytest

ASSUMED = ("--shares", "ham=0.7,spam=0.3", "--accuracy", "0.9", "--agreement", "0.95", "--measure", "f1[spam]")


@pytest.fixture
def planned(run):
    return lambda *more: run("plan", *ASSUMED, "--rope", "0.01", *more)


@pytest.fixture(autouse=True)
def pilots(folder):
    truth = ["ham"] * 70 + ["spam"] * 30
    for name, wrong in (("before", range(8)), ("after", range(4, 14))):
        rows = [f"{true},{'spam' if number in wrong else true}" for number, true in enumerate(truth)]
        (folder / f"pilot_{name}.csv").write_text("\n".join(["y_true,y_pred", *rows]))


def test_the_approximation_alone(planned):
    shown = planned("--quick").stdout
    assert shown.startswith("A loss of 2 points of F1 of spam, where you tolerate 1 point, is found with probability")
    assert "Examples that find a loss of 2 points" in shown
    assert "simulated" not in shown


@pytest.mark.slow
def test_a_pilot_of_two_files(run):
    found = run("plan", "pilot_before.csv", "pilot_after.csv", "--rope", "0.02", "--quick", "--measure", "accuracy")
    assert "Planned from the predictions of both on 100 examples." in found.stdout


@pytest.mark.slow
def test_a_pilot_of_counts(run):
    found = run("plan", "old.csv", "--agreement", "0.95", "--rope", "0.02", "--quick")
    assert "an agreement of 95% taken for granted" in found.stdout


@pytest.mark.slow
def test_the_gate_is_tried_in_this_process(planned):
    given = ("--repetitions", "10", "--examples", "50", "--loss", "0.1", "--looks", "2", "--workers", "1")
    found = json.loads(planned(*given, "--format", "json").stdout)
    assert (found["repetitions"], found["n_examples"], found["loss"]) == (10, 50, 0.1)
    assert found["looks"]["n_examples"] == [25, 50]


def test_accuracies_by_class(run):
    found = run("plan", *ASSUMED[:2], "--accuracy", "ham=0.99,spam=0.8", *ASSUMED[4:], "--rope", "0.01", "--quick")
    assert found.exit_code == 0


def test_labels_that_are_numbers(run):
    given = (
        "--shares",
        "0=0.7,1=0.3",
        "--accuracy",
        "0=0.99,1=0.8",
        *ASSUMED[4:6],
        "--measure",
        "f1",
        "--rope",
        "0.01",
    )
    assert "F1 of 1" in run("plan", *given, "--quick").stdout


def test_markdown_with_hostile_names(run):
    given = ("--shares", "|*x*|=0.7,spam=0.3", *ASSUMED[2:6], "--measure", "balanced_accuracy", "--rope", "0.01")
    shown = run("plan", *given, "--quick", "--format", "md").stdout
    assert "| \\|\\*x\\*\\| |" in shown
    assert shown.startswith("**A loss of 2 points of balanced accuracy")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["power.svg", "power.png"])
def test_a_figure(planned, folder, name):
    planned("--quick", "--figure", name)
    assert (folder / name).stat().st_size > 1_000


@pytest.mark.parametrize(
    ("given", "told", "code"),
    [
        (("plan", "--rope", "0.01"), "baseline: expected a pilot", 2),
        (("plan", "nothing.csv", "--rope", "0.01"), "nothing.csv", 2),
        (("plan", "--shares", "a=0.5,a=0.5", "--rope", "0.01"), "expected each label once, got 'a' 2 times", 2),
        (("plan", *ASSUMED, "--rope", "0.01", "--quick", "--looks", "3"), "looks are simulated", 2),
        (("plan", *ASSUMED), "Missing option '--rope'", 2),
        (("plan", "--shares", "ham=most", "--rope", "0.01"), "expected LABEL=SHARE,..., got 'most'", 2),
        (
            ("plan", *ASSUMED, "--rope", "0.01", "--quick", "--figure", "a.pdf"),
            "--figure: expected a name that ends in .svg or .png, got 'a.pdf'",
            2,
        ),
        (("plan", *ASSUMED, "--rope", "0.01", "--quick", "--figure", "old.csv/a.svg"), "old.csv/a.svg", 5),
    ],
)
def test_what_cannot_be_planned(run, given, told, code):
    found = run(*given)
    assert found.exit_code == code
    assert told in found.stderr
