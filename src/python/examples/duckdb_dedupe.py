"""Leaves out near-duplicates of earlier rows of a table of DuckDB: duckdb_dedupe.py DOCUMENTS.parquet"""

import sys

import duckdb

import simhash_doc

connection = duckdb.connect()
statement = "SELECT id, text FROM read_parquet(?) WHERE text <> '' ORDER BY id"
documents = connection.execute(statement, [sys.argv[1]]).to_arrow_table()
kept = simhash_doc.dedupe(documents, text="text").rows
connection.execute("CREATE TABLE documents AS FROM kept")
for row in connection.execute("SELECT id FROM documents ORDER BY id").fetchall():
    print(*row)
