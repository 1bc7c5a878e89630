# SPDX-License-Identifier: MIT
"""Near-duplicates among rows of any kind."""

from __future__ import annotations

import pickle
import tempfile
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from ._native import dedupe_texts as _dedupe_texts
from ._native import find_matches as _find_matches

T = TypeVar("T")

_Found = tuple[list[int], tuple[list[int], list[int], list[int], list[float | None]], tuple[list[int], list[str]]]

Text = str | Callable[[Any], Any] | None

_MAX_HELD = 1 << 28
"""The characters and octets of the texts of an iterator that are held in memory; more are in temporary files."""

_BATCH = 64
"""So many rows of an iterator are read together."""


class Match(NamedTuple):
    """A row that matches one that is kept. Rows are numbered from 0."""

    row: int
    """The row."""

    kept: int
    """The row that is kept in its place; of `against` if that was given."""

    distance: int
    """The number of bits in which the fingerprints of `minhash-doc-256` differ, 0 to 256."""

    overlap: float | None
    """The share of common words, 0 to 1 (VER-1); None with verify=False."""

    differs: tuple[str, ...] = ()
    """What differs besides the words, if that was asked for: numbers, locators, characters, order."""


class Deduplicated(Generic[T]):
    """The answer of `dedupe`."""

    def __init__(self, rows: _Rows, found: _Found) -> None:
        self._rows = rows
        self.kept: list[int] = found[0]
        """The numbers of the rows that are kept."""
        self._removed = found[1]
        self.different: dict[int, Literal["title", "numbers", "words"]] = dict(zip(*found[2]))  # type: ignore[arg-type]
        """Rows that are kept although most of their words are in a row that is kept before, and why (VER-5)."""

    @cached_property
    def removed(self) -> list[Match]:
        """The rows that are removed, each with the one that is kept in its place."""
        return list(map(Match, *self._removed))

    @property
    def rows(self) -> T:
        """The rows that are kept, in the type of the rows that were given. For an iterator, a list, or a sequence that reads one
        row after the other from a file if their texts have more than 256 MB."""
        return self._rows.take(self.kept)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<Deduplicated: {len(self.kept)} rows kept, {len(self._removed[0])} removed>"


class Group(Generic[T]):
    """A row to keep, and those that match it."""

    def __init__(self, rows: _Rows, kept: int, members: list[Match]) -> None:
        self._rows = rows
        self.kept: int = kept
        """The number of the row to keep."""
        self.members: list[Match] = members
        """The others. Those that differ in something are not duplicates."""

    @property
    def rows(self) -> T:
        """All rows of the group, the one to keep first, as `Deduplicated.rows`."""
        return self._rows.take([self.kept, *(match.row for match in self.members)])  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<Group: row {self.kept} and {len(self.members)} that match it>"


class _Rows:
    """Rows of any kind: their texts, and how some of them are taken."""

    def __init__(self, rows: Any, text: Text) -> None:
        module = type(rows).__module__.partition(".")[0]
        name = type(rows).__name__
        self.is_frame = name in ("DataFrame", "Table", "RecordBatch", "Dataset") and hasattr(rows, "__getitem__")
        self.is_column = not self.is_frame and module in ("pandas", "polars", "pyarrow", "numpy")
        if self.is_frame:
            if text is None:
                raise TypeError(f"text: expected the name of the column with the texts of a {module} {name}, got None")
            column = rows[text] if isinstance(text, str) else text(rows)
            self.rows, self.texts = rows, _arrow_or_list(column)
        elif self.is_column:
            self.rows, self.texts = rows, _arrow_or_list(rows)
        else:
            if isinstance(rows, (str, bytes)):
                raise TypeError(f"rows: expected rows that can be iterated over, got {name}")
            if isinstance(rows, (list, tuple)):
                self.rows, self.texts = rows, rows if text is None else list(_texts(rows, text))
            else:
                self.rows = _Store()
                self.texts = self.rows.read(iter(rows), text)

    def take(self, places: list[int]) -> Any:
        rows = self.rows
        if isinstance(rows, _Store):
            return rows.take(places)
        if hasattr(rows, "iloc"):
            return rows.iloc[places]
        if hasattr(rows, "select") and hasattr(rows, "map"):  # datasets.Dataset
            return rows.select(places)
        if hasattr(rows, "take") and self.is_frame | self.is_column:  # PyArrow, NumPy
            return rows.take(places)
        if self.is_frame | self.is_column:  # Polars
            return rows[places]
        taken = [rows[place] for place in places]
        return tuple(taken) if isinstance(rows, tuple) else taken


class _Store:
    """The rows of an iterator: in memory, or in a file if their texts are large."""

    def __init__(self) -> None:
        self._held: list[Any] = []
        self._size = 0
        self._file: Any = None
        self._ends = array("Q", [0])

    def read(self, rows: Iterator[Any], text: Text) -> Iterator[Any]:
        """Reads all rows, and passes their texts on."""
        number = 0
        while batch := list(islice(rows, _BATCH)):
            texts = batch if text is None else list(_texts(batch, text, number))
            number += len(batch)
            self._held += batch
            self._size += sum(len(text) for text in texts if isinstance(text, (str, bytes)))
            if self._size > _MAX_HELD:
                self._write()
            yield from texts

    def _write(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="simhash-doc-")
            weakref.finalize(self, self._file.close)
        for row in self._held:
            octets = pickle.dumps(row, pickle.HIGHEST_PROTOCOL)
            self._file.write(octets)
            self._ends.append(self._ends[-1] + len(octets))
        self._held.clear()

    def __getitem__(self, place: int) -> Any:
        if self._file is None:
            return self._held[place]
        start, end = self._ends[place : place + 2]
        self._file.seek(start)
        return pickle.loads(self._file.read(end - start))

    def take(self, places: list[int]) -> Sequence[Any]:
        taken = _Taken(self, places)
        return list(taken) if self._file is None else taken


class _Taken(Sequence[Any]):
    """Rows that are read from a file one after the other."""

    def __init__(self, store: _Store, places: list[int]) -> None:
        self._store, self._places = store, places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, number: Any) -> Any:
        places = self._places[number]
        return _Taken(self._store, places) if isinstance(places, list) else self._store[places]


def _texts(rows: Iterable[Any], text: str | Callable[[Any], Any], first: int = 0) -> Iterator[Any]:
    for number, row in enumerate(rows, first):
        try:
            yield row[text] if isinstance(text, str) else text(row)
        except (KeyError, IndexError, TypeError) as error:
            raise type(error)(f"rows[{number}]: expected a row with the text {text!r}, got {type(row).__name__}") from error


def _arrow_or_list(column: Any) -> Any:
    if hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__"):
        # A column of objects of pandas may hold what Arrow has no type for.
        if str(getattr(column, "dtype", "")) != "object":
            return column
    return column.tolist() if hasattr(column, "tolist") else list(column)


def dedupe(
    rows: T,
    text: Text = None,
    *,
    against: Any = None,
    verify: bool = True,
    min_overlap: float = 0.8,
    ignore_numbers: bool = False,
    keep: Literal["first", "longest"] = "first",
    threads: int | None = None,
) -> Deduplicated[T]:
    """Leaves out near-duplicates: a row is removed if its words overlap enough with those of one that is kept before (VER-1),
    and the two are not different in numbers, first lines or short texts (VER-5).

    The same rows are removed as by the command `simhash-doc dedupe`. The lock of the interpreter is released.

    rows: a list, tuple or iterator of texts or of rows; a frame of pandas or polars; a table or an array of Arrow; a Dataset
        of Hugging Face; an array of NumPy. Rows of an iterator whose texts have more than 256 MB are held in temporary files, for
        which they are pickled (their folder: TMPDIR); then memory grows by some 400 octets for each row.
    text: the name of the field or column with the text, or a function that returns it for a row (for a frame: the column).
        A row without text (None) is kept.
    against: other rows, of a form as `rows`: then only rows that match one of these are removed.
    verify: False to compare fingerprints alone (a distance of at most 25 of 256): then texts are not compared.
    min_overlap: the smallest share of common words, 0 to 1.
    ignore_numbers: True to remove also texts that are different by VER-5.
    keep: the row to keep of several that match; "longest" is the one with the most words.
    threads: how many to use at most; one for each processor if None.

    Raises TypeError for rows or texts of another type, KeyError for a missing field, and SimhashDocError for another value.
    """
    found = _Rows(rows, text)
    others = None if against is None else _references(against, text)
    settings = _settings(min_overlap, ignore_numbers, keep, verify, threads)
    return Deduplicated(found, _dedupe_texts(found.texts, others, settings))


def _references(rows: Any, text: Text) -> Any:
    """The texts of rows to compare with, which may also be texts alone."""

    def is_text(row: Any) -> bool:
        return row is None or isinstance(row, (str, bytes))

    if not hasattr(rows, "__getitem__"):
        return (row if text is None or is_text(row) else next(_texts([row], text, at)) for at, row in enumerate(rows))
    are_texts = isinstance(rows, (list, tuple)) and all(map(is_text, rows))
    return _Rows(rows, None if are_texts else text).texts


def _settings(min_overlap: float, ignore_numbers: bool, keep: str, verify: bool, threads: int | None) -> dict[str, Any]:
    return {
        "min_overlap": min_overlap,
        "ignore_numbers": ignore_numbers,
        "keep": keep,
        "verify": verify,
        "threads": threads,
        "max_held": _MAX_HELD,
    }


def find_duplicates(
    rows: T,
    text: Text = None,
    *,
    verify: bool = True,
    min_overlap: float = 0.8,
    ignore_numbers: bool = False,
    threads: int | None = None,
) -> list[Group[T]]:
    """Finds groups of near-duplicates: each has one row to keep, the first one, and all others match that one.

    rows, text, verify, min_overlap, threads: as those of `dedupe`.
    ignore_numbers: True if rows that differ in numbers, locators or other characters are duplicates.

    Raises as `dedupe`.
    """
    found = _Rows(rows, text)
    groups: dict[int, list[Match]] = {}
    settings = _settings(min_overlap, ignore_numbers, "first", verify, threads)
    for kept, other, distance, overlap, differs in _find_matches(found.texts, True, settings):
        groups.setdefault(kept, []).append(Match(other, kept, distance, overlap, tuple(differs)))
    return [Group(found, kept, members) for kept, members in groups.items()]


def find_pairs(
    rows: Any,
    text: Text = None,
    *,
    verify: bool = True,
    min_overlap: float = 0.8,
    threads: int | None = None,
) -> list[Match]:
    """Finds pairs of near-duplicates. Only the first of several rows with the same words is compared with others.

    rows, text, verify, min_overlap, threads: as those of `dedupe`.

    Raises as `dedupe`.
    """
    settings = _settings(min_overlap, False, "first", verify, threads)
    found = _find_matches(_Rows(rows, text).texts, False, settings)
    return [Match(other, kept, distance, overlap, tuple(differs)) for kept, other, distance, overlap, differs in found]
