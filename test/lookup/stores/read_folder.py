"""Reads an index of layout 5 from a folder, by the annex alone, and shares no code with the package.

Usage: read_folder.py FOLDER            print each entry as JSON: id and fingerprint, 16 or 64 hexadecimal digits
       read_folder.py FOLDER Q K        print the ids of which a word is at distance K or less of that of Q, 16 or 64 digits
Checks on the way that the checksums are right and the tables agree. No process may write to the folder meanwhile.
"""

import base64
import json
import struct
import sys
import zlib

PAGE = 16384


def read(folder, name):
    with open(folder + "/" + name, "rb") as file:
        return file.read()


def manifest(folder):
    assert read(folder, "manifest") == read(folder, "manifest.copy")
    text, checksum, rest = read(folder, "manifest").decode().split("\n")
    assert zlib.crc32(text.encode()) == int(checksum, 16) and rest == ""
    return json.loads(text)


def section(data, place):
    octets = data[place["offset"] : place["offset"] + place["length"]]
    sums = struct.unpack("<%dI" % (-(-len(octets) // PAGE)), base64.b64decode(place["checksums"]))
    assert [zlib.crc32(octets[i : i + PAGE]) for i in range(0, len(octets), PAGE)] == list(sums)
    return octets


class Octets:
    def __init__(self, octets):
        self.octets, self.at = octets, 0

    def take(self, length):
        assert self.at + length <= len(self.octets)
        self.at += length
        return self.octets[self.at - length : self.at]

    def number(self):
        value = shift = 0
        while True:
            octet = self.take(1)[0]
            value |= (octet & 127) << shift
            shift += 7
            if octet < 128:
                return value

    def value(self):
        length = self.number()
        return self.take(length - 1) if length else None


def records(data, footer):
    """Yields key and value of each record of a segment."""
    index = Octets(section(data, footer["places"]["index"]))
    blocks = Octets(section(data, footer["places"]["blocks"]))
    while index.at < len(index.octets):
        first, count, length = index.take(index.number()), index.number(), index.number()
        block, key = Octets(blocks.take(length // 2)), b""
        for i in range(count):
            header = block.take(1)[0]
            shared, more = header >> 4, header & 15
            shared += block.number() if shared == 15 else 0
            more += block.number() if more == 15 else 0
            key = key[:shared] + block.take(more)
            assert i > 0 or key == first
            yield key, block.value() if length % 2 else block.take(footer["width"])


def rotate(word, block):
    return (word << 16 * block | word >> 64 - 16 * block) & 0xFFFFFFFFFFFFFFFF if block else word


def check_tables(data, footer, own):
    """The tables have the words of the documents: by block, in order, with the numbers of the records."""
    documents = [(i, value) for i, (key, value) in enumerate(own) if key[:1] == b"d" and value is not None]
    assert len(documents) == footer["documents"] and len(own) == footer["records"]
    for word, tables in enumerate(footer["tables"]):
        words = [(struct.unpack_from(">Q", value, 8 * word)[0], i) for i, value in documents]
        for block, table in enumerate(tables):
            count = len(words)
            bits = max(0, min(16, max(1, count).bit_length() - 1 - 8))
            directory = struct.unpack("<%dI" % (2**bits + 1), section(data, table["directory"]))
            low = struct.unpack("<%dI" % count, section(data, table["low"]))
            middle = struct.unpack("<%dH" % count, section(data, table["middle"]))
            first = struct.unpack("<%dH" % count, section(data, table["block"]))
            found = [first[i] << 48 | middle[i] << 32 | low[i] for i in range(count)]
            assert found == sorted(rotate(value, block) for value, _ in words)
            for bucket in range(2**bits):
                assert all(value >> 64 - bits == bucket for value in found[directory[bucket] : directory[bucket + 1]] if bits)
            assert directory[2**bits] == count
            if block == 0:
                numbers = struct.unpack("<%dI" % count, section(data, table["ordinals"]))
                assert sorted(zip(found, numbers)) == sorted(words)


def segment(folder, note):
    data = read(folder, note["name"])
    assert data[:16] == data[-16:] == b"simhash-doc seg\n"
    length, checksum = struct.unpack("<II", data[-24:-16])
    text = data[-24 - length : -24]
    assert zlib.crc32(text) == checksum
    copy = len(data) - (length + 24) - PAGE
    assert data[copy - length - 24 : copy] == data[-24 - length :]
    assert checksum == note["checksum"]
    footer = json.loads(text)
    own = list(records(data, footer))
    check_tables(data, footer, own)
    return own


def log(folder, name, sound, checksum):
    octets, changes = Octets(read(folder, name)), []
    assert zlib.crc32(octets.octets[:sound]) == checksum
    while octets.at < len(octets.octets):
        flags, checksum = struct.unpack("<II", octets.take(8))
        length = flags & 0x7FFFFFFF
        frame = octets.take(length)
        assert zlib.crc32(frame) == checksum
        frame = Octets(frame)
        count = frame.number()
        while frame.at < length:
            key = frame.take(frame.number())
            changes.append((key, frame.value(), count))
        if flags == length:
            yield from changes
            changes = []


def main(folder, query=None, k="3"):
    root = manifest(folder)
    assert root["layout"] == 5
    found, count = {}, root["count"]
    for note in root["segments"]:
        found.update(segment(folder, note))
    for key, value, count in log(folder, root["log"], root["sound"], root["logChecksum"]):
        found[key] = value
    entries = {key[1:]: value for key, value in sorted(found.items()) if key[:1] == b"d" and value is not None}
    assert len(entries) == count
    if query is None:
        for identifier, fingerprint in entries.items():
            print(json.dumps({"id": identifier.decode("utf-8"), "fingerprint": fingerprint.hex()}))
        return
    near = []
    for identifier, fingerprint in entries.items():
        pairs = zip(*(struct.unpack(">%dQ" % (len(each) // 8), each) for each in (fingerprint, bytes.fromhex(query))))
        distances = [bin(a ^ b).count("1") for a, b in pairs]
        if min(distances) <= int(k):
            near.append((sum(distances), identifier))
    for _, identifier in sorted(near):
        print(json.dumps(identifier.decode("utf-8")))


main(*sys.argv[1:])
