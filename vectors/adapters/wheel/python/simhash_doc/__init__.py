# SPDX-License-Identifier: MIT
"""Similarity fingerprints of documents: simhash-doc and minhash-doc, the same bits in every language."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal, NamedTuple

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
from ._native import fingerprint_chunks as _fingerprint_chunks
from ._native import fingerprint_words as _fingerprint_words

__version__ = "0.1.0"

__all__ = [
    "DEFAULT_DISTANCE",
    "LABELS",
    "UNICODE_VERSION",
    "Comparison",
    "Fingerprint",
    "Fingerprinter",
    "SimhashDocError",
    "compare",
    "distance",
    "fingerprint",
    "fingerprint_array",
    "fingerprint_column",
    "fingerprints",
]


class Comparison(NamedTuple):
    """The answer of `compare`."""

    distance: int
    """The number of bits that differ (CMP-3)."""

    similarity: float
    """1.0 for no bit that differs, 0.0 for all (CMP-4)."""

    verdict: Literal["close", "loose", "none"]
    """close: at most 1 bit of 64, or 5 of 256; loose: at most 6, or 25 (CMP-5, CMP-6)."""


def compare(a: Fingerprint | str, b: Fingerprint | str) -> Comparison:
    """Compares two fingerprints of one label, each as an object or in its labelled form (step 10).

    Raises SimhashDocError if one is malformed or None, or if their labels differ.
    """
    return Comparison(*_compare_values(a, b))


def fingerprint_column(column: Any, label: str = "simhash-doc", threads: int | None = None) -> Any:
    """Computes the fingerprints of a column of Arrow.

    column: strings or binary (UTF-8), plain or in a dictionary, of any library with the Arrow PyCapsule interface.
    label: one of LABELS, in any case.
    threads: how many to use at most; one for each processor if None.

    Returns a column of 8 or 32 bytes in network byte order (FixedSizeBinary): a Series for a Series of Polars, an Array
    for an Array of PyArrow, and otherwise a ChunkedArray of PyArrow. A document without a fingerprint, and null, is null.

    Raises TypeError for another column, and SimhashDocError for an unknown label.
    """
    chunks = _fingerprint_chunks(column, label, threads)
    library = type(column).__module__.partition(".")[0]
    if library == "polars":
        import polars

        series = [polars.Series(chunk) for chunk in chunks]
        return (polars.concat(series) if series else polars.Series([], dtype=polars.Binary)).alias(column.name)
    pyarrow: Any = import_module("pyarrow")
    arrays = [pyarrow.array(chunk) for chunk in chunks]
    if isinstance(column, pyarrow.Array):
        return arrays[0]
    return pyarrow.chunked_array(arrays, pyarrow.binary(32 if label.lower() == "minhash-doc-256" else 8))


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
