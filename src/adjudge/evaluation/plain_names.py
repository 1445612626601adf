"""Names of the measures that have compiled loops, as most people write them: finding the measures themselves takes
longer than evaluating a small run.

A measure is what its file in measures/ says. This table says of plain names which loop gives the values, and a test
compares it with the measures; a name that is not here is asked of them.
"""

from __future__ import annotations

import math

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from collections.abc import Sequence

    Loop = tuple[str, float]

GEOMETRIC_MEAN, FLOOR = "gm(floor=1e-05)", 1e-05
"""trec_eval's geometric mean."""

COUNTS = ("num_q", "num_ret", "num_rel", "num_rel_ret")
WHOLE = {
    **dict.fromkeys(("ap", "bpref", "ndcg", "rprec", "rr", "set_p", "set_recall"), "mean"),
    **dict.fromkeys(COUNTS, "sum"),
}
"""Measures that need no number: {name: average}."""
CUT = {**dict.fromkeys(("ap", "ndcg", "p", "recall", "rr", "success"), "mean"), "num_rel_ret": "sum"}
"""Measures that may have a cutoff after an @."""
TREC_WHOLE = {"map": "ap", "Rprec": "rprec", "recip_rank": "rr", "set_P": "set_p"}
TREC_CUT = {"P": "p", "recall": "recall", "ndcg_cut": "ndcg", "map_cut": "ap", "success": "success"}
"""trec_eval's names of them, where they differ or have a cutoff after a _."""
MULTIPLE = 1.0
"""How often R fits into the cutoff of rprec."""

RECALL = "iprec_at_recall"
RECALLS = tuple(tenth / 10 for tenth in range(11))
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
DEFAULTS = {"P": CUTOFFS, "recall": CUTOFFS, "ndcg_cut": CUTOFFS, "map_cut": CUTOFFS, "success": (1, 5, 10)}
"""What trec_eval takes where no cutoff is given."""
ORDER = (
    *("runid", *COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", RECALL, "P", "recall"),
    *("gm_bpref", "ndcg", "ndcg_cut", "map_cut", "success", "set_P", "set_recall"),
)
OFFICIAL = ORDER[: ORDER.index("recall")]
"""trec_eval's order, and what it prints unless it is told otherwise."""
LONGEST = 9
"""Digits of a cutoff."""


class PlainColumn:
    """A column of a table of scores, as :class:`adjudge.core.scores.Column`, and the loop that gives its values."""

    __slots__ = ("average", "better", "loop", "measure", "name")

    def __init__(self, name: str, measure: str, average: str, better: str, loop: Loop) -> None:
        self.name, self.measure, self.average, self.better, self.loop = name, measure, average, better, loop


class PlainLine:
    """A line of trec_eval's output, as :class:`adjudge.evaluation.trec_lines.Line`, and the loop of its values."""

    __slots__ = ("average", "label", "loop", "name", "per_topic", "whole")

    text = False

    def __init__(self, name: str, label: str, average: str, loop: Loop | None) -> None:
        self.name, self.label, self.average, self.loop = name, label, average, loop
        self.whole = average == "sum"
        self.per_topic = name not in {"runid", "num_q"} and average != "gm"


def loop_of(measure: str, number: float | None = None) -> Loop:
    return measure, MULTIPLE if measure == "rprec" else math.inf if number is None else float(number)


def cutoff_of(text: str) -> int | None:
    """A cutoff in plain digits."""
    return int(text) if text.isascii() and text.isdigit() and text[0] != "0" and len(text) <= LONGEST else None


def plain_column(spec: str) -> PlainColumn | None:
    """The column of a name that is in the table; None for all others."""
    geometric = spec.startswith("gm_")
    name = spec.removeprefix("gm_")
    base, sign, text = name.partition("@")
    measure: str | None
    if sign:
        measure, number = base, cutoff_of(text)
        average = CUT.get(base) if number else None
    elif name in WHOLE or name in TREC_WHOLE:
        measure, number = TREC_WHOLE.get(name, name), None
        average = WHOLE[measure]
    elif name.startswith(f"{RECALL}_"):
        share = next((share for share in RECALLS if name == f"{RECALL}_{share:.2f}"), None)
        if share is None:
            return None
        return _column(spec, f"iprec@{share:g}", "mean", geometric, loop_of("iprec", share))
    else:
        base, _, text = name.rpartition("_")
        measure, number = TREC_CUT.get(base), cutoff_of(text)
        average = "mean" if measure and number else None
    if average is None or measure is None:
        return None
    called = measure if number is None else f"{measure}@{number}"
    return _column(spec, called, average, geometric, loop_of(measure, number))


def _column(spec: str, measure: str, average: str, geometric: bool, loop: Loop) -> PlainColumn:
    better = "" if average == "sum" else "high"
    return PlainColumn(spec, measure, GEOMETRIC_MEAN if geometric else average, better, loop)


def plain_columns(words: Sequence[str]) -> list[PlainColumn] | None:
    """The columns that -m options ask for, each once; None if one is not plain."""
    columns: dict[str, PlainColumn] = {}
    for word in words:
        for spec in map(str.strip, word.split(",")):
            for name in [line.label for line in official() if line.loop] if spec == "official" else [spec]:
                column = plain_column(name)
                if column is None:
                    return None
                columns.setdefault(name, column)
    return list(columns.values())


def official() -> list[PlainLine]:
    return [line for name in OFFICIAL for line in _lines_of(name, None) or ()]


def plain_lines(words: Sequence[str]) -> list[PlainLine] | None:
    """The lines that trec_eval's -m options ask for; None if a name or a parameter is not plain."""
    marked: set[str] = set()
    parameters: dict[str, str] = {}
    for word in words:
        name, point, given = word.partition(".")
        if point and (not given or name not in DEFAULTS):
            return None
        if point:
            parameters.setdefault(name, given)
        marked |= set(OFFICIAL) if name == "official" else {name}
    if not marked <= set(ORDER):
        return None
    lines: list[PlainLine] = []
    for name in ORDER:
        if name in marked:
            some = _lines_of(name, parameters.get(name))
            if some is None:
                return None
            lines += some
    return lines


def _lines_of(name: str, given: str | None) -> list[PlainLine] | None:
    if name == "runid":
        return [PlainLine(name, name, "mean", None)]
    if name == RECALL:
        return [PlainLine(name, f"{name}_{share:3.2f}", "mean", loop_of("iprec", share)) for share in RECALLS]
    if name in DEFAULTS:
        cutoffs = DEFAULTS[name] if given is None else [cutoff_of(text) for text in given.split(",")]
        if None in cutoffs or len(set(cutoffs)) < len(cutoffs):
            return None
        chosen = sorted(cutoff for cutoff in cutoffs if cutoff is not None)
        return [PlainLine(name, f"{name}_{k}", "mean", loop_of(TREC_CUT[name], k)) for k in chosen]
    base = name.removeprefix("gm_")
    measure = TREC_WHOLE.get(base, base)
    return [PlainLine(name, name, "gm" if base != name else WHOLE[measure], loop_of(measure))]
