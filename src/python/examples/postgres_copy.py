"""Writes a Parquet file as rows for PostgreSQL: python3 postgres_copy.py DOCUMENTS.parquet | psql -f postgres.sql

Rows are in the text format of COPY: tabs between values, \\N for null, and \\x before the digits of bytes.
"""

import sys

import pyarrow.parquet

import simhash_doc

ESCAPES = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})

for batch in pyarrow.parquet.ParquetFile(sys.argv[1]).iter_batches(columns=["id", "text"]):
    short = simhash_doc.fingerprint_column(batch["text"], "minhash-doc")
    long = simhash_doc.fingerprint_column(batch["text"], "minhash-doc-256")
    for identifier, *values in zip(batch["id"].to_pylist(), short.to_pylist(), long.to_pylist()):
        written = (None if value is None else rf"\x{value.hex()}" for value in values)
        print(*(r"\N" if each is None else str(each).translate(ESCAPES) for each in [identifier, *written]), sep="\t")
