"""Questions with common words in them: phrases of real scans, and topics that people wrote, systems paired.

    python experiments/phrases.py work/ --scans real-scans/ --classic glasgow/
    python experiments/phrases.py work/ --scans real-scans/ --only de -s decipher -s "decipher(common=false)"

``--scans`` is the folder of experiments/real_scans.py. A phrase is five neighbouring words of the true text of one
passage, drawn at random: letters only, two of five characters or more and one of four or fewer; one from a passage,
300 passages. ``--classic`` is the archive of small collections, unpacked, read with errors drawn from the channels of
ocrad (``ocrad-5``, ``ocrad-20``) and asked with their topics. Prints mean reciprocal ranks of phrases and mean average
precision of topics, and the difference of the first decipher to each other system on the scan, with its 95 %
interval, bootstrap over questions. Indexes are kept in the folder.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from real_scans import FOUR, NAMES, answered, chosen_scans, scan_parser
from scanned_collections import CLASSIC, classic_questions
from scanned_tables import interval

import adjudge
from adjudge.formats.documents.document_writing import DocumentWriter
from adjudge.noise.channel import Channel, ChannelNoise

UNSTOPPED = "bm25(analyzer=words|lower)"
SYSTEMS = ("bm25", UNSTOPPED, FOUR, "decipher", "decipher(common=false)", "decipher(stop=none)")
LONG, SHORT, WORDS, PHRASES, TRIES = 5, 4, 5, 300, 50
LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
MARKS = '.,;:!?"()«»„“”'
CHANNELS = ("ocrad-5", "ocrad-20")


def is_phrase(words: Sequence[str]) -> bool:
    sizes = [len(word) for word in words]
    whole = all(LETTERS.fullmatch(word) for word in words)
    return whole and sum(size >= LONG for size in sizes) >= 2 and min(sizes) <= SHORT


def phrases(true: Path, seed: int) -> Iterator[tuple[str, str]]:
    """Passages and a phrase of each."""
    draw = random.Random(seed)  # noqa: S311
    texts = [(document.id, document.text.split()) for document in adjudge.read_documents(true)]
    long = [(name, words) for name, words in texts if len(words) > 6 * WORDS]
    for name, words in draw.sample(long, min(PHRASES, len(long))):
        for _ in range(TRIES):
            begin = draw.randrange(len(words) - WORDS)
            phrase = [word.strip(MARKS) for word in words[begin : begin + WORDS]]
            if is_phrase(phrase):
                yield name, " ".join(phrase)
                break


def write_phrases(true: Path, folder: Path, seed: int) -> tuple[Path, Path]:
    """Questions and their passages as files."""
    folder.mkdir(parents=True, exist_ok=True)
    topics, judgments = folder / f"phrases-{seed}.tsv", folder / f"phrases-{seed}.qrels"
    rows = list(enumerate(phrases(true, seed), 1))
    topics.write_text("".join(f"P{k}\t{phrase}\n" for k, (_, phrase) in rows), encoding="utf-8")
    judgments.write_text("".join(f"P{k} 0 {name} 1\n" for k, (name, _) in rows), encoding="utf-8")
    return topics, judgments


def with_errors(documents: Path, channel: str, made: Path) -> Path:
    """A collection with errors drawn from a channel."""
    if not made.exists():
        noise = ChannelNoise(Channel.shipped(channel))
        with DocumentWriter(made) as writer:
            for document in adjudge.read_documents(documents):
                writer.add(adjudge.Document(document.id, noise.degrade(document).text))
    return made


def show(label: str, scan: Mapping[str, Sequence[float]], true: Mapping[str, Sequence[float]] | None = None) -> None:
    """A line for each system."""
    ours = next((name for name in scan if name.startswith("decipher")), None)
    print(f"\n{label}: {len(next(iter(scan.values())))} questions")
    for name, values in scan.items():
        line = f"  {NAMES.get(name, name):28} " + (f"true {np.mean(true[name]):.3f}  " if true else "")
        line += f"scan {np.mean(values):.3f}"
        if ours is not None and name != ours:
            low, high = interval(np.subtract(scan[ours], values))
            line += f"  {ours} − this {np.mean(scan[ours]) - np.mean(values):+.3f} ({low:+.3f} to {high:+.3f})"
        print(line, flush=True)


def main() -> None:
    parser = scan_parser(__doc__)
    parser.add_argument("--classic", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("-s", "--system", action="append", metavar="SPEC")
    options = parser.parse_args()
    specs = options.system or list(SYSTEMS)
    for folder in chosen_scans(options):
        kept = options.work / folder.name
        asked = write_phrases(folder / "true.jsonl", kept, options.seed)
        both = {text: answered(folder / f"{text}.jsonl", *asked, kept / text, specs) for text in ("true", "ocr")}
        show(f"{folder.name}, phrases", both["ocr"], both["true"])
    for name in CLASSIC if options.classic else ():
        if options.only and name not in options.only:
            continue
        documents, queries, judged = (options.classic / name / file for file in CLASSIC[name])
        kept = options.work / name
        kept.mkdir(parents=True, exist_ok=True)
        asked = classic_questions(name, queries, judged, kept)
        for channel in CHANNELS:
            read = with_errors(documents, channel, kept / f"{channel}.jsonl.zst")
            show(f"{name}, topics, {channel}", answered(read, *asked, kept / channel, specs, "ap"))


if __name__ == "__main__":
    main()
