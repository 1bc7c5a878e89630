# SPDX-License-Identifier: MIT
from collections.abc import Iterable
from typing import Any, Final, Literal, SupportsIndex, TypeAlias, final

from typing_extensions import Self, disjoint_base

__all__ = [
    "DEFAULT_DISTANCE",
    "LABELS",
    "UNICODE_VERSION",
    "Chunk",
    "Fingerprint",
    "Fingerprinter",
    "MemoryIndex",
    "SimhashDocError",
    "compare_values",
    "count_tokens",
    "dedupe_texts",
    "distance",
    "find_matches",
    "fingerprint",
    "fingerprint_chunks",
    "fingerprint_words",
    "fingerprints",
    "token_chunks",
]

_Bytes: TypeAlias = bytes | bytearray | memoryview

LABELS: Final[tuple[str, ...]]
"""The registered labels."""

DEFAULT_DISTANCE: Final[int]
"""The distance to filter by where none is given: 3 bits (CMP-7)."""

UNICODE_VERSION: Final[tuple[int, int, int]]
"""The version of the Unicode data of normalisation (step 3)."""

class SimhashDocError(ValueError):
    """A value that an operation refuses. A TypeError of this package has the same attribute, `wrong-type`."""

    code: Literal["out-of-range", "invalid-fingerprint", "invalid-label", "label-mismatch", "no-fingerprint"]

@final
class Fingerprint:
    """64 or 256 bits with their label. It can be compared, hashed, ordered and pickled.

    `str` is the labelled form, `bytes` are 8 or 32 in network byte order, `int` is their number.
    """

    @staticmethod
    def parse(text: str) -> Fingerprint:
        """Reads the labelled form, such as "minhash-doc:EZEFOEQ2U2YJ6" (LAB-4)."""

    @staticmethod
    def from_bare(text: str, label: str) -> Fingerprint:
        """Reads the bare form: 13 or 52 characters of base32, in any case (SER-2)."""

    @staticmethod
    def from_hex(text: str, label: str) -> Fingerprint:
        """Reads 16 or 64 hexadecimal digits (SER-6)."""

    @staticmethod
    def from_bytes(data: _Bytes, label: str) -> Fingerprint:
        """Reads 8 or 32 bytes in network byte order."""

    @staticmethod
    def from_int(number: SupportsIndex, label: str) -> Fingerprint:
        """Reads a number of 64 or 256 bits, such as an item of `fingerprint_array`."""

    @property
    def label(self) -> str: ...
    @property
    def bare(self) -> str:
        """The 13 or 52 characters without the label (SER-1)."""

    @property
    def hex(self) -> str:
        """16 or 64 hexadecimal digits (SER-6)."""

    def truncate(self) -> Fingerprint:
        """The fingerprint of the same document under minhash-doc, of one under minhash-doc-256 (MIN-8)."""

    def __bytes__(self) -> bytes: ...
    def __int__(self) -> int: ...
    def __format__(self, spec: str, /) -> str: ...
    def __hash__(self) -> int: ...
    def __lt__(self, other: Fingerprint, /) -> bool: ...
    def __le__(self, other: Fingerprint, /) -> bool: ...
    def __gt__(self, other: Fingerprint, /) -> bool: ...
    def __ge__(self, other: Fingerprint, /) -> bool: ...

@final
class Fingerprinter:
    """The fingerprint of a document that comes in parts, in memory bounded by its longest passage without white space.

    Two threads that call one at the same time get a RuntimeError. After an exception, begin again with another one.
    """

    def __new__(cls, label: str = "simhash-doc") -> Fingerprinter: ...
    @property
    def label(self) -> str: ...
    def update(self, part: str | _Bytes) -> Fingerprinter:
        """Takes the next part, cut anywhere, and returns the fingerprinter. All parts are str, or all are bytes."""

    def digest(self) -> Fingerprint | None:
        """The fingerprint of all parts so far, or None if they have no tokens. More parts may follow."""

    def copy(self) -> Fingerprinter:
        """A fingerprinter of the same parts, to which others can be added."""

def fingerprint(text: str | _Bytes, label: str = "simhash-doc") -> Fingerprint | None:
    """Computes the fingerprint of a document (steps 1 to 9), or None if it has no tokens (SIM-1, MIN-6).

    text: a str, or bytes in UTF-8. Lone surrogates and ill-formed UTF-8 are read as U+FFFD (DEC-2, DEC-4).
    label: one of LABELS, in any case.

    Raises TypeError for another type, and SimhashDocError for an unknown label.
    """

def fingerprints(
    texts: Iterable[str | _Bytes | None], label: str = "simhash-doc", threads: int | None = None
) -> list[Fingerprint | None]:
    """Computes the fingerprints of many documents in several threads, without the lock of the interpreter.

    texts: all are read before the first is computed. None, NaN and pandas.NA have no fingerprint.
    label: one of LABELS, in any case.
    threads: how many to use at most; one for each processor if None.

    Raises TypeError for an item of another type, and SimhashDocError for an unknown label or a number below 1.
    """

def distance(a: Fingerprint | str | _Bytes | SupportsIndex | Iterable[int], b: Fingerprint | str | _Bytes | SupportsIndex | Iterable[int]) -> int:
    """Counts the bits in which two fingerprints differ (CMP-3).

    a, b: both with a label, as for compare; or both without, as 8 or 32 bytes, a row of fingerprint_array or a list of them,
    or an int of up to 256 bits.

    Raises SimhashDocError if one is malformed or None, or if they have different labels or lengths.
    """

@final
class Chunk:
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...

def compare_values(
    a: Any, b: Any
) -> tuple[int, float, Literal["close", "loose", "none"]]: ...
def fingerprint_words(texts: Iterable[Any], label: str, threads: int | None) -> tuple[bytearray, bytearray]: ...
def fingerprint_chunks(column: Any, label: str, threads: int | None) -> list[Chunk]: ...
def count_tokens(
    text: str | _Bytes, label: str
) -> tuple[Fingerprint | None, dict[int, int], list[int]]: ...
def token_chunks(column: Any, label: str, threads: int | None) -> list[Chunk]: ...

def dedupe_texts(
    texts: Any, against: Any, settings: dict[str, Any]
) -> tuple[list[int], tuple[list[int], list[int], list[int], list[float | None]], tuple[list[int], list[str]]]: ...
def find_matches(
    texts: Any, in_groups: bool, settings: dict[str, Any]
) -> list[tuple[int, int, int, float | None, list[str]]]: ...

@disjoint_base
class MemoryIndex:
    """Entries in memory; `simhash_doc.Index` adds files."""

    def __new__(cls, label: str = "simhash-doc") -> Self: ...
    @property
    def label(self) -> str:
        """The label of all entries."""

    def add(self, id: str, fingerprint: Fingerprint | str) -> bool:
        """Adds an entry, or replaces the one with the same id. Returns whether it is new."""

    def remove(self, id: str) -> bool:
        """Removes an entry. Returns whether there was one."""

    def matches(self, fingerprint: Fingerprint | str, k: int, limit: int | None) -> list[tuple[str, int, Fingerprint]]: ...
    def items(self) -> list[tuple[str, Fingerprint]]:
        """The entries, in the order of the bytes of their ids."""

    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __getitem__(self, key: str, /) -> Fingerprint: ...
