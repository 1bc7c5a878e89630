"""Measures the Python package and libraries of PyPI on texts: python3 wheel.py FILE, a JSON list of texts. Prints JSON.

Each program makes of a text what it compares documents by. A row is [program, MB/s by CPU time, MB/s by the clock].
"""
import json
import logging
import os
import re
import sys
import time

import simhash_doc as sd

ROUNDS = 5
# The slow ones get fewer texts, so that each round takes some tenths of a second.
FAST, SLOW = 1.0, 0.02


def of_package():
    programs = {}
    for label in sd.LABELS:
        programs[f"fingerprint, {label}"] = (FAST, lambda texts, label=label: [sd.fingerprint(text, label) for text in texts])
    programs["fingerprints, minhash-doc"] = (FAST, lambda texts: sd.fingerprints(texts, "minhash-doc", threads=1))
    cores = len(os.sched_getaffinity(0))
    programs[f"the same, {cores} threads"] = (FAST, lambda texts: sd.fingerprints(texts, "minhash-doc", threads=cores))
    return programs


def of_arrow():
    import pyarrow

    columns = {}

    def run(texts):
        column = columns.get(len(texts))
        if column is None:
            column = columns[len(texts)] = pyarrow.array(texts)
        return sd.fingerprint_column(column, "minhash-doc", threads=1)

    return {"fingerprint_column, minhash-doc": (FAST, run)}


def words_of(text):
    return set(re.findall(r"\w+", text))


def of_datasketch():
    from datasketch import MinHash

    def run(texts):
        for text in texts:
            MinHash(num_perm=128).update_batch([word.encode() for word in words_of(text)])

    return {"datasketch MinHash, 128": (SLOW * 5, run)}


def of_rensa():
    from rensa import RMinHash

    def run(texts):
        for text in texts:
            RMinHash(num_perm=128, seed=42).update(list(words_of(text)))

    return {"rensa RMinHash, 128": (FAST / 4, run)}


def of_simhash():
    from simhash import Simhash

    logging.disable(logging.CRITICAL)
    return {"simhash": (SLOW, lambda texts: [Simhash(text) for text in texts])}


def of_text_dedup():
    import numpy
    from text_dedup import minhash, simhash
    from text_dedup.utils import xxh3_32hash
    from text_dedup.utils.hashfunc import xxh3_64_digest

    random = numpy.random.RandomState(42)
    prime, count = numpy.uint32((1 << 32) - 5), 250
    options = {
        "num_perm": count,
        "ngram_size": 5,
        "min_length": 5,
        "hashranges": [(i, i + 25) for i in range(0, count, 25)],
        "permutations": (random.randint(1, prime, count, numpy.uint64), random.randint(0, prime, count, numpy.uint64)),
        "hash_func": xxh3_32hash,
        "dtype": numpy.uint64,
        "max_hash": numpy.uint64((1 << 32) - 1),
        "modulo_prime": numpy.uint64(prime),
    }
    return {
        "text-dedup MinHash, 250": (SLOW * 5, lambda texts: [minhash.embed_func(text, 0, **options) for text in texts]),
        "text-dedup SimHash": (
            SLOW,
            lambda texts: [
                simhash.embed_func(text, 0, ngram=3, permutations=None, hash_func=xxh3_64_digest) for text in texts
            ],
        ),
    }


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        texts = json.load(file)
    programs, missing = {}, []
    for name, make in {
        "simhash-doc": of_package,
        "pyarrow": of_arrow,
        "datasketch": of_datasketch,
        "rensa": of_rensa,
        "simhash": of_simhash,
        "text-dedup": of_text_dedup,
    }.items():
        try:
            programs.update(make())
        except ImportError as error:
            missing.append(f"{name}: {error}")
    best = {name: [0.0, 0.0] for name in programs}
    # They take turns, so that what else the machine does falls on all of them.
    for _ in range(ROUNDS):
        for name, (share, run) in programs.items():
            chosen = texts[: max(1, int(len(texts) * share))]
            size = sum(len(text.encode()) for text in chosen) / 1e6
            clock, cpu = time.perf_counter(), time.process_time()
            run(chosen)
            rates = size / (time.process_time() - cpu), size / (time.perf_counter() - clock)
            best[name] = [max(pair) for pair in zip(best[name], rates)]
    print(json.dumps({"rows": [[name, *rates] for name, rates in best.items()], "missing": missing}))


if __name__ == "__main__":
    main()
