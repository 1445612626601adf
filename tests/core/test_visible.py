"""Characters that hide or steer, through every outlet in which people read what comes from data."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from dataclasses import replace
from pathlib import Path

import pytest

import page_findings
from adjudge.cli._options import note
from adjudge.collection.qa.collection import CollectionTopic, JudgedDocument, TopicCollection, TypedSentence
from adjudge.collection.qa.datasheet import datasheet
from adjudge.collection.qa.threads import Part
from adjudge.core.errors import DataError, at
from adjudge.core.visible import (
    BREAKS,
    CONTROLS,
    HALVES,
    JOINERS,
    MARKS,
    NONCHARACTERS,
    TURNS,
    UNSEEN,
    spell_out,
    visible,
    visible_line,
    visible_lines,
)
from adjudge.report.figures import scatter_figure
from adjudge.report.noise_tables import corruptions_table
from adjudge.report.notebook import html_table
from adjudge.report.page import page
from adjudge.report.page.safe_markup import tag
from adjudge.report.search_results import Hit, SearchAnswer, as_text
from adjudge.report.snippets import Marked, one_line
from adjudge.report.text_table import TextTable

TABLE = re.compile(f"[{CONTROLS}{TURNS}{MARKS}{JOINERS}{UNSEEN}{HALVES}{NONCHARACTERS}\u2028\u2029]")
LATIN = {
    "control": "\x00",
    "bell": "\x07",
    "escape": "\x1b",
    "delete": "\x7f",
    "next line": "\x9b",
    "left-to-right embedding": "\u202a",
    "right-to-left embedding": "\u202b",
    "pop": "\u202c",
    "left-to-right override": "\u202d",
    "right-to-left override": "\u202e",
    "left-to-right isolate": "\u2066",
    "right-to-left isolate": "\u2067",
    "first strong isolate": "\u2068",
    "pop isolate": "\u2069",
    "left-to-right mark": "\u200e",
    "right-to-left mark": "\u200f",
    "Arabic letter mark": "\u061c",
    "zero width space": "\u200b",
    "zero width non-joiner": "\u200c",
    "zero width joiner": "\u200d",
    "word joiner": "\u2060",
    "byte-order mark": "\ufeff",
    "annotation": "\ufff9",
    "tag": "\U000e0041",
    "half": "\ud800",
    "byte that is no UTF-8": "\udc80",
    "noncharacter": "\ufdd0",
    "last": "\uffff",
    "last of a plane": "\U0001fffe",
}
"""Between Latin letters each of them can only hide something, or steer what reads it."""


def in_page(text: str) -> str:
    findings = page_findings.known_items()
    return page(
        replace(
            findings, title=text, notes=page_findings.spoken(text), questions=dict.fromkeys(findings.questions, text)
        )
    )


def in_figure(text: str) -> str:
    return scatter_figure([text], [0.5], [0.25], a=text, b="b", texts={text: text}).svg()


def in_note(text: str) -> str:
    with redirect_stderr(io.StringIO()) as told:
        note([text])
    return told.getvalue()


def in_datasheet(text: str) -> str:
    sentence = TypedSentence(1, (Part("text", "x"),), "query", (1,))
    topic = CollectionTopic("1", "1", "", (sentence,), (JudgedDocument(1, "d"),))
    return datasheet(TopicCollection(text, (topic,), page_findings.spoken(text)), [], {"source": text})


def in_search(form: str) -> Callable[[str], str]:
    def shown(text: str) -> str:
        # seen() is what snippets are made of: there some of them are blanks already
        marked = Marked(one_line(text), ((0, 1),))
        hit = Hit(1, text, 1.0)._replace(title=marked, snippet=marked)
        return as_text(SearchAnswer("q", ("q",), "bm25", (hit,), True), form, 4)

    return shown


def in_workbench(text: str) -> str:
    pytest.importorskip("nh3", reason="nh3 is not installed: pip install 'adjudge[collect]'")
    from adjudge.collection.workbench.web import sanitising

    return "".join((
        sanitising.comment(text),
        sanitising.sentence((Part("text", text), Part("code", text), Part("link", text, "http://a.b/"))),
    ))  # fmt: skip


OUTLETS: dict[str, Callable[[str], str]] = {
    "page": in_page,
    "an element of the page": lambda text: tag("p", text, title=text),
    "workbench": in_workbench,
    "notebook": lambda text: html_table([text], [[text]], caption=text, notes=[text]),
    "figure": in_figure,
    "table": lambda text: TextTable([text], [[text]]).text(),
    "table in Markdown": lambda text: TextTable([text], [[text]]).markdown(),
    "table in LaTeX": lambda text: TextTable([text], [[text]]).latex(),
    "table of characters": lambda text: corruptions_table([(text, text, 0.5)], 4).text(),
    "search": in_search("table"),
    "search in Markdown": in_search("md"),
    "error": lambda text: str(DataError(text)),
    "a line in an error": lambda text: at("file", 1, "why", text),
    "a line of bytes in an error": lambda text: at("file", 1, "why", text.encode("utf-8", "surrogatepass")),
    "note": in_note,
    "datasheet": in_datasheet,
}


@pytest.mark.parametrize("outlet", OUTLETS)
def test_nothing_hides_in_any_outlet(outlet: str) -> None:
    """All characters in one text, each between Latin letters."""
    shown = OUTLETS[outlet]("".join(f"{n}a{c}b" for n, c in enumerate(LATIN.values())))
    left = TABLE.findall(html.unescape(shown))
    assert not left, [hex(ord(character)) for character in left]
    shown.encode()  # UTF-8 can hold it


@pytest.mark.parametrize("name", LATIN)
def test_all_outlets_spell_a_character_alike(name: str) -> None:
    text = f"x{LATIN[name]}y"
    spelled = f"x{repr(LATIN[name])[1:-1]}y"
    for one in (visible, visible_line, visible_lines, spell_out):
        assert one(text) == spelled
    for outlet, show in OUTLETS.items():
        if outlet in {"page", "figure", "table in LaTeX", "a line of bytes in an error"} or outlet.startswith("search"):
            continue  # slow; escaped further; decoded first; blanks already
        assert spelled in html.unescape(show(text)), outlet


@pytest.mark.parametrize(
    "text",
    [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian: the non-joiner is spelling
        "\u0915\u094d\u200d\u0937",  # Devanagari
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f\u200d\U0001f525",  # a family, a heart on fire
        "C++\u200e \u05e9\u05dc\u05d5\u05dd",  # a mark that keeps the plus signs where they belong
        "\u1780\u200b\u1781",  # Khmer has no blanks
        "sin\u2061x = 2\u2062y",  # operators of MathML
        "co\u00adoperate caf\u00e9 \u6f22\u5b57",
    ],
)
def test_what_languages_need_stays(text: str) -> None:
    assert visible(text) == visible_lines(text) == visible_line(text) == text


def test_lines() -> None:
    assert visible("a\tb\r\nc\fd\u2028e") == "a b  c d e"
    assert visible_line(" a\t b\r\nc ") == "a b c"
    assert visible_lines("a\tb\r\nc\u2029d\f") == "a\tb\r\nc\nd\\x0c"
    assert spell_out("a\tb\xa0\n") == "a\\tb\\xa0\\n"


def characters() -> Iterator[str]:
    return (chr(code) for code in range(0x110000))


def test_the_table_is_of_what_cannot_be_printed() -> None:
    """So a text that is printable needs no second look."""
    assert not any(c.isprintable() for c in characters() if TABLE.match(c) or c in BREAKS)
    for c in characters():
        if TABLE.match(c) and c not in "\f\u2028\u2029":
            assert not TABLE.search(visible(f"x{c}y")), hex(ord(c))


def test_scripts_get_names_as_they_are(tmp_path: Path) -> None:
    table = TextTable(["a"], [["x\u202ey"]])
    assert "x\u202ey" in table.csv()
    assert "x\u202ey" in table.json()
