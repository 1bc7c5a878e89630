# SPDX-License-Identifier: MIT
from collections.abc import Iterable
from typing import Any, Final, Literal, SupportsIndex, final

__all__ = [
    "DEFAULT_DISTANCE",
    "LABELS",
    "UNICODE_VERSION",
    "Chunk",
    "Comparison",
    "Fingerprint",
    "Fingerprinter",
    "SimhashDocError",
    "compare",
    "distance",
    "fingerprint",
    "fingerprint_chunks",
    "fingerprint_words",
    "fingerprints",
]

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
    def from_bytes(data: bytes, label: str) -> Fingerprint:
        """Reads 8 or 32 bytes in network byte order."""

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
    def __hash__(self) -> int: ...
    def __lt__(self, other: Fingerprint, /) -> bool: ...
    def __le__(self, other: Fingerprint, /) -> bool: ...
    def __gt__(self, other: Fingerprint, /) -> bool: ...
    def __ge__(self, other: Fingerprint, /) -> bool: ...

@final
class Comparison:
    """The answer of `compare`."""

    @property
    def distance(self) -> int:
        """The number of bits that differ (CMP-3)."""

    @property
    def similarity(self) -> float:
        """1.0 for no bit that differs, 0.0 for all (CMP-4)."""

    @property
    def verdict(self) -> Literal["close", "loose", "none"]:
        """close: at most 1 bit of 64, or 5 of 256; loose: at most 6, or 25 (CMP-5, CMP-6)."""

@final
class Fingerprinter:
    """The fingerprint of a document that comes in parts, in memory bounded by its longest passage without white space."""

    def __new__(cls, label: str = "simhash-doc") -> Fingerprinter: ...
    @property
    def label(self) -> str: ...
    def update(self, part: str | bytes | bytearray) -> Fingerprinter:
        """Takes the next part, cut anywhere, and returns the fingerprinter. All parts are str, or all are bytes."""

    def digest(self) -> Fingerprint | None:
        """The fingerprint of all parts so far, or None if they have no tokens. More parts may follow."""

def fingerprint(text: str | bytes | bytearray, label: str = "simhash-doc") -> Fingerprint | None:
    """Computes the fingerprint of a document (steps 1 to 9), or None if it has no tokens (SIM-1, MIN-6).

    text: a str, or bytes in UTF-8. Lone surrogates and ill-formed UTF-8 are read as U+FFFD (DEC-2, DEC-4).
    label: one of LABELS, in any case.

    Raises TypeError for another type, and SimhashDocError for an unknown label.
    """

def fingerprints(
    texts: Iterable[str | bytes | bytearray | None], label: str = "simhash-doc", threads: int | None = None
) -> list[Fingerprint | None]:
    """Computes the fingerprints of many documents in several threads, without the lock of the interpreter.

    texts: all are read before the first is computed; None is a document without a fingerprint.
    label: one of LABELS, in any case.
    threads: how many to use at most; one for each processor if None.

    Raises TypeError for an item of another type, and SimhashDocError for an unknown label or a number below 1.
    """

def compare(a: Fingerprint | str, b: Fingerprint | str) -> Comparison:
    """Compares two fingerprints of one label, each as an object or in its labelled form (step 10).

    Raises SimhashDocError if one is malformed or None, or if their labels differ.
    """

def distance(a: Fingerprint | str | bytes | SupportsIndex, b: Fingerprint | str | bytes | SupportsIndex) -> int:
    """Counts the bits in which two fingerprints differ (CMP-3).

    a, b: both with a label, as for compare; or both without, as 8 or 32 bytes, or an int of 64 bits.

    Raises SimhashDocError if one is malformed or None, or if they have different labels or lengths.
    """

@final
class Chunk:
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...

def fingerprint_words(texts: Iterable[Any], label: str, threads: int | None) -> tuple[bytearray, bytearray]: ...
def fingerprint_chunks(column: Any, label: str, threads: int | None) -> list[Chunk]: ...
