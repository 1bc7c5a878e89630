"""Finds near-duplicates in ClickHouse, here its engine in the process: clickhouse_column.py DOCUMENTS.parquet [PAIRS.sql]"""

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

# A signed number, as the statements of `simhash-doc sql --dialect clickhouse --task pairs` take it: PAIRS.sql is one of them.
engine.query("""
    CREATE VIEW fingerprints AS SELECT id, reinterpretAsInt64(reverse(assumeNotNull(fingerprint))) AS fingerprint
    FROM documents WHERE isNotNull(documents.fingerprint)
""")
# All pairs within 3 bits by comparing all with all, which is enough for some thousand documents.
pairs = """
    SELECT a.id, b.id, bitCount(bitXor(a.fingerprint, b.fingerprint)) AS distance FROM fingerprints a CROSS JOIN fingerprints b
    WHERE a.id < b.id AND distance <= 3
"""
if len(sys.argv) > 2:
    pairs = open(sys.argv[2]).read().split(";")[0]
print(engine.query(f"SELECT 'pair', * FROM ({pairs}) ORDER BY ALL", "TSVRaw"), end="")
