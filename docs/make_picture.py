"""Draw the verdict card of the README, of a gate that fails on published counts: ``python docs/make_picture.py``."""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
GATE = HERE.parent / "examples/newsgroups/test_newsgroups.py"
TEST = "test_bernoulli_bayes_must_not_replace_the_multinomial_one"


def main() -> None:
    """Run the gate as if nobody expected it to fail, and keep the card of its report."""
    with TemporaryDirectory() as folder:
        pytest = [sys.executable, "-m", "pytest", "-q", "--runxfail", f"--bayesf1-report={folder}", f"{GATE}::{TEST}"]
        subprocess.run(pytest, check=False, cwd=GATE.parent.parent)  # noqa: S603 (our own test; it is to fail)
        shutil.copyfile(Path(folder, "card.png"), HERE / "card.png")


if __name__ == "__main__":
    main()
