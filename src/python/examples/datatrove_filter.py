"""Drops near-duplicates of earlier documents with datatrove: datatrove_filter.py DOCUMENTS.parquet"""

import sys

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.filters.base_filter import BaseFilter
from datatrove.pipeline.readers import ParquetReader

import simhash_doc


class NearDuplicateFilter(BaseFilter):
    """Keeps the first of the documents within a distance of each other; compares with all that it has kept."""

    name = "near-duplicates"

    def __init__(self, label: str = "minhash-doc", max_distance: int = simhash_doc.DEFAULT_DISTANCE):
        super().__init__()
        self.label, self.max_distance = label, max_distance
        self.kept: list[int] = []

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        fingerprint = simhash_doc.fingerprint(doc.text, self.label)
        doc.metadata["fingerprint"] = None if fingerprint is None else fingerprint.hex
        if fingerprint is None:
            return True
        bits = int(fingerprint)
        if any((bits ^ other).bit_count() <= self.max_distance for other in self.kept):
            return False, "near-duplicate"
        self.kept.append(bits)
        return True


pipeline: DocumentsPipeline = ParquetReader(sys.argv[1], doc_progress=False)()
for document in NearDuplicateFilter()(pipeline):
    print(document.id, document.metadata["fingerprint"] or "-", sep="\t")
