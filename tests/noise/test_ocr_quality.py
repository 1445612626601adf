"""Estimated error rates: they rise with the errors, the worst documents come first, and an index gives the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import adjudge
from adjudge.cli import main
from adjudge.core.errors import DataError
from adjudge.noise.channel import ChannelNoise, channel_of
from adjudge.noise.letter_surprise import LetterSurprise
from adjudge.noise.ocr_quality import SHARES, SMALLEST, Context, estimate_quality, words_of

STEMS = [
    a + b for a in ("harb", "gran", "lett", "cran", "pier", "ledg", "quar") for b in ("our", "ite", "ers", "ing", "el")
]


def collection(documents: int = 60, length: int = 150) -> list[adjudge.Document]:
    rng = np.random.default_rng(5)
    texts = [" ".join(STEMS[w] for w in rng.zipf(1.3, length) % len(STEMS)) for _ in range(documents)]
    return [adjudge.Document(f"d{number:02}", text) for number, text in enumerate(texts)]


def noisy(documents: list[adjudge.Document], rate: float) -> list[adjudge.Document]:
    noise = ChannelNoise(channel_of("ocrad-20"), rate=rate, seed=2)
    return [each._replace(text=noise.degrade(each).text) for each in documents]


def test_words_and_what_is_none() -> None:
    text = "“Harbour,” l1me — 1,893 wes-tern 12th the ~ a_b x"
    counts = words_of(text)
    assert counts.words == {"harbour": 1, "wes-tern": 1}
    assert counts.tiny == {"—": 1, "the": 1, "~": 1, "a_b": 1, "x": 1}
    assert (counts.strings, counts.odd) == (10, 2)
    assert counts.signs == 2 / len("".join(text.split()))  # ~ and _


def test_a_rare_string_near_a_frequent_one_is_doubted() -> None:
    sample = [words_of("granite " * 20), words_of("granlte quarry")]
    near = Context(sample).shares(sample[1], inside=True)[SHARES.index("near")]
    assert near**2 == pytest.approx(0.5)


def test_new_words_count_by_their_length() -> None:
    sample = [words_of("pier pier granite"), words_of("pier picr granlte")]
    shares = Context(sample).shares(sample[1], inside=True)
    assert [share**2 for share in shares[:2]] == pytest.approx([0.5, 1.0])


def test_letters_that_no_frequent_word_has_are_surprising() -> None:
    letters = LetterSurprise({"granite": 20, "graning": 5, "quarry": 9})
    assert letters.bits("granite") < letters.bits("granito") < letters.bits("gxqwzte")
    assert letters.typical == pytest.approx(
        (20 * letters.bits("granite") + 5 * letters.bits("graning") + 9 * letters.bits("quarry")) / 34
    )
    assert np.isfinite(LetterSurprise({}).bits("any"))


def test_a_document_is_seen_in_its_collection() -> None:
    features = Context([words_of("granite " * 9)]).features([(0.0,) * 7, (0.4,) * 7])
    assert features.shape == (2, 15)
    assert features[:, 8:] == pytest.approx(np.full((2, 7), 0.2))
    assert features[:, 7] == pytest.approx(np.log(SMALLEST))


def test_more_errors_give_a_higher_estimate_with_an_interval() -> None:
    clean = collection()
    rates = [estimate_quality(adjudge.read_documents(noisy(clean, rate))) for rate in (0.02, 0.1, 0.3)]
    figures = [each.error_rate for each in rates]
    assert figures == sorted(figures)
    assert figures[2] > 3 * figures[0]
    for each in rates:
        assert each.low <= each.error_rate <= each.high
        assert each.words_right <= each.words_right_at_half <= 1


def test_the_worst_documents_come_first() -> None:
    clean = collection()
    bad = {"d07", "d31"}
    mixed = [noisy([each], 0.4)[0] if each.id in bad else each for each in clean]
    assert {each.id for each in adjudge.estimate_errors(mixed).documents[:2]} == bad


def test_command_verb_and_index_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents = noisy(collection(12), 0.3)
    adjudge.write_documents(documents, tmp_path / "docs.jsonl")
    adjudge.index(documents, tmp_path / "i")
    assert main(["noise", "estimate", str(tmp_path / "docs.jsonl"), "-f", "json", "--worst", "3"]) == 0
    data = json.loads(capsys.readouterr().out)
    result = adjudge.estimate_errors(tmp_path / "i")
    assert data["error_rate"] == result.error_rate
    assert [row["document"] for row in data["worst"]] == [each.id for each in result.documents[:3]]
    assert len(result.to_polars()) == 12
    assert main(["noise", "estimate", str(tmp_path / "i"), "--worst", "2"]) == 0
    out = capsys.readouterr().out
    assert "12 documents: about" in out
    assert "with half the errors" in out


def test_nothing_to_estimate() -> None:
    with pytest.raises(DataError, match="no document with text"):
        adjudge.estimate_errors({"a": "", "b": " "})
