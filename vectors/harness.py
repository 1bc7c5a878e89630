# SPDX-License-Identifier: MIT
"""Runs the vectors without the runner, as README.md explains: python3 harness.py MODULE [GROUP...]
The function answer(operation, input) of the module returns the result, an object; or it raises NotImplementedError for
what the implementation does not offer, and an exception with the member `code` for what it refuses."""
import hashlib, importlib, json, pathlib, sys
HERE, MASK = pathlib.Path(__file__).resolve().parent, (1 << 64) - 1
AS_HEX = lambda built: (built.encode("utf-8") if isinstance(built, str) else built).hex()
def numbers(seed):  # "Generating rules"
    while True:
        seed = seed + 0x9E3779B97F4A7C15 & MASK
        z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        yield z ^ z >> 31
def build(rule, **given):
    rule, kind = {**rule, **given}, rule["rule"]
    if kind == "concat":
        parts = [build(part) for part in rule["parts"]]
        return bytes.fromhex("".join(map(AS_HEX, parts))) if bytes in map(type, parts) else "".join(parts)
    if kind == "repeat":
        return rule["text"] * rule["count"]
    draw, count = numbers(rule["seed"]), range(rule["count"])
    pick = lambda items: items[next(draw) % len(items)]
    if kind == "octets":
        return bytes(pick(range(256)) for _ in count)
    if kind == "words":
        return "".join((pick(rule["separators"]) if i > 0 else "") + pick(rule["vocabulary"]) for i in count)
    ranges = [(first, last - first + 1, (last - first + 1) * (times or [1])[0]) for first, last, *times in rule["ranges"]]
    text = []
    for _ in count:
        x = pick(range(sum(size for _, _, size in ranges)))
        for first, width, size in ranges:
            if x < size:
                break
            x -= size
        text.append(chr(first + x % width))
    return "".join(text)
def cases(given):  # "Accumulated vectors" and "Scalar values": what each case of `accumulate` is made of
    rule = given["rule"]
    if rule["rule"] != "scalars":
        spread = rule["most"] - rule["least"] + 1
        return (build(rule, seed=given["seed"] + i, count=rule["least"] + i % spread) for i in range(given["count"]))
    points = [c for first, last in rule["ranges"] for c in range(first, last + 1) if not 0xD800 <= c <= 0xDFFF]
    at = lambda name, j: rule[name][j % len(rule[name])]
    text = lambda some: "".join(at("before", j) + chr(c) + at("after", j) for j, c in enumerate(some))
    return (text(points[i:i + rule["each"]]) for i in range(0, len(points), rule["each"]))
def input_of(step, built, i):
    if step == "simhash":
        return {"hashes": [built[p:p + 8].hex() for p in range(0, len(built) // 8 * 8, 8)]}
    if step in ("serialise", "tables", "probe"):
        return {"fingerprint": built.hex(), **({"table": i % 16, "k": i // 16 % 8} if step == "probe" else {})}
    name = "utf8" if step == "decode" or isinstance(built, bytes) else "serialised" if step == "parse" else "text"
    return {name: AS_HEX(built) if name == "utf8" else built}
def line_of(step, result):
    if step in ("decode", "normalise", "strip-locators"):
        return AS_HEX(result["text"])
    if step in ("classify", "tokenise"):
        return "".join(n[0] for n in result["classes"]) if step == "classify" else " ".join(map(AS_HEX, result["tokens"]))
    names = {"tables": ("keys", "permuted"), "probe": ("count", "digest"), "serialise": ("text", "hex"), "token-hash": ("hash",)}
    found = [result[name] for name in names.get(step, ("fingerprint",))]
    return " ".join("-" if x is None else str(x) for each in found for x in (each if isinstance(each, list) else [each]))
def accumulate(answer, given):
    digest, step, label = hashlib.sha256(), given["step"], {k: given[k] for k in given if k == "label"}
    for i, built in enumerate(cases(given)):
        outcome = ask(answer, step, {**input_of(step, built, i), **label})
        digest.update((outcome.get("error") or line_of(step, outcome["result"])).encode() + b"\n")
    return {"result": {"digest": digest.hexdigest()}}
def ask(answer, operation, given):
    if "generate" in given:
        given = {k: given[k] for k in given if k != "generate"} | input_of(operation, build(given["generate"]), 0)
    try:
        return accumulate(answer, given) if operation == "accumulate" else {"result": answer(operation, given)}
    except Exception as error:
        if isinstance(error, NotImplementedError):
            raise
        return {"error": getattr(error, "code", repr(error))}
def is_right(vector, outcome):  # "Judging"
    expected, result = vector.get("expected"), outcome.get("result")
    if expected is None or result is None:
        return outcome.get("error") == vector.get("error")
    optional = vector["operation"] == "fingerprint"  # only the intermediates that the result has
    names = [k for k in expected if k != "completeTo" and (k in result or not optional or k == "fingerprint")]
    return result.get("completeTo", 0) >= expected.get("completeTo", 0) and all(result.get(k, ...) == expected[k] for k in names)
def vectors(groups):
    for group in groups or json.loads((HERE / "manifest.json").read_text())["groups"]:
        for vector in json.loads((HERE / f"{group}.json").read_text())["vectors"]:
            if "within" not in vector.get("expected", {}) and not vector.get("status") and vector["input"].get("count", 0) <= 100:
                yield vector
                if "document" in vector:  # "Documents of steps"
                    again = {"id": vector["id"] + "/document", "operation": "fingerprint", "input": vector["input"]}
                    yield {**again, "expected": {"fingerprint": vector["document"]}}
if __name__ == "__main__":
    answer, passed, failed, missing = importlib.import_module(sys.argv[1]).answer, 0, [], 0
    for vector in vectors(sys.argv[2:]):
        try:
            right = is_right(vector, ask(answer, vector["operation"], vector["input"]))
            passed, failed = passed + right, failed + ([] if right else [vector["id"]])
        except NotImplementedError:
            missing += 1
    print(*(f"failed: {name}" for name in failed), f"{passed} passed, {len(failed)} failed, {missing} not answered", sep="\n")
    sys.exit(bool(failed))
