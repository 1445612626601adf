"""The pages of a collection that is searched, written by templates that escape everything."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape

from markupsafe import Markup
from markupsafe import escape as escaped

from ..core.visible import visible
from ..page_view.page_sheets import LETTER
from ..report.search_results import Hit, readings
from ..report.snippets import Marked
from ..web.looks import environment
from .answers import A_PART, DEEPEST, FEW, FieldValue, Outcome, best_values
from .catalogue import Catalogue
from .inquiry import Inquiry
from .leaf import Leaf

ROUTES = {
    "/index.json": "what is searched: name, documents, fields",
    "/search.json?q=WORDS&f.FIELD=VALUE&from.FIELD=N&to.FIELD=N&sort=relevance|id|+FIELD|-FIELD&part=N": "documents",
    "/document.json?id=ID&q=WORDS&page=N": "a document, and where in it words were found",
    "/explain.json?id=ID&q=WORDS": "why a document was found",
    "/image?id=ID&page=N": "the image of a page",
    "/iiif/ID/manifest.json": "a IIIF manifest (Presentation 3)",
    "/iiif/ID/search?q=WORDS": "what is found in a document, as annotations (IIIF Content Search 2)",
    "/opensearch.xml": "the description with which browsers add this page",
}
"""What programs may ask for; .json may be left out with Accept: application/json."""


class SearchPages:
    """Makes HTML. ``facts`` is what every page knows about who looks at it."""

    routes = ROUTES

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    @cached_property
    def _templates(self) -> Any:
        templates = environment("adjudge.search_page")
        templates.filters["marked"] = marked
        templates.filters["choosable"] = choosable
        templates.filters["plus"] = quote_plus
        templates.filters["count_of"] = lambda number: f"{number:,}"
        templates.filters["readings"] = lambda hit: visible(readings(hit))
        templates.globals["site"] = visible(self.catalogue.name)
        templates.globals["total"] = len(self.catalogue)
        return templates

    def _render(self, template: str, facts: dict[str, Any], **given: Any) -> str:
        own = {"here": template, "asked": Inquiry()}
        text: str = self._templates.get_template(f"{template}.html").render(**{**own, **facts, **given})
        return text

    @cached_property
    def _sorts(self) -> list[tuple[str, str]]:
        """The orders that a list can have, with what people call them."""
        sorts = [("relevance", "best first"), ("id", "by id")]
        for name in self.catalogue.sortable:
            sorts += [(f"+{name}", f"{name}, rising"), (f"-{name}", f"{name}, falling")]
        return sorts

    def home(self, facts: dict[str, Any], outcome: Outcome) -> str:
        return self._render("home", facts, outcome=outcome, best=best_values)

    def results(self, facts: dict[str, Any], asked: Inquiry, outcome: Outcome, hits: Sequence[Hit]) -> str:
        parts = max(1, -(-min(len(outcome), DEEPEST) // A_PART))
        return self._render(
            "results",
            facts,
            asked=asked,
            outcome=outcome,
            hits=hits,
            parts=parts,
            sorts=self._sorts,
            best=best_values,
            few=FEW,
            words=self.catalogue.marking(asked.words).words,
        )

    def document(
        self,
        facts: dict[str, Any],
        asked: Inquiry,
        leaf: Leaf,
        fields: Sequence[tuple[str, str]],
        rank: int,
        neighbours: Sequence[str | None],
        reasons: Sequence[str],
    ) -> str:
        spots = [spot for spot in leaf.spots if spot.page >= 0 or leaf.sheet is None]
        here = {spot.number for spot in leaf.here}
        before = [spot for spot in spots if spot.number < min(here, default=0)] if here else []
        after = [spot for spot in spots if spot.number > max(here)] if here else spots
        if not here and leaf.sheet is not None:
            before = [spot for spot in spots if spot.page < leaf.sheet.at]
            after = [spot for spot in spots if spot.page > leaf.sheet.at]
        return self._render(
            "document",
            facts,
            asked=asked,
            leaf=leaf,
            fields=fields,
            rank=rank,
            neighbours=neighbours,
            reasons=reasons,
            before=before[-1] if before else None,
            after=after[0] if after else None,
            letter=LETTER,
            words=self.catalogue.marking(asked.words).words,
        )

    def explanation(
        self, facts: dict[str, Any], asked: Inquiry, document: str, reasons: Sequence[str], tree: dict[str, Any]
    ) -> str:
        return self._render("explanation", facts, asked=asked, document=document, reasons=reasons, tree=tree)

    def help(self, facts: dict[str, Any]) -> str:
        return self._render("help", facts, routes=ROUTES)

    def problem(self, facts: dict[str, Any], why: str) -> str:
        return self._render("problem", facts, why=why)

    def sign_in(self, facts: dict[str, Any], problem: str, onward: str) -> str:
        return self._render("sign_in", facts, problem=problem, onward=onward)

    def opensearch(self, origin: str) -> str:
        """The description of this search page for browsers."""
        name, place = (escape(text, {'"': "&quot;"}) for text in (visible(self.catalogue.name), origin))
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
            f"<ShortName>{name[:16]}</ShortName>\n<LongName>{name[:48]}</LongName>\n"
            f"<Description>Search {name}</Description>\n<InputEncoding>UTF-8</InputEncoding>\n"
            f'<Url type="text/html" template="{place}/search?q={{searchTerms}}"/>\n'
            f'<Url type="application/json" template="{place}/search.json?q={{searchTerms}}"/>\n'
            "</OpenSearchDescription>\n"
        )


def choosable(values: Sequence[FieldValue], adding: str) -> Markup:
    """List values that can be chosen: there may be hundreds of them, which a loop of a template takes long for."""
    start = Markup('<li><a href="{}').format(adding)
    items = [f"{start}{_value_item(value)}{documents:,}</span></li>" for value, documents, _ in values]
    return Markup("\n".join(items))  # noqa: S704  every part is escaped


@lru_cache(maxsize=10_000)
def _value_item(value: str) -> str:
    """What follows the beginning of an address in the item of a value, down to the number of its documents."""
    shown = Markup("<bdi>{}</bdi>").format(visible(value))
    return f'{quote(value, safe="")}" rel="nofollow">{shown}</a> <span class="count">'


def marked(text: Marked) -> Markup:
    """A text with its marks, everything else escaped."""
    shown, done, parts = text.visible(), 0, list[str]()
    for start, end in shown.spans:
        parts += [escaped(shown.text[done:start]), "<mark>", escaped(shown.text[start:end]), "</mark>"]
        done = end
    return Markup("".join([*parts, escaped(shown.text[done:])]))  # noqa: S704  every part is escaped
