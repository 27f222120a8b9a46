"""Run one case: ``python -m benchmarks.case MODULE.FUNCTION JSON-ARGUMENTS`` prints its figures as JSON."""

import json
import resource
import sys
from importlib import import_module


def main() -> None:
    """Call the function, and add the largest amount of memory that the process held."""
    module, function = sys.argv[1].split(".")
    figures = getattr(import_module(f"benchmarks.{module}"), function)(**json.loads(sys.argv[2]))
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**figures, "megabytes": held}))


if __name__ == "__main__":
    main()
