"""Makes a function of SQL of the fingerprint: duckdb_function.py DOCUMENTS.parquet"""

import sys

import duckdb
import pyarrow

import simhash_doc


def minhash(texts: pyarrow.ChunkedArray) -> pyarrow.ChunkedArray:
    # DuckDB runs its own threads. Its BLOB has no width.
    return simhash_doc.fingerprint_column(texts, "minhash-doc", threads=1).cast(pyarrow.binary())


connection = duckdb.connect()
connection.create_function("minhash", minhash, ["VARCHAR"], "BLOB", type="arrow", null_handling="special")
statement = "SELECT id, coalesce(lower(hex(minhash(text))), '-') FROM read_parquet(?) ORDER BY id"
for row in connection.execute(statement, [sys.argv[1]]).fetchall():
    print(*row, sep="\t")
