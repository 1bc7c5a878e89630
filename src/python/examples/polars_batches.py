"""Adds the fingerprints of a Parquet file in Polars: polars_batches.py DOCUMENTS.parquet"""

import sys

import polars

import simhash_doc


def minhash(texts: polars.Series) -> polars.Series:
    series: polars.Series = simhash_doc.fingerprint_column(texts, "minhash-doc")
    return series


frame = (
    polars.scan_parquet(sys.argv[1])
    .with_columns(fingerprint=polars.col("text").map_batches(minhash, return_dtype=polars.Binary, is_elementwise=True))
    .select("id", polars.col("fingerprint").bin.encode("hex").fill_null("-"))
    .sort("id")
    .collect()
)
for identifier, fingerprint in frame.iter_rows():
    print(identifier, fingerprint, sep="\t")
