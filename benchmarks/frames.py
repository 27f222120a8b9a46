"""How long counts from Parquet take, and how much memory: 20 classes, two classifiers.

Usage: python benchmarks/frames.py [--rows 100000000] [--joined]

The counting runs in a process of its own, whose peak of memory is that of all it did.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from pytest_bayesf1 import PairedCounts

CLASSES = 20
EXAMPLES = f"""
    SELECT id, 'class ' || truth AS y_true,
        'class ' || (CASE WHEN hash(id + 1) % 100 < 80 THEN truth ELSE hash(id + 2) % {CLASSES} END) AS old,
        'class ' || (CASE WHEN hash(id + 3) % 100 < 78 THEN truth ELSE hash(id + 4) % {CLASSES} END) AS new
    FROM (SELECT range AS id, hash(range) % {CLASSES} AS truth FROM range({{rows}}))
"""  # noqa: S608 (numbers only)


def main() -> None:
    """Write the files, count them, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--joined", action="store_true", help="two files, joined on the ids of the examples")
    parser.add_argument("--count", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.count:
        count(*arguments.count)
        return
    with TemporaryDirectory() as folder:
        files = write(Path(folder), arguments.rows, joined=arguments.joined)
        print(f"{arguments.rows:,} rows, {sum(map(os.path.getsize, files)) / 1e6:,.0f} MB of Parquet")
        subprocess.run([sys.executable, __file__, "--count", *files], check=True)  # noqa: S603


def write(folder: Path, rows: int, *, joined: bool) -> list[str]:
    """Write the predictions into one file, or each side's into its own, the candidate's in another order."""
    examples = EXAMPLES.format(rows=rows)
    queries = {"both": examples}
    if joined:
        queries = {
            "baseline": f"SELECT id, y_true, old AS y_pred FROM ({examples})",  # noqa: S608
            "candidate": f"SELECT id, y_true, new AS y_pred FROM ({examples}) ORDER BY hash(id)",  # noqa: S608
        }
    for name, query in queries.items():
        duckdb.execute(f"COPY ({query}) TO '{folder / name}.parquet'")
    return [f"{folder / name}.parquet" for name in queries]


def count(*files: str) -> None:
    """Count, and tell what it took."""
    start = time.perf_counter()
    if len(files) == 1:
        pairs = PairedCounts.from_frame(files[0], baseline="old", candidate="new")
    else:
        pairs = PairedCounts.from_frames(*files)
    seconds = time.perf_counter() - start
    print(f"{pairs!r}: {seconds:.1f} s, {time.process_time():.1f} s of processors, at most {peak_memory():,.0f} MB")


def peak_memory() -> float:
    """Return this process's peak, in MB, without what the process before it left, as Linux keeps it."""
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(kilobytes) / 1000


if __name__ == "__main__":
    main()
