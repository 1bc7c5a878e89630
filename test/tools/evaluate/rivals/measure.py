"""Measures other ways to find near-duplicates: python3 measure.py RIVAL DOCUMENTS PAIRS. Prints one JSON object.

DOCUMENTS is JSON Lines of {"text": ..., "tokens": [...]}, PAIRS is {"true": [[a, b], ...], "between": [[a, b], ...]} with
line numbers from 0 and a < b; all other pairs are false.
"""
import json
import sys
import time
from importlib.metadata import version

import numpy as np

PERMUTATIONS = 128
FALSE, BETWEEN, TRUE = 0, 1, 2


def values_of(permutations, document):
    """The values of a MinHash of the set of tokens. datasketch has no tokeniser of its own."""
    from datasketch import MinHash

    minhash = MinHash(num_perm=permutations)
    minhash.update_batch([token.encode() for token in set(document["tokens"])])
    return minhash.hashvalues


class Rival:
    def distances(self, digests):
        rows = np.array(digests)
        for i in range(len(rows)):
            yield i, self.distances_from(rows[i], rows[i + 1 :])

    def threshold(self, distance):
        return distance


class Whole(Rival):
    """A MinHash of 128 values."""

    package = "datasketch"

    def digest(self, document):
        return values_of(PERMUTATIONS, document).astype(np.uint32)

    def distances_from(self, row, rows):
        return (rows != row).sum(axis=1)

    def threshold(self, distance):
        return 1 - distance / PERMUTATIONS

    def size(self, digest):
        return 4 * PERMUTATIONS


class Bits(Rival):
    """The lowest bits of the values of a MinHash."""

    def __init__(self, package, bits):
        self.package = package
        self.bits = bits

    def digest(self, document):
        return np.packbits((values_of(self.bits, document) & 1).astype(np.uint8))

    def distances_from(self, row, rows):
        return np.bitwise_count(rows ^ row).sum(axis=1).astype(np.int64)

    def size(self, digest):
        return self.bits // 8


class Iscc(Bits):
    """The text code of ISO 24138: a MinHash of character 13-grams."""

    def digest(self, document):
        import iscc_core

        digest = iscc_core.soft_hash_text_v0(iscc_core.text_collapse(document["text"]))
        return np.frombuffer(digest, dtype=np.uint8)[: self.bits // 8]


class Simhash(Bits):
    def digest(self, document):
        import simhash

        # Above this weight it multiplies bytes, which NumPy 2 refuses from 256 on; below, it repeats them.
        simhash.Simhash.large_weight_cutoff = 2**31
        return np.frombuffer(simhash.Simhash(document["text"]).value.to_bytes(8), dtype=np.uint8)


class Tlsh(Rival):
    package = "py-tlsh"
    MOST = 400

    def digest(self, document):
        import tlsh

        digest = tlsh.Tlsh()
        digest.update(document["text"].encode())
        # Fewer than 50 bytes, or too uniform ones, have no digest.
        try:
            digest.final()
        except ValueError:
            return None
        return digest if digest.is_valid else None

    def distances(self, digests):
        for i, one in enumerate(digests):
            yield i, np.array([self.distance(one, other) for other in digests[i + 1 :]], dtype=np.int64)

    def distance(self, one, other):
        return self.MOST if one is None or other is None else min(one.diff(other), self.MOST)

    def size(self, digest):
        return 0 if digest is None else len(digest.hexdigest().removeprefix("T1")) / 2


RIVALS = {
    "datasketch, words": Whole(),
    "datasketch, 8 octets": Bits("datasketch", 64),
    "datasketch, 32 octets": Bits("datasketch", 256),
    "ISCC text code, 64 bits": Iscc("iscc-core", 64),
    "ISCC text code, 256 bits": Iscc("iscc-core", 256),
    "simhash": Simhash("simhash", 64),
    "TLSH": Tlsh(),
}


def read_classes(path, documents):
    classes = np.zeros((documents, documents), dtype=np.uint8)
    with open(path, encoding="utf-8") as file:
        pairs = json.load(file)
    for a, b in pairs["between"]:
        classes[a, b] = BETWEEN
    for a, b in pairs["true"]:
        classes[a, b] = TRUE
    return classes


def best_of(rival, digests, classes):
    """The largest recall at which at most 1 % of the reported pairs are false, and the threshold."""
    counts = np.zeros((512, 3), dtype=np.int64)
    for i, row in rival.distances(digests):
        counts += np.bincount(row * 3 + classes[i, i + 1 :], minlength=512 * 3).reshape(512, 3)
    best = None
    for distance, (false, between, true) in enumerate(np.cumsum(counts, axis=0)):
        if counts[distance].any() and true > 0 and false <= 0.01 * (true + between + false):
            best = {"at": rival.threshold(distance), "recall": int(true) / int((classes == TRUE).sum())}
    return best


def main():
    name, documents_path, pairs_path = sys.argv[1:4]
    rival = RIVALS[name]
    with open(documents_path, encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    seconds = []
    # The best of two rounds, unless the first is long.
    while not seconds or (len(seconds) < 2 and seconds[0] < 5):
        start = time.process_time()
        digests = [rival.digest(document) for document in documents]
        seconds.append(time.process_time() - start)
    result = {
        "package": f"{rival.package} {version(rival.package)}",
        "bytes": sum(rival.size(digest) for digest in digests) / len(digests),
        "documentsPerSecond": len(documents) / min(seconds),
        "best": best_of(rival, digests, read_classes(pairs_path, len(documents))),
    }
    json.dump(result, sys.stdout)


main()
