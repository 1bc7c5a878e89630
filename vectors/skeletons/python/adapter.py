#!/usr/bin/env python3
"""Adapter between an implementation of simhash-doc in Python and the conformance tests.

It speaks the adapter protocol, version 1 (vectors/README.md): JSON Lines on standard input and
output, one reply for each request. It needs Python 3.8 or later and only the standard library.

    simhash-doc conformance --bail -- python3 adapter.py      stops at the first failure
    simhash-doc conformance -- python3 adapter.py             runs all vectors

What to do: replace "raise Unsupported" in the functions below by calls of your implementation, in
any order. Operations that raise Unsupported are not tested and do not count as wrong; you may also
raise it for single inputs. But a class needs every vector of its operations, except inputs of the
kinds in DECLINES.

To offer other labels than simhash-doc, add them to LABELS; the functions that take a label then get
them, in lower case.
"""

import base64
import json
import sys

NAME = "my-implementation"
VERSION = "0.0.0"
# The labels that are offered, of simhash-doc, simhash-doc+bg1, minhash-doc and minhash-doc-256.
LABELS = ["simhash-doc"]
# The kinds of inputs that are declined (vectors/README.md, "Declined inputs"), such as "utf16" for an
# implementation that takes octets only.
DECLINES = []
# The functions of the product by the operations that they answer, such as {"fingerprint": "fingerprint"}.
FUNCTIONS = {}
# The Unicode version of the library that NFC comes from, such as unicodedata.unidata_version, or None.
UNICODE = None


class Unsupported(Exception):
    """The operation is not implemented, or not for this input."""


class Refusal(Exception):
    """The implementation refuses its input, with a code of the specification, section Errors."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


# --------------------------------------------------------------------------------- your implementation
# Octets are bytes. Fingerprints and hashes are numbers of 64 bits; a fingerprint of minhash-doc-256
# is 32 bytes, and None stands for a document without a fingerprint. To refuse an input:
# raise Refusal("invalid-fingerprint").


def decode(octets):
    """Step 1: returns the text."""
    raise Unsupported


def decode_units(units):
    """Step 1 for a list of 16-bit units: returns the text."""
    raise Unsupported


def classify(text):
    """Step 2: returns the class of each code point: "letter", "word", "break", "ignorable", "unassigned"."""
    raise Unsupported


def normalise(text):
    """Step 3: returns the text."""
    raise Unsupported


def strip_locators(text):
    """Step 4: returns the text."""
    raise Unsupported


def tokenise(text, label):
    """Step 5: returns the tokens."""
    raise Unsupported


def token_hash(octets):
    """Step 7: returns the hash of a token."""
    raise Unsupported


def lookup3(octets, pc, pb):
    """Step 7 with initial values: returns c and b, numbers of 32 bits."""
    raise Unsupported


def simhash(hashes):
    """Step 8: returns the fingerprint, and the 64 counters."""
    raise Unsupported


def draw(element, n):
    """minhash-doc: returns S(element, n), a number of 64 bits."""
    raise Unsupported


def minhash(hashes, label):
    """minhash-doc: returns the fingerprint, and the winning draws, bin 0 of word 0 first."""
    raise Unsupported


def truncate(fingerprint):
    """minhash-doc: returns the fingerprint of minhash-doc that one of minhash-doc-256 begins with."""
    raise Unsupported


def serialise(fingerprint, label):
    """Step 9: returns the 13 or 52 characters, and the hexadecimal form."""
    raise Unsupported


def parse(serialised, label):
    """Step 9: returns the fingerprint of 13 or 52 characters."""
    raise Unsupported


def parse_hex(digits, label):
    """Step 9: returns the fingerprint of the hexadecimal form."""
    raise Unsupported


def parse_label(label):
    """Labels: returns the label in lower case."""
    raise Unsupported


def parse_labelled(labelled):
    """Labels: returns the label, and the fingerprint."""
    raise Unsupported


def format_labelled(label, fingerprint):
    """Labels: returns the labelled form."""
    raise Unsupported


def compare(a, b):
    """Step 10, for two labelled forms or None: returns distance, similarity, and "close", "loose" or "none"."""
    raise Unsupported


def tables(fingerprint):
    """Step 11: returns the 16 keys, and the 16 permuted fingerprints."""
    raise Unsupported


def unpermute(permuted, table):
    """Step 11: returns the fingerprint."""
    raise Unsupported


def probe(fingerprint, table, k):
    """Step 11: returns the number of probes, and the token hash of the probes."""
    raise Unsupported


def lookup(entries, query, k, label):
    """Step 11, for pairs (id, fingerprint): returns the k of the answer, and triples (id, fingerprint, distance)."""
    raise Unsupported


def fingerprint_of(octets, label):
    """Steps 1 to 9: returns {"fingerprint": the 13 or 52 characters, or None}.

    Add "decoded", "normalised", "stripped", "tokens", "hashes" (hex16), and "counters" or "draws"
    (hex16) if you have them: they show which step goes wrong.
    """
    raise Unsupported


def fingerprint_of_units(units, label):
    """Steps 1 to 9 for a list of 16-bit units: like fingerprint_of."""
    raise Unsupported


def accumulate(step, rule, seed, count):
    """Many cases of one step: returns the digest (vectors/README.md, section Accumulated vectors)."""
    raise Unsupported


def extract(octets, medium):
    """Extraction and steps 1 to 9: returns the 13 characters or None."""
    raise Unsupported


def extract_html(octets, charset):
    """The HTML profile: returns the tokens, and the 13 characters or None."""
    raise Unsupported


# ------------------------------------------------------------------------------------------ operations
# Each takes the "input" of a request and returns the "ok" of its reply (vectors/README.md, section
# Operations).


def octets_of(data):
    return data["text"].encode("utf-8") if "text" in data else bytes.fromhex(data["utf8"])


def units_of(data):
    return [int(data["utf16"][i : i + 4], 16) for i in range(0, len(data["utf16"]), 4)]


def number_of(digits):
    return None if digits is None else int(digits, 16)


def fingerprint_in(digits):
    """A fingerprint of 16 or 64 digits, or None."""
    return bytes.fromhex(digits) if digits is not None and len(digits) == 64 else number_of(digits)


def hex16(number):
    return None if number is None else format(number, "016x")


def hex_of(fingerprint):
    return fingerprint.hex() if isinstance(fingerprint, bytes) else hex16(fingerprint)


def hex8(number):
    return format(number, "08x")


def label_of(data):
    return data.get("label", "simhash-doc")


def result(names, values):
    return dict(zip(names, values))


def operation_lookup3(data):
    c, b = lookup3(bytes.fromhex(data["utf8"]), number_of(data["pc"]), number_of(data["pb"]))
    return {"c": hex8(c), "b": hex8(b)}


def operation_simhash(data):
    fingerprint, counters = simhash([number_of(digits) for digits in data["hashes"]])
    return {"fingerprint": hex16(fingerprint), "counters": counters}


def operation_minhash(data):
    fingerprint, draws = minhash([number_of(digits) for digits in data["hashes"]], data["label"])
    return {"fingerprint": hex_of(fingerprint), "draws": [hex16(each) for each in draws]}


def operation_serialise(data):
    return result(["text", "hex"], serialise(fingerprint_in(data["fingerprint"]), label_of(data)))


def operation_parse_labelled(data):
    label, fingerprint = parse_labelled(data["labelled"])
    return {"label": label, "fingerprint": hex_of(fingerprint)}


def operation_tables(data):
    keys, permuted = tables(number_of(data["fingerprint"]))
    return {"keys": keys, "permuted": [hex16(each) for each in permuted]}


def operation_probe(data):
    count, digest = probe(number_of(data["fingerprint"]), data["table"], data["k"])
    return {"count": count, "digest": hex16(digest)}


def operation_lookup(data):
    entries = [(entry["id"], fingerprint_in(entry["fingerprint"])) for entry in data["entries"]]
    complete_to, matches = lookup(entries, fingerprint_in(data["query"]), data.get("k", 3), label_of(data))
    found = [{"id": name, "fingerprint": hex_of(value), "distance": distance} for name, value, distance in matches]
    return {"completeTo": complete_to, "matches": found}


def operation_fingerprint(data):
    label = label_of(data)
    return fingerprint_of_units(units_of(data), label) if "utf16" in data else fingerprint_of(octets_of(data), label)


OPERATIONS = {
    "decode": lambda data: {"text": decode_units(units_of(data)) if "utf16" in data else decode(octets_of(data))},
    "classify": lambda data: {"classes": classify(data["text"])},
    "normalise": lambda data: {"text": normalise(data["text"])},
    "strip-locators": lambda data: {"text": strip_locators(data["text"])},
    "tokenise": lambda data: {"tokens": tokenise(data["text"], label_of(data))},
    "token-hash": lambda data: {"hash": hex16(token_hash(octets_of(data)))},
    "lookup3": operation_lookup3,
    "simhash": operation_simhash,
    "draw": lambda data: {"draw": hex16(draw(number_of(data["hash"]), data["n"]))},
    "minhash": operation_minhash,
    "truncate": lambda data: {"fingerprint": hex16(truncate(fingerprint_in(data["fingerprint"])))},
    "serialise": operation_serialise,
    "parse": lambda data: {"fingerprint": hex_of(parse(data["serialised"], label_of(data)))},
    "parse-hex": lambda data: {"fingerprint": hex_of(parse_hex(data["hex"], label_of(data)))},
    "parse-label": lambda data: {"label": parse_label(data["label"])},
    "parse-labelled": operation_parse_labelled,
    "format-labelled": lambda data: {"labelled": format_labelled(data["label"], fingerprint_in(data["fingerprint"]))},
    "compare": lambda data: result(["distance", "similarity", "verdict"], compare(data["a"], data["b"])),
    "tables": operation_tables,
    "unpermute": lambda data: {"fingerprint": hex16(unpermute(number_of(data["permuted"]), data["table"]))},
    "probe": operation_probe,
    "lookup": operation_lookup,
    "fingerprint": operation_fingerprint,
    "accumulate": lambda data: {"digest": accumulate(data["step"], data["rule"], data["seed"], data["count"])},
    "extract": lambda data: {"fingerprint": extract(base64.b64decode(data["base64"]), data["type"])},
    "extract-html": lambda data: result(["tokens", "fingerprint"], extract_html(octets_of(data), data.get("charset"))),
}


# -------------------------------------------------------------------------------------------- protocol


def hello():
    return {
        "name": NAME,
        "version": VERSION,
        "language": "Python",
        "protocol": 1,
        "unicode": UNICODE,
        "operations": list(OPERATIONS),
        "labels": LABELS,
        "declines": DECLINES,
        "functions": FUNCTIONS,
    }


def answer(request):
    reply = {"id": request["id"]}
    operation = request["op"]
    try:
        if operation == "hello":
            reply["ok"] = hello()
        elif operation in OPERATIONS:
            reply["ok"] = OPERATIONS[operation](request["input"])
        else:
            reply["unsupported"] = True
    except Unsupported:
        reply["unsupported"] = True
    except Refusal as refusal:
        reply["error"] = {"code": refusal.code}
    return reply


def main():
    # The buffer gives octets, which no locale changes. json.dumps writes ASCII.
    for line in sys.stdin.buffer:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
