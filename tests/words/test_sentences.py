"""Sentences are made of facts and never read back: with every one replaced by its name no figure changes."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import page_findings
from adjudge import words
from adjudge.comparison.compare import compare
from adjudge.comparison.known_item.complementarity import Complementarity
from adjudge.comparison.known_item.prediction import predict
from adjudge.comparison.reliability.swap_rate import swap_rate
from adjudge.report import complementarity, prediction, reliability
from adjudge.report.page.data import content
from adjudge.report.result_files import result_files
from adjudge.words.speech import SENTENCES

SPOKEN = {"conclusion", "conclusions", "sentence", "skipped", "notes"}
"""Keys of JSON whose values are sentences."""


@pytest.fixture
def mute() -> Iterator[None]:
    """Every sentence says its own name and nothing else."""
    for module in pkgutil.iter_modules(words.__path__):
        import_module(f"adjudge.words.{module.name}")
    spoken = dict(SENTENCES)
    SENTENCES.update({name: lambda *_, name=name, **__: name for name in spoken})
    yield
    SENTENCES.update(spoken)


def figures(data: Any) -> Any:
    """JSON without what is said in it."""
    if isinstance(data, dict):
        return {key: figures(value) for key, value in data.items() if key not in SPOKEN}
    return [figures(value) for value in data] if isinstance(data, list) else data


def everything() -> dict[str, Any]:
    """Figures of a whole report and of results beside it."""
    findings = page_findings.noisy()
    files = result_files(findings)
    first = findings.versions["true"]
    assert first.study is not None
    item, rng = first.study.item, np.random.default_rng(0)
    length = [float(len(question)) + n for n, question in enumerate(item.questions)]
    drawn = swap_rate(first.scores, "rr", trials=20, rng=np.random.default_rng(0))
    return {
        "verdicts": figures(json.loads(files["verdicts.json"])),
        "scores": files["scores.parquet"],
        "csv": files["results.csv"],
        "page": content(findings, []),
        "complementarity": figures(json.loads(complementarity.as_json(Complementarity(item)))),
        "prediction": figures(json.loads(prediction.as_json(predict(item, {"length": length}, rng, permutations=50)))),
        "swaps": reliability.swap_text(drawn, "csv", 0.05, colour=False),
        "comparison": compare(first.scores, "rr").differences,
    }


def test_no_figure_depends_on_a_sentence(request: pytest.FixtureRequest) -> None:
    before = everything()
    request.getfixturevalue("mute")
    after = everything()
    assert before.keys() == after.keys()
    for name in before:
        assert repr(before[name]) == repr(after[name]), name


def test_what_is_said_comes_from_the_room_of_words(mute: None) -> None:
    del mute
    files = result_files(page_findings.noisy())
    verdicts = json.loads(files["verdicts.json"])
    assert set(verdicts["conclusions"]) == {"outcomes.conclusion"}
    assert verdicts["versions"]["true"]["comparison"]["conclusion"] == "verdicts.comparison_conclusion"
    assert verdicts["versions"]["true"]["known_item"]["break_even"][0]["sentence"] == "worth.break_even"
    assert files["report.html"].count(b"outcomes.conclusion") > 1
