# SPDX-License-Identifier: MIT
"""An adapter of simhash_doc.py: the JSON Lines protocol of vectors/README.md, version 1.

    python3 vectors/adapters/python/adapter.py
"""

import hashlib
import json
import re
import sys
import traceback

import simhash_doc as sd

PROTOCOL = 1

# Beyond so many probes of one table, `probe` is not offered: all of them have to be hashed.
MOST_PROBES = 1 << 22


class Unsupported(Exception):
    """The operation is not offered, or not for this input."""


class BadRequest(Exception):
    """The message is no request."""


# ----------------------------------------------------------------------------------------------------------------
# Values of the protocol
# ----------------------------------------------------------------------------------------------------------------

_HEX16 = re.compile("[0-9a-f]{16}")
_HEX64 = re.compile("[0-9a-f]{64}")
_HEX8 = re.compile("[0-9a-f]{8}")
_OCTETS = re.compile("(?:[0-9a-f]{2})*")
_UNITS = re.compile("(?:[0-9a-f]{4})*")


def wrong_type(message):
    return sd.SimhashDocError(sd.WRONG_TYPE, message)


def read_list(value):
    if not isinstance(value, list):
        raise wrong_type("not an array")
    return value


def read_hex16(value):
    """A number of 64 bits, or None, which the implementation refuses where it must."""
    if value is None:
        return None
    if not isinstance(value, str) or not _HEX16.fullmatch(value):
        raise wrong_type("not 16 hexadecimal digits")
    return int(value, 16)


def read_hex64(value):
    """The 32 octets of a fingerprint of 256 bits, or None, which the implementation refuses where it must."""
    if value is None:
        return None
    if not isinstance(value, str) or not _HEX64.fullmatch(value):
        raise wrong_type("not 64 hexadecimal digits")
    return bytes.fromhex(value)


def read_fingerprint(value, label):
    """A fingerprint of a label that was read, or None."""
    return read_hex64(value) if label == sd.LONG_LABEL else read_hex16(value)


def read_hex8(value):
    """A number of 32 bits."""
    if not isinstance(value, str) or not _HEX8.fullmatch(value):
        raise wrong_type("not 8 hexadecimal digits")
    return int(value, 16)


def read_octets(value):
    if not isinstance(value, str) or not _OCTETS.fullmatch(value):
        raise wrong_type("not a string of octets")
    return bytes.fromhex(value)


def read_units(value):
    if not isinstance(value, str) or not _UNITS.fullmatch(value):
        raise wrong_type("not a string of 16-bit units")
    return [int(value[i:i + 4], 16) for i in range(0, len(value), 4)]


def read_document(data, kinds):
    """The text of the one member of these kinds that the input has."""
    given = [kind for kind in kinds if kind in data]
    if len(given) != 1:
        raise wrong_type("not exactly one of: " + ", ".join(kinds))
    value = data[given[0]]
    if given[0] == "utf8":
        return sd.decode_utf8(read_octets(value))
    if given[0] == "utf16":
        return sd.decode_utf16(read_units(value))
    return sd.decode_text(value)


def label_of(data):
    """The label of the input."""
    return sd.read_label(data.get("label", sd.LABEL))


def hex16(number):
    return "%016x" % number


# ----------------------------------------------------------------------------------------------------------------
# Operations
# ----------------------------------------------------------------------------------------------------------------


def agree(operation, one, other):
    """Two functions of the library have to give one result; otherwise the reply is the error `internal`."""
    if one != other:
        raise AssertionError("two functions for %s disagree: %r, %r" % (operation, one, other))


def op_decode(data):
    return {"text": read_document(data, ("utf8", "utf16"))}


def op_classify(data):
    text = sd.decode_text(data.get("text"))
    return {"classes": [sd.classify(ord(character)) for character in text]}


def op_normalise(data):
    return {"text": sd.normalise(sd.decode_text(data.get("text")))}


def op_strip_locators(data):
    return {"text": sd.strip_locators(sd.decode_text(data.get("text")))}


def op_tokenise(data):
    return {"tokens": sd.tokenise(sd.decode_text(data.get("text")), label_of(data))}


def op_token_hash(data):
    given = [kind for kind in ("text", "utf8") if kind in data]
    if len(given) != 1:
        raise wrong_type("not exactly one of: text, utf8")
    if given[0] == "utf8":
        return {"hash": hex16(sd.token_hash(read_octets(data["utf8"])))}
    return {"hash": hex16(sd.token_hash(sd.decode_text(data["text"])))}


def op_lookup3(data):
    octets = read_octets(data.get("utf8"))
    c, b = sd.lookup3(octets, read_hex8(data.get("pc")), read_hex8(data.get("pb")))
    return {"c": "%08x" % c, "b": "%08x" % b}


def read_hash(value):
    if value is None:
        raise wrong_type("a hash is null")
    return read_hex16(value)


def op_simhash(data):
    hashes = [read_hash(value) for value in read_list(data.get("hashes"))]
    if sd.is_minhash(label_of(data)):
        raise Unsupported()
    fingerprint = sd.simhash(hashes)
    return {
        "fingerprint": None if fingerprint is None else sd.to_hex(fingerprint),
        "counters": sd.simhash_counters(hashes),
    }


def op_draw(data):
    return {"draw": hex16(sd.draw(read_hash(data.get("hash")), data.get("n")))}


def op_minhash(data):
    hashes = [read_hash(value) for value in read_list(data.get("hashes"))]
    label = sd.read_label(data.get("label"))
    if not sd.is_minhash(label):
        raise Unsupported()
    fingerprint = sd.minhash(hashes, label)
    return {
        "fingerprint": None if fingerprint is None else sd.to_hex(fingerprint),
        "draws": [hex16(y) for y in sd.minhash_draws(hashes, label)],
    }


def op_truncate(data):
    return {"fingerprint": sd.to_hex(sd.truncate(read_hex64(data.get("fingerprint"))))}


def op_serialise(data):
    fingerprint = read_fingerprint(data.get("fingerprint"), label_of(data))
    return {"text": sd.to_base32(fingerprint), "hex": sd.to_hex(fingerprint)}


def op_parse(data):
    return {"fingerprint": sd.to_hex(sd.from_base32(data.get("serialised"), label_of(data)))}


def op_parse_hex(data):
    return {"fingerprint": sd.to_hex(sd.from_hex(data.get("hex"), label_of(data)))}


def op_parse_label(data):
    return {"label": sd.read_label(data.get("label"))}


def op_parse_labelled(data):
    label, fingerprint = sd.from_labelled(data.get("labelled"))
    return {"label": label, "fingerprint": sd.to_hex(fingerprint)}


def op_format_labelled(data):
    # The label is an argument before the fingerprint: it is read first, whatever the fingerprint is.
    label = sd.read_label(data.get("label"))
    return {"labelled": sd.to_labelled(read_fingerprint(data.get("fingerprint"), label), label)}


def op_compare(data):
    distance, similarity, verdict = sd.compare_labelled(data.get("a"), data.get("b"))
    a, b = (sd.from_labelled(data[side])[1] for side in ("a", "b"))
    agree("compare", (distance, similarity, verdict), (sd.distance(a, b), sd.similarity(a, b), sd.verdict(a, b)))
    return {"distance": distance, "similarity": similarity, "verdict": verdict}


def op_tables(data):
    fingerprint = read_hex16(data.get("fingerprint"))
    return {
        "keys": sd.table_keys(fingerprint),
        "permuted": [hex16(sd.permute(fingerprint, table)) for table in range(sd.TABLES)],
    }


def op_unpermute(data):
    return {"fingerprint": hex16(sd.unpermute(read_hex16(data.get("permuted")), data.get("table")))}


def op_probe(data):
    fingerprint, k = read_hex16(data.get("fingerprint")), data.get("k")
    probes = sd.probes(fingerprint, data.get("table"), k)
    count = sd.probe_count(k)
    if count > MOST_PROBES:
        raise Unsupported()
    octets = b"".join(probe.to_bytes(4, "big") for probe in probes)
    return {"count": count, "digest": hex16(sd.token_hash(octets))}


def op_lookup(data):
    label = label_of(data)
    index = sd.Index(label)
    for entry in read_list(data.get("entries")):
        if not isinstance(entry, dict):
            raise wrong_type("an entry is not an object")
        index.add(entry.get("id"), read_fingerprint(entry.get("fingerprint"), label))
    k = data.get("k", sd.DEFAULT_DISTANCE)
    matches = index.look_up(read_fingerprint(data.get("query"), label), k)
    return {
        "completeTo": k,
        "matches": [
            {"id": identifier, "fingerprint": sd.to_hex(fingerprint), "distance": distance}
            for identifier, fingerprint, distance in matches
        ],
    }


def op_fingerprint(data):
    decoded, label = read_document(data, ("text", "utf8", "utf16")), label_of(data)
    normalised = sd.normalise(decoded)
    stripped = sd.strip_locators(normalised)
    tokens = sd.tokenise(stripped, label)
    hash_of = {token: sd.token_hash(token) for token in set(tokens)}
    hashes = [hash_of[token] for token in tokens]
    # The fingerprint itself is that of a caller of the library, who has a text or octets.
    fingerprint = sd.fingerprint(decoded, label)
    if "utf16" not in data:
        octets = read_octets(data["utf8"]) if "utf8" in data else decoded.encode("utf-8")
        agree("fingerprint", fingerprint, sd.fingerprint(octets, label))
    none = fingerprint is None
    result = {
        "fingerprint": None if none else sd.to_base32(fingerprint),
        "decoded": decoded,
        "normalised": normalised,
        "stripped": stripped,
        "tokens": tokens,
        "hashes": [hex16(number) for number in hashes],
        "octets": None if none else sd.to_octets(fingerprint).hex(),
        "hex": None if none else sd.to_hex(fingerprint),
        "tokenCount": len(tokens),
    }
    if sd.is_minhash(label):
        result["draws"] = [hex16(y) for y in sd.minhash_draws(hashes, label)]
    else:
        result["counters"] = sd.simhash_counters(hashes)
    if label != sd.LONG_LABEL:
        result["keys"] = None if none else sd.table_keys(fingerprint)
    return result


# ----------------------------------------------------------------------------------------------------------------
# Accumulated vectors
# ----------------------------------------------------------------------------------------------------------------

_MASK_64 = (1 << 64) - 1


def numbers(seed):
    """The numbers of splitmix64."""
    state = seed
    while True:
        state = state + 0x9E3779B97F4A7C15 & _MASK_64
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK_64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK_64
        yield z ^ z >> 31


def build_octets(rule, seed, count):
    following = numbers(seed)
    return bytes(next(following) % 256 for _ in range(count))


def build_words(rule, seed, count):
    following = numbers(seed)
    vocabulary, separators = read_list(rule.get("vocabulary")), read_list(rule.get("separators"))
    pieces = []
    for i in range(count):
        if i > 0:
            pieces.append(separators[next(following) % len(separators)])
        pieces.append(vocabulary[next(following) % len(vocabulary)])
    return "".join(pieces)


def build_code_points(rule, seed, count):
    following = numbers(seed)
    ranges = []
    for first, last, *times in read_list(rule.get("ranges")):
        width = last - first + 1
        ranges.append((first, width, width * (times[0] if times else 1)))
    total = sum(size for _, _, size in ranges)
    characters = []
    for _ in range(count):
        x = next(following) % total
        for first, width, size in ranges:
            if x < size:
                characters.append(chr(first + x % width))
                break
            x -= size
    return "".join(characters)


# A rule, and what it builds.
RULES = {
    "octets": (build_octets, bytes),
    "words": (build_words, str),
    "code-points": (build_code_points, str),
}


def hex_of_text(text):
    return text.encode("utf-8").hex()


def number_of_octets(octets):
    if len(octets) != 8:
        raise wrong_type("not 8 octets")
    return int.from_bytes(octets, "big")


def line_of_classes(text, i):
    return "".join(sd.classify(ord(character))[0] for character in text)


def line_of_tokens(text, i):
    return " ".join(hex_of_text(token) for token in sd.tokenise(text))


def line_of_simhash(octets, i):
    whole = len(octets) // 8 * 8
    fingerprint = sd.simhash([number_of_octets(octets[p:p + 8]) for p in range(0, whole, 8)])
    return "-" if fingerprint is None else hex16(fingerprint)


def line_of_strings(octets, i):
    number = number_of_octets(octets)
    return sd.to_base32(number) + " " + sd.to_hex(number)


def line_of_tables(octets, i):
    number = number_of_octets(octets)
    permuted = [hex16(sd.permute(number, table)) for table in range(sd.TABLES)]
    return " ".join([str(key) for key in sd.table_keys(number)] + permuted)


def line_of_probes(octets, i):
    k = i // 16 % 8
    probes = sd.probes(number_of_octets(octets), i % 16, k)
    digest = sd.token_hash(b"".join(probe.to_bytes(4, "big") for probe in probes))
    return "%d %s" % (sd.probe_count(k), hex16(digest))


def line_of_fingerprint(document, i):
    fingerprint = sd.fingerprint(document)
    return "-" if fingerprint is None else sd.to_base32(fingerprint)


# For each step what its inputs are made of, and the line of case i.
STEPS = {
    "decode": ((bytes,), lambda octets, i: hex_of_text(sd.decode_utf8(octets))),
    "classify": ((str,), line_of_classes),
    "normalise": ((str,), lambda text, i: hex_of_text(sd.normalise(text))),
    "strip-locators": ((str,), lambda text, i: hex_of_text(sd.strip_locators(text))),
    "tokenise": ((str,), line_of_tokens),
    "token-hash": ((str, bytes), lambda token, i: hex16(sd.token_hash(token))),
    "simhash": ((bytes,), line_of_simhash),
    "serialise": ((bytes,), line_of_strings),
    "parse": ((str,), lambda text, i: hex16(sd.from_base32(text))),
    "tables": ((bytes,), line_of_tables),
    "probe": ((bytes,), line_of_probes),
    "fingerprint": ((str, bytes), line_of_fingerprint),
}


def read_number(data, name):
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type("%s is not an integer" % name)
    return value


def op_accumulate(data):
    if data.get("step") not in STEPS:
        raise Unsupported()
    kinds, line_of = STEPS[data["step"]]
    rule = data.get("rule")
    if not isinstance(rule, dict) or rule.get("rule") not in RULES or RULES[rule["rule"]][1] not in kinds:
        raise wrong_type("not a rule for this step")
    build = RULES[rule["rule"]][0]
    least, most = read_number(rule, "least"), read_number(rule, "most")
    seed = read_number(data, "seed")
    digest = hashlib.sha256()
    for i in range(read_number(data, "count")):
        made = build(rule, seed + i, least + i % (most - least + 1))
        try:
            line = line_of(made, i)
        except sd.SimhashDocError as error:
            line = error.code
        digest.update(line.encode("ascii") + b"\n")
    return {"digest": digest.hexdigest()}


OPERATIONS = {
    "decode": op_decode,
    "classify": op_classify,
    "normalise": op_normalise,
    "strip-locators": op_strip_locators,
    "tokenise": op_tokenise,
    "token-hash": op_token_hash,
    "lookup3": op_lookup3,
    "simhash": op_simhash,
    "draw": op_draw,
    "minhash": op_minhash,
    "truncate": op_truncate,
    "serialise": op_serialise,
    "parse": op_parse,
    "parse-hex": op_parse_hex,
    "parse-label": op_parse_label,
    "parse-labelled": op_parse_labelled,
    "format-labelled": op_format_labelled,
    "compare": op_compare,
    "tables": op_tables,
    "unpermute": op_unpermute,
    "probe": op_probe,
    "lookup": op_lookup,
    "fingerprint": op_fingerprint,
    "accumulate": op_accumulate,
}


# The functions of the library that answer each operation.
FUNCTIONS = {
    "decode": "decode_utf8, decode_utf16",
    "classify": "classify",
    "normalise": "normalise",
    "strip-locators": "strip_locators",
    "tokenise": "tokenise",
    "token-hash": "token_hash",
    "lookup3": "lookup3",
    "simhash": "simhash, simhash_counters",
    "draw": "draw",
    "minhash": "minhash, minhash_draws",
    "truncate": "truncate",
    "serialise": "to_base32, to_hex",
    "parse": "from_base32",
    "parse-hex": "from_hex",
    "parse-label": "read_label",
    "parse-labelled": "from_labelled",
    "format-labelled": "to_labelled",
    "compare": "compare_labelled; distance, similarity, verdict",
    "tables": "table_keys, permute",
    "unpermute": "unpermute",
    "probe": "probes, probe_count",
    "lookup": "Index.add, Index.look_up",
    "fingerprint": "fingerprint",
}


def hello():
    return {
        "name": "simhash-doc-python",
        "version": sd.__version__,
        "language": "Python",
        "protocol": PROTOCOL,
        "unicode": sd.UNICODE_VERSION,
        "operations": list(OPERATIONS),
        "labels": list(sd.REGISTERED_LABELS),
        "declines": [],
        "functions": FUNCTIONS,
    }


# ----------------------------------------------------------------------------------------------------------------
# Messages
# ----------------------------------------------------------------------------------------------------------------


def refuse_constant(name):
    raise ValueError("%s is not JSON" % name)


def perform(request):
    operation = request.get("op")
    if not isinstance(operation, str):
        raise BadRequest("the request has no op")
    if operation == "hello":
        return hello()
    if operation not in OPERATIONS:
        raise Unsupported()
    data = request.get("input")
    if not isinstance(data, dict):
        raise BadRequest("the request has no input")
    return OPERATIONS[operation](data)


def reply_to(line):
    """The reply to one line, as an object.

    The codes bad-request and internal are not of the specification. They say that a message is no request, and that
    this program is at fault; a runner cannot take either for a refusal.
    """
    identifier = None
    try:
        try:
            request = json.loads(line.decode("utf-8"), parse_constant=refuse_constant)
        except (ValueError, RecursionError) as error:
            raise BadRequest("not JSON: %s" % error) from None
        if not isinstance(request, dict):
            raise BadRequest("not a JSON object")
        identifier = request.get("id")
        return {"id": identifier, "ok": perform(request)}
    except Unsupported:
        return {"id": identifier, "unsupported": True}
    except sd.SimhashDocError as error:
        return {"id": identifier, "error": {"code": error.code, "message": error.message}}
    except BadRequest as error:
        return {"id": identifier, "error": {"code": "bad-request", "message": str(error)}}
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return {"id": identifier, "error": {"code": "internal", "message": repr(error)}}


def main():
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        sys.stdout.buffer.write(json.dumps(reply_to(line)).encode("ascii") + b"\n")
        sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
