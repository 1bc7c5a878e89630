# SPDX-License-Identifier: MIT
"""Removes near-duplicates from a dataset with Apache Spark 4, by the rules of `simhash_doc.dedupe`.

    spark-submit spark.py SOURCE TARGET
    python -m simhash_doc.spark SOURCE TARGET
"""

from __future__ import annotations

import hashlib
import random
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

import numpy
import pyarrow  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

import simhash_doc

LABEL, BITS, WORDS = "minhash-doc-256", 256, 4

# Candidates are so near, and share a key. Each document of a key is compared with so many that follow it, until enough of them are near:
# those are linked with others.
DISTANCE, KEYS, NEIGHBOURS, ENOUGH = 48, 128, 1000, 8

# The documents that a process of Python holds to compare their words, unless more are linked with one another.
BATCH = 20_000


def fingerprints(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """Computes the fingerprints of texts. A text without letters gets a digest of its bytes instead."""
    for batch in batches:
        # Spark runs a process of Python for each core.
        found = simhash_doc.fingerprint_column(batch["text"], LABEL, threads=1)
        missing = found.is_null().to_pylist()
        texts = [text.as_py() if gone else None for text, gone in zip(batch["text"], missing, strict=True)]
        digests = [None if text is None else hashlib.sha256(text.encode()).digest() for text in texts]
        both = pyarrow.compute.coalesce(found.cast(pyarrow.binary()), pyarrow.array(digests, pyarrow.binary()))
        yield pyarrow.record_batch([batch["id"], both, found.is_valid()], ["id", "fingerprint", "hasletters"])


def choose_masks(count: int) -> Any:
    """Chooses the bits of each key: more documents need longer keys, so that few strangers share one."""
    choice, bits = random.Random(1), max(20, min(28, count.bit_length()))
    masks = numpy.zeros((KEYS, WORDS), numpy.uint64)
    for key in range(KEYS):
        for bit in choice.sample(range(BITS), bits):
            masks[key, bit // 64] |= numpy.uint64(1 << bit % 64)
    return masks


def find_near(batches: Iterator[pyarrow.RecordBatch], masks: Any) -> Iterator[pyarrow.RecordBatch]:
    """Compares documents with the same key; a pair is reported by the first key that it shares."""
    table = pyarrow.Table.from_batches(list(batches))
    if len(table) == 0:
        return
    node, number, key, *columns = [column.to_numpy() for column in table.columns]
    words = numpy.stack(columns, 1).view(numpy.uint64)
    # In each key, others come first: of two documents, one that has enough is before the other in some keys and after it in others.
    scattered = node.view(numpy.uint64) * (2 * number.astype(numpy.uint64) + 1)
    order = numpy.lexsort((scattered, key, number))
    left = numpy.arange(len(order) - 1)
    found = numpy.zeros(len(order), numpy.int32)
    for step in range(1, NEIGHBOURS + 1):
        left = left[: numpy.searchsorted(left, len(order) - step)]
        a, b = order[left], order[left + step]
        same = (key[a] == key[b]) & (number[a] == number[b])
        left, a, b = left[same], a[same], b[same]
        if len(left) == 0:
            return
        apart = words[a] ^ words[b]
        near = numpy.bitwise_count(apart).sum(1) <= DISTANCE
        found[left[near]] += 1
        left = left[found[left] < ENOUGH]
        a, b, apart = a[near], b[near], apart[near]
        first = []
        for earlier in range(KEYS):
            # The numbers ascend: the pairs of this key share none of the earlier ones.
            end = numpy.searchsorted(number[a], earlier, "right")
            first.append((a[:end], b[:end]))
            a, b, apart = a[end:], b[end:], apart[end:]
            if len(a) == 0:
                break
            new = (apart & masks[earlier]).any(1)
            a, b, apart = a[new], b[new], apart[new]
        yield pyarrow.record_batch([node[numpy.concatenate(ends)] for ends in zip(*first, strict=True)], ["a", "b"])


def remove(table: pyarrow.Table) -> pyarrow.Table:
    """Compares the words of documents, in the order of their ids."""
    table = table.sort_by("id")
    found = simhash_doc.dedupe(table["text"], threads=1).removed
    ids = [table["id"].take(pyarrow.array([getattr(each, name) for each in found], pyarrow.int64())) for name in ("row", "kept")]
    distances = pyarrow.array([each.distance for each in found], pyarrow.int32())
    overlaps = pyarrow.array([each.overlap for each in found], pyarrow.float64())
    return pyarrow.table([*ids, distances, overlaps], ["id", "kept", "distance", "overlap"])


def dedupe(documents: DataFrame, target: str) -> tuple[int, int]:
    """Writes `rows`, those to keep, and `removed`, each with the one in its place, as Parquet in a new folder.

    documents: with the columns id, different in each row, and text. The first of several rows that match is kept, by id.

    Returns the numbers of rows that were read and removed. Raises ValueError for ids that are missing or repeat.
    """
    spark = documents.sparkSession
    parallel = spark.sparkContext.defaultParallelism

    def saved(frame: DataFrame, name: str) -> DataFrame:
        """Writes a table and reads it again, so that no later step computes it twice."""
        frame.write.parquet(f"{target}/{name}")
        return spark.read.parquet(f"{target}/{name}")

    repeated = documents.groupBy("id").count().where("count > 1 OR id IS NULL").limit(5).collect()
    if repeated:
        raise ValueError(f"each row needs an id of its own; ids and how often they occur: {[tuple(row) for row in repeated]}")
    kind = documents.schema["id"].dataType.simpleString()
    texts = documents.where("text IS NOT NULL").select("id", "text")

    # 1. A node is all documents with one fingerprint. (Equal hashes of nodes would only compare more words.)
    hashed = texts.mapInArrow(fingerprints, f"id {kind}, fingerprint BINARY, hasletters BOOLEAN")
    hashed = saved(hashed.withColumn("node", f.xxhash64("fingerprint")), "work/fingerprints")
    words = [f"CAST(conv(hex(substr(fingerprint, {1 + 8 * word}, 8)), 16, -10) AS BIGINT) AS w{word}" for word in range(WORDS)]
    nodes = hashed.where("hasletters").dropDuplicates(["node"]).selectExpr("node", *words)
    nodes = saved(nodes, "work/nodes")

    # 2. Pairs of nodes that share a key and are near.
    masks = choose_masks(nodes.count())
    keys = [
        f.xxhash64(*[f.col(f"w{word}").bitwiseAND(f.lit(int(mask))) for word, mask in enumerate(signed)])
        for signed in masks.view(numpy.int64)
    ]
    columns = [f"w{word}" for word in range(WORDS)]
    tasks = max(parallel, nodes.count() * KEYS // 1_000_000 + 1)
    # The files of nodes are few: without this, few tasks would make all keys.
    keyed = nodes.repartition(tasks).select("node", f.posexplode(f.array(*keys)).alias("number", "key"), *columns)
    near = keyed.repartition(tasks, "number", "key")
    edges = saved(near.mapInArrow(lambda batches: find_near(batches, masks), "a BIGINT, b BIGINT"), "work/edges")

    # 3. Connected components, by large stars and small stars (Kiveris et al., 2014): at the end, b is the least node of each.
    rounds, state = 0, None
    while (now := edges.agg(f.count("*"), f.bit_xor(f.xxhash64("a", "b"))).first()) != state:
        state = now
        for choice in ("b > a", "b <= a"):
            both = edges.union(edges.select("b", "a"))
            both = both.union(both.select("a", "a"))
            least = both.groupBy("a").agg(f.min("b").alias("least"))
            edges = both.where(choice).join(least, "a").selectExpr("b AS a", "least AS b").where("a <> b").distinct()
        edges = saved(edges, f"work/rounds/{rounds}")
        rounds += 1

    # 4. The words of the documents of each component. Several go together, so that a process has enough to do.
    linked = edges.select(f.col("a").alias("node"), f.col("b").alias("component"))
    members = hashed.join(linked, "node", "left").selectExpr("id", "coalesce(component, node) AS component")
    several = members.groupBy("component").count().where("count > 1")
    members = saved(members.join(several.select("component"), "component"), "work/members")
    batches = members.count() // BATCH + 1
    members = members.selectExpr("id", f"pmod(xxhash64(component), {batches}) AS batch").join(texts, "id")
    schema = f"id {kind}, kept {kind}, distance INT, overlap DOUBLE"
    removed = saved(members.groupBy("batch").applyInArrow(remove, schema), "removed")
    saved(documents.join(removed, "id", "left_anti"), "rows")
    return documents.count(), removed.count()


def main() -> None:
    parser = ArgumentParser(prog="simhash_doc.spark", description="Removes near-duplicates from a dataset with Apache Spark.")
    parser.add_argument("source", help="Parquet, or JSON Lines if its name contains .json")
    parser.add_argument("target", help="a folder to make, with the folders rows and removed, and work, which can be deleted")
    parser.add_argument("--id-field", default="id", help="the column of ids, in whose order the first row is kept (default: id)")
    parser.add_argument("--text-field", default="text", help="the column of texts (default: text)")
    given = parser.parse_args()
    spark = SparkSession.builder.appName("simhash-doc").getOrCreate()
    spark.sparkContext.setLogLevel("WARN")
    documents = spark.read.json(given.source) if ".json" in given.source else spark.read.parquet(given.source)
    try:
        count, removed = dedupe(documents.withColumnsRenamed({given.id_field: "id", given.text_field: "text"}), given.target)
    except ValueError as error:
        sys.exit(str(error))
    print(f"{given.target}/rows: kept {count - removed} of {count} rows, removed {removed}")


if __name__ == "__main__":
    main()
