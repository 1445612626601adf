"""What strangers wrote is shown and does nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("nh3", reason="nh3 is not installed: pip install 'adjudge[collect]'")

from adjudge.collection.qa.threads import Part
from adjudge.collection.workbench.web.mathematics import (
    ATTRIBUTES,
    ELEMENTS,
    formula,
    keep_allowed,
    split_tex,
    with_formulas,
)
from adjudge.collection.workbench.web.sanitising import (
    LONGEST,
    TAGS,
    comment,
    link,
    post,
    safe_address,
    sentence,
)
from adjudge.core.visible import visible_lines
from workbench_project import HOSTILE_HTML, MARKS, SCRIPT

OURS = {"href", "rel", "target", "title", "class"}


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in {"br", "hr"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag  # all is closed in order

    def handle_data(self, data: str) -> None:
        self.text += data


def harmless(markup: str) -> str:
    """Its text, after a look at every tag and attribute."""
    seen = _Seen()
    seen.feed(markup)
    seen.close()
    assert seen.open == []
    assert set(seen.tags) <= TAGS | ELEMENTS | {"a", "span", "mark"}
    for name, value in seen.attributes:
        assert name in OURS | ATTRIBUTES
        if name == "href":
            assert re.match(r"https?://[^\s\\]+$", value, re.IGNORECASE)
    assert markup.count("<a ") == markup.count('rel="noopener noreferrer nofollow" target="_blank"')
    return seen.text


PIECES = (
    *(
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<a href=javascript:alert(1)>",
    ),
    *(
        "<a href='https://ok.example/'>",
        "</a>",
        "<p style=x>",
        "</p>",
        "<math>",
        "</math>",
        "<style>",
        "</style>",
        "<!--",
    ),
    *(
        "-->",
        "<![CDATA[",
        "]]>",
        "<table>",
        "<td>",
        "</table>",
        "<b>",
        "</b>",
        "<pre>",
        "</pre>",
        "<code>",
        "</code>",
        "<",
    ),
    *(
        ">",
        '"',
        "'",
        "&lt;",
        "&amp;lt;",
        "$",
        "$$",
        "\\(",
        "\\)",
        "\\frac{a}{b}",
        "x^2",
        "\x00",
        "\u202e",
        "ü",
        "1001.0001",
    ),
    *(
        "<h1>",
        "</h1>",
        "<textarea>",
        "<title>",
        "<noscript>",
        "<template>",
        "<iframe srcdoc='<script>'>",
        "<mtext>",
        "\n",
    ),
    *(
        "<base href=//x>",
        "<form action=x>",
        "<input autofocus onfocus=alert(1)>",
        "<object data=x>",
        "<annotation-xml>",
    ),
)


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_no_post_does_harm(text: str) -> None:
    shown = harmless(post(text, ("1001.0001",)))
    assert "\u202e" not in shown
    harmless(comment(text))
    harmless(with_formulas(text))
    harmless(sentence((Part("text", text), Part("formula", text), Part("code", text), Part("link", text, text))))


def test_hostile_html_becomes_text() -> None:
    shown = harmless(post(HOSTILE_HTML + MARKS))
    assert "alert(" not in shown
    assert "over all" in shown
    assert "deep" in shown
    assert "fine" in shown
    assert "[image: chart]" in shown
    assert post(HOSTILE_HTML).count("<i>") < 50


def test_what_is_harmless_stays() -> None:
    text = "<p>If <em>so</em>, <code>a < b</code> and $x_1$</p><ul><li>one</li></ul><pre><code>$5\n</code></pre>"
    made = post(text)
    assert "<em>so</em>" in made
    assert "<code>a &lt; b</code>" in made
    assert "<msub>" in made
    assert "<li>one</li>" in made
    assert "<pre><code>$5\n</code></pre>" in made  # no formula inside code
    assert post("<h1>A</h1><h3>B</h3>") == "<h3>A</h3><h5>B</h5>"


def test_citations_are_marked() -> None:
    made = post("<p>see <a href='https://arxiv.org/abs/math/0406343v2'>this</a>, math/0406343.</p>", ("math/0406343",))
    assert "class=cited>this</a>" in made
    assert "<mark>math/0406343</mark>" in made
    assert "<mark>(.*)" in visible_lines(post("a (.*) b", ("(.*)",)))


def test_long_posts_are_cut_and_say_so() -> None:
    made = post("x" * (LONGEST + 5))
    assert f"The first {LONGEST:,} of {LONGEST + 5:,} characters are shown." in made


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["<b>" * 60_000, "$" * 200_000, "\\[" * 100_000, "<!--" * 50_000, "<![CDATA[" * 20_000, "<" * 200_000,
     "<a " * 60_000, "$a'$" * 40_000, "".join(f"${n}{'x_' * 700}$" for n in range(130)), "&" * 200_000],
)  # fmt: skip
def test_large_and_broken_posts_end(text: str) -> None:
    assert len(post(text, ("math/0406343",))) < 50 * LONGEST
    harmless(comment(text[:5000]))


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        ("https://a.example/b?c=d#e", True),
        ("HTTP://A.EXAMPLE", True),
        ("//a.example/x", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        ("java\nscript:alert(1)", False),
        ("data:text/html,x", False),
        ("vbscript:x", False),
        ("file:///etc/passwd", False),
        ("/relative", False),
        ("", False),
        ("https://", False),
        ("https://a.example\\@evil.example", False),
        ("https://[::1", False),
        ("https://a.example/\u202e", False),
        ("https://a.example/ b", False),
        ("https://a.example/" + "x" * 3000, False),
    ],
)
def test_addresses(address: str, safe: bool) -> None:
    assert (safe_address(address) is not None) == safe
    assert ("<a " in link(address, "x")) == safe
    harmless(link(address, SCRIPT))


def test_comments() -> None:
    made = comment(
        f"See `a<b` and [the $x$](https://ok.example/) or https://b.example/c?d=1&e=2, {SCRIPT} [x](javascript:1)"
    )
    assert "<code>a&lt;b</code>" in made
    assert made.count("<a ") == 2
    assert "<mi>x</mi>" in made
    assert "&lt;script&gt;" in made
    assert "[x](javascript:1)" in made


def test_formulas() -> None:
    assert "<mfrac>" in formula(r"\frac{a}{b}")
    assert 'title="\\frac{a}{b}"' in formula(r"\frac{a}{b}")
    assert 'display="block"' in formula("x", True)
    for bad in ("\\frac", "{" * 3000, "x" * 5000, "\\text{<script>alert(1)</script>}", "\x00"):
        made = formula(bad)
        harmless(made)
        assert made.startswith('<code class="tex">')
    harmless(formula(r"\href{javascript:alert(1)}{x} \style{position:fixed}{y} \color{red}{z} \class{a}{b}"))


@given(st.text(alphabet=r"\{}[]^_&$abcfrtx<>'" + '"12 ', max_size=60))
def test_no_formula_does_harm(tex: str) -> None:
    harmless(formula(tex))


def test_only_known_mathml_passes() -> None:
    good = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi mathvariant="bold" onclick="x" style="y">a</mi></math>'
    assert keep_allowed(good) == '<math><mi mathvariant="bold">a</mi></math>'
    noted = "<math><semantics><mi>a</mi><annotation-xml><script>x</script></annotation-xml></semantics></math>"
    assert keep_allowed(noted) == "<math><semantics><mi>a</mi></semantics></math>"
    for bad in (
        "<math><script>x</script></math>",
        "<svg/>",
        "<math><mi/><!-- x --></math>",
        '<!DOCTYPE x [<!ENTITY a "b">]><math><mi>&a;</mi></math>',
        "<math><maction><mi/></maction></math>",
    ):
        with pytest.raises(ValueError, match=r"MathML|formula"):
            keep_allowed(bad)


@pytest.mark.parametrize("fine", ["0.5em", "-1em", "12pt", "100%", "left center", "double-struck", "2", ".5ex"])
def test_lengths_that_pass(fine: str) -> None:
    assert f'"{fine}"' in keep_allowed(f'<math><mspace width="{fine}"/></math>')


@pytest.mark.parametrize("far", ["1e9em", "1E9em", "+1e30px", "21em", "101px", "-5em", "1em 1e9em", "9 9e9", "1..2"])
def test_lengths_that_push_a_page_apart_do_not(far: str) -> None:
    assert keep_allowed(f'<math><mspace width="{far}"/></math>') == "<math><mspace></mspace></math>"


@pytest.mark.parametrize("mark", ["\u200e", "\u200b", "\ufeff"])
def test_a_mark_pasted_into_a_formula_does_not_spoil_it(mark: str) -> None:
    shown = formula(f"i^2=-1{mark}")
    assert "<math" in shown
    assert mark not in shown


def test_formulas_in_text() -> None:
    assert list(split_tex(r"a $x$ b $$y$$ \(z\) \[w\] $")) == [
        ("a ", False, False),
        ("x", True, False),
        (" b ", False, False),
        ("y", True, True),
        (" ", False, False),
        ("z", True, False),
        (" ", False, False),
        ("w", True, True),
        (" $", False, False),
    ]
    assert list(split_tex("")) == []
    assert list(split_tex("5$")) == [("5$", False, False)]
    for money in ("It costs $5 and $10 today", r"\$5 and \$10", "from $1,000 to $2,000 a year"):
        assert list(split_tex(money)) == [(money, False, False)]
    aligned = r"\begin{align}a&=b\end{align}"
    assert list(split_tex(f"so {aligned}")) == [("so ", False, False), (aligned, True, True)]


@given(st.text(alphabet="$\\[]()ab\n", max_size=40))
def test_splitting_loses_nothing(text: str) -> None:
    at = 0
    for piece, is_tex, display in split_tex(text):
        marks = ((("$$", "$$"), ("\\[", "\\]")) if display else (("$", "$"), ("\\(", "\\)"))) if is_tex else (("", ""),)
        whole = [f"{opening}{piece}{closing}" for opening, closing in marks]
        at += len(next(one for one in whole if text.startswith(one, at)))
    assert at == len(text)
