"""Tables of boosted technical terms: plain and boosted models side by side, and topics that gained or lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..comparison.gains import CORRECTION, TEST
from ..core.english import p_text, rounded
from ..experiment.term_boosting import MEASURE, TermBoosting
from ..systems.technical_terms import TermUse
from ..words.boosted_terms import conclusions_of
from .text_table import TextTable, json_text, lines_of

SHOWN = 3
"""Terms of a topic in a table; JSON has all."""
FILES = {"technical-terms.txt": "table", "technical-terms.json": "json"}


def main_table(boosting: TermBoosting, digits: int = 4) -> TextTable:
    """A row for each weighting."""
    header = ["weighting", "MAP plain", "MAP boosted", "difference", "relative", "GMAP plain", "GMAP boosted"]
    keys = [*header, "gained", "level", "lost", f"p ({TEST})", f"p ({CORRECTION})"]
    header += ["wins", "ties", "losses", f"p ({TEST})", f"p ({CORRECTION})"]
    rows, exact = [], []
    for weighting, gain in boosting.gains.items():
        counts = [gain.count(way) for way in (1, 0, -1)]
        numbers = [*gain.mean, gain.difference]
        relative = f"{gain.relative:+.1%}" if gain.relative == gain.relative else ""
        rows.append(
            [
                weighting,
                *(rounded(number, digits) for number in numbers),
                relative,
                *(rounded(number, digits) for number in gain.geometric_mean),
                *map(str, counts),
                p_text(gain.raw),
                p_text(gain.p),
            ]
        )
        exact.append([weighting, *numbers, gain.relative, *gain.geometric_mean, *counts, gain.raw, gain.p])
    return TextTable(header, rows, 1, exact=exact, keys=keys)


def topics_table(boosting: TermBoosting, most: int, digits: int = 4) -> TextTable:
    """The topics that gain and lose most, with the terms of their questions."""
    rows, exact = [], []
    for weighting, gain in boosting.gains.items():
        for topic in gain.most_changed(most):
            terms = _terms(boosting.uses.get(topic.topic, ()), boosting.relevant.get(topic.topic, 0))
            labels = [weighting, topic.topic, terms]
            numbers = [topic.before, topic.after, topic.difference]
            rows.append([*labels, *(rounded(number, digits) for number in numbers)])
            exact.append([*labels, *numbers])
    header = ["weighting", "topic", "terms of the question (relevant documents, documents)", "AP plain", "boosted"]
    return TextTable([*header, "difference"], rows, 3, exact=exact)


def _terms(uses: Sequence[TermUse], relevant: int) -> str:
    """Format the terms of a topic: ``boundary_layer (3 of 5, 120)``."""
    if not uses:
        return "no term"
    few = [
        f"{use.term}{f' ×{use.times}' if use.times > 1 else ''} ({use.relevant} of {relevant}, {use.documents:,})"
        for use in uses[:SHOWN]
    ]
    return ", ".join(few) + (f", {len(uses) - SHOWN} more" if len(uses) > SHOWN else "")


def as_text(boosting: TermBoosting, form: str, *, most: int = 5, digits: int = 4, colour: bool = False) -> str:
    """Both tables and the sentences; CSV has the first table only, JSON everything with all digits."""
    if form == "csv":
        return main_table(boosting, digits).csv()
    if form == "json":
        return as_json(boosting)
    topics = topics_table(boosting, most, digits)
    tables = [main_table(boosting, digits), *([topics] if topics.rows else [])]
    pages = [table.form(form, colour=colour) for table in tables]
    lines = [*conclusions_of(boosting), *(f"note: {note}" for note in boosting.notes)]
    return "\n".join([*pages, lines_of(lines, form)])


def as_json(boosting: TermBoosting) -> str:
    """Everything with all digits."""
    weightings = {
        weighting: {
            "plain": {"system": gain.before, "map": gain.mean[0], "gmap": gain.geometric_mean[0]},
            "boosted": {"system": gain.after, "map": gain.mean[1], "gmap": gain.geometric_mean[1]},
            "difference": gain.difference,
            "relative": gain.relative,
            "gained": gain.count(1),
            "level": gain.count(0),
            "lost": gain.count(-1),
            "p": {"test": TEST, "raw": gain.raw, CORRECTION: gain.p},
            "topics": {
                topic.topic: {"plain": topic.before, "boosted": topic.after, "difference": topic.difference}
                for topic in gain.topics
            },
        }
        for weighting, gain in boosting.gains.items()
    }
    questions = {
        topic: {"relevant": boosting.relevant.get(topic, 0), "terms": [use._asdict() for use in uses]}
        for topic, uses in boosting.uses.items()
    }
    lines = {"conclusions": conclusions_of(boosting), "notes": list(map(str, boosting.notes))}
    return json_text({"measure": MEASURE, "weightings": weightings, "questions": questions} | lines)


def boosting_files(most: int, digits: int) -> Callable[[TermBoosting], Mapping[str, bytes]]:
    """Make the files of a boosting experiment, with so many topics and digits in the table."""

    def files(boosting: TermBoosting) -> dict[str, bytes]:
        texts = {name: as_text(boosting, form, most=most, digits=digits) for name, form in FILES.items()}
        return {name: text.encode("utf-8", "replace") for name, text in texts.items()}

    return files
