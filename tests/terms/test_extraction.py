"""Terms from documents: counted in shards and batches as a whole is, resumed, and refused where there are none."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, Documents, InMemory
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.terms import candidates, extraction, tagged_corpus, tally
from adjudge.terms.candidates import Rules, count, stop_words
from adjudge.terms.extraction import Extraction, TermSettings, extract
from adjudge.terms.forms import class_of
from adjudge.terms.linguistic_filter import linguistic_filters
from adjudge.terms.tagged_corpus import TaggedCorpus, tag_corpus
from adjudge.text.tagging.tagger import letters
from slow_terms import Toy, corpus_of, slow_c_values, slow_spans

OPEN = linguistic_filters.parse("open")
WORDS = ["smooth", "Smooth", "manifold", "manifolds", "MANIFOLDS", "set", "of", "vectors", "vector", "is", "x", "7"]
WORDS += ["calabi-yau", "Calabi", "Yau", "matrices", "matrix", "the", "space", "."]
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=8)


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    class Toys:
        @staticmethod
        def parse(spec: str) -> Toy:
            return Toy()

    monkeypatch.setattr(extraction, "taggers", Toys)


def content(found: candidates.Candidates) -> dict[str, tuple[int, dict[str, int]]]:
    names = [" ".join(found.names[w] for w in row if w >= 0) for row in found.classes.tolist()]
    forms: list[dict[str, int]] = [{} for _ in names]
    for row, number, of in zip(found.forms.tolist(), found.form_frequencies, found.class_of, strict=True):
        forms[of][" ".join(found.written[w] for w in row if w >= 0)] = int(number)
    return {name: (int(f), form) for name, f, form in zip(names, found.frequencies, forms, strict=True)}


def slow_content(made: TaggedCorpus, least: int, merge: bool, stopped: frozenset[str], shortest: int) -> dict[str, Any]:
    """Candidates by the definition, from the tags of the corpus."""
    forms: dict[str, Counter[str]] = {}
    names = list(made.vocabulary.words)
    for batch in made:
        words = [names[w] if w >= 0 else "" for w in batch.words.tolist()]
        tags = "".join(
            "x" if not word or (word.lower() in stopped and word.lower() != "of") else tag
            for word, tag in zip(words, letters(batch.tags), strict=True)
        )
        tags = "".join("x" if t == "P" and w.lower() != "of" else t for t, w in zip(tags, words, strict=True))
        for start, length in slow_spans(tags, batch.breaks.tolist(), OPEN.pattern, shortest, 6):
            form = " ".join(words[start : start + length])
            forms.setdefault(class_of(form, merge_dashes=merge), Counter())[form] += 1
    return {name: (own.total(), dict(own)) for name, own in forms.items() if own.total() >= least}


@pytest.mark.slow
@settings(max_examples=40)
@given(texts, st.integers(1, 3), st.booleans(), st.sampled_from([0, 2]), st.sampled_from([1, 2]))
def test_candidates_by_the_definition_in_any_number_of_shards_and_batches(
    some: list[str], least: int, merge: bool, frequent: int, shortest: int
) -> None:
    import tempfile

    documents = corpus_of(*some)
    rules = Rules(OPEN, shortest=shortest, frequent=frequent, merge_dashes=merge)
    with tempfile.TemporaryDirectory() as folder:
        whole = tag_corpus(documents, Toy(), Path(folder) / "a")
        pieces = tag_corpus(documents, Toy(), Path(folder) / "b", batch=20)
        wanted = slow_content(whole, least, merge, stop_words(whole, rules), shortest)
        assert content(count(whole, rules, least=least)) == wanted
        assert content(count(pieces, rules, least=least, shard=3)) == wanted
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tally, "compiled", None)
            patch.setattr(candidates, "compiled", None)
            assert content(count(pieces, rules, least=least, shard=5)) == wanted
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(candidates, "WORTHWHILE", 0)
            assert content(count(pieces, rules, least=least)) == wanted


MATHEMATICS = (
    "A Riemannian manifold is a smooth manifold. RIEMANNIAN MANIFOLDS are Riemannian manifolds.",
    "The compact set of vectors, the set of vectors; a new space of matrices. Riemannian, manifold.",
    "Calabi-Yau manifolds and Calabi\u2013Yau manifolds and the Calabi Yau manifold.",
)


def test_table_3() -> None:
    found = extract(corpus_of(*MATHEMATICS)).terms
    terms = {term.name: term for term in found}
    assert terms["riemannian manifold"].forms == {
        "RIEMANNIAN MANIFOLDS": 1,
        "Riemannian manifold": 1,
        "Riemannian manifolds": 1,
    }
    assert terms["riemannian manifold"].frequency == 3
    assert terms["riemannian manifold"].c_value == pytest.approx(3)
    assert terms["set of vector"].frequency == 2  # none over the comma
    assert terms["calabi-yau manifold"].forms == {"Calabi-Yau manifolds": 2}
    assert "calabi yau manifold" not in terms
    assert list(found.c_values) == sorted(found.c_values, reverse=True)


def test_dashes_merged() -> None:
    terms = {term.name: term for term in extract(corpus_of(*MATHEMATICS), TermSettings(merge_dashes=True)).terms}
    assert terms["calabi yau manifold"].forms == {"Calabi-Yau manifolds": 2, "Calabi Yau manifold": 1}
    assert terms["calabi yau manifold"].c_value == pytest.approx(3 * math.log2(3))


def test_c_values_of_a_corpus_are_those_of_its_candidates() -> None:
    some = ["smooth compact manifold space", "compact manifold space", "manifold space manifold", "compact manifold"]
    found = extract(corpus_of(*some), TermSettings(min_frequency=1)).terms
    frequencies = {tuple(term.name.split()): term.frequency for term in found}
    wanted = slow_c_values(frequencies)
    for term in found:
        assert term.c_value == pytest.approx(wanted[tuple(term.name.split())])


def test_upper_case_is_as_good_as_lower_case() -> None:
    small, large = (extract(corpus_of(*(change(t) for t in MATHEMATICS))).terms for change in (str.lower, str.upper))
    assert small.names == large.names
    assert small.c_values.tolist() == large.c_values.tolist()


def test_stop_words_are_in_no_term() -> None:
    some = corpus_of("the such space is new", "such space", "group space space", "group space")
    assert [term.name for term in extract(some).terms] == ["group space"]
    assert "such space" in extract(some, TermSettings(stop_list=())).terms.names
    with pytest.raises(DataError, match="no multi-word term"):
        extract(some, TermSettings(frequent=1))


def test_nc_values_by_the_definition() -> None:
    some = [
        "the riemannian manifold shows matrix space. the riemannian manifold shows a thing",
        "compact group is a riemannian manifold, and the compact group shows riemannian manifold",
        "matrix space is compact group",
    ]
    settings = TermSettings(nc=True, nc_top=2, stop_list=(), min_frequency=2)
    found = {term.name: term for term in extract(corpus_of(*some), settings).terms}
    best = sorted(found.values(), key=lambda term: (-term.c_value, term.name))[:2]
    assert best[0].name == "riemannian manifold"
    # riemannian manifold: shows (2 after, 1 before); "a" and "the" are no context, the comma ends it
    # compact group: "is" after, "shows" after, "is" before; matrix space: "shows" before, "is" after
    tops = {term.name for term in best}
    contexts = {
        "riemannian manifold": Counter(shows=3),
        "compact group": Counter({"is": 2, "shows": 1}),
        "matrix space": Counter({"is": 1, "shows": 1}),
    }
    for name, own in contexts.items():
        weights = {w: sum(w in contexts[t] for t in tops) / 2 for w in own}
        wanted = 0.8 * found[name].c_value + 0.2 * sum(f * weights[w] for w, f in own.items())
        assert found[name].nc_value == pytest.approx(wanted), name


def test_the_nc_value_of_the_specification() -> None:
    # C = 10; next to the term stand shows 3 times and group once, each with one of two best terms: 8 + 0.2 · 2
    some = ["alpha beta shows"] * 3 + ["and alpha beta of group"] + ["alpha beta"] * 6 + ["gamma delta"] * 10
    words = [text.replace("of group", "is") for text in some]
    found = {t.name: t for t in extract(corpus_of(*words), TermSettings(nc=True, nc_top=2, filter="noun")).terms}
    assert found["alpha beta"].c_value == 10
    assert found["alpha beta"].nc_value == pytest.approx(8.4)
    assert found["gamma delta"].nc_value == pytest.approx(8)


@pytest.mark.parametrize("some", [["x y z", "f 3 g"], ["the of and", ""], ["", ""], ["", "∈ ≤ ∑ 3.14"]])
def test_a_corpus_without_a_term(some: list[str], tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no multi-word term: no sequence of 2 to 6 words"):
        extract(corpus_of(*some), folder=tmp_path / "work")
    assert not (tmp_path / "work").exists()


def test_no_documents_and_documents_twice(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no documents to find terms in"):
        extract(InMemory([]))
    with pytest.raises(ConflictError, match="document d occurs twice"):
        extract(InMemory([Document("d", "a"), Document("d", "b")]), folder=tmp_path / "work")
    assert not (tmp_path / "work").exists()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"shortest": 7}, "a term has 1 to 12 words, not 7 to 6"),
        ({"longest": 13}, "a term has 1 to 12 words, not 2 to 13"),
        ({"min_frequency": 0}, "the least frequency must be a whole number"),
        ({"min_c": math.nan}, "the least C-value must be a number, not nan"),
        ({"nc_top": 0}, "the number of best terms must be a whole number"),
        ({"frequent": -1}, "the number of frequent stop words must be 0 or more"),
        ({"filter": "nuon"}, "no filter 'nuon', did you mean noun"),
    ],
)
def test_wrong_settings(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        TermSettings(**wrong)


def test_a_threshold_that_nothing_reaches() -> None:
    with pytest.raises(DataError, match="no term has a C-value of 1000 or more: there are"):
        extract(corpus_of(*MATHEMATICS), TermSettings(min_c=1000))


class Interrupted(Documents):
    """Documents whose reader is interrupted, the first time."""

    def __init__(self, documents: InMemory, after: int) -> None:
        self.documents, self.after, self.calm = documents, after, False

    def __iter__(self) -> Iterator[Document]:
        for i, document in enumerate(self.documents):
            if i == self.after and not self.calm:
                self.calm = True
                raise KeyboardInterrupt
            yield document


def same(one: Extraction, other: Extraction) -> bool:
    return [tuple(map(repr, term)) for term in one.terms] == [tuple(map(repr, term)) for term in other.terms]


def test_an_interrupted_job_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tagged_corpus, "BATCH", 60)
    monkeypatch.setattr(tag_corpus, "__kwdefaults__", {"step": None, "batch": 60})
    documents = corpus_of(*MATHEMATICS * 4)
    wanted = extract(documents)
    interrupted = Interrupted(documents, 9)
    with pytest.raises(KeyboardInterrupt):
        extract(interrupted, folder=tmp_path / "work")
    kept = len(list((tmp_path / "work").glob("*.npz")))
    assert kept > 3
    (tmp_path / "work" / f".{'0a' * 16}.npz.adjudge-new").write_bytes(b"half")
    next((tmp_path / "work").glob("*.npz")).write_bytes(b"damaged")
    found = extract(interrupted, folder=tmp_path / "work")
    assert same(found, wanted)
    assert 0 < found.counts.kept <= 9
    assert not (tmp_path / "work").exists()


def test_what_is_kept_is_not_taken_for_other_documents(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    tag_corpus(corpus_of("smooth manifold", "smooth manifold"), Toy(), folder)
    other = tag_corpus(corpus_of("compact group", "compact group"), Toy(), folder)
    assert other.counts.kept == 0
    assert tag_corpus(corpus_of("compact group", "compact group"), Toy(), folder).counts.kept == 1
    (folder / "mine.txt").write_text("not yours")
    (folder / "mine.npz").write_bytes(b"not yours either")
    extraction.sweep_batches(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["mine.npz", "mine.txt"]


class Meeting(Documents):
    """Documents that somebody else begins to work on while they are read."""

    def __init__(self, documents: Documents, folder: Path) -> None:
        self.documents, self.folder = documents, folder
        self.met: list[str] = []

    def __iter__(self) -> Iterator[Document]:
        with pytest.raises(ConflictError) as error:
            extract(self.documents, folder=self.folder)
        self.met.append(str(error.value))
        yield from self.documents


def test_two_jobs_do_not_take_each_others_files(tmp_path: Path) -> None:
    documents, folder = corpus_of(*MATHEMATICS * 2), tmp_path / "work"
    meeting = Meeting(documents, folder)
    assert same(extract(meeting, folder=folder), extract(documents))
    assert meeting.met == [f"{folder}: terms are being found there already"]
    assert not folder.exists()
    assert same(extract(documents, folder=folder), extract(documents))


def test_nc_values_do_not_depend_on_how_the_corpus_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    # All terms have the same value, and more than are among the best; which these are changes what contexts weigh.
    some = [f"the {chr(97 + i) * 3} group {verb}" for i, verb in enumerate(["is", "are", "shows", "shows"] * 6)]
    settings = TermSettings(nc=True, nc_top=7, filter="noun", min_frequency=2)
    wanted = extract(corpus_of(*some * 2), settings)
    assert {term.c_value for term in wanted.terms} == {2.0}
    assert same(extract(corpus_of(*some[::-1] * 2), settings), wanted)
    for size in (1, 60, 400):
        monkeypatch.setattr(tag_corpus, "__kwdefaults__", {"step": None, "batch": size})
        assert same(extract(corpus_of(*some * 2), settings), wanted)
    monkeypatch.setattr(count, "__kwdefaults__", {"least": 2, "shard": 50, "step": None})
    assert same(extract(corpus_of(*some * 2), settings), wanted)


KILLED = """
import sys, time
from pathlib import Path
from adjudge.core.document import Document, Documents
from adjudge.terms.tagged_corpus import tag_corpus
from slow_terms import Toy

class Slow(Documents):
    def __iter__(self):
        for i in range(12):
            yield Document(f"d{i}", f"the smooth manifold and the compact group number {i}")
            if i == 8 and sys.argv[2] == "slow":
                print("there", flush=True)
                time.sleep(60)

made = tag_corpus(Slow(), Toy(), Path(sys.argv[1]), batch=10)
print(made.counts.kept, made.counts.documents)
"""


def test_a_killed_job_goes_on(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])}
    command = [sys.executable, "-c", KILLED, str(tmp_path / "work")]
    with subprocess.Popen([*command, "slow"], stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        process.stdout.readline()
        while len(list((tmp_path / "work").glob("*.npz"))) < 5:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    done = subprocess.run([*command, "quick"], capture_output=True, text=True, env=environment, check=True)
    kept, documents = map(int, done.stdout.split())
    assert documents == 12
    assert 5 <= kept <= 9


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(DataError, match=r"work/[0-9a-f]+\.npz: cannot be written: No space left on device"):
        extract(corpus_of(*MATHEMATICS), folder=tmp_path / "work")


def test_a_file_where_the_work_should_be(tmp_path: Path) -> None:
    (tmp_path / "work").write_text("mine")
    with pytest.raises(DataError, match="work: not a folder"):
        extract(corpus_of(*MATHEMATICS), folder=tmp_path / "work")
    assert (tmp_path / "work").read_text() == "mine"


def test_terms_that_no_token_can_hold_are_none() -> None:
    long = " ".join(f"{letter * 39}" for letter in "bcdefgh")
    some = corpus_of(long, f"{long}, smooth manifold", "smooth manifold")
    found = extract(some, TermSettings(longest=12, filter="noun", min_frequency=1)).terms
    assert max(map(len, found.names)) <= 255
    assert len(extract(some, TermSettings(longest=6)).terms) == 6 + 5 + 4 + 3 + 2 + 1


def test_large_corpora_want_three_occurrences() -> None:
    assert TermSettings().least(10**8) == 2
    assert TermSettings().least(10**8 + 1) == 3
    assert TermSettings(min_frequency=1).least(10**9) == 1


def test_hostile_words_are_in_no_term() -> None:
    long = "m" * 41
    some = ["流 形 smooth_x manifold", f"{long} manifold {long} manifold", "流形 流形 流形", "smooth_x manifold"]
    with pytest.raises(DataError, match="no multi-word term"):
        extract(corpus_of(*some))
    assert extract(corpus_of("größe räume", "Größe Räume", "\0 \ud800 größe räume")).terms[0].frequency == 3
