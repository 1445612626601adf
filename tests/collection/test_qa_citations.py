"""Citations: the rules for arXiv ids and DOIs, patterns of the user, ids of a corpus."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.collection.qa.citations import ARCHIVES, arxiv_id, arxiv_in_text, citations_of, trim
from adjudge.collection.qa.cited_corpus import Corpus, fold_id, read_corpus
from adjudge.collection.qa.patterns import Pattern, read_patterns
from adjudge.core.errors import AdjudgeError, DataError, SpecError


def documents(html: str) -> list[str]:
    return [citation.document for citation in citations_of(html)[0]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("arXiv: math/0406343 and math.AG/0406343v3", ["math/0406343"]),
        ("price 1234.5678", []),
        ("doi:10.1145/3121050.3121106.", ["10.1145/3121050.3121106"]),
        ("version 0704.0001 of it", []),
        ("arXiv:0704.0001v2, 0705.0002 and 1501.00001v3.", ["0704.0001", "0705.0002", "1501.00001"]),
        ("arXiv:0704.0001, costs 0705.0002x9", ["0704.0001"]),
        ("arXiv preprint arXiv:1501.00001v12 [math.AG]", ["1501.00001"]),
        ("http://arxiv.org/abs/hep-th/9901001v2", ["hep-th/9901001"]),
        ("https://arxiv.org/pdf/0704.0001v1.pdf", ["0704.0001"]),
        ("front.math.ucdavis.edu/0704.0001", ["0704.0001"]),
        (
            "http://www.arxiv.org/abs/0704.0001v2 and export.arxiv.org/pdf/hep-th/9901001",
            ["0704.0001", "hep-th/9901001"],
        ),
        ("http://de.arxiv.org/abs/0704.0001 not notarxiv.org/abs/0704.0002", ["0704.0001"]),
        ("(math.AG/9901001)", ["math/9901001"]),
        ("MATH.ag/9901001", ["math/9901001"]),
        ("https://example.org/math/9901001", []),
        ("aftermath/9901001", []),
        ("math/99010011", []),
        ("arXiv:07040.0001", []),
        ("https://doi.org/10.48550/arXiv.2101.00001", ["2101.00001"]),
        ("(see 10.1016/0022-4049(87)90010-4)", ["10.1016/0022-4049(87)90010-4"]),
        ("DOI 10.1000/ABC and 10.1000/abc", ["10.1000/abc"]),
        ("https://pub.example/doi/full/10.1000/a.b?x=1#y, or 10.1000/c\u2014there", ["10.1000/a.b", "10.1000/c"]),
        ("(https://pub.example/10.1000/abc/fulltext.html)?", ["10.1000/abc"]),
        ("section 10.1000 and 110.1000/x", []),
        ("arXiv:<b>0704</b>.0001", ["0704.0001"]),
        ("<pre><code>eprint = {arXiv:0704.0001}</code></pre>", ["0704.0001"]),
        ("<!-- arXiv:0704.0001 --><script>'arXiv:0704.0002'</script>", []),
    ],
)
def test_citations_in_texts(text: str, found: list[str]) -> None:
    assert documents(f"<p>{text}</p>") == found


@pytest.mark.parametrize(
    ("href", "found"),
    [
        ("https://arxiv.org/abs/math.DG/0211159", ["math/0211159"]),
        ("//www.arxiv.org/pdf/0704.0001v1", ["0704.0001"]),
        ("https://arxiv.org/abs/quant-ph%2F0701108", ["quant-ph/0701108"]),
        ("https://ar5iv.org/html/1501.00001", ["1501.00001"]),
        ("https://scirate.com/arxiv/1501.00001", ["1501.00001"]),
        ("https://evil.org/arxiv.org/abs/0704.0001", []),
        ("https://arxiv.org.evil.org/abs/0704.0001", []),
        ("https://arxiv.org/list/math/0406", []),
        ("https://dx.doi.org/10.1103%2FPhysRevA.94.012320", ["10.1103/physreva.94.012320"]),
        ("https://link.springer.com/article/10.1007/s00220-006-0040-2/fulltext.html", ["10.1007/s00220-006-0040-2"]),
        ("https://doi.org/10.1000/x?via=y#z", ["10.1000/x"]),
        ("javascript:alert('arxiv.org/abs/0704.0001')", []),
        ("http://[::1", []),
        ("", []),
    ],
)
def test_citations_in_links(href: str, found: list[str]) -> None:
    assert documents(f'<p>see <a href="{href}">this</a></p>') == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("arXiv:1234.5678", "no month"),
        ("arXiv:0604.0001", "April 2007"),
        ("arXiv:2101.0001", "five digits"),
        ("arXiv:0901.00001", "five digits"),
        ("arXiv:0901.0000", "number 0"),
        ("math/0499001", "no month"),
        ("math/0801001", "March 2007"),
    ],
)
def test_what_looks_like_an_id_is_told(text: str, why: str) -> None:
    cited, wrong = citations_of(f"<p>{text}</p>")
    assert not cited
    assert why in wrong[0].why


@given(st.integers(1991, 2040), st.integers(1, 12), st.integers(1, 9999), st.sampled_from(ARCHIVES), st.integers(0, 20))
def test_every_id_that_arxiv_has_given_is_found(year: int, month: int, number: int, archive: str, version: int) -> None:
    stamp = f"{year % 100:02d}{month:02d}"
    ending = f"v{version}" if version else ""
    if (year, month) < (2007, 4):
        id_ = f"{archive}/{stamp}{number % 999 + 1:03d}"
    else:
        id_ = f"{stamp}.{number:0{5 if year >= 2015 else 4}d}"
    assert documents(f"<p>see arXiv:{id_}{ending}, please</p>") == [id_]
    assert documents(f'<a href="http://arxiv.org/abs/{id_}{ending}">x</a>') == [id_]
    assert fold_id(f"{id_.replace('/', '_')}{ending}.xhtml") == (id_, version)


@given(st.text(max_size=200))
def test_any_text_is_borne(text: str) -> None:
    citations_of(text)
    citations_of(f'<a href="{text}">arxiv {text}</a>')


@pytest.mark.parametrize("word", ["eprint ", "math.no ", "math.ps ", "math.psps", "no id ", "abs/pdf/"])
def test_words_beside_take_no_time(word: str) -> None:
    assert list(arxiv_in_text(f"arxiv {word * 3000}")) == []


def test_blanks_and_brackets_take_no_time() -> None:
    assert trim("10.1000/a(b)" + ".)" * 200_000) == "10.1000/a(b)"
    text = f"arXiv:0704.0001, arXiv{' ' * 100_000}x"
    assert [one.document for one in arxiv_in_text(text)] == ["0704.0001"]


def test_where_and_how_a_citation_stands() -> None:
    link = '<a href="https://arxiv.org/abs/0704.0002">they</a>'
    html = f"<blockquote>arXiv:0704.0001</blockquote><p>As {link} show, arXiv:0704.0001.</p>"
    cited, _ = citations_of(html, post="5")
    assert [(c.document, c.where, c.quoted, c.post) for c in cited] == [
        ("0704.0001", "text", False, "5"),
        ("0704.0002", "href", False, "5"),
    ]
    assert cited[1].context == "As they show, arXiv:0704.0001."
    assert citations_of("<blockquote>arXiv:0704.0001</blockquote>")[0][0].quoted


def test_trimming_keeps_brackets_of_its_own() -> None:
    assert trim("10.1000/a(b)c).,") == "10.1000/a(b)c"
    assert trim("10.1000/a(b)") == "10.1000/a(b)"
    assert arxiv_id("0704.0001", None, None) == ("0704.0001", "")


def test_the_last_version_of_a_document_counts(tmp_path: Path) -> None:
    corpus = Corpus(["0704.0001v1", "0704.0001v10", "0704.0001v9", "Page_7", "doi:10.1/X"])
    assert corpus.find("0704.0001") == "0704.0001v10"
    assert corpus.find("Page_7") == "Page_7"
    assert corpus.find("page_7") is None
    assert corpus.versions == 2
    (tmp_path / "ids").write_text("\n a \n\nb\n")
    assert read_corpus(tmp_path / "ids").find("a") == "a"
    (tmp_path / "ids").write_text(" \n")
    with pytest.raises(DataError, match="no id"):
        read_corpus(tmp_path / "ids")


def test_a_file_of_patterns(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text("""[[pattern]]\nname = "rfc"\nregex = 'RFC\\s?(\\d+)'\ndocument = "rfc{1}"\nin = "text"\n""")
    (pattern,) = read_patterns(path)
    assert pattern == Pattern("rfc", r"RFC\s?(\d+)", "rfc{1}", ("text",))
    cited, _ = citations_of('<p>RFC 793 <a href="RFC1">RFC2</a></p>', (), (pattern,))
    assert [one.document for one in cited] == ["rfc793", "rfc2"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1", "expected"),
        ("not toml", "not TOML"),
        ('[[pattern]]\nregex = "a"', "name must be"),
        ('[[pattern]]\nname = "a"', "regex must be"),
        ('[[pattern]]\nname = "a"\nregex = "("', "not a regular expression"),
        ('[[pattern]]\nname = "a"\nregex = "a"\ndocument = "{b}"', "no such group"),
        ('[[pattern]]\nname = "a"\nregex = "a"\nin = "title"', "in must be"),
        ('[[pattern]]\nname = "a"\nregex = "a"\ncolour = "red"', "no field 'colour'"),
        ('[[pattern]]\nname = "arxiv"\nregex = "a"', "is taken"),
        ('[[pattern]]\nname = "a"\nregex = "a"\n[[pattern]]\nname = "a"\nregex = "b"', "is taken"),
    ],
)
def test_bad_patterns_are_told(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(AdjudgeError, match=says):
        read_patterns(tmp_path / "p.toml")


def test_a_pattern_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudge.collection.qa.patterns.PATIENCE", 0.05)
    slow = Pattern("slow", r"(a|aa|a.|.a)+(b|c.)+$(?<=z)")
    with pytest.raises(SpecError, match="slow takes more"):
        list(slow.find("a" * 5000 + "b" * 5000))


def test_quotes_of_windows_are_no_part_of_an_id() -> None:
    assert documents("<p>See \x93doi:10.1000/182\x94 there</p>") == ["10.1000/182"]
    pattern = Pattern("page", r"page:(\S+)", "{1}")
    cited, wrong = citations_of("<p>page:a\x94b and page:c</p>", (), (pattern,))
    assert [citation.document for citation in cited] == ["c"]
    assert [reference.why for reference in wrong] == ["an id with control characters in it"]


@pytest.mark.parametrize(
    "id_",
    ["http://arxiv.org/abs/0710.5549", "https://www.arxiv.org/pdf/0710.5549v2", "https://arxiv.org/abs/0710.5549.pdf"],
)
def test_addresses_of_arxiv_are_ids(id_: str) -> None:
    assert fold_id(id_)[0] == "0710.5549"
    assert Corpus([id_]).find("0710.5549") == id_


def test_a_pattern_that_would_fill_the_memory_is_one_line() -> None:
    class Greedy:
        def finditer(self, *_: object, **__: object) -> None:
            raise MemoryError

    pattern = Pattern("x", "(?R)?a")
    pattern.__dict__["compiled"] = Greedy()
    with pytest.raises(SpecError, match="post 7: pattern x takes more memory than there is"):
        citations_of("<p>b</p>", (), (pattern,), post="7")


def test_a_pattern_that_takes_too_long_says_on_which_post(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudge.collection.qa.patterns.PATIENCE", 0.05)
    with pytest.raises(SpecError, match=r"post 7: pattern slow takes more than 0.05 s on one text"):
        citations_of(f"<p>{'a' * 40}b</p>", (), (Pattern("slow", r"(a|aa|a?)+$"),), post="7")
