"""``python -m benchmarks``: run every case, print the table, and put it and the figure into the documentation."""

import argparse
import json
from pathlib import Path

from benchmarks import figure, page
from benchmarks.plan import FULL, QUICK
from benchmarks.table import table


def main() -> None:
    """Run, tell, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes; the documents stay as they are")
    parser.add_argument("--series", nargs="*", help="only these series; the documents stay as they are")
    parser.add_argument("--keep", type=Path, help="also write the figures as JSON to this file")
    arguments = parser.parse_args()
    rows = []
    for case in (QUICK if arguments.quick else FULL).cases():
        if not arguments.series or case.series in arguments.series:
            rows.append(case.run())
            print(json.dumps(rows[-1]), flush=True)
    print(table(rows))
    if arguments.keep:
        arguments.keep.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    if not (arguments.quick or arguments.series):
        figure.draw(rows, page.PAGE.parent / page.PICTURE)
        page.write(rows)


if __name__ == "__main__":
    main()
