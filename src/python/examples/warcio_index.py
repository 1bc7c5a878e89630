"""Prints the fingerprints of plain text in WARC files, such as WET files, as JSON Lines: warcio_index.py FILE.warc.wet.gz…"""

import json
import sys

from warcio.archiveiterator import ArchiveIterator

import simhash_doc

for name in sys.argv[1:]:
    with open(name, "rb") as file:
        records = ArchiveIterator(file)
        for record in records:
            content_type = (record.http_headers or record.rec_headers).get_header("Content-Type", "")
            is_text = content_type.lower().replace(" ", "") in ("text/plain", "text/plain;charset=utf-8")
            found = simhash_doc.fingerprint(record.content_stream().read(), "minhash-doc") if is_text else None
            row = {"url": record.rec_headers.get_header("WARC-Target-URI"), "fingerprint": found and str(found)}
            # These go to the end of the record.
            row |= {"offset": records.get_record_offset(), "length": records.get_record_length()}
            print(json.dumps(row))
