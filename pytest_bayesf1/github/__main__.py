"""``python -m pytest_bayesf1.github STEP``: what each step of the Action does. Inputs come as environment variables."""

import os
import sys

from pytest_bayesf1.errors import BayesF1Error
from pytest_bayesf1.github.steps import STEPS
from pytest_bayesf1.github.workflow import Annotation


def main() -> int:
    """Run the step that is named; a problem becomes an annotation and exit code 1."""
    try:
        return STEPS[sys.argv[1]](dict(os.environ))
    except BayesF1Error as error:
        print(Annotation("error", "pytest-bayesf1", str(error)).command())
        return 1


if __name__ == "__main__":
    sys.exit(main())
