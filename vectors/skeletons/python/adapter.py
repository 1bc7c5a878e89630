#!/usr/bin/env python3
"""Adapter between an implementation of simhash-doc in Python and its conformance tests.

It speaks the adapter protocol, version 1 (spec/conformance.md): JSON Lines on standard input and
output, one reply for each request. Only the standard library is used, Python 3.8 or later.

    simhash-doc conformance smoke -- python3 adapter.py      checks the plumbing alone
    simhash-doc conformance -- python3 adapter.py            tells what is right and what goes wrong first

What to do: call your implementation in token_hash() below, then add one operation after the other
to OPERATIONS. What is not in OPERATIONS is not tested, and not counted as wrong.
"""

import json
import sys

NAME = "my-implementation"
VERSION = "0.0.0"
# The Unicode version of the library that NFC comes from, such as unicodedata.unidata_version; None
# if there is none.
UNICODE = None


class Refusal(Exception):
    """The implementation refuses its input. The code is one of the specification, section Errors."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


# ---------------------------------------------------------------------------------------------- your implementation


def token_hash(octets):
    """Step 7: the hash of a token, given as its octets in UTF-8; a number from 0 to 2**64 - 1."""
    return 0  # CALL YOUR IMPLEMENTATION HERE


# ------------------------------------------------------------------------------------------------------- operations
# Each takes the "input" of a request and returns the "ok" of its reply, or raises Refusal. The table in
# spec/conformance.md, section Operations, says what both hold.


def octets_of(data):
    """The octets of an input that is a text or octets."""
    if "text" in data:
        return data["text"].encode("utf-8")
    return bytes.fromhex(data["utf8"])


def hex16(number):
    """64 bits as the protocol writes them."""
    return format(number, "016x")


def operation_token_hash(data):
    return {"hash": hex16(token_hash(octets_of(data)))}


# The next ones could be:
#
# def operation_parse(data):
#     try:
#         return {"fingerprint": hex16(my_parse(data["serialised"]))}
#     except ValueError:
#         raise Refusal("invalid-fingerprint")
#
# def operation_fingerprint(data):
#     # With "decoded", "normalised", "stripped", "tokens", "hashes" and "counters" beside it, where you have them, the
#     # runner can name the step that goes wrong.
#     return {"fingerprint": my_fingerprint(octets_of(data))}  # 13 characters, or None for a text without tokens

OPERATIONS = {
    "token-hash": operation_token_hash,
}


# --------------------------------------------------------------------------------------------------------- protocol


def hello():
    return {
        "name": NAME,
        "version": VERSION,
        "language": "Python",
        "protocol": 1,
        "unicode": UNICODE,
        "operations": sorted(OPERATIONS),
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
    except Refusal as refusal:
        reply["error"] = {"code": refusal.code}
    return reply


def main():
    # Octets, so that no locale changes what comes in. json.dumps writes ASCII.
    for line in sys.stdin.buffer:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
