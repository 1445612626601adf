"""Values as HTML for notebooks: small tables in which everything from data is text and nothing else.

Values of the lower rooms ask for it through ``core.presentation``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.english import p_text, quantity
from ..core.errors import AdjudgeError
from ..core.note import Note
from ..core.visible import html_text, visible, visible_line
from ..words.conclusions import conclusion_of
from ..words.omissions import more_rows

if TYPE_CHECKING:
    from ..comparison.comparisons import Comparisons
    from ..comparison.cross_tuning import Tuning
    from ..comparison.equivalence import Equivalence
    from ..comparison.factor_effects import FactorEffects
    from ..comparison.judge_agreement import JudgeComparison
    from ..comparison.judging_plan import JudgingPlan
    from ..comparison.known_item.ranks import KnownItem
    from ..comparison.known_item.study import Study
    from ..comparison.noninferiority import GuardResult
    from ..comparison.rank_groups import RankGroups
    from ..comparison.scale.sensitivity import Sensitivity
    from ..comparison.topic_design import TopicDesign
    from ..comparison.verdict import Comparison
    from ..core.scores import Scores
    from ..core.table import Table
    from ..experiment.results_history import ResultsHistory
    from ..experiment.running import Execution
    from ..experiment.topic_rankings import TopicRankings
    from ..index.searching import Hits

SHOWN = 20
"""Rows of a table; a line below it says how many more there are."""

FIRST = 10
"""Rows of a run or of judgments."""

LONGEST = 200
"""Characters of a cell; longer ones are cut and have their whole text on hover."""


def escape(text: str) -> str:
    """One line for HTML and XML, in text and in attributes.

    >>> escape('<b title="x">')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    return html_text(visible_line(text))


def cell(value: object) -> str:
    """A value as a cell shows it: four decimals, none for whole numbers, nothing for what is missing."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return "" if math.isnan(value) else "∞" if value > 0 else "−∞"
        value += 0.0  # no minus before a zero
        whole = value == round(value) and abs(value) < 1e15
        plain = whole or 1e-3 <= abs(value) < 1e9
        return (f"{value:,.0f}" if whole else f"{value:.4f}" if plain else f"{value:.3g}").replace("-", "−")
    return f"{value:,}" if isinstance(value, int) else str(value)


def html_table(
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    labels: int = 1,
    total: int | None = None,
    caption: str = "",
    best: frozenset[tuple[int, int]] = frozenset(),
    notes: Sequence[str] = (),
    shown: int | None = SHOWN,
) -> str:
    """An HTML table of the first rows; ``labels`` columns hold names, the others numbers, ``best`` cells are bold.

    ``total`` is how many rows there are if not all are given; ``shown`` None shows all.
    """
    visible_rows = rows if shown is None else rows[:shown]
    heading = f'<caption style="text-align:left">{escape(caption)}</caption>' if caption else ""
    heads = "".join(f'<th scope="col"{_way(c, labels)}>{escape(head)}</th>' for c, head in enumerate(header))
    body = "".join(
        "<tr>" + "".join(_cell(value, c, labels, (r, c) in best) for c, value in enumerate(row)) + "</tr>"
        for r, row in enumerate(visible_rows)
    )
    more = (len(rows) if total is None else total) - len(visible_rows)
    below = [*([more_rows(more)] if more > 0 else []), *notes]
    table = f"<table>{heading}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    return table + "".join(f"<p>{escape(line)}</p>" for line in below)


def _way(column: int, labels: int) -> str:
    return f' style="text-align:{"left" if column < labels else "right"}"'


def _cell(value: object, column: int, labels: int, strong: bool) -> str:
    text = visible_line(cell(value))
    hover = f' title="{html_text(text)}"' if len(text) > LONGEST else ""
    short = html_text(text if len(text) <= LONGEST else text[:LONGEST] + "…")
    return f"<td{_way(column, labels)}{hover}>{f'<strong>{short}</strong>' if strong else short}</td>"


def html_of(value: Any) -> str:
    """A value as a table: as :data:`SHOWING` knows for some kinds, else its columns, with its notes below."""
    for kind in type(value).__mro__:
        if kind.__name__ in SHOWING:
            return SHOWING[kind.__name__](value)
    from .result_tables import columns_of

    columns = columns_of(value)
    rows = list(zip(*columns.values(), strict=True))
    labels = sum(1 for cells in columns.values() if cells and isinstance(cells[0], str))
    lines = [str(note) for note in getattr(value, "notes", ()) if isinstance(note, Note)]
    if hasattr(value, "conclusion"):
        lines.insert(0, conclusion_of(value))
    return html_table(list(columns), [[_seen(cell) for cell in row] for row in rows], labels=labels, notes=lines)


def _seen(cell: object) -> object:
    return "" if cell is None else cell if isinstance(cell, str | int | float) else str(cell)


def table_html(table: Table) -> str:
    """The first rows of a run or of judgments."""
    count = min(len(table), FIRST)
    places = np.searchsorted(table.offsets, np.arange(count), "right") - 1
    columns = places.tolist(), table.documents.take(np.arange(count)), table.numbers[:count].tolist()
    rows = [(table.topics[t], document, number) for t, document, number in zip(*columns, strict=True)]
    kind = "score" if table.numbers.dtype.kind == "f" else "grade"
    return html_table(["topic", "document", kind], rows, labels=2, total=len(table), caption=repr(table))


def scores_html(scores: Scores) -> str:
    """One figure for each system and measure."""
    try:
        figures = scores.summary()
    except AdjudgeError:  # an average that these values have not
        figures = scores.mean()
    rows = [[system, *figures[system].values()] for system in scores.systems[:SHOWN]]
    averages_used = "mean" if all(c.average == "mean" for c in scores.columns) else "figure"
    caption = f"{averages_used} over {quantity(len(scores.topics), 'topic')}"
    total = len(scores.systems)
    return html_table(["system", *scores.measures], rows, total=total, caption=caption, notes=notes_of(scores))


def hits_html(hits: Hits) -> str:
    """Documents by rank."""
    rows = [(str(rank), document, score) for rank, (document, score) in enumerate(hits, 1)]
    return html_table(["rank", "document", "score"], rows, labels=2, notes=[str(hits.note)] if hits.note else [])


def comparison_html(result: Comparison) -> str:
    """The pairs, and what they come to."""
    rows = [
        [d.a, d.b, d.difference, d.low, d.high, f"{d.wins} / {d.ties} / {d.losses}", *map(p_text, d.p)]
        for d in result.differences[:SHOWN]
    ]
    header = ["system", "against", "difference", f"{result.confidence:.0%} from", "to", "won / level / lost"]
    header += [f"p ({test})" for test in result.tests]
    caption = f"{result.measure} ({result.scale}), {quantity(result.topics, 'topic')}"
    lines = [conclusion_of(result), *notes_of(result)]
    return html_table(header, rows, labels=2, total=len(result.differences), caption=caption, notes=lines)


def guard_html(result: GuardResult) -> str:
    """A row for each measure, and the verdict."""
    from .guard_text import guard_table, sentences

    table = guard_table(result)
    return html_table(table.header, table.rows, labels=2, notes=[*sentences(result), *notes_of(result)])


def comparisons_html(result: Comparisons) -> str:
    """The averages with marks of significance, then the pairs of each measure."""
    from .paper_tables import paper_table_of

    return paper_table_of(result, "html") + "".join(map(comparison_html, result))


def equivalence_html(result: Equivalence) -> str:
    """The pairs, and what they come to."""
    from .equivalence_table import equivalence_table

    table = equivalence_table(result)
    return html_table(table.header, table.rows, labels=2, notes=[conclusion_of(result), *notes_of(result)])


def factors_html(result: FactorEffects) -> str:
    """The effects of the components, and the means of their levels."""
    from .factor_table import effects_table, levels_table

    effects, levels = effects_table(result), levels_table(result)
    above = html_table(effects.header, effects.rows, notes=[conclusion_of(result), *map(str, result.notes)])
    return above + html_table(levels.header, levels.rows, labels=2)


def history_html(result: ResultsHistory) -> str:
    """The figures of each folder, and what the last step came to."""
    from .history_text import history_table

    table = history_table(result)
    return html_table(table.header, table.rows, best=table.best, notes=[conclusion_of(result)])


def topic_html(result: TopicRankings) -> str:
    """Both lists, and what they come to."""
    from .topic_text import topic_table

    table = topic_table(result)
    return html_table(
        table.header, table.rows, labels=7, caption=f"Topic {result.topic}", notes=[conclusion_of(result)]
    )


def plan_html(plan: JudgingPlan) -> str:
    """Depths of a pool, and what each takes."""
    from .design_table import plan_table

    table = plan_table(plan)
    return html_table(table.header, table.rows, labels=0, notes=[conclusion_of(plan)])


def design_html(design: TopicDesign) -> str:
    """The three designs."""
    from .design_table import design_table

    table = design_table(design)
    return html_table(table.header, table.rows, labels=2, notes=[conclusion_of(design)])


def judges_html(result: JudgeComparison) -> str:
    """The pairs of judges."""
    from .judges_table import pairs_of_judges

    table = pairs_of_judges(result)
    return html_table(table.header, table.rows, labels=2, notes=[conclusion_of(result)])


def groups_html(result: RankGroups) -> str:
    """The leaderboard."""
    from .groups_text import groups_table

    table = groups_table(result)
    lines = [conclusion_of(result), *notes_of(result)]
    return html_table(table.header, table.rows, labels=2, notes=lines)


def sensitivity_html(result: Sensitivity) -> str:
    """The order under every transformation."""
    rows = [[row.transformation, row.swapped, *(result.systems[s] for s in row.order[:4])] for row in result.rows]
    places = ["best", "second", "third", "fourth"][: len(result.systems)]
    header = [f"{result.measure} under", "pairs reversed", *places]
    caption = f"{result.measure} of {quantity(len(result.systems), 'system')}, {quantity(result.topics, 'topic')}"
    return html_table(header, rows, caption=caption, notes=[conclusion_of(result)])


def known_item_html(item: KnownItem) -> str:
    """Table of the items that each system found and of the documents read for them."""
    rows = list(zip(item.systems, item.found.tolist(), item.work.tolist(), item.mrr.tolist(), strict=True))
    header = ["system", f"found of {len(item.questions):,}", "documents read", "mrr"]
    return html_table(header, rows, caption=repr(item), notes=notes_of(item))


def study_html(study: Study) -> str:
    """The same, and what it comes to."""
    return f"{known_item_html(study.item)}<p>{escape(conclusion_of(study))}</p>"


def tuning_html(tuning: Tuning) -> str:
    """Gains with intervals, and what they come to."""
    from .tuning_table import gains_table, notes_on

    listing = gains_table(tuning)
    lines = [conclusion_of(tuning), *notes_on(tuning)]
    return html_table(listing.header, listing.rows, labels=2, caption=f"Tuning {tuning.system}", notes=lines)


def execution_html(execution: Execution) -> str:
    """The main table, what was found, and which systems failed."""
    from .result_files import lines_of_findings, main_table

    failures = [f"{failure} (failed, not shown)" for failure in execution.failures]
    if execution.findings is None:  # they were there before
        lines = "".join(f"<p>{escape(line)}</p>" for line in failures)
        return f"<pre>{html_text(visible(execution.text('table')))}</pre>{lines}"
    table = main_table(execution.findings)
    lines_below = [*failures, *lines_of_findings(execution.findings), str(execution.page)]
    return html_table(table.header, table.rows, labels=table.labels, best=table.best, notes=lines_below)


def notes_of(value: Scores | Comparison | GuardResult | KnownItem | RankGroups | Equivalence) -> list[str]:
    """The notes of a value as sentences."""
    return [str(note) for note in value.notes]


SHOWING: dict[str, Callable[[Any], str]] = {
    "Table": table_html,
    "Scores": scores_html,
    "Hits": hits_html,
    "Comparison": comparison_html,
    "GuardResult": guard_html,
    "Comparisons": comparisons_html,
    "RankGroups": groups_html,
    "JudgeComparison": judges_html,
    "TopicDesign": design_html,
    "JudgingPlan": plan_html,
    "ResultsHistory": history_html,
    "TopicRankings": topic_html,
    "FactorEffects": factors_html,
    "Equivalence": equivalence_html,
    "Sensitivity": sensitivity_html,
    "KnownItem": known_item_html,
    "Study": study_html,
    "Tuning": tuning_html,
    "Execution": execution_html,
}
"""What shows a value, by the name of its class: importing the classes would load every room."""
