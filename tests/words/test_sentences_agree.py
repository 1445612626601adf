"""Every sentence of the page agrees with the figures beside it: counted again from random findings.

Systems from one to many, ties on top, systems that are the same on every topic, one topic, low values good, baselines.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.comparison.compare import compare
from adjudge.comparison.overview import averages_of, bootstrap_intervals, measure_agreement
from adjudge.comparison.residual_bands import ResidualBands, bands_of
from adjudge.comparison.scale.sensitivity import sensitivity
from adjudge.comparison.verdict import ALPHA
from adjudge.core.english import figure, signed
from adjudge.core.scores import Column, Scores
from adjudge.experiment.findings import Findings, Provenance, VersionFindings
from adjudge.experiment.observations import other_leaders, standing
from adjudge.words import captions
from adjudge.words.headlines import certainty, headline, measure_phrase
from adjudge.words.outcomes import conclusion
from adjudge.words.residuals import bands_caption

GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Few values, so that ties are common."""


def findings_of(values: np.ndarray, *, better: str = "high", baseline: str = "", versions: int = 1) -> Findings:
    """Findings of systems × topics × measures; further versions have the same systems in the opposite order."""
    names = tuple(f"s{n}" for n in range(len(values)))
    topics = tuple(f"t{n}" for n in range(values.shape[1]))
    columns = tuple(
        Column(f"m{m}" if m else "rr", f"m{m}" if m else "rr", better=better) for m in range(values.shape[2])
    )
    parts = {}
    for version in range(versions):
        scores = Scores(values[::-1] if version else values, names, topics, columns)
        several = len(names) > 1 and len(topics) > 1
        parts[f"v{version}"] = VersionFindings(
            version=f"v{version}",
            scores=scores,
            main="rr",
            figures=averages_of(scores, ("median", "worst")),
            intervals=bootstrap_intervals(scores, np.random.default_rng(0), 50),
            comparison=compare(scores, "rr", baselines=[baseline] if baseline else ()) if several else None,
            sensitivity=sensitivity(scores, "rr", steps=2) if several else None,
            study=None,
            precision=np.full((len(names), 11), np.nan),
            agreement=measure_agreement(scores),
            bands=bands_by_chance(scores),
            answered=(len(topics),) * len(names),
            unjudged=tuple(np.linspace(0, 0.5, len(names)).tolist()),
        )
    return Findings("Which is best?", parts, {}, {}, 0, Provenance({}, {}, {}, {}))


def bands_by_chance(scores: Scores) -> tuple[ResidualBands, ...]:
    """Bands of the first measure with residuals that the values decide, ties and zeros among them."""
    values = scores.values[:, :, 0]
    residuals = np.where(values > 0.5, 0.0, (1 - values) * (np.floor(values * 7) % 3) / 4)
    found = bands_of(scores.measures[0], scores.systems, values, residuals)
    return () if found is None else (found,)


@st.composite
def random_findings(draw: st.DrawFn) -> Findings:
    systems, topics = draw(st.sampled_from([1, 2, 3, 4, 7])), draw(st.sampled_from([1, 2, 3, 8]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = rng.choice(GRID, (systems, topics, draw(st.sampled_from([1, 2, 3]))))
    if draw(st.booleans()) and systems > 1:
        values[1] = values[0]  # two systems that are the same everywhere
    if draw(st.booleans()) and systems > 2:
        values[2] = np.roll(values[0], 1, axis=0)  # and one with the same mean
    baseline = draw(st.sampled_from(["", "s0"])) if systems > 1 and topics > 1 else ""
    better = draw(st.sampled_from(["high", "low"]))
    return findings_of(values, better=better, baseline=baseline, versions=draw(st.sampled_from([1, 2])))


def text_of(pieces: list[str]) -> str:
    return "".join(pieces)


@settings(max_examples=25)
@given(random_findings())
def test_the_first_paragraph(findings: Findings) -> None:
    part, text = findings.first, text_of(headline(findings))
    means = part.means.tolist()
    best = min(means) if part.direction < 0 else max(means)
    top = [name for name, mean in zip(part.systems, means, strict=True) if math.isclose(mean, best, rel_tol=1e-12)]
    assert figure(best) in text
    assert f"over {len(part.topics)} topic{'' if len(part.topics) == 1 else 's'}" in text
    assert measure_phrase(part.column) in text
    if len(top) < len(part.systems):
        named = re.findall(r"\bs\d+\b", text)
        others = [mean for mean in means if not math.isclose(mean, best, rel_tol=1e-12)]
        following = max(others) if part.direction > 0 else min(others)
        assert set(named[:-1]) <= set(top)
        assert means[part.place[named[-1]]] == pytest.approx(following)
        assert f", {figure(abs(best - following))} {'less' if part.direction < 0 else 'more'} than " in text
    elif len(part.systems) > 1:
        assert "have the same" in text


@settings(max_examples=25)
@given(random_findings())
def test_how_sure_and_what_would_change_it(findings: Findings) -> None:
    part, text, now = findings.first, text_of(certainty(findings)), standing(findings.first)
    if len(part.systems) == 1:
        assert text == "There is no other system to compare it with."
        return
    if part.comparison is None:
        assert text.startswith("One topic is not enough")
    values = part.values
    same = [
        s for s in part.systems if s != part.best and (values[part.place[s]] == values[part.place[part.best]]).all()
    ]
    assert list(now.same) == [part.systems[s] for s in part.order if part.systems[s] in same]
    pairs = [d for d in (part.comparison.differences if part.comparison else ()) if part.best in {d.a, d.b}]
    undecided = {d.b if d.a == part.best else d.a for d in pairs if not d.p[0] < ALPHA}
    assert set(now.undecided) == undecided
    assert now.compared == len(pairs) == len(now.worse) + len(now.undecided) + len(now.better)
    if pairs and not part.baseline:
        assert ("not significantly different" in text) == bool(undecided - set(same))
        assert ("significantly better than" in text) == bool(now.worse)
    others = other_leaders(part)
    changed = sum(map(len, others.leaders.values()))
    if others.measures and len(now.best) < len(part.systems):
        which = "the other measure puts" if others.measures == 1 else f"{changed} of {others.measures} other measure"
        assert (which in text) == bool(changed)
        assert ("by all" in text or "by the 1 other measure" in text) == (not changed)


@settings(max_examples=25)
@given(random_findings())
def test_captions(findings: Findings) -> None:
    part = findings.first
    span = text_of(captions.range_of_systems(part))
    assert figure(float(part.means[part.order[0]])) in span
    verdicts = [part.verdict(system) for system in part.systems if system != part.reference]
    close, tested = verdicts.count(0), sum(verdict is not None for verdict in verdicts)
    if tested > 1 and 0 < close < tested:
        assert f"{close} of the {tested} other systems" in span
    if tested > 1 and close == tested:
        assert f"none of the {tested} other systems differs" in span
    if tested > 1 and close == 0:
        assert f"all {tested} other systems differ" in span
    if part.comparison is not None:
        significant, total = len(part.comparison.significant), len(part.comparison.differences)
        if total > 1:
            for text in (text_of(captions.separation(part)), captions.significant_share(part)):
                assert text.startswith(f"{significant:,} of {total:,} pairs")
    for a in part.systems[:3]:
        for b in part.systems[:3]:
            one, other = part.values[part.place[a]], part.values[part.place[b]]
            gaps = part.direction * (one - other)
            text = text_of(captions.pair(part, a, b))
            counts = [int(n) for n in re.findall(r"on (\d+)", text)[:3]]
            assert counts == [int((gaps > 0).sum()), int((gaps == 0).sum()), int((gaps < 0).sum())]
            assert f"the mean difference is {signed(float((one - other).sum() / len(gaps)))}" in text
    for pieces in (captions.distribution(part), captions.scales(part), captions.coverage(part)):
        assert not re.search(r"\bnan\b|\b1 (topics|systems|pairs|measures|documents)\b", text_of(pieces))


@settings(max_examples=25)
@given(random_findings())
def test_no_sentence_is_degenerate(findings: Findings) -> None:
    part = findings.first
    said = [text_of(headline(findings)), text_of(certainty(findings)), *map(conclusion, findings.conclusions)]
    said += [text_of(captions.main_pair(part)), captions.significant_share(part), text_of(captions.separation(part))]
    said += [
        text_of(captions.agreement(part)),
        text_of(captions.scales(part)),
        text_of(captions.range_of_systems(part)),
    ]
    if findings.several:
        said += [text_of(captions.other_versions(findings)), text_of(captions.versions(findings))]
        leaders = {other.best for other in findings.parts[1:]} - {part.best}
        assert (f"{part.best} leads on v1 as well" in said[-2]) == (not leaders)
    for text in said:
        assert not re.search(
            r"\bnan\b|\b1 (topics|systems|pairs|versions)\b|\b1 of 1\b|\b0 of 0\b|  |\.\.|\bof 1 pair ", text
        )
        assert not re.search(r"told apart|\btold\b|\blevel with\b|turned round|hopeless|\bis no (?!other)", text), text
        assert not text or text.endswith("."), text


@settings(max_examples=25)
@given(random_findings())
def test_what_unjudged_documents_could_change(findings: Findings) -> None:
    """The sentence on bands against the rows, and every possible rank against all ends of the bands."""
    bands = findings.first.bands[0]
    text, rows = text_of(bands_caption(bands)), {row.system: row for row in bands.rows}
    assert not re.search(r"\bnan\b|\b1 (of 1|systems)\b|  ", text)
    assert text.endswith(".")
    means = dict(zip(findings.first.systems, findings.first.means.tolist(), strict=True))
    assert {name: row.value for name, row in rows.items()} == pytest.approx(means)
    if len(rows) == 1:
        (row,) = rows.values()
        assert text.endswith(f"would be {figure(row.high)} instead of {figure(row.value)}.")
        return
    for row in rows.values():
        others = [other for other in rows.values() if other is not row]
        assert row.best_rank == 1 + sum(other.value > row.high + 1e-12 for other in others)
        assert row.worst_rank == 1 + sum(other.high > row.value + 1e-12 for other in others)
        assert row.best_rank <= row.rank <= row.worst_rank
    spans = [row.high - row.value for row in rows.values()]
    assert {figure(min(spans)), figure(max(spans))} <= set(re.findall(r"\d\.\d{4}", text))
    sure = sum(row.best_rank == row.worst_rank for row in rows.values())
    assert ("No judgment of them can change the order" in text) == (sure == len(rows))
    if 2 < len(rows) != sure:
        assert (f"{sure} of {len(rows)} systems ha" in text) == (sure > 0)
        first = {name for name, row in rows.items() if row.best_rank == 1}
        named = set(re.findall(r"\bs\d+\b", text.partition("change; ")[2]))
        assert named <= first
        assert ("every system could be first" in text) == (len(first) == len(rows))


EVERY = (
    test_the_first_paragraph,
    test_how_sure_and_what_would_change_it,
    test_captions,
    test_no_sentence_is_degenerate,
    test_what_unjudged_documents_could_change,
)


@pytest.mark.parametrize("topics", [1, 2, 20])
@pytest.mark.parametrize("systems", [1, 2, 3, 40, 129])
@pytest.mark.parametrize("ties", [False, True], ids=["apart", "tied"])
def test_sizes(systems: int, topics: int, ties: bool) -> None:
    """The sizes that people have, from one run on one topic to all runs of a track."""
    rng = np.random.default_rng(systems + topics)
    values = rng.choice(GRID, (systems, topics, 2)) if ties else rng.random((systems, topics, 2))
    if ties and systems > 2:
        values[2] = values[1] = values[0]
    findings = findings_of(values)
    for check in EVERY:
        check.hypothesis.inner_test(findings)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("systems", "topics", "ties"),
    [(1, 1, True), (1, 8, False), (2, 1, False), (2, 8, True), (3, 2, True), (40, 3, True)],
)
def test_the_whole_page_reads_well(systems: int, topics: int, ties: bool) -> None:
    """Every text of the page, hovers of charts included: no count that does not fit its noun, no value that is none."""
    import html

    from adjudge.report.page import page

    rng = np.random.default_rng(systems)
    values = rng.choice(GRID, (systems, topics, 2)) if ties else rng.random((systems, topics, 2))
    made = page(findings_of(values))
    body = re.sub(r"(?s)<script.*?</script>|<style.*?</style>", " ", made)
    titles = re.findall(r'(?:title|aria-label|data-hover)="([^"]*)"', body)
    for text in (html.unescape(re.sub(r"<[^>]*>", "\n", body)), *map(html.unescape, titles)):
        wrong = re.search(r"\bnan\b|\b1 (topics|systems|pairs|versions|measures|runs|documents)\b|\b0 of 0\b", text)
        assert not wrong, text[max(0, wrong.start() - 80) : wrong.end() + 40]


@pytest.mark.parametrize("systems", [40, 129])
def test_many_systems(systems: int) -> None:
    rng = np.random.default_rng(systems)
    values = rng.random((systems, 20, 2)) + np.linspace(1, 0, systems)[:, None, None]
    findings = findings_of(values)
    now = standing(findings.first)
    text = text_of(certainty(findings))
    if now.worse:
        assert f"significantly better than the other {len(now.worse)} systems" in text
    assert len(text) < 600, "names are cut, not listed without end"
    assert f"of the {systems - 1} other systems" in text_of(captions.range_of_systems(findings.first))


def test_ties_on_top_are_shared() -> None:
    findings = findings_of(np.array([[[0.5], [0.7]], [[0.7], [0.5]], [[0.1], [0.1]]]))
    assert text_of(headline(findings)).startswith("s0 and s1 share the highest mean reciprocal rank (MRR): 0.6000")
    same = findings_of(np.full((3, 4, 1), 0.5))
    assert text_of(headline(same)) == "All 3 systems have the same mean reciprocal rank (MRR): 0.5000 over 4 topics."
    assert text_of(certainty(same)) == "They have the same value on every topic."


def test_another_average_is_named_where_the_mean_hides_it() -> None:
    values = np.array([[1.0, 1.0, 0.0, 0.0, 0.3], [0.4, 0.4, 0.4, 0.4, 0.4]])[:, :, None]
    findings = findings_of(values)
    assert findings.first.best == "s0"
    assert "s1 has the best median" in text_of(captions.scales(findings.first))


def test_measures_that_are_the_same_share_a_row() -> None:
    rng = np.random.default_rng(1)
    values = rng.random((4, 5, 3))
    values[:, :, 1] = values[:, :, 0] / 10
    part = findings_of(values).first
    said = text_of(captions.merged_measures([["rr", "m1"]]))
    assert said == "One row stands for measures that have the same values here: rr and m1."
    from adjudge.experiment.observations import same_measures
    from adjudge.report.page.alternatives import distinct_measures

    assert same_measures(part) == [["rr", "m1"], ["m2"]]
    assert [part.scores.measures[m] for m in distinct_measures(part)] == ["rr", "m2"]
    first, second, third = part.scores.columns
    low = replace(part.scores, columns=(first, second._replace(better="low"), third))
    assert same_measures(replace(part, scores=low)) == [["rr"], ["m1"], ["m2"]]


@pytest.mark.parametrize("gap", [0.0, 0.3], ids=["close", "apart"])
def test_a_single_pair_needs_no_correction(gap: float) -> None:
    """Wherever two systems are compared, in text, tables and for papers; with three the correction is named."""
    from adjudge.comparison.equivalence import equivalence
    from adjudge.comparison.rank_groups import rank_groups
    from adjudge.words.practicality import how_decided
    from adjudge.words.standings import paper_paragraph, rank_groups_conclusion
    from adjudge.words.verdicts import comparison_conclusion, how_compared

    rng = np.random.default_rng(1)
    values = rng.random((3, 20, 1)) * 0.2 + np.array([gap, 0.0, 0.6])[:, None, None]
    for count in (2, 3):
        scores = findings_of(values[:count]).first.scores
        groups = rank_groups(scores, "rr", rng=np.random.default_rng(0))
        compared = groups.comparison
        said = [rank_groups_conclusion(groups), paper_paragraph(groups), paper_paragraph(groups, "latex")]
        said += [comparison_conclusion(compared), how_compared(compared)]
        said.append(how_decided(equivalence(scores, "rr", rope=0.01, method="tost")))
        for text in said:
            assert bool(re.search("(?i)holm", text)) == (count == 3), text
            assert "1 pair" not in text, text
        if count == 2:
            differ = "differ" if gap else "do not differ"
            assert f"They {differ} significantly" in said[1]
            assert ("an effect size of" in said[1]) == bool(gap)
