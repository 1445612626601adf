"""The tables of experiments/scanned.py: means with bootstrap intervals, and which differences are more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from adjudge.comparison.corrections.holm import Holm
from adjudge.comparison.significance.randomisation import RandomisationTest

Cells = dict[tuple[str, str, str], list[float]]
"""Values by topic for each collection, version and system."""
Floats = npt.NDArray[np.float64]
SAMPLES = 10_000
SEED = 0


@cache
def _times_drawn(number: int) -> Floats:
    """How often each of so many topics is drawn, sample by sample; the same for every interval."""
    drawn = np.random.default_rng(SEED).integers(0, number, (SAMPLES, number))
    places = (drawn + np.arange(SAMPLES)[:, None] * number).ravel()
    return np.bincount(places, minlength=SAMPLES * number).reshape(SAMPLES, number).astype(np.float64)


def interval(values: Sequence[float] | Floats) -> tuple[float, float]:
    """95 %, bootstrap over topics."""
    array = np.asarray(values, np.float64)
    low, high = np.quantile(_times_drawn(len(array)) @ array / len(array), (0.025, 0.975))
    return float(low), float(high)


def ratio_interval(values: Sequence[float], base: Sequence[float]) -> tuple[float, float, float]:
    """The mean as a share of another on the same topics, with its interval."""
    one, other = np.asarray(values), np.asarray(base)
    drawn = np.random.default_rng(SEED).integers(0, len(one), (SAMPLES, len(one)))
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = one[drawn].mean(axis=1) / other[drawn].mean(axis=1)
    low, high = np.nanquantile(shares, (0.025, 0.975))
    return float(one.mean() / other.mean()), float(low), float(high)


def p_value(values: Sequence[float], base: Sequence[float]) -> float:
    """Of the difference, two-sided, by the randomisation test."""
    both = np.array([values, base])
    return float(RandomisationTest()(both, np.array([[0, 1]]), np.random.default_rng(SEED))[0])


def _names(cells: Mapping[tuple[str, str, str], object], place: int) -> list[str]:
    return list(dict.fromkeys(key[place] for key in cells))


def _short(value: float) -> str:
    text = f"{value:.3f}".replace("-", "−")
    return text.replace("0.", ".", 1) if abs(value) < 0.9995 else text


def _p(value: float) -> str:
    return "< .001" if value < 0.001 else _short(value)


def _rows(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def known_items(cells: Cells, subject: str = "decipher") -> str:
    """Mean reciprocal ranks of a collection with intervals, best last; and what the subject keeps of the best."""
    (name,) = _names(cells, 0)
    versions, systems = _names(cells, 1), _names(cells, 2)
    means = {key: float(np.mean(value)) for key, value in cells.items()}
    header = [f"{name}, {len(next(iter(cells.values())))} questions"]
    tests: dict[tuple[str, str], float] = {}
    for version in versions:
        header += [version, "", "found"] if version == versions[0] else [version, "", "found", "p"]
        for system in systems if version != versions[0] and subject in systems else ():
            if system != subject and subject not in system:
                tests[version, system] = p_value(cells[name, version, subject], cells[name, version, system])
    corrected = dict(zip(tests, Holm()(np.array(list(tests.values()))), strict=True)) if tests else {}
    rows = []
    for system in sorted(systems, key=lambda s: means[name, versions[-1], s]):
        row = [system]
        for version in versions:
            values = cells[name, version, system]
            low, high = interval(values)
            row += [_short(means[name, version, system]), f"{_short(low)} to {_short(high)}"]
            row.append(str(sum(value > 0 for value in values)))
            if version != versions[0]:
                p = corrected.get((version, system))
                row.append("" if p is None else _p(p))
        rows.append(row)
    text = _rows(header, rows)
    single = [s for s in systems if "+" not in s]
    best = max((s for s in single if s != subject), key=lambda s: means[name, versions[0], s])
    if subject in systems:
        for base in dict.fromkeys((best, subject, "bm25")):
            for version in versions:
                share, low, high = ratio_interval(cells[name, version, subject], cells[name, versions[0], base])
                text += f"\n{subject} on {version}: {100 * share:.1f} % of {base} on {versions[0]}"
                text += f" ({100 * low:.1f} to {100 * high:.1f})"
    return text + f"\n\np: against {subject}, randomisation, Holm over {len(tests)} tests.\n"


def precision(cells: Cells, subject: str, bases: Sequence[str]) -> str:
    """Mean average precision of each collection and version, with differences to the bases; Holm over the table."""
    places = list(dict.fromkeys(key[:2] for key in cells))
    systems = [system for system in _names(cells, 2) if all((*place, system) in cells for place in places)]
    tests = {(*place, base): p_value(cells[*place, subject], cells[*place, base]) for place in places for base in bases}
    corrected = dict(zip(tests, Holm()(np.array(list(tests.values()))), strict=True))
    header = ["collection", "noise", "topics", *systems]
    for base in bases:
        header += [f"{subject} − {base} (95 %)", "p"]
    rows = []
    for place in places:
        values = {system: np.array(cells[*place, system]) for system in systems}
        row = [*place, str(len(values[subject])), *(_short(float(v.mean())) for v in values.values())]
        for base in bases:
            gap = values[subject] - values[base]
            low, high = interval(gap)
            row += [f"{_short(float(gap.mean()))} ({_short(low)} to {_short(high)})", _p(corrected[*place, base])]
        rows.append(row)
    return _rows(header, rows) + f"\nRandomisation, Holm over {len(tests)} tests.\n"


def ablation_table(cells: Cells, whole: str) -> str:
    """Every variant on every version of every collection, as difference to the whole; Holm over the table."""
    places = list(dict.fromkeys(key[:2] for key in cells))
    variants = [system for system in _names(cells, 2) if system != whole and "+" not in system]
    tests = {(*p, v): p_value(cells[*p, v], cells[*p, whole]) for p in places for v in variants}
    corrected = dict(zip(tests, Holm()(np.array(list(tests.values()))), strict=True)) if tests else {}
    rows = []
    for place in places:
        mean = float(np.mean(cells[*place, whole]))
        row = [*place, _short(mean)]
        for variant in variants:
            gap = float(np.mean(cells[*place, variant])) - mean
            row.append(f"{gap:+.3f}{'*' if corrected[*place, variant] < 0.05 else ''}")
        rows.append(row)
    return _rows(["collection", "noise", whole, *variants], rows) + f"\n* p < .05, Holm over {len(tests)} tests.\n"
