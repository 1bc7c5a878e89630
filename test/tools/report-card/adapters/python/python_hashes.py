"""python-hashes, for Python 2: `simhash(text)`, with `hashbits=64` in place of its 96."""

from protocol import hex16, octets_of, serve

from hashes.simhash import simhash


def of(value):
    return hex16(simhash(value, hashbits=64).hash)


def number(digits):
    # It takes a hash of 0 for none.
    return simhash(hash=int(digits, 16), hashbits=64) if int(digits, 16) else None


def distance(value):
    a, b = number(value["a"]), number(value["b"])
    return {"distance": a.hamming_distance(b), "similarity": a.similarity(b)} if a and b else None


serve("python-hashes", "0.1", {
    "fingerprint": lambda value: {"fingerprint": of(octets_of(value))} if "utf16" not in value else None,
    "token-hash": lambda value: {"hash": of([octets_of(value)])},
    "fingerprint-of-tokens": lambda value: {"fingerprint": of([token.encode("utf-8") for token in value["tokens"]])},
    "distance": distance,
})
