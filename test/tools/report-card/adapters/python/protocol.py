"""The adapter protocol (vectors/README.md) for libraries of PyPI, in Python 2.7 and 3."""

import binascii
import json
import sys

# The folder in which the library is installed.
sys.path.insert(0, sys.argv[1])


def hex16(number):
    """Writes a number of 64 bits."""
    return "%016x" % number


def octets_of(value):
    """The octets of a text or of hexadecimal digits."""
    return value["text"].encode("utf-8") if "text" in value else binascii.unhexlify(value["utf8"])


def serve(name, version, operations):
    """Answers requests by functions, one for each operation. One that returns None does not offer it for this input."""
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        reply = {"id": request["id"]}
        try:
            if request["op"] == "hello":
                result = {"name": name, "version": version, "language": "Python", "protocol": 1, "unicode": None,
                          "operations": sorted(operations)}
            else:
                operation = operations.get(request["op"])
                result = operation and operation(request["input"])
            reply.update({"unsupported": True} if result is None else {"ok": result})
        except Exception as error:
            reply["error"] = {"code": "internal", "message": repr(error)}
        print(json.dumps(reply))
        sys.stdout.flush()
