"""The documentation is true: examples print what pages show, generated pages are up to date, links lead somewhere."""

from __future__ import annotations

import doctest
import html.parser
import importlib
import inspect
import json
import sys
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote

import pytest

import adjudge
from adjudge.cli import commands
from adjudge.components import registries
from warm_python import Warm

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
pytest.importorskip("markdown_it", reason="markdown-it-py builds the documentation")


def loaded(name: str) -> ModuleType:
    """A module of docs/, which is no package."""
    sys.path.insert(0, str(DOCS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(DOCS))


build = loaded("build")
examples, links, reference, website = (
    loaded(f"building.{name}") for name in ("examples", "links", "reference", "website")
)


@pytest.mark.slow
@pytest.mark.parametrize("page", build.written(), ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_print_what_the_page_shows(page: Path, warm_adjudge: Warm) -> None:
    text = page.read_text("utf-8")
    ran = examples.run(text, adjudge=f"{warm_adjudge.program} adjudge")
    assert not examples.unread(text)
    assert not ran.failed
    assert not ran.changed, "make docs puts in what is printed now"


def test_tutorials_have_examples() -> None:
    for name in (
        "tutorial-better-ranker.md",
        "tutorial-scanned-text.md",
        "guide-to-ties.md",
        "differences.md",
        "errata.md",
    ):
        assert examples.BLOCK.search((DOCS / name).read_text("utf-8")), name


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="argparse of 3.13 lays help out differently")
def test_generated_pages_are_up_to_date() -> None:
    for path, text in reference.pages().items():
        assert path.read_text("utf-8") == text, f"{path.name} is stale: run make docs"


def test_every_registry_is_on_a_page() -> None:
    missing = {registry.package for registry in registries()} - reference.covered()
    assert not missing, f"give {', '.join(sorted(missing))} a place in docs/building/reference.py"


def test_every_component_is_on_a_page() -> None:
    texts = "\n".join(path.read_text("utf-8") for path in reference.PAGES)
    for registry in registries():
        for name in registry.names:
            assert f"### `{name}" in texts, name


def test_every_command_is_in_the_reference() -> None:
    page = (DOCS / "command-line.md").read_text("utf-8")
    for name in commands():
        assert f"\n## adjudge {name}\n" in page, name


def test_links_lead_somewhere() -> None:
    assert links.broken(build.linked()) == []


def test_every_page_is_reached_from_the_front() -> None:
    front = DOCS / "README.md"
    reached = {
        (DOCS / link.partition("#")[0]).resolve() for link in links.links(links.PARSER.parse(front.read_text("utf-8")))
    }
    assert {page.name for page in DOCS.rglob("*.md") if page != front and page.resolve() not in reached} == set()


SOURCE = DOCS.parent / "src"
WITH_EXAMPLES = sorted(
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCE.rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_in_docstrings(name: str) -> None:
    for room in (adjudge.components, adjudge.experiment, adjudge.index, adjudge.report):
        inspect.unwrap(room)  # loads the verb of this name: not while doctest walks the names of the package
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_are_run() -> None:
    tried = [doctest.testmod(importlib.import_module(f"adjudge.{name}")) for name in ("core.errors", "text.analyzer")]
    assert all(result.attempted > 0 for result in tried)


class Read(html.parser.HTMLParser):
    """What a page of the website links to, what it loads, and which anchors it has."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        (self.links if tag == "a" else self.loads).extend(
            str(given[name]) for name in ("href", "src") if given.get(name)
        )
        self.ids |= {str(given["id"])} if "id" in given else set()


@pytest.mark.slow
def test_the_website_is_whole_and_needs_no_network(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material builds the website")
    site = tmp_path / "site"
    pages = {}
    for path in website.build(site):
        pages[path] = Read()
        pages[path].feed(path.read_text("utf-8"))
    assert len(pages) == len(website.pages())
    for path, page in pages.items():
        for link in page.loads:
            assert (path.parent / link.partition("?")[0]).exists(), f"{path.name} loads {link}"
        for link in page.links:
            file, _, anchor = link.partition("#")
            if file.startswith(("https://", "http://")):
                continue
            to = (path.parent / unquote(file)).resolve() if file else path
            assert to.exists(), f"{path.name} links to {link}"
            if anchor and to in pages:
                assert anchor in pages[to].ids, f"{path.name} links to {link}"
    text = (site / "tutorial-better-ranker.html").read_text("utf-8")
    assert '<span class="gp">$ </span>adjudge' in text
    searched = json.loads((site / "search" / "search_index.json").read_text("utf-8"))["docs"]
    assert any(entry["title"] == "3. Compare" and "adjudge compare" in entry["text"] for entry in searched)


def test_every_page_is_in_the_navigation_once() -> None:
    values = [next(iter(section.values())) for section in website.navigation()]
    names = [value for value in values if isinstance(value, str)]
    names += [next(iter(page.values())) for value in values if isinstance(value, list) for page in value]
    assert sorted(names) == sorted(website.pages().values())


def test_an_example_that_changed_is_told_and_replaced() -> None:
    page = (
        "```console\n$ echo one\ntwo\n$ echo a && echo b\n…\n```\n\n"
        "```python\n>>> 1 + 1\n3\n>>> print('x\\n\\ny')\n```\n"
    )
    ran = examples.run(page)
    assert ran.changed == ("$ echo one", ">>> 1 + 1", ">>> print('x\\n\\ny')")
    assert ran.text == (
        "```console\n$ echo one\none\n$ echo a && echo b\n…\n```\n\n"
        "```python\n>>> 1 + 1\n2\n>>> print('x\\n\\ny')\nx\n<BLANKLINE>\ny\n```\n"
    )
    again = examples.run(ran.text)
    assert (again.changed, again.failed, again.text, again.number) == ((), (), ran.text, 4)


def test_an_example_that_fails_is_not_written_into_the_page() -> None:
    page = (
        "```console\n$ adjudge measure nowhere\nfine\n```\n\n"
        "```python\n>>> 1 / 0\n```\n\n```python\nraise ValueError(1)\n```\n"
    )
    ran = examples.run(page)
    assert ran.text == page
    assert len(ran.failed) == 3
    assert "exit code 2" in ran.failed[0]
    assert "ZeroDivisionError" in ran.failed[1]
    assert "ValueError: 1" in ran.failed[2]
    shown = (
        "```python\n>>> 1 / 0\nTraceback (most recent call last):\n    ...\nZeroDivisionError: division by zero\n```\n"
    )
    assert examples.run(shown).failed == ()


def test_blocks_share_a_folder_and_names_and_other_blocks_do_not_run() -> None:
    page = (
        "```console\n$ echo 7 > n\n$ test -e qrels.txt\n```\n"
        "```python\nfrom pathlib import Path\nn = int(Path('n').read_text())\n```\n```python\n>>> n\n7\n```\n"
    )
    assert examples.run(page + "```\n$ false\n```\n").number == 4
    assert examples.run(page).failed == ()
    assert examples.unread("```console\nls\n```\n  ```python\n  ```\n") == [
        "console block without a command: 'ls'",
        "1 blocks are indented or not closed",
    ]


def test_outputs_that_depend_on_the_python_are_written_but_not_compared() -> None:
    page = f"{examples.VARIES}\n```console\n$ echo one\ntwo\n```\n```python\n>>> 1\n2\n```\n"
    ran = examples.run(page)
    assert (ran.text, ran.changed, ran.failed) == (page, (), ())
    assert examples.run(page, check=False).text == page.replace("one\ntwo", "one\none").replace("1\n2", "1\n1")
    assert examples.run(page.replace("echo one", "false")).failed != ()


@pytest.mark.parametrize(
    ("shown", "seen", "same"),
    [
        ("a\n", "a\n", True),
        ("a\n", "a\nb\n", False),
        ("a …\n", "a few\n", True),
        ("a …\n", "a few\nb\n", False),
        ("…\nb\n", "x\ny\nb\n", True),
        ("…\n", "", True),
        ("(1+1)*\n", "(1+1)*\n", True),
        ("a.c\n", "abc\n", False),
    ],
)
def test_an_ellipsis_stands_for_anything(shown: str, seen: str, same: bool) -> None:
    assert examples.like(shown, seen) is same


def test_anchors_are_those_of_github() -> None:
    taken: dict[str, int] = {}
    titles = ["Two readings of tau_ap_b", "`ap[@k]`", "5. Ties", "Zeros", "Zeros", "What was measured"]
    assert [links.slug(title.replace("`", ""), taken) for title in titles] == [
        "two-readings-of-tau_ap_b",
        "apk",
        "5-ties",
        "zeros",
        "zeros-1",
        "what-was-measured",
    ]


def test_broken_links_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "# One\n[x](b.md) [y](#one) [z](#two) [w](a.md#one) `[v](c.md)` [u](https://x.org/)\n"
    )
    assert links.broken([tmp_path / "a.md"]) == ["a.md: b.md: no such file", "a.md: #two: no such heading"]
