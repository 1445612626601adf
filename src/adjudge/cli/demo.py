"""Score the built-in example and write the results to a folder.

    adjudge demo
    adjudge demo --output results

Three invented systems on eight topics with graded judgments. The folder gets the table as Markdown, the figures and
the values of every topic as JSON, and the example's own files to play with.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path

from ..core.errors import DataError
from ..formats.writing import write
from ..judging import DEFAULT, measure
from ..report.scores import as_text
from ._options import Parser, coloured, note

SYSTEMS = ("lexical", "dense", "fused")


def main(arguments: Sequence[str]) -> int:
    made = Parser(prog="adjudge demo", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("-o", "--output", default="out", metavar="FOLDER", help="where the results go (out)")
    folder = Path(made.parse_args(arguments).output)
    try:
        (folder / "example").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be made: {error.strerror}") from None
    with as_file(files("adjudge") / "example") as example:
        runs = [example / f"{name}.run" for name in SYSTEMS]
        scores = measure(example / "qrels.txt", runs, [*DEFAULT, "gm_map"])
        for file in (example / "qrels.txt", *runs):
            write(folder / "example" / file.name, file.read_bytes())
    note(scores.notes)
    sys.stdout.write(as_text(scores, "table", colour=coloured(None)))
    page = f"# The built-in example\n\n{as_text(scores, 'md')}\n" + "".join(f"- {line}\n" for line in scores.notes)
    write(folder / "scores.md", page.encode())
    write(folder / "scores.json", as_text(scores, "json", per_topic=True).encode())
    print(f"written: {folder / 'scores.md'}, {folder / 'scores.json'}")
    print(f"try: adjudge measure {folder}/example/qrels.txt {folder}/example/*.run -m ndcg@5 --per-topic")
    return 0
