"""What every system that hands texts to somebody else's engine must bear, and distances written slowly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError
from adjudge.systems.parts.version import Version
from adjudge.systems.system import systems
from recorder import Recorder

HOSTILE = {
    "plain": "modern solar power",
    'it\'s "quoted" \\ id\t7': "solar\0plants behind a NUL",
    "\udcff\u202e": "solar flares \udcff and AND OR NOT NEAR * ^ : ( \" ' ; -- %s $1 \\",
    "empty": "",
    "blank": " \n\t ",
    "long": "solar" + "x" * 70_000 + " plants",
    "NULL": "Größe naïveté 東京 cafe\u0301 🦜 plants",
}
QUESTIONS = {
    "syntax": "solar\" OR (plants* NEAR/3 ' ; DROP TABLE x -- ^2 ~ : %s \\",
    "nul": "pla\0nts solar\0",
    "surrogate": "\udcff solar",
    "foreign": "Größe naïveté",
    "nothing": "qqqqqqqq wwwwwwww",
    "stopped": "the of and",
    "empty": "",
    "blank": " \0 ",
}


def version_of(texts: Mapping[str, str] | Sequence[str], folder: Path) -> Version:
    """Documents by id, or numbered ones."""
    named = texts if isinstance(texts, Mapping) else {f"d{i}": text for i, text in enumerate(texts)}
    return Version("version", InMemory(Document(*row) for row in named.items()), folder)


def answers(spec: str, texts: Mapping[str, str] | Sequence[str], question: str, folder: Path) -> dict[str, float]:
    """What a system finds for a question, by document."""
    run = systems.parse(spec).run(version_of(texts, folder), {"q": question})
    return {document: score for _, document, score in run.rows()}


def bears_hostile_texts(spec: str, folder: Path) -> None:
    """All ids come back as they went in, every question that has words finds what has them, the others are noted."""
    recorder = Recorder()
    version = replace(version_of(HOSTILE, folder), progress=recorder)
    system = systems.parse(spec)
    run = system.run(version, QUESTIONS)
    found = {topic: {d for t, d, _ in run.rows() if t == topic} for topic in QUESTIONS}
    odd = ('it\'s "quoted" \\ id\t7', "\udcff\u202e")
    for topic in ("syntax", "nul", "surrogate"):
        assert {"plain", *odd} <= found[topic], topic
    assert 'it\'s "quoted" \\ id\t7' in found["nul"], "what is behind a NUL is found"
    assert found["foreign"] == {"NULL"}
    nothing = {"nothing", "stopped", "empty", "blank"}
    assert not any(found[topic] for topic in nothing)
    assert {note.subject for note, _ in recorder.notes} == nothing
    assert list(system.run(version, QUESTIONS).rows()) == list(run.rows()), "what was kept answers the same"
    with pytest.raises(DataError, match="no documents to index"):
        system.run(version_of({}, folder / "none"), {"q": "solar"})


def edits(one: str, other: str) -> int:
    """Insertions, deletions, substitutions and swaps of neighbours that make one word of the other."""
    table = [[i + j if not i * j else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i, a in enumerate(one, 1):
        for j, b in enumerate(other, 1):
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a != b))
            if i > 1 and j > 1 and (a, b) == (other[j - 2], one[i - 2]):
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


def bm25(texts: Sequence[Sequence[str]], term: str, document: Sequence[str]) -> float:
    """As Lucene and tantivy have it, with k1 = 1.2 and b = 0.75, for a document in which the term is."""
    df, average = sum(term in text for text in texts), sum(map(len, texts)) / len(texts)
    tf = Counter(document)[term]
    idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
    return idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * len(document) / average))
