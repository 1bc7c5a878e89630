# SPDX-License-Identifier: MIT
"""Similarity fingerprints of documents: simhash-doc and minhash-doc, the same bits in every language."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import Any, Literal, NamedTuple

from ._duplicates import Deduplicated, Group, Match, dedupe, find_duplicates, find_pairs
from ._index import Index, IndexMatch
from ._native import (
    DEFAULT_DISTANCE,
    LABELS,
    UNICODE_VERSION,
    Fingerprint,
    Fingerprinter,
    SimhashDocError,
    distance,
    fingerprint,
    fingerprints,
)
from ._native import compare_values as _compare_values
from ._native import count_tokens as _count_tokens
from ._native import fingerprint_chunks as _fingerprint_chunks
from ._native import fingerprint_words as _fingerprint_words
from ._native import token_chunks as _token_chunks

__version__ = "0.1.0"

__all__ = [
    "DEFAULT_DISTANCE",
    "LABELS",
    "UNICODE_VERSION",
    "Comparison",
    "Deduplicated",
    "Fingerprint",
    "Fingerprinter",
    "Group",
    "Index",
    "IndexMatch",
    "Match",
    "Residue",
    "SimhashDocError",
    "Tokens",
    "compare",
    "dedupe",
    "distance",
    "find_duplicates",
    "find_pairs",
    "fingerprint",
    "fingerprint_array",
    "fingerprint_column",
    "fingerprints",
    "token_column",
    "tokens",
]


class Comparison(NamedTuple):
    """The answer of `compare`."""

    distance: int
    """The number of bits that differ (CMP-3)."""

    similarity: float
    """1.0 for no bit that differs, 0.0 for all (CMP-4)."""

    verdict: Literal["close", "loose", "none"]
    """close: at most 1 bit of 64, or 5 of 256; loose: at most 6, or 25 (CMP-5, CMP-6)."""


def compare(a: Any, b: Any) -> Comparison:
    """Compares two fingerprints of one label (step 10).

    a, b: both as an object or in the labelled form; or both without a label, as for distance.

    Raises SimhashDocError if one is malformed or None, or if their labels differ.
    """
    return Comparison(*_compare_values(a, b))


def fingerprint_column(column: Any, label: str = "simhash-doc", threads: int | None = None) -> Any:
    """Computes the fingerprints of a column of Arrow.

    column: strings or binary (UTF-8), plain or in a dictionary, of any library with the Arrow PyCapsule interface, or a list.
    label: one of LABELS, in any case.
    threads: how many to use at most; one for each processor if None.

    Returns a column of 8 or 32 bytes in network byte order (FixedSizeBinary): a Series for a Series of Polars, an Array
    for an Array of PyArrow, and otherwise a ChunkedArray of PyArrow. A document without a fingerprint, and null, is null.

    Raises TypeError for another column, and SimhashDocError for an unknown label.
    """
    if isinstance(column, (list, tuple)):
        column = import_module("pyarrow").array(column)
    return _like(column, _fingerprint_chunks(column, label, threads))


def _like(column: Any, chunks: list[Any]) -> Any:
    """Gives one or more arrays the form of a column."""
    if type(column).__module__.partition(".")[0] == "polars":
        import polars

        return polars.concat([polars.Series(chunk) for chunk in chunks]).alias(column.name)
    pyarrow: Any = import_module("pyarrow")
    arrays = [pyarrow.array(chunk) for chunk in chunks]
    return arrays[0] if isinstance(column, pyarrow.Array) else pyarrow.chunked_array(arrays)


def fingerprint_array(array: Any, label: str = "simhash-doc", threads: int | None = None) -> Any:
    """Computes the fingerprints of an array of NumPy, or of what NumPy makes an array of.

    array: str or bytes (UTF-8), of any shape and as any dtype. What is None, NaN, pandas.NA or masked has no fingerprint.
    label: one of LABELS, in any case.
    threads: how many to use at most; one for each processor if None.

    Returns a masked array: uint64 of the same shape, or under minhash-doc-256 uint8 with a last axis of 32 bytes in
    network byte order. Documents without a fingerprint are masked.

    Raises TypeError for an item of another type, and SimhashDocError for an unknown label.
    """
    import numpy

    texts = numpy.asarray(array)
    if texts.dtype.kind not in "OSUT" or isinstance(array, numpy.ma.MaskedArray):
        texts = texts.astype(object)
        texts[numpy.ma.getmaskarray(array)] = None
    words, missing = _fingerprint_words(texts.ravel().tolist(), label, threads)
    mask = numpy.frombuffer(missing, bool).reshape(texts.shape)
    if label.lower() != "minhash-doc-256":
        return numpy.ma.MaskedArray(numpy.frombuffer(words, numpy.uint64).reshape(texts.shape), mask)
    data = numpy.frombuffer(words, numpy.uint8).reshape(*texts.shape, 32)
    return numpy.ma.MaskedArray(data, numpy.repeat(mask[..., None], 32, -1))


class Residue(NamedTuple):
    """Digests of 64 bits of what the tokens of a document leave out. Equal parts have equal digests."""

    numbers: int
    """The numbers in their order, also those within tokens."""

    locators: int
    """The locators in their order (step 4)."""

    characters: int
    """Other characters in their order, except spaces, quotation marks, bullets, and dashes that are not operators."""

    character_counts: int
    """The same in any order."""

    letters: int
    """The tokens in their order, in lower case."""

    capitals: int
    """The tokens that have upper case, with their places."""


class Tokens(NamedTuple):
    """The tokens of a document, to be compared with those of another (spec/verification.md)."""

    fingerprint: Fingerprint | None
    """The fingerprint, or None without tokens."""

    counts: Counter[int]
    """How often each token occurs, by its hash (step 7)."""

    residue: Residue
    """What the tokens leave out."""


def tokens(text: str | bytes | bytearray | memoryview, label: str = "simhash-doc") -> Tokens:
    """Counts the tokens of a document. The overlap of two is (a.counts & b.counts).total() / (a.counts | b.counts).total().

    text: a str, or bytes in UTF-8.
    label: the one whose tokens are counted; all but simhash-doc have pairs of characters in scripts without spaces.

    Raises TypeError for another type, and SimhashDocError for an unknown label.
    """
    found, counts, residue = _count_tokens(text, label)
    return Tokens(found, Counter(counts), Residue(*residue))


def token_column(column: Any, label: str = "simhash-doc", threads: int | None = None) -> Any:
    """Counts the tokens of the documents of a column of Arrow, as `tokens` does.

    column, label, threads: as those of `fingerprint_column`.

    Returns a column of the same form of structures: `fingerprint`, `hashes` and `counts`, lists of the same length with the
    hashes in ascending order, and `residue`, a structure with the fields of Residue. Numbers of 64 bits are signed ones of the
    same bits, since databases have no others. All fields are null where the text is.

    Raises TypeError for another column, and SimhashDocError for an unknown label.
    """
    return _like(column, _token_chunks(column, label, threads))
