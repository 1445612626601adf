"""The pages as a small website of plain files: no network, no scripts, light and dark, printable."""

from __future__ import annotations

import html
import os
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from .links import PARSER, headings, plain

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = {
    "README.md": "adjudge.html",
    "ARCHITECTURE.md": "architecture.html",
    "CONTRIBUTING.md": "contributing.html",
    "CODE_OF_CONDUCT.md": "code-of-conduct.html",
    "SECURITY.md": "security.html",
    "CHANGELOG.md": "changelog.html",
    "bench/README.md": "benchmarks.html",
}
"""Pages outside of docs/ that are part of the website."""
PICTURES = {".png", ".svg", ".jpg", ".jpeg", ".webp"}
CONTENTS = 4
"""A page with fewer headings has no list of them."""

STYLE = """
:root { color-scheme: light dark; --text: #1c1e21; --soft: #59606a; --back: #fff; --panel: #f5f6f8; --line: #d9dde3;
  --link: #0b5cad; --prompt: #8a3ffc; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e6ea; --soft: #a3abb6; --back: #15171b; --panel: #1e2127;
  --line: #353a43; --link: #7db7ff; --prompt: #c9a5ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 17px/1.6 system-ui, sans-serif; }
a { color: var(--link); }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 84rem; margin: auto; }
nav { padding: 1.5rem 1rem 3rem 1.5rem; font-size: .9rem; line-height: 1.45; border-right: 1px solid var(--line); }
nav b { display: block; margin: 1rem 0 .2rem; color: var(--soft); font-weight: 600; }
nav a { display: block; padding: .12rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav a[aria-current] { color: var(--text); font-weight: 600; }
main { padding: 1rem 2.5rem 4rem; min-width: 0; overflow-wrap: break-word; }
main > p, main > ul, main > ol, main > h1, main > h2, main > h3, details { max-width: 48rem; }
h1 { line-height: 1.2; margin: 1rem 0; }
h2 { margin: 2.4rem 0 .6rem; padding-top: .4rem; border-top: 1px solid var(--line); line-height: 1.25; }
h3 { margin: 1.8rem 0 .4rem; }
code, pre { font: .875em/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
code { background: var(--panel); padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem;
  overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; font-size: 1em; }
pre .typed { font-weight: 600; }
pre .prompt { color: var(--prompt); user-select: none; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
thead th:empty { padding: 0; }
img { max-width: 100%; height: auto; }
details { margin: 1rem 0; color: var(--soft); }
details ul { columns: 2; font-size: .9rem; }
@media (max-width: 60rem) { .page { display: flex; flex-direction: column-reverse; }
  main { padding: .5rem 1.2rem 3rem; } nav b { break-after: avoid; }
  nav { border-right: 0; border-top: 1px solid var(--line); padding: 1rem 1.2rem; columns: 2; } }
@media print { nav, details { display: none; } .page { display: block; } pre { white-space: pre-wrap; } }
"""


def files() -> dict[Path, str]:
    """{page in the repository: file of the website}; docs/README.md is its front."""
    made = {path: f"{path.stem}.html" for path in sorted((ROOT / "docs").glob("*.md"))}
    made[ROOT / "docs" / "README.md"] = "index.html"
    return made | {ROOT / name: file for name, file in ELSEWHERE.items() if (ROOT / name).exists()}


def navigation(current: str) -> str:
    """The links of the front page under its headings, a page once."""
    tokens = PARSER.parse((ROOT / "docs" / "README.md").read_text("utf-8"))
    known, shown = files(), {"index.html"}
    lines = [link("index.html", "Documentation", current)]
    for before, token in zip([None, *tokens], tokens, strict=False):
        if before is not None and before.type == "heading_open" and before.tag == "h2":
            lines.append(f"<b>{html.escape(plain(token))}</b>")
        for child, text in zip(token.children or (), (token.children or ())[1:], strict=False):
            if child.type == "link_open":
                file = known.get((ROOT / "docs" / str(child.attrs["href"]).partition("#")[0]).resolve())
                if file and file not in shown:
                    shown.add(file)
                    lines.append(link(file, text.content, current))
    return "\n".join(lines)


def link(file: str, title: str, current: str) -> str:
    here = ' aria-current="page"' if file == current else ""
    return f'<a href="{quote(file)}"{here}>{html.escape(title.removesuffix(".md"))}</a>'


def target(href: str, page: Path, folder: Path) -> str:
    """Where a link of a page leads on the website; pictures are copied beside it, other files stay where they are."""
    if re.match(r"[a-z]+:|#", href):
        return href
    path, hash_, anchor = href.partition("#")
    found = (page.parent / unquote(path)).resolve()
    if found in (known := files()):
        return quote(known[found]) + hash_ + anchor
    if found.suffix in PICTURES and found.is_relative_to(ROOT / "docs"):
        copy = folder / found.relative_to(ROOT / "docs")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(found, copy)
        return quote(str(found.relative_to(ROOT / "docs")))
    return quote(os.path.relpath(found, folder)) + hash_ + anchor


def coloured(kind: str, text: str) -> str:
    """A block of code, with what is typed told from what is printed."""
    prompts = {"console": r"^(\$ |&gt; )(.*)$", "python": r"^(&gt;&gt;&gt; |\.\.\. )(.*)$"}
    made = html.escape(text, quote=False)
    if kind in prompts:
        typed = r'<span class="prompt">\1</span><span class="typed">\2</span>'
        made = re.sub(prompts[kind], typed, made, flags=re.MULTILINE)
    return f"<pre><code>{made}</code></pre>\n"


def body(page: Path, folder: Path) -> tuple[str, str]:
    """Title and content of a page."""
    tokens = PARSER.parse(re.sub(r"^<!--.*?-->\n", "", page.read_text("utf-8"), flags=re.MULTILINE))
    found = headings(tokens)
    opened = [token for token in tokens if token.type == "heading_open"]
    for token, (_, anchor, _) in zip(opened, found, strict=True):
        token.attrSet("id", anchor)
    for child in (child for token in tokens for child in token.children or ()):
        name = {"link_open": "href", "image": "src"}.get(child.type)
        if name:
            child.attrSet(name, target(str(child.attrs[name]), page, folder))
    made = "".join(map(piece, tokens))
    title = next((title for level, _, title in found if level == 1), page.stem)
    entries = [(anchor, text) for level, anchor, text in found if level == 2]
    if len(entries) >= CONTENTS:
        items = "".join(f'<li><a href="#{quote(anchor)}">{html.escape(text)}</a></li>' for anchor, text in entries)
        made = made.replace(
            "</h1>\n", f"</h1>\n<details><summary>On this page</summary><ul>{items}</ul></details>\n", 1
        )
    return title, made


def piece(token: Any) -> str:
    if token.type == "fence":
        return coloured(token.info.strip(), token.content)
    made = str(PARSER.renderer.render([token], PARSER.options, {}))
    if token.type == "table_open":
        return f'<div class="wide" tabindex="0">{made}'
    return f"{made}</div>\n" if token.type == "table_close" else made


def build(folder: Path) -> list[Path]:
    """Write the website into a folder; what a former one left there is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.html"):
        old.unlink()
    (folder / ".gitignore").write_text("*\n", "utf-8")
    (folder / "style.css").write_text(STYLE.lstrip(), "utf-8")
    written = []
    for page, file in files().items():
        title, content = body(page, folder)
        (folder / file).write_text(
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{html.escape(title)} · adjudge</title>\n"
            '<link rel="stylesheet" href="style.css">\n<link rel="icon" href="data:,">\n</head>\n<body>\n'
            f'<div class="page">\n<nav aria-label="Pages">\n{navigation(file)}\n</nav>\n'
            f"<main>\n{content}</main>\n</div>\n</body>\n</html>\n",
            "utf-8",
        )
        written.append(folder / file)
    return written
