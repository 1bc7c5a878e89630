"""text-dedup: `embed_func(text, …)` of `text_dedup.simhash` with the options that its command has by default."""

from protocol import hex16, octets_of, serve

from bitarray import bitarray
from text_dedup.simhash import SIGNATURE_COLUMN, _hamming_distance, _unsigned_hash, compute, embed_func
from text_dedup.utils import SimHashArgs, ngrams, xxh3_64_digest

NGRAM = SimHashArgs.ngram


def number_of(bits):
    return hex16(int.from_bytes(bits.tobytes(), "big"))


def bits_of(digits):
    result = bitarray()
    result.frombytes(bytes.fromhex(digits))
    return result


def tokenise(value):
    # As in embed_func, which then puts them in a set.
    return {"tokens": ["".join(each).lower() for each in ngrams(list(value["text"]), n=NGRAM)]}


def fingerprint(value):
    if "text" not in value:
        return None
    result = embed_func(value["text"], 0, ngram=NGRAM, permutations=[], hash_func=xxh3_64_digest)
    return {"fingerprint": hex16(int.from_bytes(result[SIGNATURE_COLUMN], "big"))}


def fingerprint_of_octets(tokens):
    return {"fingerprint": number_of(compute([_unsigned_hash(each, xxh3_64_digest) for each in tokens]))}


serve("text-dedup", "0.4.0", {
    "fingerprint": fingerprint,
    "tokenise": tokenise,
    "token-hash": lambda value: {"hash": number_of(_unsigned_hash(octets_of(value), xxh3_64_digest))},
    "fingerprint-of-tokens": lambda value: fingerprint_of_octets([each.encode("utf-8") for each in value["tokens"]]),
    "simhash": lambda value: {"fingerprint": number_of(compute([bits_of(each) for each in value["hashes"]]))},
    "distance": lambda value: {"distance": _hamming_distance(bits_of(value["a"]), bits_of(value["b"]))},
})
