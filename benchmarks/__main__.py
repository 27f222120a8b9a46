"""``python -m benchmarks``: run every case, print the table, and put it and the figure into the documentation.

``python -m benchmarks --against REF`` runs small cases of ours here and as of another commit, by turns.
"""

import argparse
import json
from pathlib import Path

from benchmarks import figure, page
from benchmarks.against import against
from benchmarks.plan import AGAINST, FULL, QUICK
from benchmarks.table import table


def main() -> None:
    """Run, tell, write."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small sizes; the documents stay as they are")
    parser.add_argument("--series", nargs="*", help="only these series; the documents stay as they are")
    parser.add_argument("--against", metavar="REF", help="a commit to compare with; the documents stay as they are")
    parser.add_argument("--keep", type=Path, help="also write the figures as JSON to this file")
    arguments = parser.parse_args()
    plan = AGAINST if arguments.against else QUICK if arguments.quick else FULL
    cases = [case for case in plan.cases() if not arguments.series or case.series in arguments.series]
    if arguments.against:
        for line in against(arguments.against, cases):
            print(line, flush=True)
        return
    rows = []
    for case in cases:
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
