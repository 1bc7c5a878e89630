# SPDX-License-Identifier: MIT
"""Tests the package simhash_doc where the conformance suite does not reach: python3 self_test.py

It needs NumPy, PyArrow, Polars and pandas.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import itertools
import operator
import pickle
import random
import signal
import threading
import time
import unittest
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import numpy
import pandas
import polars
import pyarrow

import simhash_doc as sd

TEXTS = ["The quick brown fox", None, "", "\u6771\u4eac\u30bf\u30ef\u30fc\u3078\u884c\u304f", "1, 2, 3", "na\u00efve caf\u00e9 " * 500]


def expected(label: str, texts: list[str | None] = TEXTS) -> list[bytes | None]:
    found = [None if text is None else sd.fingerprint(text, label) for text in texts]
    return [None if each is None else bytes(each) for each in found]


class Texts(unittest.TestCase):
    def test_a_pair_of_surrogates_is_one_code_point(self) -> None:
        self.assertEqual(sd.fingerprint("a\ud835\udc00 b"), sd.fingerprint("a\U0001d400 b"))

    def test_a_lone_surrogate_is_a_replacement_character(self) -> None:
        for text in ["x\ud800y", "x\udc00\ud800y", "x\udfffy", "x\ud800\ud800\udc00y"]:
            units = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            self.assertIn("\ufffd", units)
            self.assertEqual(sd.fingerprint(text), sd.fingerprint(units))
            self.assertEqual(sd.fingerprints([text]), sd.fingerprints([units]))
            self.assertNotEqual(sd.fingerprint(text), sd.fingerprint(text.encode("ascii", "ignore")))

    def test_parts_may_be_cut_anywhere(self) -> None:
        for text in ["a\ud835\udc00 b", "x\ud800", "\ud800y", "cafe\u0301 http://example.org/x", *filter(None, TEXTS)]:
            for document in [text, text.encode("utf-8", "replace")]:
                for size in [1, 3, 1000]:
                    parts = sd.Fingerprinter("minhash-doc")
                    for start in range(0, len(document), size):
                        self.assertIs(parts.update(document[start : start + size]), parts)
                    self.assertEqual(parts.digest(), sd.fingerprint(document, "minhash-doc"), (document[:40], size))

    def test_parts_may_follow_a_digest(self) -> None:
        parts = sd.Fingerprinter().update("one two")
        self.assertEqual(parts.digest(), sd.fingerprint("one two"))
        self.assertEqual(parts.update(" three").digest(), sd.fingerprint("one two three"))

    def test_bytes_and_bytearray_are_utf_8(self) -> None:
        self.assertEqual(sd.fingerprint(b"\xef\xbb\xbfone \xff two"), sd.fingerprint("one \ufffd two"))
        for octets in [bytearray(b"one two"), memoryview(b"one two"), memoryview(b"-one two-")[1:-1]]:
            self.assertEqual(sd.fingerprint(octets), sd.fingerprint("one two"))

    def test_a_copy_of_a_fingerprinter_is_another_document(self) -> None:
        parts = sd.Fingerprinter().update("one \ud83d")
        other = parts.copy().update("\ude00 three")
        self.assertEqual(parts.update(" two").digest(), sd.fingerprint("one \ufffd two"))
        self.assertEqual(other.digest(), sd.fingerprint("one \U0001f600 three"))

    def test_large_texts_are_read_in_parts(self) -> None:
        for text in ["\ufeffna\u00efve caf\u00e9 " * 200_000, "\u6771\u4eac" * 600_000, "x" * 3_000_000]:
            parts = sd.Fingerprinter("minhash-doc")
            for start in range(0, len(text), 1000):
                parts.update(text[start : start + 1000])
            for document in [text, text.encode()]:
                self.assertEqual(sd.fingerprint(document, "minhash-doc"), parts.digest())
                self.assertEqual(sd.fingerprints([document], "minhash-doc"), [parts.digest()])


class Help(unittest.TestCase):
    def test_the_module_has_the_help_of_its_stubs(self) -> None:
        native = import_module("simhash_doc._native")
        stubs = Path(native.__file__ or "").with_name("_native.pyi").read_text()
        compared = 0
        for node in ast.parse(stubs).body:
            members = node.body if isinstance(node, ast.ClassDef) else []
            for each in [node, *members]:
                if isinstance(each, (ast.ClassDef, ast.FunctionDef)) and (text := ast.get_docstring(each)):
                    owner = native if each is node else getattr(native, getattr(node, "name"))
                    self.assertEqual(inspect.getdoc(getattr(owner, each.name)), text, each.name)
                    compared += 1
        self.assertGreater(compared, 15)


class Batches(unittest.TestCase):
    def test_any_number_of_threads_gives_the_same(self) -> None:
        random.seed(1)
        texts = [" ".join(random.choices("abcdefgh", k=random.randrange(200))) for _ in range(1000)]
        for label in sd.LABELS:
            one = [sd.fingerprint(text, label) for text in texts]
            for threads in [None, 1, 2, 7, 5000]:
                self.assertEqual(sd.fingerprints(iter(texts), label, threads), one)

    def test_other_threads_run_meanwhile(self) -> None:
        # Half a second of work at least; without the lock released, the other thread could not count.
        texts, count, done = ["word " * 2_000_000] * 10, 0, threading.Event()

        def work() -> None:
            sd.fingerprints(texts, threads=1)
            done.set()

        thread = threading.Thread(target=work)
        thread.start()
        while not done.wait(0.001):
            count += 1
        thread.join()
        self.assertGreater(count, 10)

    def test_an_interrupt_ends_the_work_soon(self) -> None:
        small, large = ["some words " * 100] * 100_000, "some words " * 10_000_000
        calls: list[Callable[[], object]] = [
            lambda: sd.fingerprints(small, threads=1),
            lambda: sd.fingerprints(["", large], threads=2),
            lambda: sd.fingerprint_column(pyarrow.array([large[:10_000_000]] * 10)),
            lambda: sd.fingerprint(large),
            lambda: sd.tokens(large[:20_000_000]),
            lambda: sd.Fingerprinter().update(large),
        ]

        def measure(call: Callable[[], object]) -> float:
            # The time of this process, whatever else runs.
            start = time.process_time()
            with contextlib.suppress(KeyboardInterrupt):
                call()
            return time.process_time() - start

        def interrupt(after: float) -> None:
            end = time.process_time() + after
            while time.process_time() < end:
                time.sleep(0.001)
            signal.raise_signal(signal.SIGINT)

        for number, call in enumerate(calls):
            whole = measure(call)
            thread = threading.Thread(target=interrupt, args=(whole / 10,))
            thread.start()
            self.assertLess(measure(call), whole / 2, f"call {number}")
            thread.join()

    def test_a_signal_ends_the_reading_of_an_iterator(self) -> None:
        texts = itertools.repeat(None, 50_000_000)

        def stop(*_: object) -> None:
            raise TimeoutError

        before = signal.signal(signal.SIGALRM, stop)
        try:
            with self.assertRaises(TimeoutError):
                signal.setitimer(signal.ITIMER_REAL, 0.001)
                sd.fingerprints(texts)
        finally:
            signal.signal(signal.SIGALRM, before)
        self.assertGreater(operator.length_hint(texts), 0)

    def test_arrow_columns_of_all_kinds(self) -> None:
        octets = [None if text is None else text.encode() for text in TEXTS]
        columns: list[Any] = [
            *(pyarrow.array(TEXTS, kind()) for kind in [pyarrow.string, pyarrow.large_string, pyarrow.string_view]),
            *(pyarrow.array(octets, kind()) for kind in [pyarrow.binary, pyarrow.large_binary, pyarrow.binary_view]),
            pyarrow.array(TEXTS).dictionary_encode(),
            pyarrow.array(["before", *TEXTS, "after"])[1:-1],
            pyarrow.chunked_array([TEXTS[:2], [], TEXTS[2:]]),
            pandas.Series(TEXTS),
            polars.Series("texts", TEXTS),
            polars.Series("texts", TEXTS, polars.Categorical),
            pyarrow.chunked_array([TEXTS[:2], TEXTS[2:]]).dictionary_encode(),
        ]
        for label in sd.LABELS:
            for column in columns:
                found = sd.fingerprint_column(column, label)
                values = found.to_list() if isinstance(found, polars.Series) else found.to_pylist()
                self.assertEqual(values, expected(label), (label, getattr(column, "type", type(column))))

    def test_a_column_comes_back_as_its_library_has_it(self) -> None:
        array = pyarrow.array(TEXTS)
        self.assertEqual(sd.fingerprint_column(array).type, pyarrow.binary(8))
        self.assertEqual(sd.fingerprint_column(array, "MinHash-Doc-256").type, pyarrow.binary(32))
        self.assertIsInstance(sd.fingerprint_column(array), pyarrow.Array)
        chunked = sd.fingerprint_column(pyarrow.chunked_array([TEXTS[:2], TEXTS[2:]]))
        self.assertEqual([len(chunk) for chunk in chunked.chunks], [2, len(TEXTS) - 2])
        empty = sd.fingerprint_column(pyarrow.chunked_array([], pyarrow.string()), "minhash-doc-256")
        self.assertEqual((len(empty), empty.type), (0, pyarrow.binary(32)))
        self.assertEqual(sd.fingerprint_column(polars.Series("texts", TEXTS)).name, "texts")
        self.assertEqual(sd.fingerprint_column(pyarrow.nulls(2)).to_pylist(), [None, None])
        self.assertEqual(sd.fingerprint_column(polars.Series("texts", [None, None])).to_list(), [None, None])

    def test_the_time_for_a_dictionary_does_not_grow_with_its_chunks(self) -> None:
        words = [f"word{i} " * 200 for i in range(2000)]
        shared = pyarrow.array(words)
        own = [pyarrow.DictionaryArray.from_arrays([i], pyarrow.array(words[i : i + 2])) for i in [0, 1] * 500]
        chunks = [pyarrow.DictionaryArray.from_arrays([i % 2000, None], shared) for i in range(4000)]
        start = time.perf_counter()
        for column, rows in [(chunks, [words[i % 2000] for i in range(4000)]), (own, [words[0], words[2]] * 500)]:
            found = sd.fingerprint_column(pyarrow.chunked_array(column), threads=1).to_pylist()
            self.assertEqual(list(filter(None, found)), expected("simhash-doc", [*rows]))
        # 4,000 chunks that hash all entries hash 12 GB.
        self.assertLess(time.perf_counter() - start, 15)

    def test_a_column_of_tokens_is_that_of_its_texts(self) -> None:
        for column in [pyarrow.array(TEXTS), pyarrow.array(TEXTS).dictionary_encode(), polars.Series("texts", TEXTS)]:
            rows = sd.token_column(column, "minhash-doc").to_pylist() if isinstance(column, pyarrow.Array) else list(sd.token_column(column, "minhash-doc"))
            for text, row in zip(TEXTS, rows):
                if text is None:
                    self.assertIn(row["residue"], [None, dict.fromkeys(sd.Residue._fields)])
                    self.assertEqual([row[name] for name in ["fingerprint", "hashes", "counts"]], [None] * 3)
                    continue
                found = sd.tokens(text, "minhash-doc")
                self.assertEqual(row["fingerprint"], found.fingerprint and bytes(found.fingerprint))
                self.assertEqual(list(row["counts"]), list(found.counts.values()))
                self.assertEqual([each % 2**64 for each in row["hashes"]], list(found.counts))
                self.assertEqual([each % 2**64 for each in row["residue"].values()], list(found.residue))

    def test_offsets_of_another_library_are_checked(self) -> None:
        for offsets in [[0, 9, 3, 4], [0, 10**9, 4, 4], [0, -5, 3, 4]]:
            buffers = [None, pyarrow.py_buffer(numpy.array(offsets, numpy.int32)), pyarrow.py_buffer(b"abcdefghij")]
            column = pyarrow.Array.from_buffers(pyarrow.string(), 3, buffers)
            with self.assertRaisesRegex(ValueError, "column: the offsets of row [01] are not within the text"):
                sd.fingerprint_column(column)

    def test_keys_of_another_library_are_checked(self) -> None:
        for kind in [pyarrow.int8(), pyarrow.uint16(), pyarrow.int64()]:
            for keys in [[0, None, 2], [0, None, -1]]:
                if min(each or 0 for each in keys) < 0 and kind == pyarrow.uint16():
                    continue
                column = pyarrow.DictionaryArray.from_arrays(pyarrow.array(keys, kind), ["one", "two"], safe=False)
                with self.assertRaisesRegex(ValueError, "column: the key of row 2 is not within the dictionary"):
                    sd.fingerprint_column(column)

    def test_a_column_outlives_its_source(self) -> None:
        found = sd.fingerprint_column(pyarrow.array([f"word{i} other" for i in range(10_000)]))
        self.assertEqual(found[9999].as_py(), bytes(sd.fingerprint("word9999 other") or b""))

    def test_numpy_arrays_of_all_kinds(self) -> None:
        strings = [text for text in TEXTS if text is not None]
        for array in [numpy.array(TEXTS, object), TEXTS, pandas.Series(TEXTS), pandas.Index(TEXTS)]:
            found = sd.fingerprint_array(array)
            self.assertEqual([each and each.to_bytes(8, "big") for each in found.tolist()], expected("simhash-doc"))
        for kind in [numpy.str_, object, numpy.dtypes.StringDType()]:
            found = sd.fingerprint_array(numpy.array([strings, strings], kind), "minhash-doc-256")
            self.assertEqual((found.shape, found.dtype), ((2, len(strings), 32), numpy.uint8))
            rows = [None if row.mask.all() else row.data.tobytes() for row in found[1]]
            self.assertEqual(rows, expected("minhash-doc-256", [*strings]))

    def test_missing_texts_are_those_of_all_libraries(self) -> None:
        missing = [None, float("nan"), numpy.float64("nan"), pandas.NA, ""]
        self.assertEqual(sd.fingerprints(missing), [None] * 5)
        self.assertEqual(sd.fingerprint_array(missing).mask.tolist(), [True] * 5)
        for na_object in [None, float("nan"), pandas.NA]:
            array = numpy.array(["one two", na_object], numpy.dtypes.StringDType(na_object=na_object))
            self.assertEqual(sd.fingerprint_array(array).mask.tolist(), [False, True])

    def test_what_is_masked_is_missing(self) -> None:
        for texts in [["one two"] * 2, numpy.array(["one two"] * 2, object), [b"one two"] * 2]:
            for label in sd.LABELS:
                found = sd.fingerprint_array(numpy.ma.MaskedArray(texts, [True, False]), label)
                self.assertEqual(found.mask.reshape(2, -1).all(axis=1).tolist(), [True, False])
                self.assertEqual(found[1].tobytes(), sd.fingerprint_array(texts, label)[1].tobytes())
                found[1] = numpy.ma.masked
                self.assertTrue(found.mask.all())

class Duplicates(unittest.TestCase):
    texts = ["A fox jumps over the lazy dog", "A fox jumps over the lazy dog!", None, "A hare sleeps"]

    def test_rows_come_back_in_the_type_they_were_given_in(self) -> None:
        rows = [{"text": text} for text in self.texts]
        self.assertEqual(sd.dedupe(self.texts).rows, [self.texts[0], None, self.texts[3]])
        self.assertEqual(sd.dedupe(tuple(self.texts)).rows, (self.texts[0], None, self.texts[3]))
        self.assertEqual(sd.dedupe(iter(rows), text="text").rows, [rows[0], rows[2], rows[3]])
        self.assertEqual(sd.dedupe(rows, text=lambda row: row["text"]).kept, [0, 2, 3])
        for library in (pandas.DataFrame, polars.DataFrame, pyarrow.table):
            frame = library({"id": [1, 2, 3, 4], "text": self.texts})
            found = sd.dedupe(frame, text="text").rows
            self.assertIs(type(found), type(frame))
            self.assertEqual([int(id) for id in found["id"].__array__()], [1, 3, 4])
            group = sd.find_duplicates(frame, text="text")[0].rows
            self.assertEqual([int(id) for id in group["id"].__array__()], [1, 2])
        for column in (pandas.Series(self.texts), polars.Series(self.texts), pyarrow.array(self.texts)):
            self.assertIs(type(sd.dedupe(column).rows), type(column))
            self.assertEqual(len(sd.dedupe(column).rows), 3)
        chunked = pyarrow.chunked_array([self.texts[:1], self.texts[1:]]).dictionary_encode()
        self.assertEqual(sd.dedupe(chunked).rows.to_pylist(), [self.texts[0], None, self.texts[3]])
        self.assertEqual(sd.dedupe(numpy.array(self.texts, object)).rows.tolist(), [self.texts[0], None, self.texts[3]])

    def test_large_rows_of_an_iterator_are_read_from_a_file(self) -> None:
        module: Any = import_module("simhash_doc._duplicates")
        words = [[f"w{(7 * row + i) % 997}" for i in range(60)] for row in range(300)]
        texts = [" ".join(each + ["more"] * (row % 3)) for row, each in enumerate(words)]
        rows = [{"id": row, "text": text} for row, text in enumerate([*texts, None, "a\ud800b", *texts[::7]])]
        found, groups = sd.dedupe(rows, text="text"), sd.find_duplicates(rows, text="text")
        removed = len(sd.dedupe(rows, text="text", against=texts[:100]).removed)
        for held in [module._MAX_HELD, 20_000, 0]:
            with mock.patch.object(module, "_MAX_HELD", held):
                again = sd.dedupe(iter(rows), text="text")
                self.assertEqual([*again.rows], found.rows, held)
                self.assertEqual([*again.rows[5:9:2]], found.rows[5:9:2], held)
                self.assertEqual((again.removed, again.kept), (found.removed, found.kept), held)
                self.assertEqual(
                    [[*group.rows] for group in sd.find_duplicates(iter(rows), text="text")],
                    [group.rows for group in groups],
                    held,
                )
                for against in [iter(texts[:100]), iter(rows[:100])]:
                    others = sd.dedupe(iter(rows), text="text", against=against)
                    self.assertEqual(len(others.removed), removed, held)

    def test_matches_say_what_is_kept_and_what_differs(self) -> None:
        self.assertEqual(sd.dedupe(self.texts).removed, [sd.Match(1, 0, 0, 1.0)])
        self.assertEqual(sd.find_pairs(self.texts), [sd.Match(1, 0, 0, 1.0, ("characters",))])
        numbers = [f"The meeting of day {day} is at noon" for day in (1, 2)]
        self.assertEqual(sd.dedupe(numbers).different, {1: "numbers"})
        self.assertEqual(sd.dedupe(numbers, ignore_numbers=True).kept, [0])

    def test_fingerprints_alone_are_enough_without_verification(self) -> None:
        self.assertEqual(sd.dedupe(self.texts, verify=False).removed, [sd.Match(1, 0, 0, None)])
        words = [f"w{i}" for i in range(300)]
        near = [" ".join(words), " ".join(words[1:]), " ".join(words[150:])]
        self.assertEqual(sd.dedupe(near, verify=False).kept, [0, 2])
        self.assertEqual([group.kept for group in sd.find_duplicates(near, verify=False)], [0])

    def test_rows_are_removed_only_for_those_of_against(self) -> None:
        found = sd.dedupe(self.texts, against=["A hare sleeps."])
        self.assertEqual(found.removed, [sd.Match(3, 0, 0, 1.0)])
        self.assertEqual(sd.dedupe(self.texts, against=[]).kept, [0, 1, 2, 3])
        frame = polars.DataFrame({"text": self.texts})
        self.assertEqual(sd.dedupe(frame, text="text", against=frame).kept, [2])

    def test_an_interrupt_ends_the_search(self) -> None:
        texts = [" ".join(str(number * i % 997) + "x" for i in range(400)) for number in range(20_000)]
        timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
        timer.start()
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            for _ in range(100):
                sd.dedupe(texts)
        self.assertLess(time.monotonic() - start, 20)

    def test_what_is_refused_says_where(self) -> None:
        for call, error, message in [
            (lambda: sd.dedupe("text"), TypeError, "rows: expected rows"),
            (lambda: sd.dedupe([1]), TypeError, "rows[0]: expected str"),
            (lambda: sd.dedupe([{"a": 1}], text="text"), KeyError, "rows[0]: expected a row with the text 'text'"),
            (lambda: sd.dedupe(polars.DataFrame({"a": ["x"]})), TypeError, "text: expected the name of the column"),
            (lambda: sd.dedupe([], min_overlap=2), sd.SimhashDocError, "min_overlap: expected 0 to 1; got 2"),
            (lambda: sd.dedupe([], keep="last"), sd.SimhashDocError, "keep: expected"),
            (lambda: sd.dedupe([], threads=0), sd.SimhashDocError, "threads: expected 1 or more"),
        ]:
            with self.subTest(message), self.assertRaises(error) as caught:
                call()
            self.assertIn(message, str(caught.exception))


class Values(unittest.TestCase):
    def test_every_form_is_read_again(self) -> None:
        for label in sd.LABELS:
            found = sd.fingerprint("The quick brown fox", label)
            assert found is not None
            for again in [
                sd.Fingerprint.parse(str(found).upper()),
                sd.Fingerprint.from_bare(found.bare, label),
                sd.Fingerprint.from_hex(found.hex, label),
                sd.Fingerprint.from_bytes(bytes(found), label),
                sd.Fingerprint.from_bytes(memoryview(bytes(found)), label),
                sd.Fingerprint.from_int(int(found), label),
                pickle.loads(pickle.dumps(found)),
            ]:
                self.assertEqual((again, again.label, hash(again)), (found, label, hash(found)))
            self.assertEqual(repr(found), f"Fingerprint.parse('{found}')")
            self.assertEqual(f"{found:>70}|", f"{str(found):>70}|")
            same = sd.compare(found, found)
            self.assertEqual(pickle.loads(pickle.dumps({same})), {(0, 1.0, "close")})

    def test_numbers_of_numpy_are_read(self) -> None:
        array = sd.fingerprint_array(["one two"], "minhash-doc")
        self.assertEqual(sd.Fingerprint.from_int(array[0], "minhash-doc"), sd.fingerprint("one two", "minhash-doc"))

    def test_distances_of_values_without_a_label(self) -> None:
        self.assertEqual(sd.distance(0, 2**64 - 1), 64)
        self.assertEqual(sd.distance(numpy.uint64(5), numpy.int64(1)), 1)
        self.assertEqual(sd.distance(bytes(32), b"\xff" * 32), 256)
        self.assertEqual(sd.distance(bytes(7) + b"\1", 0), 1)
        self.assertEqual(sd.distance(bytearray(32), 2**256 - 1), 256)
        self.assertEqual(sd.distance(2**200 + 1, memoryview(bytes(32))), 2)

    def test_rows_of_arrays_and_columns_are_compared(self) -> None:
        texts = ["one two three", "one two four", None]
        for label, bits in (("minhash-doc", 64), ("minhash-doc-256", 256)):
            a, b, _ = sd.fingerprints(texts, label)
            expected = sd.compare(a, b)
            self.assertEqual(expected.similarity, 1 - expected.distance / bits)
            array, column = sd.fingerprint_array(texts, label), sd.fingerprint_column(texts, label)
            for rows in (array, array.data, column.to_pylist(), [list(bytes(a)), memoryview(bytes(b))]):
                self.assertEqual(sd.distance(rows[0], rows[1]), expected.distance)
                self.assertEqual(sd.compare(rows[0], rows[1]), expected)
        with self.assertRaisesRegex(sd.SimhashDocError, "a: expected a fingerprint; got a masked row"):
            sd.distance(array[2], array[0])
        with self.assertRaisesRegex(TypeError, "a: expected bytes, or 8 or 32 numbers"):
            sd.distance([300] * 8, [1] * 8)

    def test_what_is_refused_says_where_and_what_was_expected(self) -> None:
        fox = sd.fingerprint("The quick brown fox")
        operations: Any = sd
        for call, error, code, message in [
            (lambda: operations.fingerprint(3), TypeError, "wrong-type", "text: expected str or bytes, got int"),
            (lambda: operations.fingerprint("", 3), TypeError, "wrong-type", "label: expected str, got int"),
            (lambda: operations.fingerprint("", "x"), sd.SimhashDocError, "invalid-label", 'label: expected one of .*; got "x"'),
            (lambda: operations.fingerprints("text"), TypeError, "wrong-type", "texts: expected an iterable of texts, got str"),
            (lambda: operations.fingerprints(["", 3]), TypeError, "wrong-type", r"texts\[1\]: expected str, bytes or None, got int"),
            (lambda: operations.fingerprints([], threads=0), sd.SimhashDocError, "out-of-range", "threads: expected 1 or more"),
            (lambda: operations.fingerprint_column(pyarrow.array([1])), TypeError, "wrong-type", "column: expected strings .* got Int64"),
            (lambda: operations.fingerprint_column(pyarrow.RunEndEncodedArray.from_arrays([2], ["a"])), TypeError, "wrong-type", "column: expected strings .* got RunEndEncoded"),
            (lambda: operations.fingerprint_column(pandas.Index(["a"])), TypeError, "wrong-type", "column: expected an object with __arrow_c_array__"),
            *(
                (lambda call=call: call(None), TypeError, "wrong-type", "label: expected str, got None")
                for call in [
                    lambda label: operations.fingerprint("a", label),
                    lambda label: operations.fingerprints(["a"], label),
                    lambda label: operations.Fingerprinter(label),
                    lambda label: operations.tokens("a", label),
                    lambda label: operations.fingerprint_column(pyarrow.array(TEXTS), label),
                    lambda label: operations.fingerprint_array(TEXTS, label),
                ]
            ),
            (lambda: operations.fingerprint_column({"a"}), TypeError, "wrong-type", "column: expected an object with __arrow_c_array__"),
            (lambda: operations.fingerprint_array([1]), TypeError, "wrong-type", r"texts\[0\]: expected str, bytes or None, got int"),
            (lambda: operations.compare(fox, None), sd.SimhashDocError, "no-fingerprint", "b: expected a fingerprint; got None"),
            (lambda: operations.compare(fox, "minhash-doc:EZEFOEQ2U2YJ6"), sd.SimhashDocError, "label-mismatch", "b: expected a fingerprint of simhash-doc"),
            (lambda: operations.compare("EZEFOEQ2U2YJ6", fox), sd.SimhashDocError, "invalid-label", "a: expected a registered label"),
            (lambda: operations.distance(fox, 3), TypeError, "wrong-type", "b: expected a fingerprint with a label, like a, got int"),
            (lambda: operations.distance(bytes(8), bytes(32)), sd.SimhashDocError, "label-mismatch", "b: expected as many bits as a"),
            (lambda: operations.distance(2**64, bytes(8)), sd.SimhashDocError, "label-mismatch", "b: expected as many bits as a"),
            (lambda: operations.distance(2**256, 1), sd.SimhashDocError, "out-of-range", r"a: expected an int of 0 to 2\*\*256 - 1"),
            (lambda: operations.distance(-1, 1), sd.SimhashDocError, "out-of-range", r"a: expected an int .* got -1"),
            (lambda: operations.distance(1, b"x"), sd.SimhashDocError, "out-of-range", "b: expected 8 or 32 bytes, or an int; got 1 bytes"),
            (lambda: operations.Fingerprint.from_int(2**64, "minhash-doc"), sd.SimhashDocError, "out-of-range", r"number: expected an int of 0 to 2\*\*64 - 1"),
            (lambda: operations.fingerprint(None), TypeError, "wrong-type", "text: expected str or bytes, got None"),
            (lambda: operations.fingerprint_column(pyarrow.chunked_array([], pyarrow.int64())), TypeError, "wrong-type", "column: expected strings .* got Int64"),
            (lambda: operations.fingerprint_column(pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("a", pyarrow.string())]), [])), TypeError, "wrong-type", "column: expected strings .* got Struct"),
            (lambda: operations.fingerprint_column(pyarrow.chunked_array([], pyarrow.dictionary(pyarrow.int8(), pyarrow.int64()))), TypeError, "wrong-type", "column: expected strings .* got Int64"),
            (lambda: operations.Fingerprinter().update("a").update(b"b"), TypeError, "wrong-type", "part: expected str like the parts before, got bytes"),
            (lambda: operations.Fingerprint.from_bytes(b"x", "minhash-doc"), sd.SimhashDocError, "out-of-range", "data: expected 8 bytes; got 1"),
            (lambda: operations.Fingerprint.from_bare("\ud800", "minhash-doc"), sd.SimhashDocError, "invalid-fingerprint", "text: expected a fingerprint of 13 characters"),
        ]:
            with self.assertRaisesRegex(error, message) as caught:
                call()
            self.assertEqual(getattr(caught.exception, "code"), code, message)


if __name__ == "__main__":
    unittest.main()
