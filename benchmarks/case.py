"""Run one case: ``python -m benchmarks.case MODULE.FUNCTION JSON-ARGUMENTS`` prints its figures as JSON."""

import json
import resource
import sys
from importlib import import_module


def main() -> None:
    """Call the function, and add the largest amount of memory that the process or one that it started held."""
    module, function = sys.argv[1].split(".")
    figures = getattr(import_module(f"benchmarks.{module}"), function)(**json.loads(sys.argv[2]))
    held = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(json.dumps({**figures, "megabytes": held / 1024}))


if __name__ == "__main__":
    main()
