"""The values that the script needs to redraw charts and lists, as JSON inside the page.

When there is too much, the main measure of every version comes first, then other measures in their order, whole, while
the limit lasts; if the main measure alone is too much, the best systems of the first version. Questions are cut. The
page says what was left out.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np

from ...comparison.matrix import mean_of_known
from ...core.judged import Floats
from ...experiment.findings import Findings, VersionFindings
from ...experiment.observations import prominent_systems
from ...words.omissions import ends_of_questions, lists_of_topics, values_of_measures, values_of_systems
from ..figures.series import slot_of
from .grade_marks import is_graded
from .parts import definition, version_label
from .safe_markup import Html, beginning_of, clean, shorten_middle

MOST_VALUES = 320_000
"""Of systems × topics × measures × versions: about 1.6 MB."""

MOST_TEXT = 500_000
"""Characters of questions."""

MOST_PAIRS = 40_000
"""Pairs whose p is kept, over all versions."""

MOST_RANKS = 36_000
"""Ranks in the ranked lists of all versions."""

CHARS = 240
DIGITS = 4


def page_data(findings: Findings, left_out: list[str]) -> Html:
    """A data block: it is never run, and holds no character that could end it."""
    return data_block(content(findings, left_out))


def data_block(data: object) -> Html:
    """Data for the script, as JSON."""
    return Html(f'<script type="application/json" id="data">{safe_json(data)}</script>')


def safe_json(data: object) -> str:
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def content(findings: Findings, left_out: list[str]) -> dict[str, Any]:
    systems = kept_systems(findings)
    measures = kept_measures(findings, len(systems))
    if len(systems) < len(findings.systems):
        left_out.append(values_of_systems(len(systems)))
    if len(measures) < len(findings.measures):
        left_out.append(values_of_measures(len(findings.measures) - len(measures)))
    topics = findings.topics
    chars = min(CHARS, MOST_TEXT // max(1, len(topics)))
    if chars < CHARS and findings.questions:
        left_out.append(ends_of_questions(chars if chars >= 20 else 0))
    pairs = sum(len(view.comparison.differences) for view in findings.parts if view.comparison)
    prominent, listed = prominent_systems(findings), listed_documents(findings, systems, left_out)
    return {
        "systems": [shorten_middle(system, 200) for system in systems],
        "topics": [shorten_middle(topic, 100) for topic in topics],
        "questions": [beginning_of(findings.question(topic), chars) if chars >= 20 else "" for topic in topics],
        "colours": [slot_of(prominent, system) for system in systems],
        "pair": [systems.index(system) for system in findings.first.main_pair or ()],
        "documents": listed.documents,
        "level": findings.level,
        "graded": is_graded(findings),
        "grades": listed.grades,
        "versions": [
            _version(findings, view, systems, measures, with_p=pairs <= MOST_PAIRS) | {"lists": lists}
            for view, lists in zip(findings.parts, listed.versions, strict=True)
        ],
    }


class Listed(NamedTuple):
    """Ranked lists for the script: documents by number."""

    documents: list[list[str]]
    """Id, title and first words of each document."""
    grades: dict[int, dict[int, int]]
    """By number of topic and document."""
    versions: list[dict[int, list[list[int]]]]
    """For each version by number of topic: the documents of each of its systems."""


def listed_documents(findings: Findings, systems: list[str], left_out: list[str]) -> Listed:
    """The ranked lists of all versions, as many as there is room for."""
    numbers: dict[str, int] = {}
    place = {topic: t for t, topic in enumerate(findings.topics)}
    room, versions = MOST_RANKS, list[dict[int, list[list[int]]]]()
    for view in findings.parts:
        own: dict[int, list[list[int]]] = {}
        rows = [view.place[system] for system in systems if system in view.place]
        for topic, lists in view.lists.items():
            room -= sum(len(lists[s]) for s in rows)
            if room < 0:
                break
            own[place[topic]] = [[numbers.setdefault(name, len(numbers)) for name in lists[s]] for s in rows]
        versions.append(own)
    if room < 0:
        left_out.append(lists_of_topics())
    documents = []
    for name in numbers:
        title, words = findings.extracts.get(name, ("", ""))
        documents.append([shorten_middle(name, 100), clean(title), clean(words.removeprefix(name).strip())])
    grades = {
        place[topic]: {numbers[name]: grade for name, grade in known.items() if name in numbers}
        for topic, known in findings.grades.items()
        if topic in place
    }
    return Listed(documents, grades, versions)


def kept_systems(findings: Findings) -> list[str]:
    """Choose as many of the best systems as there is room for, and the two that are shown first."""
    each = sum(len(view.topics) for view in findings.parts)
    most = max(2, MOST_VALUES // max(1, each))
    if most >= len(findings.systems):
        return list(findings.systems)
    shown = findings.first.main_pair or ()
    others = [system for system in findings.systems if system not in shown]
    included = {*shown, *others[: most - len(shown)]}
    return [system for system in findings.systems if system in included]


def kept_measures(findings: Findings, systems: int) -> list[str]:
    """The main measure of the first version, then others while there is room for them on all versions."""
    each = systems * sum(len(view.topics) for view in findings.parts)
    numbers = [name for name in findings.measures if not _is_text(findings, name)]
    return numbers[: max(1, MOST_VALUES // max(1, each))]


def _is_text(findings: Findings, name: str) -> bool:
    return findings.measures[name].measure in findings.first.scores.texts


def _version(
    findings: Findings, view: VersionFindings, systems: list[str], measures: list[str], *, with_p: bool
) -> dict[str, Any]:
    here = [s for s, system in enumerate(systems) if system in view.place]
    rows = [view.place[systems[s]] for s in here]
    place = {topic: t for t, topic in enumerate(findings.topics)}
    names = view.scores.measures
    included = [m for m, name in enumerate(names) if name in measures]
    data: dict[str, Any] = {
        "name": shorten_middle(view.version, 100),
        "label": shorten_middle(version_label(view), 100),
        "main": included.index(view.measure) if view.measure in included else 0,
        "systems": here,
        "topics": None if view.topics == findings.topics else [place[topic] for topic in view.topics],
        "measures": _without_repetition([_measure(view, m, rows) for m in included]),
    }
    comparison = view.comparison
    if comparison and with_p:
        index = {system: s for s, system in enumerate(systems)}
        data["test"], data["correction"] = clean(comparison.tests[0]), clean(comparison.corrections[0])
        data["compared"] = len(comparison.differences)
        data["p"] = [
            [
                *(index[d.a], index[d.b], float(f"{d.p[0]:.2g}"), float(f"{d.raw[0]:.2g}")),
                None if np.isnan(d.effect) else float(f"{d.effect:.4g}"),
            ]
            for d in comparison.differences
            if d.a in index and d.b in index and not np.isnan(d.p[0])
        ]
    if view.study is not None:
        item = view.study.item
        data["study"] = {
            "systems": [shorten_middle(system, 200) for system in item.systems],
            "found": item.found.tolist(),
            "work": item.work.tolist(),
            "questions": len(item.questions),
        }
    return data


def _without_repetition(measures: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Values that a measure before has already are replaced by its number: with one relevant document most have."""
    seen: dict[str, int] = {}
    for number, measure in enumerate(measures):
        first = seen.setdefault(json.dumps([measure["scale"], measure["values"]]), number)
        if first < number:
            measure["values"] = first
    return measures


def _measure(view: VersionFindings, m: int, rows: list[int]) -> dict[str, Any]:
    column = view.scores.columns[m]
    values: Floats = view.scores.values[rows, :, m]
    scale = scale_of(values)
    numbers = [[None if x is None else int(x) for x in row] for row in _whole(values * scale)]
    return {
        "name": shorten_middle(column.name, 60),
        "about": clean(definition(column)),
        "better": column.better,
        "scale": scale,
        "means": [float(f"{x:.6g}") if np.isfinite(x) else None for x in mean_of_known(values).tolist()],
        "values": numbers,
    }


def _whole(values: Floats) -> list[list[Any]]:
    fine = np.isfinite(values)
    whole = np.rint(np.where(fine, values, 0)).astype(object)
    whole[~fine] = None
    rows: list[list[Any]] = whole.tolist()
    return rows


def scale_of(values: Floats) -> float:
    """The factor that makes values whole numbers: 1 for counts, 10⁴ for shares, and five digits of others."""
    known = values[np.isfinite(values)]
    largest = float(np.abs(known).max(initial=0.0))
    if largest == 0 or (largest < 1e9 and (known == np.rint(known)).all()):
        return 1.0
    power = 0 if 0.1 <= largest < 10 else int(np.floor(np.log10(largest)))
    return float(10.0 ** min(300, max(-300, DIGITS - power)))
