# SPDX-License-Identifier: MIT
"""An index in memory, and the files that it reads and writes."""

from __future__ import annotations

import json
import os
from base64 import b64decode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from struct import error as StructError
from struct import unpack, unpack_from
from typing import Any, NamedTuple
from zlib import crc32

from ._native import DEFAULT_DISTANCE, Fingerprint, MemoryIndex

PAGE = 16384
ENDS = b"simhash-doc seg\n"

# The bits of the length of a frame; the other one says that the transaction goes on.
LENGTH = 0x7FFFFFFF

# Files that another process replaces are read again so often.
ROUNDS = 100


class IndexMatch(NamedTuple):
    """An entry that `Index.query` finds."""

    id: str
    """The id of the entry."""

    distance: int
    """The number of bits that differ, of all 64 or 256."""

    fingerprint: Fingerprint
    """The fingerprint of the entry."""


class Index(MemoryIndex):
    """Fingerprints of one label by their ids, in memory. Any number of threads can use it.

    `add(id, fingerprint)` adds an entry or replaces that of the id, and returns whether the id is new; `remove(id)` returns whether it was
    there. `index[id]`, `id in index`, `len(index)` and `items()` are as in a dict.

    >>> import simhash_doc
    >>> index = Index("minhash-doc-256")
    >>> index.add("a", simhash_doc.fingerprint("one page of text", "minhash-doc-256"))
    True
    >>> [match.id for match in index.query(simhash_doc.fingerprint("one page of text!", "minhash-doc-256"))]
    ['a']
    """

    def update(self, entries: Iterable[tuple[str, Fingerprint | str]]) -> int:
        """Adds pairs of an id and a fingerprint, or replaces the fingerprints of ids. Returns how many ids are new."""
        return sum(self.add(id, fingerprint) for id, fingerprint in entries)

    def query(self, fingerprint: Fingerprint | str, k: int = DEFAULT_DISTANCE, limit: int | None = None) -> list[IndexMatch]:
        """Finds all entries within a distance, the nearest first (LKP-1 to LKP-6, MIN-11).

        fingerprint: an object or its labelled form.
        k: 0 to 64 bits. Of minhash-doc-256, one of the four words has to be within k bits of the same word of the query.
        limit: the number of entries to return, the first ones. Default: all.

        Raises SimhashDocError for a value out of range or another label.
        """
        return [IndexMatch(*match) for match in self.matches(fingerprint, k, limit)]

    def __iter__(self) -> Iterator[str]:
        return (id for id, _ in self.items())

    def __repr__(self) -> str:
        return f"<Index of {self.label}: {len(self)} entries>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes JSON Lines, as `simhash-doc index export` prints them and `simhash-doc index import` reads them.

        A file of this name is replaced when the new one is complete.
        """
        target = Path(path)
        new = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            with open(new, "w", encoding="utf-8", newline="") as file:
                for id, fingerprint in self.items():
                    line = {"id": id, "label": self.label, "fingerprint": fingerprint.bare}
                    file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, target)
        except BaseException:
            new.unlink(missing_ok=True)
            raise

    @classmethod
    def load(cls, path: str | os.PathLike[str], label: str | None = None) -> Index:
        """Reads JSON Lines that `save` or `simhash-doc index export` wrote, or the folder of an index of `simhash-doc`.

        Of a folder (layout 5 of the specification), all checksums are checked. If another process writes to it, all that is
        read is from the same moment.

        label: the label that the index must have. A file without entries has no label: then it is needed.

        Raises ValueError if it is not an index, has another layout or label, or is damaged; OSError if it cannot be read.
        """
        place = Path(path)
        try:
            index = cls._of_folder(place) if place.is_dir() else cls._of_lines(place, label)
            if label is not None and index.label != cls(label).label:
                raise ValueError(f"expected the label {label}, found {index.label}")
            return index
        except (IndexError, KeyError, StructError, TypeError, ValueError) as error:
            raise ValueError(f"{place}: {error or type(error).__name__}") from error

    @classmethod
    def _of_lines(cls, path: Path, expected: str | None) -> Index:
        index: Index | None = None
        with open(path, encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, 1):
                entry = json.loads(line)
                label = entry["label"]
                index = index or cls(label)
                if not line.endswith("\n") or label != index.label:
                    raise ValueError(f"line {number}: expected a whole line of {index.label}")
                index.add(entry["id"], Fingerprint.from_bare(entry["fingerprint"], label))
        if index is not None:
            return index
        if expected is None:
            raise ValueError("has no entries, and so no label: expected the argument label")
        return cls(expected)

    @classmethod
    def _of_folder(cls, folder: Path) -> Index:
        seen: list[bytes] = []
        for _ in range(ROUNDS):
            read: list[bytes] = []
            try:
                return cls._of_files(folder, read)
            except (FileNotFoundError, IndexError, KeyError, StructError, ValueError) as error:
                # A writer may have replaced or added something meanwhile.
                failure = error
                if read == seen:
                    break
                seen = read
        if isinstance(failure, FileNotFoundError):
            raise ValueError(f"is damaged: {failure.filename} is missing")
        raise failure

    @classmethod
    def _of_files(cls, folder: Path, read: list[bytes]) -> Index:
        if not (folder / "manifest").exists():
            raise ValueError("is not an index: it has no manifest")
        read.append((folder / "manifest").read_bytes())
        root = _manifest(read[0])
        if root["layout"] != 5:
            raise ValueError(f"has layout {root['layout']}; this version reads 5")
        newest = root["next"]
        with suppress(OSError, ValueError):
            newest = _manifest((folder / "manifest.copy").read_bytes())["next"]
        _assert(newest <= root["next"], "the manifest is out of date: manifest.copy is newer")
        records: dict[bytes, bytes | None] = {}
        count = root["count"]
        for note in root["segments"]:
            records.update(_segment((folder / note["name"]).read_bytes(), note))
        read.append((folder / root["log"]).read_bytes())
        for key, value, count in _log(read[1], root["sound"], root["logChecksum"]):
            records[key] = value
        entries = {key[1:]: value for key, value in records.items() if key[:1] == b"d" and value is not None}
        _assert(len(entries) == count, f"expected {count} entries, found {len(entries)}")
        index = cls(root["label"])
        index.update((id.decode(), Fingerprint.from_bytes(value, index.label)) for id, value in entries.items())
        return index


def _manifest(data: bytes) -> Any:
    text, checksum, *rest = [*data.split(b"\n"), b""]
    _assert(rest == [b"", b""] and crc32(text) == int(checksum, 16), "the checksum of the manifest is wrong")
    return json.loads(text)


def _assert(is_right: bool, message: str) -> None:
    if not is_right:
        raise ValueError(f"is damaged: {message}")


class _Octets:
    """Reads octets one after another."""

    def __init__(self, octets: bytes) -> None:
        self.octets, self.at = octets, 0

    def take(self, length: int) -> bytes:
        _assert(self.at + length <= len(self.octets), "a record is cut")
        self.at += length
        return self.octets[self.at - length : self.at]

    def number(self) -> int:
        value = shift = 0
        while True:
            octet = self.take(1)[0]
            value |= (octet & 127) << shift
            shift += 7
            if octet < 128:
                return value

    def value(self) -> bytes | None:
        length = self.number()
        return self.take(length - 1) if length else None


def _section(data: bytes, place: dict[str, Any]) -> _Octets:
    octets = data[place["offset"] : place["offset"] + place["length"]]
    sums = unpack(f"<{-(-len(octets) // PAGE)}I", b64decode(place["checksums"]))
    _assert(all(crc32(octets[PAGE * i : PAGE * (i + 1)]) == sum for i, sum in enumerate(sums)), "a checksum of a segment is wrong")
    return _Octets(octets)


def _segment(data: bytes, note: dict[str, Any]) -> Iterator[tuple[bytes, bytes | None]]:
    """Yields the records of a segment."""
    _assert(data[:16] == data[-16:] == ENDS, "a segment is cut")
    length, checksum = unpack("<II", data[-24:-16])
    text = data[-24 - length : -24]
    _assert(crc32(text) == checksum == note["checksum"], "the checksum of a footer is wrong")
    footer = json.loads(text)
    index, blocks = (_section(data, footer["places"][name]) for name in ("index", "blocks"))
    while index.at < len(index.octets):
        _, count, size = index.take(index.number()), index.number(), index.number()
        block, key = _Octets(blocks.take(size // 2)), b""
        for _ in range(count):
            header = block.take(1)[0]
            shared, more = header >> 4, header & 15
            shared += block.number() if shared == 15 else 0
            more += block.number() if more == 15 else 0
            key = key[:shared] + block.take(more)
            yield key, block.value() if size % 2 else block.take(footer["width"])


def _frame(data: bytes, at: int) -> tuple[int, bool] | None:
    """The end of the frame of a log, and whether it is the last one of its transaction; None if it is unreadable."""
    if at + 8 > len(data):
        return None
    flags, checksum = unpack_from("<II", data, at)
    end = at + 8 + (flags & LENGTH)
    is_readable = at + 8 < end <= len(data) and crc32(data[at + 8 : end]) == checksum
    return (end, flags <= LENGTH) if is_readable else None


def _log(data: bytes, sound: int, expected: int) -> Iterator[tuple[bytes, bytes | None, int]]:
    """Yields the records of the transactions of a log, each with the number of entries after it."""
    _assert(len(data) >= sound and crc32(data[:sound]) == expected, "the checksum of the log is wrong")
    changes, at, committed = [], 0, 0
    while found := _frame(data, at):
        end, is_last = found
        frame = _Octets(data[at + 8 : end])
        count = frame.number()
        while frame.at < len(frame.octets):
            changes.append((frame.take(frame.number()), frame.value(), count))
        at = end
        if is_last:
            yield from changes
            changes, committed = [], at
    # What was not committed is unreadable, and no last frame follows it.
    is_followed = any(found[1] for start in range(at + 1, len(data)) if (found := _frame(data, start)))
    _assert(committed >= sound and not is_followed, f"the frame at byte {at} of the log is wrong")
