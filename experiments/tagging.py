"""How good and how fast are the taggers, and how far do they agree?

    python experiments/tagging.py --sentences tests/text/tagged_sentences.txt
    python experiments/tagging.py --tagged WSJ.txt --documents FR94 --documents PLANETMATH --characters 2e7

--sentences takes lines `text | tags`, a letter a token; --tagged takes lines of word/TAG with the Penn Treebank's tags.
On both it tells the share of tokens that get the right tag among N, A, P and other, and precision, recall and F1 of the
longest runs [AN]+N. Where the Penn Treebank has participles before nouns as verbs, `participles=false` is the fair
setting. On documents it tells the tokens a second of processor time from the first token on, with the words looked up,
the time to load, the memory that came on top, and how often two taggers agree. Each tagger has a process of its own.
"""

from __future__ import annotations

import argparse
import re
import resource
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import numpy.typing as npt

from adjudge.core.errors import AdjudgeError, DataError
from adjudge.formats.documents.document_reading import read_documents
from adjudge.report.text_table import FORMS, TextTable
from adjudge.text.splitting import number_types, offsets_of
from adjudge.text.tagging.breaks import breaks_of
from adjudge.text.tagging.classes import PENN, TAGS
from adjudge.text.tagging.tagger import LETTERS, Breaks, Tag, Tags, letters, taggers
from adjudge.text.tokenizers.standard import StandardTokenizer
from adjudge.text.tokens import Tokens

Gold = tuple[Tokens, Breaks, Tags]
COARSE = np.array([Tag.X, Tag.N, Tag.A, Tag.P, Tag.X, Tag.X, Tag.X, Tag.X], np.uint8)
BATCH = 4_000_000
QUALITY = ["set", "tagger", "tokens", "right", "precision", "recall", "F1"]
SPEED = ["documents", "tagger", "tokens", "load s", "million tokens/s", "with breaks", "MB"]
AGREEMENT = ["documents", "one", "other", "equal tags", "equal spans (F1)"]


def sentences(path: Path) -> Gold:
    """Texts with the tags of their tokens."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    texts, tags = [line.partition(" | ")[0] for line in lines], "".join(line.partition(" | ")[2] for line in lines)
    tokens = StandardTokenizer(dashes=True)(texts, spans=True)
    if len(tags) != len(tokens.ids) or set(tags) - set(LETTERS):
        raise DataError(f"{path}: {len(tokens.ids)} tokens and {len(tags)} tags out of {LETTERS}")
    return tokens, breaks_of(texts, tokens), np.array([LETTERS.index(tag) for tag in tags], np.uint8)


def treebank(path: Path) -> Gold:
    """A sentence a line, words with their tags; punctuation becomes breaks."""
    words: list[str] = []
    gold: list[int] = []
    breaks: list[int] = []
    counts: list[int] = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        before, mark = len(words), 2
        for item in line.split():
            word, _, tag = item.rpartition("/")
            if any(map(str.isalnum, word)) or tag == "POS":
                words.append(word)
                gold.append(TAGS[PENN[tag]] if tag in PENN else Tag.X)
                breaks.append(mark)
                mark = 0
            else:
                mark = max(mark, 1)
        counts.append(len(words) - before)
    if not words:
        raise DataError(f"{path}: no words with tags")
    types, ids = number_types(words, len(words))
    offsets = offsets_of(counts)
    return Tokens(types, ids, offsets), np.array(breaks, np.uint8), np.array(gold, np.uint8)


def spans(tags: Tags, breaks: Breaks) -> set[tuple[int, int]]:
    """The longest runs [AN]+N, by their first and last token."""
    found = set()
    bounds = np.append(np.flatnonzero(breaks), len(tags)).tolist()
    text = letters(tags)
    for first, last in zip([0, *bounds[:-1]], bounds, strict=True):
        found |= {match.span() for match in re.compile("[AN]+N").finditer(text, first, last)}
    return found


def alike(one: set[tuple[int, int]], other: set[tuple[int, int]]) -> tuple[float, float, float]:
    """Precision, recall and F1 of the second set against the first."""
    both = len(one & other)
    nan = float("nan")
    return (
        both / len(other) if other else nan,
        both / len(one) if one else nan,
        2 * both / (len(one) + len(other)) if one or other else nan,
    )


def quality(name: str, gold: Gold, spec: str) -> list[str]:
    tokens, breaks, true = gold
    ours = taggers.parse(spec)(tokens, breaks)
    right = float(np.mean(COARSE[ours] == COARSE[true]))
    figures = (right, *alike(spans(true, breaks), spans(ours, breaks)))
    return [name, spec, str(len(true)), *(f"{figure:.3f}" for figure in figures)]


def batches(source: str, characters: int) -> Iterator[list[str]]:
    """Texts of documents, some megabytes at a time, until there are enough."""
    batch: list[str] = []
    size = total = 0
    for document in read_documents(source):
        batch.append(document.text)
        size += len(document.text)
        total += len(document.text)
        if size >= BATCH or total >= characters:
            yield batch
            batch, size = [], 0
        if total >= characters:
            return
    if batch:
        yield batch


def memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(source: str, characters: int, spec: str) -> tuple[list[str], Tags, Breaks]:
    """A row of figures, and the tags of all tokens."""
    columns = [
        (tokens, texts)
        for texts in batches(source, characters)
        for tokens in [StandardTokenizer(dashes=True)(texts, True)]
    ]
    before, begin = memory(), time.process_time()
    tagger = taggers.parse(spec)
    tagger(StandardTokenizer()(["the"]))
    load = time.process_time() - begin
    spent = np.zeros(2)
    tags: list[npt.NDArray[np.uint8]] = []
    breaks: list[npt.NDArray[np.uint8]] = []
    for tokens, texts in columns:
        begin = time.process_time()
        breaks.append(breaks_of(texts, tokens))
        between = time.process_time()
        tags.append(tagger(tokens, breaks[-1]))
        spent += between - begin, time.process_time() - between
    n = sum(map(len, tags))
    rates = [f"{n / seconds / 1e6:.2f}" for seconds in (spent[1], spent.sum())]
    row = [Path(source).name, spec, str(n), f"{load:.2f}", *rates, f"{memory() - before:.0f}"]
    return row, np.concatenate(tags), np.concatenate(breaks)


def tables(options: argparse.Namespace) -> Iterable[TextTable]:
    golds = [(path.stem, sentences(path)) for path in options.sentences]
    golds += [(path.stem, treebank(path)) for path in options.tagged]
    if golds:
        yield TextTable(QUALITY, [quality(name, gold, spec) for name, gold in golds for spec in options.tagger], 2)
    speeds, agreements = [], []
    for source in options.documents:
        found = {}
        for spec in options.tagger:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                row, tags, breaks = process.submit(measured, source, int(options.characters), spec).result()
            speeds.append(row)
            found[spec] = tags, spans(tags, breaks)
        for one, other in combinations(found, 2):
            equal = float(np.mean(COARSE[found[one][0]] == COARSE[found[other][0]]))
            f1 = alike(found[one][1], found[other][1])[2]
            agreements.append([Path(source).name, one, other, f"{equal:.3f}", f"{f1:.3f}"])
    if speeds:
        yield TextTable(SPEED, speeds, 2)
    if agreements:
        yield TextTable(AGREEMENT, agreements, 3)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", action="append", default=[], type=Path)
    parser.add_argument("--tagged", action="append", default=[], type=Path)
    parser.add_argument("--documents", action="append", default=[])
    parser.add_argument("--characters", type=float, default=2e7)
    parser.add_argument("--tagger", action="append")
    parser.add_argument("--format", choices=FORMS, default="table")
    given = parser.parse_args()
    given.tagger = given.tagger or [spec for spec in ("lexicon", "gruut") if taggers.parse(spec).available()]
    try:
        for table in tables(given):
            print(table.form(given.format))
    except (AdjudgeError, OSError) as error:
        raise SystemExit(str(error)) from None
