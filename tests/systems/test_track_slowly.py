"""The systems of the Confusion Track against slow code that was written from the paper, on corpora drawn at random."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

import slow_track as slow
from adjudge.core.document import Document, InMemory
from adjudge.systems.clarit import CLARIT
from adjudge.systems.parts.version import Aids, Pair, Version
from adjudge.systems.system import systems
from adjudge.text.analyzer import Analyzer

SEEDS = range(6)


def version(folder: Path, texts: Sequence[str]) -> Version:
    return Version("degraded", InMemory(Document(f"d{i}", text) for i, text in enumerate(texts)), folder)


def found(spec: str, at: Version, question: str, aids: Aids | None = None) -> dict[int, float]:
    run = systems.parse(spec).run(at, {"q": question}, aids)
    return {int(name[1:]): score for name, score in zip(run.documents, run.scores.tolist(), strict=True)}


def corpus(rng: Random, rate: float, documents: int = 7, words: int = 10) -> list[str]:
    known = rng.sample(slow.WORDS, 9)
    texts = [slow.passage(rng, rng.randrange(1, words), known) for _ in range(documents)]
    return [slow.read_wrongly(text, rng, rate) for text in texts]


def question_about(rng: Random, texts: Sequence[str]) -> str:
    """Some words of the vocabulary, and some as they stand in the texts."""
    words = [word for text in texts for word in text.split()]
    return " ".join([*rng.sample(slow.WORDS, 3), *rng.sample(words, min(3, len(words)))])


def test_words_of_these_corpora_are_their_own_stems() -> None:
    """What the slow code rests on in place of a stemmer and a stop list."""
    rng = Random(0)
    stems = Analyzer.parse("words|lower|stop(smart)|porter")
    for word in [*slow.WORDS, *(slow.misread(word, rng, 0.5) for word in slow.WORDS * 20)]:
        assert stems.terms(word) == [slow.stem(word)]
    assert stems.terms(" ".join(slow.STOP)) == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("reading", ["", "count=starts", "mean=matching, width=30", "count=starts, width=72"])
def test_rutgers(tmp_path: Path, seed: int, reading: str) -> None:
    rng = Random(seed)
    texts = corpus(rng, 0.1, words=40)
    question = question_about(rng, texts)
    width = 30 if "30" in reading else 72 if "72" in reading else None
    expected = {
        number: slow.rutgers_score(
            text, question, binary="starts" not in reading, matching="matching" in reading, width=width
        )
        for number, text in enumerate(texts)
    }
    spec = f"rutgers({reading})" if reading else "rutgers"
    expected = {number: score for number, score in expected.items() if score}
    assert expected
    assert found(spec, version(tmp_path, texts), question) == pytest.approx(expected)


# -- ANU ---------------------------------------------------------------------------------------------------------------

ERRORS = {"rk": "n", "l": "1", "e": "c", "h": "b"}
EXAMPLES = {"rk": "work fork mark", "l": "lord loud slab", "e": "pet web men", "h": "hop hat hut"}
"""Words in which each error has one place."""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("reading", ["", "power=1, decay=1", "power=0, longest=6"])
def test_anu(tmp_path: Path, seed: int, reading: str) -> None:
    """Errors that the sample has three times are characteristic, one that it has less often is not."""
    rng = Random(seed)
    learned = dict(rng.sample(sorted(ERRORS.items()), 3))
    pairs = []
    for source, examples in EXAMPLES.items():
        for number, word in enumerate(examples.split()):
            wrong = source in learned or number == 0
            pairs.append(Pair(f"a {word} dog", f"a {word.replace(source, ERRORS[source]) if wrong else word} dog"))
    rng.shuffle(pairs)
    true = [slow.passage(rng, rng.randrange(1, 12), slow.WORDS[:9]) for _ in range(7)]
    texts = [re.sub("[a-z]+", lambda match: rng.choice(sorted(slow.corrupted(match[0], ERRORS))), t) for t in true]
    question = " ".join(rng.sample(slow.WORDS[:9], 4))
    options = {name: float(value) for name, value in re.findall(r"(\w+)=(\d+)", reading)}
    longest = int(options.pop("longest")) if "longest" in options else None
    expected = {i: slow.anu_score(text, question, learned, longest=longest, **options) for i, text in enumerate(texts)}
    spec = f"anu({reading})" if reading else "anu"
    expected = {number: score for number, score in expected.items() if score}
    assert expected
    assert found(spec, version(tmp_path, texts), question, Aids(aligned=pairs)) == pytest.approx(expected)


# -- ETH ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_ethfr94n(tmp_path: Path, seed: int, n: int) -> None:
    rng = Random(seed)
    texts = corpus(rng, 0.15)
    question = question_about(rng, texts)
    expected = slow.lnu([slow.grams_in(text, n) for text in texts], slow.grams_in(question, n))
    assert expected
    assert found(f"eth(n={n})", version(tmp_path, texts), question) == pytest.approx(expected)


READINGS: list[dict[str, object]] = [
    {},
    {"unit": "words", "weight": "slots"},
    {"unit": "windows", "weight": "floor"},
    {"blank": False, "weight": "log1p"},
    {"weight": "faulty", "df": "exact"},
    {"again": 3},
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_ethfr94p(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    texts = corpus(rng, 0.12)
    question = question_about(rng, texts)
    true = [slow.passage(rng, rng.randrange(1, 6)) for _ in range(3)]
    pairs = [Pair(text, slow.read_wrongly(text, rng, 0.12)) for text in true]
    at = version(tmp_path, texts)
    for reading in READINGS:
        expected = slow.eth_scores(texts, question, pairs, n=3, **reading)  # type: ignore[arg-type]
        named = "".join(f", {name}={str(value).lower()}" for name, value in reading.items())
        scores = found(f"eth(n=3, slots=true{named})", at, question, Aids(training=pairs))
        assert scores == pytest.approx(expected), reading


# -- CLARIT ------------------------------------------------------------------------------------------------------------


def prose(rng: Random, words: int, known: Sequence[str]) -> str:
    """Sentences of words drawn at random, each a few words long."""
    drawn = [rng.choice(known) for _ in range(words)]
    return " ".join(word + ("." if rng.random() < 0.25 else "") for word in drawn)


def outside_text(rng: Random, known: Sequence[str]) -> list[str]:
    return [prose(rng, 30, known) for _ in range(3)] + [" ".join(known), " ".join(known)]


@pytest.mark.parametrize(("candidates", "keep"), [(200, 10), (4, 3), (200, 1)])
@pytest.mark.parametrize("seed", SEEDS)
def test_clarit_chooses_the_most_probable_of_all_sentences(
    tmp_path: Path, seed: int, candidates: int, keep: int
) -> None:
    """Only words without an exact match are replaced, each by one word, so that the sentence is the most probable."""
    rng = Random(seed)
    known = [word for word in slow.WORDS if len(word) > 3]
    clean = outside_text(rng, known)
    texts = [slow.read_wrongly(prose(rng, rng.randrange(2, 9), known), rng, 0.15) for _ in range(6)]
    outside = Aids(outside=InMemory(Document(f"o{i}", text) for i, text in enumerate(clean)))
    system = CLARIT(candidates=candidates, keep=keep, rounds=0, correct=True)
    corrected = [document.text for document in system.corrected_version(version(tmp_path, texts), outside).documents]
    lexicon = slow.Lexicon(clean)
    changed = 0
    for before, after in zip(texts, corrected, strict=True):
        for sentence, made in zip(slow.sentences(before), slow.sentences(after), strict=True):
            if any(slow.tied(word, lexicon, candidates, keep) for word in sentence):
                continue  # which of two equals is kept, the last bit of their logarithms may decide
            ways = slow.readings_of(sentence, lexicon, candidates, keep)
            assert tuple(made) in ways, "a word came in that is no candidate, or one was touched that is known"
            assert ways[tuple(made)] == pytest.approx(max(ways.values()))
            changed += made != sentence
    assert changed


NAMES = "benchmark club desk feedback framework landmark law leadership notebook partnership tomorrow township"
NOUNS = NAMES.split()
ADJECTIVES = ["slow"]
"""Words of the vocabulary that the tagger takes for nouns or adjectives whatever stands beside them."""


def noun_phrases_in(text: str) -> Counter[str]:
    """Stems, and two to four neighbours within a run of adjectives and nouns that ends in a noun."""
    bag = slow.stems_in(text)
    for piece in re.split(r"[.,\n]", text.lower()):
        words = slow.split(piece)
        tags = ["N" if word in NOUNS else "A" if word in ADJECTIVES else "-" for word in words]
        for run in re.finditer("[AN]*N", "".join(tags)):
            for begin in range(*run.span()):
                for end in range(begin + 2, min(run.end(), begin + 4) + 1):
                    bag["+".join(slow.stem(word) for word in words[begin:end])] += 1
    return bag


BAGS = {"none": slow.stems_in, "pairs": slow.pairs_in, "nouns": noun_phrases_in}


@pytest.mark.parametrize("phrases", BAGS)
@pytest.mark.parametrize("feedback", [None, (2, 3), (10, 20)])
@pytest.mark.parametrize("seed", SEEDS)
def test_clarit_searches_words_and_phrases(
    tmp_path: Path, seed: int, phrases: str, feedback: tuple[int, int] | None
) -> None:
    rng = Random(seed)
    known = NOUNS + ADJECTIVES * 3 if phrases == "nouns" else rng.sample(slow.WORDS, 12)
    texts = [prose(rng, rng.randrange(2, 25), [*known, "the", "of"]) for _ in range(8)]
    question = " ".join(rng.sample(known, 4))
    options = f", feedback=true, documents={feedback[0]}, terms={feedback[1]}" if feedback else ""
    spec = f"clarit(correct=false, phrases={phrases}{options})"
    expected = slow.clarit_scores(texts, question, bag=BAGS[phrases], feedback=feedback)
    assert expected
    assert found(spec, version(tmp_path, texts), question) == pytest.approx(expected)
