"""Formulas: what is refused, what converters make of the rest, and that MathML is harmless."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.collection.qa import converters, formulas
from adjudge.collection.qa import tex_safety as tex_module
from adjudge.collection.qa.formulas import Formula, convert, converter_of, read_formulas, write_formulas
from adjudge.collection.qa.mathml import NAMESPACE, Unsafe, clean_mathml
from adjudge.collection.qa.tex_safety import prepare, refusal
from adjudge.core.errors import DataError, MissingExtraError, SpecError

HOSTILE = [
    (r"\input{/etc/passwd}", "not allowed"),
    (r"\input /etc/passwd", "not allowed"),
    (r"\include{x}", "not allowed"),
    (r"\write18{ls}", "not allowed"),
    (r"\immediate\write18{ls}", "not allowed"),
    (r"\openin5=/etc/passwd", "not allowed"),
    (r"\def\x{\x\x}\x", "not allowed"),
    (r"\newcommand{\x}{y}", "not allowed"),
    (r"\let\a=\b", "not allowed"),
    (r"\csname input\endcsname{x}", "not allowed"),
    (r"\InputIfFileExists{/etc/passwd}{}{}", "not allowed"),
    (r"\verbatiminput{x}", "not allowed"),
    (r"\@input{x}", "not allowed"),
    (r"\endinput", "not allowed"),
    (r"\bgroup", "not allowed"),
    (r"\mathchardef\x=1", "not allowed"),
    (r"x \) y \( z", "not allowed"),
    (r"\catcode`\@=11", "not allowed"),
    (r"\loop x\repeat", "not allowed"),
    (r"\ifx a b\fi", "not allowed"),
    (r"\href{javascript:alert(1)}{x}", "not allowed"),
    (r"\includegraphics{x.png}", "not allowed"),
    (r"\end{document}", "no environment"),
    (r"\begin{filecontents}{x}\end{filecontents}", "no environment"),
    ("^^5cinput{/etc/passwd}", "^^"),
    (r"\begin{file contents}x\end{file contents}", "no environment"),
    (r"\\begin{array}\\end{array}\begin{x1}\end{x1}", "no environment"),
    (r"\begin{array}{*{99999999}{c}}a\end{array}", "too large"),
    (r"\hspace{99999999pt}", "too large"),
    ("x" * 5001, "longer"),
    ("{", "do not match"),
    ("}", "do not match"),
    (r"\left( x", "do not match"),
    (r"\begin{matrix} a", "do not match"),
    (r"\begin{matrix} a \end{cases}", "do not match"),
    ("{" * 70 + "}" * 70, "nested"),
    ("a$b$c", "not allowed"),
    ("#1", "not allowed"),
    ("\x00", "control"),
    ("\ud800", "control"),
    ("", "empty"),
    ("% nothing", "empty"),
]
GOOD = [
    r"x^2",
    r"\iff \rightarrow \leftarrow \boxed{x} \longrightarrow \copyright \oint",
    r"\left( x \right]",
    r"\text{for $x$}",
    r"a \% b",
    r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}",
    r"\{ x \}",
    r"a \\[2pt] b \parallel c \stopper \charge \itemx",
]


@pytest.mark.parametrize(("tex", "why"), HOSTILE)
def test_hostile_tex_is_refused(tex: str, why: str) -> None:
    assert why in refusal(tex)


@pytest.mark.parametrize("tex", GOOD)
def test_good_tex_is_not_refused(tex: str) -> None:
    assert refusal(tex) == ""


def test_refused_formulas_reach_no_converter(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(batch: Sequence[tuple[int, str]], seconds: float) -> dict[int, str]:
        raise AssertionError(batch)

    monkeypatch.setattr(formulas, "by_latex2mathml", never)
    made = convert([(tex, False) for tex, _ in HOSTILE], "latex2mathml")
    assert all(formula.problem and not formula.mathml for formula in made.values())


def test_a_formula_becomes_one_formula() -> None:
    assert prepare("a % comment\n b") == "a b"
    assert prepare(r"50\% off") == r"50\% off"
    assert prepare(r"\begin{equation*} x \label{e}\tag{1} \end{equation*}") == "x"
    assert prepare(r"\begin{align}a&=b\\c&=d\nonumber\end{align}") == r"\begin{aligned}a&=b\\c&=d \end{aligned}"


@pytest.mark.parametrize(
    "tex",
    [
        r"\inp\label{x}ut{FILE}",
        r"\inp\nonumber ut{FILE}",
        r"\inp\begin{equation}ut{FILE}\end{equation}",
        "\\inp%\nut{FILE}",
        r"^\label{x}^5cinput{FILE}",
        r"\inp\lab\label{x}el{y}ut{FILE}",
    ],
)
def test_taking_things_out_makes_no_command(tex: str) -> None:
    given = prepare(tex)
    assert r"\input" not in given
    assert "^^" not in given


def test_what_is_given_is_looked_at_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tex_module, "prepare", lambda tex: tex.replace("-", ""))
    assert "not allowed" in refusal(r"\in-put{x}")


@pytest.mark.slow
def test_no_formula_reads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.tex"
    path.write_text("TOPSECRET")
    keys = [(rf"\inp\label{{x}}ut{{{path}}}", False), (rf"\inp\begin{{equation}}ut{{{path}}}\end{{equation}}", False)]
    assert not any(formula.mathml for formula in convert(keys, needs("latexml")).values())


@given(st.text(max_size=60), st.booleans())
def test_any_text_is_borne(tex: str, display: bool) -> None:
    refusal(tex)
    prepare(tex)
    made = clean_mathml("<math><mi>x</mi></math>", tex.replace("\x00", ""), display) if _is_xml(tex) else ""
    if made:
        root = ElementTree.fromstring(made)  # noqa: S314
        assert root.tag == f"{{{NAMESPACE}}}math"
        assert root[0][-1].text == tex or "\r" in tex or not tex


def _is_xml(text: str) -> bool:
    return all(c in "\t\n" or (c >= " " and c not in "\ufffe\uffff" and not "\ud800" <= c <= "\udfff") for c in text)


@pytest.mark.parametrize(
    "mathml",
    [
        "<math><script>alert(1)</script></math>",
        "<math><mi><script>alert(1)</script></mi></math>",
        '<math><annotation-xml encoding="MathML-Content"><script>x</script></annotation-xml><mi>x</mi></math>',
        "<math><img src='x'/></math>",
        "<!DOCTYPE x [<!ENTITY a 'b'>]><math><mi>&a;</mi></math>",
        "<svg/>",
        "<math></math>",
        "<math><mi>",
        "<math><merror><mtext>\\foo</mtext></merror></math>",
        "<math>" + "<mrow>" * 300 + "</mrow>" * 300 + "</math>",
    ],
)
def test_unsafe_mathml_is_refused(mathml: str) -> None:
    with pytest.raises(Unsafe):
        clean_mathml(mathml, "x", False)


def test_attributes_that_do_something_are_dropped() -> None:
    inner = '<mi href="javascript:1" onload="x" style="x" mathvariant="bold">y</mi>'
    made = clean_mathml(f'<math onclick="x" href="javascript:1">{inner}</math>', "a<b", True)
    assert made == (
        f'<math xmlns="{NAMESPACE}" display="block"><semantics><mi mathvariant="bold">y</mi>'
        '<annotation encoding="application/x-tex">a&lt;b</annotation></semantics></math>'
    )


def needs(engine: str) -> str:
    try:
        return converter_of(engine)
    except MissingExtraError as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["latex2mathml", "latexml"])
def test_formulas_are_converted_and_bad_ones_spoil_no_other(engine: str) -> None:
    keys = [
        (tex, False) for tex in (r"x^2", r"\undefinedmacro{x}", r"\sqrt[3]{x}", r"\input{/etc/passwd}", r"\text{if}")
    ]
    keys += [(r"\begin{align}a&=b\\c&=d\end{align}", True), ("</math><script>", False)]
    made = convert(keys, needs(engine))
    assert "<msup>" in made[keys[0]].mathml
    assert made[keys[1]].problem
    assert "<mroot>" in made[keys[2]].mathml
    assert "not allowed" in made[keys[3]].problem
    assert "if" in made[keys[4]].mathml
    assert "<mtable" in made[keys[5]].mathml
    assert 'display="block"' in made[keys[5]].mathml
    assert "<script" not in made[keys[6]].mathml
    for key, formula in made.items():
        assert bool(formula.mathml) != bool(formula.problem)
        if formula.mathml:
            root = ElementTree.fromstring(formula.mathml)  # noqa: S314
            assert root[0][-1].text == key[0]


def test_a_batch_that_stops_the_converter_is_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def weak(batch: Sequence[tuple[int, str]], seconds: float) -> dict[int, str]:
        calls.append(len(batch))
        return {} if any("b" in tex for _, tex in batch) else {n: f"<math><mi>{tex}</mi></math>" for n, tex in batch}

    monkeypatch.setattr(formulas, "by_latex2mathml", weak)
    made = convert([(c, False) for c in "aceb" + "dfgh" + "ijklmnop"], "latex2mathml")
    assert made["b", False].problem == "the converter stopped at it"
    assert sum(bool(formula.mathml) for formula in made.values()) == 15
    assert len(calls) < 12


def test_a_converter_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        converters, "WORKER", "import time\nprint('[0, \"<math><mi>x</mi></math>\"]', flush=True)\ntime.sleep(600)"
    )
    assert converters.by_latex2mathml([(0, "x"), (1, "y")], 1.0) == {0: "<math><mi>x</mi></math>"}


def test_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SpecError, match="no converter 'word'"):
        converter_of("word")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert converter_of("auto") == "latex2mathml"
    with pytest.raises(MissingExtraError, match="LaTeXML is not installed"):
        converter_of("latexml")


def test_formulas_come_back_from_their_file(tmp_path: Path) -> None:
    path = tmp_path / "formulas.jsonl"
    assert read_formulas(path) == {}
    good = Formula("x", False, clean_mathml("<math><mi>x</mi></math>", "x", False), "", "latexml")
    bad = Formula("\\y", True, problem="not known", by="latexml")
    write_formulas([good, bad], path)
    assert list(read_formulas(path).values()) == [good, bad]
    path.write_text(json.dumps({"tex": "x", "display": False, "mathml": "<math><script/></math>"}))
    with pytest.raises(DataError, match=r"formulas\.jsonl:1: not a formula"):
        read_formulas(path)
    odd = [Formula("a\u2028b", False, problem="x"), Formula("a\x85\x0cb", True, problem="x")]
    write_formulas(odd, path)
    assert list(read_formulas(path).values()) == odd
    path.write_bytes(b"\xff")
    with pytest.raises(DataError, match="not a formula"):
        read_formulas(path)
    path.write_text('{"tex": [1], "display": false}')
    with pytest.raises(DataError, match="not a formula"):
        read_formulas(path)
    path.write_text("[1]")
    with pytest.raises(DataError, match="not a formula"):
        read_formulas(path)


@pytest.mark.parametrize(
    "tex",
    [r"\part f", r"\chapter{x}", r"\subsection{x}", r"\subsubsection{x}", r"\paragraph{x}", r"\subparagraph{x}",
     r"\verb1abc", r"\read5", r"\let_x", r"\def_x", r"\char1", r"\string1"],
)  # fmt: skip
def test_what_spoils_neighbours_is_refused_whatever_follows(tex: str) -> None:
    assert refusal(tex).endswith("is not allowed")


@pytest.mark.parametrize("tex", [r"\partial f", r"\parallel", r"\order(x)", r"\text{or}", r"\charge", r"\letter"])
def test_names_that_begin_like_those_are_fine(tex: str) -> None:
    assert refusal(tex) == ""


def test_a_page_turned_round_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text and mathematics change places after a command that ends a paragraph: nothing may be taken from there."""

    def turned(command: list[str], folder: str, seconds: float, given: bytes = b"") -> bytes:
        written = Path(folder, "formulas.tex").read_text()
        begins = re.findall(r"(Q[0-9a-f]{16}Q)(\d+)Q", written)
        page = "".join(f"{mark}{number}Q</math> words <math>{mark}" for mark, number in begins)
        Path(folder, "formulas.xhtml").write_text(page)
        return b""

    monkeypatch.setattr(converters, "_run", turned)
    assert converters.by_latexml([(1, "x"), (2, "y")], 1.0) == {}
    assert list(converters.by_latexml([(1, "x")], 1.0)) == [1]
    assert not converters.by_latexml([(1, "x")], 1.0)[1].startswith("<")


def test_an_empty_answer_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "_answers", lambda name, batch: {number: "" for number, _ in batch})
    (formula,) = formulas.convert([("x", False)], "latex2mathml").values()
    assert (formula.mathml, formula.problem) == ("", "no formula came of it")
