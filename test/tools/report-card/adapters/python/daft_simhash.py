"""Daft: the expressions `simhash(text)` and `hamming_distance(a, b)`, on a data frame of one row."""

from protocol import hex16, serve

import daft
from daft import DataType, col, lit
from daft.functions import hamming_distance, simhash


def evaluate(expression, **values):
    frame = daft.from_pydict({name: [value] for name, value in values.items()})
    return frame.select(expression.alias("result")).to_pydict()["result"][0]


def fingerprint(value):
    return {"fingerprint": hex16(evaluate(simhash(col("text")), text=value["text"]))} if "text" in value else None


def token_hash(value):
    # The hash of a text is the simhash of its only n-gram: itself.
    if not value.get("text"):
        return None
    return {"hash": hex16(evaluate(simhash(col("text"), ngram_size=len(value["text"])), text=value["text"]))}


def distance(value):
    a, b = (lit(int(value[name], 16)).cast(DataType.uint64()) for name in "ab")
    return {"distance": evaluate(hamming_distance(a, b), row=0)}


serve("daft", "0.7.26", {"fingerprint": fingerprint, "token-hash": token_hash, "distance": distance})
