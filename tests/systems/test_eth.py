"""ETH's two systems on small collections, against the formulas."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError, SpecError
from adjudge.systems.eth import ETH
from adjudge.systems.parts.version import Aids, Pair, Version
from adjudge.systems.system import systems
from recorder import heard

TEXTS = ["solar power plants of florida", "wind power in the plains", "coupons and bonds of the treasury", ""]


def version(folder: Path, texts: list[str] = TEXTS) -> Version:
    return Version("true", InMemory(Document(f"d{i}", text) for i, text in enumerate(texts)), folder)


def noisy(rate: float) -> Aids:
    """Training documents with so many wrong characters."""
    true = "abcdefghij" * 20
    wrong = round(rate * len(true))
    return Aids(training=[Pair(true, "#" * wrong + true[wrong:])])


@pytest.mark.parametrize(
    ("rate", "analyzer"),
    [
        (0.0, "words|lower|stop(smart)|porter"),
        (0.05, "words|lower|stop(smart)|ngrams(4, pad=blank, cross=true)"),
        (0.2, "words|lower|stop(smart)|ngrams(3, pad=blank, cross=true)"),
    ],
)
def test_n_is_chosen_by_the_error_rate(rate: float, analyzer: str) -> None:
    assert ETH().analyzer(noisy(rate)) == analyzer


def test_a_given_n_needs_no_training() -> None:
    assert "ngrams(5," in ETH(n=5).analyzer(Aids())
    with pytest.raises(DataError, match="choose n, which may be given instead"):
        ETH().analyzer(Aids())


def test_n_run_is_pivoted_on_the_chosen_terms(tmp_path: Path) -> None:
    run = systems.parse("eth(n=0)").run(version(tmp_path), {"q": "solar florida"})
    assert list(run.documents) == ["d0"]
    distinct = [4, 3, 3, 0]
    norm = 0.8 * sum(distinct) / 4 + 0.2 * 4
    assert run.scores.tolist() == [pytest.approx(2 * math.log(4) / norm)]


def test_p_run_ranks_the_candidates_by_their_slots(tmp_path: Path) -> None:
    texts = ["the Chevrolet and the Chevro1et", "a chcvrolet for chevrolet drivers now", "bicycles"]
    aids = Aids(training=[Pair("chevrolet chevrolet", "chevrolet chevro1et"), Pair("bicycle", "bicycle")])
    system = ETH(n=3, slots=True)
    run = system.run(version(tmp_path, texts), {"q": "chevrolet"}, aids)
    worth = system.worth(aids.training or [])
    assert worth == pytest.approx(1.0)
    distinct = [2, 3, 1]
    expected = {}
    for i in (0, 1):
        norm = 0.8 * sum(distinct) / 3 + 0.2 * distinct[i]
        expected[f"d{i}"] = pytest.approx(math.log(1 + 2 * worth) * math.log(3 / 2) / norm)
    assert dict(zip(run.documents, run.scores.tolist(), strict=True)) == expected


def test_on_clean_text_both_are_one(tmp_path: Path) -> None:
    runs = [ETH(slots=slots).run(version(tmp_path), {"q": "solar power"}, noisy(0.0)) for slots in (False, True)]
    assert runs[0].scores.tolist() == runs[1].scores.tolist()


def test_the_faulty_weight_is_negative_for_small_frequencies(tmp_path: Path) -> None:
    texts = ["a chevrolet", "bicycles"]
    aids = Aids(training=[Pair("none of it and a chevrolet", "chevrolet " * 9)])
    fine, faulty = (
        ETH(n=3, slots=True, faulty=wrong).run(version(tmp_path, texts), {"q": "chevrolet"}, aids).scores[0]
        for wrong in (False, True)
    )
    assert fine > 0 > faulty


def test_only_the_best_of_n_are_ranked_again_and_only_with_slots(tmp_path: Path) -> None:
    texts = [*(f"florida number{i}" for i in range(5)), "bonds"]
    run = ETH(n=3, slots=True, again=3).run(version(tmp_path, texts), {"q": "florida"}, noisy(0.05), k=2)
    assert len(run.documents) == 2
    notes: list[str] = []
    assert not len(ETH(n=3, slots=True).run(heard(version(tmp_path, texts), notes), {"q": "orid"}, noisy(0.05)))
    assert notes == ["topic q: no document has a slot for a term of the question"]


def test_no_aids_but_training_reach_it(tmp_path: Path) -> None:
    aids = Aids(aligned=[Pair("a", "b")], outside=InMemory([]))
    with pytest.raises(DataError, match="needs training documents"):
        ETH().run(version(tmp_path), {"q": "solar"}, aids)
    assert aids.only(ETH.uses) == Aids() or aids.only(ETH.uses).aligned is None


@pytest.mark.parametrize("spec", ["eth(n=-1)", "eth(slope=2)", "eth(share=0)", "eth(slots=3)", "eth(again=0)"])
def test_parameters_out_of_their_domain(spec: str) -> None:
    with pytest.raises(SpecError, match="must"):
        systems.parse(spec)
