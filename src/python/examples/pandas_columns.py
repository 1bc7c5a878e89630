"""Adds the fingerprints of a Parquet file as columns of 8 and 32 bytes: pandas_columns.py DOCUMENTS.parquet OUT.parquet"""

import sys

import pandas
import pyarrow

import simhash_doc

documents, out = sys.argv[1:]
frame = pandas.read_parquet(documents)
for name, label in [("fingerprint", "minhash-doc"), ("fingerprint_256", "minhash-doc-256")]:
    column = simhash_doc.fingerprint_column(frame["text"], label)
    # Of Arrow, so that the column keeps its width and needs no Python object for each row.
    frame[name] = pandas.Series(column, dtype=pandas.ArrowDtype(column.type), index=frame.index)
frame.to_parquet(out)
written = pandas.read_parquet(out, dtype_backend="pyarrow")
assert written.dtypes["fingerprint"] == pandas.ArrowDtype(pyarrow.binary(8))
for row in written.itertuples():
    print(row.id, "-" if row.fingerprint is pandas.NA else row.fingerprint.hex(), sep="\t")
