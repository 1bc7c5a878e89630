"""Adds the fingerprints of a Parquet file in Spark: spark-submit spark_function.py DOCUMENTS.parquet"""

import sys

import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql.functions import arrow_udf
from pyspark.sql.types import BinaryType

import simhash_doc


@arrow_udf(BinaryType())
def minhash(texts: pyarrow.Array) -> pyarrow.Array:
    return simhash_doc.fingerprint_column(texts, "minhash-doc", threads=1).cast(pyarrow.binary())


with SparkSession.builder.getOrCreate() as spark:
    for identifier, octets in spark.read.parquet(sys.argv[1]).select("id", minhash("text")).orderBy("id").collect():
        print(identifier, "-" if octets is None else octets.hex(), sep="\t")
