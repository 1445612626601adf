"""Measures of trec_eval: their order in the output, and the syntax ``-m name.parameters``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core.errors import SpecError, did_you_mean
from ..core.measure import GEOMETRIC_MEAN, Measure, TextMeasure, TrecName, measures
from ..core.scores import Column
from ..core.spec import Spec, build

ORDER = tuple(
    """
    runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P relstring recall
    infAP gm_bpref Rprec_mult utility 11pt_avg binG G dcg ideal_dcg ndcg ndcg_rel Rndcg ndcg_cut map_cut relative_P
    success set_P set_relative_P set_recall set_map set_F num_nonrel_judged_ret prefs_num_prefs_poss
    prefs_num_prefs_ful prefs_num_prefs_ful_ret prefs_simp prefs_pair prefs_avgjg prefs_avgjg_Rnonrel prefs_simp_ret
    prefs_pair_ret prefs_avgjg_ret prefs_avgjg_Rnonrel_ret prefs_simp_imp prefs_pair_imp prefs_avgjg_imp map_avgjg
    P_avgjg Rprec_mult_avgjg yaap rbp rbp_resid unj
    """.split()  # noqa: SIM905
)
"""trec_eval prints in this order, whatever the order of -m."""

SETS: dict[str, tuple[str, ...]] = {
    "official": ORDER[: ORDER.index("relstring")],
    "all_trec": tuple(
        name
        for name in ORDER
        if "prefs" not in name and "avgjg" not in name and name not in {"dcg", "ideal_dcg", "yaap"}
    ),
    "set": ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", *(n for n in ORDER if n[:4] == "set_")),
    "prefs": ("runid", "num_q", *(n for n in ORDER if re.fullmatch(r"prefs_num.*|prefs_(simp|pair|avgjg)", n))),
    "all_prefs": ("runid", "num_q", *(n for n in ORDER if n.startswith("prefs_"))),
    "qrels_jg": ("runid", "num_q", *(n for n in ORDER if n.endswith("_avgjg") and not n.startswith("prefs"))),
}

NOT_IN_9 = {"rbp", "rbp_resid", "unj"}
GROUPED = "_avgjg"


@dataclass(frozen=True)
class Line:
    """One line of output."""

    name: str
    label: str
    measure: Measure | None = None
    average: str = "mean"
    whole: bool = False
    text: bool = False
    per_topic: bool = True
    grouped: bool = False
    """Averaged over judgment groups."""


def requested_lines(words: Sequence[str], version: int) -> list[Line]:
    """The lines that a list of -m options asks for."""
    marked: set[str] = set()
    parameters: dict[str, str] = {}
    for word in words:
        name, point, given = word.partition(".")
        if point:
            if not given:
                raise SpecError(f"trec_eval: measure {word!r} has a point but no parameter")
            parameters.setdefault(name, given)
        for member in SETS.get(name, (name,)):
            if member not in ORDER:
                raise SpecError(f"trec_eval: illegal measure {member!r}{did_you_mean(member, [*ORDER, *SETS])}")
            if not (version == 9 and name == "all_trec" and member in NOT_IN_9):
                marked.add(member)
    return [line for name in ORDER if name in marked for line in lines_of(name, parameters.get(name))]


def lines_of(name: str, given: str | None) -> list[Line]:
    if name == "runid":
        return [Line(name, name, per_topic=False)]
    grouped = name.endswith(GROUPED) and not name.startswith("prefs")
    base = name.removesuffix(GROUPED) if grouped else name
    geometric = base.startswith("gm_")
    known = measures.find(base.removeprefix("gm_")) or (base.lower(), None)
    cls, use = measures.get(known[0]), known[1] or TrecName(base)
    fixed = dict(use.fixed)
    if use.field:
        values = use.defaults if given is None else sorted(cutoffs(name, given, whole=isinstance(use.defaults[0], int)))
        return [
            Line(
                name,
                f"{name}_{value_text(value)}",
                build(cls, Spec(name, None, fixed | {use.field: value}), "measure"),
                grouped=grouped,
            )
            for value in values
        ]
    more = {} if given is None else arguments(name, cls, given)
    measure = build(cls, Spec(name, None, fixed | more), "measure")
    return [
        Line(
            name,
            name if given is None else f"{name}_{given}",
            measure,
            "gm" if geometric else measure.average,
            whole=measure.average == "sum",
            text=isinstance(measure, TextMeasure),
            per_topic=not geometric and name != "num_q",
            grouped=grouped,
        )
    ]


def named_columns(spec: str, version: int) -> list[tuple[Column, Measure]]:
    """The columns that trec_eval's name of a measure or a set asks for, as in ``P``, ``P_10``, ``P.5,10`` or
    ``official``; none for a name that it does not have.

    ``version`` 9 has its own way to round interpolated precision; 10 leaves it to how runs are judged.
    """
    name, point, given = spec.partition(".")
    if name not in ORDER and name not in SETS:
        name, _, given = next(
            (known, "_", spec.removeprefix(f"{known}_"))
            for known in sorted((*ORDER, ""), key=len, reverse=True)
            if not known or re.fullmatch(rf"{re.escape(known)}_[\d.,]+", spec)
        )
        point = "."
    if not name:
        return []
    found = []
    for line in requested_lines([f"{name}.{given}" if point else name], version):
        if line.measure is None or line.grouped or line.measure.judged_by != "qrels":
            continue
        measure = line.measure
        if version == 9 and hasattr(measure, "rounding"):
            measure = replace(measure, rounding="up")  # type: ignore[type-var]
        average = GEOMETRIC_MEAN if line.average == "gm" else line.average
        found.append((Column(line.label, str(measure), average, measure.better), measure))
    return found


def value_text(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:3.2f}"


def decimal(name: str, text: str) -> float:
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", text) or abs(float(text)) > 1e9:
        raise SpecError(f"trec_eval: {name} takes numbers, not {text!r}")
    return float(text)


def cutoffs(name: str, given: str, *, whole: bool) -> list[Any]:
    values = [int(decimal(name, text)) if whole else decimal(name, text) for text in given.split(",")]
    if len(set(values)) < len(values):
        raise SpecError(f"trec_eval: {name} has a cutoff twice in {given!r}")
    return values


def arguments(name: str, cls: type[Measure], given: str) -> dict[str, Any]:
    """Parameters of measures that take something else than cutoffs: pairs, a list, one number."""
    if "=" in given:
        pairs = dict(part.split("=", 1) for part in given.split(",") if "=" in part)
        if len(pairs) < given.count(",") + 1:
            raise SpecError(f"trec_eval: {name} takes pairs such as 1=3,2=9, not {given!r}")
        named = {key: decimal(name, text) for key, text in pairs.items() if not key.lstrip("+-").isdigit()}
        gains = tuple(f"{key}:{text}" for key, text in pairs.items() if key.lstrip("+-").isdigit())
        return named | ({"gains": gains} if gains else {})
    numbers = [decimal(name, text) for text in given.split(",")]
    if cls.name == "relstring":
        return {"k": max(1, int(numbers[0]))}
    if not cls.positional:
        raise SpecError(f"trec_eval: {name} takes no parameter")
    return {cls.positional: tuple(numbers) if cls.name in {"utility", "eleven_point"} else numbers[0]}
