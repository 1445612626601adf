"""adjudge technical-terms: plain and boosted models from documents, topics and judgments."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
from adjudge.cli import main
from adjudge.cli.technical_terms import parser, system_of
from adjudge.comparison.gains import Gain, TopicGain
from adjudge.core.document import Document, InMemory
from adjudge.experiment.running import CellError, CellFailure
from adjudge.experiment.term_boosting import Models, TermBoosting, models, one_reason
from adjudge.index.building import build
from adjudge.index.searching import Searcher
from adjudge.report.boosting_table import as_json, as_text, topics_table
from adjudge.systems.system import systems
from adjudge.systems.technical_terms import TechnicalTerms, TermUse
from adjudge.terms.attribution import Attribution, Emission
from adjudge.terms.extraction import extract

TEXTS = {
    "d1": "A Riemannian manifold has a metric. Every Riemannian manifold is a smooth manifold.",
    "d2": "The manifold of a group. A Riemannian metric is smooth. The group acts on the manifold.",
    "d3": "A Lie group is a smooth manifold. The Lie group acts on a vector space.",
    "d4": "The vector space has a basis. A basis of the vector space is a set of vectors.",
    "d5": "A set of vectors spans the space. The group of the space is a Lie group.",
}
QUESTIONS = {"q1": "Riemannian manifolds", "q2": "a Lie group on the space", "q3": "basis", "q4": "a set of vectors"}
RELEVANT = {"q1": ["d1"], "q2": ["d3", "d5"], "q3": ["d4"], "q4": ["d4", "d5"]}
LUCENE = ["--weighting", "lucene_classic"]


def written(folder: Path, texts: dict[str, str] = TEXTS, questions: dict[str, str] = QUESTIONS) -> list[str]:
    """A collection in files, and their names as the command takes them."""
    folder.mkdir(exist_ok=True)
    lines = [json.dumps({"id": i, "text": text}) + "\n" for i, text in texts.items()]
    (folder / "docs.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "topics.tsv").write_text("".join(f"{i}\t{text}\n" for i, text in questions.items()), encoding="utf-8")
    judged = [f"{topic} 0 {document} 1\n" for topic, own in RELEVANT.items() for document in own]
    (folder / "qrels.txt").write_text("".join(judged))
    return [str(folder / name) for name in ("docs.jsonl", "topics.tsv", "qrels.txt")]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Path]:
    """A command that was carried out, and where its results are."""
    folder = tmp_path_factory.mktemp("technical")
    command = ["technical-terms", *written(folder), "-o", str(folder / "results"), "--workers", "2"]
    assert main(command) == 0
    return command, folder / "results"


def average_precision(attribution: Attribution | None, folder: Path, weighting: str, analyzer: str) -> dict[str, float]:
    """Each topic's figure without any experiment: texts generated, indexed and searched one after the other."""
    texts = attribution.texts(list(TEXTS.values())) if attribution else list(TEXTS.values())
    asked = attribution.queries(QUESTIONS) if attribution else QUESTIONS
    documents = InMemory(Document(i, text) for i, text in zip(TEXTS, texts, strict=True))
    run = Searcher(build(documents, folder, analyzer=analyzer), weighting).run(asked, 1000, name="run")
    judged = {topic: dict.fromkeys(own, 1) for topic, own in RELEVANT.items()}
    scores = adjudge.measure(judged, {"run": run}, ["ap"], complete=True).per_topic("run")
    return {topic: float(own["ap"]) for topic, own in scores.items()}


def test_figures_are_those_of_the_texts_made_one_by_one(done: tuple[list[str], Path], tmp_path: Path) -> None:
    told = json.loads((done[1] / "technical-terms.json").read_text())
    terms = extract(InMemory(Document(i, text) for i, text in TEXTS.items())).terms
    boosted = Attribution(terms, Emission())
    lucene, bm25 = "standard(dashes=true)|lower", "standard(dashes=true)|lower|stop(smart)|porter"
    expected = {
        ("lucene_classic", "plain"): average_precision(None, tmp_path / "a", "lucene_classic", lucene),
        ("lucene_classic", "boosted"): average_precision(boosted, tmp_path / "b", "lucene_classic", lucene),
        ("bm25", "plain"): average_precision(None, tmp_path / "c", "bm25", bm25),
        ("bm25", "boosted"): average_precision(boosted, tmp_path / "d", "bm25", bm25),
    }
    for (weighting, model), values in expected.items():
        own = told["weightings"][weighting]
        assert {topic: figures[model] for topic, figures in own["topics"].items()} == pytest.approx(values)
        assert own[model]["map"] == pytest.approx(np.mean(list(values.values())))
        logs = np.log(np.maximum(list(values.values()), 1e-5))
        assert own[model]["gmap"] == pytest.approx(math.exp(logs.mean()))
    assert told["weightings"]["lucene_classic"]["boosted"]["system"] == "technical_terms"


def test_why_tells_where_the_terms_of_a_question_are(done: tuple[list[str], Path]) -> None:
    told = json.loads((done[1] / "technical-terms.json").read_text())["questions"]
    assert told["q1"] == {
        "relevant": 1,
        "terms": [{"term": "riemannian_manifold", "times": 1, "documents": 1, "relevant": 1}],
    }
    assert told["q2"]["terms"] == [{"term": "lie_group", "times": 1, "documents": 2, "relevant": 2}]
    assert told["q3"] == {"relevant": 1, "terms": []}
    assert [use["term"] for use in told["q4"]["terms"]] == ["set_of_vector"]


def test_what_is_printed_is_kept_and_nothing_is_done_twice(
    done: tuple[list[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    command, results = done
    assert main(command) == 0
    said = capsys.readouterr()
    assert said.out.startswith((results / "technical-terms.txt").read_text())
    assert said.out.endswith(f"Nothing to do: the results are up to date. The page: {results / 'report.html'}\n")
    assert " on documents" not in said.err
    assert "3 of 4 questions with one or more of them" in said.out
    assert (results / "report.html").stat().st_size > 10_000
    for name in ("scores.parquet", "verdicts.json", "provenance.json", "results.txt"):
        assert (results / name).exists()


@pytest.mark.parametrize("form", ["csv", "json", "md", "latex"])
def test_forms(done: tuple[list[str], Path], form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*done[0], "--format", form]) == 0
    said = capsys.readouterr().out
    kept = json.loads((done[1] / "technical-terms.json").read_text())
    if form == "json":
        assert json.loads(said) == kept
    elif form == "csv":
        header, *rows = csv.reader(io.StringIO(said))
        assert header[0] == "weighting"
        assert [row[0] for row in rows] == ["lucene_classic", "bm25"]
        assert float(rows[0][1]) == kept["weightings"]["lucene_classic"]["plain"]["map"]
    else:
        assert ("| weighting |" if form == "md" else "\\begin{tabular}") in said


def test_sentences_are_asked_prelude_and_micro_topic_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents, topics, judged = written(tmp_path)
    lines = [
        {"id": "q1", "title": "metric", "sentences": ["Let it be smooth.", "Is it a Riemannian manifold?"]},
        {"id": "q2", "title": "Lie group"},
    ]
    path = tmp_path / "topics.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = tmp_path / "results"
    command = ["technical-terms", documents, str(path), judged, "-o", str(out), *LUCENE]
    assert main(command) == 0
    asked = [json.loads(line) for line in (out / "questions.jsonl").read_text().splitlines()]
    assert asked == [
        {"id": "q1", "title": "Let it be smooth. Is it a Riemannian manifold?"},
        {"id": "q2", "title": "Lie group"},
    ]
    questions = json.loads((out / "technical-terms.json").read_text())["questions"]
    assert [use["term"] for use in questions["q1"]["terms"]] == ["riemannian_manifold"]
    assert main([*command, "--field", "title"]) == 0
    questions = json.loads((out / "technical-terms.json").read_text())["questions"]
    assert questions["q1"]["terms"] == []
    capsys.readouterr()
    assert main(["technical-terms", documents, topics, judged, "-o", str(out), "--field", "sentences"]) == 2
    assert capsys.readouterr().err == f"{topics}: no topic has sentences\n"


def test_capitals_are_no_obstacle(tmp_path: Path, done: tuple[list[str], Path]) -> None:
    loud = {i: text.upper() for i, text in TEXTS.items()}
    paths = written(tmp_path, loud, {i: text.upper() for i, text in QUESTIONS.items()})
    assert main(["technical-terms", *paths, "-o", str(tmp_path / "results"), *LUCENE]) == 0
    told = json.loads((tmp_path / "results" / "technical-terms.json").read_text())
    assert [use["term"] for use in told["questions"]["q1"]["terms"]] == ["riemannian_manifold"]


@pytest.mark.parametrize(
    "texts",
    [
        dict.fromkeys(TEXTS, "manifold"),
        {"d1": "x = y + z^2", "d4": "$$\\int f(x) dx = 1$$", "d3": "∀ε ∃δ", "d5": "1 2 3"},
    ],
    ids=["single words", "mathematics"],
)
def test_no_term_is_one_error(texts: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = written(tmp_path, texts)
    assert main(["technical-terms", *paths, "-o", str(tmp_path / "results")]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"{paths[0]}: no multi-word term: no sequence of 2 to 6 words"), last
    assert last.endswith(": nothing to boost")


def test_terms_of_another_corpus_are_told_each_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = written(tmp_path)
    terms = tmp_path / "terms.csv"
    terms.write_text(
        "class,frequency,c_value,nc_value,forms\n"
        'boundary layer,3,3.0,,"[{""form"": ""boundary layer"", ""frequency"": 3}]"\n'
    )
    command = ["technical-terms", *paths, "-o", str(tmp_path / "results"), "--terms", str(terms), *LUCENE]
    for _ in range(2):
        assert main(command) == 0
        said = capsys.readouterr().out
        assert "note: the only term does not occur in the documents: were the terms extracted" in said
        assert "1 term; 0 of 4 questions" in said


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--boost", "0"], "technical_terms: the boost must be above 0 and at most 1000, not 0.0"),
        (["--boost", "-2"], "technical_terms: the boost must be above 0 and at most 1000, not -2.0"),
        (["--boost", "nan"], "must be a number, up to 1e+15, not 'nan'"),
        (["--emission", "plus_one", "--boost", "3"], "a boost is for the emission text"),
        (["--weighting", "dirichlet"], "no system weights plain words by dirichlet: take lucene_classic or bm25"),
        (["--weighting", "bm52"], "did you mean bm25"),
        (["-w", "bm25", "-w", "bm25"], "a weighting is named twice"),
        (["--tagger", "lexikon"], "did you mean lexicon"),
        (["--filter", "opened"], "did you mean open"),
        (["--terms", "nowhere.parquet"], "nowhere.parquet"),
    ],
)
def test_mistakes_are_told_before_the_work(
    options: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results"
    assert main(["technical-terms", *written(tmp_path), "-o", str(out), *options]) == 2
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1
    assert not out.exists()


def pair_of(*options: str) -> Models:
    """The systems that BM25 gets by some options of the command."""
    given = parser().parse_args(["docs", "topics", "qrels", "-o", "results", *options])
    return models("bm25(k1=1.2, b=0.75)", system_of(given))


def boosted_of(pair: Models) -> TechnicalTerms:
    system = systems.parse(pair.boosted)
    assert isinstance(system, TechnicalTerms)
    return system


def test_specs_and_paths_with_commas_are_part_of_a_plan() -> None:
    options = ["--terms", "a, b (1).csv", "--filter", "open(prepositions=[of, in])", "--tagger", "lexicon(own)"]
    pair = pair_of(*options)
    assert 'terms="a, b (1).csv"' in pair.boosted
    system = boosted_of(pair)
    assert (system.terms, system.filter) == ("a, b (1).csv", "open(prepositions=[of, in])")


def test_terms_that_are_one_token_are_told_before_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    terms, results = tmp_path / "terms.jsonl", tmp_path / "results"
    rows = [
        {"class": name, "frequency": 2, "c_value": 2.0, "forms": [{"form": name, "frequency": 2}]}
        for name in ("a_b c", "a b_c")
    ]
    terms.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["technical-terms", *written(tmp_path), "-o", str(results), "--terms", str(terms)]) == 2
    assert capsys.readouterr().err == f"{terms}: the terms 'a_b c' and 'a b_c' would be one token, a_b_c\n"
    assert not results.exists()


def test_standard_input_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents, _, judged = written(tmp_path)
    assert main(["technical-terms", documents, "-", judged, "-o", str(tmp_path / "results")]) == 2
    assert "standard input cannot be used" in capsys.readouterr().err


def test_results_cannot_be_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = written(tmp_path)
    assert main(["technical-terms", *paths, "-o", paths[0]]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert Path(paths[0]).read_text().count("\n") == len(TEXTS)


def test_systems_that_fail_for_one_reason_tell_it_once() -> None:
    failures = [CellFailure("b(x)", "documents", "no model"), CellFailure("d", "documents", "no model")]
    assert str(one_reason(CellError(failures), "docs")) == "docs: no model"
    two = CellError([failures[0], CellFailure("d", "documents", "killed; by memory")])
    assert str(two) == "b(x) on documents: no model; d on documents: killed; by memory"
    assert one_reason(two, "docs") is two


def test_a_weighting_keeps_its_parameters() -> None:
    pair = pair_of("--keep-words", "--boost", "1.5")
    assert pair.plain == "bm25(k1=1.2, b=0.75, analyzer=standard(dashes=true)|lower|stop(smart)|porter)"
    system = boosted_of(pair)
    assert (system.weighting, system.boost, system.keep_words) == ("bm25(k1=1.2, b=0.75)", 1.5, True)


def gain(plain: list[float], boosted: list[float], p: float = 0.5) -> Gain:
    topics = tuple(TopicGain(f"t{i}", *both) for i, both in enumerate(zip(plain, boosted, strict=True)))
    means = (float(np.mean(plain)), float(np.mean(boosted)))
    return Gain("plain", "boosted", means, means, topics, p, p)


values = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20)


@given(values, st.integers(0, 6))
def test_ranked_has_the_largest_gains_and_losses(pairs: list[tuple[float, float]], most: int) -> None:
    found = gain([a for a, _ in pairs], [b for _, b in pairs])
    ups = sorted((b - a for a, b in pairs if b > a), reverse=True)[:most]
    downs = sorted(b - a for a, b in pairs if b < a)[:most]
    assert [change.difference for change in found.most_changed(most)] == ups + downs
    assert sum(found.count(way) for way in (1, 0, -1)) == len(pairs)


def test_nothing_to_divide_by_and_nothing_to_test() -> None:
    found = TermBoosting({"w": gain([0.0], [0.5], p=math.nan)}, {}, {}, 3)
    told = json.loads(as_json(found))["weightings"]["w"]
    assert told["relative"] is None
    assert told["p"]["raw"] is None
    text = as_text(found, "table")
    assert "may be chance: with one topic nothing can be tested" in text
    header, row = csv.reader(io.StringIO(as_text(found, "csv")))
    assert row[header.index("relative")] == ""


def test_many_terms_are_cut_in_tables_and_whole_in_json() -> None:
    own = [TermUse(f"term_{i}", 1 + (i == 0), 10, 1) for i in range(6)]
    found = TermBoosting({"w": gain([0.5, 0.5], [0.75, 0.5])}, {"t0": own}, {"t0": 2}, 9)
    table = topics_table(found, 5)
    assert table.rows == [
        [
            "w",
            "t0",
            "term_0 ×2 (1 of 2, 10), term_1 (1 of 2, 10), term_2 (1 of 2, 10), 3 more",
            "0.5000",
            "0.7500",
            "0.2500",
        ]
    ]
    assert len(json.loads(as_json(found))["questions"]["t0"]["terms"]) == 6
    level = TermBoosting({"w": gain([0.5], [0.5])}, {}, {}, 1)
    assert "w: boosted terms change no topic." in as_text(level, "table")
