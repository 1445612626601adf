"""OCR correction: the compiled loops against slow definitions, the lexicon, the job."""

from __future__ import annotations

import itertools
import math
import pickle
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Chosen, Document, InMemory
from adjudge.core.errors import ConflictError, DataError
from adjudge.core.progress import Task
from adjudge.noise.channel.model import Channel, Rule
from adjudge.systems.parts.correction import correcting, word_lexicon
from adjudge.systems.parts.correction import slow_correction as slow
from adjudge.systems.parts.correction.correcting import (
    CWORDS,
    PLAIN,
    TOKENS,
    UNCHANGED,
    Corrector,
    calibrate_channel,
    correct,
    match_case,
    read_corrected,
    sample,
)
from adjudge.systems.parts.correction.word_choice import Bigrams, Trigrams
from adjudge.systems.parts.correction.word_lexicon import (
    CWORD,
    NOTHING,
    OTHER,
    CorrectionLexicon,
    TokenTable,
    encode,
    identity,
    make,
    split,
)
from recorder import Recorder

FARM = "The modern farm grows corn. A farm grows corn. The corner of the farm. The modern corner!"
compiled = pytest.mark.skipif(word_lexicon.compiled is None, reason="no compiled loops here")


def texts(*bodies: str) -> InMemory:
    return InMemory(Document(f"d{i}", body) for i, body in enumerate(bodies))


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> CorrectionLexicon:
    return make(texts(FARM, FARM), tmp_path_factory.mktemp("farm") / "lexicon")


def table_of(*words: bytes) -> TokenTable:
    return TokenTable.of(np.array([slow.hash_of(word) for word in words], np.uint64))


# -- tokens -----------------------------------------------------------------------------------------------------------


def tokens_of(text: str, *words: bytes) -> list[tuple[str, int]]:
    found = split(encode(text), table_of(*words) if words else NOTHING)
    return [(found.text[a:b].decode(), i) for a, b, i in zip(found.starts, found.ends, found.ids.tolist(), strict=True)]


def test_what_is_a_token() -> None:
    known = (b"the", b"end", b"u.s.c", b"agency", b"s", b"self")
    assert tokens_of("The self-employcd U.S.C. 552(b)", *known) == [
        ("The", 0), ("self", 5), ("employcd", CWORD), ("U.S.C", 2), ("552", OTHER), ("b", OTHER),
    ]  # fmt: skip
    assert tokens_of("end.The end.Thc", *known) == [("end", 1), ("The", 0), ("end", 1), ("Thc", CWORD)]
    assert tokens_of("agency's agency!", *known) == [("agency", 3), ("s", 4), ("agency", 3)]
    assert tokens_of("sect!on ag'ncy [ransport] ___line___", *known) == [
        ("sect!on", CWORD), ("ag'ncy", CWORD), ("[ransport]", CWORD), ("line", CWORD),
    ]  # fmt: skip
    assert tokens_of("l988 198O w1 wi11 “wcrd”", *known) == [
        ("l988", OTHER), ("198O", OTHER), ("w1", OTHER), ("wi11", CWORD), ("wcrd", CWORD),
    ]  # fmt: skip
    assert tokens_of("s_end agency_end d'agency", *known, b"d") == [
        ("s_end", CWORD), ("agency", 3), ("end", 1), ("d", 6), ("agency", 3),
    ]  # fmt: skip
    assert tokens_of("", *known) == tokens_of("-- ... (!)", *known) == []


def test_sentences_end_at_stops_empty_lines_and_after_two_hundred_tokens() -> None:
    def ends(text: str) -> list[int]:
        return np.flatnonzero(split(encode(text)).lasts).tolist()

    assert ends('One two. Three four." Five') == [1, 3, 4]
    assert ends("one e.g two\nthree\n \nfour") == [3, 4]
    assert ends("word " * 450) == [199, 399, 449]


PIECES = st.sampled_from(
    ["the", "The", "farm", "f!rm", "fa.rm", "u.s", "c", "1", "x9y", ".", "?", "!", "'", "_", "[", "]", "-", "(", ")",
     " ", "  ", "\n", "\n\n", "\t", "|", "~", "é", "“", "”", "§", "—", "\x7f", "\0", '"', "***", "=", "\udc80"]
)  # fmt: skip


def columns(module: Any, text: bytes, table: TokenTable) -> list[list[int]]:
    room = len(text) // 2 + 1
    kinds: tuple[Any, ...] = (np.int32, np.int32, np.uint64, np.int32, np.uint8)
    made = [np.zeros(room, kind) for kind in kinds]
    count = module.split(text, table.hashes, table.numbers, *made)
    return [column[:count].tolist() for column in made]


@compiled
@given(st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=30) | st.binary(max_size=30), st.booleans())
def test_tokens_as_defined_slowly(text: str | bytes, with_words: bool) -> None:
    table = table_of(b"the", b"farm", b"u.s", b"c", "é".encode()) if with_words else NOTHING
    raw = encode(text) if isinstance(text, str) else text
    assert columns(word_lexicon.compiled, raw, table) == columns(slow, raw, table)


@given(st.sets(st.integers(1, 2**64 - 1), max_size=200))
def test_a_table_finds_all_its_hashes(hashes: set[int]) -> None:
    table = TokenTable.of(np.array(sorted(hashes), np.uint64))
    assert dict(zip(table.hashes.tolist(), table.numbers.tolist(), strict=True)).keys() - {0} == hashes
    known = {h: n for h, n in zip(table.hashes.tolist(), table.numbers.tolist(), strict=True) if h}
    assert known == {h: k for k, h in enumerate(sorted(hashes))}


def test_columns_that_do_not_fit_are_refused() -> None:
    if word_lexicon.compiled is None:
        pytest.skip("no compiled loops here")
    small = [np.zeros(1, kind) for kind in (np.int32, np.int32, np.uint64, np.int32, np.uint8)]
    with pytest.raises(ValueError, match="more tokens than room"):
        word_lexicon.compiled.split(b"one two three", NOTHING.hashes, NOTHING.numbers, *small)
    with pytest.raises(ValueError, match="no possible size"):
        word_lexicon.compiled.split(b"a", np.zeros(3, np.uint64), np.zeros(3, np.int32), *small)
    grams = Trigrams.of([b"one"])
    beyond = np.full_like(grams.postings, 7)
    with pytest.raises(ValueError, match="not there"):
        word_lexicon.compiled.candidates(
            b"one", np.array([0, 3]), grams.codes, grams.begins, beyond, grams.sizes, grams.lengths, 3,
            np.zeros((1, 2), np.int32),
        )  # fmt: skip


# -- candidates -------------------------------------------------------------------------------------------------------

WORD = st.text("abcé", min_size=1, max_size=7).map(str.encode)


def dice(a: bytes, b: bytes) -> float:
    def grams(word: bytes) -> set[bytes]:
        padded = b"#" + word + b"#"
        return {padded[i : i + 3] for i in range(len(padded) - 2)}

    return 2 * len(grams(a) & grams(b)) / (len(grams(a)) + len(grams(b)))


@given(st.lists(WORD, min_size=1, max_size=30, unique=True), st.lists(WORD, max_size=8), st.integers(1, 6))
def test_candidates_are_those_with_the_highest_dice(lexicon: list[bytes], words: list[bytes], most: int) -> None:
    found = Trigrams.of(lexicon).candidates(words, most)
    assert found.shape == (len(words), most)
    for word, row in zip(words, found.tolist(), strict=True):
        fitting = [k for k, w in enumerate(lexicon) if dice(w, word) > 0 and abs(len(w) - len(word)) <= 3]
        expected = sorted(fitting, key=lambda k: (-dice(lexicon[k], word), k))[:most]
        assert row == expected + [-1] * (most - len(expected))


@compiled
@given(st.lists(WORD, min_size=1, max_size=40, unique=True), st.lists(st.binary(max_size=9), max_size=8))
def test_candidates_as_defined_slowly(lexicon: list[bytes], words: list[bytes]) -> None:
    grams = Trigrams.of(lexicon)
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in words])]).astype(np.int64)
    made = [np.zeros((len(words), 5), np.int32) for _ in range(2)]
    for module, out in zip((word_lexicon.compiled, slow), made, strict=True):
        module.candidates(
            b"".join(words), offsets, grams.codes, grams.begins, grams.postings, grams.sizes, grams.lengths, 3, out
        )
    assert made[0].tolist() == made[1].tolist()


def test_a_word_beyond_all_lengths_has_no_candidate() -> None:
    assert Trigrams.of([b"a" * 40]).candidates([b"a" * 300, b"a" * 42], 2).tolist() == [[-1, -1], [0, -1]]


# -- lexicon ----------------------------------------------------------------------------------------------------------


def test_a_lexicon_counts_words_and_pairs(farm: CorrectionLexicon) -> None:
    assert farm.words[:2] == [b"the", b"farm"]
    assert sorted(farm.words) == [b"a", b"corn", b"corner", b"farm", b"grows", b"modern", b"of", b"the"]
    assert (farm.count("the"), farm.count("Farm"), farm.count("corn"), farm.count("barn")) == (8, 6, 4, 0)
    assert (farm.pair("the", "modern"), farm.pair("grows", "corn"), farm.pair("corn", "grows")) == (4, 4, 0)
    assert (farm.pair("<s>", "the"), farm.pair("corn", "</s>"), farm.count("<s>")) == (6, 4, 8)


@settings(max_examples=30)
@given(st.lists(st.lists(st.sampled_from(["ab", "cd", "ef", "gh.", "12"]), max_size=9), min_size=1, max_size=4))
def test_counts_as_defined_slowly(documents: list[list[str]]) -> None:
    import tempfile

    bodies = [" ".join(words) for words in documents]
    words = Counter(w.rstrip(".") for body in documents for w in body if w != "12")
    kept = {word for word, n in words.items() if n >= 2}
    pairs: Counter[tuple[str, str]] = Counter()
    for body in bodies:
        for sentence in body.split(". ") if body else []:
            tokens = [w.rstrip(".") for w in sentence.split()]
            named = ["<s>", *(w if w in kept else "<n>" if w == "12" else "<unknown>" for w in tokens), "</s>"]
            pairs.update(itertools.pairwise(named))
    with tempfile.TemporaryDirectory() as folder:
        if not kept:
            with pytest.raises(DataError, match="no word that occurs 2 times"):
                make(texts(*bodies), Path(folder) / "lexicon")
            return
        lexicon = make(texts(*bodies), Path(folder) / "lexicon")
        assert {w: lexicon.count(w) for w in kept} == {w: words[w] for w in kept}
        names = [*sorted(kept), "<s>", "</s>", "<n>", "<unknown>"]
        found = {(a, b): lexicon.pair(a, b) for a in names for b in names}
        assert {pair: n for pair, n in found.items() if n} == dict(pairs)


def test_a_lexicon_is_whole_or_not_there(tmp_path: Path, farm: CorrectionLexicon) -> None:
    with pytest.raises(ConflictError, match="document x occurs twice"):
        make(InMemory([Document("x", "farm farm")] * 2), tmp_path / "lexicon")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(DataError, match="no lexicon"):
        CorrectionLexicon.open(tmp_path)
    made = make(texts(FARM), tmp_path / "lexicon")
    np.save(made.folder / "nexts.npy", np.zeros(1, np.int32))
    with pytest.raises(DataError, match="damaged lexicon"):
        CorrectionLexicon.open(made.folder)


def test_the_fingerprint_is_that_of_the_documents(tmp_path: Path, farm: CorrectionLexicon) -> None:
    fingerprint, ids = identity(texts(FARM, FARM))
    assert farm.fingerprint == f"{fingerprint}-2"
    assert ids == {"d0", "d1"}
    assert identity(texts(FARM))[0] != fingerprint


def test_documents_can_be_chosen_by_their_ids() -> None:
    kept = Chosen(texts("a", "b", "c"), lambda id_: id_ != "d1")
    assert [document.text for document in kept] == [document.text for document in kept] == ["a", "c"]


# -- viterbi ----------------------------------------------------------------------------------------------------------


def test_bigrams_are_probabilities(farm: CorrectionLexicon) -> None:
    bigrams = Bigrams.of(farm)
    size = len(bigrams.base)
    for v in range(size):
        row = bigrams.base.copy()
        at = slice(int(bigrams.begins[v]), int(bigrams.begins[v + 1]))
        row[bigrams.nexts[at]] += bigrams.scale[v] * bigrams.pairs[at]
        if bigrams.begins[v] < bigrams.begins[v + 1]:
            assert row.sum() == pytest.approx(1)


def chance_of(words: Sequence[int], lasts: Sequence[bool], bigrams: Bigrams) -> float:
    """The logarithm of the probability of sentences, word by word; each ends at a word that is a last one."""
    begin, finish = len(bigrams.base) - 3, len(bigrams.base) - 2

    def chance(before: int, following: int) -> float:
        at = slice(int(bigrams.begins[before]), int(bigrams.begins[before + 1]))
        pairs = dict(zip(bigrams.nexts[at].tolist(), bigrams.pairs[at].tolist(), strict=True))
        return math.log(bigrams.base[following] + bigrams.scale[before] * pairs.get(following, 0))

    total, before = 0.0, begin
    for word, last in zip(words, lasts, strict=True):
        total += chance(before, word)
        before = word
        if last:
            total, before = total + chance(word, finish), begin
    return total


@given(st.data())
@settings(max_examples=60)
def test_viterbi_finds_the_best_of_all_sentences(farm: CorrectionLexicon, data: st.DataObject) -> None:
    bigrams, size = Bigrams.of(farm), len(farm)
    n = data.draw(st.integers(1, 6))
    ids = data.draw(st.lists(st.sampled_from([0, 3, size, -1, -1]), min_size=n, max_size=n))
    lasts = [*data.draw(st.lists(st.booleans(), min_size=n - 1, max_size=n - 1)), True]
    options = data.draw(
        st.lists(st.lists(st.integers(0, size - 1), min_size=1, max_size=3, unique=True), min_size=n, max_size=n)
    )
    chances = data.draw(st.lists(st.floats(-9, 0), min_size=3 * n, max_size=3 * n))
    cand = np.array([[*option, -1, -1, -1][:3] for option in options], np.int32)
    score = np.array(chances).reshape(n, 3)

    def value(words: tuple[int, ...]) -> float:
        chosen = sum(score[t, options[t].index(word)] for t, word in enumerate(words) if ids[t] < 0)
        return float(chosen) + chance_of(words, lasts, bigrams)

    ways = itertools.product(*(options[t] if ids[t] < 0 else [ids[t]] for t in range(n)))
    best = max(map(value, ways))
    made = []
    for module in {word_lexicon.loops, slow}:
        out = np.zeros(n, np.int32)
        module.viterbi(
            np.array(ids, np.int32), np.array(lasts, np.uint8), np.arange(n, dtype=np.int32), cand, score, 3,
            bigrams.begins, bigrams.nexts, bigrams.pairs, bigrams.base, bigrams.scale, out,
        )  # fmt: skip
        assert value(tuple(out.tolist())) == pytest.approx(best)
        made.append(out.tolist())
    assert all(out == made[0] for out in made)


# -- correcting -------------------------------------------------------------------------------------------------------


def test_the_channel_of_the_specification() -> None:
    channel = Channel((Rule("rn", "m", 0.1),), PLAIN.alphabet)
    assert channel.log_probability("com", "corn", best=True) == pytest.approx(2 * math.log(0.95) + math.log(0.1))
    assert PLAIN.log_probability("corn", "corn", best=True) == pytest.approx(4 * math.log(0.95))
    assert PLAIN.log_probability("cbrn", "corn", best=True) == pytest.approx(3 * math.log(0.95) + math.log(0.04 / 40))


def test_the_sentences_of_the_specification(farm: CorrectionLexicon) -> None:
    corrector = Corrector(str(farm.folder))
    assert corrector.correct_text("the modcrn fann grows cern") == (
        "the modern farm grows corn", {TOKENS: 5, CWORDS: 3},
    )  # fmt: skip
    assert corrector.correct_text("xqz the farm") == ("xqz the farm", {TOKENS: 3, CWORDS: 1, UNCHANGED: 1})


def test_all_but_c_words_stays_as_it_was(farm: CorrectionLexicon) -> None:
    corrector = Corrector(str(farm.folder))
    assert (
        corrector.correct_text("  “The MODCRN”,\n\n1994 Fann:\t§ 5.\udc80")[0]
        == "  “The MODERN”,\n\n1994 Farm:\t§ 5.\udc80"
    )
    assert corrector.correct_text("") == ("", {})
    for text in (FARM, "12 34", "é"):
        assert corrector.correct_text(text)[0] == text


def test_case_is_that_of_the_page() -> None:
    assert [match_case(b"farm", seen) for seen in (b"FANN", b"Fann", b"fANN", b"F4N")] == [
        b"FARM",
        b"Farm",
        b"farm",
        b"FARM",
    ]


def test_a_small_memory_changes_nothing(farm: CorrectionLexicon, monkeypatch: pytest.MonkeyPatch) -> None:
    bodies = ["the modcrn fann", "a fann grcws", "thc modcrn cornr", "tbe fann"]
    whole = [Corrector(str(farm.folder)).correct_text(body) for body in bodies]
    monkeypatch.setattr(correcting, "REMEMBERED", 2)
    corrector = Corrector(str(farm.folder))
    assert [corrector.correct_text(body) for body in bodies] == whole
    assert len(corrector._tools.rows) <= 2


def test_a_corrector_travels_without_what_it_has_looked_up(farm: CorrectionLexicon) -> None:
    corrector = Corrector(str(farm.folder))
    corrector.correct_text("the modcrn fann")
    assert len(pickle.dumps(corrector)) < 2000
    assert pickle.loads(pickle.dumps(corrector)) == corrector  # noqa: S301
    assert corrector.settings["lexicon"] == farm.fingerprint


def test_the_job_keeps_order_and_ids_and_is_done_once(farm: CorrectionLexicon, tmp_path: Path) -> None:
    documents = texts("the modcrn fann", "", "a fann grows cern.\nxqz")
    corrector = Corrector(str(farm.folder))
    made = correct(documents, corrector, tmp_path / "out", workers=2)
    expected = [(d.id, corrector.correct_text(d.text)[0]) for d in documents]
    assert [(d.id, d.text) for d in made] == [(d.id, d.text) for d in read_corrected(tmp_path / "out")] == expected
    before = (tmp_path / "out" / "manifest.json").stat().st_mtime_ns
    correct(InMemory([]), corrector, tmp_path / "out")
    assert (tmp_path / "out" / "manifest.json").stat().st_mtime_ns == before
    with pytest.raises(DataError, match="no corrected documents"):
        read_corrected(tmp_path)


def test_a_job_that_was_stopped_goes_on(farm: CorrectionLexicon, tmp_path: Path) -> None:
    documents = texts(*(f"the modcrn fann grows cern {i}" for i in range(12)))
    corrector = Corrector(str(farm.folder))

    class Stopped(Exception):  # noqa: N818
        pass

    class Stopping(Recorder):
        def reach(self, task: Task, done: int, facts: Mapping[str, Any]) -> None:
            super().reach(task, done, facts)
            if task.kind == "correct" and facts["documents"] >= 3:
                raise Stopped

    stopping, heard = Stopping(), Recorder()
    with pytest.raises(Stopped):
        correct(documents, corrector, tmp_path / "out", workers=1, progress=stopping)
    assert stopping.kinds() == ["look_through", "correct"]
    assert stopping.ended[stopping.only("correct")]
    assert not (tmp_path / "out" / "manifest.json").exists()
    made = correct(documents, corrector, tmp_path / "out", workers=1, progress=heard)
    assert [d.text for d in made] == [f"the modern farm grows corn {i}" for i in range(12)]
    assert heard.facts("correct", "documents")[0] in range(3, 12)


# -- calibration ------------------------------------------------------------------------------------------------------


def test_the_sample_does_not_depend_on_the_order() -> None:
    documents = [Document(f"d{i}", f"text {i}" * (i % 5 > 0)) for i in range(50)]
    few = sample(InMemory(documents), 7)
    assert len(few) == 7
    assert few == sample(InMemory(reversed(documents)), 7)
    assert len(sample(InMemory(documents), 1000)) == 40


def test_self_calibration_learns_what_happens(farm: CorrectionLexicon) -> None:
    pytest.importorskip("rapidfuzz")
    observed = ["the modcrn farm grows corn. a farm grows com. the comer of the fam."] * 30
    corrector = Corrector(str(farm.folder))
    channel = calibrate_channel(observed, corrector, 2)
    assert channel.about["self-calibrated"] == 2
    rules = {(rule.source, rule.target) for rule in channel.rules}
    assert ("rn", "m") in rules
    assert ("e", "c") in rules
    assert channel.log_probability("com", "corn", best=True) > PLAIN.log_probability("com", "corn", best=True) + 2
    assert calibrate_channel(observed, corrector, 0) == PLAIN
    assert calibrate_channel(["the modern farm"], corrector, 2) == PLAIN


# -- what the paper says of c-words, counted on real text --------------------------------------------------------------


@pytest.fixture(scope="module")
def prose() -> list[str]:
    """What Python's own modules say of themselves."""
    import argparse
    import decimal
    import difflib
    import inspect
    import logging
    import re
    import statistics
    import textwrap

    modules = [argparse, decimal, difflib, logging, re, statistics, textwrap]
    pieces = [inspect.getdoc(thing) or "" for module in modules for _, thing in inspect.getmembers(module)]
    return sorted({piece for piece in pieces if len(piece) > 200})


@pytest.fixture(scope="module")
def taught(prose: list[str], tmp_path_factory: pytest.TempPathFactory) -> Corrector:
    """A corrector whose lexicon is every second piece of that text."""
    return Corrector.build(texts(*prose[::2]), tmp_path_factory.mktemp("taught") / "lexicon")


def misread(prose: list[str]) -> list[str]:
    """The other pieces as a scanner reads them."""
    from adjudge.noise.channel import ChannelNoise

    noise = ChannelNoise(Channel.shipped("ocrad-5"), seed=1)
    return [noise.degrade(Document(f"d{number}", piece)).text for number, piece in enumerate(prose[1:120:2])]


def test_the_conditions_of_the_paper_hold_on_real_text(
    prose: list[str], taught: Corrector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Section 3, CLARIT: only words without an exact match, up to 200 candidates, 10 kept, one word for one.

    The text is that of Python's own modules, half of it as lexicon and the other half read as a scanner reads it.
    Tokens are counted here by a pattern of their own, not by the corrector's.
    """
    import re

    assert len(prose) > 60
    lexicon = set(CorrectionLexicon.open(taught.lexicon).words)
    offered: list[int] = []
    kept: list[int] = []
    rank = Channel.most_probable_of

    def counted(self: Channel, observed: Any, names: Any, rows: Any, most: int) -> Any:
        best, scores = rank(self, observed, names, rows, most)
        offered.extend((rows >= 0).sum(axis=1).tolist())
        kept.extend((best >= 0).sum(axis=1).tolist())
        assert not any(word.lower().encode() in lexicon for word in observed)
        return best, scores

    monkeypatch.setattr(Channel, "most_probable_of", counted)
    known = changed = 0
    for read in misread(prose):
        corrected, _ = taught.correct_text(read)
        before, after = (text.split(" ") for text in (read, corrected))
        assert len(before) == len(after), "one word stands for one, and blanks stay"
        for old, new in zip(before, after, strict=True):
            if re.fullmatch("[A-Za-z]+", old) and old.lower().encode() in lexicon:
                assert new == old, "a word with an exact match is left alone"
                known += 1
            elif old != new and re.fullmatch("[A-Za-z0-9]+", old) and re.search("[A-Za-z]", new):
                assert re.sub("[^a-z0-9'-].*", "", new.lower()).encode() in lexicon, "what is put in is of the lexicon"
                changed += 1
    assert known > 1000
    assert changed > 50
    assert max(offered) <= 200
    assert max(kept) == 10
    assert max(offered) > 10, "there was something to choose from"


@pytest.mark.slow
def test_the_whole_sentence_decides_on_real_text(
    prose: list[str], taught: Corrector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Section 3, CLARIT: of all ways to put candidates in the places of c-words the most probable sentence is taken.

    Every sentence with three c-words or fewer is gone through way by way.
    """
    best = Bigrams.best
    sentences = alone = 0

    def compared(self: Bigrams, tokens: Any, rows: Any, candidates: Any, scores: Any) -> Any:
        nonlocal sentences, alone
        found = best(self, tokens, rows, candidates, scores)
        ends = np.flatnonzero(tokens.lasts) + 1
        for begin, end in itertools.pairwise([0, *ends.tolist()]):
            open_places = [t for t in range(begin, end) if tokens.ids[t] == CWORD and candidates[rows[t], 0] >= 0]
            if not 1 <= len(open_places) <= 3:
                continue
            lasts = [False] * (end - begin - 1) + [True]

            def value(words: Mapping[int, int], begin: int = begin, end: int = end, lasts: Any = lasts) -> float:
                whole = [words.get(t, int(found[t])) for t in range(begin, end)]
                read = sum(scores[rows[t], candidates[rows[t]].tolist().index(word)] for t, word in words.items())
                return float(read) + chance_of(whole, lasts, self)

            options = [[int(word) for word in candidates[rows[t]] if word >= 0] for t in open_places]
            ways = [value(dict(zip(open_places, way, strict=True))) for way in itertools.product(*options)]
            taken = {t: int(found[t]) for t in open_places}
            assert value(taken) == pytest.approx(max(ways))
            sentences += 1
            alone += any(taken[t] != int(candidates[rows[t]][np.argmax(scores[rows[t]])]) for t in open_places)
        return found

    monkeypatch.setattr(Bigrams, "best", compared)
    for read in misread(prose):
        taught.correct_text(read)
    assert sentences > 100
    assert alone > 5, "the likeliest reading of a word alone is not always that of the sentence"
