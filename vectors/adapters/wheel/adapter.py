# SPDX-License-Identifier: MIT
"""An adapter of the package simhash_doc: the JSON Lines protocol of vectors/README.md, version 1.

    python3 vectors/adapters/wheel/adapter.py

It offers the operations for which the package has functions. Each document goes through all of them, and they have to agree.
"""

from __future__ import annotations

import hashlib
import json
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import simhash_doc as sd

Json = dict[str, Any]
DEFAULT_LABEL = "simhash-doc"


class Unsupported(Exception):
    """The operation is not offered, or not for this input."""


class Refused(Exception):
    """A document without a fingerprint where one is needed; an object of class Fingerprint always has bits."""


def label_of(data: Json) -> str:
    return str(data.get("label", DEFAULT_LABEL))


def read_fingerprint(data: Json, name: str, label: str) -> sd.Fingerprint:
    if data[name] is None:
        raise Refused
    return sd.Fingerprint.from_bytes(bytes.fromhex(data[name]), label)


def read_document(data: Json) -> str | bytes:
    if "utf8" in data:
        return bytes.fromhex(data["utf8"])
    if "utf16" in data:
        return bytes.fromhex(data["utf16"]).decode("utf-16-be", "surrogatepass")
    return str(data["text"])


def in_parts(document: str | bytes, label: str) -> sd.Fingerprint | None:
    parts = sd.Fingerprinter(label)
    for start in range(0, len(document), 7):
        parts.update(document[start : start + 7])
    return parts.digest()


def in_column(document: str | bytes, label: str) -> sd.Fingerprint | None:
    import pyarrow  # type: ignore[import-untyped,unused-ignore]

    if isinstance(document, str):
        # Arrow has no surrogates; these are the scalar values by step 1.
        document = document.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    found = sd.fingerprint_column(pyarrow.array([document, None]), label)[0].as_py()
    return None if found is None else sd.Fingerprint.from_bytes(found, label)


def in_array(document: str | bytes, label: str) -> sd.Fingerprint | None:
    array = sd.fingerprint_array([None, document], label)
    if array.mask[1].any():
        return None
    data = array.data[1].tobytes() if label == "minhash-doc-256" else int(array.data[1]).to_bytes(8, "big")
    return sd.Fingerprint.from_bytes(data, label)


WAYS: list[Callable[[str | bytes, str], sd.Fingerprint | None]] = [
    in_parts,
    lambda document, label: sd.fingerprints([None, document], label)[1],
    *([in_column] if find_spec("pyarrow") else []),
    *([in_array] if find_spec("numpy") else []),
]


def fingerprint(data: Json) -> Json:
    document, label = read_document(data), label_of(data)
    found = sd.fingerprint(document, label)
    for way in WAYS:
        if way(document, label) != found:
            raise AssertionError(f"{way.__name__} disagrees with fingerprint: {way(document, label)}, {found}")
    if found is None:
        return {"fingerprint": None, "hex": None, "octets": None}
    return {"fingerprint": found.bare, "hex": found.hex, "octets": bytes(found).hex()}


def serialise(data: Json) -> Json:
    found = read_fingerprint(data, "fingerprint", label_of(data))
    return {"text": found.bare, "hex": found.hex}


def parse_labelled(data: Json) -> Json:
    found = sd.Fingerprint.parse(data["labelled"])
    return {"label": found.label, "fingerprint": found.hex}


def format_labelled(data: Json) -> Json:
    # The label comes first: it is read even if there is no fingerprint.
    sd.Fingerprinter(data["label"])
    return {"labelled": str(read_fingerprint(data, "fingerprint", data["label"]))}


def compare(data: Json) -> Json:
    a, b = data["a"], data["b"]
    found = sd.compare(a, b)
    if sd.distance(sd.Fingerprint.parse(a), b) != found.distance:
        raise AssertionError("distance disagrees with compare")
    return {"distance": found.distance, "similarity": found.similarity, "verdict": found.verdict}


# --------------------------------------------------------------------------------------------- accumulated vectors


def numbers(state: int) -> Iterator[int]:
    """The numbers of splitmix64."""
    mask = 2**64 - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
        yield z ^ (z >> 31)


def build(rule: Json, seed: int, count: int) -> str | bytes:
    """Applies a generating rule."""
    following = numbers(seed)
    if rule["rule"] == "octets":
        return bytes(next(following) % 256 for _ in range(count))
    if rule["rule"] == "words":
        pick: Callable[[list[str]], str] = lambda items: items[next(following) % len(items)]
        separated = (("" if i == 0 else pick(rule["separators"])) + pick(rule["vocabulary"]) for i in range(count))
        return "".join(separated)
    if rule["rule"] != "code-points":
        raise Unsupported
    ranges = [(each[0], each[1] - each[0] + 1, each[2] if len(each) > 2 else 1) for each in rule["ranges"]]
    characters = []
    for _ in range(count):
        x = next(following) % sum(width * times for _, width, times in ranges)
        for first, width, times in ranges:
            if x < width * times:
                characters.append(chr(first + x % width))
                break
            x -= width * times
    return "".join(characters)


def line_of(step: str, made: str | bytes) -> str:
    if step == "fingerprint":
        found = sd.fingerprint(made)
        return "-" if found is None else found.bare
    if step == "serialise" and isinstance(made, bytes):
        found = sd.Fingerprint.from_bytes(made, DEFAULT_LABEL)
        return f"{found.bare} {found.hex}"
    if step == "parse" and isinstance(made, str):
        return sd.Fingerprint.from_bare(made, DEFAULT_LABEL).hex
    raise Unsupported


def accumulate(data: Json) -> Json:
    rule, digest = data["rule"], hashlib.sha256()
    for i in range(data["count"]):
        count = rule["least"] + i % (rule["most"] - rule["least"] + 1)
        try:
            line = line_of(data["step"], build(rule, data["seed"] + i, count))
        except sd.SimhashDocError as error:
            line = error.code
        digest.update(line.encode("ascii") + b"\n")
    return {"digest": digest.hexdigest()}


# ------------------------------------------------------------------------------------------------------ messages

# For each operation the function that answers it, and those of the package through which it goes.
OPERATIONS: dict[str, tuple[Callable[[Json], Json], str]] = {
    "fingerprint": (fingerprint, "fingerprint, fingerprints, Fingerprinter, fingerprint_column, fingerprint_array"),
    "serialise": (serialise, "Fingerprint.bare, Fingerprint.hex"),
    "parse": (
        lambda data: {"fingerprint": sd.Fingerprint.from_bare(data["serialised"], label_of(data)).hex},
        "Fingerprint.from_bare",
    ),
    "parse-hex": (
        lambda data: {"fingerprint": sd.Fingerprint.from_hex(data["hex"], label_of(data)).hex},
        "Fingerprint.from_hex",
    ),
    "parse-labelled": (parse_labelled, "Fingerprint.parse"),
    "format-labelled": (format_labelled, "str"),
    "compare": (compare, "compare, distance"),
    "truncate": (
        lambda data: {"fingerprint": read_fingerprint(data, "fingerprint", "minhash-doc-256").truncate().hex},
        "Fingerprint.truncate",
    ),
    "accumulate": (accumulate, "fingerprint, Fingerprint"),
}


def hello(data: Json) -> Json:
    return {
        "name": "simhash-doc (Python package)",
        "version": sd.__version__,
        "language": "Python",
        "protocol": 1,
        "unicode": ".".join(map(str, sd.UNICODE_VERSION)),
        "operations": list(OPERATIONS),
        "labels": list(sd.LABELS),
        "declines": [],
        "functions": {name: functions for name, (_, functions) in OPERATIONS.items() if name != "accumulate"},
    }


def reply_to(line: bytes) -> Json:
    request: Json = {}
    try:
        request = json.loads(line)
        operation = request["op"]
        if operation != "hello" and operation not in OPERATIONS:
            raise Unsupported
        answer = hello if operation == "hello" else OPERATIONS[operation][0]
        return {"id": request["id"], "ok": answer(request.get("input", {}))}
    except Unsupported:
        return {"id": request["id"], "unsupported": True}
    except Refused:
        return {"id": request["id"], "error": {"code": "no-fingerprint"}}
    except (sd.SimhashDocError, TypeError) as error:
        code = getattr(error, "code", None)
        if code is None:
            traceback.print_exc()
        return {"id": request["id"], "error": {"code": code or "internal", "message": str(error)}}
    except Exception as error:
        traceback.print_exc()
        return {"id": request.get("id"), "error": {"code": "internal", "message": repr(error)}}


def main() -> None:
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(json.dumps(reply_to(line)).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
