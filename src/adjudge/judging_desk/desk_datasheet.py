"""The datasheet of a judged pool, in Markdown: the questions of Gebru and others, answered from what the project knows.

What only its makers know stands in [about] of desk.toml; what nobody said is called not given. Gebru, Morgenstern,
Vecchione, Vaughan, Wallach, Daumé, Crawford, Datasheets for datasets (CACM 2021).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

import numpy as np

from ..core.english import listing, plural, quantity
from ..core.visible import visible_line
from ..pools.pooled_pairs import Pool
from .desk_documents import LONGEST_TEXT
from .desk_figures import RECENT, agreement_of, assessor_figures
from .judgment_book import ASIDE, DIFFERING, SETTLED, JudgmentBook

NAMED = 20


def pool_datasheet(book: JudgmentBook, name: str, files: Sequence[str]) -> str:
    """All sections; ``files`` are those that an export has beside this one."""
    lines = [f"# {_plain(book.rules.about.get('name') or name)}", ""]
    for title, body in (
        ("Motivation", [_about(book, "purpose"), _about(book, "makers"), _about(book, "funding")]),
        ("Composition", [*_composition(book), f"files: {_some(files)}"]),
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


def _relevant(book: JudgmentBook) -> dict[str, int]:
    """{topic: relevant documents}, of what is agreed or settled."""
    found = dict.fromkeys(book.pool.topics, 0)
    for (topic, _), outcome in book.outcomes():
        found[topic] += outcome.grade is not None and outcome.grade >= book.queue.level
    return found


def _composition(book: JudgmentBook) -> list[str]:
    pool, relevant = book.pool, sorted(_relevant(book).values())
    graded = {pair: outcome.grade for pair, outcome in book.outcomes() if outcome.grade is not None}
    grades = Counter(graded.values())
    chosen, allowed = int(pool.to_judge.sum()), int(book.queue.shares.sum())
    size = f"{quantity(len(pool), 'pair')} of a topic and a document {plural(len(pool), 'was', 'were')} pooled"
    if chosen < len(pool):
        size += f", {chosen:,} of them chosen for judging"
    if allowed < chosen:
        size += f", of which the budget lets {allowed:,} be judged"
    has = f"{len(graded):,} {plural(len(graded), 'has', 'have')} a grade"
    if others := sum(not _is_drawn(pool, *pair) for pair in graded):
        has += f", {others:,} of them though not chosen for judging"
    return [
        f"{quantity(len(pool.topics), 'topic')}; {size}; {has}",
        "grades: " + (", ".join(f"{grade}: {count:,}" for grade, count in sorted(grades.items())) or "none"),
        f"relevant documents a topic (grade {book.queue.level} or more): from {relevant[0]:,} to {relevant[-1]:,},"
        f" median {median(relevant):g}",
        f"documents: {_plain(Path(pool.definition.documents).name) or 'not given'}",
    ]


def _is_drawn(pool: Pool, topic: str, document: str) -> bool:
    row = pool.row_of(topic, document)
    return row is not None and bool(pool.to_judge[row])


def _is_sample(pool: Pool) -> bool:
    """Whether chance chose what is judged; a pair that could not be chosen at all has no chance."""
    return bool(np.any((pool.probabilities > 0) & (pool.probabilities < 1)))


def _process(book: JudgmentBook) -> list[str]:
    pool, definition = book.pool, book.pool.definition
    waves = max((run.wave for run in definition.runs), default=1)
    budget = definition.budget
    limits = [
        *([f"{quantity(budget.per_topic, 'pair')} a topic"] if budget.per_topic else []),
        *([f"{quantity(budget.total, 'pair')} in all"] if budget.total else []),
    ]
    lines = [
        f"pooling: {definition.pooling}, seed {definition.seed}, of {quantity(len(pool.runs), 'run')}"
        f" in {quantity(waves, 'wave')}; order of judging: {definition.priority}; budget:"
        f" {' and '.join(limits) or 'none'}. definition.json has all of it; adjudge pool again makes the same pool",
        f"runs: {_some([run.name for run in definition.runs])}",
    ]
    if _is_sample(pool):
        strata = sorted(set(pool.strata[pool.probabilities > 0].tolist()))
        lines.append(f"documents were drawn at random from {quantity(len(strata), 'stratum', 'strata')};"
                     " judgments.jsonl and adjudge pool export have the probabilities")  # fmt: skip
    if whole := pool.whole_topics:
        many = f"{len(whole):,} of {quantity(len(pool.pooled_topics), 'topic')}"
        lines.append(f"{many}, drawn at random, are to be judged whole beside the sample: {_some(whole)};"
                     " adjudge pool export --whole has them")  # fmt: skip
    if events := book.judgments():
        first, last = events[0].at[:10], events[-1].at[:10]
        lines.append(f"judged {f'on {first}' if first == last else f'from {first} to {last}'}, in UTC")
    for figures in (assessor_figures(book, who) for who in book.assessors):
        last_ones = f" of the last {RECENT}" if figures.judged > RECENT else ""
        speed = "" if math.isnan(figures.seconds) else f", {figures.seconds:.0f} s each (median{last_ones})"
        aside = f", {figures.cannot_tell:,} of them cannot tell" if figures.cannot_tell else ""
        lines.append(f"assessor {_plain(figures.who)}: {quantity(figures.judged, 'judgment')}{aside}{speed}")
    return [*lines, *_people(book)]


def _people(book: JudgmentBook) -> list[str]:
    """How many people judged a pair, and how many were to."""
    counts = Counter(len(book.people(pair)) for pair, _ in book.outcomes())
    lines = []
    if counts:
        judged = f"{quantity(counts.total(), 'pair')} {plural(counts.total(), 'was', 'were')} judged"
        by = {n: quantity(n, "person", "people") if n else "an adjudicator alone" for n in sorted(counts)}
        each = listing([f"{counts[n]:,} by {who}" for n, who in by.items()])
        lines.append(f"{judged}: {each}" if len(by) > 1 else f"{judged}, each by {next(iter(by.values()))}")
    rules = book.rules
    if rules.overlap > 0 and rules.people > 1:
        share = f"{100 * rules.overlap:.4g}% of the pairs{' that are not in pairs.tsv' * bool(rules.pairs.people)}"
        lines.append(f"{share}, drawn at random, are to be judged by {rules.people} people each")
    if named := rules.pairs.count:
        several = rules.pairs.shared
        two = f"; {several:,} of them {plural(several, 'has', 'have')} two judges or more" if several else ""
        lines.append(f"pairs.tsv says who judges {quantity(named, 'pair')}{two}")
    return lines


def _agreement(book: JudgmentBook) -> list[str]:
    lines = []
    for result in agreement_of(book):
        alphas = ", ".join(f"{level} {_figure(each.value)}" for level, each in result.alpha.items())
        lines.append(f"{listing([_plain(who) for who in result.judges], NAMED)}: Krippendorff's alpha {alphas}")
        for pair in result.pairs:
            kappas = ", ".join(f"{_weights(weights)}{_figure(each.value)}" for weights, each in pair.kappa.items())
            both = f"{_plain(pair.a)} and {_plain(pair.b)}"
            alike = f"{quantity(pair.common, 'pair')} graded by both, {pair.agreement.value:.1%} of them alike"
            lines.append(f"{both}: {alike}; kappa {kappas}")
    pairs = [(book.people(pair), outcome) for pair, outcome in book.outcomes()]
    if not lines:
        several = sum(len(people) > 1 for people, _ in pairs)
        lines.append(
            f"{quantity(several, 'pair')} {plural(several, 'was', 'were')} judged by several people;"
            " no two of them gave a grade to the same one" if several else "no two people judged the same pair"
        )  # fmt: skip
    settled = [outcome.grade for _, outcome in pairs if outcome.state == SETTLED]
    unsure = f", {settled.count(None):,} of them as cannot tell" if None in settled else ""
    return [*lines, f"settled by an adjudicator: {quantity(len(settled), 'pair')}{unsure}"]


def _figure(value: float) -> str:
    return "not defined" if math.isnan(value) else f"{value:.3f}"


def _weights(name: str) -> str:
    """What goes before a kappa; that without weights is called nothing else."""
    return "" if name == "none" else f"{name} "


def _labels(book: JudgmentBook) -> list[str]:
    scale = [f"grade {each.grade}: {_plain(each.name)}{': ' * bool(each.meaning)}{_plain(each.meaning)}"
             for each in book.rules.grades]  # fmt: skip
    told = "guidelines.md of the project" if book.rules.guidelines else "none but this scale"
    lines = [*scale, f"guidelines: {told}"]
    judged = book.judgments()
    unseen = sum(not each.text for each in judged)
    if unseen < len(judged):
        lines.append(
            "texts were shown as they are, with the words of the topic marked; a longer one was cut after"
            f" {LONGEST_TEXT:,} characters"
        )
    if unseen:
        lines.append(
            f"{quantity(unseen, 'judgment')} {plural(unseen, 'was', 'were')} made without the text of the document"
        )
    return lines


def _gaps(book: JudgmentBook) -> list[str]:
    outcomes = dict(book.outcomes())
    states = Counter(outcome.state for outcome in outcomes.values())
    unsure = sum(each.state == SETTLED and each.grade is None for each in outcomes.values())
    left, few = _left(book), sum(map(len, book.waiting.values()))
    without = [topic for topic, count in _relevant(book).items() if not count]
    outside = sum(book.outside.values())
    lines = [
        f"{quantity(left, 'pair')} that {plural(left, 'is', 'are')} to be judged"
        f" {plural(left, 'has', 'have')} no judgment",
        *([f"{quantity(few, 'pair')} {plural(few, 'waits', 'wait')} for the judgments of more people"] if few else []),
        f"{quantity(states[DIFFERING], 'pair')} without a grade because people differ,"
        f" {quantity(states[ASIDE], 'pair')} of which nobody could tell"
        + (f", {quantity(unsure, 'pair')} of which an adjudicator could not tell" if unsure else ""),
        f"{quantity(len(without), 'topic')} without a relevant document{': ' * bool(without)}{_some(without)}",
        f"{quantity(outside, 'judgment')} of {plural(outside, 'a pair that is', 'pairs that are')} not in the pool"
        " any more,"
        f" {quantity(len(book.bad), 'event')} that cannot be read",
        "documents that no pooled run has near its top were never looked at: adjudge pool gaps says what that may mean",
    ]  # fmt: skip
    missing = [run.name for run in book.pool.definition.runs if not run.digest]
    return lines if not missing else [*lines, f"runs without a digest: {_some(missing)}"]


def _left(book: JudgmentBook) -> int:
    """Pairs that somebody is still to judge: what was chosen, nobody has judged, and the budget allows."""
    chosen: Mapping[str, int] = dict(zip(book.pool.topics, book.pool.sizes.tolist(), strict=True))
    judged = Counter(topic for (topic, document), _ in book.outcomes() if _is_drawn(book.pool, topic, document))
    return sum(min(book.queue.progress(topic).left, size - judged[topic]) for topic, size in chosen.items())


def _uses(book: JudgmentBook) -> list[str]:
    sampled = _is_sample(book.pool)
    how = "adjudge estimate, with the probabilities: plain measures are biased" if sampled else "adjudge measure"
    if book.pool.whole_topics:
        how += "; with the topics that are judged whole (--whole) estimates of ap, ndcg and recall are unbiased"
    return [f"evaluate runs by {how}", "a document without a judgment is not a bad document"]


def _some(names: Sequence[str]) -> str:
    listed = ", ".join(map(_plain, names[:NAMED]))
    return listed if len(names) <= NAMED else f"{listed} and {len(names) - NAMED:,} more"
