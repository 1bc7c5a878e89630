"""Drops near-duplicates of earlier documents with Hugging Face datasets: datasets_filter.py DOCUMENTS.parquet"""

import sys

import datasets

import simhash_doc

documents = datasets.Dataset.from_parquet(sys.argv[1])
documents = documents.filter(bool, input_columns="text")
kept = set(simhash_doc.dedupe(documents, text="text").kept)
documents = documents.filter(lambda _, number: number in kept, with_indices=True)
for row in documents:
    print(row["id"])
