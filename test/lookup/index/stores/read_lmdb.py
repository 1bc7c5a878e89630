"""Reads an index of layout 4 from a file of LMDB (data format 2) and shares no code with the package.

Usage: read_lmdb.py FOLDER            print each entry as JSON: id and fingerprint, 16 or 64 hexadecimal digits
       read_lmdb.py FOLDER Q K        print the ids of which a word is at distance K or less of that of Q, 16 or 64 digits
Checks on the way that the tables agree. No process may write to the file meanwhile.
"""

import json
import mmap
import struct
import sys
import zlib

HEADER = 24
BRANCH, BIG, TABLE = 0x01, 0x01, 0x02
ROWS = 4096


def newest_meta(pages):
    metas = []
    size = struct.unpack_from("<I", pages, 48)[0]
    for start in (0, size):
        magic, version = struct.unpack_from("<II", pages, start + 24)
        if magic == 0xBEEFC0DE and version & 0xFFFF == 2:
            root, = struct.unpack_from("<Q", pages, start + 136)
            transaction, = struct.unpack_from("<Q", pages, start + 152)
            metas.append((transaction, root))
    return size, max(metas)[1]


def walk(pages, size, page):
    """Yields flags, key and value of every node below a page, in the order of the keys."""
    if page == 0xFFFFFFFFFFFFFFFF:
        return
    # Places in a page count from the end of its header.
    start = page * size + HEADER
    flags, lower = struct.unpack_from("<HH", pages, start - 6)
    for at in range(start, start + lower, 2):
        node = start + struct.unpack_from("<H", pages, at)[0]
        low, high, node_flags, key_size = struct.unpack_from("<HHHH", pages, node)
        value = node + 8 + key_size
        if flags & BRANCH:
            yield from walk(pages, size, low | high << 16 | node_flags << 32)
            continue
        length = low | high << 16
        if node_flags & BIG:
            value = struct.unpack_from("<Q", pages, value)[0] * size + HEADER
        yield node_flags, pages[node + 8 : node + 8 + key_size], pages[value : value + length]


def read_tables(folder):
    with open(folder + "/data.mdb", "rb") as file:
        pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    size, root = newest_meta(pages)
    tables = {}
    for flags, name, value in walk(pages, size, root):
        if flags & TABLE:
            below = struct.unpack_from("<Q", value, 40)[0]
            tables[name.rstrip(b"\0").decode()] = {key: data for _, key, data in walk(pages, size, below)}
    return tables


def unsealed(key, value):
    """The value without its checksum."""
    assert zlib.crc32(key + value[:-4]) == struct.unpack(">I", value[-4:])[0], key
    return value[:-4]


def read_index(folder):
    tables = read_tables(folder)
    meta = tables["meta"]
    assert meta[b"layout"] == b"4", meta[b"layout"]
    width = {b"simhash-doc": 8, b"minhash-doc-256": 32}[meta[b"label"]]
    first, end, count = struct.unpack(">QQQ", unsealed(b"state", meta[b"state"]))
    tables["fingerprints"] = {key: unsealed(key, value) for key, value in tables["fingerprints"].items()}
    entries = {}
    rows = 0
    for key, value in tables["documents"].items():
        row, = struct.unpack(">Q", key)
        fingerprint, identifier = value[:width], value[width:]
        assert row == first + rows
        rows += 1
        chunk = tables["fingerprints"][struct.pack(">Q", row // ROWS)]
        assert chunk[row % ROWS * width :][:width] == fingerprint
        if identifier:
            assert tables["ids"][identifier] == key
            entries[row] = (identifier.decode("utf-8"), fingerprint)
    assert first + rows == end
    assert len(entries) == count == len(tables["ids"])
    return tables, entries, width


def main(folder, query=None, k="3"):
    tables, entries, width = read_index(folder)
    if query is None:
        for identifier, fingerprint in entries.values():
            print(json.dumps({"id": identifier, "fingerprint": fingerprint.hex()}))
        return
    found = []
    for number, chunk in tables["fingerprints"].items():
        for place, words in enumerate(struct.iter_unpack(">%dQ" % (width // 8), chunk)):
            asked = struct.unpack(">%dQ" % (width // 8), bytes.fromhex(query))
            distances = [bin(a ^ b).count("1") for a, b in zip(words, asked)]
            entry = entries.get(struct.unpack(">Q", number)[0] * ROWS + place)
            if min(distances) <= int(k) and entry is not None:
                found.append((sum(distances), entry[0].encode("utf-8")))
    for _, identifier in sorted(found):
        print(json.dumps(identifier.decode("utf-8")))


main(*sys.argv[1:])
