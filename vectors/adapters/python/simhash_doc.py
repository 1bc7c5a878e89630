# SPDX-License-Identifier: MIT
"""simhash-doc and minhash-doc: similarity fingerprints for documents.

An implementation of the steps 1 to 5 and 7 to 11 of spec/simhash-doc.md, version 1.0.0-rc.1, with the variant bg1, and of
spec/minhash-doc.md. Step 6 does nothing under any registered label (STP-1). Step 0, extraction, is not part of this
module.

A text is a `str`. A fingerprint is an `int` from 0 to 2**64 - 1, `bytes` of length 32 under the label minhash-doc-256,
or `None` where a document has none. What a function refuses, it refuses with a `SimhashDocError`, whose `code` is one
of the codes of the specification.

The comments `# TOK-2` and the like name the rules of the specification that a function implements.
"""

import os
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import combinations

__version__ = "0.1.0"

LABEL = "simhash-doc"
BIGRAMS_LABEL = "simhash-doc+bg1"
MINHASH_LABEL = "minhash-doc"
LONG_LABEL = "minhash-doc-256"
REGISTERED_LABELS = (LABEL, BIGRAMS_LABEL, MINHASH_LABEL, LONG_LABEL)

BITS = 64
LONG_WORDS = 4
LONG_BITS = LONG_WORDS * BITS
LONG_OCTETS = LONG_BITS // 8
TABLES = 16
CLOSE_DISTANCES = {BITS: 1, LONG_BITS: 5}
LOOSE_DISTANCES = {BITS: 6, LONG_BITS: 25}
DEFAULT_DISTANCE = 3

MASK_64 = 0xFFFFFFFFFFFFFFFF
MASK_32 = 0xFFFFFFFF

REPLACEMENT = "\uFFFD"

UNICODE_VERSION = unicodedata.unidata_version

if tuple(int(part) for part in UNICODE_VERSION.split(".")) < (12, 0):
    raise ImportError(
        "simhash-doc needs normalisation data of Unicode 12.0 or later; this Python has %s" % UNICODE_VERSION
    )


# ----------------------------------------------------------------------------------------------------------------
# Errors
# ----------------------------------------------------------------------------------------------------------------

WRONG_TYPE = "wrong-type"
OUT_OF_RANGE = "out-of-range"
INVALID_FINGERPRINT = "invalid-fingerprint"
INVALID_LABEL = "invalid-label"
LABEL_MISMATCH = "label-mismatch"
NO_FINGERPRINT = "no-fingerprint"

ERROR_CODES = (WRONG_TYPE, OUT_OF_RANGE, INVALID_FINGERPRINT, INVALID_LABEL, LABEL_MISMATCH, NO_FINGERPRINT)


class SimhashDocError(Exception):
    """An input is refused. `code` is one of ERROR_CODES."""

    def __init__(self, code, message):
        super().__init__("%s: %s" % (code, message))
        self.code = code
        self.message = message


def _require_text(value, name="the text"):
    if not isinstance(value, str):
        raise SimhashDocError(WRONG_TYPE, "%s is not a str" % name)
    return value


def _require_octets(value, name="the argument"):
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise SimhashDocError(WRONG_TYPE, "%s is not a string of octets" % name)
    return bytes(value)


def _require_integer(value, low, high, name):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise SimhashDocError(WRONG_TYPE, "%s is not a number" % name)
    if not isinstance(value, int) or not low <= value <= high:
        raise SimhashDocError(OUT_OF_RANGE, "%s is not an integer from %d to %d" % (name, low, high))
    return value


def _require_fingerprint(value, name="the fingerprint"):
    """A fingerprint of 64 bits."""
    if value is None:
        raise SimhashDocError(NO_FINGERPRINT, "%s: the document has none" % name)
    return _require_integer(value, 0, MASK_64, name)


def _require_long(value, name="the fingerprint"):
    """A fingerprint of 256 bits."""
    if value is None:
        raise SimhashDocError(NO_FINGERPRINT, "%s: the document has none" % name)
    octets = _require_octets(value, name)
    if len(octets) != LONG_OCTETS:
        raise SimhashDocError(OUT_OF_RANGE, "%s does not have %d octets" % (name, LONG_OCTETS))
    return octets


def _require_any_fingerprint(value, name="the fingerprint"):
    """A fingerprint of 64 or 256 bits."""
    is_long = isinstance(value, (bytes, bytearray, memoryview))
    return _require_long(value, name) if is_long else _require_fingerprint(value, name)


def _require_fingerprint_of(label, value, name="the fingerprint"):
    """A fingerprint of the kind that this label has."""
    return _require_long(value, name) if label == LONG_LABEL else _require_fingerprint(value, name)


def _number_and_bits(fingerprint, name="the fingerprint"):
    """A fingerprint of either kind as one number, and its number of bits."""
    fingerprint = _require_any_fingerprint(fingerprint, name)
    if isinstance(fingerprint, bytes):
        return int.from_bytes(fingerprint, "big"), LONG_BITS
    return fingerprint, BITS


def _fingerprint_of_number(number, bits):
    return number if bits == BITS else number.to_bytes(LONG_OCTETS, "big")


def _bits_of_label(label):
    return LONG_BITS if read_label(label) == LONG_LABEL else BITS


def words(fingerprint):
    """The words of 64 bits of a fingerprint, as a tuple of one or four numbers."""
    number, bits = _number_and_bits(fingerprint)
    return tuple(number >> shift & MASK_64 for shift in range(bits - BITS, -1, -BITS))


def _require_list(value, name):
    try:
        return list(value)
    except TypeError:
        raise SimhashDocError(WRONG_TYPE, "%s is not a sequence" % name) from None


# ----------------------------------------------------------------------------------------------------------------
# Step 1: Decode
# ----------------------------------------------------------------------------------------------------------------

BYTE_ORDER_MARK = b"\xEF\xBB\xBF"


def _utf8_ranges():
    """The table of step 1: first octet -> (bits that the first octet gives, ranges of the octets behind it)."""
    tail = (0x80, 0xBF)
    table = {}
    for first in range(0xC2, 0xE0):
        table[first] = (0x1F, (tail,))
    for first in range(0xE0, 0xF0):
        table[first] = (0x0F, (tail, tail))
    for first in range(0xF0, 0xF5):
        table[first] = (0x07, (tail, tail, tail))
    table[0xE0] = (0x0F, ((0xA0, 0xBF), tail))
    table[0xED] = (0x0F, ((0x80, 0x9F), tail))
    table[0xF0] = (0x07, ((0x90, 0xBF), tail, tail))
    table[0xF4] = (0x07, ((0x80, 0x8F), tail, tail))
    return table


_UTF8_RANGES = _utf8_ranges()


# DEC-1, DEC-2, DEC-3
def decode_utf8(octets):
    """The text of a string of octets. Every string of octets is accepted."""
    octets = _require_octets(octets, "the document")
    if octets.startswith(BYTE_ORDER_MARK):
        octets = octets[len(BYTE_ORDER_MARK):]
    try:
        # Python's strict decoder takes exactly the well-formed sequences of the table.
        return octets.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_ill_formed_utf8(octets)


def _decode_ill_formed_utf8(octets):
    text = []
    length = len(octets)
    position = 0
    while position < length:
        first = octets[position]
        position += 1
        if first <= 0x7F:
            text.append(chr(first))
            continue
        if first not in _UTF8_RANGES:
            text.append(REPLACEMENT)
            continue
        mask, ranges = _UTF8_RANGES[first]
        code_point = first & mask
        for low, high in ranges:
            if position == length or not low <= octets[position] <= high:
                text.append(REPLACEMENT)
                break
            code_point = code_point << 6 | octets[position] & 0x3F
            position += 1
        else:
            text.append(chr(code_point))
    return "".join(text)


# DEC-1, DEC-4
def decode_utf16(units):
    """The text of a sequence of 16-bit units (numbers). Every sequence of them is accepted."""
    units = _require_list(units, "the document")
    for unit in units:
        if isinstance(unit, bool) or not isinstance(unit, int) or not 0 <= unit <= 0xFFFF:
            raise SimhashDocError(WRONG_TYPE, "the document holds something that is no 16-bit unit")
    text = []
    position = 0
    while position < len(units):
        unit = units[position]
        position += 1
        if not 0xD800 <= unit <= 0xDFFF:
            text.append(chr(unit))
        elif unit <= 0xDBFF and position < len(units) and 0xDC00 <= units[position] <= 0xDFFF:
            text.append(chr(0x10000 + (unit - 0xD800) * 0x400 + (units[position] - 0xDC00)))
            position += 1
        else:
            text.append(REPLACEMENT)
    return "".join(text)


_SURROGATE = re.compile("[\uD800-\uDFFF]")


# DEC-4
def decode_text(text):
    """A str without surrogates.

    A str of Python holds code points, and surrogates may be among them. Where it does, it is taken as the 16-bit
    units that it stands for, so that a high surrogate directly before a low one makes one code point with it.
    """
    _require_text(text, "the document")
    if not _SURROGATE.search(text):
        return text
    units = text.encode("utf-16-be", "surrogatepass")
    return decode_utf16([units[i] << 8 | units[i + 1] for i in range(0, len(units), 2)])


# ----------------------------------------------------------------------------------------------------------------
# Step 2: Classify
# ----------------------------------------------------------------------------------------------------------------

LETTER = "letter"
WORD = "word"
BREAK = "break"
IGNORABLE = "ignorable"
UNASSIGNED = "unassigned"

WORD_CLASSES_VARIABLE = "SIMHASH_DOC_WORD_CLASSES"


def word_classes_path():
    """Where the normative file word-classes.txt is read from."""
    path = os.environ.get(WORD_CLASSES_VARIABLE)
    if path:
        return path
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(here, os.pardir, os.pardir, os.pardir, "spec", "word-classes.txt")


# CLS-1, BIG-1
def read_ranges(path, *kinds, partial=False):
    """The ranges of a data file: a list of (start, end, kind). If it is not partial, they cover all code points."""
    pattern = re.compile(r"([0-9A-F]{4,6})\.\.([0-9A-F]{4,6});(%s)" % "|".join(kinds))
    ranges = []
    following = 0
    with open(path, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if line.startswith("#"):
                continue
            match = pattern.fullmatch(line)
            if not match:
                raise ValueError("%s, line %d: not a range" % (path, number))
            start, end = int(match.group(1), 16), int(match.group(2), 16)
            if start < following or end < start or not partial and start != following:
                raise ValueError("%s, line %d: the ranges do not follow one another" % (path, number))
            ranges.append((start, end, match.group(3)))
            following = end + 1
    if not partial and following != 0x110000:
        raise ValueError("%s: the ranges do not end at 10FFFF" % path)
    return ranges


_CLASS_RANGES = read_ranges(word_classes_path(), IGNORABLE, LETTER, WORD, UNASSIGNED, BREAK)
_CLASS_STARTS = [start for start, _, _ in _CLASS_RANGES]


# CLS-1 to CLS-6 (the file decides)
def classify(code_point):
    """The class of a code point (a number): "letter", "word", "break", "ignorable" or "unassigned"."""
    _require_integer(code_point, 0, 0x10FFFF, "the code point")
    return _CLASS_RANGES[bisect_right(_CLASS_STARTS, code_point) - 1][2]


def _points(ranges, *kinds):
    """The code points of these kinds, for a set of a regular expression."""
    return "".join("\\U%08X-\\U%08X" % (start, end) for start, end, kind in ranges if kind in kinds)


def _any_of_class(*classes):
    """A set of a regular expression: the code points of these classes."""
    return "[" + _points(_CLASS_RANGES, *classes) + "]"


_UNASSIGNED = re.compile(_any_of_class(UNASSIGNED))
_IGNORABLES = re.compile(_any_of_class(IGNORABLE) + "+")
_LETTER = re.compile(_any_of_class(LETTER))
_RUN = re.compile(_any_of_class(LETTER, WORD) + "+")


# ----------------------------------------------------------------------------------------------------------------
# Step 3: Normalise
# ----------------------------------------------------------------------------------------------------------------


# NRM-1, NRM-2, NRM-4
def normalise(text):
    """The text with unassigned code points replaced, ignorable ones deleted, in NFC."""
    _require_text(text)
    if text.isascii():
        return text
    text = _UNASSIGNED.sub(REPLACEMENT, text)
    text = _IGNORABLES.sub("", text)
    return _nfc(text)


# NRM-3
def _nfc(text):
    """Normalization Form C of a text whose code points are of class letter, word or break.

    The order that unicodedata puts a run of n combining marks in is found by insertion, in time n * n. Runs that
    are long are therefore ordered beforehand, by a stable sort. That gives a canonically equivalent text, which
    has the same NFC.
    """
    return unicodedata.normalize("NFC", _long_run_of_marks().sub(_order_marks, text))


_LONG_RUN = 32
_long_run_pattern = None


def _long_run_of_marks():
    """A pattern for long runs of code points whose decomposition holds nothing but combining marks.

    Nearly all of them have a combining class other than 0 themselves. Some have not: U+0F73, for example, has
    class 0, and decomposes to two marks.
    """
    global _long_run_pattern
    if _long_run_pattern is None:
        marks = []
        for start, end, name in _CLASS_RANGES:
            if name in (UNASSIGNED, IGNORABLE):
                continue
            for character in map(chr, range(start, end + 1)):
                if unicodedata.combining(character):
                    marks.append(character)
                elif unicodedata.decomposition(character):
                    if all(map(unicodedata.combining, unicodedata.normalize("NFD", character))):
                        marks.append(character)
        _long_run_pattern = re.compile("[%s]{%d,}" % ("".join(map(re.escape, marks)), _LONG_RUN))
    return _long_run_pattern


def _order_marks(match):
    marks = "".join(unicodedata.normalize("NFD", character) for character in match.group())
    return "".join(sorted(marks, key=unicodedata.combining))


# ----------------------------------------------------------------------------------------------------------------
# Step 4: Strip locators
# ----------------------------------------------------------------------------------------------------------------


def _any_case(word):
    """A regular expression for an ASCII word in any case."""
    return "".join("[%s%s]" % (c.upper(), c.lower()) if c.isalpha() else re.escape(c) for c in word)


# LOC-13: the sets are written out, and no flag for "ignore case" is used.
_ALNUM = "A-Za-z0-9"
_URIC = _ALNUM + r"\-._~%:/?#\[\]@!$&'()*+,;="
_LOCAL = _ALNUM + r"._%+\-"

_URICS = re.compile("[" + _URIC + "]+")
_SCHEME_LETTER = re.compile("[A-Za-z]")
_SCHEME_END = re.compile(r"[A-Za-z0-9+.\-]*")
_WWW = re.compile(_any_case("www.") + "[" + _URIC + "]+")
_PREFIXES = (
    "ark", "arxiv", "cid", "data", "did", "doi", "hdl", "info", "isbn",
    "issn", "magnet", "mailto", "orcid", "pmcid", "pmid", "swh", "tel", "urn",
)
_PREFIXED = re.compile("(?:" + "|".join(map(_any_case, _PREFIXES)) + "):[" + _URIC + "]+")
_DOI_HEAD = re.compile(r"10\.[0-9]{4,9}(?![0-9])")
_DOI_GROUP = re.compile(r"\.[0-9]+")
_LOCALS = re.compile("[" + _LOCAL + "]+")
_LABEL = re.compile(r"[A-Za-z0-9\-]+")
_DOT_LABEL = re.compile(r"\.[A-Za-z0-9\-]+")
_HEX = "0-9A-Fa-f"
_NOT_FOLLOWED = "(?![" + _ALNUM + "])"
_UUID = re.compile("[%s]{8}-(?:[%s]{4}-){3}[%s]{12}" % (_HEX, _HEX, _HEX) + _NOT_FOLLOWED)
_HEX_RUN = re.compile("[" + _HEX + "]+")
_DIGIT = re.compile("[0-9]")
_ALNUM_CHARACTER = re.compile("[" + _ALNUM + "]")

# LOC-1, LOC-2: where a match may start at all. Every form starts with a character of a local part.
_START = re.compile("(?<![" + _ALNUM + "])[" + _LOCAL + "]")


def _end_of(match):
    return match.end() if match else None


class _LocatorScanner:
    """Finds the locators of one text, from its start to its end.

    LOC-14: the forms 1, 4 and 5 remember how far a failed attempt has read, because an attempt that starts later
    within the same run fails at the same place.
    """

    def __init__(self, text):
        self.text = text
        self.no_form_1_below = 0
        self.no_form_4_below = 0
        self.no_form_5_below = 0
        self.forms = (self.form_1, self.form_2, self.form_3, self.form_4, self.form_5, self.form_6, self.form_7)

    # LOC-3: the first form that matches, at its longest.
    def match(self, start):
        """(form, end) of the locator at this position, or None."""
        for number, form in enumerate(self.forms, 1):
            end = form(start)
            if end is not None:
                return number, end
        return None

    def groups(self, pattern, position):
        """The end of the matches of a pattern that follow one another from a position on."""
        match = pattern.match(self.text, position)
        while match:
            position = match.end()
            match = pattern.match(self.text, position)
        return position

    # LOC-5
    def form_1(self, start):
        if start < self.no_form_1_below or not _SCHEME_LETTER.match(self.text, start):
            return None
        scheme_end = _SCHEME_END.match(self.text, start).end()
        if self.text.startswith("://", scheme_end):
            rest = _URICS.match(self.text, scheme_end + 3)
            if rest:
                return rest.end()
        self.no_form_1_below = scheme_end
        return None

    # LOC-6
    def form_2(self, start):
        return _end_of(_WWW.match(self.text, start))

    # LOC-7
    def form_3(self, start):
        return _end_of(_PREFIXED.match(self.text, start))

    # LOC-8
    def form_4(self, start):
        if start < self.no_form_4_below:
            return None
        head = _DOI_HEAD.match(self.text, start)
        if not head:
            return None
        head_end = self.groups(_DOI_GROUP, head.end())
        if self.text.startswith("/", head_end):
            rest = _URICS.match(self.text, head_end + 1)
            if rest:
                return rest.end()
        self.no_form_4_below = head_end
        return None

    # LOC-9
    def form_5(self, start):
        if start < self.no_form_5_below:
            return None
        local = _LOCALS.match(self.text, start)
        if not local:
            return None
        if self.text.startswith("@", local.end()):
            label = _LABEL.match(self.text, local.end() + 1)
            if label:
                end = self.groups(_DOT_LABEL, label.end())
                if end > label.end():
                    return end
        self.no_form_5_below = local.end()
        return None

    # LOC-10, LOC-12
    def form_6(self, start):
        return _end_of(_UUID.match(self.text, start))

    # LOC-11, LOC-12
    def form_7(self, start):
        run = _HEX_RUN.match(self.text, start)
        if not run or run.end() - start < 32 or not _DIGIT.search(self.text, start, run.end()):
            return None
        return None if _ALNUM_CHARACTER.match(self.text, run.end()) else run.end()


# LOC-1, LOC-2, LOC-3
def find_locators(text):
    """The locators of a text: (start, end, number of the form), in ascending order."""
    _require_text(text)
    scanner = _LocatorScanner(text)
    position = 0
    while True:
        candidate = _START.search(text, position)
        if not candidate:
            return
        position = candidate.start()
        found = scanner.match(position)
        if found:
            form, end = found
            yield position, end, form
            position = end
        else:
            position += 1


# LOC-4
def strip_locators(text):
    """The text with one space in the place of each locator."""
    parts = []
    position = 0
    for start, end, _ in find_locators(text):
        parts.append(text[position:start])
        position = end
    parts.append(text[position:])
    return " ".join(parts)


# ----------------------------------------------------------------------------------------------------------------
# Step 5: Tokenise
# ----------------------------------------------------------------------------------------------------------------


# TOK-2, TOK-3, TOK-1, TOK-4, MIN-1
def tokenise(text, label=LABEL):
    """The tokens of a text under a label, as a list of str, in their order and with repetitions."""
    _require_text(text)
    tokens = [run for run in _RUN.findall(text) if _LETTER.search(run)]
    if read_label(label) != LABEL:
        tokens = [part for token in tokens for part in _bigrams(token)]
    return tokens


BIGRAMS_PATH = os.path.join(os.path.dirname(word_classes_path()), "bigrams", "bg1.txt")
_BIGRAM_RANGES = read_ranges(BIGRAMS_PATH, "joined", "mark", partial=True)
_JOINED, _MARKS = _points(_BIGRAM_RANGES, "joined"), _points(_BIGRAM_RANGES, "mark")
_UNIT = re.compile("[%s][%s]*" % (_JOINED, _MARKS))
_UNITS_OR_OTHERS = re.compile("[%s][%s%s]*|[^%s]+" % (_JOINED, _JOINED, _MARKS, _JOINED))


# BIG-1, BIG-2, BIG-3, BIG-4
def _bigrams(token):
    """The tokens that take the place of a token with bg1."""
    for run in _UNITS_OR_OTHERS.findall(token):
        units = _UNIT.findall(run)
        if len(units) > 1:
            yield from map("".join, zip(units, units[1:]))
        elif units or _LETTER.search(run):
            yield run


# TOK-5
def token_octets(token):
    """The octets of a token."""
    return token.encode("utf-8")


# ----------------------------------------------------------------------------------------------------------------
# Step 7: Hash the tokens
# ----------------------------------------------------------------------------------------------------------------


def _rot(x, s):
    return (x << s | x >> (32 - s)) & MASK_32


def _mix(a, b, c):
    a = (a - c & MASK_32) ^ _rot(c, 4)
    c = c + b & MASK_32
    b = (b - a & MASK_32) ^ _rot(a, 6)
    a = a + c & MASK_32
    c = (c - b & MASK_32) ^ _rot(b, 8)
    b = b + a & MASK_32
    a = (a - c & MASK_32) ^ _rot(c, 16)
    c = c + b & MASK_32
    b = (b - a & MASK_32) ^ _rot(a, 19)
    a = a + c & MASK_32
    c = (c - b & MASK_32) ^ _rot(b, 4)
    b = b + a & MASK_32
    return a, b, c


def _final(a, b, c):
    c = (c ^ b) - _rot(b, 14) & MASK_32
    a = (a ^ c) - _rot(c, 11) & MASK_32
    b = (b ^ a) - _rot(a, 25) & MASK_32
    c = (c ^ b) - _rot(b, 16) & MASK_32
    a = (a ^ c) - _rot(c, 4) & MASK_32
    b = (b ^ a) - _rot(a, 14) & MASK_32
    c = (c ^ b) - _rot(b, 24) & MASK_32
    return a, b, c


def _words(octets):
    """Three numbers of 32 bits, little-endian, of 12 octets."""
    return (
        int.from_bytes(octets[0:4], "little"),
        int.from_bytes(octets[4:8], "little"),
        int.from_bytes(octets[8:12], "little"),
    )


# HSH-1, HSH-3
def lookup3(octets, pc=0, pb=0):
    """hashlittle2 of Bob Jenkins' lookup3: the two numbers (c, b)."""
    octets = _require_octets(octets)
    _require_integer(pc, 0, MASK_32, "pc")
    _require_integer(pb, 0, MASK_32, "pb")
    length = len(octets)
    a = b = c = 0xDEADBEEF + length + pc & MASK_32
    c = c + pb & MASK_32
    if length == 0:
        return c, b
    tail_start = (length - 1) // 12 * 12
    for position in range(0, tail_start, 12):
        x, y, z = _words(octets[position:position + 12])
        a, b, c = _mix(a + x & MASK_32, b + y & MASK_32, c + z & MASK_32)
    x, y, z = _words(octets[tail_start:].ljust(12, b"\0"))
    a, b, c = _final(a + x & MASK_32, b + y & MASK_32, c + z & MASK_32)
    return c, b


# HSH-2
def token_hash(token):
    """The 64-bit hash of a token, which is a str or its octets."""
    octets = token_octets(decode_text(token)) if isinstance(token, str) else _require_octets(token, "the token")
    c, b = lookup3(octets)
    return b << 32 | c


# ----------------------------------------------------------------------------------------------------------------
# Step 8: Simhash
# ----------------------------------------------------------------------------------------------------------------


def _require_hashes(hashes):
    hashes = _require_list(hashes, "the hashes")
    for number in hashes:
        _require_integer(number, 0, MASK_64, "a hash")
    return hashes


# SIM-2, SIM-3
def simhash_counters(hashes):
    """The 64 counters for these token hashes. Without hashes all are 0."""
    counts = Counter(_require_hashes(hashes))
    total = sum(counts.values())
    ones = [0] * BITS
    for number, occurrences in counts.items():
        for i in range(BITS):
            if number >> (BITS - 1 - i) & 1:
                ones[i] += occurrences
    # A counter is the number of bits 1 less the number of bits 0.
    return [2 * n - total for n in ones]


# SIM-4, SIM-1, SIM-5
def simhash(hashes):
    """The fingerprint of a multiset of token hashes, or None where there are none."""
    hashes = _require_list(hashes, "the hashes")
    counters = simhash_counters(hashes)
    if not hashes:
        return None
    fingerprint = 0
    for counter in counters:
        fingerprint = fingerprint << 1 | (counter > 0)
    return fingerprint


# ----------------------------------------------------------------------------------------------------------------
# MinHash, in the place of step 8
# ----------------------------------------------------------------------------------------------------------------

BINS = 64
ROUNDS = 64
DRAWS = ROUNDS + BINS


def _output(x, n):
    """Output n of SplitMix64 with the seed x."""
    z = x + (n + 1) * 0x9E3779B97F4A7C15 & MASK_64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK_64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK_64
    return z ^ z >> 31


# MIN-2
def draw(x, n):
    """S(x, n): draw n, 0 to 511, of the element x."""
    _require_integer(x, 0, MASK_64, "the element")
    _require_integer(n, 0, LONG_WORDS * DRAWS - 1, "the number of the draw")
    return _output(x, n)


class _Word:
    """The 64 bins of a word. Each holds the winning draw as (round, number)."""

    def __init__(self, word):
        self.first = DRAWS * word
        self.bins = [(DRAWS, 0)] * BINS
        self.last_round = DRAWS - 1

    # MIN-3, MIN-4
    def add(self, element):
        r = 0
        # A draw of a round after those of all winners cannot win.
        while r <= self.last_round:
            y = _output(element, self.first + r)
            i = y >> 58 if r < ROUNDS else r - ROUNDS
            if (r, y) < self.bins[i]:
                self.bins[i] = (r, y)
                self.last_round = min(DRAWS - 1, max(self.bins)[0])
            r += 1


class MinHash:
    """Computes a fingerprint from a stream of token hashes, in memory that does not grow.

    The order of the hashes and their repetitions make no difference.
    """

    def __init__(self, label=MINHASH_LABEL):
        self.label = _require_minhash(label)
        self._words = [_Word(word) for word in range(_bits_of_label(self.label) // BITS)]
        self._is_empty = True

    # MIN-1
    def add(self, element):
        """Adds a token hash."""
        _require_integer(element, 0, MASK_64, "a hash")
        self._is_empty = False
        for word in self._words:
            word.add(element)

    def draws(self):
        """The winning draws, 64 or 256 numbers, bin 0 of word 0 first. There are none without hashes."""
        return [] if self._is_empty else [y for word in self._words for _, y in word.bins]

    # MIN-5, MIN-6, MIN-7
    def fingerprint(self):
        """The fingerprint, or None where there are no hashes."""
        if self._is_empty:
            return None
        number = 0
        for y in self.draws():
            number = number << 1 | y & 1
        return _fingerprint_of_number(number, len(self._words) * BITS)


def is_minhash(label):
    """Whether a registered label is minhash-doc or minhash-doc-256."""
    return read_label(label) in (MINHASH_LABEL, LONG_LABEL)


def _require_minhash(label):
    if not is_minhash(label):
        raise SimhashDocError(INVALID_LABEL, "not a label of minhash-doc")
    return read_label(label)


def _minhash_of(hashes, label):
    elements = set(_require_hashes(hashes))
    state = MinHash(label)
    for element in elements:
        state.add(element)
    return state


def minhash_draws(hashes, label=MINHASH_LABEL):
    """The winning draws of these token hashes under a label of minhash-doc."""
    return _minhash_of(hashes, label).draws()


def minhash(hashes, label=MINHASH_LABEL):
    """The fingerprint of these token hashes under a label of minhash-doc, or None where there are none."""
    return _minhash_of(hashes, label).fingerprint()


# MIN-8
def truncate(fingerprint):
    """The minhash-doc fingerprint of the document that has this minhash-doc-256 fingerprint."""
    return words(_require_long(fingerprint))[0]


# ----------------------------------------------------------------------------------------------------------------
# The whole
# ----------------------------------------------------------------------------------------------------------------


# STP-1: between the steps 5 and 7 nothing is dropped.
def fingerprint_of_text(text, label=LABEL):
    """The fingerprint of a text under a label, or None."""
    tokens = tokenise(strip_locators(normalise(decode_text(text))), label)
    hash_of = {token: token_hash(token) for token in set(tokens)}
    if is_minhash(label):
        return minhash(hash_of.values(), label)
    return simhash([hash_of[token] for token in tokens])


def fingerprint(document, label=LABEL):
    """The fingerprint of a document, which is a str or its octets in UTF-8, under a label, or None."""
    if not isinstance(document, str):
        document = decode_utf8(document)
    return fingerprint_of_text(document, label)


# ----------------------------------------------------------------------------------------------------------------
# Step 9: Serialise
# ----------------------------------------------------------------------------------------------------------------

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_NUMBER_OF = {character: number for number, character in enumerate(_ALPHABET)}
_BARE = {
    BITS: re.compile("([A-Za-z2-7]{13})(?:===)?"),
    LONG_BITS: re.compile("([A-Za-z2-7]{52})(?:====)?"),
}
_SPARE_BITS = {BITS: 1, LONG_BITS: 4}
_HEXADECIMAL = re.compile("[0-9A-Fa-f]*")
_ASCII_LOWER = {upper: upper + 0x20 for upper in range(ord("A"), ord("Z") + 1)}


# SIM-3
def to_octets(fingerprint):
    """The 8 or 32 octets of a fingerprint, in network byte order."""
    number, bits = _number_and_bits(fingerprint)
    return number.to_bytes(bits // 8, "big")


# SIM-3
def from_octets(octets, label=LABEL):
    """The fingerprint of its octets in network byte order: 8, or 32 under minhash-doc-256."""
    bits = _bits_of_label(label)
    octets = _require_octets(octets)
    if len(octets) != bits // 8:
        raise SimhashDocError(OUT_OF_RANGE, "a fingerprint has %d octets" % (bits // 8))
    return _fingerprint_of_number(int.from_bytes(octets, "big"), bits)


# SER-1, MIN-9
def to_base32(fingerprint):
    """The bare form of a fingerprint: 13 or 52 characters."""
    number, bits = _number_and_bits(fingerprint)
    number <<= _SPARE_BITS[bits]
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(bits // 5 * 5, -1, -5))


# SER-3, SER-2, SER-4, SER-5, MIN-9
def from_base32(string, label=LABEL):
    """The fingerprint of a string in the bare form, read under a label."""
    bits = _bits_of_label(label)
    match = _BARE[bits].fullmatch(_require_text(string, "the fingerprint"))
    if not match:
        raise SimhashDocError(INVALID_FINGERPRINT, "not %d characters of base32" % (bits // 5 + 1))
    number = 0
    for character in match.group(1).upper():
        number = number << 5 | _NUMBER_OF[character]
    if number & (1 << _SPARE_BITS[bits]) - 1:
        raise SimhashDocError(INVALID_FINGERPRINT, "a spare bit is 1")
    return _fingerprint_of_number(number >> _SPARE_BITS[bits], bits)


# SER-6, MIN-9
def to_hex(fingerprint):
    """The hexadecimal form of a fingerprint: 16 or 64 digits in lower case."""
    return to_octets(fingerprint).hex()


# SER-6, MIN-9
def from_hex(string, label=LABEL):
    """The fingerprint of a string in the hexadecimal form, read under a label."""
    bits = _bits_of_label(label)
    if not _HEXADECIMAL.fullmatch(_require_text(string, "the fingerprint")) or len(string) != bits // 4:
        raise SimhashDocError(INVALID_FINGERPRINT, "not %d hexadecimal digits" % (bits // 4))
    return _fingerprint_of_number(int(string, 16), bits)


# LAB-1, LAB-2, LAB-3
def read_label(string):
    """The label in lower case, if it is registered."""
    label = _require_text(string, "the label").translate(_ASCII_LOWER)
    if label not in REGISTERED_LABELS:
        raise SimhashDocError(INVALID_LABEL, "the label is not registered")
    return label


# SER-7, LAB-1
def to_labelled(fingerprint, label):
    """The labelled form of a fingerprint. The label is read before the fingerprint is looked at."""
    label = read_label(label)
    return label + ":" + to_base32(_require_fingerprint_of(label, fingerprint))


# SER-8, LAB-4
def from_labelled(string):
    """(label, fingerprint) of a string in the labelled form."""
    label, colon, bare = _require_text(string, "the labelled fingerprint").partition(":")
    if not colon:
        raise SimhashDocError(INVALID_LABEL, "the label is missing")
    label = read_label(label)
    return label, from_base32(bare, label)


# ----------------------------------------------------------------------------------------------------------------
# Step 10: Compare
# ----------------------------------------------------------------------------------------------------------------


def _distance_and_bits(a, b):
    x, bits = _number_and_bits(a, "the first one")
    y, bits_of_y = _number_and_bits(b, "the second one")
    if bits != bits_of_y:
        raise SimhashDocError(WRONG_TYPE, "the fingerprints have %d and %d bits" % (bits, bits_of_y))
    return bin(x ^ y).count("1"), bits


# CMP-3, CMP-1, MIN-10
def distance(a, b):
    """The Hamming distance of two fingerprints."""
    return _distance_and_bits(a, b)[0]


# CMP-4, MIN-10
def similarity(a, b):
    """The similarity of two fingerprints, 0.0 to 1.0."""
    d, bits = _distance_and_bits(a, b)
    return 1 - d / bits


# CMP-5, MIN-10
def is_close(a, b):
    d, bits = _distance_and_bits(a, b)
    return d <= CLOSE_DISTANCES[bits]


# CMP-6, MIN-10
def is_loose(a, b):
    d, bits = _distance_and_bits(a, b)
    return d <= LOOSE_DISTANCES[bits]


# CMP-6, CMP-5
def verdict(a, b):
    """The strongest that holds: "close", "loose" or "none"."""
    if is_close(a, b):
        return "close"
    return "loose" if is_loose(a, b) else "none"


# CMP-2, CMP-1
def compare_labelled(a, b):
    """(distance, similarity, verdict) of two labelled fingerprints.

    None stands for a document without a fingerprint, which is refused. The arguments are looked at from left to
    right, and the labels are compared at last.
    """
    read = []
    for labelled in (a, b):
        if labelled is None:
            raise SimhashDocError(NO_FINGERPRINT, "a document without a fingerprint cannot be compared")
        read.append(from_labelled(labelled))
    (label_a, x), (label_b, y) = read
    if label_a != label_b:
        raise SimhashDocError(LABEL_MISMATCH, "the labels differ")
    return distance(x, y), similarity(x, y), verdict(x, y)


# ----------------------------------------------------------------------------------------------------------------
# Step 11: Lookup tables
# ----------------------------------------------------------------------------------------------------------------


def _require_table(table):
    return _require_integer(table, 0, TABLES - 1, "the table")


def _join(parts, width):
    number = 0
    for part in parts:
        number = number << width | part
    return number


def _cut(number, count, width):
    mask = (1 << width) - 1
    return [number >> width * place & mask for place in range(count - 1, -1, -1)]


# TAB-1, TAB-2, TAB-4
def permute(fingerprint, table):
    """The permuted fingerprint of a table."""
    _require_fingerprint(fingerprint)
    i, j = divmod(_require_table(table), 4)
    blocks = _cut(fingerprint, 4, 16)
    block = blocks.pop(i)
    sub_blocks = _cut(_join(blocks, 16), 4, 12)
    sub_block = sub_blocks.pop(j)
    return block << 48 | sub_block << 36 | _join(sub_blocks, 12)


# TAB-1, TAB-2, TAB-4
def unpermute(permuted, table):
    """The fingerprint that has this permuted fingerprint in a table."""
    _require_fingerprint(permuted, "the permuted fingerprint")
    i, j = divmod(_require_table(table), 4)
    sub_blocks = _cut(permuted & (1 << 36) - 1, 3, 12)
    sub_blocks.insert(j, permuted >> 36 & 0xFFF)
    blocks = _cut(_join(sub_blocks, 12), 3, 16)
    blocks.insert(i, permuted >> 48)
    return _join(blocks, 16)


# TAB-3
def table_key(fingerprint, table):
    """The key of a table: 28 bits."""
    return permute(fingerprint, table) >> 36


def table_keys(fingerprint):
    """The 16 keys of a fingerprint, table 0 first."""
    return [table_key(fingerprint, table) for table in range(TABLES)]


def _require_distance(k):
    return _require_integer(k, 0, BITS, "k")


def _masks(bits, most):
    """The numbers of so many bits of which at most `most` are 1, with the number of these."""
    for ones in range(min(bits, most) + 1):
        for places in combinations(range(bits), ones):
            yield sum(1 << place for place in places), ones


# LKP-5
def probe_count(k):
    """The number of probes of a table."""
    _require_distance(k)
    lower = Counter(ones for _, ones in _masks(12, 12))
    upper = Counter(ones for _, ones in _masks(16, k // 4))
    return sum(
        count * sum(lower[e2] for e2 in range((k - e1) // 4 + 1))
        for e1, count in upper.items()
    )


# LKP-5
def probes(fingerprint, table, k):
    """The probes of a table for a fingerprint and a distance, in ascending order (an iterator)."""
    key = table_key(fingerprint, table)
    _require_distance(k)
    return _probes_of_key(key, k)


def _probes_of_key(key, k):
    u, w = key >> 12, key & 0xFFF
    lower = {}
    for e1 in range(k // 4 + 1):
        most = (k - e1) // 4
        if most not in lower:
            lower[most] = sorted(w ^ mask for mask, _ in _masks(12, most))
    for upper, e1 in sorted((u ^ mask, ones) for mask, ones in _masks(16, k // 4)):
        for number in lower[(k - e1) // 4]:
            yield upper << 12 | number


def _require_identifier(identifier):
    _require_text(identifier, "the document identifier")
    if _SURROGATE.search(identifier):
        raise SimhashDocError(WRONG_TYPE, "the document identifier holds a surrogate")
    if not identifier:
        raise SimhashDocError(OUT_OF_RANGE, "the document identifier is empty")
    return identifier


class Index:
    """Entries of one label, in which fingerprints can be looked up."""

    # Above it, comparing with all entries is sooner done than looking up all probes.
    LARGEST_DISTANCE_BY_TABLES = 7

    def __init__(self, label):
        self.label = read_label(label)
        self._fingerprints = {}
        self._tables = None

    def __len__(self):
        return len(self._fingerprints)

    # LKP-1
    def add(self, identifier, fingerprint):
        """Enters a document. A fingerprint that is stored for the same identifier is replaced."""
        _require_identifier(identifier)
        self._fingerprints[identifier] = _require_fingerprint_of(self.label, fingerprint)
        self._tables = None

    def add_labelled(self, identifier, labelled):
        """Enters a document with a labelled fingerprint."""
        _require_identifier(identifier)
        self.add(identifier, self._read(labelled))

    def remove(self, identifier):
        """Removes a document. Says whether it was there."""
        _require_identifier(identifier)
        self._tables = None
        return self._fingerprints.pop(identifier, None) is not None

    # LKP-2, LKP-3, LKP-4, LKP-1, CMP-7, MIN-11
    def look_up(self, fingerprint, k=DEFAULT_DISTANCE):
        """All entries within distance k: a list of (identifier, fingerprint, distance). It is complete.

        Of 256 bits, an entry is within k if one of its four words is; the distance is that of all bits.
        """
        fingerprint = _require_fingerprint_of(self.label, fingerprint)
        _require_distance(k)
        if k <= self.LARGEST_DISTANCE_BY_TABLES:
            candidates = self._candidates(fingerprint, k)
        else:
            candidates = self._fingerprints
        found = []
        for identifier in candidates:
            stored = self._fingerprints[identifier]
            if min(map(distance, words(stored), words(fingerprint))) <= k:
                found.append((identifier, stored, distance(stored, fingerprint)))
        return sorted(found, key=lambda match: (match[2], match[0].encode("utf-8")))

    # CMP-2
    def look_up_labelled(self, labelled, k=DEFAULT_DISTANCE):
        """All entries within distance k of a labelled fingerprint."""
        return self.look_up(self._read(labelled), k)

    def _read(self, labelled):
        if labelled is None:
            raise SimhashDocError(NO_FINGERPRINT, "the document has no fingerprint")
        label, fingerprint = from_labelled(labelled)
        if label != self.label:
            raise SimhashDocError(LABEL_MISMATCH, "the index is of another label")
        return fingerprint

    # TAB-5, MIN-11
    def _sorted_tables(self):
        """For each word its 16 tables."""
        if self._tables is None:
            self._tables = [
                [
                    sorted((permute(words(stored)[w], table), name) for name, stored in self._fingerprints.items())
                    for table in range(TABLES)
                ]
                for w in range(_bits_of_label(self.label) // BITS)
            ]
        return self._tables

    # LKP-6, LKP-5, MIN-11
    def _candidates(self, fingerprint, k):
        found = set()
        for word, tables in zip(words(fingerprint), self._sorted_tables()):
            for number, table in enumerate(tables):
                for probe in probes(word, number, k):
                    start = bisect_left(table, (probe << 36,))
                    end = bisect_left(table, (probe + 1 << 36,))
                    found.update(identifier for _, identifier in table[start:end])
        return found
