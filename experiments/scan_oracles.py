"""How far a scan is from its true text, by oracles: what would be found if one thing were known that has to be guessed.

    python experiments/scan_oracles.py work/ --scans real-scans/ --only de --only fr

``--scans`` is the folder of experiments/real_scans.py. Mean reciprocal ranks of questions of two or three words and of
five to eight. "1:1" counts every string for a word with the share of its occurrences that are this word by the
alignment of scan and truth; "+ joined" has strings that became of several words, "+ broken" pairs and triples of
neighbouring strings that became of one. The others are decipher, with the channel that the alignment gives, with the
words of the true text and how often each string is one of them, with both, and on the scan cut into the words of the
true text. Stems count as in bm25, whose weighting all have.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from real_scans import chosen_scans, reciprocal_ranks, scan_parser
from scan_words import WORD, Truth, lower_letters

import adjudge
from adjudge.core.document import Document
from adjudge.core.run import Run
from adjudge.formats.documents.document_writing import DocumentWriter
from adjudge.index.searching import run_of
from adjudge.systems.parts.deciphering.answering import DecipherAnswerer
from adjudge.systems.parts.deciphering.known_pairs import KnownPairs
from adjudge.systems.parts.deciphering.own_errors import LOUDEST, ROUNDS, SUPPORT
from adjudge.systems.parts.deciphering.reach_walk import ReplacementTables
from adjudge.systems.parts.deciphering.reading import TRUST, Reading
from adjudge.systems.parts.version import Aids, Version
from adjudge.systems.system import systems
from adjudge.text.analyzer import Analyzer
from adjudge.text.stemming import stems_of
from scanned import source

Weigh = Callable[[str], Mapping[int, float]]
"""How often a stem is expected in each document."""
LADDER = {"1:1": ("one",), "+ joined": ("one", "joined"), "+ broken": ("one", "joined", "broken")}
WORDS = "words|lower|letterforms|stop(smart)"
BM25 = "bm25(k1=0.9, b=0.4)"


def texts(path: Path) -> dict[str, str]:
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row["text"] for row in rows}


class Expected:
    """Expected frequencies from the true P(word | strings) of a collection."""

    def __init__(self, truth: Truth, observed: Mapping[str, str], kinds: Iterable[str]) -> None:
        counts = truth.counts(*kinds)
        longest = max(map(len, counts))
        stem = self._stems(word for row in counts.values() for word in row)
        seen: Counter[tuple[str, ...]] = Counter()
        there: dict[tuple[str, ...], Counter[int]] = defaultdict(Counter)
        for number, text in enumerate(observed.values()):
            strings = WORD.findall(lower_letters(text))
            for size in range(1, min(longest, 3) + 1):
                for k in range(len(strings) - size + 1):
                    key = tuple(strings[k : k + size])
                    if key in counts:
                        seen[key] += 1
                        there[key][number] += 1
        self.rows: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for key, row in counts.items():
            shares: dict[str, float] = defaultdict(float)
            for word, times in row.items():
                shares[stem[word]] += times / max(seen[key], 1)
            for name, share in shares.items():
                for number, times in there[key].items():
                    self.rows[name][number] += min(share, 1.0) * times

    @staticmethod
    def _stems(words: Iterable[str]) -> dict[str, str]:
        every = sorted(set(words))
        return dict(zip(every, stems_of(every, "porter"), strict=True))

    def __call__(self, stem: str) -> Mapping[int, float]:
        return self.rows.get(stem, {})


def answers(asked: Mapping[str, str], expected: Expected, answerer: DecipherAnswerer, name: str) -> Run:
    """Answers by BM25 on expected frequencies, with the lengths and the weighting of decipher."""
    analyzer, found = Analyzer.parse(WORDS), {}
    norms = answerer.norms
    for topic, question in asked.items():
        scores: npt.NDArray[np.float64] = np.zeros(len(norms))
        for stem, times in Counter(stems_of(analyzer.terms(question), "porter")).items():
            row = expected(stem)
            if row:
                places, e = np.array(list(row)), np.array(list(row.values()))
                scores[places] += answerer.query_weight(float(np.minimum(e, 1).sum()), times) * e / (e + norms[places])
        found[topic] = answerer.best_of(np.flatnonzero(scores), scores[scores > 0], 1000)
    return run_of({topic: hits for topic, hits in found.items() if len(hits)}, answerer.index, name)


def with_truth(reading: Reading, truth: Truth) -> Reading:
    """The same with how often each string is a word of its own by the truth, in place of what is guessed of it."""
    own = Counter(string for word, string in truth.pairs().elements() if word == string)
    names = reading.names(np.arange(len(reading.vocabulary)))
    trust = (1 - reading.wrong) ** TRUST
    otherwise = np.array([trust * own[name] for name in names], np.float32)
    return replace(reading, otherwise=np.maximum(otherwise, 0.01 * reading.otherwise))


def recut(truth: Truth, path: Path) -> Path:
    """The scan with the word boundaries of the true text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with DocumentWriter(path) as writer:
        for name, rows in truth.passages.items():
            parts = ["".join(g.strings) if g.kind == "broken" else " ".join(g.strings) for g in rows]
            writer.add(Document(name, " ".join(parts)))
    return path


def main() -> None:
    options = scan_parser(__doc__).parse_args()
    for folder in chosen_scans(options):
        true, observed = texts(folder / "true.jsonl"), texts(folder / "ocr.jsonl")
        truth = Truth.of(true, observed)
        kept = options.work / folder.name
        version = Version("ocr", adjudge.read_documents(folder / "ocr.jsonl"), kept / "ocr" / source())
        plain = systems.parse("decipher").answerer(version)
        index = plain.index
        pairs = {pair: float(times) for pair, times in truth.pairs().items()}
        known = KnownPairs.of(pairs, plain.reading.vocabulary.alphabet, LOUDEST)
        errors = known.channel(plain.reading.vocabulary.alphabet, ROUNDS, SUPPORT)
        channel = replace(plain.reading, channel=errors, tables=ReplacementTables.of(errors))
        readings = {
            "decipher": plain.reading,
            "channel": channel,
            "lexicon": with_truth(plain.reading, truth),
            "both": with_truth(channel, truth),
        }
        cut = recut(truth, kept / "recut.jsonl")
        boundaries = Version("recut", adjudge.read_documents(cut), kept / "recut" / source())
        oracles = {name: Expected(truth, observed, kinds) for name, kinds in LADDER.items()}
        for questions in ("auto23", "auto58"):
            judgments = folder / f"{questions}.qrels"
            asked = {topic.id: topic.title for topic in adjudge.read_topics(folder / f"{questions}.tsv")}
            runs: dict[str, Run] = {}
            for name in ("true", "ocr"):
                plainly = Version(name, adjudge.read_documents(folder / f"{name}.jsonl"), kept / name / "others")
                runs["true" if name == "true" else "bm25"] = systems.parse("bm25").answer(plainly, asked, Aids())
            for name, reading in readings.items():
                answerer = DecipherAnswerer(reading, BM25)
                found = {topic: answerer.search(question) for topic, question in asked.items()}
                runs[name] = run_of({t: hits for t, hits in found.items() if len(hits)}, index, name)
                if name == "decipher":
                    runs |= {name: answers(asked, oracle, plain, name) for name, oracle in oracles.items()}
            runs["boundaries"] = systems.parse("decipher").answer(boundaries, asked, Aids())
            print(f"\n{folder.name} {questions}: {len(asked)} questions")
            for name, run in runs.items():
                print(f"  {name:12} {np.mean(reciprocal_ranks(run, judgments, list(asked))):.3f}", flush=True)


if __name__ == "__main__":
    main()
