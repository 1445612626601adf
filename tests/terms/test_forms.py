"""Forms of terms: singulars, keys, classes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.terms.forms import class_of, in_lower_case, key_of, parts_of, plain, token_of
from adjudge.terms.singular import singular
from adjudge.text.tokenizers.standard import StandardTokenizer

PLURALS = {
    "manifolds": "manifold",
    "matrices": "matrix",
    "submatrices": "submatrix",
    "vertices": "vertex",
    "simplices": "simplex",
    "indices": "index",
    "complexes": "complex",
    "properties": "property",
    "classes": "class",
    "bases": "basis",
    "analyses": "analysis",
    "hypotheses": "hypothesis",
    "spaces": "space",
    "viruses": "virus",
    "causes": "cause",
    "approaches": "approach",
    "caches": "cache",
    "polyhedra": "polyhedron",
    "formulae": "formula",
    "lemmata": "lemma",
    "curves": "curve",
    "sheaves": "sheaf",
    "maxima": "maximum",
    "criteria": "criterion",
    "automata": "automaton",
    "metrics": "metric",
    "zeros": "zero",
    "zeroes": "zero",
    "radii": "radius",
    "tori": "torus",
    "workmen": "workman",
    "boxes": "box",
    "x-rays": "x-ray",
    "abelian-groups": "abelian-group",
    "e.o.s": "e.o",
    "1990s": "1990",
}
NO_PLURALS = "class process basis axis genus modulus series species gas lens mathematics physics statistics stokes news"


@pytest.mark.parametrize(("plural", "one"), PLURALS.items())
def test_the_singular_of_a_plural(plural: str, one: str) -> None:
    assert singular(plural) == one
    assert singular(one) == one


@pytest.mark.parametrize("word", [*NO_PLURALS.split(), "data", "specimen", "of", "", "-", "s", "ss", "its"])
def test_what_is_no_plural_stays(word: str) -> None:
    assert singular(word) == word


@given(st.text(st.sampled_from("abesiuxhcmnodra-'"), max_size=9))
def test_a_singular_is_its_own_singular(word: str) -> None:
    assert singular(singular(word)) == singular(word)


def test_the_forms_of_table_3_are_one_class() -> None:
    forms = ["riemannian manifold", "Riemannian manifold", "Riemannian manifolds", "RIEMANNIAN MANIFOLDS"]
    assert {class_of(form) for form in forms} == {"riemannian manifold"}
    assert token_of(class_of(forms[-1])) == "riemannian_manifold"


def test_dashes_are_one_dash_and_blanks_another_thing_unless_merged() -> None:
    dashes = ["-", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2015", "\u2212"]
    assert {class_of(f"Calabi{dash}Yau manifolds") for dash in dashes} == {"calabi-yau manifold"}
    assert class_of("Calabi Yau manifold") == "calabi yau manifold"
    assert class_of("Calabi-Yau manifold", merge_dashes=True) == class_of("Calabi Yau Manifolds", merge_dashes=True)
    assert parts_of("calabi-yau") == ["calabi", "yau"]


def test_only_the_last_word_is_put_into_the_singular() -> None:
    assert key_of("Systems of Equations") == ("systems", "of", "equation")
    assert key_of("") == ()


@given(st.lists(st.sampled_from([*PLURALS, *PLURALS.values(), "E.O.S", "Stokes's", "X.s"]), min_size=1, max_size=3))
def test_a_class_is_cut_into_its_own_words(words: list[str]) -> None:
    name = class_of(" ".join(words))
    assert StandardTokenizer(dashes=True)([name]).of(0) == name.split()


@given(st.text(st.sampled_from("abcs.:'-1"), max_size=8))
def test_the_singular_of_a_token_is_a_token(word: str) -> None:
    tokenizer = StandardTokenizer(dashes=True)
    for token in tokenizer([word]).of(0):
        assert tokenizer([singular(token)]).of(0) == [singular(token)]


@given(st.text(st.sampled_from("abISsxé-–İΣ "), max_size=20))
def test_a_class_is_its_own_class(form: str) -> None:
    assert class_of(class_of(form)) == class_of(form)


def test_lower_case_is_that_of_the_analyzers() -> None:
    assert in_lower_case(["RIEMANNIAN", "ΛΟΓΟΣ", "A\u2010B"]) == ["riemannian", "λογοσ", "a-b"]


def test_typographic_signs_become_plain_ones_in_their_places() -> None:
    text = "Calabi–Yau “x” 3–4 2–dimensional — don’t § ½ x∈M ©"
    assert plain(text) == 'Calabi-Yau "x" 3|4 2-dimensional | don\'t | | x|M |'
    assert plain("naïve café") == "naïve café"
    many = "".join(map(chr, range(0x2190, 0x2200))) + "’é\u00a0–"
    assert plain(many) == "".join(map(plain, many)) == "|" * 0x70 + "'é |"


@given(st.text(max_size=60))
def test_plain_texts_have_the_same_length_and_stay_plain(text: str) -> None:
    made = plain(text)
    assert len(made) == len(text)
    assert plain(made) == made


@given(st.text(st.sampled_from("ab1 ½·∈é—“”\u00ad\u0301'.,:_"), max_size=30))
def test_plain_texts_have_the_same_words(text: str) -> None:
    tokenizer = StandardTokenizer(dashes=True)
    assert tokenizer([plain(text)]).of(0) == tokenizer([text]).of(0)
