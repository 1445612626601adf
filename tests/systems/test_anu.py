"""ANU's system: spans of the specification, concepts by hand and automatic, questions corrupted like the text."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError, SpecError
from adjudge.systems.parts.concepts import (
    BEGINNING,
    STEM,
    WORD,
    Form,
    automatic,
    corrupt,
    learn_channel,
    read_concepts,
)
from adjudge.systems.parts.version import Aids, Pair, Version
from adjudge.systems.system import TRACK, systems
from recorder import heard

TEXTS = ["alpha x beta x x alpha beta gamma", "gamma ray", "nothing else", ""]
SAMPLE = [
    Pair("Modern farm corn burn the corner", "Modem farm com bum the comer"),
    Pair("turn warn born", "tum wam bom"),
    Pair("lord loud lamb less", "1ord loud 1amb 1ess"),
]


def version(folder: Path, texts: list[str] = TEXTS) -> Version:
    return Version("true", InMemory(Document(f"d{i}", text) for i, text in enumerate(texts)), folder)


def scores(
    spec: str, folder: Path, question: str, texts: list[str] = TEXTS, aids: Aids | None = None
) -> dict[str, float]:
    run = systems.parse(spec).run(version(folder, texts), {"q": question}, aids)
    return dict(zip(run.documents, run.scores.tolist(), strict=True))


def test_the_spans_of_the_specification(tmp_path: Path) -> None:
    second = 1 / math.sqrt(3) + 1 / 2 + 2 / math.sqrt(2)
    expected = 1 / math.sqrt(3) + (2 / 3) ** 4 * second + (1 / 3) ** 4 * 5
    found = scores("anu", tmp_path, "The alpha, the beta and the gamma")
    assert found == {"d0": pytest.approx(expected), "d1": pytest.approx((1 / 3) ** 4)}
    flat = scores("anu(power=0, decay=0, longest=3)", tmp_path, "alpha beta gamma")
    assert flat == {"d0": pytest.approx(5 + 3 + 1), "d1": 1.0}


def test_one_concept_scores_its_frequency(tmp_path: Path) -> None:
    assert scores("anu", tmp_path, "alpha") == {"d0": 2.0}


def test_automatic_concepts_are_stems() -> None:
    assert automatic("What are the energies of solar energy?") == [
        (Form(("energies",), STEM),),
        (Form(("solar",), STEM),),
    ]
    assert automatic("what is the") == []


def test_concepts_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "concepts.txt"
    path.write_text("# made in three minutes\nq  Alph* | aleph\n\nq gamma-ray | gamma # both\nother x\n", "utf-8")
    assert read_concepts(path)["q"] == [
        (Form(("alph",), BEGINNING), Form(("aleph",), WORD)),
        (Form(("gamma", "ray"), WORD), Form(("gamma",), WORD)),
    ]
    said: list[str] = []
    system = systems.parse(f"anu(concepts={path})")
    run = system.run(heard(version(tmp_path / "v"), said), {"q": "unlike", "auto": "nothing"})
    assert run.to_dict()["q"] == {
        "d0": pytest.approx(3 / 16 + 1 / math.sqrt(3)),
        "d1": pytest.approx(1 / 16),
    }
    assert said == [
        f"{path}: there is no topic other",
        f"topic auto: not in {path}, so its concepts are chosen automatically",
        "topic auto: all words are stop words",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no concept"),
        ("# only\n", "holds no concept"),
        ("q\n", ":1: a concept is a topic and forms"),
        ("q a\nq a | | b\n", ":2: a concept is a topic and forms"),
        ("q ***\n", ":1: a concept is a topic and forms"),
    ],
)
def test_concepts_that_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "c.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(DataError, match=message):
        read_concepts(path)
    with pytest.raises(DataError, match=message):
        systems.parse(f"anu(concepts={path})").run(version(tmp_path), {"q": "alpha"})


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no\.txt: cannot be read as concepts"):
        read_concepts(tmp_path / "no.txt")
    (tmp_path / "latin.txt").write_bytes(b"q caf\xe9\n")
    with pytest.raises(DataError, match="is not UTF-8 at byte 5"):
        read_concepts(tmp_path / "latin.txt")


def test_no_channel_without_errors() -> None:
    assert learn_channel(None) is None
    assert learn_channel([]) is None
    assert learn_channel([Pair("The  Same\ntext", "the same text")]) is None


def test_forms_are_corrupted_as_the_specification_says() -> None:
    from adjudge.noise.channel.model import Channel, Rule

    errors = (Rule("rn", "m", 0.3, 9), Rule("l", "1", 0.2, 9), Rule("e", "c", 0.1, 9), Rule("t", ".", 0.01, 9))
    channel = Channel((), errors=errors)
    variants = {form.words[0]: form.probability for form in corrupt((Form(("eternal",)),), channel)}
    expected = {"eternal": 0.504, "etemal": 0.216, "eterna1": 0.126, "ctcrnal": 0.056}
    expected |= {"etema1": 0.054, "ctcmal": 0.024, "ctcrna1": 0.014, "ctcma1": 0.006}
    assert variants.keys() == expected.keys(), "a variant with a dot is not one word"
    assert variants["eternal"] == 1.0
    for variant in expected.keys() - {"eternal"}:
        assert variants[variant] == pytest.approx(expected[variant] * 0.99)
    few = corrupt((Form(("eternal",)),), channel, limit=3)
    assert [form.words[0] for form in few] == ["eternal", "etemal", "eterna1"]


def test_stems_and_words_side_by_side_are_corrupted() -> None:
    channel = learn_channel(SAMPLE)
    assert channel is not None
    assert {(rule.source, rule.target) for rule in channel.characteristic()} == {("rn", "m"), ("l", "1")}
    learning = corrupt((Form(("learning",), STEM),), channel)
    beginnings = {(word, BEGINNING) for word in ("leam", "1earn", "1eam")}
    assert {(form.words[0], form.kind) for form in learning} == {("learning", STEM), *beginnings}
    lily = corrupt((Form(("lily",), STEM),), channel)
    assert {form.words[0] for form in lily} == {"lily", "1i1i", "1i1y"}
    side = corrupt((Form(("corn", "oil"), BEGINNING),), channel)
    assert {form.words for form in side} == {("corn", "oil"), ("com", "oil"), ("corn", "oi1"), ("com", "oi1")}


def test_a_corrupted_question_finds_corrupted_text(tmp_path: Path) -> None:
    texts = ["thc joumal of 1eaming", "no diary", "the journal"]
    assert scores("anu", tmp_path, "journal of learning", texts) == {"d2": 1 / 16}
    aids = Aids(aligned=SAMPLE)
    found = scores("anu", tmp_path, "journal of learning", texts, aids)
    assert found == {"d0": pytest.approx(1 / math.sqrt(3) + 2 / 16), "d2": 1 / 16}
    assert scores("anu(limit=1)", tmp_path, "journal of learning", texts, aids) == {"d2": 1 / 16}
    lighter = scores("anu(weighted=true)", tmp_path, "journal of learning", texts, aids)
    assert lighter["d2"] == 1 / 16
    assert 0 < lighter["d0"] < found["d0"]
    by_site = scores("anu(by=site)", tmp_path / "site", "lull", ["1ul1", "1u1l", "dull"], aids)
    assert sorted(by_site) == ["d0", "d1"]


def test_only_the_aligned_sample_is_used(tmp_path: Path) -> None:
    assert systems.parse("anu").uses == ("aligned",)
    training = Aids(training=SAMPLE)
    assert scores("anu", tmp_path, "corn", ["com", "corn"], training) == {"d1": 1.0}


def test_questions_that_find_nothing_are_noted_and_left_out(tmp_path: Path) -> None:
    said: list[str] = []
    topics = {"stop": "what is the", "none": "quixotry", "ok": "gamma"}
    run = systems.parse("anu").run(heard(version(tmp_path), said), topics)
    assert run.topics == ("ok",)
    assert said == ["topic stop: all words are stop words", "topic none: no concept occurs"]
    assert not len(systems.parse("anu").run(version(tmp_path), {"none": "quixotry"}))


def test_the_best_k_are_cut_in_the_order_of_ids(tmp_path: Path) -> None:
    run = systems.parse("anu").run(version(tmp_path, ["red"] * 12), {"q": "red"}, k=3)
    assert list(run.documents) == ["d9", "d8", "d7"]
    assert scores("anu", tmp_path / "one", "red", ["red"]) == {"d0": 1.0}


@pytest.mark.parametrize(
    "spec",
    [
        f"anu({given})"
        for given in (
            "decay=-1",
            "power=x",
            "longest=0",
            "limit=0",
            "by=word",
            "shortest=0",
            "concepts=3",
            "weighted=2",
        )
    ],
)
def test_parameters_have_domains(spec: str) -> None:
    with pytest.raises(SpecError, match="must"):
        systems.parse(spec)


def test_the_name_of_the_track_is_this_system() -> None:
    assert str(systems.parse(TRACK["anu5con"])) == "anu"
    assert str(systems.parse("anu(longest=200, by=site)")) == "anu(longest=200, by=site)"
