"""What boosted technical terms did: plain and boosted models side by side, and topics that gained or lost by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..comparison.paired import corrections, paired_tests
from ..comparison.verdict import ALPHA
from ..core.english import p_text
from ..core.note import Note
from ..experiment.findings import Finding
from .table import Table, json_text, rounded, said

if TYPE_CHECKING:
    from ..systems.parts.version import Version
    from ..systems.technical_terms import TechnicalTerms

MEASURE = "ap"
SHOWN = 3
"""Terms of a topic in a table; JSON has all."""
TEST, CORRECTION = "wilcoxon", "holm"


class Models(NamedTuple):
    """A weighting, and the systems that use it on plain and on boosted texts, by their names in the plan."""

    weighting: str
    plain: str
    boosted: str


class Use(NamedTuple):
    """A term of a question: how often it is there, and how many documents and relevant documents have it."""

    term: str
    times: int
    documents: int
    relevant: int


@dataclass(frozen=True)
class Change:
    """A topic under both models."""

    topic: str
    plain: float
    boosted: float

    @property
    def difference(self) -> float:
        return self.boosted - self.plain


@dataclass(frozen=True)
class Gain:
    """One pair of models: their figures, and whether the difference is more than chance may give."""

    models: Models
    map: tuple[float, float]
    """Mean average precision, plain and boosted."""
    gmap: tuple[float, float]
    """Its geometric mean, as trec_eval has it."""
    changes: tuple[Change, ...]
    """All topics, as the scores have them."""
    raw: float
    p: float
    """Corrected for the number of pairs; NaN with one topic."""

    @property
    def difference(self) -> float:
        return self.map[1] - self.map[0]

    @property
    def relative(self) -> float:
        return self.difference / self.map[0] if self.map[0] else float("nan")

    def ranked(self, most: int) -> list[Change]:
        """The topics that gain most, then those that lose most; topics without a difference are in neither."""
        order = sorted(self.changes, key=lambda change: -change.difference)
        gained = [change for change in order if change.difference > 0][:most]
        return gained + [change for change in reversed(order) if change.difference < 0][:most]

    def count(self, way: int) -> int:
        """Topics that gain (+1), lose (-1), or neither (0)."""
        return sum((c.boosted > c.plain) - (c.boosted < c.plain) == way for c in self.changes)


def gains(found: Finding, pairs: Sequence[Models]) -> tuple[Gain, ...]:
    """Each pair compared on average precision by Wilcoxon's test, p corrected by Holm over the pairs."""
    scores = found.scores
    column = [c.name for c in scores.columns].index(MEASURE)
    place = {name: s for s, name in enumerate(scores.systems)}
    rows = np.array([[place[pair.boosted], place[pair.plain]] for pair in pairs])
    values = np.asarray(scores.values[:, :, column], np.float64)
    raw = np.full(len(pairs), np.nan)
    if values.shape[1] > 1:
        raw = np.asarray(paired_tests.parse(TEST)(values, rows), np.float64)
    p = corrections.parse(CORRECTION)(raw) if values.shape[1] > 1 else raw
    made = []
    for pair, (boosted, plain), own, corrected in zip(pairs, rows.tolist(), raw.tolist(), p.tolist(), strict=True):
        mean, gm = (found.figures[by][[plain, boosted], column].tolist() for by in ("mean", "gm"))
        both = zip(scores.topics, values[plain].tolist(), values[boosted].tolist(), strict=True)
        changes = tuple(Change(*each) for each in both)
        made.append(Gain(pair, (mean[0], mean[1]), (gm[0], gm[1]), changes, own, corrected))
    return tuple(made)


def uses(
    system: TechnicalTerms, version: Version, questions: Mapping[str, str], relevant: Mapping[str, Sequence[str]]
) -> dict[str, tuple[Use, ...]]:
    """The terms of each question, and where they stand: why a topic gains or loses by them."""
    found = system.explain(version, questions)
    index = system.index(version, system.attribution(version))
    known = dict(zip(index.ids, range(len(index)), strict=True))
    holders: dict[str, frozenset[int]] = {}
    for term in dict.fromkeys(term for own in found.values() for term in own):
        number = index.number(next(iter(index.analyzer.terms(term)), ""))
        holders[term] = frozenset(index.postings(number)[0].tolist()) if number >= 0 else frozenset()
    made = {}
    for topic, own in found.items():
        targets = frozenset(known[document] for document in relevant.get(topic, ()) if document in known)
        made[topic] = tuple(
            Use(term, times, len(holders[term]), len(holders[term] & targets)) for term, times in own.items()
        )
    return made


def main_table(found: Sequence[Gain], digits: int = 4) -> Table:
    """A row for each weighting."""
    header = ["weighting", "MAP plain", "MAP boosted", "difference", "relative", "GMAP plain", "GMAP boosted"]
    header += ["gained", "level", "lost", f"p ({TEST})", f"p ({CORRECTION})"]
    rows, exact = [], []
    for gain in found:
        counts = [gain.count(way) for way in (1, 0, -1)]
        numbers = [*gain.map, gain.difference]
        relative = f"{gain.relative:+.1%}" if gain.relative == gain.relative else ""
        rows.append(
            [
                gain.models.weighting,
                *(rounded(number, digits) for number in numbers),
                relative,
                *(rounded(number, digits) for number in gain.gmap),
                *map(str, counts),
                p_text(gain.raw),
                p_text(gain.p),
            ]
        )
        exact.append([gain.models.weighting, *numbers, gain.relative, *gain.gmap, *counts, gain.raw, gain.p])
    return Table(header, rows, 1, exact=exact)


def topics_table(
    found: Sequence[Gain], why: Mapping[str, Sequence[Use]], targets: Mapping[str, int], most: int, digits: int = 4
) -> Table:
    """The topics that gain and lose most, with the terms of their questions."""
    rows, exact = [], []
    for gain in found:
        for change in gain.ranked(most):
            told = _told(why.get(change.topic, ()), targets.get(change.topic, 0))
            labels = [gain.models.weighting, change.topic, told]
            numbers = [change.plain, change.boosted, change.difference]
            rows.append([*labels, *(rounded(number, digits) for number in numbers)])
            exact.append([*labels, *numbers])
    header = ["weighting", "topic", "terms of the question (relevant documents, documents)", "AP plain", "boosted"]
    return Table([*header, "difference"], rows, 3, exact=exact)


def _told(own: Sequence[Use], targets: int) -> str:
    """Such as ``boundary_layer (3 of 5, 120)``."""
    if not own:
        return "no term"
    few = [
        f"{use.term}{f' ×{use.times}' if use.times > 1 else ''} ({use.relevant} of {targets}, {use.documents:,})"
        for use in own[:SHOWN]
    ]
    return ", ".join(few) + (f", {len(own) - SHOWN} more" if len(own) > SHOWN else "")


def sentences(found: Sequence[Gain], why: Mapping[str, Sequence[Use]], terms: int) -> Iterator[str]:
    """What it comes to in words."""
    topics = [change.topic for change in found[0].changes]
    with_terms = [topic for topic in topics if why.get(topic)]
    known = _number(terms, "term")
    yield f"{known}; {len(with_terms):,} of {_number(len(topics), 'question')} with one or more of them."
    for gain in found:
        name, way = gain.models.weighting, "better" if gain.difference > 0 else "worse"
        if not gain.count(1) and not gain.count(-1):
            yield f"{name}: boosted terms change no topic."
        elif gain.p < ALPHA:
            yield f"{name}: boosted terms make it {way}: {gain.difference:+.4f} in MAP, p = {p_text(gain.p)}."
        else:
            of = "with one topic nothing can be tested" if gain.p != gain.p else f"p = {p_text(gain.p)}"
            yield f"{name}: the difference of {gain.difference:+.4f} in MAP may be chance: {of}."
        parts = []
        for label, chosen in (("with", True), ("without", False)):
            own = [change.difference for change in gain.changes if bool(why.get(change.topic)) is chosen]
            if own:
                parts.append(f"{np.mean(own):+.4f} on {_number(len(own), 'topic')} {label} a term")
        yield f"{name}: {', '.join(parts)}."


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def as_text(
    found: Sequence[Gain],
    why: Mapping[str, Sequence[Use]],
    targets: Mapping[str, int],
    terms: int,
    notes: Sequence[Note],
    form: str,
    *,
    most: int = 5,
    digits: int = 4,
    colour: bool = False,
) -> str:
    """Both tables and the sentences; CSV has the first table only, JSON everything with all digits."""
    if form == "csv":
        return main_table(found, digits).csv()
    lines = list(sentences(found, why, terms))
    if form == "json":
        return as_json(found, why, targets, lines, notes)
    topics = topics_table(found, why, targets, most, digits)
    tables = [main_table(found, digits), *([topics] if topics.rows else [])]
    pages = [table.form(form, colour=colour) for table in tables]
    return "\n".join([*pages, said([*lines, *(f"note: {line}" for line in notes)], form)])


def as_json(
    found: Sequence[Gain],
    why: Mapping[str, Sequence[Use]],
    targets: Mapping[str, int],
    lines: Sequence[str],
    notes: Sequence[Note],
) -> str:
    weightings = {
        gain.models.weighting: {
            "plain": {"system": gain.models.plain, "map": gain.map[0], "gmap": gain.gmap[0]},
            "boosted": {"system": gain.models.boosted, "map": gain.map[1], "gmap": gain.gmap[1]},
            "difference": gain.difference,
            "relative": gain.relative,
            "gained": gain.count(1),
            "level": gain.count(0),
            "lost": gain.count(-1),
            "p": {"test": TEST, "raw": gain.raw, CORRECTION: gain.p},
            "topics": {
                change.topic: {"plain": change.plain, "boosted": change.boosted, "difference": change.difference}
                for change in gain.changes
            },
        }
        for gain in found
    }
    questions = {
        topic: {"relevant": targets.get(topic, 0), "terms": [use._asdict() for use in own]}
        for topic, own in why.items()
    }
    told = {"conclusions": list(lines), "notes": list(map(str, notes))}
    return json_text({"measure": MEASURE, "weightings": weightings, "questions": questions} | told)
