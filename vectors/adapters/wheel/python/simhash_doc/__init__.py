# SPDX-License-Identifier: MIT
"""Similarity fingerprints of documents: simhash-doc and minhash-doc, the same bits in every language."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ._native import (
    DEFAULT_DISTANCE,
    LABELS,
    UNICODE_VERSION,
    Comparison,
    Fingerprint,
    Fingerprinter,
    SimhashDocError,
    compare,
    distance,
    fingerprint,
    fingerprints,
)
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

    array: str or bytes (UTF-8), of any shape and as any dtype; None and NaN are documents without a fingerprint.
    label: one of LABELS, in any case.
    threads: how many to use at most; one for each processor if None.

    Returns a masked array: uint64 of the same shape, or under minhash-doc-256 uint8 with a last axis of 32 bytes in
    network byte order. Documents without a fingerprint are masked.

    Raises TypeError for an item of another type, and SimhashDocError for an unknown label.
    """
    import numpy

    texts = numpy.asarray(array)
    if texts.dtype.kind not in "OSUT":
        texts = texts.astype(object)
    # NaN, which pandas writes for a missing string, is not equal to itself.
    items = [None if isinstance(item, float) and item != item else item for item in texts.ravel().tolist()]
    words, missing = _fingerprint_words(items, label, threads)
    mask = numpy.frombuffer(missing, bool).reshape(texts.shape)
    if label.lower() != "minhash-doc-256":
        return numpy.ma.MaskedArray(numpy.frombuffer(words, numpy.uint64).reshape(texts.shape), mask)
    shape = (*texts.shape, 32)
    return numpy.ma.MaskedArray(
        numpy.frombuffer(words, numpy.uint8).reshape(shape), numpy.broadcast_to(mask[..., None], shape)
    )
