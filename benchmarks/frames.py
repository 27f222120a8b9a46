"""How long counts from Parquet take, and how much memory: 20 classes, two classifiers.

Usage: python benchmarks/frames.py [--rows 100000000]

The counting runs in a process of its own, whose peak of memory is that of all it did.
"""

import argparse
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
    """Write the file, count it, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--count", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.count:
        count(arguments.count)
        return
    with TemporaryDirectory() as folder:
        file = Path(folder) / "both.parquet"
        duckdb.execute(f"COPY ({EXAMPLES.format(rows=arguments.rows)}) TO '{file}'")
        print(f"{arguments.rows:,} rows, {file.stat().st_size / 1e6:,.0f} MB of Parquet")
        subprocess.run([sys.executable, __file__, "--count", str(file)], check=True)  # noqa: S603


def count(file: str) -> None:
    """Count, and tell what it took."""
    start = time.perf_counter()
    pairs = PairedCounts.from_frame(duckdb.read_parquet(file), baseline="old", candidate="new")
    seconds = time.perf_counter() - start
    print(f"{pairs!r}: {seconds:.1f} s, {time.process_time():.1f} s of processors, at most {peak_memory():,.0f} MB")


def peak_memory() -> float:
    """Return this process's peak, in MB, without what the process before it left, as Linux keeps it."""
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(kilobytes) / 1000


if __name__ == "__main__":
    main()
