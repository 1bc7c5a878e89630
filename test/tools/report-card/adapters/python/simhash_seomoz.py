"""simhash-py: `compute(hashes)`, with hashes of `unsigned_hash(octets)`; `find_all` gives all near pairs of a set."""

from protocol import hex16, octets_of, serve

import simhash

# One block more than its README has for k = 3.
BLOCKS = 6


def find(value):
    if not 0 < value["k"] < BLOCKS:
        return None
    query = int(value["query"], 16)
    numbers = {entry["id"]: int(entry["fingerprint"], 16) for entry in value["entries"]}
    near = set()
    for pair in simhash.find_all(set(numbers.values()) | {query}, BLOCKS, value["k"]):
        near.update(pair if query in pair else ())
    return {"ids": [name for name, number in numbers.items() if number in near or number == query]}


def fingerprint_of_hashes(hashes):
    return {"fingerprint": hex16(simhash.compute(hashes))}


serve("simhash-py", "0.4.0", {
    "token-hash": lambda value: {"hash": hex16(simhash.unsigned_hash(octets_of(value)))},
    "fingerprint-of-tokens": lambda value: fingerprint_of_hashes(
        [simhash.unsigned_hash(token.encode("utf-8")) for token in value["tokens"]]),
    "simhash": lambda value: fingerprint_of_hashes([int(digits, 16) for digits in value["hashes"]]),
    "distance": lambda value: {"distance": simhash.num_differing_bits(int(value["a"], 16), int(value["b"], 16))},
    "find": find,
})
