"""decipher: the walk against its definition, errors learned without true text, searching, explaining, keeping."""

from __future__ import annotations

import itertools
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, Documents, InMemory
from adjudge.core.errors import DataError, SpecError
from adjudge.noise.channel import Channel, Rule
from adjudge.systems.decipher import Decipher
from adjudge.systems.parts.deciphering import reach_walk, reading_files
from adjudge.systems.parts.deciphering import slow_deciphering as slow
from adjudge.systems.parts.deciphering.letter_signs import letters_of
from adjudge.systems.parts.deciphering.observed_strings import Heads, ObservedVocabulary
from adjudge.systems.parts.deciphering.reach_walk import ReplacementTables, reach
from adjudge.systems.parts.deciphering.reading_of_version import reading_of
from adjudge.systems.parts.version import Aids, Version
from adjudge.systems.system import line_up, systems
from adjudge.text.analyzer import Analyzer
from adjudge.text.stopwords import words_of
from recorder import heard

TOPICS = (
    *("solar energy panels", "theft of automobiles", "parrot breeding programs", "timber harvest permits"),
    *("railroad safety inspection", "asbestos warning signs", "volatility of currency options", "wetland restoration"),
)


def vocabulary(words: list[str]) -> ObservedVocabulary:
    raw = sorted({word.encode("utf-8", "surrogatepass") for word in [*words, "_"]})
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in raw])]).astype(np.int64)
    return ObservedVocabulary.of(b"".join(raw), offsets, np.ones(len(raw)))


def channel(alphabet: str, rate: float = 0.01) -> Channel:
    rules = (
        *(Rule("t", "l", 0.4), Rule("s", "_", 0.3), Rule("rn", "m", 0.2), Rule("m", "rn", 0.1)),
        *(Rule("e", "", 0.05), Rule("", "i", 0.02), Rule("st", "", 0.03), Rule("a", "ci_", 0.04), Rule("T", "t", 0.9)),
    )
    return Channel(rules, alphabet, rate, rate, rate)


# -- the walk ---------------------------------------------------------------------------------------------------------

letters = st.text("tlsernmai_", max_size=7)


@settings(deadline=None, max_examples=60)
@given(strings=st.lists(letters, min_size=1, max_size=25), words=st.lists(letters, min_size=1, max_size=3))
def test_the_walk_finds_what_the_channel_says(strings: list[str], words: list[str]) -> None:
    known = vocabulary(strings)
    errors = channel(known.alphabet)
    least = 1e-4
    word, string, chance = reach(ReplacementTables.of(errors), known, words, np.full(len(words), least))
    found = {(int(w), known.text(int(s))): float(p) for w, s, p in zip(word, string, chance, strict=True)}
    for k, true in enumerate(words):
        for place in range(len(known)):
            written = known.text(place)
            p = np.exp(errors.log_probability(written, true))
            if p >= 1.1 * least:
                assert found[k, written] == pytest.approx(p, rel=0.02)
            elif p < 0.9 * least:
                assert (k, written) not in found


@pytest.mark.skipif(reach_walk.compiled is None, reason="the compiled walk was not built")
@settings(deadline=None, max_examples=60)
@given(
    strings=st.lists(letters, min_size=1, max_size=25),
    words=st.lists(letters, min_size=1, max_size=3),
    least=st.sampled_from([1e-2, 1e-4, 2e-6, 1e-6]),
    rate=st.sampled_from([1e-2, 1e-4, 1e-5]),
)
def test_the_compiled_walk_is_the_slow_one(strings: list[str], words: list[str], least: float, rate: float) -> None:
    # What a word may have become, by an edit or two, and on both sides of the bounds by which prefixes are left.
    edits = [(i, lost, more) for i in range(8) for lost in (0, 1, 2) for more in ("", "l", "_", "rn", "tal")]
    forms = [word[:i] + more + word[i + lost :] for word in words for i, lost, more in edits]
    known = vocabulary([*strings, *words, *filter(None, forms)])
    made = ReplacementTables.of(channel(known.alphabet, rate))
    coded = [made.encode(word) for word in words]
    ends = np.concatenate([[0], np.cumsum([len(word) for word in coded])]).astype(np.int64)
    many = len(known.alphabet) + 1
    rest = (*made.buffers, b"".join(coded), ends, np.full(len(words), least), many)
    for fast, by_hand, kind in zip(
        reach_walk.compiled.reach(known.letters, known.offsets, *known.heads, *rest),
        slow.reach(known.letters, known.offsets, *known.heads, *rest),
        (np.int32, np.float64, np.int64),
        strict=True,
    ):
        assert np.frombuffer(fast, kind) == pytest.approx(np.frombuffer(by_hand, kind))


@pytest.mark.skipif(reach_walk.compiled is None, reason="the compiled walk was not built")
def test_a_tree_that_leads_outside_of_its_strings_is_one_line() -> None:
    known = vocabulary(["tale", "lane", "rain", "mist", "term"])
    heads, packed = known.heads, known.heads.packed
    ends = {"packed": packed[:0]}, {"packed": packed[:-1]}, {"packed": np.full_like(packed, 255)}
    starts = {"below": heads.below + 99}, {"below": heads.below - 99}
    deep = 9_999 * (np.arange(len(heads.below)) >= heads.bounds[-2]).astype(np.int32)
    far = {"below": heads.below + deep}, {"below": heads.below - deep}  # places in the packed strings
    for broken in ({"begins": heads.begins[::-1].copy()}, *ends, *starts, *far):
        damaged = replace(known, kept=heads._replace(**broken))
        with pytest.raises(DataError, match="damaged: index the documents again"):
            reach(ReplacementTables.of(channel(known.alphabet)), damaged, ["tale", "rain", "term"], np.full(3, 1e-6))


@pytest.mark.parametrize("bounds", [[0], [], [0, 1, 2], [0, 9, 9, 9, 9]])
def test_a_kept_tree_of_another_depth_is_not_taken(bounds: list[int]) -> None:
    heads = vocabulary(["tale", "lane", "rain", "mist", "term"]).heads
    strings = int(heads.begins.max()) + 1
    assert reading_files._heads_fit(heads, strings)
    assert not reading_files._heads_fit(heads._replace(bounds=np.array(bounds, heads.bounds.dtype)), strings)
    none = {name: getattr(heads, name)[:0] for name in ("begins", "characters", "below", "tails")}
    assert not reading_files._heads_fit(heads._replace(bounds=np.zeros(1, heads.bounds.dtype), **none), strings)


def test_an_error_of_several_characters_is_found_where_no_other_leads_there() -> None:
    known = vocabulary(["lci_", "lci"])  # after lc nothing is left but the rest of ci_
    word, string, chance = reach(ReplacementTables.of(channel(known.alphabet, 1e-5)), known, ["ta"], np.array([3e-3]))
    assert list(word) == [0]
    assert [known.text(int(s)) for s in string] == ["lci_"]
    assert chance[0] == pytest.approx(0.4 * 0.04)


def test_many_words_are_walked_as_one_by_one() -> None:
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("tlsernmai_"), int(rng.integers(0, 7)))) for _ in range(300)]
    known = vocabulary(words)
    made, least = ReplacementTables.of(channel(known.alphabet)), np.full(len(words), 1e-3)
    word, string, chance = reach(made, known, words, least)
    for k in range(0, len(words), 7):
        _, alone, chances = reach(made, known, words[k : k + 1], least[:1])
        assert string[word == k].tolist() == alone.tolist()
        assert chance[word == k].tolist() == chances.tolist()


@pytest.mark.skipif(reach_walk.compiled is None, reason="the compiled walk was not built")
def test_the_compiled_walk_refuses_what_does_not_fit() -> None:
    known = vocabulary(["the", "lhe"])
    made = ReplacementTables.of(channel(known.alphabet))
    ends = np.array([0, 3], np.int64)
    heads = known.heads

    def refused(letters: Any, offsets: Any, heads: Heads, least: float = 0.1) -> None:
        with pytest.raises(ValueError, match=r"^reach: (offsets|least|begins|below|bounds|characters): "):
            reach_walk.compiled.reach(
                letters, offsets, *heads, *made.buffers, made.encode("the"), ends, np.array([least]), 255
            )

    refused(known.letters[:2], known.offsets, heads)
    refused(known.letters, known.offsets[:0], heads)
    for least in (0.0, -1.0, float("nan")):
        refused(known.letters, known.offsets, heads, least)
    refused(known.letters, known.offsets, heads._replace(bounds=heads.bounds[:2]))
    refused(known.letters, known.offsets, heads._replace(bounds=heads.bounds[::-1].copy()))
    refused(known.letters, known.offsets, heads._replace(below=heads.below[1:]))
    for broken in (-1, 0, 10**6):
        begins = np.full_like(heads.begins, broken)
        refused(known.letters, known.offsets, heads._replace(begins=begins))
    refused(known.letters, known.offsets, heads._replace(below=np.full_like(heads.below, -1)))


@given(st.lists(st.text("abc", max_size=6), max_size=30))
def test_heads_are_where_prefixes_begin(words: list[str]) -> None:
    known = vocabulary(words)
    texts, heads = known.texts(range(len(known))), known.heads
    for depth in range(4):
        some = slice(int(heads.bounds[depth]), int(heads.bounds[depth + 1]))
        prefixes = [text[: depth + 1] if len(text) > depth else None for text in texts]
        expected = [k for k, prefix in enumerate(prefixes) if prefix is not None and prefix not in prefixes[:k]]
        assert heads.begins[some].tolist() == expected
        assert "".join(known.alphabet[c - 1] for c in heads.characters[some]) == "".join(
            texts[k][depth] for k in expected
        )
        deeper = heads.begins[some.stop :][: int(heads.bounds[min(depth + 2, 4)]) - some.stop]
        if depth < 3:
            below = [some.stop + sum(int(other) < k for other in deeper) for k in expected]
            assert heads.below[some].tolist() == below
        for k, tail in zip(expected, heads.tails[some].tolist(), strict=True):
            behind = [text[depth + 1 :] for text in texts if text[: depth + 1] == prefixes[k]]
            marks = {1 << (known.alphabet.index(c) + 1) % 32 for rest in behind for c in rest}
            lengths = [len(rest) for rest in behind]
            assert tail == sum(marks) | min(lengths) << 32 | max(lengths) << 40


@given(st.lists(st.text("ab", min_size=3, max_size=9) | st.integers(90, 99).map(lambda n: n * "a"), max_size=30))
def test_strings_below_the_deepest_heads_are_packed(words: list[str]) -> None:
    known = vocabulary(words)
    texts, heads = known.texts(range(len(known))), known.heads
    packed, expected = heads.packed.tolist(), [k for k, text in enumerate(texts) if len(text) >= 4]
    found, begins = list[str](), list[int]()
    at, before = 0, ""
    while at < len(packed):
        shared, more = 4 + packed[at], packed[at + 1]
        head = texts[expected[len(found)]][:4]  # which is known from above
        if before[:4] != head:
            assert shared == 4
            begins.append(at)
        others = "".join(known.alphabet[c - 1] for c in packed[at + 2 : at + 2 + more])
        before = (before[:shared] if before[:4] == head else head) + others
        found.append(before)
        at += 2 + more
    assert found == [texts[k][:97] for k in expected]
    assert heads.below[int(heads.bounds[3]) :].tolist() == begins


def test_long_words_and_strings_are_cut_or_left() -> None:
    known = vocabulary(["a" * 500, "a" * 48, "a"])
    word, string, _ = reach(ReplacementTables.of(channel(known.alphabet)), known, ["a" * 500], np.array([1e-6]))
    assert [known.text(int(s)) for s in string] == ["a" * 48]
    assert list(word) == [0]


# -- strings and signs ------------------------------------------------------------------------------------------------


@given(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=30))
def test_strings_are_sorted_and_come_back(words: list[str]) -> None:
    known = vocabulary(words)
    coded = [known.letters[a:b].tobytes() for a, b in zip(known.offsets[:-1], known.offsets[1:], strict=True)]
    assert coded == sorted(coded)
    whole = sorted({word.encode("utf-8", "surrogatepass") for word in [*words, "_"]})
    for place, number in enumerate(known.numbers.tolist()):
        text = whole[number].decode("utf-8", "surrogatepass")
        if all(c in known.alphabet for c in text):
            assert known.text(place) == text


def test_rare_characters_are_one_where_there_are_too_many() -> None:
    known = vocabulary([chr(0x4E00 + k) + "x" for k in range(400)])
    assert len(known) == 401
    assert len(known.alphabet) <= 255
    assert "?x" in known.texts(range(400))


def test_signs_that_stand_for_letters_are_told_from_dashes() -> None:
    clean = "the well_known rule of water_power is a rule and the water is well known as power " * 30
    read = "lhe mini_ler of lhe inlerior _aid lhal lhi_ wa_ ju_lice [o al[er wa[er " * 30
    assert letters_of(InMemory([Document("a", clean)])) == ()
    assert letters_of(InMemory([Document("a", read)])) == (ord("["), ord("_"))
    assert letters_of(InMemory([Document("a", "")])) == ()


@pytest.mark.parametrize("sign", ["\u0301", "\u093f", "\u3002", "\uff0c", "\u00ad", "\u200d"])
def test_marks_and_the_punctuation_of_other_scripts_are_no_letters(sign: str) -> None:
    assert letters_of(InMemory([Document("a", f"lhe mini{sign}ler _aid " * 30)])) == ()


def test_chunks() -> None:
    assert Analyzer.parse("chunks(letters=[91, 95])|lower").terms("Regis[er, wi_e-land") == ["regis[er", "wi_e", "land"]
    assert Analyzer.parse("chunks").terms("a_b é_c") == Analyzer.parse("words").terms("a_b é_c") == ["a", "b", "é", "c"]
    assert Analyzer.parse("chunks(letters=[95, 172])").terms("wi¬h é_c") == ["wi¬h", "é_c"]
    for wrong in ("[32]", "[95, 95]", "[55296]", "[1.5]", "5"):
        with pytest.raises(SpecError, match="letters must be"):
            Analyzer.parse(f"chunks(letters={wrong})")


# -- the system -------------------------------------------------------------------------------------------------------


def corpus(rng: np.random.Generator, *, noisy: bool) -> Documents:
    """Documents about one thing each among common words; if noisy, t is read as l and s as _ nearly everywhere."""
    common = sorted(word for word in words_of("smart") if word.isalpha() and len(word) > 1)
    errors = Channel((Rule("t", "l", 0.8), Rule("s", "_", 0.8), Rule("rr", "_", 0.7)), substitution=0.0001)
    weights = 1 / np.arange(1, len(common) + 1)
    made = []
    for number in range(240):
        words = list(rng.permutation(common)[:30]) + list(rng.choice(common, 90, p=weights / weights.sum()))
        words += TOPICS[number % len(TOPICS)].split() * 2
        text = " ".join(rng.permutation(words).tolist())
        made.append(Document(f"d{number:03}", errors.sample(text, rng) if noisy else text))
    return InMemory(made)


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Version:
    return Version("noisy", corpus(np.random.default_rng(3), noisy=True), tmp_path_factory.mktemp("noisy"))


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Version:
    return Version("clean", corpus(np.random.default_rng(3), noisy=False), tmp_path_factory.mktemp("clean"))


def recall(version: Version, spec: str) -> float:
    topics = {str(k): question for k, question in enumerate(TOPICS)}
    run = systems.parse(spec).run(version, topics, k=30)
    rows = [(t, d) for t, d, _ in run.rows()]
    return sum(int(d[1:]) % len(TOPICS) == int(t) for t, d in rows) / (30 * len(TOPICS))


def test_it_learns_the_errors_without_any_true_text(noisy: Version) -> None:
    reading = reading_of(noisy)
    assert reading.index.manifest.analyzer == "chunks(letters=[95])|lower|letterforms"
    chances = {(rule.source, rule.target): rule.probability for rule in reading.channel.rules}
    assert chances["t", "l"] == pytest.approx(0.8, abs=0.1)
    assert chances["s", "_"] == pytest.approx(0.8, abs=0.1)
    assert 0.05 < reading.wrong < 0.9
    assert not reading.figures.clean


def test_it_finds_what_words_do_not_find(noisy: Version, clean: Version) -> None:
    assert recall(noisy, "bm25") < 0.8
    assert recall(noisy, "decipher") > 0.97
    assert recall(clean, "decipher") >= recall(clean, "bm25") > 0.99


def test_clean_text_stays_as_it_is(clean: Version) -> None:
    reading = reading_of(clean)
    assert reading.index.manifest.analyzer == "chunks|lower|letterforms"
    assert reading.figures.clean
    observed = Decipher().answerer(clean).observed_strings("parrot")
    assert [o.string for o in observed] == ["parrot"]
    assert observed[0].probability > 0.9


@pytest.mark.parametrize("rate", [0.0, 0.1])
def test_text_in_syllables_is_not_taken_for_clean_because_its_words_are_short(rate: float, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    parts = ["b", "ch", "d", "kh", "l", "m", "ng", "ph", "tr"], ["a", "ươ", "iê", "o"], ["", "n", "ng", "t", "ch"]
    syllables = ["".join(three) for three in itertools.product(*parts)]
    alphabet = "".join(sorted({*"".join(syllables), "u", " "}))
    errors = Channel((Rule("n", "u", rate), Rule("ư", "u", rate)) if rate else (), alphabet, 0.0, 0.0, 0.0)
    texts = [" ".join(rng.choice(syllables, 60).tolist()) for _ in range(150)]
    documents = [Document(f"d{k}", errors.sample(text, rng) if rate else text) for k, text in enumerate(texts)]
    version = Version("v", InMemory(documents), tmp_path)
    assert reading_of(version).figures.clean is not bool(rate)
    found = Decipher().answerer(version).observed_strings("trương")
    assert ({"truơng", "trươug"} <= {o.string for o in found}) is bool(rate)


def test_explanations_add_up_and_name_the_strings(noisy: Version) -> None:
    answerer = Decipher().answerer(noisy)
    question = "theft of parrot"
    hits = answerer.search(question, 5)
    for document, score in hits:
        told = answerer.explain(question, document)
        assert told.value == pytest.approx(score)
        for part in told.parts:
            assert sum(string.value for string in part.parts) == pytest.approx(part.value)
    assert "read as" in str(answerer.explain(question, next(iter(hits.ids))))
    strings = {o.string: o for o in answerer.observed_strings("theft")}
    assert strings["lhefl"].read_as == "theft"
    assert strings["lhefl"].probability > 0.5
    assert answerer.explain("zyxwv", "d000").value == 0
    with pytest.raises(DataError, match="no document"):
        answerer.explain("theft", "elsewhere")


def test_questions_that_find_nothing_are_told(noisy: Version) -> None:
    told: list[str] = []
    run = Decipher().run(heard(noisy, told), {"a": "zyxwvzyxwv", "b": "", "c": "theft", "d": "\x00 ☃"})
    assert run.topics == ("c",)
    assert [note.partition(":")[0] for note in told] == ["topic a", "topic b", "topic d"]
    assert Decipher().answer(noisy, {"a": "☃"}, Aids()).topics == ()


@pytest.mark.slow
def test_what_is_kept_is_opened_and_what_is_damaged_made_again(noisy: Version, tmp_path: Path) -> None:
    first = reading_of(noisy)
    (folder,) = (path for path in noisy.folder.glob("reading-*") if path.is_dir())
    before = (folder / "channel.json").read_bytes()
    again = reading_of(noisy)
    assert again.figures == first.figures
    assert np.array_equal(again.otherwise, first.otherwise)
    for damage in ("otherwise.npy", "reading.json", "channel.json"):
        (folder / damage).write_bytes(b"broken")
        reading_of(noisy)
        assert (folder / "channel.json").read_bytes() == before
    np.save(folder / "gram_ranks.npy", np.full_like(first.grams.ranks, 10**8))
    assert np.array_equal(reading_of(noisy).grams.ranks, first.grams.ranks)
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    for path in sorted(copy.iterdir()):
        whole = path.read_bytes()
        path.write_bytes(whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:])
        noticed = reading_files.read_parts(copy, first.index) is None
        path.write_bytes(whole)
        assert noticed, path.name
    assert reading_files.read_parts(copy, first.index) is not None


@pytest.mark.parametrize(
    "texts",
    [
        [""],
        ["", "?!", "_"],
        ["x"],
        ["the"],
        ["12 34 5"],
        ["漢字 漢字 ひらがな", "İstanbul ǅ ß ﬁ"],
        ["a" * 5000, "b_" * 3000],
        ["the the the " * 50, "lhe lhe lhe " * 50],
        ["\ud800 broken", "nul \x00 nul"],
    ],
)
def test_small_and_strange_corpora(texts: list[str], tmp_path: Path) -> None:
    version = Version("v", InMemory([Document(str(k), text) for k, text in enumerate(texts)]), tmp_path)
    system = Decipher()
    system.prepare(version, Aids())
    answerer = system.answerer(version)
    for question in ("the theft", "12", "漢字", "x", "a" * 100, ""):
        answerer.search(question)
    assert all(0 <= o.probability <= 1 for o in answerer.observed_strings("theft 12 broken istanbul"))


def test_frequencies_above_a_byte_count_in_full(tmp_path: Path) -> None:
    texts = ["walrus " * 700, "walrus " * 200, "seal " * 10]
    version = Version("v", InMemory([Document(str(k), text) for k, text in enumerate(texts)]), tmp_path)
    answerer = Decipher(b=0.0).answerer(version)
    assert "700 times" in str(answerer.explain("walrus", "0"))
    assert list(answerer.search("walrus").ids) == ["0", "1"]


def test_a_word_that_no_walk_reaches_is_found_as_it_is_written(tmp_path: Path) -> None:
    word = "x" * 60
    version = Version("v", InMemory([Document("1", f"{word} seal"), Document("2", "seal")]), tmp_path)
    assert list(Decipher().answerer(version).search(word).ids) == ["1"]


def test_it_is_registered_and_refuses_wrong_parameters() -> None:
    assert line_up()["decipher"] == "decipher"
    assert systems.parse("decipher(b=0.5)").uses == ()
    for wrong in ("decipher(b=2)", "decipher(k1=-1)", "decipher(least=7)", "decipher(n=4)"):
        with pytest.raises(SpecError):
            systems.parse(wrong)


def test_the_result_does_not_depend_on_where_it_is_made(noisy: Version, tmp_path: Path) -> None:
    other = Version("again", noisy.documents, tmp_path)
    topics = {"1": "theft of automobiles"}
    assert list(Decipher().run(other, topics).rows()) == list(Decipher().run(noisy, topics).rows())
    signs = json.loads(next(path for path in tmp_path.glob("signs-*") if path.suffix != ".txt").read_bytes())
    assert signs == [95]


def test_indexes_made_before_lists_had_commas_are_found(tmp_path: Path) -> None:
    version = Version("v", InMemory([Document("1", "wi_e land")]), tmp_path)
    built = version.index("chunks(letters=[91, 95])|lower")
    settings = (tmp_path / f"{built.folder.name}.txt").read_text()
    assert settings == "chunks(letters=[91 95])|lower positions=False\n"
    old = replace(built, manifest=replace(built.manifest, analyzer="chunks(letters=[91 95])|lower"))
    assert str(old.analyzer) == "chunks(letters=[91, 95])|lower"
