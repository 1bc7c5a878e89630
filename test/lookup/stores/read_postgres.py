"""Reads an index of layout 3 from PostgreSQL through psql and shares no code with the package.

Usage: read_postgres.py PSQL URL SCHEMA            print each entry as JSON: id and fingerprint, 16 or 64 hexadecimal digits
       read_postgres.py PSQL URL SCHEMA Q K        print the ids of which a word is at distance K or less (up to 3) of that of Q
"""

import json
import subprocess
import sys


def rows_of(psql, url, statement):
    """Rows as lists of texts. What is read has no tab and no line feed: ids are hexadecimal."""
    command = [psql, url, "-X", "-q", "-c", "COPY (" + statement + ") TO STDOUT"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [line.split("\t") for line in output.splitlines()]


def key_of(fingerprint, table):
    """Block i of 16 bits, then sub-block j of 12 of the other three, for table 4i + j."""
    digits = format(fingerprint, "064b")
    at = table // 4 * 16
    others = digits[:at] + digits[at + 16 :]
    part = table % 4 * 12
    return int(digits[at : at + 16] + others[part : part + 12], 2)


def entry_of(row):
    return bytes.fromhex(row[0]), [int(word) % 2**64 for word in row[1:]]


def distances(a, b):
    return [bin(x ^ y).count("1") for x, y in zip(a, b)]


def main(psql, url, schema, query=None, k="3"):
    table = '"' + schema.replace('"', '""') + '".simhash_doc_'
    meta = dict(rows_of(psql, url, "SELECT name, value FROM " + table + "meta"))
    assert meta["layout"] == "3", meta
    words = {"simhash-doc": 1, "minhash-doc-256": 4}[meta["label"]]
    columns = ["fingerprint"] + ["fingerprint_" + str(word) for word in range(1, words)]
    select = "SELECT encode(document_id, 'hex'), " + ", ".join(columns) + " FROM " + table + "document"
    if query is None:
        for identifier, values in map(entry_of, rows_of(psql, url, select)):
            digits = "".join(format(value, "016x") for value in values)
            print(json.dumps({"id": identifier.decode("utf-8"), "fingerprint": digits}))
        return
    asked = [int(query[at : at + 16], 16) for at in range(0, 16 * words, 16)]
    found = set()
    for number in range(16 * words):
        name = table + "key_" + str(number)
        expression = rows_of(
            psql,
            url,
            "SELECT pg_get_expr(indexprs, indrelid) FROM pg_index WHERE indexrelid = '" + name + "'::regclass",
        )[0][0]
        for row in rows_of(psql, url, select + " WHERE " + expression + " = " + str(key_of(asked[number // 16], number % 16))):
            identifier, values = entry_of(row)
            if min(distances(values, asked)) <= int(k):
                found.add((sum(distances(values, asked)), identifier))
    for _, identifier in sorted(found):
        print(json.dumps(identifier.decode("utf-8")))


main(*sys.argv[1:])
