"""Answer the question of an experiment in a paragraph: which system is best, by how much, how sure, and what if.

A reader who knows no statistics should understand it; names of tests, corrections and coefficients come later.
"""

from __future__ import annotations

import math

from ..core.english import figure, plural, quantity
from ..core.errors import AdjudgeError
from ..core.measure import measures
from ..core.scores import Column
from ..experiment.findings import Findings, VersionFindings
from ..experiment.observations import Standing, average_leaders, other_leaders, standing
from .speech import Name, named_list, sentence

CLEAN = "true"
"""What plans call the version with the clean text."""
USUAL_NAMES = {"ap": "mean average precision (MAP)", "rr": "mean reciprocal rank (MRR)"}
"""Means that have a name of their own."""


@sentence
def measure_phrase(column: Column) -> str:
    """Name a measure in full: ``mean reciprocal rank (MRR)``, ``mean precision at 10 (p@10)``."""
    if column.average != "mean":
        return column.name
    usual = USUAL_NAMES.get(column.name)
    if usual is not None:
        return usual
    try:
        title, colon, _ = type(measures.parse(column.measure)).summary().partition(":")
    except AdjudgeError:
        title, colon = "", ""
    if not colon or len(title) > 60:
        return f"mean {column.name}"
    title = title if title[1:2].isupper() or title[1:2] == "-" else f"{title[:1].lower()}{title[1:]}"
    _, at, cutoff = column.measure.partition("@")
    return f"mean {title.replace('at k', f'at {cutoff}') if at else title.removesuffix(' at k')} ({column.name})"


@sentence
def on_version(version: str) -> list[str]:
    """Say on which version of the documents: ``on the clean text``, ``on version 5 %``."""
    return ["on the clean text"] if version == CLEAN else ["on version ", Name(version)]


@sentence
def headline(findings: Findings) -> list[str]:
    """Say which system is best and by how much."""
    return _best(findings, findings.first, standing(findings.first))


@sentence
def certainty(findings: Findings) -> list[str]:
    """Say how sure that is, and whether anything that was tried would change it."""
    part, now = findings.first, standing(findings.first)
    text = [*_certainty(part, now), *_alternatives(findings, part, now)]
    return [text[0].lstrip(), *text[1:]] if text[0].strip() else text[1:]


def _best(findings: Findings, part: VersionFindings, now: Standing) -> list[str]:
    measure = measure_phrase(part.column)
    if math.isnan(now.mean):
        return [f"No system has a value of {measure}."]
    over = f" over {quantity(len(part.topics), 'topic')}"
    where = [" ", *on_version(part.version)] if findings.several else []
    if len(part.ranked) == 1:
        return [Name(part.best), f" reaches a {measure} of {figure(now.mean)}{over}", *where, "."]
    if len(now.best) == len(part.ranked):
        both = "Both" if len(part.ranked) == 2 else f"All {len(part.ranked)}"
        return [f"{both} systems have the same {measure}", *where, f": {figure(now.mean)}{over}."]
    end, more = ("lowest", "less") if part.direction < 0 else ("highest", "more")
    has = plural(len(now.best), "has", "share")
    text = [*named_list(now.best, 4), f" {has} the {end} {measure}", *where, f": {figure(now.mean)}{over}"]
    return [*text, f", {figure(now.lead)} {more} than ", Name(now.following), "."] if now.following else [*text, "."]


def _certainty(part: VersionFindings, now: Standing) -> list[str]:
    if len(part.ranked) == 1:
        return [" There is no other system to compare it with."]
    if part.comparison is None or not part.comparison.differences:
        why = "One topic is" if len(part.topics) < 2 else "Incomplete scores are"
        return [f" {why} not enough to test whether that would hold on other topics."]
    best: list[str] = [Name(part.best)] if len(now.best) > 1 else ["It"]
    if len(now.same) == len(part.ranked) - 1:
        return [" They have the same value on every topic."]
    if part.baseline and part.baseline != part.best:
        return _against_baseline(part, best)
    text: list[str] = []
    undecided = [system for system in now.undecided if system not in now.same]
    if now.same:
        are = plural(len(now.same), "has", "have")
        text += [" ", *named_list(now.same, 4), f" {are} the same value as ", Name(part.best), " on every topic."]
    if undecided:
        could = "it" if len(undecided) == 1 else "one of them"
        text += [" ", *best, " is not significantly different from ", *named_list(undecided, 4)]
        text += [f", so with other topics {could} could come first."]
    if now.worse:
        also = " also" if now.same and not undecided else ""
        others = plural(len(now.worse), "the other system", f"the other {len(now.worse)} systems")
        whom = named_list(now.worse, 4) if len(now.worse) == now.compared == 1 else [others]
        if not undecided and not now.same and len(now.worse) == now.compared > 1:
            whom = ["every other system"]
        text += [" ", *best, f" is{also} significantly better than ", *whom]
        text += [": differences this large are unlikely to come from the choice of topics." if not undecided else "."]
    if now.better:
        text += [" The test sees ", *named_list(now.better, 4), " significantly ahead on most topics, although "]
        text += [plural(len(now.better), "its mean is", "their means are"), " not better."]
    return text


def _against_baseline(part: VersionFindings, best: list[str]) -> list[str]:
    verdict = part.verdict(part.best)
    against = ["the baseline ", Name(part.baseline)]
    if verdict is None:
        return [" It was not compared with ", *against, "."]
    if verdict > 0:
        return [" ", *best, " is significantly better than ", *against, "."]
    if verdict < 0:
        return [" The test sees ", *against, " significantly ahead on most topics, although its mean is not better."]
    return [" ", *best, " is not significantly different from ", *against, "."]


def _alternatives(findings: Findings, part: VersionFindings, now: Standing) -> list[str]:
    """Say whether other measures, scales and versions put another system first."""
    if len(part.ranked) < 2 or math.isnan(now.mean) or len(now.best) == len(part.ranked):
        return []
    kept: list[list[str]] = []
    changed: list[list[str]] = []
    others = other_leaders(part)
    count = sum(map(len, others.leaders.values()))
    if others.measures:
        of = quantity(others.measures, "other measure")
        if count:
            which = "the other measure" if others.measures == 1 else f"{count} of {of}"
            changed.append([f"{which} {plural(count, 'puts', 'put')} another system first"])
        else:
            kept.append([f"by {'the' if others.measures == 1 else 'all'} {of}"])
    rivals = part.sensitivity.rivals if part.sensitivity is not None else ()
    averages = {spec: system for spec, system in average_leaders(part).items() if system not in now.best}
    if rivals:
        can = "can come first when topics are averaged in another way"
        changed.append([*named_list(rivals, 3), f" {can}"])
    elif averages:
        spec, system = next(iter(averages.items()))
        changed.append([Name(system), f" has the best {average_name(spec)}"])
    elif part.sensitivity is not None and part.sensitivity.pairs:
        kept.append(["under every other average tried"])
    elsewhere = [(other.version, other.best) for other in findings.parts[1:]]
    moved = [(version, leader) for version, leader in elsewhere if leader not in now.best]
    for leader in list(dict.fromkeys(leader for _, leader in moved))[:2]:
        own = [version for version, other in moved if other == leader]
        where = on_version(own[0]) if len(own) == 1 else ["on versions ", *named_list(own, 4)]
        changed.append([Name(leader), " comes first ", *where])
    if elsewhere and not moved:
        kept.append([f"on {plural(len(elsewhere), 'the other version', 'all other versions')} of the documents"])
    text: list[str] = []
    if kept:
        who = "It" if len(now.best) == 1 else "One of them"
        text += [f" {who} also comes first ", *_joined(kept), "."]
    if changed:
        text += [" However, ", *_joined(changed), "."]
    return text


def average_name(spec: str) -> str:
    """Name an average in a sentence: ``median``, ``mean over its worst topics``."""
    name = spec.partition("(")[0]
    return {"gm": "geometric mean", "worst": "mean over its worst topics"}.get(name, spec)


def _joined(parts: list[list[str]]) -> list[str]:
    text = list(parts[0])
    for place, part in enumerate(parts[1:], 2):
        text += [" and " if place == len(parts) else ", ", *part]
    return text
