"""Known items in a sample of the Federal Register, true and with errors drawn from the channels of ocrad.

    python experiments/fr94_sample.py work/ --fr94 fr94/ --known questions.tsv
    python experiments/fr94_sample.py work/ --fr94 fr94/ --known questions.tsv --each 8 -s decipher -s bm25

The sample has every 20th document and those that answer a question. Questions are the 36 that are known and the 125
fresh ones beside this file; errors are drawn by the channels that come with adjudge (``ocrad-5``, ``ocrad-20``), which
is quicker than pages and a real engine, and easier to read. Mean reciprocal ranks, and decipher's differences with
their 95 % intervals, bootstrap over questions.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from real_scans import FOUR, answered
from scanned_collections import questions
from scanned_tables import interval

import adjudge
from adjudge.formats.documents.document_writing import DocumentWriter
from adjudge.noise.channel import Channel, ChannelNoise

FRESH = Path(__file__).with_name("fr94-questions.tsv")
CHANNELS = {"true": None, "5 %": "ocrad-5", "20 %": "ocrad-20"}


def write_sample(fr94: Path, each: int, wanted: frozenset[str], work: Path) -> dict[str, Path]:
    """The documents of the sample in all versions; what is there is not made again."""
    paths = {name: work / f"sample-{each}-{channel or 'true'}.jsonl.zst" for name, channel in CHANNELS.items()}
    if not paths["true"].exists():
        with DocumentWriter(paths["true"]) as writer:
            for number, document in enumerate(adjudge.read_documents(fr94)):
                if number % each == 0 or document.id in wanted:
                    writer.add(document)
    for name, channel in CHANNELS.items():
        if channel is not None and not paths[name].exists():
            noise = ChannelNoise(Channel.shipped(channel))
            with DocumentWriter(paths[name]) as writer:
                for document in adjudge.read_documents(paths["true"]):
                    writer.add(adjudge.Document(document.id, noise.degrade(document).text))
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--fr94", type=Path, required=True)
    parser.add_argument("--known", type=Path, required=True)
    parser.add_argument("--each", type=int, default=20, metavar="N")
    parser.add_argument("-s", "--system", action="append", metavar="SPEC")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    asked = {name: questions(path, options.work) for name, path in (("known", options.known), ("fresh", FRESH))}
    judged = [document for _, path in asked.values() for _, document, _ in adjudge.read_qrels(path).rows()]
    versions = write_sample(options.fr94, options.each, frozenset(judged), options.work)
    specs = options.system or ["bm25", FOUR, "decipher", "decipher(broken=false)"]
    for version, documents in versions.items():
        for name, places in asked.items():
            kept = options.work / f"{version.partition(' ')[0]}-{options.each}"
            values = answered(documents, *map(Path, places), kept, specs)
            ours = np.array(values["decipher"]) if "decipher" in values else None
            print(f"\n{version}, {name}: {len(next(iter(values.values())))} questions")
            for spec, row in values.items():
                line = f"  {spec:40} {np.mean(row):.3f}"
                if ours is not None and spec != "decipher":
                    low, high = interval(ours - np.array(row))
                    line += f"  decipher − this {float(ours.mean() - np.mean(row)):+.3f} ({low:+.3f} to {high:+.3f})"
                print(line, flush=True)


if __name__ == "__main__":
    main()
