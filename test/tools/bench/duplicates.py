"""Finds near-duplicates in JSON Lines with a library of PyPI: python3 duplicates.py LIBRARY FILE. Prints JSON."""
import json
import re
import resource
import sys
import time

THRESHOLD = 0.8


def tokens_of(text):
    return set(re.findall(r"\w+", text))


def with_datasketch(rows):
    from datasketch import MinHash, MinHashLSH

    lsh = MinHashLSH(threshold=THRESHOLD, num_perm=128)
    pairs = []
    hashes = {}
    for key, text in rows:
        minhash = MinHash(num_perm=128)
        minhash.update_batch([token.encode() for token in tokens_of(text)])
        pairs += [(other, key) for other in lsh.query(minhash) if hashes[other].jaccard(minhash) >= THRESHOLD]
        hashes[key] = minhash
        lsh.insert(key, minhash)
    return pairs


def with_rensa(rows):
    from rensa import RMinHash, RMinHashLSH

    lsh = RMinHashLSH(threshold=THRESHOLD, num_perm=128, num_bands=16)
    pairs = []
    hashes = {}
    for key, text in rows:
        minhash = RMinHash(num_perm=128, seed=42)
        minhash.update(list(tokens_of(text)))
        pairs += [(other, key) for other in lsh.query(minhash) if hashes[other].jaccard(minhash) >= THRESHOLD]
        hashes[key] = minhash
        lsh.insert(key, minhash)
    return pairs


def with_simhash(rows):
    import logging

    from simhash import Simhash, SimhashIndex

    logging.disable(logging.CRITICAL)
    index = SimhashIndex([], k=3)
    pairs = []
    for key, text in rows:
        value = Simhash(text)
        pairs += [(int(other), key) for other in index.get_near_dups(value)]
        index.add(str(key), value)
    return pairs


def main():
    library, path = sys.argv[1:3]
    find = {"datasketch": with_datasketch, "rensa": with_rensa, "simhash": with_simhash}[library]
    start = time.process_time()
    with open(path, encoding="utf-8") as lines:
        rows = [(index, json.loads(line)["text"]) for index, line in enumerate(lines)]
    pairs = find(rows)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": time.process_time() - start, "peak": peak, "pairs": pairs}))


main()
