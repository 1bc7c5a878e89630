"""ClickHouse, as the library chdb-core: `wordShingleSimHashUTF8(text)`, `tokens(text)` and `bitHammingDistance(a, b)`."""

import json

from protocol import hex16, octets_of, serve

import chdb


def evaluate(expression, **values):
    settings = "output_format_json_quote_64bit_integers = 1"
    answer = chdb.query("SELECT " + expression + " AS result SETTINGS " + settings, "JSONEachRow", params=values)
    return json.loads(str(answer))["result"]


def fingerprint(value):
    if "utf16" in value:
        return None
    return {"fingerprint": hex16(int(evaluate("wordShingleSimHashUTF8(unhex({text:String}))", text=octets_of(value).hex())))}


def tokenise(value):
    return {"tokens": evaluate("tokens(unhex({text:String}))", text=octets_of(value).hex())}


def distance(value):
    a, b = (int(value[name], 16) for name in "ab")
    return {"distance": int(evaluate("bitHammingDistance({a:UInt64}, {b:UInt64})", a=a, b=b))}


serve("ClickHouse", "26.9.0", {"fingerprint": fingerprint, "tokenise": tokenise, "distance": distance})
