# SPDX-License-Identifier: MIT
"""Checks simhash_doc.py against the values that the specification prints, and against plain second methods.

    python3 selftest.py

The exit code is 0 if all checks hold, and 1 otherwise. The values are read from spec/ itself.
"""

import hashlib
import json
import os
import random
import re
import subprocess
import sys
import time
import unicodedata

import simhash_doc as sd

HERE = os.path.dirname(os.path.abspath(__file__))
SPECIFICATION = os.path.join(HERE, os.pardir, os.pardir, os.pardir, "spec")

checks = 0
failures = []


def check(what, got, expected):
    global checks
    checks += 1
    if got != expected:
        failures.append(what)
        print("FAILED %s\n  got      %a\n  expected %a" % (what, got, expected))


def code_of(function, *arguments):
    """The error code that a call gives, or None."""
    try:
        function(*arguments)
    except sd.SimhashDocError as error:
        return error.code
    return None


# ----------------------------------------------------------------------------------------------------------------
# Reading the specification
# ----------------------------------------------------------------------------------------------------------------

def read(name):
    with open(os.path.join(SPECIFICATION, name), encoding="utf-8") as file:
        return file.read()


MARKDOWN = "".join(map(read, ["simhash-doc.md", "lookup.md", "conformance.md"]))


def table(*header):
    """The rows of the one table with this header, as lists of cells."""
    lines = MARKDOWN.split("\n")
    wanted = "| " + " | ".join(header) + " |"
    if lines.count(wanted) != 1:
        raise ValueError("not exactly one table with the header %s" % wanted)
    rows = []
    for line in lines[lines.index(wanted) + 2:]:
        if not line.startswith("|"):
            return rows
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def spans(cell):
    """The contents of the code spans in a cell."""
    return re.findall("`([^`]*)`", cell)


def literal(span):
    """The text that a span shows, with the notation for spaces and for code points resolved."""
    span = span.replace("\u2423", " ")
    return re.sub("\u2039U\\+([0-9A-F]{4,6})\u203A", lambda match: chr(int(match.group(1), 16)), span)


CODE_POINTS = re.compile(r"U\+[0-9A-F]{4,6}(?: U\+[0-9A-F]{4,6})*")


def code_points(span):
    """The text of a span such as `U+0061 U+0301`."""
    return "".join(chr(int(point[2:], 16)) for point in span.split())


def text_of(span):
    return code_points(span) if CODE_POINTS.fullmatch(span) else literal(span)


# ----------------------------------------------------------------------------------------------------------------
# Published values
# ----------------------------------------------------------------------------------------------------------------


def check_decode():
    for octets, text in table("Octets", "Text"):
        data = bytes.fromhex(spans(octets)[0])
        check("decode " + octets, sd.decode_utf8(data), code_points(spans(text)[0]))
    check("pair", sd.decode_utf16([0xD83D, 0xDE00]), "\U0001F600")
    check("lone", sd.decode_utf16([0xD83D, 0x61, 0xDE00, 0xD83D]), "\uFFFDa\uFFFD\uFFFD")
    check("two high, one low", sd.decode_utf16([0xD83D, 0xD83D, 0xDE00]), "\uFFFD\U0001F600")
    check("no mark dropped", sd.decode_utf16([0xFEFF, 0x61]), "\uFEFFa")
    check("str with surrogates", sd.decode_text("a\uDE00\uD83D\uDE00\uD83D"), "a\uFFFD\U0001F600\uFFFD")


def check_classes():
    path = sd.word_classes_path()
    with open(path, "rb") as file:
        data = file.read()
    length, name = re.search(r"SHA-256 of the (\d+) octets of \[(.*?)\]", MARKDOWN).groups()
    check("length of " + name, len(data), int(length))
    check("digest of " + name, hashlib.sha256(data).hexdigest() in MARKDOWN, True)
    for points, name in (
        ("0041 00E9 4E2D 30FC 02B0", "letter"),
        ("0301 094D 0663 005F 1734", "word"),
        ("093F 2167 00B2 2019 200B FFFD E000", "break"),
        ("00AD 200D FE0F 3164 2065", "ignorable"),
        ("0378 FFFE 32FF", "unassigned"),
    ):
        for point in points.split():
            check("class of " + point, sd.classify(int(point, 16)), name)
    listed = re.search(r"except `U\+200B`: (.*?) \|", MARKDOWN).group(1)
    ends = [[int(point, 16) for point in item.split("\u2013")] for item in listed.split(",")]
    expected = [(points[0], points[-1]) for points in ends]
    mine = [(start, end) for start, end, name in sd._CLASS_RANGES if name == "ignorable"]
    check("list of CLS-2", mine, expected)
    check("surrogate", sd.classify(0xD800), "break")


def check_normalise():
    for source, result, rule in table("Input", "Output", "Rule"):
        text = "".join(text_of(span) for span in spans(source))
        expected = text if result == "unchanged" else text_of(spans(result)[0])
        check("normalise %s (%s)" % (source, rule), sd.normalise(text), expected)


def check_locators():
    for source, form, remains, _ in table("Input", "Form", "What remains", "Remark"):
        text = literal(spans(source)[0])
        expected = text if remains == "unchanged" else literal(spans(remains)[0])
        forms = [] if form == "\u2013" else [int(number) for number in form.split(",")]
        check("strip " + source, sd.strip_locators(text), expected)
        check("forms in " + source, [number for _, _, number in sd.find_locators(text)], forms)
    check("kelvin sign", sd.strip_locators(sd.normalise("ar\u212A:x")), " ")
    check("not equal", sd.strip_locators(sd.normalise("doi:=\u0338")), "doi:\u2260")


def check_tokens():
    for texts, tokens in table("Text", "Tokens"):
        literals = [literal(span) for span in spans(texts) if not CODE_POINTS.fullmatch(span)]
        expected = [literal(span) for span in spans(tokens) if not CODE_POINTS.fullmatch(span)]
        for text in literals:
            check("tokens of " + texts, sd.tokenise(text), expected)


BG1, MINHASH, LONG = "simhash-doc+bg1", "minhash-doc", "minhash-doc-256"


def check_bigrams():
    thai = "\u0E01\u0E33\u0E25\u0E31\u0E07"
    for text, tokens in {
        "\u4E2D": ["\u4E2D"],
        "\u6771\u4EAC\u90FD \u4EAC": ["\u6771\u4EAC", "\u4EAC\u90FD", "\u4EAC"],
        "a\u4E2D1\u6587\u5B57_x2": ["a", "\u4E2D", "\u6587\u5B57", "_x2"],
        thai: ["\u0E01\u0E33", "\u0E33\u0E25\u0E31", "\u0E25\u0E31\u0E07"],
        "\u4E2D\u0301\u0302": ["\u4E2D\u0301\u0302"],
        "\u0301\u4E2D1\u0301\u6587": ["\u4E2D", "\u6587"],
        "a\u0301\u4E2D\u0301b": ["a\u0301", "\u4E2D\u0301", "b"],
        "\u4E2D\U00020000\u3042": ["\u4E2D\U00020000", "\U00020000\u3042"],
        "\uD55C\uAD6D\uC5B4 Word": ["\uD55C\uAD6D\uC5B4", "Word"],
        "1\u0301": [],
    }.items():
        check("bg1 %a" % text, sd.tokenise(text, BG1), tokens)
        for label in (MINHASH, LONG):
            check("%s %a" % (label, text), sd.tokenise(text, label), tokens)
    for start, end, kind in sd._BIGRAM_RANGES:
        classes = {sd.classify(point) for point in range(start, end + 1)}
        check("bg1.txt %04X" % start, classes <= ({"letter"} if kind == "joined" else {"word", "ignorable"}), True)


FOX = "The quick brown fox jumps over the lazy dog."
LONG_FOX = "EZEFOEQ2U2YJ7LG5UOZXYXVBMH7YDKPKR26BDSUOE5VLGHBGL6WQ"


def check_minhash():
    check("S(1234567, n)", [sd.draw(1234567, n) for n in range(2)], [6457827717110365317, 3203168211198807973])
    for text, bare in {
        FOX: "EZEFOEQ2U2YJ6", "a": "GEIVFIXBGPOBK",
        "\u6771\u4EAC\u30BF\u30EF\u30FC\u3078\u884C\u304F\u3002": "6LZYUFY5IMGIW",
        "hello world": "DBH7LFUXLLC6E", "123": None,
    }.items():
        number = sd.fingerprint(text, MINHASH)
        check("minhash-doc of %a" % text, number if number is None else sd.to_base32(number), bare)
        check("truncated, %a" % text, number, number if number is None else sd.truncate(sd.fingerprint(text, LONG)))
    check("256 bits", sd.to_labelled(sd.fingerprint(FOX, LONG), LONG), LONG + ":" + LONG_FOX)
    check("repeated tokens", sd.fingerprint("b a a b a", LONG), sd.fingerprint("a b", LONG))
    check("no hashes", (sd.minhash([], LONG), sd.minhash_draws([], LONG)), (None, []))
    state = sd.MinHash(LONG)
    for element in (5, 7, 5, 0):
        state.add(element)
    check("stream", state.fingerprint(), sd.minhash([0, 5, 7], LONG))
    check("draws of the stream", state.draws(), sd.minhash_draws([7, 5, 0], LONG))


def plain_draws(elements, words):
    """The winning draws by the first wording of the definition: bin by bin, over all elements."""
    for word in range(words):
        for i in range(64):
            for r in range(64):
                drawn = [y for y in (sd.draw(x, 128 * word + r) for x in elements) if y >> 58 == i]
                if drawn:
                    break
            else:
                drawn = [sd.draw(x, 128 * word + 64 + i) for x in elements]
            yield min(drawn)


def check_minhash_against_plain():
    generator = random.Random(7)
    for n in (1, 1, 2, 3, 5, 20, 80, 500):
        elements = [generator.getrandbits(64) for _ in range(n)]
        draws = list(plain_draws(elements, 4))
        check("draws of %d" % n, sd.minhash_draws(elements, LONG), draws)
        check("draws of %d, one word" % n, sd.minhash_draws(elements), draws[:64])
        bits = "".join(str(y % 2) for y in draws)
        check("bits of %d" % n, sd.minhash(elements, LONG), int(bits, 2).to_bytes(32, "big"))


def check_long():
    fox = sd.fingerprint(FOX, LONG)
    digits = sd.to_hex(fox)
    check("hexadecimal", (len(digits), sd.from_hex(digits.upper(), LONG)), (64, fox))
    for form in (LONG_FOX, LONG_FOX.lower(), LONG_FOX + "===="):
        check("read " + form, sd.from_base32(form, LONG), fox)
        check("read labelled " + form, sd.from_labelled("MinHash-Doc-256:" + form), (LONG, fox))
    for form in [LONG_FOX[:-1] + last for last in "BCEIPRX7"] + [
        LONG_FOX + "===", LONG_FOX + "=====", LONG_FOX + "=", LONG_FOX[:-1], LONG_FOX[:13], "", LONG_FOX + "\n",
    ]:
        check("refuse " + form, code_of(sd.from_base32, form, LONG), "invalid-fingerprint")
    check("read with another label", code_of(sd.from_labelled, MINHASH + ":" + LONG_FOX), "invalid-fingerprint")
    check("13 characters", code_of(sd.from_labelled, LONG + ":EZEFOEQ2U2YJ6"), "invalid-fingerprint")
    for length in (16, 63, 65):
        check("%d digits" % length, code_of(sd.from_hex, "0" * length, LONG), "invalid-fingerprint")
    check("octets", sd.from_octets(sd.to_octets(fox), LONG), fox)
    check("31 octets", code_of(sd.from_octets, bytes(31), LONG), "out-of-range")
    check("truncate none", code_of(sd.truncate, None), "no-fingerprint")
    check("draw 512", [code_of(sd.draw, 0, n) for n in (511, 512, -1, 0.5, None)],
          [None, "out-of-range", "out-of-range", "out-of-range", "wrong-type"])
    for d in range(257):
        x, y = bytes(32), ((1 << d) - 1).to_bytes(32, "big")
        expected = "close" if d <= 5 else "loose" if d <= 25 else "none"
        found = sd.distance(x, y), sd.similarity(x, y), sd.verdict(x, y)
        check("verdict %d of 256" % d, found, (d, 1 - d / 256, expected))


def check_long_index():
    generator = random.Random(8)
    query = generator.getrandbits(256)
    stored = {"b": query, "\uFFFD": query ^ 1, "\U0001F600": query ^ 1 << 255}
    for number in range(60):
        other = generator.getrandbits(256)
        word = generator.randrange(4)
        flips = sum(1 << place for place in generator.sample(range(64), number % 12))
        mask = sd.MASK_64 << 64 * word
        stored["d%d" % number] = other & ~mask | (query ^ flips << 64 * word) & mask
    index = sd.Index(LONG)
    for name, number in stored.items():
        index.add(name, number.to_bytes(32, "big"))
    for k in (0, 3, 5, 7, 8, 64):
        expected = []
        for name, number in stored.items():
            differing = number ^ query
            if min(bin(differing >> 64 * word & sd.MASK_64).count("1") for word in range(4)) <= k:
                expected.append((name, number.to_bytes(32, "big"), bin(differing).count("1")))
        expected.sort(key=lambda match: (match[2], match[0].encode("utf-8")))
        check("look up 256 bits, k = %d" % k, index.look_up(query.to_bytes(32, "big"), k), expected)
    check("add 64 bits", code_of(index.add, "x", 5), "wrong-type")


def check_hash():
    for octets, pc, pb, c, b in table("Octets (ASCII)", "*pc*", "*pb*", "*c*", "*b*"):
        data = b"" if octets == "(none)" else spans(octets)[0].encode("ascii")
        pc, pb, c, b = (int(spans(cell)[0], 16) for cell in (pc, pb, c, b))
        check("lookup3 " + octets, sd.lookup3(data, pc, pb), (c, b))
    for length, octets, c, b, joined in table("*n*", "Octets (ASCII)", "*c*", "*b*", "Token hash"):
        data = spans(octets)[0].encode("ascii")
        c, b, joined = (int(spans(cell)[0], 16) for cell in (c, b, joined))
        check("length of " + octets, len(data), int(length))
        check("lookup3 " + octets, sd.lookup3(data), (c, b))
        check("token hash " + octets, sd.token_hash(data), joined)


def check_simhash():
    check("no hashes", sd.simhash([]), None)
    check("counters of none", sd.simhash_counters([]), [0] * 64)
    check("one hash", sd.simhash([0x582647AC58D68708]), 0x582647AC58D68708)
    check("ties", sd.simhash([0x582647AC58D68708, 0x582647AC58D68708 ^ sd.MASK_64]), 0)
    check("each occurrence", sd.simhash([1, 1, 2]), 1)
    check("bit 0", sd.simhash_counters([1 << 63]), [1] + [-1] * 63)


def check_serialise():
    for hexadecimal, written, also in table("Fingerprint (hexadecimal)", "Written", "Also read"):
        number = sd.from_hex(spans(hexadecimal)[0])
        check("write " + hexadecimal, sd.to_base32(number), spans(written)[0])
        check("write hexadecimal " + hexadecimal, sd.to_hex(number), spans(hexadecimal)[0])
        for form in spans(written) + spans(also):
            check("read " + form, sd.from_base32(form), number)
            check("read labelled " + form, sd.from_labelled("SimHash-DOC:" + form), ("simhash-doc", number))
    refused = ["GAQM5KRDOWTU4\n", " GAQM5KRDOWTU4", "GAQM5KRDOWTU4 ", "", "\uFF27AQM5KRDOWTU4", "GAQM5KRDOWT\u017F4",
               "GAQM5KRDOWTU", "GAQM5KRDOWTU4AAA", "GAQM5KRDOWTU5", "GAQM5KRDOWTU4=", "GAQM5KRDOWTU4==",
               "GAQM5KRDOWTU4====", "GAQM5-KRDOW-TU4", "0AQM5KRDOWTU4", "GAQM5KRD1WTU4", "GAQM8KRDOWTU4",
               "GAQM5\u212ARDOWTU4", "simhash-doc:GAQM5KRDOWTU4"]
    for string in refused:
        check("refuse %a" % string, code_of(sd.from_base32, string), "invalid-fingerprint")
    for character in "ACEGIKMOQSUWY246acegikmoqsuwy":
        check("last " + character, code_of(sd.from_base32, "A" * 12 + character), None)
    for character in "BDFHJLNPRTVXZ357bdfhjlnprtvxz":
        check("last " + character, code_of(sd.from_base32, "A" * 12 + character), "invalid-fingerprint")
    for label in sd.REGISTERED_LABELS[:3]:
        check("label " + label, sd.from_labelled(label.upper() + ":GAQM5KRDOWTU4"), (label, 0x3020CEAA2375A74E))
    for string in ("0x20ceaa2375a74e", "020ceaa2375a74e", "3020ceaa2375a74e\n", "3020ceaa2375a74\u0665", ""):
        check("refuse hexadecimal %a" % string, code_of(sd.from_hex, string), "invalid-fingerprint")
    check("capital hexadecimal", sd.from_hex("3020CEAA2375A74E"), 0x3020CEAA2375A74E)
    bare = "GAQM5KRDOWTU4"
    labels = ("simhash-doc+x1:", "simhash-doc :", ":", "", "simhash:", "s\u0131mhash-doc:", "\u017Fimhash-doc:",
              "simhash-doc+:", "simhash-doc+bg1+x1:", "simhash-doc+bg1+bg1:", "minhash-doc+bg1:", "minhash-doc-64:",
              "minhash-doc-256+bg1:", "minhash:")
    for label in labels:
        check("label %a" % label, code_of(sd.from_labelled, label + bare), "invalid-label")
        check("label before fingerprint %a" % label, code_of(sd.from_labelled, label + "0"), "invalid-label")
    check("bad bare form", code_of(sd.from_labelled, "simhash-doc:simhash-doc:" + bare), "invalid-fingerprint")
    check("write labelled", sd.to_labelled(0x3020CEAA2375A74E, "SIMHASH-DOC"), "simhash-doc:" + bare)


def check_compare():
    for d in range(65):
        check("similarity %d" % d, sd.similarity(0, (1 << d) - 1), 1 - d / 64)
        expected = "close" if d <= 1 else "loose" if d <= 6 else "none"
        check("verdict %d" % d, sd.verdict(0, (1 << d) - 1), expected)
    check("greatest distance", sd.distance(0, sd.MASK_64), 64)
    check("least similarity", sd.similarity(0, sd.MASK_64), 0.0)
    good = "simhash-doc:AAAAAAAAAAAAA"
    check("compare", sd.compare_labelled(good, "simhash-doc:7777777777776"), (64, 0.0, "none"))
    check("compare none", code_of(sd.compare_labelled, None, "x"), "no-fingerprint")
    check("compare, left first", code_of(sd.compare_labelled, "x", None), "invalid-label")
    check("compare bg1", sd.compare_labelled(BG1 + ":AAAAAAAAAAAAA", BG1.upper() + ":AAAAAAAAAAAAC")[0], 1)
    check("schemes differ", code_of(sd.compare_labelled, good, MINHASH + ":AAAAAAAAAAAAA"), "label-mismatch")
    check("labels differ", code_of(sd.compare_labelled, good, BG1 + ":AAAAAAAAAAAAA"), "label-mismatch")
    check("compare labels last", code_of(sd.compare_labelled, good, BG1 + ":A"), "invalid-fingerprint")
    check("compare two nones", code_of(sd.compare_labelled, None, None), "no-fingerprint")


def check_tables():
    check("example", sd.table_key(0x3020CEAA2375A74E, 6), 216704858)
    check("example", sd.permute(0x3020CEAA2375A74E, 6), 0xCEAA75A30202374E)
    header = re.search(r"\n\| \*k\* \|([0-9 |]+)\|\n", MARKDOWN).group(1).split("|")
    each = re.search(r"\n\| probes per table \|([0-9 |]+)\|\n", MARKDOWN).group(1).split("|")
    for k, count in zip(map(int, header), map(int, each)):
        found = list(sd.probes(0x3020CEAA2375A74E, 6, k))
        check("probes, k = %d" % k, (sd.probe_count(k), len(found)), (count, count))
        check("ascending, k = %d" % k, found, sorted(set(found)))
    check("all probes", sd.probe_count(64), 1 << 28)
    generator = random.Random(1)
    for _ in range(200):
        number = generator.getrandbits(64)
        for t in range(16):
            permuted = sd.permute(number, t)
            check("inverse", sd.unpermute(permuted, t), number)
            check("key first", permuted >> 36, sd.table_key(number, t))


def check_core_values():
    for text, tokens, hexadecimal, base32 in table("Text", "Tokens", "Hexadecimal", "Base32"):
        text = spans(text)[0]
        number = sd.fingerprint(text)
        check("tokens of " + text, len(sd.tokenise(sd.normalise(text))), int(tokens))
        check("fingerprint of " + text, sd.to_hex(number), spans(hexadecimal)[0])
        check("fingerprint of " + text, sd.to_base32(number), spans(base32)[0])
        check("fingerprint of octets", sd.fingerprint(text.encode("utf-8")), number)
    for text in ("", "2024 _ 1_000", "http://example.org/", "\u00AD"):
        check("no fingerprint", sd.fingerprint(text), None)


def check_worked_example():
    example = json.loads(re.search(r"```json\n(.*?)\n```", MARKDOWN, re.DOTALL).group(1))
    decoded = sd.decode_utf8(bytes.fromhex(example["utf8"]))
    normalised = sd.normalise(decoded)
    stripped = sd.strip_locators(normalised)
    tokens = sd.tokenise(stripped)
    hashes = [sd.token_hash(token) for token in tokens]
    number = sd.simhash(hashes)
    found = {
        "utf8": example["utf8"],
        "decoded": decoded,
        "normalised": normalised,
        "stripped": stripped,
        "tokens": tokens,
        "hashes": ["%016x" % value for value in hashes],
        "counters": sd.simhash_counters(hashes),
        "hex": sd.to_hex(number),
        "fingerprint": sd.to_base32(number),
        "labelled": sd.to_labelled(number, "simhash-doc"),
        "keys": sd.table_keys(number),
        "permuted": [sd.to_hex(sd.permute(number, t)) for t in range(sd.TABLES)],
    }
    check("members of the example", list(found), list(example))
    for member, value in example.items():
        check(member, found[member], value)
    check("octets", sd.from_octets(sd.to_octets(number)), number)


def check_errors():
    check("set of codes", [spans(row[0])[0] for row in table("Code", "Meaning")], list(sd.ERROR_CODES))
    calls = [
        ("wrong-type", sd.decode_utf8, 1), ("wrong-type", sd.normalise, b"a"), ("wrong-type", sd.strip_locators, None),
        ("wrong-type", sd.tokenise, 1), ("wrong-type", sd.fingerprint, 1), ("wrong-type", sd.classify, "a"),
        ("out-of-range", sd.classify, -1), ("out-of-range", sd.classify, 0x110000), ("out-of-range", sd.classify, 0.5),
        ("wrong-type", sd.token_hash, 1), ("wrong-type", sd.lookup3, "a"), ("out-of-range", sd.lookup3, b"", 1 << 32),
        ("out-of-range", sd.lookup3, b"", 0, -1), ("wrong-type", sd.simhash, [None]), ("wrong-type", sd.simhash, 1),
        ("out-of-range", sd.simhash, [1 << 64]), ("no-fingerprint", sd.to_base32, None), ("wrong-type", sd.to_hex, "a"),
        ("out-of-range", sd.to_octets, 1 << 64), ("wrong-type", sd.to_octets, True),
        ("out-of-range", sd.from_octets, b"1234567"), ("wrong-type", sd.from_base32, None),
        ("wrong-type", sd.read_label, None), ("invalid-label", sd.to_labelled, 0, "x"),
        ("invalid-label", sd.to_labelled, None, "x"), ("no-fingerprint", sd.to_labelled, None, "simhash-doc"),
        ("no-fingerprint", sd.distance, None, "x"),
        ("out-of-range", sd.distance, -1, None), ("out-of-range", sd.permute, 0, 16),
        ("out-of-range", sd.unpermute, 1 << 64, 99), ("wrong-type", sd.table_key, 0, None),
        ("no-fingerprint", sd.table_keys, None), ("out-of-range", sd.probes, 0, 0, 65),
        ("out-of-range", sd.probes, 0, 0, -1), ("out-of-range", sd.probes, 0, 0, 1.5), ("invalid-label", sd.Index, "x"),
        ("invalid-label", sd.tokenise, "a", "simhash-doc+bg1+x1"), ("invalid-label", sd.minhash, [], ""),
        ("invalid-label", sd.fingerprint, "a", "minhash-doc+bg1"), ("wrong-type", sd.tokenise, "a", None),
        ("out-of-range", sd.minhash, [1 << 64]), ("wrong-type", sd.minhash, [None]), ("wrong-type", sd.truncate, 1),
        ("wrong-type", sd.to_labelled, 1, "minhash-doc-256"), ("wrong-type", sd.distance, 0, bytes(32)),
    ]
    for code, function, *arguments in calls:
        check("%s%a" % (function.__name__, tuple(arguments)), code_of(function, *arguments), code)
    index = sd.Index("simhash-doc")
    check("add none", code_of(index.add, "a", None), "no-fingerprint")
    check("look up none", code_of(index.look_up, None), "no-fingerprint")
    check("look up far", code_of(index.look_up, 0, 65), "out-of-range")


# ----------------------------------------------------------------------------------------------------------------
# Second methods
# ----------------------------------------------------------------------------------------------------------------


def plain_bigrams(token):
    """Step 5 of bg1 as it is written: a kind for each code point, then units, then runs."""
    def kind_of(character):
        return next((kind for start, end, kind in sd._BIGRAM_RANGES if start <= ord(character) <= end), None)
    runs = []                                              # (whether of units, the units or the other code points)
    for character in token:
        kind = kind_of(character)
        units = kind == "joined" or kind == "mark" and bool(runs) and runs[-1][0]
        if not runs or runs[-1][0] != units:
            runs.append((units, []))
        if kind == "mark" and units:
            runs[-1][1][-1] += character
        else:
            runs[-1][1].append(character)
    for units, parts in runs:
        if units and len(parts) > 1:
            yield from (parts[i] + parts[i + 1] for i in range(len(parts) - 1))
        elif units or any(sd.classify(ord(character)) == "letter" for character in parts):
            yield "".join(parts)


def check_bigrams_against_plain():
    generator = random.Random(6)
    for _ in range(3000):
        text = "".join(generator.choice("ab1_ \u0301\u0302\u4E2D\u6587\u0E01\u0E31\u0E33\uAC00") for _ in range(12))
        expected = [part for token in sd.tokenise(text) for part in plain_bigrams(token)]
        check("bg1 %a" % text, sd.tokenise(text, BG1), expected)


def check_decode_against_library():
    generator = random.Random(2)
    octets = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBB, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
              0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF]
    for _ in range(20000):
        data = bytes(generator.choice(octets) for _ in range(generator.randrange(12)))
        rest = data[3:] if data.startswith(sd.BYTE_ORDER_MARK) else data
        check("decode %a" % data, sd.decode_utf8(data), rest.decode("utf-8", "replace"))
        units = [data[i] << 8 | data[i + 1] for i in range(0, len(data) - 1, 2)]
        library = data[:len(units) * 2].decode("utf-16-be", "replace")
        check("units %a" % data, sd.decode_utf16(units), library)


def check_marks():
    """Long runs of marks have the NFC that the library finds, by its slow way, without help."""
    generator = random.Random(3)
    marks = "\u0301\u0323\u0308\u0345\u0F71\u0F72\u0F73\u0F75\u0F81\u0F80\u0344\u0316\u05B0\u0334\u302E\U0001D165"
    for _ in range(300):
        text = ""
        for _ in range(generator.randrange(1, 4)):
            text += generator.choice(["a", "\u00E9", "\u1E69", "\u0F40", "\u1161", "\uAC00", "\U0001D157", " ", ""])
            text += "".join(generator.choice(marks) for _ in range(generator.randrange(200)))
        check("marks", sd.normalise(text), unicodedata.normalize("NFC", text))


URIC = r"[A-Za-z0-9\-._~%:/?#\[\]@!$&'()*+,;=]"
PLAIN_FORMS = [re.compile(pattern, re.ASCII) for pattern in (
    r"[A-Za-z][A-Za-z0-9+.\-]*://" + URIC + "+",
    r"[Ww][Ww][Ww]\." + URIC + "+",
    r"(?i:ark|arxiv|cid|data|did|doi|hdl|info|isbn|issn|magnet|mailto|orcid|pmcid|pmid|swh|tel|urn):" + URIC + "+",
    r"10\.[0-9]{4,9}(?:\.[0-9]+)*/" + URIC + "+",
    r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+",
    r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}(?![A-Za-z0-9])",
    r"(?=[A-Fa-f]*[0-9])[0-9A-Fa-f]{32,}(?![A-Za-z0-9])",
)]


def plain_strip(text):
    """Step 4 as its algorithm is written, at every position, with one regular expression for each form."""
    output = []
    i = 0
    while i < len(text):
        found = None
        if i == 0 or not re.match("[A-Za-z0-9]", text[i - 1]):
            found = next(filter(None, (form.match(text, i) for form in PLAIN_FORMS)), None)
        if found:
            output.append(" ")
            i = found.end()
        else:
            output.append(text[i])
            i += 1
    return "".join(output)


def check_locators_against_plain():
    generator = random.Random(4)
    pieces = [
        list("ab1./:@-_ \u00E9%+"), ["10.", "1000", "1", ".", "/", "x", " ", "-", "12345678", "\u00E9"],
        ["http", "://", ":", "/", "s", ".", "+", "1", " ", "www.", "WWW", "(", "<", "\u017F"],
        ["doi", "DOI", ":", "isbn", "tel", "x", "-", "1", " ", "\u0131", "data", "@", "urn:"],
        ["a", "b1", "@", ".", "-", "_", ".c", " ", "..", "%", "10.1000/"],
        ["550e8400", "e29b", "41d4", "a716", "446655440000", "-", "-", "-", " ", "x", "\u00E9", "@y.z"],
        ["deadbeef", "aaaaaaaa", "0", "A", "cafe" * 8, " ", "-", "g", "\u00E9"],
    ]
    for round_ in range(21000):
        alphabet = pieces[round_ % len(pieces)]
        text = "".join(generator.choice(alphabet) for _ in range(generator.randrange(1, 16)))
        check("strip %a" % text, sd.strip_locators(text), plain_strip(text))


def check_index():
    generator = random.Random(5)
    centre = generator.getrandbits(64)
    stored = {}
    for number in range(400):
        mask = 0
        for place in generator.sample(range(64), generator.randrange(12)):
            mask |= 1 << place
        stored["d%d" % number] = centre ^ mask
    stored["\uFFFD"] = stored["\U0001F600"] = stored["d"] = centre
    index = sd.Index("simhash-doc")
    for identifier, number in stored.items():
        index.add(identifier, number)
    for k in (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 64):
        expected = [(identifier, number, bin(number ^ centre).count("1")) for identifier, number in stored.items()]
        expected = sorted((m for m in expected if m[2] <= k), key=lambda m: (m[2], m[0].encode("utf-8")))
        check("look up, k = %d" % k, index.look_up(centre, k), expected)
    check("default", index.look_up(centre), index.look_up(centre, 3))
    check("remove", (index.remove("d"), index.remove("d"), len(index)), (True, False, len(stored) - 1))


def check_linear_time():
    """Eight times the length takes about eight times the time; a quadratic step would take 64 times."""
    texts = {
        "form 1": "a.", "form 1, dashes": "a-", "form 4": "10.1111.", "form 5": "a@", "form 5, labels": "a@b ",
        "form 5, dots": "a.b@", "form 5, underscores": "_", "prefixes": "doi:\u00E9", "hex": "dead-", "uuid": "550e8400-",
        "scheme": "a://", "ten digits": "10.1234567890.",
    }
    small, factor = 1000, 8
    for name, unit in texts.items():
        ratio = ratio_of_times(sd.strip_locators, unit * small, unit * small * factor)
        check("linear time: %s (ratio %.1f)" % (name, ratio), ratio < 4 * factor, True)
    for unit in ("\u0323\u0301", "\u0F73"):
        ratio = ratio_of_times(sd.normalise, "\u0301" + unit * small, "\u0301" + unit * small * factor)
        check("linear time: marks (ratio %.1f)" % ratio, ratio < 4 * factor, True)


def ratio_of_times(function, small, large):
    def seconds(text):
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            function(text)
            best = min(best, time.process_time() - start)
        return best
    function("\u0301" + small[:100])
    return seconds(large) / max(seconds(small), 1e-4)


def check_adapter():
    lines = [
        '{"id":"1","op":"hello","input":{"protocol":1}}',
        '{"id":"2","op":"token-hash","input":{"text":"a"}}',
        "{not json",
        "[]",
        '{"id":"5","op":"extract-html","input":{"utf8":""}}',
        '{"id":"6","op":"no-such-operation"}',
        '{"id":"7","op":"parse","input":{"serialised":"A"}}',
        '{"id":"8","op":"compare","input":{"a":null,"b":null}}',
        '{"id":"9","op":"fingerprint","input":{"utf16":"d83d00e9"}}',
        '{"id":"10","op":"fingerprint","input":{"text":""}}',
        '{"id":"11","op":"lookup","input":{"entries":[{"id":"b","fingerprint":"0000000000000000"},'
        '{"id":"a","fingerprint":"0000000000000001"}],"query":"0000000000000000","k":3}}',
        '{"id":"12","op":"probe","input":{"fingerprint":"3020ceaa2375a74e","table":6,"k":0}}',
        '{"id":"13","op":"probe","input":{"fingerprint":"3020ceaa2375a74e","table":6,"k":64}}',
        '{"id":"14","op":"unpermute","input":{"permuted":"ceaa75a30202374e","table":6}}',
        '{"id":"15","op":"normalise"}',
        '{"id":"16","op":"normalise","input":{"text":5}}',
        '{"id":"17","op":"tokenise","input":{"text":"\\u4e2d\\u6587\\u5b57","label":"simhash-doc+bg1"}}',
        '{"id":"18","op":"simhash","input":{"hashes":["0000000000000000"],"label":"simhash-doc+x1"}}',
        '{"id":"19","op":"fingerprint","input":{"text":"' + "a " * 9 + '","label":"minhash-doc"}}',
        '{"id":"20","op":"normalise","input":{"text":"\xFF"}}',
    ]
    # The last line is in Latin-1, and so no UTF-8.
    process = subprocess.run(
        [sys.executable, os.path.join(HERE, "adapter.py")],
        input=("\n".join(lines) + "\n").encode("latin-1"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    check("exit code", (process.returncode, process.stderr), (0, b""))
    replies = [json.loads(line) for line in process.stdout.decode("ascii").splitlines()]
    check("one reply each", len(replies), len(lines))
    check("ids", [reply["id"] for reply in replies],
          ["1", "2", None, None] + [str(number) for number in range(5, 20)] + [None])
    ok = [reply.get("ok") for reply in replies]
    codes = [reply.get("error", {}).get("code") for reply in replies]
    check("hello", (ok[0]["protocol"], "extract-html" in ok[0]["operations"]), (1, False))
    check("token-hash", ok[1], {"hash": "582647ac58d68708"})
    check("labels", ok[0]["labels"], ["simhash-doc", BG1, MINHASH, LONG])
    check("bad requests", [codes[i] for i in (2, 3, 14, 19)], ["bad-request"] * 4)
    check("unsupported", [replies[i].get("unsupported") for i in (4, 5, 12)], [True] * 3)
    check("codes", [codes[i] for i in (6, 7, 15)], ["invalid-fingerprint", "no-fingerprint", "wrong-type"])
    check("lone surrogate", (ok[8]["decoded"], ok[8]["tokens"]), ("\uFFFD\u00E9", ["\u00E9"]))
    check("no fingerprint", (ok[9]["fingerprint"], ok[9]["hex"], ok[9]["tokenCount"]), (None, None, 0))
    check("lookup", [(match["id"], match["distance"]) for match in ok[10]["matches"]], [("b", 0), ("a", 1)])
    digest = "%016x" % sd.token_hash((0xCEAA75A).to_bytes(4, "big"))
    check("probe", ok[11], {"count": 1, "digest": digest})
    check("bg1", ok[16], {"tokens": ["\u4E2D\u6587", "\u6587\u5B57"]})
    check("unknown variant", codes[17], "invalid-label")
    check("minhash-doc", (len(ok[18]["hashes"]), ok[18]["tokenCount"], len(ok[18]["draws"]), ok[18]["fingerprint"]),
          (9, 9, 64, "GEIVFIXBGPOBK"))
    check("unpermute", ok[13], {"fingerprint": "3020ceaa2375a74e"})


def check_accumulate():
    import adapter

    run = adapter.op_accumulate
    data = {"step": "token-hash", "rule": {"rule": "octets", "least": 0, "most": 2}, "seed": 1, "count": 4}
    lines = b"deadbeefdeadbeef\n32f938fe60e78917\n75121ea8d78b0a2e\ndeadbeefdeadbeef\n"
    check("example of conformance.md", run(data), {"digest": hashlib.sha256(lines).hexdigest()})
    check("no cases", run(dict(data, count=0)), {"digest": hashlib.sha256(b"").hexdigest()})
    following = adapter.numbers(1234567)
    check("splitmix64", [next(following) for _ in range(3)],
          [6457827717110365317, 3203168211198807973, 9817491932198370423])
    words = {"vocabulary": ["x", "y", "z"], "separators": [" ", "-"]}
    check("words", adapter.build_words(words, 1234567, 3), "x-x-z")
    ranges = {"ranges": [[0x61, 0x62], [0x1F600, 0x1F600, 2], [0x4E00, 0x4E00]]}
    check("code points", adapter.build_code_points(ranges, 1234567, 5), "\U0001F600" * 3 + "bb")


def main():
    for name, function in list(globals().items()):
        if name.startswith("check_"):
            before = checks
            try:
                function()
            except Exception as error:
                failures.append(name)
                print("FAILED %s: %r" % (name, error))
            print("%-32s %d checks" % (name[6:], checks - before))
    print("%d checks, %d failed (Unicode %s)" % (checks, len(failures), sd.UNICODE_VERSION))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
