"""A small project for the tests of the workbench: harmless threads, and one in which everything is hostile."""

from __future__ import annotations

from pathlib import Path

from adjudge.collection.qa.project import Project, open_project, write_candidates
from adjudge.collection.qa.threads import Candidate, Citation, Comment, Part, Post, Sentence, Thread

SCRIPT = "<script>alert('xss')</script>"
HOSTILE_HTML = (
    f"<p onclick=\"alert(1)\">{SCRIPT}<img src=x onerror=alert(2)><img src='https://evil.example/pixel.png' alt=chart>"
    "<svg onload=alert(3)><a xlink:href='javascript:alert(4)'>x</a></svg>"
    "<a href='javascript:alert(5)'>click</a><a href='data:text/html,<script>alert(6)</script>'>data</a>"
    "<a href=' https://ok.example/a?b=1&c=2 '>fine</a><iframe src='https://evil.example/'></iframe>"
    "<style>body{display:none}</style><link rel=stylesheet href='https://evil.example/x.css'>"
    "<form action='https://evil.example/'><input name=csrf><button>Send</button></form>"
    "<math><mtext><table><mglyph><style><img src onerror=alert(7)></style></mglyph></table></mtext></math>"
    "<p style='position:fixed;inset:0'>over all</p><base href='https://evil.example/'>"
    "<b>" + "<i>" * 500 + "deep"
)
MARKS = "'; DROP TABLE events; -- \" %s ? :x {{ 7*7 }} {% raw %} \u202eevil\x07 \U0001f600 <b>&amp;"


def sentence(number: int, text: str, kind: str = "prelude", k: int = 0, paragraph: int = 1, tex: str = "") -> Sentence:
    before, found, after = text.partition("@")
    parts = [Part("text", before)]
    if found:
        parts += [Part("formula", tex), Part("text", after)]
    return Sentence(number, tuple(parts), kind, k, paragraph)


def quintic() -> Candidate:
    """Shaped as the example of Table 1 of the paper, in words of our own."""
    question = Post(
        "14655",
        "<p>Hello all. Curves of genus $g$ and degree $d$ on a quintic threefold can be counted up to genus 51.</p>"
        "<p>For each genus there is a bound $d(g)$ such that all counts with $d < d(g)$ vanish:</p>"
        "<p>$$N_{g,d} = 0 \\quad\\text{for all}\\quad d < d(g).$$</p>"
        "<p>Where is a table of the low ones printed? And where is that bound proved?</p>",
        "2010-02-08T14:11:05.120",
        12,
        "77",
    )
    answer = Post(
        "14700",
        "<p>The tables are in <a href='https://arxiv.org/abs/hep-th/0612125v2'>Huang, Klemm and Quackenbush</a>; "
        "the bound follows from Castelnuovo theory, see arXiv:math/0406343, section 3:</p>"
        "<blockquote><p>smooth curves of degree $d$ in $\\mathbb{P}^4$ have genus up to $\\pi(d, 4)$</p></blockquote>",
        "2010-02-08T19:40:00.000",
        21,
        "5",
    )
    comments = (
        Comment("1", "14655", "What do you mean by *low*?", "2010-02-08T15:00:00.000", 1, "9"),
        Comment("2", "14700", "Table 3 has genus up to $g = 5$.", "2010-02-08T20:00:00.000", 2, "9"),
        Comment(
            "3",
            "14700",
            "Thanks, exactly what I was looking for! The proof in `math/0406343` is short.",
            "2010-02-09T08:12:00.000",
            3,
            "77",
        ),
    )
    thread = Thread(
        "14655", "Tables of counts $N_{g,d}$ for the quintic, and where they vanish", question, (answer,), "14700",
        comments, ("ag.algebraic-geometry", "reference-request"),
    )  # fmt: skip
    citations = (
        Citation("arxiv", "hep-th/0612125", "href", "hep-th/0612125v2", "The tables are in Huang, Klemm and", "14700"),
        Citation("arxiv", "math/0406343", "text", "math/0406343", "follows from Castelnuovo theory, see", "14700"),
    )
    sentences = (
        sentence(1, "Hello all.", "neither"),
        sentence(2, "Curves of genus @ on a quintic threefold can be counted up to genus 51.", tex="g"),
        sentence(3, "For each genus there is a bound @ below which all counts vanish.", paragraph=2, tex="d(g)"),
        sentence(4, "Where is a table of the low ones printed?", "query", 1, 3),
        sentence(5, "And where is that bound proved?", "query", 2, 3),
    )
    return Candidate(thread, citations, sentences)


def plain(number: int) -> Candidate:
    """A thread with one sentence that asks and one citation."""
    asked = Post(str(number), f"<p>Let $G_{{{number}}}$ be a group. Is it amenable?</p>", "2011-05-01T00:00:00", 3, "1")
    answer = Post(f"{number}9", "<p>Yes, see arXiv:1001.0001.</p>", "2011-05-02T00:00:00", 4, "2")
    thread = Thread(str(number), f"Is group number {number} amenable?", asked, (answer,), f"{number}9")
    sentences = (
        sentence(1, "Let @ be a group.", tex=f"G_{{{number}}}"),
        sentence(2, "Is it amenable?", "query", 1),
    )
    return Candidate(
        thread, (Citation("arxiv", "1001.0001", "text", "1001.0001", "Yes, see", f"{number}9"),), sentences
    )


def hostile() -> Candidate:
    """Scripts, images from elsewhere and metacharacters in every field."""
    post = Post("6<6", HOSTILE_HTML, SCRIPT, 1, SCRIPT, SCRIPT)
    answer = Post("'7", HOSTILE_HTML + MARKS, "2011", 1, "2")
    comment = Comment("1", "'7", f"{SCRIPT} [x](javascript:alert(8)) [y](https://ok.example/) `{SCRIPT}`", "2012", 1,
                      SCRIPT, SCRIPT)  # fmt: skip
    thread = Thread(
        f"6/..%2f{MARKS}".replace("\x07", ""), f"{SCRIPT} {MARKS} $\\href{{javascript:alert(9)}}{{x}}$", post,
        (answer,), "'7", (comment,), (SCRIPT,), SCRIPT, (SCRIPT,),
    )  # fmt: skip
    parts = (
        Part("text", f"{SCRIPT}{MARKS}"),
        Part("formula", f"\\text{{{SCRIPT}}} \\style{{position:fixed}}{{y}} \\color{{red}}{{z}}"),
        Part("code", SCRIPT),
        Part("link", SCRIPT, "javascript:alert(10)"),
        Part("link", "fine", "https://ok.example/'\"><script>alert(11)</script>"),
    )
    document = f"doc/../'\"<{MARKS}".replace("\x07", "")
    citation = Citation(SCRIPT, document, "text", SCRIPT, f"{SCRIPT} {MARKS}", "'7", True)
    return Candidate(thread, (citation,), (Sentence(1, parts), Sentence(2, parts, "query", 1)), (citation,))


def make(folder: Path, *candidates: Candidate) -> Project:
    """A project with these candidates."""
    folder.mkdir(parents=True, exist_ok=True)
    write_candidates(
        candidates or (quintic(), *(plain(number) for number in range(101, 106))), folder / "candidates.jsonl"
    )
    return open_project(folder)
