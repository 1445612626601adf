"""ETH's two systems on small collections, against the formulas."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import slow_track
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


# -- P as the paper tells it, slowly -----------------------------------------------------------------------------------


READ = [
    "the Chevrolet and the Chevro1et of the thief",
    "a chcvrolet for chevrolet drivers, and thcft data",
    "theft data on a Corsica. Cors1ca theft! corsican",
    "bicycles and thefts of bicyc1es",
    "theChevrolet Corsica da ta",
    "nothing of the kind, but chevron and data",
]
LEARNED = [
    Pair("theft of a chevrolet corsica", "thcft of a chevro1et corsica"),
    Pair("data, data and theft data", "data, dafa and thef t data"),
    Pair("bicycle", "bicycle bicycl"),
]


ENDINGS = {"drivers": "driver", "thefts": "theft"} | dict.fromkeys(("bicycle", "bicycles"), "bicycl")
ENDINGS |= {"bicyc1es": "bicyc1"}
"""Of these words the stems that are not the words themselves."""


@pytest.mark.parametrize(
    "spec",
    [
        "eth(n=3, slots=true)",
        "eth(n=3, slots=true, unit=words)",
        "eth(n=3, slots=true, unit=windows, weight=slots)",
        "eth(n=3, slots=true, blank=false, weight=log1p)",
        "eth(n=3, slots=true, weight=floor)",
        "eth(n=3, slots=true, weight=faulty, df=exact)",
    ],
)
def test_p_run_is_what_the_paper_tells(tmp_path: Path, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_track, "STEMS", ENDINGS)
    monkeypatch.setattr(slow_track, "STOP", slow_track.STOP | {"nothing", "but", "t"})
    system = systems.parse(spec)
    assert isinstance(system, ETH)
    question = "theft data on the Chevrolet Corsica, Chevrolet"
    run = system.run(version(tmp_path, READ), {"q": question}, Aids(training=LEARNED))
    expected = slow_track.eth_scores(
        READ, question, LEARNED, n=3, unit=system.unit, weight=system.weight, df=system.df, blank=system.blank
    )
    assert len(expected) > 3
    found = dict(zip(run.documents, run.scores.tolist(), strict=True))
    assert found == {f"d{i}": pytest.approx(score) for i, score in expected.items()}


def test_weights_where_a_slot_is_worth_little() -> None:
    slots = np.array([0, 1, 10])
    assert ETH(slots=True).weigh(slots, 0.3).tolist() == pytest.approx([0, 1 + math.log(1.3), 1 + math.log(4)])
    assert ETH(weight="floor").weigh(slots, 0.3).tolist() == pytest.approx([0, 1, 1 + math.log(3)])
    assert ETH(weight="log1p").weigh(slots, 0.3).tolist() == pytest.approx([0, math.log(1.3), math.log(4)])


def test_on_clean_text_both_are_one(tmp_path: Path) -> None:
    runs = [ETH(slots=slots).run(version(tmp_path), {"q": "solar power"}, noisy(0.0)) for slots in (False, True)]
    assert runs[0].scores.tolist() == runs[1].scores.tolist()


def test_the_faulty_weight_is_negative_for_small_frequencies(tmp_path: Path) -> None:
    texts = ["a chevrolet", "bicycles"]
    aids = Aids(training=[Pair("none of it and a chevrolet", "chevrolet " * 9)])
    fine, faulty = (
        ETH(n=3, slots=True, weight=weight).run(version(tmp_path, texts), {"q": "chevrolet"}, aids).scores[0]
        for weight in ("expected", "faulty")
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


@pytest.mark.parametrize(
    "spec",
    [
        "eth(n=-1)",
        "eth(slope=2)",
        "eth(share=0)",
        "eth(slots=3)",
        "eth(again=0)",
        "eth(unit=lines)",
        "eth(weight=2)",
        "eth(df=none)",
    ],
)
def test_parameters_out_of_their_domain(spec: str) -> None:
    with pytest.raises(SpecError, match="must"):
        systems.parse(spec)
