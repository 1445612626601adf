"""Conditional random fields: against all sequences of labels, against CRFsuite, and files that are none."""

from __future__ import annotations

import base64
import string
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.errors import DataError
from adjudge.text.splitting import number_types, offsets_of
from adjudge.text.tagging import crf
from adjudge.text.tagging.crf import Model, best, best_in_python
from adjudge.text.tagging.tagger import taggers
from adjudge.text.tagging.taggers.gruut import LONGEST, _punctuate, locate_model


def random_model(rng: np.random.Generator, labels: int) -> Model:
    names = [
        b"BOS",
        b"EOS",
        *(place + part for place in crf.PLACES for part in (b"bias", b"len(word)", b"word[:2]:ab")),
    ]
    attributes = {name: i for i, name in enumerate(names)}
    states = rng.normal(size=(len(names) + 1, labels)).astype(np.float32)
    states[-1] = 0
    transitions = rng.normal(size=(labels, labels)).astype(np.float32)
    return Model(tuple(map(str, range(labels))), attributes, states, transitions)


def value(model: Model, words: list[str], labels: tuple[int, ...]) -> float:
    """The score of a sequence of labels, feature by feature."""
    total = 0.0
    for i, label in enumerate(labels):
        if i:
            total += float(model.transitions[labels[i - 1], label])
        for place, shift in zip(crf.PLACES, (0, -1, -2, 1, 2), strict=True):
            if 0 <= i + shift < len(words):
                word = words[i + shift]
                total += float(model.states[model.attributes[place + b"bias"], label])
                total += len(word) * float(model.states[model.attributes[place + b"len(word)"], label])
                if word[:2] == "ab":
                    total += float(model.states[model.attributes[place + b"word[:2]:ab"], label])
        if i == 0:
            total += float(model.states[0, label])
        if i == len(labels) - 1:
            total += float(model.states[1, label])
    return total


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(["abc", "ab", "x", "yyyy"]), max_size=4), max_size=4), st.integers(0, 99))
def test_the_best_labels_are_the_best_of_all(sentences: list[list[str]], seed: int) -> None:
    model = random_model(np.random.default_rng(seed), 3)
    words = [word for some in sentences for word in some]
    types, ids = number_types(words, len(words))
    ends = offsets_of([len(some) for some in sentences])[1:]
    scores = model.scores(types)
    found = best(ids, ends, scores, model)
    slow = np.empty(len(ids), np.uint8)
    best_in_python(ids, ends, scores, model.edges(), model.transitions, slow)
    assert found.tolist() == slow.tolist()
    for end, some in zip(ends.tolist(), sentences, strict=True):
        ours = tuple(found[end - len(some) : end].tolist())
        top = max(value(model, some, labels) for labels in product(range(3), repeat=len(some)))
        assert value(model, some, ours) == pytest.approx(top, abs=1e-4)


def features(words: list[str], i: int) -> dict[str, Any]:
    """A word's features as gruut has them."""
    made: dict[str, Any] = {}
    for prefix, shift in ("", 0), ("-1:", -1), ("-2:", -2), ("+1:", 1), ("+2:", 2):
        if 0 <= i + shift < len(words):
            word = words[i + shift]
            made[f"{prefix}bias"] = 1.0
            made[f"{prefix}word"] = base64.b64encode(word.encode()).decode()
            made[f"{prefix}len(word)"] = len(word)
            made[f"{prefix}word.ispunctuation"] = word in string.punctuation
            made[f"{prefix}word.isdigit()"] = word.isdigit()
            for n in 2, 3:
                made[f"{prefix}word[:{n}]"] = word[:n]
                made[f"{prefix}word[-{n}:]"] = word[-n:]
    made.update({"BOS": True} if i == 0 else {})
    made.update({"EOS": True} if i == len(words) - 1 else {})
    return made


def test_labels_are_those_of_crfsuite() -> None:
    pycrfsuite = pytest.importorskip("pycrfsuite")
    if not taggers.parse("gruut").available():
        pytest.skip("gruut-lang-en is not installed")
    lines = (Path(__file__).parent / "tagged_sentences.txt").read_text(encoding="utf-8").splitlines()
    sentences = [
        line.split(" | ")[0].replace(".", " .").replace(",", " ,").split() for line in lines if line[:1] != "#"
    ]
    sentences += [["é", "naïve", "''", "@", "…"], ["a"], ["THE", "12", "٣", "x" * 50]]
    path, _ = locate_model()
    model, other = Model.read(path), pycrfsuite.Tagger()
    other.open(path)
    expected = [label for some in sentences for label in other.tag([features(some, i) for i in range(len(some))])]
    words = [word for some in sentences for word in some]
    types, ids = number_types(words, len(words))
    found = best(ids, offsets_of([len(some) for some in sentences])[1:], model.scores(types), model)
    assert [model.labels[i] for i in found] == expected


@pytest.mark.parametrize("size", [0, 3, 47, 48, 1000, 100_000])
def test_files_that_are_no_model(size: int, tmp_path: Path) -> None:
    path = tmp_path / "model.crf"
    whole = b"lCRF"
    if taggers.parse("gruut").available():
        whole = Path(locate_model()[0]).read_bytes()
    for content in whole[:size], b"\0" * size, whole[: size // 2] + b"\xff" * size:
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"model\.crf: no CRFsuite model"):
            Model.read(str(path))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 2), min_size=1, max_size=30))
def test_punctuation_is_put_back(breaks: list[int]) -> None:
    breaks[0] = 2
    ids = np.zeros(len(breaks), np.int32)
    sequence, ends, kept = _punctuate(ids, np.array(breaks, np.uint8), 1)
    expected = "".join({0: "", 1: ",", 2: "."}[each] * (i > 0) + "w" for i, each in enumerate(breaks)) + "."
    assert "".join("w,."[i] for i in sequence) == expected
    assert ends.tolist() == [i + 1 for i, letter in enumerate(expected) if letter == "."]
    assert all(expected[i] == "w" for i in kept)


def test_long_sentences_are_cut() -> None:
    breaks = np.zeros(3 * LONGEST, np.uint8)
    breaks[[0, 5]] = 2
    _, ends, _ = _punctuate(np.zeros(len(breaks), np.int32), breaks, 1)
    assert np.diff(ends, prepend=0).max() <= LONGEST
    assert ends[0] == 6
    assert ends[-1] == len(breaks) + 2


def test_a_sentence_longer_than_what_is_looked_at_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    tagger = taggers.parse("gruut")
    if not tagger.available():
        pytest.skip("gruut-lang-en is not installed")
    from adjudge.text.tokenizers.standard import StandardTokenizer

    tokens = StandardTokenizer()(["the set is closed and bounded " * 30, "A short one", ""])
    whole = tagger(tokens)
    monkeypatch.setattr("adjudge.text.tagging.taggers.gruut.AT_ONCE", 2)
    assert tagger(tokens).tolist() == whole.tolist()


def test_viterbi_refuses_what_does_not_fit() -> None:
    if crf.compiled is None:
        pytest.skip("the extension was not built")
    model = random_model(np.random.default_rng(0), 2)
    scores = model.scores(["a"])
    edges, out = np.ascontiguousarray(model.edges()), np.empty(1, np.uint8)
    for ids, ends, why in (
        ([5], [1], "not all within 0 and 0"),
        ([0], [9], "do not ascend"),
        ([0, 0], [1], "2 items, not 1"),
    ):
        with pytest.raises(ValueError, match=why):
            crf.compiled.viterbi(np.array(ids, np.int32), np.array(ends), scores, edges, model.transitions, out)
