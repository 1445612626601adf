"""The datasheet of a judged pool, in Markdown: the questions of Gebru and others, answered from what the project knows.

What only its makers know stands in [about] of desk.toml; what nobody said is called not given. Gebru, Morgenstern,
Vecchione, Vaughan, Wallach, Daumé, Crawford, Datasheets for datasets (CACM 2021).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

import numpy as np

from ..core.english import quantity
from ..core.visible import visible_line
from ..pools.judging_queue import QueueProgress
from .desk_figures import agreement_of, assessor_figures
from .judgment_book import AGREED, ASIDE, DIFFERING, SETTLED, JudgmentBook

NAMED = 20


def pool_datasheet(book: JudgmentBook, name: str) -> str:
    """All sections."""
    lines = [f"# {_plain(book.rules.about.get('name') or name)}", ""]
    for title, body in (
        ("Motivation", [_about(book, "purpose"), _about(book, "makers"), _about(book, "funding")]),
        ("Composition", _composition(book)),
        ("Collection process", _process(book)),
        ("Agreement", _agreement(book)),
        ("Preprocessing and labelling", _labels(book)),
        ("Known gaps", _gaps(book)),
        ("Uses", _uses(book)),
        ("Distribution", [_about(book, "licence")]),
        ("Maintenance", [_about(book, "contact")]),
    ):
        lines += [f"## {title}", "", *(f"- {line}" for line in body), ""]
    return "\n".join(lines)


def _plain(text: str) -> str:
    """One line of Markdown that means nothing but itself."""
    return visible_line(text).replace("<", "&lt;").replace("[", "\\[")[:2000]


def _about(book: JudgmentBook, field: str) -> str:
    return f"{field}: {_plain(book.rules.about.get(field, '')) or 'not given'}"


def _progress(book: JudgmentBook) -> list[QueueProgress]:
    return [book.queue.progress(topic) for topic in book.pool.topics]


def _composition(book: JudgmentBook) -> list[str]:
    pool, definition = book.pool, book.pool.definition
    outcomes = [outcome for _, outcome in book.outcomes()]
    grades = Counter(outcome.grade for outcome in outcomes if outcome.grade is not None)
    relevant = sorted(each.relevant for each in _progress(book))
    return [
        f"{quantity(len(pool.topics), 'topic')}; {quantity(len(pool), 'pair')} of a topic and a document were pooled,"
        f" {int(pool.drawn.sum()):,} of them are to be judged, {sum(grades.values()):,} have a grade",
        "grades: " + (", ".join(f"{grade}: {count:,}" for grade, count in sorted(grades.items())) or "none"),
        f"relevant documents a topic (as the order of judging counts them): from {relevant[0]} to {relevant[-1]},"
        f" median {median(relevant):g}",
        f"documents: {_plain(definition.documents) or 'not given'}",
        "files: qrels.txt, by/NAME.qrels, judgments.jsonl, unresolved.jsonl, events.jsonl, definition.json",
    ]


def _process(book: JudgmentBook) -> list[str]:
    pool, definition = book.pool, book.pool.definition
    waves = max((run.wave for run in definition.runs), default=1)
    budget = definition.budget
    limits = [
        *([f"{budget.per_topic:,} pairs a topic"] if budget.per_topic else []),
        *([f"{budget.total:,} pairs in all"] if budget.total else []),
    ]
    lines = [
        f"pooling: {definition.pooling}, seed {definition.seed}, of {quantity(len(pool.runs), 'run')}"
        f" in {quantity(waves, 'wave')}; order of judging: {definition.priority}; budget:"
        f" {' and '.join(limits) or 'none'}. definition.json has all of it; adjudge pool again makes the same pool",
        f"runs: {_some([run.name for run in definition.runs])}",
    ]
    if (pool.probabilities < 1).any():
        strata = sorted(set(pool.strata[pool.probabilities > 0].tolist()))
        lines.append(f"documents were drawn at random from {quantity(len(strata), 'stratum', 'strata')};"
                     " judgments.jsonl and adjudge pool export have the probabilities")  # fmt: skip
    events = book.judgments()
    if events:
        lines.append(f"judged from {events[0].at[:10]} to {events[-1].at[:10]}, in UTC")
    for figures in (assessor_figures(book, who) for who in book.assessors):
        speed = "" if figures.seconds != figures.seconds else f", {figures.seconds:.0f} s each (median of the last)"
        aside = f", {figures.cannot_tell:,} of them cannot tell" if figures.cannot_tell else ""
        lines.append(f"assessor {_plain(figures.who)}: {quantity(figures.judged, 'judgment')}{aside}{speed}")
    share, people = book.rules.overlap, book.rules.people
    lines.append(
        f"{share:.0%} of the pairs, drawn at random, are judged by {people} people each" if share > 0 and people > 1
        else "each pair is judged by one person"
    )  # fmt: skip
    return lines


def _agreement(book: JudgmentBook) -> list[str]:
    lines = []
    for result in agreement_of(book):
        alphas = ", ".join(f"{level} {each.value:.3f}" for level, each in result.alpha.items())
        lines.append(f"{_some(list(result.judges))}: Krippendorff's alpha {alphas}")
        for pair in result.pairs:
            kappas = ", ".join(f"{weights} {each.value:.3f}" for weights, each in pair.kappa.items())
            both = f"{_plain(pair.a)} and {_plain(pair.b)}"
            lines.append(
                f"{both}: {quantity(pair.common, 'pair')} in common, {pair.agreement.value:.1%} alike; kappa {kappas}"
            )
    states = Counter(outcome.state for _, outcome in book.outcomes())
    lines.append(f"settled by an adjudicator: {quantity(states[SETTLED], 'pair')}")
    return lines if len(lines) > 1 else ["no two people judged the same pair", *lines]


def _labels(book: JudgmentBook) -> list[str]:
    scale = [f"grade {each.grade}: {_plain(each.name)}{': ' * bool(each.meaning)}{_plain(each.meaning)}"
             for each in book.rules.grades]  # fmt: skip
    told = "guidelines.md of the project" if book.rules.guidelines else "none but the names of the grades"
    return [*scale, f"guidelines: {told}", "texts were shown as they are; nothing was cleaned or left out"]


def _gaps(book: JudgmentBook) -> list[str]:
    states = Counter(outcome.state for _, outcome in book.outcomes())
    progress = _progress(book)
    judged = states[AGREED] + states[SETTLED]
    open_ = int(book.pool.drawn.sum()) - judged - states[DIFFERING] - states[ASIDE]
    without = [each.topic for each in progress if not each.relevant]
    lines = [
        f"{quantity(max(0, open_), 'pair')} of the pool that are to be judged have no judgment",
        f"{quantity(states[DIFFERING], 'pair')} without a grade because people differ,"
        f" {quantity(states[ASIDE], 'pair')} of which nobody could tell",
        f"{quantity(len(without), 'topic')} without a relevant document{': ' * bool(without)}{_some(without)}",
        f"{quantity(sum(book.outside.values()), 'judgment')} of pairs that are not in the pool any more,"
        f" {quantity(len(book.bad), 'event')} that cannot be read",
        "documents that no pooled run has near its top were never looked at: adjudge pool gaps says what that may mean",
    ]
    missing = [run.name for run in book.pool.definition.runs if not run.digest]
    return lines if not missing else [*lines, f"runs without a digest: {_some(missing)}"]


def _uses(book: JudgmentBook) -> list[str]:
    sampled = bool(np.any(book.pool.probabilities < 1))
    how = "adjudge estimate, with the probabilities: plain measures are biased" if sampled else "adjudge measure"
    return [f"evaluate runs by {how}", "a document without a judgment is not a bad document"]


def _some(names: Sequence[str]) -> str:
    listed = ", ".join(map(_plain, names[:NAMED]))
    return listed if len(names) <= NAMED else f"{listed} and {len(names) - NAMED:,} more"
