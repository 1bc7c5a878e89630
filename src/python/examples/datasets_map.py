"""Adds the fingerprints of a Parquet file with Hugging Face datasets: datasets_map.py DOCUMENTS.parquet"""

import sys

import datasets
import pyarrow

import simhash_doc


def add_fingerprints(batch: pyarrow.Table) -> pyarrow.Table:
    column = simhash_doc.fingerprint_column(batch["text"], "minhash-doc")
    return batch.append_column("fingerprint", column.cast(pyarrow.binary()))


# In the format of Arrow, no batch becomes Python objects.
documents = datasets.Dataset.from_parquet(sys.argv[1]).with_format("arrow")
documents = documents.map(add_fingerprints, batched=True, batch_size=1000)
for row in documents.with_format(None):
    print(row["id"], "-" if row["fingerprint"] is None else row["fingerprint"].hex(), sep="\t")
