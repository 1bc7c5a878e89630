"""Reads an index of layout 3 from PostgreSQL through psql and shares no code with the package.

Usage: read_postgres.py PSQL URL SCHEMA            print each entry as JSON: id and fingerprint, 16 hexadecimal digits
       read_postgres.py PSQL URL SCHEMA Q K        print the ids at distance K or less (up to 3) of Q, 16 hexadecimal digits
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
    return bytes.fromhex(row[0]), int(row[1]) % 2**64


def main(psql, url, schema, query=None, k="3"):
    table = '"' + schema.replace('"', '""') + '".simhash_doc_'
    meta = dict(rows_of(psql, url, "SELECT name, value FROM " + table + "meta"))
    assert meta["layout"] == "3", meta
    assert meta["label"] == "simhash-doc", meta
    select = "SELECT encode(document_id, 'hex'), fingerprint FROM " + table + "document"
    if query is None:
        for identifier, fingerprint in map(entry_of, rows_of(psql, url, select)):
            print(json.dumps({"id": identifier.decode("utf-8"), "fingerprint": format(fingerprint, "016x")}))
        return
    value = int(query, 16)
    found = set()
    for number in range(16):
        name = table + "key_" + str(number)
        expression = rows_of(
            psql,
            url,
            "SELECT pg_get_expr(indexprs, indrelid) FROM pg_index WHERE indexrelid = '" + name + "'::regclass",
        )[0][0]
        for row in rows_of(psql, url, select + " WHERE " + expression + " = " + str(key_of(value, number))):
            identifier, fingerprint = entry_of(row)
            distance = bin(fingerprint ^ value).count("1")
            if distance <= int(k):
                found.add((distance, identifier))
    for _, identifier in sorted(found):
        print(json.dumps(identifier.decode("utf-8")))


main(*sys.argv[1:])
