"""Compares the text of documents with that of other extractors, by the distinct words of each file, and prints tables.

    python3 test/tools/peers/compare.py FOLDER…

needs `npm run build`, pdftotext (poppler-utils), and pypdfium2, python-docx, mammoth, python-pptx, trafilatura from PyPI.
The article of a page is compared where the folder says what it is: in the layout of `mozilla/readability` (`source.html` beside
`expected.html`) and of `scrapinghub/article-extraction-benchmark` (`ground-truth.json`).
"""

import gzip
import json
import logging
import re
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

COMMAND = ["node", str(Path(__file__).parents[3] / "dist/cli/main.js")]
logging.disable(logging.CRITICAL)


def words(text: str) -> frozenset:
    return frozenset(re.findall(r"\w+", unicodedata.normalize("NFKC", text).lower()))


def own(paths: list, *options: str) -> dict:
    """The words of each file, by its path; a file that fails is missing."""
    listed = "\0".join(map(str, paths)).encode()
    call = [*COMMAND, "extract", "--json", "--quiet", *options, "--files0-from", "-"]
    rows = map(json.loads, subprocess.run(call, input=listed, capture_output=True).stdout.splitlines())
    return {row["path"]: words(row["text"]) for row in rows if "text" in row and "member" not in row}


def pdftotext(path: Path) -> str:
    return subprocess.run(["pdftotext", path, "-"], capture_output=True, check=True, timeout=60).stdout.decode("utf-8", "replace")


def pdfium(path: Path) -> str:
    import pypdfium2
    with pypdfium2.PdfDocument(path) as document:
        return "\n".join(page.get_textpage().get_text_bounded() for page in document)


def python_docx(path: Path) -> str:
    import docx

    def blocks(container):
        for item in container.iter_inner_content():
            if hasattr(item, "rows"):
                for row in item.rows:
                    for cell in row.cells:
                        yield from blocks(cell)
            else:
                yield item.text

    return "\n".join(blocks(docx.Document(str(path))))


def mammoth(path: Path) -> str:
    import mammoth as library
    return library.extract_raw_text(path.open("rb")).value


def python_pptx(path: Path) -> str:
    import pptx

    def texts(shapes):
        for shape in shapes:
            if hasattr(shape, "shapes"):
                yield from texts(shape.shapes)
            elif shape.has_text_frame:
                yield shape.text_frame.text
            elif getattr(shape, "has_table", False):
                yield from (cell.text for row in shape.table.rows for cell in row.cells)

    # Notes are no part of the slides (MED-8).
    return "\n".join(text for slide in pptx.Presentation(str(path)).slides for text in texts(slide.shapes))


def trafilatura(path: Path) -> str:
    import trafilatura as library
    return library.extract(path.read_bytes(), include_comments=False) or ""


PEERS = {".pdf": [pdftotext, pdfium], ".docx": [python_docx, mammoth], ".pptx": [python_pptx]}


def attempt(peer, path: Path):
    try:
        return words(peer(path))
    except Exception:  # whatever a peer throws, it has not read the file
        return None


def compare(suffix: str, paths: list) -> None:
    """Prints a row for each peer, and on standard error the files that lack most of its words."""
    ours = own(paths)
    for peer in PEERS[suffix]:
        theirs = {path: attempt(peer, path) for path in paths}
        both = [(ours[str(p)], t) for p, t in theirs.items() if t and ours.get(str(p))]
        common = sum(len(a & b) for a, b in both)
        cells = [
            peer.__name__,
            len(paths),
            len(both),
            sum(1 for p, t in theirs.items() if ours.get(str(p)) and not t),
            sum(1 for p, t in theirs.items() if t and not ours.get(str(p))),
            f"{100 * common / max(1, sum(len(b) for _, b in both)):.1f} %",
            f"{100 * common / max(1, sum(len(a) for a, _ in both)):.1f} %",
            sum(1 for a, b in both if len(a - b) > 0.02 * len(a | b)),
            sum(1 for a, b in both if len(b - a) > 0.02 * len(a | b)),
        ]
        print("|", suffix[1:], "|", " | ".join(map(str, cells)), "|", flush=True)
        lost = {p: len(t - ours.get(str(p), frozenset())) for p, t in theirs.items() if t}
        for path in sorted(lost, key=lost.get, reverse=True)[:20]:
            print(f"{path}: {lost[path]} words that only {peer.__name__} has", file=sys.stderr)


def articles(folder: Path, pages: dict) -> None:
    """Precision and recall of the words of articles, in the mean over the pages."""
    ours = own(list(pages), "--extractor", "article", "--charset", "utf-8")
    results = {"this": {p: ours.get(str(p), frozenset()) for p in pages}, "trafilatura": {p: attempt(trafilatura, p) or frozenset() for p in pages}}
    for name, found in results.items():
        recall = sum(len(found[p] & gold) / len(gold) for p, gold in pages.items()) / len(pages)
        precision = sum(len(found[p] & gold) / max(1, len(found[p])) for p, gold in pages.items()) / len(pages)
        print(f"| {folder.name} | {len(pages)} | {name} | {100 * recall:.1f} % | {100 * precision:.1f} % |", flush=True)


folders = [Path(name) for name in sys.argv[1:]]
print("| medium | peer | files | read by both | by this alone | by the peer alone | its words that this has | words of this that it has | files with more words here | there |")
print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
for suffix in PEERS:
    if paths := sorted(path for folder in folders for path in folder.rglob("*") if path.suffix.lower() == suffix):
        compare(suffix, paths)
print("\n| pages | number | extractor | words of the article found | words that are of the article |\n| --- | ---: | --- | ---: | ---: |")
with tempfile.TemporaryDirectory() as temporary:
    for folder in folders:
        pages = {p.parent / "source.html": p for p in folder.rglob("expected.html")}
        if pages:
            golds = own(list(pages.values()), "--charset", "utf-8")
            articles(folder, {page: golds[str(gold)] for page, gold in pages.items() if golds.get(str(gold))})
        if (truth := folder / "ground-truth.json").exists():
            pages = {}
            for name, page in json.loads(truth.read_text()).items():
                path = Path(temporary, f"{name}.html")
                path.write_bytes(gzip.decompress((folder / f"html/{name}.html.gz").read_bytes()))
                pages[path] = words(page["articleBody"])
            articles(folder, pages)
