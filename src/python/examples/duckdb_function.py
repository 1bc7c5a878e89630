"""Makes a function of SQL of the fingerprint, and finds near-duplicates: duckdb_function.py DOCUMENTS.parquet [PAIRS.sql]"""

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

# A signed number, as the statements of `simhash-doc sql --dialect duckdb --task pairs` take it: PAIRS.sql is one of them.
connection.execute("""
    CREATE VIEW fingerprints AS SELECT id, (bits - CASE WHEN bits >> 63 = 1 THEN 1::HUGEINT << 64 ELSE 0 END)::BIGINT AS fingerprint
    FROM (SELECT id, ('0x' || hex(fingerprint))::UBIGINT::HUGEINT AS bits FROM documents WHERE fingerprint IS NOT NULL)
""")
# All pairs within 3 bits by comparing all with all, which is enough for some thousand documents.
pairs = """
    SELECT a.id, b.id, bit_count(xor(a.fingerprint, b.fingerprint)) AS distance FROM fingerprints a, fingerprints b
    WHERE a.id < b.id AND distance <= 3
"""
if len(sys.argv) > 2:
    pairs = open(sys.argv[2]).read().split(";")[0]
for row in sorted(connection.execute(pairs).fetchall()):
    print("pair", *row, sep="\t")
