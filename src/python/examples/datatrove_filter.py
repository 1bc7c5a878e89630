"""Drops near-duplicates of earlier documents with datatrove: datatrove_filter.py DOCUMENTS.parquet"""

import sys

from datatrove.data import DocumentsPipeline
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.readers import ParquetReader

import simhash_doc


class NearDuplicates(PipelineStep):
    name, type = "near-duplicates", "dedup"

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        yield from simhash_doc.dedupe(data, text=lambda document: document.text).rows


for document in NearDuplicates().run(ParquetReader(sys.argv[1], doc_progress=False)()):
    print(document.id)
