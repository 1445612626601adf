"""How well does a learned error channel know real errors? On OCR of our own, ICDAR 2017 and the TREC-5 word pairs.

    python experiments/channel.py --ocr fr94/ fr94-ocr/ --save ocrad-5.json
    python experiments/channel.py --icdar FOLDER/ICDAR2017_datasetPostOCR_Training_10M_v1.2/eng_* \\
        --pairs FOLDER/trec5_confusion_wordpairs/*/solutions.csv --channel ocrad-5 --channel my-channel.json

Prints Markdown. OCR and ICDAR: every second document trains a channel, the others test it: bits a true character that
the learned channel needs for the observed text, against a channel that knows only the error rate and the shares of
substitutions, deletions and insertions; and the error rates of text that the channel simulates. Word pairs: how many
observed words are among the 10 (and 100) most probable corruptions of the true word, by a channel learned from the
pairs of half the true words and tested on the others (words that differ in case only are one). Channels given by
--channel are tried on the held-out text of --ocr and on the word pairs too.
"""

from __future__ import annotations

import argparse
import csv
import re
import time
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType

import numpy as np

from adjudge.formats.documents import read_documents
from adjudge.noise.alignment import align
from adjudge.noise.channel import Channel, channel_of, learn, uniform
from adjudge.noise.error_rates import error_rates
from adjudge.noise.pairing import DocumentPairs

Pairs = list[tuple[str, str]]


def icdar_document(path: Path, shortest: int = 200) -> Pairs:
    """The aligned stretches of a document: @ fills the alignment, # marks what has no true text."""
    lines = path.read_text(encoding="utf-8").split("\n")
    observed, true = lines[1][14:], lines[2][14:]
    if len(observed) != len(true):
        raise SystemExit(f"{path}: the aligned texts have unequal lengths")
    return [
        (true[m.start() : m.end()].replace("@", ""), observed[m.start() : m.end()].replace("@", ""))
        for m in re.finditer(r"[^#]+", true)
        if m.end() - m.start() >= shortest
    ]


def icdar(folder: Path) -> None:
    study(folder.name, [icdar_document(path) for path in sorted(folder.glob("*.txt"))])


def ocr(true: str, degraded: str, every: int, save: str | None, named: list[str]) -> None:
    """The channels that come with the package were made here, from the half that trains."""
    pairs = DocumentPairs(*(read_documents(path) for path in (true, degraded)))
    some = islice(pairs, 0, None, every)
    documents = [[(pair.true, pair.observed)] for pair in some if pair.true.strip()]
    channel = study(Path(degraded).name, documents, {name: channel_of(name) for name in named})
    if save:
        channel.save(save)


def study(name: str, documents: list[Pairs], others: Mapping[str, Channel] = MappingProxyType({})) -> Channel:
    training = [pair for document in documents[::2] for pair in document]
    test = [pair for document in documents[1::2] for pair in document]
    began = time.process_time()
    channel = learn(training, about={"documents": len(documents[::2])})
    seconds = time.process_time() - began
    real = error_rates(test)
    channels = {"learned": channel, **others}
    simulated = {}
    for known, one in channels.items():
        rng = np.random.default_rng(0)
        simulated[f"held out, simulated, {known}"] = error_rates([(true, one.sample(true, rng)) for true, _ in test])
    trained = error_rates(training)
    blind = blind_channel(training, channel.alphabet)
    print(f"\n### {name}: {len(documents)} documents, {trained.characters.sum():,} characters to learn from\n")
    print(f"Learned {len(channel.rules)} rules in {seconds:.0f} s.\n")
    print("| channel | bits per character, held out |\n|---|---|")
    for known, one in channels.items():
        print(f"| {known} | {one.bits_per_character(test):.4f} |", flush=True)
    print(f"| uniform, same error rate | {blind.bits_per_character(test):.4f} |")
    print("\n| text | CER | WER | intact words |\n|---|---|---|---|")
    for what, rates in {"training, real": trained, "held out, real": real, **simulated}.items():
        print(f"| {what} | {rates.total_cer:.4f} | {rates.total_wer:.4f} | {rates.intact_share:.4f} |")
    return channel


def blind_channel(pairs: Pairs, alphabet: str) -> Channel:
    kinds = np.zeros(3)
    characters = 0
    for true, observed in pairs:
        alignment = align(true, observed)
        characters += len(alignment.true)
        for region in alignment.regions:
            source, target = region.end - region.start, region.stop - region.begin
            kinds += (region.edits - abs(source - target), max(source - target, 0), max(target - source, 0))
    shares = kinds / kinds.sum()
    return uniform(float(kinds.sum() / characters), alphabet, shares=(shares[0], shares[1], shares[2]))


def word_pairs(path: Path, named: list[str]) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    whole = [(row[1], row[0]) for row in rows if len(row) == 2 and row[0] and row[1]]
    pairs = [(true, observed) for true, observed in dict.fromkeys(whole) if true != observed]
    # A word must not train in one case and test in another, so the halves are made of words without their case.
    words = sorted({true.lower() for true, _ in pairs})
    training = set(words[::2])
    halves = [[p for p in pairs if (p[0].lower() in training) == wanted] for wanted in (True, False)]
    print(f"\n### {path}: {len(pairs)} different word pairs, {len(words)} different true words\n")
    print(f"Left out: {len(rows) - len(whole)} rows that are no pair, {len(whole) - len(pairs)} repeated or equal.\n")
    print("| channel | pairs | CER | in the first 10 | in the first 100 |\n|---|---|---|---|---|")
    row("learned from the other half", learn(halves[0], bursts=False), halves[1])
    for name in named:
        row(name, channel_of(name), halves[1])


def row(name: str, channel: Channel, wrong: Pairs) -> None:
    places = []
    for true, observed in wrong:
        # The word itself comes first nearly always; it is not a corruption.
        strings = [string for string, _ in channel.most_probable(true, 101) if string != true]
        places.append(strings.index(observed) + 1 if observed in strings else 10**9)
    ranks = np.array(places)
    shares = " | ".join(f"{(ranks <= depth).mean():.1%}" for depth in (10, 100))
    print(f"| {name} | {len(wrong)} | {error_rates(wrong).total_cer:.3f} | {shares} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ocr", nargs=2, metavar=("TRUE", "DEGRADED"), help="documents, and what OCR made of them")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of --ocr only one document in N (1)")
    parser.add_argument("--save", metavar="FILE", help="for the channel learned from --ocr")
    parser.add_argument("--icdar", type=Path, nargs="*", default=[], metavar="FOLDER", help="folders of ICDAR texts")
    parser.add_argument("--pairs", type=Path, nargs="*", default=[], metavar="CSV", help="observed,true a line")
    parser.add_argument("--channel", action="append", default=[], help="a channel to try on the same texts as well")
    options = parser.parse_args()
    if options.ocr:
        ocr(*options.ocr, options.every, options.save, options.channel)
    for folder in options.icdar:
        icdar(folder)
    for path in options.pairs:
        word_pairs(path, options.channel)


if __name__ == "__main__":
    main()
