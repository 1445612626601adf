"""Re-attribution: Table 4, the worked examples, and everything against brute force."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError, SpecError
from adjudge.core.topic import Topic, micro_topic
from adjudge.terms import tally
from adjudge.terms.attribution import (
    EMISSIONS,
    Attribution,
    DeltaDocuments,
    Emission,
)
from adjudge.terms.forms import key_of, token_of
from adjudge.terms.matching import Matcher
from adjudge.terms.terms import Term, Terms
from adjudge.terms.word_columns import words_of
from adjudge.text.analyzer import Analyzer
from slow_terms import corpus_of, slow_all, slow_longest, terms_of

TEXT = "a Riemannian manifold is a smooth manifold"
TERMS = terms_of("riemannian manifold", "smooth manifold")


def test_table_4() -> None:
    assert Attribution(TERMS, Emission(surface=True)).vectors([TEXT]).of(0) == {
        "a": 2,
        "Riemannian_manifold": 1,
        "is": 1,
        "smooth_manifold": 1,
    }
    written = {name: Attribution(TERMS, Emission(name, surface=True)).texts([TEXT])[0] for name in EMISSIONS}
    assert written == {
        "text": "a a Riemannian_manifold Riemannian_manifold is smooth_manifold smooth_manifold",
        "plus_one": "a a a Riemannian_manifold Riemannian_manifold is is smooth_manifold smooth_manifold",
        "double_all": "a a a a Riemannian_manifold Riemannian_manifold is is smooth_manifold smooth_manifold",
    }
    assert Attribution(TERMS).texts([TEXT])[0] == written["text"].lower()


@pytest.mark.parametrize(
    ("names", "text", "longest", "all_"),
    [
        (
            ["riemannian manifold", "smooth riemannian manifold"],
            "a smooth Riemannian manifold",
            {"a": 1, "smooth_riemannian_manifold": 1},
            {"a": 1, "smooth_riemannian_manifold": 1, "riemannian_manifold": 1},
        ),
        (
            ["complex projective variety", "projective variety", "variety ring"],
            "complex projective variety projective variety ring",
            {"complex_projective_variety": 1, "projective_variety": 1, "ring": 1},
            {"complex_projective_variety": 1, "projective_variety": 2, "variety_ring": 1},
        ),
    ],
)
def test_the_worked_examples(names: list[str], text: str, longest: dict[str, int], all_: dict[str, int]) -> None:
    terms = terms_of(*names)
    assert Attribution(terms).vectors([text]).of(0) == longest
    assert Attribution(terms, Emission(policy="all")).vectors([text]).of(0) == all_


def test_a_form_that_no_corpus_had_is_found() -> None:
    found = Attribution(terms_of("riemannian manifold", "square matrix", "calabi-yau manifold"))
    assert found.terms_in("RIEMANNIAN Manifolds, square matrices; Calabi\u2013Yau manifolds, square\nmatrix") == {
        "square_matrix": 2,
        "riemannian_manifold": 1,
        "calabi-yau_manifold": 1,
    }


def test_no_term_reaches_over_punctuation() -> None:
    assert (
        Attribution(TERMS).terms_in("Riemannian, manifold. Smooth. Manifold (smooth) manifold\n\nsmooth\n\nmanifold")
        == {}
    )


def test_the_boost_is_a_factor() -> None:
    def written(boost: float, text: str = TEXT) -> int:
        return Attribution(TERMS, Emission(boost=boost)).texts([text])[0].split().count("riemannian_manifold")

    assert [written(boost) for boost in (0.1, 1, 1.4, 1.5, 2, 7)] == [1, 1, 1, 2, 2, 7]
    assert written(1.5, f"{TEXT} {TEXT}") == 3
    assert Attribution(TERMS, Emission(boost=1000)).texts(["", TEXT, ""])[::2] == ["", ""]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("text", 0), "the boost must be above 0 and at most 1000, not 0"),
        (("text", -1.5), "the boost must be above 0"),
        (("text", float("nan")), "the boost must be above 0"),
        (("text", float("inf")), "the boost must be above 0"),
        (("twice", 2), "the emission must be one of text, plus_one, double_all, not 'twice'"),
        (("text", 2, "shortest"), "the policy must be longest or all, not 'shortest'"),
        (("plus_one", 3), "a boost is for the emission text; plus_one has its own way"),
    ],
)
def test_wrong_emissions(arguments: tuple[str, float], message: str) -> None:
    with pytest.raises(SpecError, match=re.escape(message)):
        Emission(*arguments)


words = st.sampled_from(["alpha", "beta", "gamma", "alphas", "gammas", "Alpha", "delta"])
sentences = st.lists(st.tuples(words, st.sampled_from([" ", " ", " ", ", ", ". "])), max_size=14)
names = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta"]), min_size=1, max_size=4).map(" ".join)


@pytest.mark.slow
@given(st.lists(names, min_size=1, max_size=6, unique=True), st.lists(sentences, min_size=1, max_size=3))
def test_matches_vectors_and_texts_by_brute_force(some: list[str], batch: list[list[tuple[str, str]]]) -> None:
    texts = ["".join(f"{word}{gap}" for word, gap in text) for text in batch]
    terms, read = terms_of(*some), words_of(texts)
    keys = {tuple(name.split()) for name in some}
    results = []
    for python in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            if python:
                patch.setattr(tally, "compiled", None)
            matcher = Matcher.of(terms)
            own = {policy: matcher.find(read, policy) for policy in ("longest", "all")}
        results.append({policy: [column.tolist() for column in found] for policy, found in own.items()})
    assert results[0] == results[1]
    for policy, slow in (("longest", slow_longest), ("all", slow_all)):
        wanted: list[tuple[int, int]] = []
        vectors = Attribution(terms, Emission(policy=policy)).vectors(texts)
        for i in range(len(texts)):
            begin, end = int(read.tokens.offsets[i]), int(read.tokens.offsets[i + 1])
            lower = [word.lower() for word in read.tokens.of(i)]
            breaks = read.breaks[begin:end].tolist()
            found = own_matches(lower, breaks, keys, slow)
            wanted += [(begin + at, n) for at, n in found]
            assert vectors.of(i) == slow_vector(lower, found)
        assert list(zip(*results[0][policy][:2], strict=True)) == wanted
    conserved(terms, texts)


def own_matches(lower: list[str], breaks: list[int], keys: set[tuple[str, ...]], slow: object) -> list[tuple[int, int]]:
    """Brute force with the last word of every stretch in the singular: terms in any number are terms."""
    from adjudge.terms.singular import singular

    def plural(key: tuple[str, ...]) -> set[tuple[str, ...]]:
        return {(*key[:-1], word) for word in {*lower, key[-1]} if singular(word) == key[-1]}

    every = {form for key in keys for form in plural((*key[:-1], singular(key[-1])))}
    found: list[tuple[int, int]] = slow(lower, breaks, every)  # type: ignore[operator]
    return found


def slow_vector(lower: list[str], found: list[tuple[int, int]]) -> dict[str, int]:
    counts = Counter(lower)
    taken: Counter[str] = Counter()
    for at, n in found:
        taken.update(lower[at : at + n])
    vector = Counter({word: number - taken[word] for word, number in counts.items() if number > taken[word]})
    for at, n in found:
        vector[token_of(" ".join(key_of(" ".join(lower[at : at + n]))))] += 1
    return dict(vector)


def conserved(terms: Terms, texts: list[str]) -> None:
    """Each term counted by its words, there are as many words as before."""
    made = Attribution(terms, Emission(boost=1))
    for text, written in zip(texts, made.texts(texts), strict=True):
        sizes = [token.count("_") + 1 for token in written.split()]
        assert sum(sizes) == len(words_of([text]).tokens.ids)


@given(st.lists(sentences, min_size=1, max_size=4))
def test_what_is_written_is_what_the_analyzer_reads(batch: list[list[tuple[str, str]]]) -> None:
    texts = ["".join(f"{word}{gap}" for word, gap in text) for text in batch]
    made = Attribution(terms_of("alpha beta", "beta gamma delta", "gamma alpha"))
    analyzer = Analyzer.parse("standard(dashes=true)|lower")
    for written in made.texts(texts):
        assert analyzer.terms(written) == written.split()


def test_batches_do_not_matter() -> None:
    documents = corpus_of(*[TEXT, "", "smooth manifolds", "x"] * 5)
    whole = list(DeltaDocuments(documents, Attribution(TERMS)))
    pieces = DeltaDocuments(documents, Attribution(TERMS), batch=1)
    assert list(pieces) == whole == list(pieces)
    assert pieces.occurrences == 15
    assert [document.id for document in whole] == [document.id for document in documents]
    assert whole[1] == Document("d1", "")


def test_how_long_a_term_is_in_other_texts_does_not_matter() -> None:
    short = Term("calabi yau manifold", 2, 1.0, math.nan, {"Calabi-Yau manifold": 1, "Calabi Yau manifold": 1})
    long = Term("calabi yau manifold theory", 1, 1.0, math.nan, {"Calabi-Yau manifold theory": 1})
    attribution = Attribution(Terms.of([short, long]), Emission(policy="all", boost=1))
    alone = attribution.texts(["Calabi-Yau manifold theory"])[0]
    assert alone == "calabi_yau_manifold_theory calabi_yau_manifold"
    assert attribution.texts(["Calabi-Yau manifold theory", "Calabi Yau manifold"])[0] == alone


def test_terms_are_counted_by_document() -> None:
    documents = corpus_of(TEXT, "", "nothing here", "smooth manifolds, smooth manifold")
    counted = list(DeltaDocuments(documents, Attribution(TERMS)).with_counts())
    assert [number for _, number in counted] == [2, 0, 0, 2]


def test_terms_of_another_corpus_are_told() -> None:
    delta = DeltaDocuments(InMemory([Document("d", "cats and dogs")]), Attribution(TERMS))
    assert not delta.notes
    assert [document.text for document in delta] == ["cats and dogs"]
    assert tuple(map(str, delta.notes)) == (
        "none of the 2 terms occurs in the documents: were the terms extracted from other documents?",
    )


def test_words_may_stay_beside_terms() -> None:
    for policy in ("longest", "all"):
        made = (
            Attribution(terms_of("b c", "c d"), Emission(policy=policy, keep_words=True)).vectors(["a b c d b"]).of(0)
        )
        assert made == {"a": 1, "b_c": 1, "b": 2, "c": 1, "d": 1} | ({"c_d": 1} if policy == "all" else {})


def test_words_in_the_order_in_which_they_first_stand_there() -> None:
    made = Attribution(terms_of("b c"), Emission(boost=1))
    assert made.texts(["z b c y Z b c x"])[0] == "z z b_c b_c y x"


def test_a_word_that_looks_like_a_term_counts_with_it() -> None:
    assert Attribution(TERMS).vectors(["smooth_manifold smooth manifold"]).of(0) == {"smooth_manifold": 2}


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        (["... !"], "the term '... !' has no word in it"),
        (["流 形"], "the term '流 形' cannot be written as one token"),
        ([" ".join(["word"] * 65)], "has 65 words"),
        (["square matrix", "square matrices"], "'square matrix' and 'square matrices' have a form in common"),
        (["a_b c", "d e", "a b_c"], "the terms 'a_b c' and 'a b_c' would be one token, a_b_c"),
        (["smooth_manifold", "smooth manifold"], "would be one token, smooth_manifold"),
    ],
)
def test_terms_that_cannot_be_used(terms: list[str], message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        Attribution(terms_of(*terms)).texts(["text"])


def test_a_form_without_a_word_is_refused() -> None:
    terms = Terms.of([Term("smooth manifold", 2, 2.0, math.nan, {"smooth manifold": 1, "---": 1})])
    with pytest.raises(DataError, match="the form '---' has no word in it"):
        Attribution(terms).texts(["text"])


def test_forms_of_merged_dashes_are_found() -> None:
    term = Term("calabi yau manifold", 2, 1.0, float("nan"), {"Calabi-Yau manifolds": 1, "Calabi Yau manifold": 1})
    made = Attribution(Terms.of([term]))
    assert made.terms_in("Calabi-Yau manifold, calabi yau manifolds") == {"calabi_yau_manifold": 2}


def test_the_query_of_a_micro_topic_is_prelude_and_question() -> None:
    prelude = ["Apparently, physicists can calculate the invariants.", " For each genus there is a lower bound. "]
    topic = micro_topic("1.2", prelude, ["Where can I find this lower bound?"])
    assert topic.query == " ".join([prelude[0], prelude[1].strip(), "Where can I find this lower bound?"])
    assert topic.title == "Where can I find this lower bound?"
    assert Topic("2", "only a title").query == "only a title"
    with pytest.raises(DataError, match=r"micro-topic 1\.3: no sentence of its own"):
        micro_topic("1.3", prelude, [" "])


def test_queries_are_treated_as_documents_are() -> None:
    assert Attribution(TERMS).queries({"q": "a smooth manifold?", "e": ""}) == {
        "q": "a smooth_manifold smooth_manifold",
        "e": "",
    }
