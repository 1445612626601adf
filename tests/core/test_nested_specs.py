"""Specs inside specs: what is written is read back, mistakes are told with their place, and nothing takes long."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import MISSING, dataclass
from string import ascii_letters, ascii_lowercase, digits
from typing import Any, ClassVar

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge.components import registries
from adjudge.core.errors import AdjudgeError, SpecError
from adjudge.core.measure import measures
from adjudge.core.registry import Registry
from adjudge.core.spec import (
    DEEPEST,
    Component,
    Spec,
    build,
    items_of,
    parameters,
    parse_pipeline,
    parse_spec,
    spec_text,
)
from adjudge.systems.system import find_system, systems
from adjudge.text.analyzer import Analyzer
from adjudge.text.token_filter import filters
from adjudge.text.tokenizer import tokenizers
from adjudge.weighting.scheme import weightings


@dataclass(frozen=True)
class Anything(Component):
    """Takes whatever can be written."""

    name: ClassVar[str] = "anything"
    positional: ClassVar[str] = "first"

    first: Any = 0
    second: Any = "none of it"
    k: int | None = None


def parsed(text: str) -> Anything:
    return parse_spec(text, "thing", lambda spec: build(Anything, spec, "thing"))


def letters_and(others: str) -> st.SearchStrategy[str]:
    """Characters: letters and digits of any script, _ and others."""
    return st.characters(codec="utf-8", categories=("L", "N"), include_characters=others + "_")


def like(first: str, others: str, longest: int | None = None) -> st.SearchStrategy[str]:
    """What the regular expression ``[first][others\\w]*`` matches, made three times as fast as from that itself."""
    return st.builds(str.__add__, st.sampled_from(first), st.text(letters_and(others), max_size=longest))


words = st.one_of(
    like(ascii_letters + "_/.", "./:+-"),
    st.sampled_from(
        ["true", "None", "1e5", "nan", "inf", "-0", "", " ", "a b", "a  b ", '"', "\\", '\\"', "l/1/i/|", "a@b"]
    ),
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.text('ab ,()[]|="\\@1.', max_size=12),
)
numbers = st.one_of(st.integers(-(10**30), 10**30), st.floats(allow_nan=False))
plain = st.one_of(words, numbers, st.booleans(), st.none())
names = like(ascii_letters + digits, ".+-", 8)


def of(values: st.SearchStrategy[Any]) -> st.SearchStrategy[str]:
    """Specs and pipelines with such values, as text."""
    keys = st.one_of(st.just(""), like(ascii_lowercase + "_", "", 5))
    specs = st.builds(
        lambda name, cutoff, given: str(Spec(name, cutoff, given)),
        names,
        st.one_of(st.none(), st.text(letters_and(".+-"), min_size=1, max_size=4)),
        st.dictionaries(keys, values, max_size=3),
    )
    return st.lists(specs, min_size=1, max_size=3).map("|".join)


values = st.recursive(plain, lambda some: st.one_of(st.lists(some, max_size=3).map(tuple), of(some)), max_leaves=12)


@pytest.mark.slow
@given(values, values, st.one_of(st.none(), st.integers(1, 10**6)))
@example("words|lower|stop(smart)|porter", (("a b", "c"), "bm25(k1=0.9, b=0.4)"), None)
@example("f(f(f(f(x), g=[1, h(2)])))", ("a|b(c)", "[x]", "x]"), 3)
@example(5e8, None, None)
def test_what_is_written_is_read_back(first: Any, second: Any, k: int | None) -> None:
    component = Anything(first, second, k)
    assert parsed(str(component)) == component
    assert str(parsed(str(component))) == str(component)


@pytest.mark.slow
@given(of(values))
def test_specs_as_texts_are_in_one_form(text: str) -> None:
    inside = parsed(f"anything({text})").first
    alone = parse_pipeline(text, "thing", lambda specs: "|".join(map(str, specs)))
    assert str(inside) == alone or not re.search(r"[(|]", text)
    assert parse_pipeline(alone, "thing", lambda specs: "|".join(map(str, specs))) == alone


@pytest.mark.slow
@settings(max_examples=400)
@given(st.data())
def test_every_component_with_any_value_it_takes_is_read_back(data: st.DataObject) -> None:
    registry = data.draw(st.sampled_from(registries()), "registry")
    cls = registry.get(data.draw(st.sampled_from(registry.names), "name"))
    known = parameters(cls)
    usual = {"of": ("gmu961", "bm25"), "k": 10}
    arguments = {field.name: usual.get(field.name, 1) for field in known if field.default is MISSING}
    specs = [
        "words|lower",
        "standard(dashes=true)|lower|stop(lucene)",
        "bm25(k1=0.9, b=0.4)",
        "open(prepositions=[of, in])",
    ]
    usable = st.one_of(plain, st.sampled_from(specs), st.lists(st.one_of(words, numbers), max_size=4).map(tuple))
    for field in known:
        if field.default is not MISSING and data.draw(st.booleans(), f"whether {field.name}"):
            likely = st.integers(1, 9) if isinstance(field.default, int) else st.floats(0, 1)
            arguments[field.name] = data.draw(st.one_of(st.just(field.default), likely, usable), field.name)
    try:
        component = cls(**arguments)
    except AdjudgeError:
        return
    assert registry.parse(str(component)) == component


@pytest.mark.parametrize(
    ("registry", "spec"),
    [
        (systems, "bm25(analyzer=words|lower|porter)"),
        (systems, "bm25(k1=1.2, analyzer=words|lower|stop(smart)|ngrams(4, pad=_, cross=true))"),
        (systems, "lucene(analyzer=standard|lower|stop(smart)|porter)"),
        (systems, "technical_terms(boost=3, weighting=bm25(k1=1.2, b=0.75, form=robertson), analyzer=standard|lower)"),
        (systems, "technical_terms(filter=open(prepositions=[of, in]))"),
        (systems, "fusion(of=[gmu961, bm25(k1=1.2, b=0.75, analyzer=words|lower)], method=combmnz)"),
        (systems, "fusion(of=[fusion(of=[gmu961, lucene]), fusion(of=[bm25, eth(n=4)])], depth=50)"),
    ],
)
def test_nested_specs_of_systems(registry: Registry[Component], spec: str) -> None:
    assert str(registry.parse(spec)) == spec
    assert registry.parse(spec.replace(", ", " ,").replace("|", " | ")) == registry.parse(spec)


def test_the_parts_are_handed_on_as_they_are_written_alone() -> None:
    system: Any = systems.parse("technical_terms(weighting=bm25( k1 = 1.20,b=0.75 ), analyzer=standard |lower)")
    assert weightings.parse(system.weighting) == weightings.parse("bm25(k1=1.2, b=0.75)")
    assert system.analyzer == str(Analyzer.parse("standard|lower")) == "standard|lower"
    assert type(system.analyzer) is str
    fusion: Any = systems.parse("fusion(of=[gmu962, bm25(k1=1.2)])")
    assert fusion.members == {"gmu962": find_system("gmu962"), "bm25(k1=1.2)": systems.parse("bm25(k1=1.2)")}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("bm25(analyzer=words/lower)", "bm25(analyzer=words|lower)"),
        (
            "lucene(analyzer=standard(dashes=true)/lower/stop(smart))",
            "lucene(analyzer=standard(dashes=true)|lower|stop(smart))",
        ),
        ("technical_terms(weighting=bm25(k1=0.9;b=0.4))", "technical_terms(weighting=bm25(k1=0.9, b=0.4))"),
        ("fusion(of=[gmu961 bm25])", "fusion(of=[gmu961, bm25])"),
        ("fusion(of=[gmu961 bm25(k1=0.8)], depth=9)", "fusion(of=[gmu961, bm25(k1=0.8)], depth=9)"),
        (
            "technical_terms(terms=a/b.csv, weighting=bm25(k1=1; b=1), analyzer=standard/lower)",
            "technical_terms(terms=a/b.csv, weighting=bm25(k1=1, b=1), analyzer=standard|lower)",
        ),
    ],
)
def test_an_old_form_gets_an_error_that_shows_the_new_one(old: str, new: str) -> None:
    with pytest.raises(SpecError) as error:
        systems.parse(old)
    assert str(error.value) == f"system {old!r} is in a form that is no longer read: write {new}"
    systems.parse(new)


def test_old_lists_get_an_error_that_shows_the_new_form() -> None:
    for old, new in (
        ("utility([1 -2 0.50 0])", "utility([1, -2, 0.50, 0])"),
        ("ndcg@10(gains=[1:3 2:9])", "ndcg@10(gains=[1:3, 2:9])"),
    ):
        with pytest.raises(SpecError, match=re.escape(f"is in a form that is no longer read: write {new}")):
            measures.parse(old)
    with pytest.raises(SpecError, match=re.escape('write words|ocr([o/0, "l/1/i/|"])')):
        Analyzer.parse("words|ocr([o/0 l/1/i/|])")
    with pytest.raises(SpecError, match="at character 18: a comma expected between the values of a list"):
        systems.parse("fusion(of=[gmu961 bm52])")


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("", 1, "a name expected, and here it ends"),
        ("(x)", 1, "a name expected, not '('"),
        ("a@(x)", 3, "a cutoff expected, not '('"),
        ("a b", 3, "the end expected, not 'b'"),
        ("a(b=1", 6, ", or ) expected, and here it ends"),
        ("a(b=1]", 6, ", or ) expected, not ']'"),
        ("a(b=)", 5, "a value expected, not ')'"),
        ("a(,)", 3, "a value expected, not ','"),
        ("a(b=1,)", 7, "a value expected, not ')'"),
        ("a(b=1, b=2)", 8, "b is given twice"),
        ("a(1, 2)", 6, "the parameter without a name is given twice"),
        ("a(b=[1, 2)", 10, ", or ] expected, not ')'"),
        ("a(b=[1, 2,])", 11, "a value expected, not ']'"),
        ("a(b=c(d=[e, f g]))", 14, "a comma expected between the values of a list"),
        ("a(b=c=d)", 6, "= inside a text: put the text in quotes"),
        ('a(b=c"d")', 6, '" inside a text: put the text in quotes'),
        ('a(b="c)', 5, "these quotes are never closed"),
        ("a(b=c|)", 7, "a name expected, not ')'"),
        ("a(b=|c)", 5, "a value expected, not '|'"),
        ("a(b=/x(1)/y)", 5, "a name expected, not '/'"),
        ("a(b=c(d)e)", 9, ", or ) expected, not 'e'"),
        ("a|b", 2, "the end expected, not '|'"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, where: int, what: str) -> None:
    with pytest.raises(SpecError) as error:
        parse_spec(text, "thing", str)
    assert str(error.value) == f"thing {text!r}, at character {where}: {what}"


@pytest.mark.parametrize("opened", ["a(", "[", "a(b=[", "a|b(", 'x(y="', "(", "fusion(of=["])
def test_nesting_ends_somewhere(opened: str) -> None:
    for text in (f"a({opened * 5000}", f"a({opened * 5000}{')' * 5000}", f"a({opened * 20}"):
        with pytest.raises(SpecError):
            parse_spec(text, "thing", str)
    with pytest.raises(SpecError, match=f"nested more than {DEEPEST} deep"):
        parse_spec("a(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1), "thing", str)
    deepest = "a(" * DEEPEST + "1" + ")" * DEEPEST
    assert parse_spec(deepest, "thing", str) == deepest


def test_deep_specs_take_no_longer_than_long_ones() -> None:
    text = "bm25(analyzer=words/lower)"
    for depth in range(DEEPEST // 2 - 1):
        text = f"fusion(of=[gmu961, {text}], depth={depth + 1})"
    start = time.perf_counter()
    for wrong in (text, text.replace("/", "|").replace("lower", "lowr"), text.replace(", bm25", " bm25")):
        with pytest.raises(SpecError):
            systems.parse(wrong)
    right: Any = systems.parse(text.replace("/", "|"))
    assert systems.parse(str(right)) == right
    assert time.perf_counter() - start < 5


PARSERS = (measures.parse, filters.parse, tokenizers.parse, weightings.parse, systems.parse, Analyzer.parse, parsed)
PLACES = ("{}", "utility({})", "ndcg@10(gains={})", "bm25(analyzer={})", "stop({})")


@pytest.mark.slow
@settings(max_examples=300)
@given(
    st.one_of(st.text(max_size=60), st.text('abz1 ,()[]|="\\@.;/-', max_size=60), of(values)),
    st.sampled_from(PARSERS),
    st.sampled_from(PLACES),
)
@example("0@A", parsed, "{}")
@example("9" * 400 + "e5", parsed, "stop({})")
@example("p=" + "9" * 5000, measures.parse, "rbp({})")
@example("9" * 5000, measures.parse, "p@{}")
def test_any_text_is_parsed_or_refused(text: str, parse: Callable[[str], object], place: str) -> None:
    try:
        component = parse(place.format(text))
    except AdjudgeError:
        return
    assert parse(str(component)) == component or "nan" in str(component).lower()


def test_items_between_commas() -> None:
    assert items_of(" ap, rbp(p=0.8, top=2),,utility([1, 2]) ,") == ["ap", "rbp(p=0.8, top=2)", "utility([1, 2])"]
    assert items_of('stop("a, b)"),ap') == ['stop("a, b)")', "ap"]
    assert items_of("") == []


@pytest.mark.slow
@given(st.lists(of(values), max_size=4))
def test_items_are_what_was_joined(specs: list[str]) -> None:
    assert items_of(",".join(specs)) == specs


def test_values_that_need_no_quotes_have_none() -> None:
    for value in ("words", "/my files/c.txt", "l/1/i", "1:3", "words|lower|stop(smart)", "eng+deu", "-x", "_"):
        assert spec_text(value) == value
    assert spec_text(("a b", "c", 1.0, True, None)) == '["a b", c, 1, true, None]'
    assert spec_text("12") == '"12"'
    assert spec_text("") == '""'
