"""Groups of documents in decipher: two languages are told apart, and each group is read by its own errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError
from adjudge.systems.decipher import Decipher
from adjudge.systems.parts.deciphering import group_finding
from adjudge.systems.parts.deciphering.document_groups import counts_by_group, field_values, groups_of_values
from adjudge.systems.parts.deciphering.group_finding import families, find_groups
from adjudge.systems.parts.deciphering.reading import Learning
from adjudge.systems.parts.deciphering.reading_of_version import reading_of
from adjudge.systems.parts.version import Version

SMALL = ["the", "of", "and", "to", "in", "that", "with", "this", "from", "not", "but", "they", "were", "been"]
LARGE = [
    *("harbour", "station", "timber", "harvest", "letter", "street", "winter", "summer", "nation", "better", "master"),
    *(
        "sister",
        "matter",
        "number",
        "person",
        "return",
        "report",
        "mention",
        "section",
        "portion",
        "fortune",
        "captain",
    ),
    *("mountain", "certain", "country", "against", "instant", "contrast"),
]
HALF = 120


def texts(rng: np.random.Generator) -> list[str]:
    words = np.array(SMALL * 3 + LARGE)
    return [" ".join(rng.choice(words, 60)) for _ in range(2 * HALF)]


def misread(text: str, rng: np.random.Generator) -> str:
    """t as l nearly everywhere, r as n in a third."""
    chance = {"t": ("l", 0.9), "r": ("n", 0.3)}
    return "".join(chance[c][0] if c in chance and rng.random() < chance[c][1] else c for c in text)


def collection(noisy: bool) -> InMemory:
    rng = np.random.default_rng(7)
    made = []
    for k, text in enumerate(texts(rng)):
        engine = "bad" if noisy and k % 2 else "good"
        made.append(Document(f"d{k:03}", misread(text, rng) if engine == "bad" else text, fields=(("engine", engine),)))
    return InMemory(made)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Version:
    made = Version("mixed", collection(noisy=True), tmp_path_factory.mktemp("mixed"))
    reading_of(made, Learning(by="engine"))
    return made


def test_two_engines_have_two_channels(mixed: Version) -> None:
    reading = reading_of(mixed, Learning(by="engine"))
    assert reading.group_of is not None
    bad = np.array([int(name[1:]) % 2 for name in reading.index.ids])
    assert len(reading.groups) == 2
    assert np.array_equal(reading.group_of, bad) or np.array_equal(reading.group_of, 1 - bad)
    assert families(reading.index, reading.group_of) == [[0, 1]]  # one language
    good, noisy = sorted(reading.groups, key=lambda group: group.wrong)
    chances = [{(r.source, r.target): r.probability for r in group.channel.rules} for group in (good, noisy)]
    assert chances[0].get(("t", "l"), 0.0) < 0.05
    assert chances[1]["t", "l"] > 0.6


def test_one_engine_is_one_group(tmp_path: Path) -> None:
    reading = reading_of(Version("one", collection(noisy=False), tmp_path))
    assert reading.groups == ()
    assert reading.group_of is None


def test_scores_explanations_and_what_is_kept(mixed: Version) -> None:
    answerer = Decipher(by="engine").answerer(mixed)
    assert len(answerer.strings.groups) == 2
    hits = list(answerer.search("timber harvest", 300))
    for document, score in (*hits[:4], hits[-1]):
        assert answerer.explain("timber harvest", document).value == pytest.approx(score)
    again = Decipher(by="engine").answerer(mixed)  # from what was kept
    assert list(again.search("timber harvest", 300)) == hits
    observed = answerer.observed_strings("harvest")
    assert len({each.string for each in observed}) == len(observed)


def test_engines_are_told_apart_by_what_they_have_in_common(mixed: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    found = reading_of(mixed)
    assert found.groups == ()  # one language
    monkeypatch.setattr(group_finding, "COMMON", 0.7)
    bad = np.array([int(name[1:]) % 2 for name in found.index.ids])
    groups = find_groups(found.index)
    assert np.array_equal(groups, bad) or np.array_equal(groups, 1 - bad)


def test_two_languages_are_two_groups(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    made = [Document(f"d{k:03}", t[::-1] if k % 2 else t) for k, t in enumerate(texts(rng))]
    reading = reading_of(Version("two", InMemory(made), tmp_path))
    assert reading.group_of is not None
    other = np.array([int(name[1:]) % 2 for name in reading.index.ids])
    assert np.array_equal(reading.group_of, other) or np.array_equal(reading.group_of, 1 - other)
    assert families(reading.index, reading.group_of) == [[0], [1]]


def test_what_a_field_must_be(mixed: Version) -> None:
    found = reading_of(mixed)
    with pytest.raises(DataError, match="no document has it"):
        field_values(mixed, found.index, "press")
    assert Decipher(groups=False).answerer(mixed).reading.groups == ()


def test_small_groups_are_one() -> None:
    lengths = np.array([6000, 3000, 9000, 3000, 100])
    assert groups_of_values(["a", "b", "c", "b", ""], lengths).tolist() == [2, 3, 1, 3, 0]
    assert groups_of_values(["a", "b", "c", "d", ""], lengths).tolist() == [2, 0, 1, 0, 0]


def test_counts_of_groups_are_those_of_postings(mixed: Version) -> None:
    index = reading_of(mixed).index
    groups = np.array([k % 3 for k in range(len(index))], np.uint8)
    counts = counts_by_group(index, groups)
    assert np.array_equal(counts.sum(axis=0), index.arrays["cf"])
    for term in range(0, index.manifest.terms, 7):
        documents, tf = index.postings(term)
        assert counts[:, term].tolist() == [float(tf[groups[documents] == g].sum()) for g in range(3)]


def test_too_little_text_is_not_cut(mixed: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_finding, "LEAST", 10**6)
    assert find_groups(reading_of(mixed).index).max() == 0
