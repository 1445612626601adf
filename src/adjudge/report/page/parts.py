"""Parts of sections: the section itself, a chart with its caption, the same chart for other versions, tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ...core.average import averages
from ...core.errors import AdjudgeError
from ...core.measure import measures
from ...core.scores import Column
from ...experiment.findings import Findings, VersionFindings
from ...words.headlines import CLEAN
from ...words.omissions import chart_too_large, charts_of_versions
from ...words.speech import MeasureName, Name, Strong
from ...words.table_captions import better_way, measure_unknown
from ..figures.figure import Figure
from .safe_markup import Html, beginning_of, clean, disclosure, join_children, name_element, shorten_middle, tag

SENTENCE = 1500
"""Characters of a finding."""

LARGEST_FIGURE = 600_000
"""Bytes of one chart."""

WIDE, NARROW = 1040.0, 360.0
"""Widths of a chart on a desk and on a telephone; every chart is drawn for both, and the style sheet chooses."""

LARGEST_NARROW = 250_000
"""Bytes of a chart for telephones; where it would be larger, the wide one can be scrolled."""

Draw = Callable[[float], Figure]
"""Draws a chart in a width."""


class Room:
    """A budget of bytes: what the page can do without is left out when it runs out."""

    def __init__(self, size: int) -> None:
        self.left = size
        self.left_out: list[str] = []

    def take(self, html: Html, what: str) -> Html | None:
        size = len(html.encode())
        if size > self.left:
            self.left_out.append(what)
            return None
        self.left -= size
        return html

    def needed(self, html: Html) -> Html:
        """Count something that is shown whether there is room or not."""
        self.left -= len(html.encode())
        return html


class Section(NamedTuple):
    """A part of the page that the navigation leads to."""

    id: str
    title: str
    html: Html


def section(name: str, title: str, *children: object) -> Section:
    heading = tag("h2", title, id=f"{name}-title")
    return Section(name, title, tag("section", heading, *children, id=name, aria_labelledby=f"{name}-title"))


def scroll_box(content: Html, label: str, **attributes: object) -> Html:
    """Something that may be wider than the screen: it scrolls by itself, with the keyboard too."""
    kind = attributes.pop("class_", "")
    return tag(
        "div", content, class_=f"scroll {kind}".strip(), tabindex=0, role="region", aria_label=label, **attributes
    )


def plot(
    draw: Draw, summary: object, how: object, *more: object, wide: float = WIDE, name: str = "", **attributes: object
) -> Html:
    """A chart with a sentence on what it shows, one on how it is read, and what belongs to it.

    ``name`` is the name of the file under which a reader can save it.
    """
    drawn = draw(wide)
    svg = Html(drawn.svg(standalone=False))
    small = without_repetition(Html(draw(NARROW).svg(standalone=False)), svg)
    too_large, both = len(svg) > LARGEST_FIGURE, len(small) <= LARGEST_NARROW
    canvases: list[object] = [
        tag("p", chart_too_large(), class_="note") if too_large else scroll_box(svg, drawn.title, class_="canvas wide"),
        scroll_box(small, drawn.title, class_="canvas narrow") if both and not too_large else None,
    ]
    return tag(
        "figure",
        canvases,
        tag("figcaption", tag("p", _cut_sentence(summary), class_="found"), tag("p", how, class_="how")),
        *more,
        class_="plot both" if both and not too_large else "plot",
        data_name=name or None,
        **attributes,
    )


TITLES = re.compile("<title>(.*?)</title>", re.DOTALL)
REPEATED = re.compile(' data-(?!system|topic)[a-z]+="[^"]*"')


def without_repetition(small: Html, svg: Html) -> Html:
    """A chart for telephones without what its marks say, if those of the wide one say the same in the same order.

    The titles are left empty, and the script fills them; telephones show none without it.
    """
    own, others = TITLES.findall(small), TITLES.findall(svg)
    if own != others:
        return small
    head, rest = small.split("</title>", 1)  # the name of the chart stays
    return Html(f"{head}</title>{REPEATED.sub('', TITLES.sub('<title/>', rest))}")


def _cut_sentence(text: object) -> object:
    """Sentences that were made elsewhere hold names of any length."""
    return text if isinstance(text, Html) else beginning_of(text, SENTENCE)


def spoken(pieces: Iterable[str], findings: Findings | VersionFindings) -> Html:
    """A sentence that is made of pieces; names of measures are explained as the findings have them."""
    columns = findings.measures if isinstance(findings, Findings) else {c.name: c for c in findings.scores.columns}
    return join_children(_piece(piece, columns) for piece in pieces)


def _piece(piece: str, columns: Mapping[str, Column]) -> object:
    if isinstance(piece, MeasureName) and piece in columns:
        return measure_name(columns[piece])
    if isinstance(piece, Name):
        return name_element(piece)
    return tag("strong", piece) if isinstance(piece, Strong) else piece


def each_version(
    findings: Findings, room: Room, what: str, make: Callable[[VersionFindings], Html | None], *, most: int = 12
) -> Html:
    """The chart of the first version that has one, and those of the other versions to be opened."""
    blocks: list[object] = []
    open_ = True
    for view in findings.parts[:most]:
        content = make(view)
        if content is None:
            continue
        if open_:
            blocks.append(room.needed(content))
            open_ = False
            continue
        block = room.take(
            disclosure(join_children(["The same on ", version_name(view)]), content, class_="version"), what
        )
        blocks.append(block)
    if len(findings.parts) > most:
        room.left_out.append(charts_of_versions(what, most))
    return join_children(blocks)


def version_name(view: VersionFindings, most: int = 60) -> Html:
    """The name of a version: that of the clean text in plain words, others as the plan has them."""
    return tag("bdi", "the clean text", class_="name") if view.version == CLEAN else name_element(view.version, most)


def version_label(view: VersionFindings) -> str:
    """The same, short, for legends and axes."""
    return "clean" if view.version == CLEAN else view.version


def table(
    header: Sequence[object],
    rows: Iterable[Sequence[object]],
    *,
    labels: int = 1,
    caption: object = None,
    **more: object,
) -> Html:
    """A plain table: ``labels`` columns of text on the left, numbers to their right."""
    head = [tag("th", cell, scope="col", class_="number" if c >= labels else None) for c, cell in enumerate(header)]
    body = [
        tag(
            "tr",
            [
                tag("th", cell, scope="row") if c == 0 else tag("td", cell, class_="number" if c >= labels else None)
                for c, cell in enumerate(row)
            ],
        )
        for row in rows
    ]
    heading = tag("caption", caption) if caption else None
    return tag("table", heading, tag("thead", tag("tr", head)), tag("tbody", body), **more)


def definition(column: Column) -> str:
    """Define a measure in one line; empty if adjudge does not know it, as in scores that came from elsewhere."""
    try:
        text = type(measures.parse(column.measure)).summary()
    except AdjudgeError:
        return ""
    if column.average in {"mean", "sum"}:
        return text
    return f"{text} Over topics: {average_definition(column.average)}".rstrip()


def average_definition(spec: str) -> str:
    try:
        return type(averages.parse(spec)).summary()
    except AdjudgeError:
        return ""


def measure_name(column: Column) -> Html:
    """The name of a measure with its definition in the tip."""
    about = definition(column)
    if not about:
        return name_element(column.name, 30)
    return tag("abbr", name_element(column.name, 30), title=clean(about))


def glossary(findings: Findings) -> Html:
    """Every measure and average that the page names."""
    rows: list[object] = []
    for column in findings.measures.values():
        spec = "" if column.measure == column.name else f" ({shorten_middle(column.measure)})"
        about = definition(column) or measure_unknown()
        rows += [tag("dt", name_element(column.name), spec), tag("dd", about, better_way(column.better))]
    for spec in dict.fromkeys(spec for view in findings.parts for spec in view.figures):
        about = average_definition(spec)
        if about:
            rows += [tag("dt", name_element(spec), " (average)"), tag("dd", about)]
    return tag("dl", join_children(rows), class_="glossary")
