"""Common words of a question, which tell where in the best documents it is answered, and lists of them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError, SpecError
from adjudge.noise.channel import Channel, Rule
from adjudge.systems.decipher import Decipher
from adjudge.systems.parts.deciphering import common_words
from adjudge.systems.parts.deciphering.common_words import near_odds, seldom_enough, split, stop_list
from adjudge.systems.parts.version import Version
from adjudge.systems.system import systems
from adjudge.text.stopwords import words_of

ERRORS = Channel((Rule("t", "l", 0.4), Rule("s", "_", 0.4)), substitution=0.0001)
QUESTION = "timber upon the harvest"


def version(folder: Path, channel: Channel | None) -> Version:
    """Documents that have the same words, every eighth of them as the question puts them."""
    rng, common = np.random.default_rng(7), sorted(w for w in words_of("smart") if w.isalpha() and len(w) > 3)
    common.remove("upon")
    texts = []
    for number in range(160):
        words = rng.choice(common, 160).tolist()
        if number % 8 == 0:
            words[80:84] = QUESTION.split()
        elif number % 8 == 4:
            words[20], words[80], words[83], words[150] = "upon", "timber", "harvest", "the"
        texts.append(" ".join(words) if channel is None else channel.sample(" ".join(words), rng))
    return Version("v", InMemory([Document(f"d{k:03}", text) for k, text in enumerate(texts)]), folder)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Version:
    return version(tmp_path_factory.mktemp("scanned"), ERRORS)


def phrases_first(of: Version, spec: str) -> int:
    """How many of the first twenty documents have the question as it is put."""
    answerer = systems.parse(spec).answerer(of)
    return sum(int(name[1:]) % 8 == 0 for name, _ in answerer.search(QUESTION, 20))


def test_common_words_tell_where_a_phrase_stands(scanned: Version) -> None:
    assert phrases_first(scanned, "decipher") >= 18
    assert phrases_first(scanned, "decipher(common=false)") <= 15
    assert phrases_first(scanned, "decipher(near=false)") <= 15


def test_common_words_find_no_document_by_themselves(scanned: Version) -> None:
    found = {name for name, _ in Decipher().answerer(scanned).search(QUESTION, 200)}
    assert found == {name for name, _ in Decipher(common=False).answerer(scanned).search("timber harvest", 200)}
    assert Decipher().answerer(scanned).words(QUESTION) == {"timber": 1, "harvest": 1}


def test_explanations_name_common_words(scanned: Version) -> None:
    answerer = Decipher().answerer(scanned)
    for document, score in answerer.search(QUESTION, 30):
        assert answerer.explain(QUESTION, document).value == pytest.approx(score, rel=1e-12)
    (best, _), *_ = answerer.search(QUESTION, 1)
    near = answerer.explain(QUESTION, best).parts[-1]
    assert "near each other" in near.description
    told = {part.description.split()[0]: part.value for part in near.parts}
    assert set(told) == {"timber", "harvest", "upon", "the"}
    assert told["upon"] < min(told["timber"], told["harvest"])


def test_a_question_of_common_words_is_about_them(scanned: Version, tmp_path: Path) -> None:
    names = [name for name, _ in Decipher().answerer(scanned).search("upon the", 20)]
    assert len(names) == 20
    assert sum(int(name[1:]) % 8 == 0 for name in names) >= 18
    assert not len(Decipher().answerer(version(tmp_path, None)).search("upon the"))  # which is read as bm25 reads it


def test_the_odds_of_a_stretch_that_has_a_common_word() -> None:
    assert near_odds(0.01) == pytest.approx(1 / (1 - math.exp(-0.4)) - 1)
    assert near_odds(1e-9) == pytest.approx(1 / 4e-8, rel=1e-6)
    assert 0 < near_odds(0.2) < 0.001


def test_words_that_occur_everywhere_are_not_looked_for(scanned: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    assert seldom_enough({"the": 49_000.0, "upon": 900.0, "thus": 0.0, "also": 101.0}) == ["also", "upon"]
    assert seldom_enough({}) == []
    monkeypatch.setattr(common_words, "OCCURRENCES", 0)
    without = list(Decipher(common=False).answerer(scanned).search(QUESTION, 50))
    assert list(Decipher().answerer(scanned).search(QUESTION, 50)) == without


def test_a_list_may_be_given_or_none(scanned: Version, tmp_path: Path) -> None:
    (tmp_path / "german.txt").write_text("der  # the\ndie\ndon't\n", encoding="utf-8")
    assert stop_list("german.txt", tmp_path.joinpath) == {"der", "die", "don't", "don’t"}
    assert stop_list(None, tmp_path.joinpath) == frozenset()
    assert stop_list("lucene", Path) < stop_list("smart", Path)
    assert Decipher(stop="german.txt").files == ("german.txt",)
    assert Decipher(stop="lucene").files == ()
    answerer = systems.parse("decipher(stop=none)").answerer(scanned)
    assert set(answerer.words(QUESTION)) == {"timber", "upon", "the", "harvest"}
    assert split(["to", "be"], frozenset({"to", "be"})) == (["to", "be"], [])


def test_a_list_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="stop must be a list, a file or none"):
        systems.parse("decipher(stop=3)")
    with pytest.raises(SpecError, match="no stop list 'smrt', did you mean smart"):
        Decipher(stop="smrt").check(tmp_path)
    with pytest.raises(DataError, match=r"absent\.txt: cannot be read as a stop list"):
        Decipher(stop="absent.txt").check(tmp_path)
