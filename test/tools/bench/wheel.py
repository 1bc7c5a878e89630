"""Measures the Python package on texts: python3 wheel.py FILE, a JSON list of texts. Prints JSON.

A row is [function, MB/s by CPU time, MB/s by the clock].
"""
import json
import os
import sys
import time

import simhash_doc as sd

ROUNDS = 5


def functions(texts):
    found = {f"fingerprint, {label}": lambda label=label: [sd.fingerprint(text, label) for text in texts] for label in sd.LABELS}
    cores = len(os.sched_getaffinity(0))
    found["fingerprints, minhash-doc"] = lambda: sd.fingerprints(texts, "minhash-doc", threads=1)
    found[f"the same, {cores} threads"] = lambda: sd.fingerprints(texts, "minhash-doc", threads=cores)
    try:
        import pyarrow

        column = pyarrow.array(texts)
        found["fingerprint_column, minhash-doc"] = lambda: sd.fingerprint_column(column, "minhash-doc", threads=1)
    except ImportError as error:
        print(f"not measured: {error}", file=sys.stderr)
    return found


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        texts = json.load(file)
    size = sum(len(text.encode()) for text in texts) / 1e6
    measured = functions(texts)
    best = {name: [0.0, 0.0] for name in measured}
    # They take turns, so that what else the machine does falls on all of them.
    for _ in range(ROUNDS):
        for name, run in measured.items():
            clock, cpu = time.perf_counter(), time.process_time()
            run()
            rates = size / (time.process_time() - cpu), size / (time.perf_counter() - clock)
            best[name] = [max(pair) for pair in zip(best[name], rates)]
    print(json.dumps([[name, *rates] for name, rates in best.items()]))


main()
