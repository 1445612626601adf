"""Preference judgments: by hand, against the slow definition, and against trec_eval's own expected outputs."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.average import averages
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.core.groups import JudgmentGroups, average_judged, average_over_groups, judge_groups, transitive_closure
from adjudge.core.judged import judge
from adjudge.core.judging import Judging
from adjudge.core.measure import measures
from adjudge.core.preferences import JudgedPreferences, PreferenceMeasure, Preferences, judge_preferences
from adjudge.core.run import Run
from adjudge.formats.preferences import read_judgment_groups, read_preferences
from adjudge.formats.qrels import read_qrels
from adjudge.formats.runs import read_run

GOLDEN = Path(__file__).resolve().parents[3] / "shared" / "data" / "trec_eval-tests.tar.xz"

SHARES = [f"prefs_{kind}{scope}" for kind in ("simp", "pair", "avgjg") for scope in ("", "_ret", "_imp")]
NAMES = [
    *SHARES,
    "prefs_avgjg_Rnonrel",
    "prefs_avgjg_Rnonrel_ret",
    "prefs_num_prefs_poss",
    "prefs_num_prefs_ful",
    "prefs_num_prefs_ful_ret",
]

Row = tuple[str, str, str, str, float]


def prefs(text: str, layout: str = "prefs") -> Preferences:
    return read_preferences(io.BytesIO(text.encode()), layout=layout)


def ranking(*documents: str, topic: str = "q") -> Run:
    return read_run({topic: {document: -float(i) for i, document in enumerate(documents)}})


def values(spec: str, judged: JudgedPreferences) -> list[float]:
    measure = measures.parse(spec)
    assert isinstance(measure, PreferenceMeasure)
    return [float(v) for v in measure(judged)]


def value(spec: str, judged: JudgedPreferences) -> float:
    (only,) = values(spec, judged)
    return only


# -- by hand ------------------------------------------------------------------------------------------------------


def test_the_example_of_prefs_simp_and_prefs_count() -> None:
    judged = judge_preferences(ranking("c", "a"), prefs("q g s a 3\nq g s b 2\nq g s c 1\n"))
    assert value("prefs_simp", judged) == pytest.approx(1 / 3)
    assert value("prefs_simp_imp", judged) == pytest.approx(1 / 3)
    assert value("prefs_simp(ret)", judged) == 0
    assert [value(f"prefs_count({which})", judged) for which in ("possible", "fulfilled", "fulfilled_ret")] == [3, 1, 0]


def test_the_example_of_prefs_pair() -> None:
    text = "q 1 s a 2\nq 1 s b 1\nq 2 s a 2\nq 2 s b 1\nq 3 s b 2\nq 3 s a 1\nq 3 t b 2\nq 3 t c 1\n"
    judged = judge_preferences(ranking("a", "b", "c"), prefs(text))
    assert value("prefs_pair", judged) == pytest.approx(5 / 6)


def test_the_example_of_prefs_avgjg() -> None:
    text = "q 1 0 a 2\nq 1 0 b 1\nq 2 0 b 3\nq 2 0 a 2\nq 2 0 c 1\n"
    judged = judge_preferences(ranking("a", "b", "c"), prefs(text))
    assert value("prefs_avgjg", judged) == pytest.approx(5 / 6)


def test_the_example_of_rnonrel() -> None:
    judged = judge_preferences(ranking("a", "x", "b"), prefs("q g 0 a 1\nq g 0 b 1\nq g 0 x 0\n"))
    assert value("prefs_avgjg_Rnonrel", judged) == 0.75


def test_a_pair_that_was_not_retrieved_counts_as_failed_in_all_only() -> None:
    judged = judge_preferences(ranking("a", "b"), prefs("q g 0 a 2\nq g 0 b 1\nq h 0 y 2\nq h 0 z 1\n"))
    for kind in ("simp", "pair", "avgjg"):
        assert value(f"prefs_{kind}", judged) == 0.5
        assert value(f"prefs_{kind}_imp", judged) == (0.5 if kind == "avgjg" else 1)


def test_equal_scores_are_ranked_by_id_upwards_unlike_with_qrels() -> None:
    run = read_run({"q": {"a": 1.0, "b": 1.0}})
    assert value("prefs_simp", judge_preferences(run, prefs("q 0 a 1\nq 0 b 0\n", "qrels_prefs"))) == 1
    assert judge(run, read_qrels({"q": {"a": 1, "b": 0}})).rel_rank.tolist() == [2]


def test_sub_groups_are_joined_and_closed() -> None:
    text = "q g 1 a 3\nq g 1 b 2\nq g 1 c 1\nq g 2 b 5\nq g 2 d 4\n"
    judged = judge_preferences(ranking("a", "b", "c", "d"), prefs(text))
    assert value("prefs_num_prefs_poss", judged) == 5  # a > b, a > c, b > c, b > d, and so a > d; nothing on c, d
    assert not judged.single[0]


def test_a_row_that_is_there_twice_counts_once() -> None:
    judged = judge_preferences(ranking("a", "b"), prefs("q g 0 a 1\nq g 0 a 1\nq g 0 b 0\n"))
    assert value("prefs_num_prefs_poss", judged) == 1


def test_depth_is_counted_on_the_whole_ranking() -> None:
    preferences = prefs("q g 0 a 2\nq g 0 b 1\n")
    run = ranking("b", "unjudged", "a")
    assert value("prefs_num_prefs_ful", judge_preferences(run, preferences)) == 0
    assert judge_preferences(run, preferences, Judging(depth=2)).possible.tolist() == [[0, 1, 0]]
    with pytest.raises(SpecError, match="depth"):
        judge_preferences(run, preferences, Judging(depth=0))


def test_topics_stand_in_byte_order_and_complete_adds_what_is_missing() -> None:
    preferences = prefs("z 0 a 1\nz 0 b 0\nB 0 a 1\nB 0 b 0\na 0 a 1\na 0 b 0\n", "qrels_prefs")
    run = read_run({"z": {"a": 1.0}, "B": {"b": 1.0}, "nobody": {"a": 1.0}})
    judged = judge_preferences(run, preferences)
    assert (judged.topics, judged.missing, judged.without_judgments) == (("B", "z"), ("a",), ("nobody",))
    whole = judge_preferences(run, preferences, Judging(complete=True))
    assert whole.topics == ("B", "a", "z")
    assert values("prefs_simp", whole) == [0, 0, 1]
    assert values("prefs_count", whole) == [1, 1, 1]


def test_no_common_topic_gives_no_value() -> None:
    judged = judge_preferences(ranking("a", topic="x"), prefs("q g 0 a 1\n"))
    for name in NAMES:
        assert values(name, judged) == []


def test_a_group_without_any_preference_makes_rnonrel_zero_as_in_trec_eval() -> None:
    text = "q g 0 a 1\nq g 0 b 0\nq h 0 c 0\n"
    judged = judge_preferences(ranking("a", "b"), prefs(text))
    assert value("prefs_avgjg", judged) == 0.5
    assert value("prefs_avgjg_Rnonrel", judged) == 0


def test_names_of_trec_eval_are_specs_and_come_back() -> None:
    for name in NAMES:
        measure = measures.parse(name)
        assert isinstance(measure, PreferenceMeasure)
        assert measures.parse(str(measure)) == measure
        assert measure.judged_by == "prefs"
        assert (measure.average, measure.better) == (("sum", "") if "_num_" in name else ("mean", "high"))
    assert measures.parse("ap").judged_by == "qrels"


@pytest.mark.parametrize(
    "spec", ["prefs_simp(both)", "prefs_pair(1)", "prefs_avgjg()x", "prefs_avgjg_rnonrel(imp)", "prefs_count(all)"]
)
def test_a_wrong_parameter_is_refused(spec: str) -> None:
    with pytest.raises(SpecError):
        measures.parse(spec)


def test_a_run_judged_by_qrels_is_refused() -> None:
    judged = judge(ranking("a"), read_qrels({"q": {"a": 1}}))
    with pytest.raises(SpecError, match="preferences"):
        measures.parse("prefs_simp_ret")(judged)


# -- judgment groups with qrels -----------------------------------------------------------------------------------


def groups(text: str) -> JudgmentGroups:
    return read_judgment_groups(io.BytesIO(text.encode()))


def test_a_topic_is_averaged_over_the_groups_that_judged_it() -> None:
    two = groups("q 2 b 1\nq 1 a 1\nr 2 a 1\n# end\n\nq 1 b 0\r\nq 1 b 0\n")
    assert list(two) == ["1", "2"]
    assert two["1"].repeated == 1
    run = read_run({"q": {"a": 2.0, "b": 1.0}, "r": {"a": 1.0}})
    topics, means = average_over_groups(run, two, measures.parse("ap"))
    assert (topics, means.tolist()) == (("q", "r"), [0.75, 1.0])
    topics, means = average_over_groups(run, two, measures.parse("p@1"), Judging(depth=1))
    assert means.tolist() == [0.5, 1.0]


def test_complete_counts_topics_that_the_run_left_out_in_groups_too() -> None:
    both = groups("q 1 a 1\nr 1 a 1\n")
    topics, means = average_over_groups(ranking("a"), both, measures.parse("ap"), Judging(complete=True))
    assert (topics, means.tolist()) == (("q", "r"), [1.0, 0.0])


def test_what_is_no_number_is_not_averaged_over_groups() -> None:
    judged = judge_groups(ranking("a"), groups("q 1 a 1\n"))
    for spec in ("prefs_simp", "relstring"):
        with pytest.raises(SpecError, match="averaged"):
            average_judged(judged, measures.parse(spec))


# -- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("q g a 1\n", r"stream:1: a preference has 5 columns .*this line has 4: 'q g a 1'"),
        ("# c\n\nq g 0 a 1 more\n", r"stream:3: .*has 6"),
        ("q g 0 a 1\r\nq g 0 b nan\r\n", r"stream:2: the level is not a finite decimal number: 'q g 0 b nan'"),
        ("q g 0 a 1e999\n", r"stream:1: the level"),
        ("q g 0 a high\n", r"stream:1: the level"),
        ("# nothing\n", "empty"),
        ("", "empty"),
    ],
)
def test_bad_preferences_name_file_and_line(text: str, why: str) -> None:
    with pytest.raises(DataError, match=why):
        prefs(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("q g s a 1\nq g s a 2\n", r"stream: topic q, group g: document a has levels 1 and 2 in sub-group s"),
        ("q g s a 1\nq g t a 2\nq g t b 1\nq g u a 0\n", r"topic q, group g: document a has level 0 in one .*2 in"),
        ("q g s a 2\nq g s b 1\nq g t b 2\nq g t a 1\n", r"group g: document a is preferred to b, and b to a"),
        ("q g s a 2\nq g s b 1\nq g t b 2\nq g t c 1\nq g u c 2\nq g u a 1\n", r"topic q, group g: document a is pre"),
    ],
)
def test_a_group_that_contradicts_itself_is_refused(text: str, why: str) -> None:
    with pytest.raises(ConflictError, match=why):
        prefs(text)


def test_the_same_is_refused_when_no_file_was_read() -> None:
    preferences = Preferences.of_columns("qq", "gg", "ss", "aa", [1.0, 2.0])
    with pytest.raises(ConflictError, match="topic q, group g: document a"):
        judge_preferences(ranking("a"), preferences)
    with pytest.raises(DataError, match="finite"):
        Preferences.of_columns("q", "g", "s", "a", [np.inf])


def test_groups_may_contradict_each_other() -> None:
    judged = judge_preferences(ranking("a", "b"), prefs("q g 0 a 1\nq g 0 b 0\nq h 0 b 1\nq h 0 a 0\n"))
    assert value("prefs_pair", judged) == value("prefs_simp", judged) == value("prefs_avgjg", judged) == 0.5


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("q 1 a\n", r"stream:1: a judgment has 4 columns .*this line has 3"),
        ("q 1 a 1.5\n", r"stream:1: the grade is not a whole number"),
        ("q 1 a 99999999999\n", r"stream:1: the grade is not a whole number"),
        ("#\n", "empty"),
    ],
)
def test_bad_judgment_groups_name_file_and_line(text: str, why: str) -> None:
    with pytest.raises(DataError, match=why):
        groups(text)


def test_a_group_that_judged_a_document_twice_is_refused() -> None:
    with pytest.raises(ConflictError, match=r"stream:3: document a was judged 1 before in topic q by group 1, now 0"):
        groups("q 1 a 1\nq 2 a 0\nq 1 a 0\n")


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(SpecError, match="did you mean prefs"):
        prefs("q g 0 a 1\n", "pref")


def test_columns_and_rows_round_trip_with_topics_apart() -> None:
    rows: list[Row] = [("q", "g", "s", "a", 1.5), ("r", "g", "s", "a", 1.0), ("q", "h", "t", "é", 0.0)]
    preferences = Preferences.of_columns(*zip(*rows, strict=True))
    assert list(preferences.rows()) == [rows[0], rows[2], rows[1]]
    assert (len(preferences), preferences.topics) == (3, ("q", "r"))


# -- the slow definition ------------------------------------------------------------------------------------------


def slow_relation(rows: list[Row]) -> set[tuple[str, str]]:
    """(a, b): a is preferred to b, by one group."""
    known = {(a[3], b[3]) for a, b in permutations(rows, 2) if a[2] == b[2] and a[4] > b[4]}
    if len({row[2] for row in rows}) > 1:
        while more := {(a, d) for a, b in known for c, d in known if b == c} - known:
            known |= more
    return known


def slow(rows: list[Row], ranked: list[str]) -> dict[str, float]:
    """Every measure of one topic, pair by pair."""
    documents = {row[3] for row in rows}
    before = [d for d in ranked if d in documents]
    place = {d: i for i, d in enumerate([*before, *sorted(documents - set(before))])}
    ret = len(before)
    names = sorted({row[1] for row in rows})
    by_group = {name: [row for row in rows if row[1] == name] for name in names}
    relation = {name: slow_relation(own) for name, own in by_group.items()}

    def in_scope(scope: str, a: str, b: str) -> bool:
        return (place[a] < ret) + (place[b] < ret) >= {"": 0, "_imp": 1, "_ret": 2}[scope]

    def agrees(a: str, b: str) -> bool:
        return place[a] < place[b] and place[a] < ret

    out: dict[str, float] = {}
    for scope in ("", "_ret", "_imp"):
        counted = {name: [p for p in relation[name] if in_scope(scope, *p)] for name in names}
        good = {name: sum(agrees(*p) for p in counted[name]) for name in names}
        total = sum(map(len, counted.values()))
        out[f"prefs_simp{scope}"] = sum(good.values()) / total if total else 0
        out[f"prefs_avgjg{scope}"] = sum(good[n] / len(counted[n]) if counted[n] else 0 for n in names) / len(names)
        pairs = []
        for a, b in combinations(sorted(documents, key=lambda d: place[d]), 2):
            votes, against = (sum(p in counted[n] for n in names) for p in ((a, b), (b, a)))
            if votes + against:
                pairs.append(votes / (votes + against) if agrees(a, b) else 0)
        out[f"prefs_pair{scope}"] = sum(pairs) / len(pairs) if pairs else 0
        if scope == "":
            out["prefs_num_prefs_poss"], out["prefs_num_prefs_ful"] = total, sum(good.values())
        if scope == "_ret":
            out["prefs_num_prefs_ful_ret"] = sum(good.values())
        if scope != "_imp":
            shares = [slow_rnonrel(by_group[n], counted[n], place, ret, scope, agrees) for n in names]
            whole = 0.0 if None in shares else sum(share for share in shares if share is not None)
            out[f"prefs_avgjg_Rnonrel{scope}"] = whole / len(names)
    return out


def slow_rnonrel(
    rows: list[Row],
    counted: list[tuple[str, str]],
    place: dict[str, int],
    ret: int,
    scope: str,
    agrees: Callable[[str, str], bool],
) -> float | None:
    """The share of one group, None if it divides by 0."""
    levels = {row[3]: row[4] for row in rows}
    seen = sorted((d for d in levels if scope == "" or place[d] < ret), key=lambda d: place[d])
    rel, nonrel = [d for d in seen if levels[d] > 0], [d for d in seen if levels[d] <= 0]
    all_rel = [d for d in levels if levels[d] > 0]
    if len(rel) >= len(nonrel):
        more = len(rel) - len(nonrel)
        good = sum(agrees(*p) for p in counted) + more * sum(place[d] < ret for d in rel)
        possible = len(counted) + more * len(all_rel)
    else:
        single = len({row[2] for row in rows}) == 1
        dropped = set(nonrel[len(rel if single or scope == "" else all_rel) :])
        kept = [p for p in counted if not dropped & set(p)]
        if single:  # trec_eval's slip: each nonrelevant document against each kept one
            kept += [(a, b) for a in nonrel for b in nonrel if b not in dropped]
        good, possible = sum(agrees(*p) for p in kept), len(kept)
    return good / possible if possible else None


@st.composite
def judged_topics(draw: st.DrawFn) -> tuple[list[Row], dict[str, float]]:
    documents = st.sampled_from("abcdefgh")
    rows: list[Row] = []
    for group in draw(st.lists(st.sampled_from("ghi"), min_size=1, max_size=3, unique=True)):
        levels = draw(st.dictionaries(documents, st.sampled_from([0.0, 0.0, 0.5, 1.0, 2.0]), min_size=1))
        for sub in draw(st.lists(st.sampled_from("st"), min_size=1, max_size=2, unique=True)):
            some = draw(st.lists(st.sampled_from(sorted(levels)), min_size=1, unique=True))
            scale = draw(st.sampled_from([1.0, 3.0]))  # levels of different sub-groups do not compare
            rows += [("q", group, sub, document, scale * levels[document]) for document in some]
    run = draw(st.dictionaries(st.sampled_from("abcdefghxyz"), st.sampled_from([1.0, 2.0, 3.0]), min_size=1))
    return draw(st.permutations(rows)), run


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(judged_topics(), st.sampled_from([None, 1, 3]))
def test_every_measure_agrees_with_the_slow_definition(
    topic: tuple[list[Row], dict[str, float]], depth: int | None
) -> None:
    rows, run = topic
    ranked = sorted(run, key=lambda d: (-run[d], d))[:depth]
    judged = judge_preferences(
        read_run({"q": run}), Preferences.of_columns(*zip(*rows, strict=True)), Judging(depth=depth)
    )
    expected = slow(rows, ranked)
    assert {name: value(name, judged) for name in NAMES} == pytest.approx({name: expected[name] for name in NAMES})


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("st"), st.sampled_from("abcd"), st.sampled_from([1.0, 2.0])), min_size=1))
def test_contradictions_are_found_exactly_when_there_are_any(entries: list[tuple[str, str, float]]) -> None:
    rows: list[Row] = [("q", "g", sub, document, level) for sub, document, level in entries]
    relation = slow_relation(rows)
    twice = any(a[2:4] == b[2:4] and a[4] != b[4] for a, b in combinations(rows, 2))
    wrong = twice or any((b, a) in relation for a, b in relation)
    preferences = Preferences.of_columns(*zip(*rows, strict=True))
    if wrong:
        with pytest.raises(ConflictError):
            preferences.validate()
    else:
        assert preferences.validate() is preferences


def test_the_closure_of_a_long_chain() -> None:
    n = 200
    chain = np.eye(n, k=1, dtype=bool)
    assert np.array_equal(transitive_closure(chain), np.triu(np.ones((n, n), bool), 1))
    assert chain.sum() == n - 1  # the argument is left as it was


def test_many_documents_and_groups_across_blocks() -> None:
    """More documents than one block of the pair matrix; every pair has two votes, one for and one against."""
    n = 700
    documents = [f"d{i:04}" for i in range(n)]
    forth = Preferences.of_columns(
        ["q"] * 2 * n, ["g"] * n + ["h"] * n, ["0"] * 2 * n, documents * 2, [*range(n), *range(n, 0, -1)]
    )
    judged = judge_preferences(ranking(*documents[:600]), forth)
    assert judged.pairs.tolist() == [[600 * 599 // 2, 600 * 100, 100 * 99 // 2]]
    assert value("prefs_pair_imp", judged) == 0.5


# -- trec_eval's own expected outputs -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not GOLDEN.exists():
        pytest.skip(f"trec_eval's test data are not there: {GOLDEN}")
    folder = tmp_path_factory.mktemp("trec_eval")
    with tarfile.open(GOLDEN) as archive:
        archive.extractall(folder, filter="data")
    return folder / "trec_eval_tests" / "test"


def printed(path: Path) -> dict[tuple[str, str], str]:
    """{(measure, topic): figure} of an output of trec_eval."""
    lines = (line.split() for line in path.read_text().splitlines())
    return {(name, topic): figure for name, topic, figure in lines if name not in {"runid", "num_q"}}


@pytest.mark.parametrize(
    ("layout", "judgments", "results", "expected", "figures"),
    [
        ("prefs", "prefs.test", "prefs.results.test", "out.test.prefs", 350),
        ("prefs", "prefs.comment.test", "prefs.results.test", "out.test.prefs", 350),
        ("qrels_prefs", "qrels.test", "results.test", "out.test.qrels_prefs", 56),
    ],
)
def test_every_figure_of_trec_eval_with_preferences(
    golden: Path, layout: str, judgments: str, results: str, expected: str, figures: int
) -> None:
    judged = judge_preferences(read_run(golden / results), read_preferences(golden / judgments, layout=layout))
    theirs = printed(golden / expected)
    assert len(theirs) == figures
    assert {name for name, _ in theirs} == set(NAMES)
    ours = {}
    for name in NAMES:
        measure = measures.parse(name)
        given = values(name, judged)
        form = "{:.0f}" if measure.average == "sum" else "{:6.4f}"
        ours.update({(name, topic): form.format(v) for topic, v in zip(judged.topics, given, strict=True)})
        ours[name, "all"] = form.format(averages.parse(measure.average)(np.array(given)))
    assert ours == theirs


@pytest.mark.parametrize("judgments", ["qrels.123", "qrels.comments.123"])
def test_every_figure_of_trec_eval_with_judgment_groups(golden: Path, judgments: str) -> None:
    judged = judge_groups(read_run(golden / "results.test"), read_judgment_groups(golden / judgments))
    theirs = printed(golden / "out.test.qrels_jg")
    assert len(theirs) == 80
    ours = {}
    for name in {name for name, _ in theirs}:
        topics, means = average_judged(judged, measures.parse(name.replace("_avgjg", "")))
        ours.update({(name, topic): f"{v:6.4f}" for topic, v in zip(topics, means, strict=True)})
        ours[name, "all"] = f"{means.mean():6.4f}"
    assert ours == theirs
