"""Makes a function of SQL of the fingerprint, and finds near-duplicates of a Parquet file: duckdb_function.py DOCUMENTS.parquet"""

import sys

import duckdb
import pyarrow

import simhash_doc


def minhash(texts: pyarrow.ChunkedArray) -> pyarrow.ChunkedArray:
    # DuckDB runs its own threads. Its BLOB has no width.
    return simhash_doc.fingerprint_column(texts, "minhash-doc", threads=1).cast(pyarrow.binary())


connection = duckdb.connect()
connection.create_function("minhash", minhash, ["VARCHAR"], "BLOB", type="arrow", null_handling="special")
connection.execute("CREATE TABLE documents AS SELECT id, minhash(text) AS fingerprint FROM read_parquet(?)", [sys.argv[1]])
for row in connection.execute("SELECT id, coalesce(lower(hex(fingerprint)), '-') FROM documents ORDER BY id").fetchall():
    print(*row, sep="\t")

# All pairs within 3 bits. For more than some thousand documents, `simhash-doc sql --task pairs` prints a statement with keys.
pairs = """
    WITH numbers AS (SELECT id, ('0x' || hex(fingerprint))::UBIGINT AS bits FROM documents WHERE fingerprint IS NOT NULL)
    SELECT a.id, b.id, bit_count(xor(a.bits, b.bits)) AS distance FROM numbers a, numbers b
    WHERE a.id < b.id AND distance <= 3 ORDER BY ALL
"""
for row in connection.execute(pairs).fetchall():
    print("pair", *row, sep="\t")
