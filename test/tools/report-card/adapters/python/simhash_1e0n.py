"""simhash: `Simhash(text).value`; also for a list of tokens, with a hash function, and `SimhashIndex`."""

from protocol import hex16, serve

from simhash import Simhash, SimhashIndex


def fingerprint(value):
    if "text" not in value:
        return None
    simhash = Simhash(value["text"])
    return {"fingerprint": hex16(simhash.value), "tokens": simhash._tokenize(value["text"])}


def token_hash(value):
    # The hash of a token is the simhash of that token alone.
    return {"hash": hex16(Simhash([value["text"]]).value)} if "text" in value else None


def simhash_of_hashes(value):
    digits = Simhash(value["hashes"], hashfunc=lambda octets: int(octets, 16) if octets != b"test" else 0)
    return {"fingerprint": hex16(digits.value)}


def find(value):
    entries = [(entry["id"], Simhash(int(entry["fingerprint"], 16))) for entry in value["entries"]]
    index = SimhashIndex(entries, k=value["k"])
    return {"ids": index.get_near_dups(Simhash(int(value["query"], 16)))}


def distance(value):
    return {"distance": Simhash(int(value["a"], 16)).distance(Simhash(int(value["b"], 16)))}


serve("simhash", "2.1.2", {
    "fingerprint": fingerprint,
    "tokenise": lambda value: {"tokens": Simhash("")._tokenize(value["text"])},
    "token-hash": token_hash,
    "fingerprint-of-tokens": lambda value: {"fingerprint": hex16(Simhash(value["tokens"]).value)},
    "simhash": simhash_of_hashes,
    "distance": distance,
    "find": find,
})
