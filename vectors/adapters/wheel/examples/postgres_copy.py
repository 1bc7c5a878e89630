"""Writes a Parquet file as rows for \\copy of PostgreSQL: postgres_copy.py DOCUMENTS.parquet | psql -c '\\copy ... FROM PSTDIN'

Rows are in the text format: tab, \\N for null, and \\x for bytea. Nothing has to be quoted, because ids are the only text.
The table and its query are in postgres.sql.
"""

import sys

import pyarrow.parquet

import simhash_doc

for batch in pyarrow.parquet.ParquetFile(sys.argv[1]).iter_batches(columns=["id", "text"]):
    short = simhash_doc.fingerprint_column(batch["text"], "minhash-doc")
    long = simhash_doc.fingerprint_column(batch["text"], "minhash-doc-256")
    for row in zip(batch["id"].to_pylist(), short.to_pylist(), long.to_pylist()):
        identifier, *values = row
        # The backslash of \\x is doubled in this format.
        print(identifier, *(r"\N" if value is None else rf"\\x{value.hex()}" for value in values), sep="\t")
