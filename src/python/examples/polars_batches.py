"""Adds the fingerprints of a Parquet file in Polars: polars_batches.py DOCUMENTS.parquet"""

import sys

import polars

import simhash_doc


def minhash(texts: polars.Series) -> polars.Series:
    series: polars.Series = simhash_doc.fingerprint_column(texts, "minhash-doc")
    return series


fingerprint = polars.col("text").map_batches(minhash, return_dtype=polars.Binary, is_elementwise=True)
frame = polars.scan_parquet(sys.argv[1]).select("id", fingerprint=fingerprint)
for identifier, octets in frame.sort("id").collect().iter_rows():
    print(identifier, "-" if octets is None else octets.hex(), sep="\t")
