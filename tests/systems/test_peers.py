"""Systems that people use for scanned text, against definitions of what they compute, and what they bear."""

from __future__ import annotations

import json
import math
import random
import sqlite3
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from adjudge.cli import main
from adjudge.core.errors import MissingExtraError, SpecError
from adjudge.systems.system import line_up, systems
from peer_checks import answers, bears_hostile_texts, bm25, edits, version_of

LIBRARIES = {"tantivy_fuzzy": "tantivy", "symspell": "symspellpy", "fuzzy_expansion": "rapidfuzz"}
DRAWN = random.Random(24)
WORDS = ["solar", "so1ar", "sloar", "solaris", "power", "powcr", "pwoer", "tower", "wind", "plants", "plonts", "mill"]
TEXTS = [" ".join(DRAWN.choices(WORDS, k=DRAWN.randint(1, 12))) for _ in range(40)]
SPLIT = [text.split() for text in TEXTS]
QUESTION = "Solar power plants"
ASKED = QUESTION.lower().split()


def needs(system: str) -> None:
    if system in LIBRARIES:
        pytest.importorskip(LIBRARIES[system], reason=f"{LIBRARIES[system]} is not installed")


@pytest.mark.parametrize("spec", ["grams(n=5)", "tantivy_fuzzy", "fts5_trigram", "symspell", "fuzzy_expansion"])
def test_hostile_texts(spec: str, tmp_path: Path) -> None:
    needs(systems.parse(spec).name)
    if spec.startswith("grams"):  # grams keep stop words and words of all lengths
        found = answers(spec, {'it\'s "a" \\': "solar\0power", "empty": ""}, 'solar" OR (', tmp_path)
        assert list(found) == ['it\'s "a" \\']
        return
    bears_hostile_texts(spec, tmp_path)


def test_grams_are_bm25_on_grams(tmp_path: Path) -> None:
    plain = answers("bm25(analyzer=words|lower|ngrams(3))", TEXTS, QUESTION, tmp_path)
    assert answers("grams(n=3)", TEXTS, QUESTION, tmp_path) == plain
    assert answers("grams", ["modem", "wind"], "modern", tmp_path / "example").keys() == {"d0"}


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("distance", [0, 1, 2])
def test_tantivy_counts_words_within_so_many_edits(distance: int, exact: bool, tmp_path: Path) -> None:
    needs("tantivy_fuzzy")
    expected: dict[str, Any] = {}
    for number, text in enumerate(SPLIT):
        near = [word for word in ASKED if any(edits(word, other) <= distance for other in text)]
        score = len(near) + exact * sum(bm25(SPLIT, word, text) for word in ASKED if word in text)
        expected |= {f"d{number}": pytest.approx(score, rel=1e-5)} if near else {}
    spec = f"tantivy_fuzzy(distance={distance}, exact={str(exact).lower()})"
    assert answers(spec, TEXTS, QUESTION, tmp_path) == expected


def fts5(texts: list[str], phrases: list[str]) -> dict[str, float]:
    """SQLite's own bm25, as its documentation has it, over trigrams of whole texts."""
    lengths = [max(len(text) - 2, 0) for text in texts]
    average, scores = sum(lengths) / len(texts), dict[str, float]()
    for phrase in phrases:
        tf = [sum(text.startswith(phrase, i) for i in range(len(text))) for text in texts]
        df = sum(map(bool, tf))
        idf = max(math.log((len(texts) - df + 0.5) / (df + 0.5)), 1e-6)
        for number, (times, length) in enumerate(zip(tf, lengths, strict=True)):
            if times:
                value = idf * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / average))
                scores[f"d{number}"] = scores.get(f"d{number}", 0.0) + value
    return scores


def test_fts5_is_bm25_on_trigrams(tmp_path: Path) -> None:
    if why := systems.parse("fts5_trigram").missing():
        pytest.skip(why)
    grams = list(dict.fromkeys(word[i : i + 3] for word in ASKED for i in range(len(word) - 2)))
    assert answers("fts5_trigram", TEXTS, QUESTION, tmp_path) == pytest.approx(fts5(TEXTS, grams), rel=1e-9)
    whole = answers("fts5_trigram(match=words)", TEXTS, QUESTION, tmp_path)
    assert whole == pytest.approx(fts5(TEXTS, ASKED), rel=1e-9)
    assert answers("fts5_trigram", TEXTS, "so po", tmp_path) == {}, "no trigram"


def ratio(one: str, other: str) -> float:
    """100 · (1 − insertions and deletions / characters), by the longest common subsequence."""
    rows = [[0] * (len(other) + 1)]
    for a in one:
        row = [0]
        for j, b in enumerate(other):
            row.append(rows[-1][j] + 1 if a == b else max(rows[-1][j + 1], row[j]))
        rows.append(row)
    return 200 * rows[-1][-1] / (len(one) + len(other))


@pytest.mark.parametrize("cutoff", [0, 70, 80, 100])
def test_an_expanded_word_is_one_word(cutoff: int, tmp_path: Path) -> None:
    needs("fuzzy_expansion")
    average, expected = sum(map(len, SPLIT)) / len(SPLIT), dict[str, float]()
    for asked in ASKED:
        ratios = {word: ratio(asked, word) / 100 for word in WORDS}
        tf = [sum(ratios[word] for word in text if ratios[word] * 100 >= cutoff) for text in SPLIT]
        df = sum(min(times, 1) for times in tf)
        idf = math.log(1 + (len(SPLIT) - df + 0.5) / (df + 0.5))
        for number, (times, text) in enumerate(zip(tf, SPLIT, strict=True)):
            if times:
                value = idf * times / (times + 0.9 * (0.6 + 0.4 * len(text) / average))
                expected[f"d{number}"] = expected.get(f"d{number}", 0.0) + value
    found = answers(f"fuzzy_expansion(cutoff={cutoff})", TEXTS, QUESTION, tmp_path)
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("least", "distance"), [(1, 2), (15, 1), (15, 2)])
def test_symspell_corrects_to_the_nearest_and_most_frequent_word(least: int, distance: int, tmp_path: Path) -> None:
    needs("symspell")
    counts = Counter(word for text in SPLIT for word in text)
    known = [word for word in counts if counts[word] >= least]
    forms = {}
    for word in counts:
        near = [(edits(word, other), -counts[other], other) for other in known if edits(word, other) <= distance]
        forms[word] = word if word in known or not near else min(near)[2]
        assert len([row for row in near if row[:2] == min(near)[:2]]) <= 1, "who is taken is not left to chance"
    corrected = [" ".join(forms[word] for word in text) for text in SPLIT]
    plain = answers("bm25", corrected, QUESTION, tmp_path / "corrected")
    assert answers(f"symspell(least={least}, distance={distance})", TEXTS, QUESTION, tmp_path) == plain
    assert (least == 1) == (corrected == TEXTS)


@pytest.mark.slow
def test_symspell_with_its_own_dictionary(tmp_path: Path) -> None:
    needs("symspell")
    texts = ["the modcrn farm 19th ab 1234", "the wind"]
    english = "symspell(dictionary=english, distance=1)"
    assert answers(english, texts, "modern", tmp_path).keys() == {"d0"}
    assert answers(english, texts, "1234", tmp_path).keys() == {"d0"}, "numbers stay"


@pytest.mark.parametrize(("name", "module"), LIBRARIES.items())
def test_a_library_that_is_missing(name: str, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    line = f"{name} needs {module}: pip install 'adjudge[peers]'"
    assert systems.parse(name).missing() == line
    with pytest.raises(MissingExtraError) as error:
        systems.parse(name).run(version_of(TEXTS, tmp_path), {"q": QUESTION})
    assert str(error.value) == line


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("grams(n=0)", "n must be a whole number from 1 to 100"),
        ("grams(b=2)", "b must lie in"),
        ("tantivy_fuzzy(distance=3)", "distance must be 0, 1 or 2"),
        ("tantivy_fuzzy(exact=2)", "exact must be true or false"),
        ("fts5_trigram(match=all)", "match must be grams or words"),
        ("fuzzy_expansion(cutoff=101)", "cutoff must lie in"),
        ("symspell(dictionary=german)", "dictionary must be own or english"),
        ("symspell(distance=6)", "distance must be a whole number from 1 to 5"),
        ("symspell(least=0)", "least must be a whole number"),
        ("lucene_fuzzy(edits=3)", "edits must be 0, 1 or 2"),
        ("lucene_fuzzy(prefix=-1)", "prefix must be a whole number"),
        ("lucene_fuzzy(expansions=5000)", "expansions must be a whole number from 1 to 1024"),
        ("pg_trgm(by=page)", "by must be words or text"),
        ("pg_trgm(threshold=2)", "threshold must lie in"),
    ],
)
def test_what_they_refuse(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        systems.parse(spec)


def test_who_takes_part_unasked() -> None:
    assert {"grams", "fts5_trigram", "fuzzy_expansion"} <= set(line_up())
    assert not {"lucene_fuzzy", "pg_trgm", "symspell", "tantivy_fuzzy"} & set(line_up()), "few have what they need"


def test_what_was_damaged_is_made_again(tmp_path: Path) -> None:
    before = answers("fts5_trigram", TEXTS, QUESTION, tmp_path)
    (ids,) = tmp_path.glob("fts5-*/ids.json")
    ids.write_text("[")
    assert answers("fts5_trigram", TEXTS, QUESTION, tmp_path) == before


def test_a_plan_compares_them_on_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.dumps({"id": f"d{number}", "text": text}) + "\n" for number, text in enumerate(TEXTS)]
    (tmp_path / "documents.jsonl").write_text("".join(lines))
    (tmp_path / "topics.tsv").write_text("1\tsolar power\n2\twind mill\n3\ttower plants\n")
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n2 0 d2 1\n3 0 d3 1\n")
    names = ["bm25", "grams", "fts5_trigram"]
    (tmp_path / "plan.toml").write_text(
        f'topics = "topics.tsv"\njudgments = "qrels.txt"\nsystems = {json.dumps(names)}\n'
        '[versions]\nscan = "documents.jsonl"\n'
    )
    assert main(["run", str(tmp_path / "plan.toml"), "-o", str(tmp_path / "out"), "--workers", "0"]) == 0
    page = (tmp_path / "out" / "report.html").read_text()
    assert all(name in page for name in names)


def test_another_release_of_a_library_is_asked_again() -> None:
    assert systems.parse("fts5_trigram").code(Path()) == {"sqlite": sqlite3.sqlite_version}
    for name, module in LIBRARIES.items():
        needs(name)
        assert list(systems.parse(name).code(Path())) == [module]
