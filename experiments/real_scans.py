"""Search in real scans: any systems on known-item collections with the true text beside the scan, paired.

    python experiments/real_scans.py work/ --scans real-scans/
    python experiments/real_scans.py work/ --scans real-scans/ --only de -s bm25 -s decipher -s "decipher(joined=false)"

``--scans`` holds folders with ``true.jsonl``, ``ocr.jsonl`` and questions ``auto23`` and ``auto58`` as ``.tsv`` and
``.qrels``. Prints the mean reciprocal rank of each system on both texts, with the fusions (combsum) of bm25 and grams,
and for decipher the difference to the others with its 95 % interval, bootstrap over questions. Indexes are kept in the
folder; those of decipher are made again when its source changes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from scanned_tables import interval

import adjudge
from adjudge.core.run import Run
from adjudge.systems.parts.fusing import fuse_any
from adjudge.systems.parts.version import Aids, Version
from adjudge.systems.system import systems
from scanned import source

THREE, FOUR = "bm25(analyzer=words|lower|ngrams(3))", "bm25(analyzer=words|lower|ngrams(4))"
NAMES = {THREE: "3-grams", FOUR: "4-grams"}
FUSIONS = {"bm25 + 3-grams": ("bm25", THREE), "bm25 + 4-grams": ("bm25", FOUR)}


def reciprocal_ranks(run: Run | None, judgments: Path, asked: list[str], measure: str = "rr") -> list[float]:
    """Values of a measure, question by question, reciprocal ranks if it is no other."""
    if run is None:
        return [0.0] * len(asked)
    scores = adjudge.measure(adjudge.read_qrels(judgments), run, [measure])
    values = {topic: row[measure] for topic, row in scores.per_topic(scores.systems[0]).items()}
    return [values.get(topic, 0.0) for topic in asked]


def answered(
    documents: Path, topics: Path, judgments: Path, folder: Path, specs: list[str], measure: str = "rr"
) -> dict[str, list[float]]:
    """Reciprocal ranks, or another measure, by system, question by question."""
    asked = {topic.id: topic.title for topic in adjudge.read_topics(topics)}
    runs: dict[str, Run | None] = {}
    for spec in specs:
        ours = folder / (source() if spec.startswith("decipher") else "others")
        version = Version(documents.stem, adjudge.read_documents(documents), ours)
        system = systems.parse(spec)
        run = system.answer(version, asked, Aids())
        runs[spec] = run if len(run) else None
    for name, members in FUSIONS.items():
        if all(runs.get(member) is not None for member in members):
            parts = [run for member in members if (run := runs[member]) is not None]
            runs[name] = fuse_any(parts, "combsum", constant=60, k=1000, name=name)
    return {name: reciprocal_ranks(run, judgments, list(asked), measure) for name, run in runs.items()}


def scan_parser(about: str | None) -> argparse.ArgumentParser:
    """What every experiment on real scans is asked: where to work, where the scans are, which of them."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--scans", type=Path, required=True)
    parser.add_argument("--only", action="append", metavar="NAME")
    return parser


def chosen_scans(options: argparse.Namespace) -> list[Path]:
    """The folders of the collections that were asked for."""
    folders = sorted(path for path in options.scans.iterdir() if path.is_dir())
    return [folder for folder in folders if not options.only or folder.name in options.only]


def main() -> None:
    parser = scan_parser(__doc__)
    parser.add_argument("-s", "--system", action="append", metavar="SPEC")
    options = parser.parse_args()
    specs = options.system or ["bm25", THREE, FOUR, "decipher"]
    for folder in chosen_scans(options):
        for questions in ("auto23", "auto58"):
            places = folder / f"{questions}.tsv", folder / f"{questions}.qrels"
            kept = options.work / folder.name
            both = {name: answered(folder / f"{name}.jsonl", *places, kept / name, specs) for name in ("true", "ocr")}
            print(f"\n{folder.name} {questions}: {len(next(iter(both['ocr'].values())))} questions")
            ours = next((np.array(v) for k, v in both["ocr"].items() if k.startswith("decipher")), None)
            for name, values in both["ocr"].items():
                line = (
                    f"  {NAMES.get(name, name):28} true {np.mean(both['true'][name]):.3f}  scan {np.mean(values):.3f}"
                )
                if ours is not None and not name.startswith("decipher"):
                    low, high = interval(ours - np.array(values))
                    line += (
                        f"  decipher − this {float(np.mean(ours) - np.mean(values)):+.3f} ({low:+.3f} to {high:+.3f})"
                    )
                print(line, flush=True)


if __name__ == "__main__":
    main()
