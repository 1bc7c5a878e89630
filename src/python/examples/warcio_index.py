"""Indexes plain text in WARC files, such as WET files, with its fingerprints: warcio_index.py FILE.warc.wet.gz…"""

import sys

from warcio.indexer import Indexer
from warcio.recordloader import ArcWarcRecord

import simhash_doc


class FingerprintIndexer(Indexer):
    """Has the field `document-fingerprint`; a record that is not plain text in UTF-8 has none."""

    label = "minhash-doc"

    def process_index_entry(self, it, record: ArcWarcRecord, filename, output) -> None:
        # First of all, because other fields, such as the length, read past the content.
        self.found = self.fingerprint_of(record)
        super().process_index_entry(it, record, filename, output)

    def get_field(self, record: ArcWarcRecord, name: str, it, filename):
        return self.found if name == "document-fingerprint" else super().get_field(record, name, it, filename)

    def fingerprint_of(self, record: ArcWarcRecord) -> str | None:
        content_type = (record.http_headers or record.rec_headers).get_header("Content-Type") or ""
        if content_type.lower().replace(" ", "") not in ("text/plain", "text/plain;charset=utf-8"):
            return None
        parts = simhash_doc.Fingerprinter(self.label)
        while part := record.content_stream().read(1 << 16):
            parts.update(part)
        found = parts.digest()
        return None if found is None else str(found)


indexer = FingerprintIndexer(["offset", "length", "warc-target-uri", "document-fingerprint"], sys.argv[1:], "-")
indexer.record_parse = True  # for the type of the content, which is in the HTTP header
indexer.process_all()
