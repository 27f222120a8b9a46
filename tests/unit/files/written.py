"""The same predictions in every format."""

import csv
import gzip
import json

import numpy as np
import pandas as pd


def write_csv(path, columns, delimiter=","):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        # the header tells the separator: as a spreadsheet does, put names that hold one into quotes
        of_header = csv.QUOTE_ALL if any(mark in name for name in columns for mark in ",;\t") else csv.QUOTE_MINIMAL
        csv.writer(file, delimiter=delimiter, quoting=of_header).writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


def write_json(path, columns):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", encoding="utf-8") as file:
        json.dump(columns, file)


def write_json_records(path, columns):
    rows = zip(*columns.values(), strict=True)
    path.write_text(json.dumps([dict(zip(columns, row, strict=True)) for row in rows]), encoding="utf-8")


def write_npz(path, columns):
    np.savez(path, **{name: np.array(values) for name, values in columns.items()})


def write_parquet(path, columns):
    pd.DataFrame(columns).to_parquet(path)


WRITERS = {
    "a.csv": write_csv,
    "a.csv.gz": write_csv,
    "a.json": write_json,
    "a.json.gz": write_json,
    "records.json": write_json_records,
    "a.npz": write_npz,
    "a.parquet": write_parquet,
}


def write(folder, name, columns):
    """Write columns in the format of the name, and return the path."""
    WRITERS.get(name, WRITERS[f"a.{name.partition('.')[2]}"])(folder / name, columns)
    return folder / name
