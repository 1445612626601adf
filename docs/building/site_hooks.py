"""What mkdocs calls while it builds the website: pages are rendered by website.py, from the repository's own files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from building import website

PAGES = {name: page for page, name in website.pages().items()}


def on_page_markdown(*_: Any, **__: Any) -> str:
    """Leave nothing to mkdocs's own parser, which knows another Markdown."""
    return ""


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Give the page our rendering, and the theme its headings."""
    from mkdocs.structure.toc import get_toc

    html, contents = website.body(PAGES[page.file.src_uri])
    page.toc = get_toc(contents)
    return html
