"""The pages as a website with search: made by mkdocs with the theme Material, readable from a folder without network.

The pages stay as GitHub shows them. Here they are rendered by the parser that checks their links, and mkdocs adds
navigation, search and looks (mkdocs.yml); site_hooks.py is where the two meet.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from .links import PARSER, headings, plain

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = {
    "README.md": "adjudge.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "bench/README.md": "benchmarks.md",
}
"""Pages outside of docs/ that are part of the website."""
PICTURES = {".png", ".svg", ".jpg", ".jpeg", ".webp"}
LEXERS = {"console": "console", "python": "pycon", "toml": "toml", "json": "json", "yaml": "yaml", "diff": "diff"}


def pages() -> dict[Path, str]:
    """{page in the repository: its name on the website}; docs/README.md is the front."""
    names = {path: str(path.relative_to(ROOT / "docs")) for path in sorted((ROOT / "docs").rglob("*.md"))}
    names[ROOT / "docs" / "README.md"] = "index.md"
    return names | {ROOT / name: file for name, file in ELSEWHERE.items() if (ROOT / name).exists()}


def navigation() -> list[dict[str, Any]]:
    """The links of the front page under its headings, each page once."""
    tokens = PARSER.parse((ROOT / "docs" / "README.md").read_text("utf-8"))
    known, shown = pages(), {"index.md"}
    sections: list[dict[str, Any]] = [{"Home": "index.md"}]
    entries = sections
    for before, token in zip([None, *tokens], tokens, strict=False):
        if before is not None and before.type == "heading_open" and before.tag == "h2":
            sections.append({plain(token): (entries := [])})
        for child, text in zip(token.children or (), (token.children or ())[1:], strict=False):
            if child.type == "link_open":
                file = known.get((ROOT / "docs" / str(child.attrs["href"]).partition("#")[0]).resolve())
                if file and file not in shown:
                    shown.add(file)
                    entries.append({text.content.removesuffix(".md"): file})
    return [section for section in sections if next(iter(section.values()))]


def target(href: str, page: Path) -> str | None:
    """Where a link of a page leads on the website; None for a file of the repository that is not on it."""
    if re.match(r"[a-z]+:|#", href):
        return href
    path, hash_, anchor = href.partition("#")
    file = (page.parent / unquote(path)).resolve()
    up = "../" * pages()[page].count("/")
    if file in (known := pages()):
        return up + quote(known[file].removesuffix(".md") + ".html") + hash_ + anchor
    if file.suffix in PICTURES and file.is_relative_to(ROOT / "docs"):
        return up + quote(str(file.relative_to(ROOT / "docs")))
    return None


def body(page: Path) -> tuple[str, list[dict[str, Any]]]:
    """The content of a page as HTML, and its headings as mkdocs wants them for its table of contents."""
    tokens = PARSER.parse(re.sub(r"^<!--.*?-->\n", "", page.read_text("utf-8"), flags=re.MULTILINE))
    titles = headings(tokens)
    opened = [token for token in tokens if token.type == "heading_open"]
    for token, (_, anchor, _) in zip(opened, titles, strict=True):
        token.attrSet("id", anchor)
    for token in tokens:
        lead(token.children or [], page)
    contents: list[dict[str, Any]] = []
    for level, anchor, title in titles:
        entry = {"level": level, "id": anchor, "name": title, "children": []}
        within = contents
        while within and within[-1]["level"] < level:
            within = within[-1]["children"]
        within.append(entry)
    return "".join(map(piece, tokens)), contents


def lead(children: list[Any], page: Path) -> None:
    """Turn links and pictures of a line to where they lead on the website; a link to what is not there becomes text."""
    dropped: list[bool] = []
    for child in children:
        if child.type == "link_open":
            href = target(str(child.attrs["href"]), page)
            dropped.append(href is None)
            if href is None:
                child.tag, child.attrs = "span", {}
            else:
                child.attrSet("href", href)
        elif child.type == "link_close" and dropped.pop():
            child.tag = "span"
        elif child.type == "image":
            child.attrSet("src", target(str(child.attrs["src"]), page) or str(child.attrs["src"]))


def piece(token: Any) -> str:
    """The HTML of a token: code is coloured, tables scroll when they are wide."""
    if token.type == "fence":
        return coloured(token.info.strip(), token.content)
    made = str(PARSER.renderer.render([token], PARSER.options, {}))
    if token.type == "table_open":
        return f'<div class="md-typeset__scrollwrap"><div class="md-typeset__table">{made}'
    return f"{made}</div></div>\n" if token.type == "table_close" else made


def coloured(kind: str, text: str) -> str:
    """A block of code with its parts marked, what is typed apart from what is printed."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name

    name = LEXERS.get(kind, "text")
    lexer = get_lexer_by_name("python" if name == "pycon" and ">>>" not in text else name)
    return str(highlight(text, lexer, HtmlFormatter(cssclass="highlight", wrapcode=True)))


def build(folder: Path) -> list[Path]:
    """Write the website into a folder; what a former one left there is replaced."""
    source = ROOT / "build" / "website" if folder.is_relative_to(ROOT) else folder.with_name(folder.name + "-source")
    shutil.rmtree(source, ignore_errors=True)
    for page, name in pages().items():
        path = source / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, path)
    for picture in (ROOT / "docs").rglob("*"):
        if picture.suffix in PICTURES:
            path = source / "pages" / picture.relative_to(ROOT / "docs")
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(picture, path)
    shutil.copyfile(ROOT / "docs" / "building" / "site.css", source / "pages" / "site.css")
    settings = {
        "INHERIT": str(ROOT / "mkdocs.yml"),
        "docs_dir": str(source / "pages"),
        "site_dir": str(folder),
        "hooks": [str(ROOT / "docs" / "building" / "site_hooks.py")],
        "nav": navigation(),
    }
    (source / "mkdocs.yml").write_text(json.dumps(settings), "utf-8")  # JSON is YAML
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--quiet",
        "--strict",
        "--config-file",
        str(source / "mkdocs.yml"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"mkdocs: {done.stdout}{done.stderr}")
    (folder / ".gitignore").write_text("*\n", "utf-8")
    return [folder / (name.removesuffix(".md") + ".html") for name in pages().values()]
