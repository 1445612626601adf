"""The tokenizer ``standard`` beside Lucene's StandardTokenizer itself."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adjudge.text.analyzer import Analyzer
from lucene import LONGEST, Lucene, java, standard_tokens

CHANGED = frozenset(
    "\xb8\u02c2\u02c3\u02c4\u02c5\u02d2\u02d3\u02d4\u02d5\u02d6\u02d7\u02de\u02df\u02e5\u02e6\u02e7\u02e8\u02e9\u02ea\u02eb\u02ed"
    "\u055a\u055b\u055c\u055e\u055f\u058a\u06dd\u070f\u1885\u1886\u202f"
)
"""Characters that Unicode has put into another class of UAX#29 since version 6.3, which Lucene 4.10 knows."""


def old(character: str) -> bool:
    """In Unicode 3.2 already, and of the same class ever since."""
    return unicodedata.ucd_3_2_0.category(character) not in {"Cn", "Cs", "Co"} and character not in CHANGED


def same(standard: Analyzer, text: str) -> None:
    # UAX#29 keeps an apostrophe after a Hebrew letter (WB7a); Lucene's grammar loses it if the letter follows a joint.
    assume(not re.search(r"[.:'·’‘․﹒＇．]\W*[\u05d0-\u05ea\ufb1d-\ufb4f]\W*'", text))
    assert standard.terms(text) == standard_tokens(text)


pytestmark = pytest.mark.lucene

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZäöüßéñøλΩжЯאבعر"
JOINERS = "'.,:;_-·’‘․﹒＇．‐‑–—\"/@&!?()[] \t\n\u00a0\u00ad\u200b\u0301\u0308"
ENGLISH = st.text(st.sampled_from(LETTERS + "0123456789" + JOINERS), max_size=80)
ANY = st.text(st.characters(exclude_categories=["Cs", "Co", "Cn"]).filter(old), max_size=40)
EAST = st.text(st.sampled_from("日本語漢字ひらがなカタカナｶﾀﾞー々한국어ไทยລາວខ្មែရန်ab12_. ゙゚"), max_size=40)


@pytest.fixture(scope="module")
def standard() -> Analyzer:
    java()
    return Analyzer.parse("standard")


@pytest.mark.parametrize(
    "text",
    [
        "The o'reilly's U.S.A. riemannian_manifold, calabi-yau; 3,000.5 and 1.2.3 or a.1 1.a a:b 1:2",
        "it''s 'quoted' don’t l'été e\u0301te\u0301 naïve so\u00adft zero\u200bwidth",
        "日本語とカタカナ 한국어 ไทย x𝒳y",
        "_ __ ___a _1 a_ ._. 1_000 a__b",
        "user@example.org http://example.org/a?b=c&d=e #tag @name $5.00 50% C++ AT&T R&D",
        "",
        " \t\r\n\u2028",
    ],
)
def test_chosen_texts(standard: Analyzer, text: str) -> None:
    assert standard.terms(text) == standard_tokens(text)


@settings(max_examples=300)
@given(ENGLISH)
def test_random_european_text(standard: Analyzer, text: str) -> None:
    same(standard, text)


@settings(max_examples=300)
@given(ANY)
def test_random_unicode(standard: Analyzer, text: str) -> None:
    same(standard, text)


@settings(max_examples=300)
@given(EAST)
def test_scripts_without_blanks(standard: Analyzer, text: str) -> None:
    assert standard.terms(text) == standard_tokens(text)


@pytest.mark.parametrize("length", [LONGEST - 1, LONGEST, LONGEST + 1, 2 * LONGEST, 2 * LONGEST + 1, 3000])
@pytest.mark.parametrize("pattern", ["a", "0", "ab_", "x.y", "1,2"])
def test_long_tokens_are_cut(standard: Analyzer, length: int, pattern: str) -> None:
    text = "before " + (pattern * length)[:length] + " after"
    assert standard.terms(text) == standard_tokens(text)


def test_cranfield(standard: Analyzer, classic_collections: Path) -> None:
    text = (classic_collections / "cran" / "cran.all.1400").read_text("latin-1")
    found = standard.terms(text)
    assert len(found) > 200_000
    assert found == standard_tokens(text)


def test_oracle_lowers_and_keeps_stop_words() -> None:
    oracle = Lucene([])
    assert oracle.terms("The CAT and the Dog") == ["the", "cat", "and", "the", "dog"]
