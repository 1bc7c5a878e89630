"""Finds near-duplicates in ClickHouse, here its engine in the process: clickhouse_column.py DOCUMENTS.parquet OUT.parquet"""

import sys

import pyarrow.parquet
from chdb import session

import simhash_doc

documents, out = sys.argv[1:]
table = pyarrow.parquet.read_table(documents)
column = simhash_doc.fingerprint_column(table["text"], "minhash-doc")
pyarrow.parquet.write_table(table.append_column("fingerprint", column), out)
engine = session.Session()
engine.query("CREATE TABLE documents (id Int64, fingerprint Nullable(FixedString(8))) ENGINE = MergeTree ORDER BY id")
engine.query(f"INSERT INTO documents SELECT id, fingerprint FROM file('{out}', Parquet)")
print(engine.query("SELECT id, ifNull(lower(hex(fingerprint)), '-') FROM documents ORDER BY id", "TSVRaw"), end="")
distance = "bitHammingDistance(a.fingerprint, b.fingerprint)"
pairs = f"SELECT 'pair', a.id, b.id, {distance} FROM documents a CROSS JOIN documents b WHERE a.id < b.id AND {distance} <= 3"
print(engine.query(f"{pairs} ORDER BY ALL", "TSVRaw"), end="")
