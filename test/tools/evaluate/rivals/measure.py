"""Measures other ways to find near-duplicates: python3 measure.py RIVAL DOCUMENTS PAIRS. Prints one JSON object.

DOCUMENTS is JSON Lines of {"text": ..., "tokens": [...]}, PAIRS is {"true": [[a, b], ...], "between": [[a, b], ...]} with
line numbers from 0 and a < b; all other pairs are false.
"""
import json
import sys
import time
from collections import defaultdict
from importlib import import_module
from importlib.metadata import version

import numpy as np

PERMUTATIONS = 128
THRESHOLD = 0.8
FALSE, BETWEEN, TRUE = 0, 1, 2


def words(document):
    return set(document["tokens"])


def shingles(document):
    tokens = document["tokens"]
    return {" ".join(tokens[i : i + 5]) for i in range(max(1, len(tokens) - 4))}


class Datasketch:
    package = "datasketch"
    unit = "estimated Jaccard similarity"

    def __init__(self, features):
        self.features = features

    def digest(self, document):
        from datasketch import MinHash

        minhash = MinHash(num_perm=PERMUTATIONS)
        minhash.update_batch([feature.encode() for feature in self.features(document)])
        return minhash

    def distances(self, digests):
        return unequal_values(np.array([minhash.hashvalues for minhash in digests]))

    def similarity(self, distance):
        return 1 - distance / PERMUTATIONS

    def size(self, digest):
        return 4 * PERMUTATIONS

    def search(self, digests):
        from datasketch import MinHashLSH

        index = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
        for key, minhash in enumerate(digests):
            yield from ((other, key) for other in index.query(minhash))
            index.insert(key, minhash)


class Rensa(Datasketch):
    package = "rensa"

    def digest(self, document):
        from rensa import RMinHash

        minhash = RMinHash(num_perm=PERMUTATIONS, seed=42)
        minhash.update(list(self.features(document)))
        return minhash

    def distances(self, digests):
        return unequal_values(np.array([minhash.digest() for minhash in digests]))

    def search(self, digests):
        from rensa import RMinHashLSH

        index = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=16)
        for key, minhash in enumerate(digests):
            yield from ((other, key) for other in index.query(minhash))
            index.insert(key, minhash)


class OneBit:
    """The lowest bits of the values of a MinHash."""
    search = None
    size = lambda self, digest: self.permutations // 8
    similarity = lambda self, distance: distance

    def __init__(self, package, permutations):
        self.package = package
        self.permutations = permutations
        self.unit = "bits" if permutations == 64 else "bits of 256"

    def digest(self, document):
        if self.package == "rensa":
            from rensa import RMinHash

            minhash = RMinHash(num_perm=self.permutations, seed=42)
            minhash.update(list(words(document)))
            values = np.array(minhash.digest())
        else:
            from datasketch import MinHash

            minhash = MinHash(num_perm=self.permutations)
            minhash.update_batch([word.encode() for word in words(document)])
            values = minhash.hashvalues
        return np.packbits((values & 1).astype(np.uint8))

    def distances(self, digests):
        rows = np.array(digests)
        for i in range(len(rows)):
            yield i, np.bitwise_count(rows[i + 1 :] ^ rows[i]).sum(axis=1).astype(np.int64)


class Iscc(OneBit):
    """The text code of ISO 24138: a MinHash of character 13-grams."""

    def digest(self, document):
        import iscc_core

        digest = iscc_core.soft_hash_text_v0(iscc_core.text_collapse(document["text"]))
        return np.frombuffer(digest, dtype=np.uint8)[: self.permutations // 8]


class Simhash:
    package = "simhash"
    unit = "bits"
    search = None

    def digest(self, document):
        import simhash

        # Above this weight it multiplies bytes, which NumPy 2 refuses from 256 on; below, it repeats them.
        simhash.Simhash.large_weight_cutoff = 2**31
        return simhash.Simhash(document["text"]).value

    def distances(self, digests):
        values = np.array(digests, dtype=np.uint64)
        for i in range(len(values)):
            yield i, np.bitwise_count(values[i + 1 :] ^ values[i]).astype(np.int64)

    def similarity(self, distance):
        return distance

    def size(self, digest):
        return 8


class Tlsh:
    package = "py-tlsh"
    unit = "TLSH distance"
    search = None
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

    def similarity(self, distance):
        return distance

    def size(self, digest):
        return 0 if digest is None else len(digest.hexdigest().removeprefix("T1")) / 2


class Ssdeep:
    unit = "ssdeep score"
    search = None

    def __init__(self, package):
        self.package = package

    def digest(self, document):
        return import_module(self.package).hash(document["text"].encode())

    def distances(self, digests):
        """Only pairs with 7 equal characters in a row, of equal block sizes, have a score above 0: finds those first."""
        library = import_module(self.package)
        if self.package == "ppdeep":
            # The same results as its own functions, in a hundredth of the time.
            library._levenshtein = edit_distance
            library._common_substring = share_seven_characters
        partners = defaultdict(set)
        for group in self.grams(digests).values():
            for at, one in enumerate(group):
                partners[one].update(group[at + 1 :])
        for i, digest in enumerate(digests):
            row = np.full(len(digests) - i - 1, 100, dtype=np.int64)
            for other in partners[i]:
                row[other - i - 1] = 100 - library.compare(digest, digests[other])
            yield i, row

    def grams(self, digests):
        found = defaultdict(list)
        for i, digest in enumerate(digests):
            size, *parts = digest.split(":")
            keys = set()
            for factor, part in zip((1, 2), parts):
                # A score ignores repeats beyond three, and is 100 for equal parts however short.
                part = "".join(c for at, c in enumerate(part) if at < 3 or part[at - 3 : at] != c * 3)
                keys.add((int(size) * factor, part))
                keys.update((int(size) * factor, part[at : at + 7]) for at in range(len(part) - 6))
            for key in keys:
                found[key].append(i)
        return found

    def similarity(self, distance):
        return 100 - distance

    def size(self, digest):
        return len(digest)


RIVALS = {
    "datasketch, words": Datasketch(words),
    "datasketch, 5-grams": Datasketch(shingles),
    "rensa, words": Rensa(words),
    "rensa, 5-grams": Rensa(shingles),
    "datasketch, 8 octets": OneBit("datasketch", 64),
    "datasketch, 32 octets": OneBit("datasketch", 256),
    "rensa, 8 octets": OneBit("rensa", 64),
    "rensa, 32 octets": OneBit("rensa", 256),
    "ISCC text code, 64 bits": Iscc("iscc-core", 64),
    "ISCC text code, 256 bits": Iscc("iscc-core", 256),
    "simhash": Simhash(),
    "TLSH": Tlsh(),
    "ssdeep, in Python": Ssdeep("ppdeep"),
}


def share_seven_characters(one, other):
    grams = {one[at : at + 7] for at in range(len(one) - 6)}
    return any(other[at : at + 7] in grams for at in range(len(other) - 6))


def edit_distance(one, other):
    """Levenshtein distance, a column of the matrix at a time as the bits of two numbers (Myers, 1999; Hyyro, 2003)."""
    if not one or not other:
        return len(one) + len(other)
    places = defaultdict(int)
    for at, character in enumerate(one):
        places[character] |= 1 << at
    mask = (1 << len(one)) - 1
    last = 1 << (len(one) - 1)
    up, down, distance = mask, 0, len(one)
    for character in other:
        equal = places.get(character, 0)
        diagonal = (((equal & up) + up) ^ up) | equal | down
        right = down | (~(diagonal | up) & mask)
        left = up & diagonal
        distance += bool(right & last) - bool(left & last)
        right = (right << 1) | 1
        up = ((left << 1) | ~(diagonal | right)) & mask
        down = right & diagonal & mask
    return distance


def unequal_values(signatures):
    """For each document the numbers of permutations in which those after it differ from it."""
    signatures = signatures.astype(np.uint32)
    for i in range(len(signatures)):
        yield i, (signatures[i + 1 :] != signatures[i]).sum(axis=1)


def read_classes(path, documents):
    classes = np.zeros((documents, documents), dtype=np.uint8)
    with open(path, encoding="utf-8") as file:
        pairs = json.load(file)
    for a, b in pairs["between"]:
        classes[a, b] = BETWEEN
    for a, b in pairs["true"]:
        classes[a, b] = TRUE
    return classes


def count_by_distance(rival, digests, classes):
    """How many pairs of each class lie at each distance: counts[distance][class]."""
    counts = np.zeros((512, 3), dtype=np.int64)
    for i, row in rival.distances(digests):
        counts += np.bincount(row * 3 + classes[i, i + 1 :], minlength=512 * 3).reshape(512, 3)
    return counts


def within(rival, counts):
    """For each similarity or distance that occurs, how many pairs of each class are at least as similar."""
    rows = []
    for distance, (false, between, true) in enumerate(np.cumsum(counts, axis=0)):
        if counts[distance].any():
            row = {"at": rival.similarity(distance), "true": true, "between": between, "false": false}
            rows.append({name: float(value) if name == "at" else int(value) for name, value in row.items()})
    return rows


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
    classes = read_classes(pairs_path, len(documents))
    result = {
        "package": f"{rival.package} {version(rival.package)}",
        "unit": rival.unit,
        "bytes": sum(rival.size(digest) for digest in digests) / len(digests),
        "seconds": min(seconds),
        "within": within(rival, count_by_distance(rival, digests, classes)),
    }
    if rival.search is not None:
        start = time.process_time()
        found = list(rival.search(digests))
        result["searchSeconds"] = time.process_time() - start
        found = np.bincount([classes[a, b] for a, b in found], minlength=3)
        result["search"] = {"true": int(found[TRUE]), "between": int(found[BETWEEN]), "false": int(found[FALSE])}
    json.dump(result, sys.stdout)


main()
