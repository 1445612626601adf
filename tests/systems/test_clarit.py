"""CLARIT's system: correction, words and phrases, feedback, and what it may not see."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.systems.clarit import CLARIT
from adjudge.systems.parts.version import Aids, Version
from adjudge.systems.system import TRACK, systems
from adjudge.text.analyzer import Analyzer
from recorder import heard

OUTSIDE = InMemory(
    Document(f"o{i}", "The modern farm grows corn. Solar power in Florida. A wind farm makes power. Corn and coupons.")
    for i in range(3)
)
AIDS = Aids(outside=OUTSIDE)
TRUE = ["solar power florida", "modern farm grows corn", "wind power farm", "corn coupons"]
NOISY = ["solsr powcr flcrida", "modcrn fann grcws cern", "wind pawer farrn", "ccrn coupcns"]


def version(folder: Path, texts: list[str] = NOISY, name: str = "degraded") -> Version:
    return Version(name, InMemory(Document(f"d{i}", text) for i, text in enumerate(texts)), folder)


def scores(spec: str, folder: Path, question: str, texts: list[str]) -> dict[str, float]:
    run = systems.parse(spec).run(version(folder, texts), {"q": question}, AIDS)
    return dict(zip(run.documents, run.scores.tolist(), strict=True))


def test_the_names_of_the_track_are_systems() -> None:
    assert [str(systems.parse(TRACK[name])) for name in ("CLCON", "CLCONF")] == ["clarit", "clarit(feedback=true)"]


def test_noisy_text_is_found_as_if_it_were_true(tmp_path: Path) -> None:
    found = scores("clarit(rounds=0)", tmp_path / "noisy", "modern corn", NOISY)
    assert found == scores("clarit(correct=false)", tmp_path / "true", "modern corn", TRUE)
    assert max(found, key=lambda d: found[d]) == "d1"


def test_other_systems_can_search_what_was_corrected(tmp_path: Path) -> None:
    system = CLARIT(rounds=0)
    better = system.corrected_version(version(tmp_path), AIDS)
    assert [(d.id, d.text) for d in better.documents] == [(f"d{i}", text) for i, text in enumerate(TRUE)]
    run = systems.parse("bm25").run(better, {"q": "solar power"})
    assert run.documents[0] == "d0"
    assert [d.text for d in system.corrected_version(version(tmp_path), AIDS).documents] == TRUE


def test_clean_text_is_left_alone_unless_asked(tmp_path: Path) -> None:
    clean = version(tmp_path, ["modern farm", "solar power", "corn"], "true")
    assert CLARIT().corrected_version(clean, AIDS) is clean
    assert CLARIT(correct=False).corrected_version(version(tmp_path / "b"), Aids()).name == "degraded"
    assert CLARIT(correct=True, rounds=0).corrected_version(clean, AIDS).name == "true, corrected"


def test_self_calibration_is_kept_with_the_version(tmp_path: Path) -> None:
    pytest.importorskip("rapidfuzz")
    system = CLARIT()
    system.corrected_version(version(tmp_path), AIDS)
    (channel,) = tmp_path.glob("channel-*/channel.json")
    stamp = channel.stat().st_mtime_ns
    system.corrected_version(version(tmp_path), AIDS)
    assert channel.stat().st_mtime_ns == stamp


def test_the_score_is_that_of_the_slow_definition(tmp_path: Path) -> None:
    texts = ["wind farm wind power", "the farm of power", "wind farm", "corn corn corn power"]
    words = Analyzer.parse("words|lower|stop(smart)|porter")

    def bag(text: str) -> Counter[str]:
        counts = Counter(words.terms(text))
        kept = {"the", "of"}
        stems = [None if w in kept else words.terms(w)[0] for w in text.split()]
        counts.update(f"{a}+{b}" for a, b in pairwise(stems) if a and b)
        return counts

    bags = [bag(text) for text in texts]
    df = Counter(term for b in bags for term in b)

    def vector(counts: Counter[str]) -> dict[str, float]:
        return {t: (1 + math.log(n)) * math.log(len(texts) / df[t]) for t, n in counts.items() if t in df}

    q = vector(bag("wind farm farm"))
    expected = {}
    for i, b in enumerate(bags):
        d = vector(b)
        if any(q[t] * d.get(t, 0) for t in q):
            length = math.dist(d.values(), [0] * len(d)) * math.dist(q.values(), [0] * len(q))
            expected[f"d{i}"] = pytest.approx(sum(q[t] * d.get(t, 0) for t in q) / length)
    assert scores("clarit(correct=false, phrases=pairs)", tmp_path, "wind farm farm", texts) == expected
    assert scores("clarit(correct=false, phrases=none)", tmp_path, "wind farm farm", texts) != expected


def test_feedback_adds_terms_of_the_best_documents(tmp_path: Path) -> None:
    texts = ["solar power", "power grid", "grid failure", "corn"]
    plain = scores("clarit(correct=false)", tmp_path, "solar", texts)
    again = scores("clarit(correct=false, feedback=true, documents=1, terms=2)", tmp_path, "solar", texts)
    assert list(plain) == ["d0"]
    assert set(again) == {"d0", "d1"}  # by the word power of the first; solar+power finds no other


def test_clean_text_is_asked_without_feedback_as_in_the_paper(tmp_path: Path) -> None:
    """Section 3, CLARIT: on the uncorrupted text the questions were used as they are in both run sets."""
    clean = ["solar power", "power farm", "wind farm", "corn"]
    plain = scores("clarit", tmp_path / "clean", "solar", clean)
    settings = "feedback=true, documents=1, terms=2"
    assert scores(f"clarit({settings})", tmp_path / "clean", "solar", clean) == plain
    assert set(scores(f"clarit({settings}, clean_feedback=true)", tmp_path / "clean", "solar", clean)) == {"d0", "d1"}
    noisy = ["solsr powcr", "powcr fann", "wind fann", "ccrn"]
    found = scores(f"clarit({settings}, rounds=0)", tmp_path / "noisy", "solar", noisy)
    assert set(found) == {"d0", "d1"}, "corrected text is asked again with terms of what was found"


def test_bad_input(tmp_path: Path) -> None:
    notes: list[str] = []
    topics = {"a": "the of", "b": "corn"}
    run = CLARIT(correct=False).run(heard(version(tmp_path, TRUE), notes), topics)
    assert run.topics == ("b",)
    assert notes == ["topic a: no term is left in the query"]
    with pytest.raises(DataError, match="clarit needs outside text, and none was given"):
        CLARIT().run(version(tmp_path), topics)
    with pytest.raises(ConflictError, match="document o1 is in the version that is searched and in the outside text"):
        CLARIT().run(Version("x", InMemory([Document("o1", "corn")]), tmp_path / "x"), topics, AIDS)
    with pytest.raises(DataError, match="no word that occurs 2 times"):
        CLARIT().run(version(tmp_path / "y"), topics, Aids(outside=InMemory([Document("o", "alone")])))


def test_a_corpus_with_one_document_and_empty_ones(tmp_path: Path) -> None:
    one = version(tmp_path / "one", ["modcrn fann"])
    assert not len(CLARIT(rounds=0).run(one, {"q": "modern farm"}, AIDS))  # idf is 0 where all documents have a term
    assert list(scores("clarit(rounds=0)", tmp_path / "few", "modern", ["modcrn fann", "", "ccrn"])) == ["d0"]


@pytest.mark.parametrize(
    "spec",
    ["keep=0", "keep=256", "candidates=0", "share=1", "rounds=-1", "correct=5", "phrases=trios", "weight=0", "least=0"],
)
def test_parameters_out_of_their_domain(spec: str) -> None:
    with pytest.raises(SpecError, match="clarit: "):
        systems.parse(f"clarit({spec})")


def test_no_more_is_seen_than_allowed() -> None:
    assert CLARIT.uses == ("outside",)


@pytest.mark.slow
def test_with_folds_no_part_is_corrected_by_words_of_its_own(tmp_path: Path) -> None:
    true = ["modern farm modern farm", "solar power solar power", "modern farm modern farm", "uniquely uniquely farm"]
    noisy = ["modcrn farm", "solar pawer", "modern fann", "uniqucly farm"]
    aids = Aids(outside=InMemory(Document(f"d{i}", text) for i, text in enumerate(true)))
    with pytest.raises(ConflictError, match="folds=2"):
        CLARIT(rounds=0).corrected_version(version(tmp_path, noisy), aids)
    system = CLARIT(rounds=0, folds=2)
    better = system.corrected_version(version(tmp_path, noisy), aids)
    texts = {d.id: d.text for d in better.documents}
    assert list(texts) == ["d0", "d1", "d2", "d3"]
    assert texts["d0"] == "modern farm", "the other part has modern"
    assert texts["d1"] != "solar power", "only its own part has power"
    assert texts["d2"] == "modern farm"
    assert "uniquely" not in texts["d3"], "its own true text was not seen"
    assert systems.parse("bm25").run(better, {"q": "modern"}).documents[0] in {"d0", "d2"}


def test_clean_text_in_folds_is_the_version_itself(tmp_path: Path) -> None:
    clean = version(tmp_path, ["modern farm", "solar power", "corn", "wind farm"], "true")
    assert CLARIT(folds=2).corrected_version(clean, AIDS) is clean


def test_a_degraded_part_is_corrected_though_the_first_is_clean(tmp_path: Path) -> None:
    true = ["modern farm modern farm", "modern farm modern farm", "modern farm modern farm", "modern farm modern farm"]
    noisy = ["modern farm", "modern farm", "modcrn farm", "modern fann"]
    aids = Aids(outside=InMemory(Document(f"d{i}", text) for i, text in enumerate(true)))
    better = CLARIT(rounds=0, folds=2).corrected_version(version(tmp_path, noisy), aids)
    assert [d.text for d in better.documents] == ["modern farm"] * 4


def test_more_folds_than_documents(tmp_path: Path) -> None:
    true = ["modern farm modern farm", "modern farm modern farm"]
    aids = Aids(outside=InMemory(Document(f"d{i}", text) for i, text in enumerate(true)))
    better = CLARIT(rounds=0, folds=5).corrected_version(version(tmp_path, ["modcrn farm", "modern fann"]), aids)
    assert [d.text for d in better.documents] == ["modern farm"] * 2
