"""How well error rates are estimated without true text: each of the real scans left out in turn; the model in the end.

    .venv/bin/python experiments/ocr_quality.py ../shared/data/real-scans

A collection is its OCR, its true text (error rate 0), half of each, and the true text with errors simulated by a
channel at 3, 10, 25 and 40 % on average, more in some documents than in others; all but the first with some of the
documents only, and as an eighth of these, because shares of rare strings depend on the size. What is left out is left
out in all these forms. Prints a table for docs/noise.md and the constants of noise/ocr_quality.py. The features were
chosen among some thirty sets by the same four collections, so the figures are a little too good.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein

from adjudge.core.document import Document
from adjudge.noise.channel import ChannelNoise, channel_of
from adjudge.noise.ocr_quality import Context, QualityModel, estimate_rates, sample_of, squared, words_of

RATES = (0.03, 0.1, 0.25, 0.4)
LEVELS = (0.3, 0.7, 1.0, 1.5, 2.2)
"""What the rate of a document is multiplied by."""
RIDGE = 0.03
SOME = 500
"""Documents of the made forms, at least."""
WEIGHTS = {"ocr": 4.0, "true": 2.0, "half": 2.0, "half part": 2.0}
"""How much forms count that are real, or half real; the others count 1."""


def texts_of(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8") as file:
        return {row["id"]: " ".join(row["text"].split()) for row in map(json.loads, file)}


def error_rate(true: str, observed: str) -> float:
    return min(1.0, Levenshtein.distance(true, observed) / max(1, len(true)))


def rows_of(texts: list[str]) -> Any:
    counts = [words_of(text) for text in texts]
    chosen = sample_of([len(text.split()) for text in texts])
    context = Context([counts[number] for number in chosen])
    return context.features([context.shares(each, inside=number in chosen) for number, each in enumerate(counts)])


def forms_of(folder: Path, rng: np.random.Generator) -> dict[str, tuple[Any, Any]]:
    """Features and error rates of a collection in all its forms; the real one first."""
    true, observed = texts_of(folder / "true.jsonl"), texts_of(folder / "ocr.jsonl")
    ids = [id_ for id_ in true if id_ in observed]
    rates = np.array([error_rate(true[id_], observed[id_]) for id_ in ids])
    forms = {"ocr": ([observed[i] for i in ids], rates)}
    some = slice(None, None, max(1, len(ids) // SOME))
    part, wrong = ids[some], rates[some]
    half = rng.random(len(part)) < 0.5
    forms["true"] = ([true[i] for i in part], np.zeros(len(part)))
    mixed = [observed[i] if take else true[i] for i, take in zip(part, half, strict=True)]
    forms["half"] = (mixed, np.where(half, wrong, 0.0))
    channel = channel_of("ocrad-20")
    for rate in RATES:
        noises = [ChannelNoise(channel, rate=min(0.6, rate * level), seed=1) for level in LEVELS]
        drawn = rng.integers(0, len(LEVELS), len(part)).tolist()
        simulated = [
            " ".join(noises[n].degrade(Document(i, true[i])).text.split()) for i, n in zip(part, drawn, strict=True)
        ]
        errors = np.array([error_rate(true[i], text) for i, text in zip(part, simulated, strict=True)])
        forms[f"{rate:.0%}"] = (simulated, errors)
    out = {name: (rows_of(texts), errors) for name, (texts, errors) in forms.items()}
    for name, (texts, errors) in forms.items():
        if name != "ocr":
            out[f"{name} part"] = (rows_of(texts[::8]), errors[::8])
    right = [_right(true[i], observed[i]) for i in ids]
    out["words"] = (np.array(right), rates)
    return out


def _right(true: str, observed: str) -> float:
    """The share of the words of a text that are in what was read of it."""
    wanted, there = words_of(true).words, words_of(observed).words
    return (wanted & there).total() / max(1, wanted.total())


def fit(parts: list[tuple[str, Any, Any]]) -> QualityModel:
    """A ridge regression in which every form of every collection counts by its weight, however large it is."""
    features = np.concatenate([rows for _, rows, _ in parts])
    roots = np.sqrt(np.concatenate([errors for _, _, errors in parts]))
    weight = np.concatenate([np.full(len(e), WEIGHTS.get(name, 1.0) / len(e)) for name, _, e in parts])
    weight /= weight.sum()
    means = weight @ features
    scales = np.sqrt(weight @ (features - means) ** 2) + 1e-9
    standard = np.c_[np.ones(len(features)), (features - means) / scales]
    penalty = np.diag([0.0] + [RIDGE] * features.shape[1])
    weights = np.linalg.solve(standard.T @ (weight[:, None] * standard) + penalty, standard.T @ (weight * roots))
    rounded = [tuple(float(np.round(x, 4)) for x in each) for each in (means, scales, weights[1:])]
    return QualityModel(*rounded, float(np.round(weights[0], 4)), 0.0, 0.0, 0.0, 4.0)  # type: ignore[arg-type]


def ranks(values: Any) -> Any:
    return np.argsort(np.argsort(values))


def main(place: str) -> None:
    folders = sorted(path for path in Path(place).iterdir() if (path / "ocr.jsonl").exists())
    rng = np.random.default_rng(0)
    data = {folder.name: forms_of(folder, rng) for folder in folders}
    residuals, collection_errors = [], []
    print("| left out | documents | true rate | estimate | mean absolute error | correlation | of ranks |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for left_out, forms in data.items():
        train = [(n, *f) for c, all_ in data.items() if c != left_out for n, f in all_.items() if n != "words"]
        model = fit(train)
        rows, errors = forms["ocr"]
        roots = estimate_rates(rows, model)
        rates = squared(roots)
        figures = (errors.mean(), rates.mean(), np.abs(rates - errors).mean(), np.corrcoef(rates, errors)[0, 1])
        rank = np.corrcoef(ranks(rates), ranks(errors))[0, 1]
        print(f"| {left_out} | {len(errors):,} | " + " | ".join(f"{x:.3f}" for x in (*figures, rank)) + " |")
        off = np.sqrt(errors) - np.maximum(roots, 0)
        residuals.append(np.quantile(off, np.linspace(0, 1, 501)))
        for name in ("ocr", "true", "half", *(f"{rate:.0%}" for rate in RATES)):
            r, e = forms[name]
            collection_errors.append(np.sqrt(e.mean()) - np.sqrt(squared(estimate_rates(r, model)).mean()))
    model = fit([(n, *f) for all_ in data.values() for n, f in all_.items() if n != "words"])
    low, high = np.quantile(np.concatenate(residuals), [0.05, 0.95]).round(3)
    spread = float(np.round(np.sqrt(np.mean(np.square(collection_errors))), 3))
    right = np.concatenate([all_["words"][0] for all_ in data.values()])
    rates = np.concatenate([all_["words"][1] for all_ in data.values()])
    fine = (right > 0.02) & (rates < 0.6)
    x, y = np.log1p(-rates[fine]), np.log(right[fine])
    exponent = float(np.round((x @ y) / (x @ x), 2))
    print(model._replace(low=float(low), high=float(high), spread=spread, exponent=exponent))
    print("collections off by, in square roots:", np.round(collection_errors, 3).tolist())


if __name__ == "__main__":
    main(sys.argv[1])
