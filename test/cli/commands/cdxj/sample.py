"""Writes a WARC file with warcio: python3 sample.py FILE. A name that ends in .gz gives one gzip member for each record."""

import io
import sys

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

DATE = "2026-01-02T03:04:05Z"
HTML = [("Content-Type", "text/html; charset=utf-8")]


def response(uri, body, headers=HTML, status="200 OK", date=DATE):
    http = StatusAndHeaders(status, headers, protocol="HTTP/1.1")
    return writer.create_warc_record(
        uri, "response", payload=io.BytesIO(body), http_headers=http, warc_headers_dict={"WARC-Date": date}
    )


def record(kind, uri, body, content_type):
    return writer.create_warc_record(
        uri, kind, payload=io.BytesIO(body), warc_content_type=content_type, warc_headers_dict={"WARC-Date": DATE}
    )


with open(sys.argv[1], "wb") as file:
    writer = WARCWriter(file, gzip=sys.argv[1].endswith(".gz"), warc_version="1.1")
    fox = b"<p>The quick brown fox jumps over the lazy dog."
    records = [
        response("https://www.Example.org/Fox/", fox),
        record("request", "https://www.Example.org/Fox/", b"GET /Fox/ HTTP/1.1\r\n\r\n", "application/http; msgtype=request"),
        response("http://example.org:8080/a//b/../c?b=2&a=1#d", fox * 200, date="2026-01-02T03:04:05.678Z"),
        response("http://b\u00fccher.example/\u00e9%20%C3%A9?", b"<p>gone", [("Content-Type", "text/html")], "404 Not Found"),
        response("http://example.org/untyped", b"some words", []),
        record("resource", "ftp://example.org/notes.txt", b"some notes", "text/plain"),
        record("metadata", "metadata://example.org/", b"a: b", "application/warc-fields"),
        response("http://example.org/numbers", b"<p>1 2 3", [("Content-Type", "Text/HTML;level=1")]),
        response("http://example.org/image", b"\x89PNG\r\n\x1a\n", [("Content-Type", "image/png")]),
        response("http://127.0.0.1/last", fox),
    ]
    for each in records:
        writer.write_record(each)
