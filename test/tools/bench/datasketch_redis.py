"""Loads and queries datasketch's MinHashLSH on Redis: datasketch_redis.py COUNT. Prints a row of the table, with tabs.

It indexes other signatures (64 permutations, threshold 0.8) than this package does: what is compared is the work of keeping an
index of as many documents on a server. Needs redis-server, and datasketch and redis of PyPI.
"""

import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import numpy
import redis
from datasketch import LeanMinHash, MinHashLSH


def main(count):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = shutil.which("redis-server")
    if program is None:
        raise SystemExit("there is no redis-server")
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder, "--loglevel", "warning"], stdout=subprocess.DEVNULL)
        try:
            measure(count, port)
        finally:
            server.kill()
            server.wait()


def signature_of(numbers):
    return LeanMinHash(seed=1, hashvalues=numbers.integers(0, 2**32, 64, dtype=numpy.uint64), scheme="legacy")


def measure(count, port):
    client = redis.Redis(port=port)
    deadline = time.monotonic() + 20
    while True:
        try:
            client.ping()
            break
        except redis.ConnectionError:
            if time.monotonic() > deadline:
                raise
    index = MinHashLSH(
        threshold=0.8,
        num_perm=64,
        storage_config={"type": "redis", "basename": b"bench", "redis": {"host": "127.0.0.1", "port": port}},
    )
    numbers = numpy.random.default_rng(1)
    signatures = [
        signature_of(numbers) for _ in range(count)
    ]
    start, cpu = time.perf_counter(), time.process_time()
    with index.insertion_session() as session:
        for number, signature in enumerate(signatures):
            session.insert(f"{random.getrandbits(32):08x}/{number}", signature)
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    octets = client.info("memory")["used_memory_dataset"] / count
    times = []
    for number in range(1000):
        start = time.perf_counter()
        index.query(signatures[number * 7919 % count])
        times.append(time.perf_counter() - start)
    cells = [
        "datasketch on Redis",
        f"{count:,}",
        f"{count / wall:,.0f}",
        f"{count / cpu:,.0f}",
        f"{octets:.0f}",
        f"{1000 * times[0]:.1f}",
        f"{len(times) / sum(times):,.0f}",
        f"{1e6 * sorted(times)[len(times) // 2]:.1f}",
    ]
    print("\t".join(cells))


main(int(sys.argv[1]))
