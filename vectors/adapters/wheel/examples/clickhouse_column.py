"""Puts fingerprints into ClickHouse and finds near-duplicates, here with its engine in the process: clickhouse_column.py DOCUMENTS.parquet"""

import sys
import tempfile

import pyarrow.parquet
from chdb import session

import simhash_doc

table = pyarrow.parquet.read_table(sys.argv[1], columns=["id", "text"])
column = simhash_doc.fingerprint_column(table["text"], "minhash-doc")
engine = session.Session()
with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
    pyarrow.parquet.write_table(pyarrow.table({"id": table["id"], "fingerprint": column}), file.name)
    engine.query("CREATE TABLE documents (id Int64, fingerprint Nullable(FixedString(8))) ENGINE = MergeTree ORDER BY id")
    engine.query(f"INSERT INTO documents SELECT * FROM file('{file.name}', Parquet)")
print(engine.query("SELECT id, ifNull(lower(hex(fingerprint)), '-') FROM documents ORDER BY id", "TSVRaw"), end="")

# All pairs within 3 bits. For more than some thousand documents, `simhash-doc sql --dialect clickhouse` prints a statement with keys.
pairs = """
    WITH numbers AS (SELECT id, reinterpretAsUInt64(assumeNotNull(fingerprint)) AS bits FROM documents WHERE fingerprint IS NOT NULL)
    SELECT 'pair', a.id, b.id, bitCount(bitXor(a.bits, b.bits)) AS distance FROM numbers a CROSS JOIN numbers b
    WHERE a.id < b.id AND distance <= 3 ORDER BY a.id, b.id
"""
print(engine.query(pairs, "TSVRaw"), end="")
