"""Sentences are made of facts and never read back: with every one replaced by its name no figure changes."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import page_findings
from adjudge.comparison.compare import compare
from adjudge.comparison.known_item.complementarity import Complementarity
from adjudge.comparison.known_item.prediction import predict
from adjudge.comparison.reliability.swap_rate import swap_rate
from adjudge.report import complementarity_table, prediction_table, reliability
from adjudge.report.page.data import content
from adjudge.report.result_files import result_files
from mute_words import mute, without_prose


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
        "verdicts": without_prose(json.loads(files["verdicts.json"])),
        "scores": files["scores.parquet"],
        "csv": files["results.csv"],
        "page": content(findings, []),
        "complementarity": without_prose(json.loads(complementarity_table.as_json(Complementarity(item)))),
        "prediction": without_prose(
            json.loads(prediction_table.as_json(predict(item, {"length": length}, rng, permutations=50)))
        ),
        "swaps": reliability.swap_text(drawn, "csv", 0.05, colour=False),
        "comparison": compare(first.scores, "rr").differences,
    }


def test_no_figure_depends_on_a_sentence() -> None:
    before = everything()
    with mute():
        after = everything()
    assert before.keys() == after.keys()
    for name in before:
        assert repr(before[name]) == repr(after[name]), name


def test_what_is_said_comes_from_the_room_of_words() -> None:
    with mute():
        files = result_files(page_findings.noisy())
    verdicts = json.loads(files["verdicts.json"])
    assert set(verdicts["conclusions"]) == {"outcomes.conclusion"}
    assert verdicts["versions"]["true"]["comparison"]["conclusion"] == "verdicts.comparison_conclusion"
    assert verdicts["versions"]["true"]["known_item"]["break_even"][0]["sentence"] == "worth.break_even"
    assert files["report.html"].count(b"outcomes.conclusion") > 1
