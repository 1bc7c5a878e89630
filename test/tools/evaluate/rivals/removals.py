"""Removes duplicates as other programs do at their defaults: python3 removals.py METHOD DOCUMENTS. Prints the ids of what is kept.

DOCUMENTS is JSON Lines of {"id": "0", "text": ...}; the ids are line numbers.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def rensa(path, _):
    """The deduplicator of its README, with the words of split()."""
    from rensa import RMinHash, RMinHashLSH

    lsh = RMinHashLSH(threshold=0.8, num_perm=128, num_bands=16)
    for row in map(json.loads, path.open(encoding="utf-8")):
        minhash = RMinHash(num_perm=128, seed=42)
        minhash.update(row["text"].split())
        if not lsh.query(minhash):
            lsh.insert(int(row["id"]), minhash)
            yield row["id"]


def text_dedup(path, folder):
    from datasets import load_from_disk

    arguments = ["--path", "json", "--data_files", path, "--split", "train", "--column", "text", "--output", folder / "out"]
    options = ["--cache_dir", folder / "cache", "--num_proc", "1"]
    subprocess.run([sys.executable, "-m", "text_dedup.minhash", *arguments, *options], check=True, capture_output=True)
    return load_from_disk(str(folder / "out"))["id"]


def datatrove(path, folder):
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter

    parts = [str(folder / part) for part in ("signatures", "buckets", "removed", "out")]
    reader = lambda: JsonlReader(str(path.parent), glob_pattern=path.name)
    for number, (tasks, steps) in enumerate((
        (1, [reader(), MinhashDedupSignature(parts[0])]),
        (14, [MinhashDedupBuckets(parts[0], parts[1])]),
        (1, [MinhashDedupCluster(parts[1], parts[2])]),
        (1, [reader(), MinhashDedupFilter(parts[2]), JsonlWriter(parts[3], compression=None)]),
    )):
        LocalPipelineExecutor(steps, tasks=tasks, workers=1, logging_dir=str(folder / f"log{number}")).run()
    for out in sorted(Path(parts[3]).iterdir()):
        yield from (json.loads(line)["id"] for line in out.open(encoding="utf-8"))


METHODS = {"rensa": rensa, "text-dedup": text_dedup, "datatrove": datatrove}
with tempfile.TemporaryDirectory() as made:
    kept = METHODS[sys.argv[1]](Path(sys.argv[2]).resolve(), Path(made))
    print(json.dumps([int(each) for each in kept]))
