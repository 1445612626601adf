"""Snippets against their definition."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from adjudge.index.explanation import Explanation
from adjudge.report.search_results import explanation_text
from adjudge.report.snippets import HALF, UNSHOWN, Marked, best_window, mark_terms, one_line, places_in, snippet
from adjudge.text.analyzer import Analyzer

WORDS = Analyzer.parse("words|lower|porter")


def slow_window(places: Sequence[tuple[int, int, int]], width: int) -> tuple[int, int]:
    """The value of the best of all stretches of places that fit, or of a single place."""
    values = [(0, 0)]
    for first, last in itertools.combinations(range(len(places) + 1), 2):
        inside = places[first:last]
        if len(inside) == 1 or inside[-1][1] - inside[0][0] <= width:
            values.append((len({term for _, _, term in inside}), len(inside)))
    return max(values)


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 8), st.integers(0, 4)), max_size=14), st.integers(1, 40))
def test_the_best_window(drawn: list[tuple[int, int, int]], width: int) -> None:
    starts = sorted({start * 9: (start * 9, start * 9 + length, term) for start, length, term in drawn}.values())
    first, last = best_window(starts, width)
    inside = starts[first:last]
    assert (len({term for _, _, term in inside}), len(inside)) == slow_window(starts, width)


TEXT = st.lists(
    st.sampled_from(["Solar", "power", "powered", "x", "of\n", "a-b", "…", "é", "longwordlongword"]), max_size=60
)


@given(TEXT, st.integers(20, 60))
def test_a_snippet_is_a_stretch_of_the_text(words: list[str], width: int) -> None:
    text = "  ".join(words)
    made = snippet(text, WORDS, ["solar", "power"], width)
    inner = made.text.removeprefix("… ").removesuffix(" …") if len(one_line(text)) > width else made.text
    assert inner in one_line(text)
    assert len(made.text) <= width + 4
    assert [WORDS.terms(made.text[a:b]) for a, b in made.spans] == [
        [term] for term in WORDS.terms(made.text) if term in {"solar", "power"}
    ]
    assert (made.spans == ()) == (not {"solar", "power"} & set(WORDS.terms(text)))


def test_snippets_by_hand() -> None:
    text = "solar first, then a long way of other words, and solar power at the end of it all"
    assert snippet(text, WORDS, ["solar", "power"], 30).render("<", ">") == "… and <solar> <power> at the …"
    assert snippet(text, WORDS, ["solar"], 20).render("<", ">") == "<solar> first, then a …"
    assert snippet(text, WORDS, [], 12) == Marked("solar first, …")
    assert snippet("", WORDS, ["solar"]) == Marked("")
    assert snippet("x" * 50, WORDS, ["x" * 50], 20).text == "x" * 20 + " …"
    assert mark_terms("Powers\tof\x1b solar", WORDS, ["power"]) == Marked("Powers of solar", ((0, 6),))


def test_strings_that_stand_for_the_same_word_count_as_one() -> None:
    chunks = Analyzer.parse("chunks(letters=[91])|lower")
    text = "Regis[er and regisler, a long way of other words, then Federal Regis[er at the end"
    terms = {"regis[er": 0, "regisler": 0, "federal": 1}
    assert snippet(text, chunks, terms, 30).render("<", ">") == "… then <Federal> <Regis[er> at the …"
    assert snippet(text, chunks, ["regis[er", "regisler"], 22).render("<", ">") == "<Regis[er> and <regisler>, …"


@given(
    st.text(
        st.sampled_from("a b\t\n\r\x0b\x1c\x1f\x00\x7f\x85\xa0\u2028\u2029\u202e\u3000\u200b\ud800\udcffé"), max_size=12
    )
)
def test_a_line_is_its_definition(text: str) -> None:
    assert one_line(text) == " ".join(HALF.sub("\ufffd", UNSHOWN.sub(" ", text)).split())


def test_places_in_several_texts_are_those_in_each() -> None:
    analyzer = Analyzer.parse("words|lower|stop(smart)|porter")
    lines = ["", "solar power", "the of", "the power of two solar powers, solar power", "wind"]
    for terms in (["power", "solar"], {"solar power": 0, "power": 1}, ["moon"], []):
        together = places_in(lines, analyzer, terms)
        assert together == [places_in([line], analyzer, terms)[0] for line in lines]
    assert places_in(lines, analyzer, {"solar power": 4})[3] == [(17, 29, 4), (31, 42, 4)]


def test_terms_side_by_side() -> None:
    chunks = Analyzer.parse("chunks|lower")
    text = "the regis ter of ter regis, Regis-ter"
    assert mark_terms(text, chunks, {"regis ter": 0}).render("<", ">") == "the <regis ter> of ter regis, <Regis-ter>"
    assert mark_terms("ter", chunks, {"regis ter": 0}) == Marked("ter")
    assert mark_terms("regis ter", chunks, {"regis ter": 0, "ter": 1}).render("<", ">") == "<regis ter>"


def test_a_tiny_figure_is_not_shown_as_0() -> None:
    tree = Explanation("whole", 2e-7, "product", (Explanation("left", 0.0), Explanation("right", -12.5)))
    assert explanation_text(tree, 3) == "2.00e-07  whole\n   0.000    × left\n -12.500    × right\n"
