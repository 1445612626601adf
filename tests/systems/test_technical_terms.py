"""The system with boosted technical terms."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError, SpecError
from adjudge.index.searching import Searcher
from adjudge.systems.parts.version import Aids, Version
from adjudge.systems.system import systems
from adjudge.systems.technical_terms import TechnicalTerms
from adjudge.terms.term_files import write_terms
from recorder import heard
from slow_terms import terms_of

TEXTS = [
    "A Riemannian manifold is a smooth manifold with a metric. Riemannian manifolds are nice.",
    "The manifold of a group is Riemannian. A Lie group is a smooth manifold.",
    "The metric of a Riemannian space. A Lie group acts on a manifold.",
]
OWN = "tagger=lexicon(own)"


def version(folder: Path, texts: list[str] = TEXTS) -> Version:
    return Version("v", InMemory(Document(f"d{i}", text) for i, text in enumerate(texts)), folder)


def parsed(more: str = "") -> TechnicalTerms:
    made = systems.parse(f"technical_terms({OWN}{', ' + more if more else ''})")
    assert isinstance(made, TechnicalTerms)
    return made


def test_documents_and_questions_have_terms_as_tokens(tmp_path: Path) -> None:
    system, here = parsed(), version(tmp_path)
    notes: list[str] = []
    run = system.run(heard(here, notes), {"q": "a Riemannian manifold", "z": "zebra"})
    assert next(document for _, document, _ in run.rows()) == "d0"
    assert notes == ["3 terms in 3 documents", "topic z: no term of the query is indexed: zebra"]
    index = system.index(here, system.attribution(here))
    assert index.number("riemannian_manifold") >= 0
    assert index.number("riemannian") >= 0  # d1 and d2 have the word alone
    assert system.explain(here, {"q": "Riemannian MANIFOLDS of a Lie group", "n": "zebra"}) == {
        "q": {"riemannian_manifold": 1, "lie_group": 1},
        "n": {},
    }


def test_scores_are_those_of_the_delta_texts(tmp_path: Path) -> None:
    for weighting in ("lucene_classic", "bm25", "bm25(k1=1.2, b=0.7)"):
        system, here = parsed(f"weighting={weighting}, boost=3"), version(tmp_path)
        run = system.run(here, {"q": "smooth manifold of groups"})
        attribution = system.attribution(here)
        assert attribution.texts(["smooth manifold of groups"]) == [
            "smooth_manifold smooth_manifold smooth_manifold of groups"
        ]
        searcher = Searcher(system.index(here, attribution), weighting.replace(";", ","))
        wanted = searcher.search(["smooth_manifold smooth_manifold smooth_manifold of groups"])[0]
        assert [(d, s) for _, d, s in run.rows()] == list(wanted)


def test_with_boost_1_and_no_occurring_term_it_is_the_baseline(tmp_path: Path) -> None:
    write_terms(terms_of("purple cow"), tmp_path / "t.csv")
    notes: list[str] = []
    question = {"q": "Riemannian manifold of a Lie group"}
    system = parsed(f"terms={tmp_path / 't.csv'}")
    run = system.run(heard(version(tmp_path / "a"), notes), question)
    assert notes == ["the only term does not occur in the documents: were the terms extracted from other documents?"]
    lucene = systems.parse("lucene(analyzer=standard(dashes=true)|lower)").run(version(tmp_path / "b"), question)
    assert list(run.rows()) == list(lucene.rows())
    assert system.files == (str(tmp_path / "t.csv"),)
    assert parsed().files == ()


def test_what_is_made_is_kept_and_made_anew_if_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system, here = parsed(), version(tmp_path)
    first = list(system.run(here, {"q": "smooth manifolds"}).rows())
    kept = sorted(path.name for path in tmp_path.rglob("terms.parquet"))
    assert kept == ["terms.parquet"]
    assert not list(tmp_path.rglob("*.npz"))
    with monkeypatch.context() as patch:
        patch.setattr("adjudge.terms.extraction.extract", None)  # nobody asks for it
        assert list(system.run(here, {"q": "smooth manifolds"}).rows()) == first
    next(tmp_path.rglob("terms.parquet")).write_bytes(b"PAR1 half")
    notes: list[str] = []
    assert list(system.run(heard(here, notes), {"q": "smooth manifolds"}).rows()) == first
    assert notes[0].endswith("damaged, extracted again")


def test_other_parameters_are_other_indexes(tmp_path: Path) -> None:
    here, found = version(tmp_path), {}
    for more in ("", "boost=5", "emission=plus_one", "policy=all", "most=1", "keep_words=true"):
        system = parsed(more)
        system.prepare(here, Aids())
        found[more] = system.index(here, system.attribution(here)).manifest.tokens
    assert len(list(tmp_path.rglob("manifest.json"))) == 6
    assert min(found["boost=5"], found["emission=plus_one"]) > found[""]


def test_a_corpus_without_terms_is_searched_without_and_told(tmp_path: Path) -> None:
    here, said = version(tmp_path, ["water under the bridge", "stones"]), list[str]()
    run = parsed().run(heard(here, said), {"q": "stones"})
    assert "no multi-word term" in said[0]
    assert said[0].endswith("answered as without terms")
    plain = systems.parse("lucene").run(here, {"q": "stones"})
    assert [row[:2] for row in run.rows()] == [row[:2] for row in plain.rows()]
    said.clear()
    again = parsed().run(heard(here, said), {"q": "stones"})
    assert not said, "what is known is not found out again"
    assert list(again.rows()) == list(run.rows())


def test_a_terms_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        parsed("terms=nothing.csv").run(version(tmp_path), {"q": "x"})


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("boost=0", "technical_terms: the boost must be above 0"),
        ("boost=x", "boost must be a number"),
        ("emission=twice", "the emission must be one of"),
        ("policy=some", "the policy must be longest or all"),
        ("filter=nuon", "did you mean noun"),
        ("weighting=bm52", "did you mean bm25"),
        ("analyzer=words|lower", "the analyzer words|lower does not leave riemannian_manifold whole"),
        ("analyzer=standard|lwoer", "did you mean lower"),
        ("min_frequency=-1", "min_frequency must be a whole number, 0 or more"),
        ("most=1.5", "most must be a whole number, 0 or more"),
        ("longest=99", "a term has 1 to 12 words"),
        ("longest=0", "longest must be a whole number, 1 or more"),
        ("min_c=x", "min_c must be a number"),
        ("keep_words=maybe", "keep_words must be true or false"),
    ],
)
def test_wrong_specs(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=re.escape(message)):
        parsed(spec)
    with pytest.raises(SpecError, match="no tagger"):
        systems.parse("technical_terms(tagger=nobody)")


@pytest.mark.parametrize("more", ["", "weighting=bm25(k1=1.2, b=0.7), boost=1.5", "filter=adjective_noun(ordered)"])
def test_specs_round_trip(more: str) -> None:
    made = parsed(more)
    assert systems.parse(str(made)) == made
