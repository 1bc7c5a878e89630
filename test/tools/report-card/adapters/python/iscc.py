"""iscc-core: the first 64 bits of `soft_hash_text_v0(text_collapse(text))`, which are those of its Text-Code."""

from protocol import hex16, serve

import iscc_core


def fingerprint(value):
    if "text" not in value:
        return None
    octets = iscc_core.soft_hash_text_v0(iscc_core.text_collapse(value["text"]))
    return {"fingerprint": hex16(int.from_bytes(octets[:8], "big"))}


def tokenise(value):
    text = iscc_core.text_collapse(value["text"])
    return {"tokens": list(iscc_core.sliding_window(text, iscc_core.core_opts.text_ngram_size))}


def simhash(value):
    # Its simhash is for other codes than that of a text.
    if not value["hashes"]:
        return None
    return {"fingerprint": iscc_core.alg_simhash([bytes.fromhex(each) for each in value["hashes"]]).hex()}


def distance(value):
    a, b = (bytes.fromhex(value[name]) for name in "ab")
    return {"distance": iscc_core.iscc_distance_bytes(a, b)}


serve("iscc-core", "1.5.0", {
    "fingerprint": fingerprint,
    "tokenise": tokenise,
    "simhash": simhash,
    "distance": distance,
})
