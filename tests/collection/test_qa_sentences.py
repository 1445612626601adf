"""Blocks, formulas, sentences and what rules propose of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.collection.qa.cumtc import read_cumtc
from adjudge.collection.qa.labels import kinds_of, label_sentences, words_of
from adjudge.collection.qa.post_markup import blocks, plain
from adjudge.collection.qa.sentences import sentences_of
from adjudge.collection.qa.threads import FORMULA, QUERY, Sentence
from collection.dump_of import shared

PIECES = (
    *("<p>", "</p>", "<li>", "<b>", "</b>", "<code>", "</code>", "<pre>", "</pre>", "<math>", "</math>", "<!--", "-->"),
    *("<script>", "</script>", "<a href='x'>", "</a>", "$", "$$", "\\(", "\\)", "x", "A", " ", ". ", "? ", "&lt;"),
    *("\ue000", "\n\n", "e.g. ", "3."),
)
HTML = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


def texts(html: str) -> list[str]:
    return [sentence.text for sentence in sentences_of(html)]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>It is so. Is it? Yes!</p>", ["It is so.", "Is it?", "Yes!"]),
        ("<p>J. P. Serre and P. Deligne did, on p. 7. See P. 8.</p>",
         ["J. P. Serre and P. Deligne did, on p. 7.", "See P. 8."]),
        ("<p>One</p><ul><li>two<li>three</ul>", ["One", "two", "three"]),
        ("<p>Choose $x$ s.t. $y$ holds, cf. Prop. 3.2 of J. Smith et al. (2001). Then go.</p>",
         ["Choose $x$ s.t. $y$ holds, cf. Prop. 3.2 of J. Smith et al. (2001).", "Then go."]),
        ("<p>See $f(x) = 1. Then$ and $a.$ Now <code>x. Y? Z</code>. End.</p>",
         ["See $f(x) = 1. Then$ and $a.$ Now x. Y? Z.", "End."]),
        ("<p>Look at <a href='http://a.b/c.D?e'>http://a.b/c.D?e F. G</a> now. Ok.</p>",
         ["Look at http://a.b/c.D?e F. G now.", "Ok."]),
        ("<p>We have $$x = y.$$ Then all is well.</p>", ["We have $$x = y.$$", "Then all is well."]),
        ("<p>1. Is it so? 2. Why?</p>", ["1. Is it so?", "2. Why?"]),
        ("<p>Is it true, e.g. for spheres? and for tori?</p>", ["Is it true, e.g. for spheres?", "and for tori?"]),
        ("<pre><code>a. B\nc? D</code></pre>", ["a. B c? D"]),
        ("", []),
        ("<p>  </p>", []),
    ],
)  # fmt: skip
def test_sentences(html: str, found: list[str]) -> None:
    assert texts(html) == found


def test_the_example_of_the_paper() -> None:
    html = (
        "<p>Apparently, physicist can calculate the GW invariants of quintic CY 3-fold up to genus 51. For each genus "
        "g, there is a lower bound d(g) such that for every d &lt; d(g), all genus g degree d invariants of quintic "
        "are zero.</p><p>I am looking for a reference that has a table of these number for some low degrees (say up to "
        "degree 5) and low genera (at least until $g = 3$). Where can I found this lower bound?</p>"
    )
    found = label_sentences(sentences_of(html))
    assert [(one.kind, one.micro_topic) for one in found] == [
        ("prelude", 0),
        ("prelude", 0),
        ("query", 1),
        ("query", 2),
    ]


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("it costs $5 and $6", []),
        ("$5 million or $20,000 for US$ 3", []),
        ("Let $x$ and $ n $ and $2n+1$", ["x", "n", "2n+1"]),
        ("\\(a\\) \\[b\\] $$c$$ \\begin{align}d\\end{align}", ["a", "b", "c", "\\begin{align}d\\end{align}"]),
        ("a \\$x\\$ b", []),
        ("$a\\$b$ c", ["a\\$b"]),
        ("$x and $$y$$", ["y"]),
        ("open $x", []),
        ("$$ $$ and $ $", []),
    ],
)
def test_formulas_and_money(text: str, formulas: list[str]) -> None:
    parts = [part for block in blocks(f"<p>{text}</p>") for part in block.parts]
    assert [part.text for part in parts if part.kind == FORMULA] == formulas
    without = [part for block in blocks(f"<p>{text}</p>", dollars=False) for part in block.parts]
    singles = {f for f in formulas if f"${f}$" in text and f"$${f}$$" not in text}
    assert not singles & {part.text for part in without if part.kind == FORMULA}


def test_mathml_is_a_formula_with_its_source() -> None:
    source = '<m:annotation encoding="application/x-tex">\\mathbb C</m:annotation>'
    html = f'<p>x <m:math display="block"><m:mi>C</m:mi>{source}</m:math>.</p>'
    (block,) = blocks(html)
    assert [(p.kind, p.text, p.display) for p in block.parts][1] == ("formula", "\\mathbb C", True)
    assert block.parts[1].mathml.startswith("<m:math")


@given(HTML)
def test_nothing_of_a_text_is_lost_or_doubled(html: str) -> None:
    whole = "".join("".join(plain(block).split()) for block in blocks(html))
    cut = "".join("".join(text.split()) for text in texts(html))
    assert cut.replace("\ue000", "\ufffd") == whole.replace("\ue000", "\ufffd")


@given(HTML)
def test_labels_are_complete_and_micro_topics_count_from_one(html: str) -> None:
    found = label_sentences(sentences_of(html))
    numbers = [one.micro_topic for one in found if one.kind == QUERY]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(1, len(set(numbers)) + 1))
    assert all((one.micro_topic > 0) == (one.kind == QUERY) for one in found)
    assert [one.number for one in found] == list(range(1, len(found) + 1))


@pytest.mark.parametrize(
    "text",
    ["\\[" * 20000, "<math>" * 20000, "<math><annotation>" * 10000 + "</math>", "$x " * 20000, "<a href='" * 9000],
)
def test_openings_without_ends_take_no_ages(text: str) -> None:
    blocks(text)  # a quadratic search would not come back from this


@pytest.mark.parametrize(
    ("texts", "kinds"),
    [
        (["Let x be y.", "Is x known?"], ["prelude", "query"]),
        (["Hello,", "I would like to know whether x is y.", "Thanks in advance!"], ["neither", "query", "neither"]),
        (["My question is:", "how large is x", "Here is why."], ["prelude", "query", "prelude"]),
        (["No question here.", "None here either."], ["prelude", "query"]),
        (["Thanks!"], ["neither"]),
        ([], []),
    ],
)
def test_kinds(texts: list[str], kinds: list[str]) -> None:
    assert kinds_of(texts, [1] * len(texts)) == kinds


def test_rules_agree_with_people(tmp_path: Path) -> None:
    topics = read_cumtc(shared("cumtc", tmp_path)).topics[1::2]
    right = wrong = missing = 0
    for topic in topics:
        bare = [Sentence(one.number, one.parts, paragraph=one.paragraph) for one in topic.sentences]
        kinds = kinds_of([words_of(one) for one in bare], [one.paragraph for one in bare])
        for sentence, kind in zip(topic.sentences, kinds, strict=True):
            right += sentence.kind == QUERY == kind
            wrong += kind == QUERY != sentence.kind
            missing += sentence.kind == QUERY != kind
    assert 2 * right / (2 * right + wrong + missing) > 0.85
