"""Reads an index of layout 1 from Apache Cassandra and shares no code with the package. Needs cassandra-driver of PyPI.

Usage: read_cassandra.py PORT KEYSPACE            print each entry as JSON: id and fingerprint, 16 or 64 hexadecimal digits
       read_cassandra.py PORT KEYSPACE Q K        print the ids of which a word is at distance K or less (up to 3) of that of Q
Checks on the way that each entry has its 16 or 64 rows.
"""

import json
import sys

from cassandra.cluster import Cluster

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
MASK = 0xFFFFFFFF


def words_of(text):
    """13 characters of base32: 64 bits and one of padding; or 52: 256 bits and four."""
    value = 0
    for character in text:
        value = value * 32 + ALPHABET.index(character)
    words, spare = {13: (1, 1), 52: (4, 4)}[len(text)]
    assert value % 2**spare == 0
    value >>= spare
    return [value >> 64 * (words - 1 - word) & 2**64 - 1 for word in range(words)]


def distances(a, b):
    return [bin(x ^ y).count("1") for x, y in zip(a, b)]


def rotated(x, k):
    return (x << k | x >> (32 - k)) & MASK


def token_hash(octets):
    """lookup3's hashlittle2 with zero seeds, the first result in the upper half."""
    a = b = c = (0xDEADBEEF + len(octets)) & MASK
    while len(octets) > 12:
        x, y, z = (int.from_bytes(octets[i : i + 4], "little") for i in (0, 4, 8))
        a, b, c = (a + x) & MASK, (b + y) & MASK, (c + z) & MASK
        a = (a - c & MASK) ^ rotated(c, 4); c = c + b & MASK
        b = (b - a & MASK) ^ rotated(a, 6); a = a + c & MASK
        c = (c - b & MASK) ^ rotated(b, 8); b = b + a & MASK
        a = (a - c & MASK) ^ rotated(c, 16); c = c + b & MASK
        b = (b - a & MASK) ^ rotated(a, 19); a = a + c & MASK
        c = (c - b & MASK) ^ rotated(b, 4); b = b + a & MASK
        octets = octets[12:]
    if octets:
        octets = octets + bytes(12 - len(octets))
        x, y, z = (int.from_bytes(octets[i : i + 4], "little") for i in (0, 4, 8))
        a, b, c = (a + x) & MASK, (b + y) & MASK, (c + z) & MASK
        c = (c ^ b) - rotated(b, 14) & MASK
        a = (a ^ c) - rotated(c, 11) & MASK
        b = (b ^ a) - rotated(a, 25) & MASK
        c = (c ^ b) - rotated(b, 16) & MASK
        a = (a ^ c) - rotated(c, 4) & MASK
        b = (b ^ a) - rotated(a, 14) & MASK
        c = (c ^ b) - rotated(b, 24) & MASK
    return b << 32 | c



def moved_to_front(digits, width, index):
    parts = [digits[i : i + width] for i in range(0, len(digits), width)]
    return parts[index], "".join(parts[:index] + parts[index + 1 :])


def key_and_rest(fingerprint, table):
    block, others = moved_to_front(format(fingerprint, "064b"), 16, table // 4)
    part, rest = moved_to_front(others, 12, table % 4)
    return int(block + part, 2), int(rest, 2)


def main(port, keyspace, query=None, k="3"):
    cluster = Cluster(["127.0.0.1"], port=int(port))
    session = cluster.connect(keyspace)
    meta = {row.name: row.value for row in session.execute("SELECT name, value FROM simhash_doc_meta")}
    assert meta["layout"] == "1", meta
    words = {"simhash-doc": 1, "minhash-doc-256": 4}[meta["label"]]
    buckets = int(meta["buckets"])
    documents = {
        row.document_id: words_of(row.fingerprint)
        for row in session.execute("SELECT document_id, fingerprint FROM simhash_doc_document")
    }
    if query is None:
        rows = set(session.execute("SELECT table_no, table_key, bucket, rest, document_id FROM simhash_doc_entry"))
        for identifier, values in documents.items():
            bucket = token_hash(identifier.encode("utf-8")) % buckets
            for table in range(16 * words):
                key, rest = key_and_rest(values[table // 16], table % 16)
                assert (table, key, bucket, rest, identifier) in rows
            print(json.dumps({"id": identifier, "fingerprint": "".join(format(value, "016x") for value in values)}))
    else:
        asked = [int(query[at : at + 16], 16) for at in range(0, 16 * words, 16)]
        read = session.prepare(
            "SELECT document_id FROM simhash_doc_entry WHERE table_no = ? AND table_key = ? AND bucket = ?"
        )
        found = set()
        for table in range(16 * words):
            for bucket in range(buckets):
                for row in session.execute(read, (table, key_and_rest(asked[table // 16], table % 16)[0], bucket)):
                    values = documents.get(row.document_id)
                    if values is not None and min(distances(values, asked)) <= int(k):
                        found.add((sum(distances(values, asked)), row.document_id.encode("utf-8")))
        for _, identifier in sorted(found):
            print(json.dumps(identifier.decode("utf-8")))
    cluster.shutdown()


main(*sys.argv[1:])
