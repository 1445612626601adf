"""Findings to make pages of: small and plain, hostile, large, bare."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from adjudge.comparison.compare import compare
from adjudge.comparison.known_item.question_bootstrap import bootstrap
from adjudge.comparison.known_item.ranks import KnownItem
from adjudge.comparison.known_item.study import Study
from adjudge.comparison.rank_groups import rank_groups
from adjudge.comparison.scale.sensitivity import sensitivity
from adjudge.core.note import Note
from adjudge.core.scores import Column, Scores
from adjudge.experiment.findings import DocumentExtract, Findings, Provenance, StepCost, VersionErrors, VersionFindings

LENGTH = 40
TOPICS = tuple(f"q{n}" for n in range(1, 13))

HOSTILE = (
    "<script>alert('run')</script>",
    "\"><img src=x onerror=alert('img')>",
    "</script><script>alert('data')</script>",
    "{{constructor}} ${alert(1)} 'quoted' \u202eturned",
    "ends with a\x00zero, \udc80 and \ud800, \u2028 too",
    "<!-- --> ]]> &lt;b&gt; &amp; " + "long" * 120,
)
"""Names that somebody may give to a run, a topic, a document, a version."""


def known_items(
    systems: Sequence[str] = ("alpha", "beta", "gamma"),
    topics: Sequence[str] = TOPICS,
    versions: Mapping[str, VersionErrors | None] | None = None,
    seed: int = 0,
) -> Findings:
    """Known-item search: ranks drawn by the seed, later systems and later versions worse."""
    rng = np.random.default_rng(seed)
    made = {}
    for v, (version, errors) in enumerate((versions or {"true": None}).items()):
        level = 1 + 2 * v + 8 * np.arange(len(systems))[:, None]
        ranks = np.minimum(np.ceil(rng.exponential(level, (len(systems), len(topics)))).astype(int), LENGTH)
        ranks[0, : 1 + v] = 0  # the first misses something that others find late, so that prices matter
        made[version] = of_ranks(version, systems, topics, ranks, errors)
    return Findings(
        title="Known items",
        versions=made,
        questions={topic: f"where is the {topic} thing?" for topic in topics},
        relevant={topic: (f"target-{topic}",) for topic in topics},
        documents=5000,
        provenance=Provenance(
            software={"adjudge": "0.1.0", "python": "3.11"},
            plan={"seed": 0, "measures": ["rr", "success@1"], "noise": {"rate": 0.05, "scan": True}},
            inputs={"topics": "0123abcd"},
            systems=dict.fromkeys(systems, "bm25(k1=0.9)"),
            steps=(StepCost("alpha on true", 1.5, 120.0), StepCost("scores", 0.25, 90.0)),
        ),
        extracts={
            f"target-{topic}": DocumentExtract(f"about {topic}", f"the beginning of {topic}") for topic in topics
        },
        grades={topic: {f"target-{topic}": 1, "other-0": 0, "other-1": 0} for topic in topics},
        runs={
            version: {system: f"runs/{n}/{s}.run.zst" for s, system in enumerate(systems)}
            for n, version in enumerate(made)
        },
        notes=spoken("a note about the whole"),
    )


def of_ranks(
    version: str, systems: Sequence[str], topics: Sequence[str], ranks: np.ndarray, errors: VersionErrors | None = None
) -> VersionFindings:
    """What is found about ranks: computed once, and each time an object of its own, whose fields may be changed."""
    given = tuple(map(tuple, ranks.tolist()))
    return copy.copy(_of_ranks(version, tuple(systems), tuple(topics), given, errors))


@cache
def _of_ranks(
    version: str,
    systems: tuple[str, ...],
    topics: tuple[str, ...],
    given: tuple[tuple[int, ...], ...],
    errors: VersionErrors | None,
) -> VersionFindings:
    ranks = np.array(given)
    item = KnownItem.of_ranks(
        {system: [int(r) or None for r in row] for system, row in zip(systems, ranks, strict=True)},
        length=LENGTH,
        questions=topics,
    )
    values = np.stack([item.reciprocal_ranks, ranks == 1, (ranks > 0) & (ranks <= 10), item.efforts], axis=2)
    columns = (
        Column("rr", "rr"),
        Column("success@1", "success@1"),
        Column("success@10", "success@10"),
        Column("rank", "rank", better="low"),
    )
    first = tuple(
        tuple(f"target-{topic}" if rank == 1 else f"other-{rank % 3}" for topic, rank in zip(topics, row, strict=True))
        for row in ranks
    )
    lists = {
        topic: tuple((row[t], *(f"{topic}-{n}" for n in range(s + 3))) for s, row in enumerate(first))
        for t, topic in enumerate(topics)
    }
    drawn = bootstrap(item, np.random.default_rng(0), samples=100, ratios=(10.0,))
    return _finding(
        Scores(values.astype(float), tuple(systems), tuple(topics), columns),
        *(version, lists, np.repeat(item.mrr[:, None], 11, axis=1)),
        study=Study(item, ratios=(10.0,), bootstrap=drawn),
        errors=errors,
    )


def _finding(
    scores: Scores,
    version: str,
    lists: Mapping[str, tuple[tuple[str, ...], ...]],
    precision: np.ndarray,
    *,
    study: Study | None = None,
    errors: VersionErrors | None = None,
) -> VersionFindings:
    main = scores.measures[0]
    several = len(scores.systems) > 1 and len(scores.topics) > 1
    means = scores.values.mean(axis=1)
    half = 1.96 * scores.values.std(axis=1) / np.sqrt(max(1, len(scores.topics)))
    ends = np.stack([means - half, means + half], axis=2)
    count = len(scores.columns)
    agreement = np.eye(count) * 0.5 + 0.5
    return VersionFindings(
        version=version,
        scores=scores,
        main=main,
        figures={"mean": means, "median": np.median(scores.values, axis=1), "worst": scores.values.min(axis=1)},
        intervals=ends if len(scores.topics) > 1 else np.full_like(ends, np.nan),
        comparison=compare(scores, main) if several else None,
        groups=rank_groups(scores, main, samples=50) if several else None,
        sensitivity=sensitivity(scores, main, steps=4) if several else None,
        study=study,
        precision=precision,
        agreement=agreement,
        errors=errors,
        answered=(len(scores.topics),) * len(scores.systems),
        unjudged=tuple(0.1 * s for s in range(len(scores.systems))) if len(scores.systems) < 10 else (),
        lists=lists,
        notes=spoken("a note of the version"),
    )


def noisy() -> Findings:
    versions = {"true": VersionErrors(0.0, 0.0), "5 %": VersionErrors(0.05, 0.12), "20 %": VersionErrors(0.2, 0.4)}
    return known_items(versions=versions)


def spoken(*texts: str) -> tuple[Note, ...]:
    """Notes whose sentences are these texts."""
    return tuple(Note.of("comparison_impossible", why=text) for text in texts)


def hostile() -> Findings:
    """Everything that comes from files is an attack."""
    made = known_items(HOSTILE[:4], HOSTILE + tuple(f"t{n}" for n in range(6)), {HOSTILE[1]: None, HOSTILE[5]: None})
    for finding in made.versions.values():
        scores = finding.scores
        columns = (*scores.columns[:3], Column(HOSTILE[0], HOSTILE[2], better="low"))
        changed = Scores(scores.values, scores.systems, scores.topics, columns)
        object.__setattr__(finding, "scores", changed)
        object.__setattr__(finding, "lists", dict.fromkeys(scores.topics, (HOSTILE,) * len(scores.systems)))
        object.__setattr__(finding, "notes", spoken(*HOSTILE))
    return replace(
        made,
        title=HOSTILE[2],
        questions={topic: HOSTILE[n % len(HOSTILE)] for n, topic in enumerate(made.questions)},
        relevant=dict.fromkeys(made.questions, HOSTILE),
        extracts={name: DocumentExtract(text, text) for name, text in zip(HOSTILE, HOSTILE[::-1], strict=True)},
        notes=spoken(*HOSTILE),
        provenance=Provenance(
            dict.fromkeys(HOSTILE, HOSTILE[0]),
            {HOSTILE[0]: {HOSTILE[1]: list(HOSTILE)}},
            dict.fromkeys(HOSTILE, HOSTILE[1]),
            dict.fromkeys(HOSTILE, HOSTILE[2]),
            tuple(StepCost(name, 1.0, 1.0) for name in HOSTILE),
        ),
    )


@cache
def large(systems: int = 129, topics: int = 250, measures: int = 12, versions: int = 3) -> Findings:
    """As many as the largest tracks had, with values that do not repeat."""
    rng = np.random.default_rng(1)
    names = tuple(f"participant{n % 40}-run{n}" for n in range(systems))
    asked = tuple(str(301 + n) for n in range(topics))
    columns = tuple(
        Column(f"p@{5 * (m + 1)}" if m else "ap", f"p@{5 * (m + 1)}" if m else "ap") for m in range(measures)
    )
    made = {}
    for v in range(versions):
        level = rng.random((systems, 1, 1)) * 2 - 1 + rng.normal(size=(1, topics, 1)) - 0.5 * v
        values = 1 / (1 + np.exp(-(level + rng.normal(size=(systems, topics, measures)))))
        shown = asked[: max(1, 12_000 // (10 * systems))]
        lists = {t: tuple(tuple(f"doc-{n}-{t}" for n in rng.permutation(30)[:10]) for _ in names) for t in shown}
        curve = np.sort(rng.random((systems, 11)), axis=1)[:, ::-1]
        made[f"version {v}"] = _finding(Scores(values, names, asked, columns), f"version {v}", lists, curve)
    return Findings(
        title="Many systems",
        versions=made,
        questions={topic: f"a question about {topic} " + "with many words " * 8 for topic in asked},
        relevant={topic: tuple(f"doc-{n}-{topic}" for n in range(10)) for topic in asked},
        documents=500_000,
        provenance=Provenance({"adjudge": "0.1.0"}, {}, {}, dict.fromkeys(names, "run")),
    )


def alone() -> Findings:
    """One system, one topic, nothing else known."""
    return replace(known_items(("only",), ("t",)), questions={}, relevant={}, documents=0, extracts={}, notes=())


def broken(*values: float, better: str = "high") -> Findings:
    """Values that measures should not give, from somebody's own scores: the first topics have them, for all systems."""
    made = known_items()
    first = made.versions["true"]
    changed = first.scores.values.copy()
    for t, value in enumerate(values):
        changed[t % 3 :, t] = value
    columns = tuple(column._replace(better=better) for column in first.scores.columns)
    with np.errstate(all="ignore"):
        means = changed.mean(axis=1)
    finding = replace(
        first,
        scores=Scores(changed, first.scores.systems, first.scores.topics, columns),
        figures={"mean": means},
        comparison=None,
        groups=None,
        sensitivity=None,
        intervals=np.full((*means.shape, 2), np.nan),
        agreement=np.full((4, 4), np.nan),
    )
    return replace(made, versions={"true": finding})
