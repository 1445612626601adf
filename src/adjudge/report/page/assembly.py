"""The page as a whole: head, sections in their order, data, script."""

from __future__ import annotations

import base64
from importlib.resources import files

from ...core.errors import DataError
from ...experiment.findings import Findings
from ...storage.digest import sha256
from ..figures import css
from .alternatives import agreement_section, noise_section, recall_precision_section, scales_section
from .data import page_data
from .first_screen import opening
from .groups_section import groups_section
from .known_item_section import known_item_section
from .parts import Room, Section
from .provenance import definitions_section, notes_section, provenance_section
from .ranked_lists_section import ranked_lists_section
from .safe_markup import Html, clean, join_children, tag
from .system_guide import guide_section
from .systems_section import significance_section, systems_section
from .topics_section import distribution_section, hardest_section, topics_section
from .tuning_section import tuning_section
from .unjudged_section import unjudged_section

LARGEST = 5_000_000
"""Bytes of a page at most."""

ROOM = 4_300_000
"""Bytes for sections and data; beyond it charts of further versions are left out."""


def page(findings: Findings) -> str:
    """One HTML file with everything in it. The same findings give the same text.

    It loads nothing, runs one script of its own, and can be read without it.
    """
    room = Room(ROOM)
    data = page_data(findings, room.left_out)
    room.needed(data)
    candidates = [
        systems_section(findings, room),
        tuning_section(findings, room),
        guide_section(findings, room),
        unjudged_section(findings, room),
        groups_section(findings, room),
        topics_section(findings, room),
        ranked_lists_section(findings, room),
        distribution_section(findings, room),
        scales_section(findings, room),
        known_item_section(findings, room),
        agreement_section(findings, room),
        recall_precision_section(findings, room),
        noise_section(findings, room),
        significance_section(findings, room),
        hardest_section(findings, room),
        provenance_section(findings),
        definitions_section(findings),
    ]
    sections = [*(block for block in candidates if block is not None), notes_section(findings, room)]
    text = document(findings, sections, data)
    size = len(text.encode())
    if size > LARGEST:
        raise DataError(f"the page would have {size:,} bytes, more than {LARGEST:,}: show fewer systems or versions")
    return text


def document(findings: Findings, sections: list[Section], data: Html) -> str:
    return whole_page(findings.title or "Experiment", opening(findings), sections, data)


def whole_page(title: str, first: Html, sections: list[Section], data: Html) -> str:
    """An HTML file with our style and script, which the policy allows by their digests, and nothing else."""
    style, script = (_read_resource(name) for name in ("page.css", "page.js"))
    style = f"{css()}{style}"
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", clean(title)[:200]),
        Html(f"<style>{style}</style>"),
    )
    body = tag(
        "body",
        tag("a", "Skip to the findings", href="#top", class_="skip"),
        navigation(sections),
        tag("main", first, [block.html for block in sections]),
        tag("div", id="tip", role="tooltip", hidden=True),
        data,
        Html(f"<script>{script}</script>"),
    )
    return f'<!doctype html>\n<html lang="en">{join_children([head, body])}</html>\n'


def navigation(sections: list[Section]) -> Html:
    """Links to the sections, and the switch between light and dark."""
    titles = [("top", "The finding"), *((block.id, block.title) for block in sections)]
    links = [tag("li", tag("a", title, href=f"#{name}")) for name, title in titles]
    switch = tag("button", "Dark", type="button", id="theme", class_="needs-js", aria_pressed="false")
    return tag("nav", tag("ul", links), switch, aria_label="Sections")


def _read_resource(name: str) -> str:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    if "</" in text:
        raise DataError(f"{name} holds '</', which would end it inside the page")
    return text


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode())).decode()}"
