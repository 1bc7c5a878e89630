"""Adds the fingerprints of a Parquet file in Spark: spark-submit spark_function.py DOCUMENTS.parquet"""

import sys
from collections.abc import Iterator

import pandas
import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql.functions import coalesce, hex, lit, lower, pandas_udf
from pyspark.sql.types import BinaryType

import simhash_doc


@pandas_udf(BinaryType())
def minhash(batches: Iterator[pandas.Series]) -> Iterator[pandas.Series]:
    for texts in batches:
        column = pyarrow.array(texts, pyarrow.string(), from_pandas=True)
        # Spark runs a process of Python for each core.
        yield simhash_doc.fingerprint_column(column, "minhash-doc", threads=1).to_pandas()


spark = SparkSession.builder.getOrCreate()
documents = spark.read.parquet(sys.argv[1]).withColumn("fingerprint", minhash("text"))
for row in documents.select("id", coalesce(lower(hex("fingerprint")), lit("-"))).orderBy("id").collect():
    print(*row, sep="\t")
spark.stop()
