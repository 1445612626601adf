"""Names of measures as other programs write them: one table for each program, read into specs of ours.

A dialect knows the names that its program has, in their own capitals, and what they mean there. Names of trec_eval and
pytrec_eval are declared by the measures themselves (``trec_eval`` in core/measure.py), because its cutoffs and sets of
measures belong to its output (evaluation/trec_lines.py).

In the tables ``ours`` is a spec of ours to which the parameters of the other program are added, and ``takes`` says how
its parameters are called here: ``cutoff:k`` is k, a word alone has the same name in both.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from .errors import SpecError
from .spec import MOST, Spec, _Reader, number, spec_text

TREC = ("trec_eval", "pytrec_eval")
"""Dialects whose names are declared by the measures."""


class Meaning(NamedTuple):
    """What a name of another program means here."""

    spec: str
    average: str = ""
    """How the figure over topics is made there; '' for the measure's own way."""


class Peer(NamedTuple):
    """A measure of another program."""

    names: tuple[str, ...]
    ours: str
    takes: tuple[str, ...] = ()
    average: str = ""
    needs: str = ""
    """A parameter without which the other program has no value, and what to write without it."""

    def fields(self) -> dict[str, str]:
        return {theirs: ours or theirs for theirs, _, ours in (word.partition(":") for word in self.takes)}


def _peer(names: str, ours: str, takes: str = "", average: str = "", needs: str = "") -> Peer:
    return Peer(tuple(names.split()), ours, tuple(takes.split()), average, needs)


VIEW = "rel judged_only"
SCALE = "T min_rel max_rel"

IR_MEASURES = (
    _peer("AP MAP", "ap", f"cutoff:k {VIEW}"),
    _peer("Accuracy", "accuracy(missing=skip)", "cutoff:k rel"),
    _peer("BPM", "bpm", f"cutoff:k {SCALE}"),
    _peer("Bpref BPref", "bpref", "rel"),
    _peer("Compat", "compat", "p normalize"),
    _peer("ERR", "err(top=4)", "cutoff:k"),
    _peer("ERR_IA", "err_ia", f"cutoff:k {VIEW}"),
    _peer("INSQ", "insq", SCALE),
    _peer("INST", "inst", SCALE),
    _peer("IPrec", "iprec(rounding=up)", f"recall:k {VIEW}"),
    _peer("Judged", "judged", "cutoff:k"),
    _peer("NERR8", "nerr8", f"cutoff:k {SCALE}"),
    _peer("NERR9", "nerr9", f"cutoff:k {SCALE}"),
    _peer("NERR10", "nerr10", f"p {SCALE}"),
    _peer("NERR11", "nerr11", SCALE),
    _peer("NRBP", "nrbp", "rel alpha beta"),
    _peer("NumQ", "num_q"),
    _peer("NumRel", "num_rel", "rel"),
    _peer("NumRelRet", "num_rel_ret", "rel"),
    _peer("NumRet", "num_ret", "rel"),
    _peer("P Precision", "p", f"cutoff:k {VIEW}"),
    _peer("P_IA", "p_ia", f"cutoff:k {VIEW}"),
    _peer("AP_IA MAP_IA", "ap_ia", VIEW),
    _peer("R Recall", "recall", f"cutoff:k {VIEW}"),
    _peer(
        *("RBP", "rbp(p=0.8)", "cutoff p rel"),
        needs="rel: write rbp(p=0.8, rel=1) for gains of 0 and 1, rbp(p=0.8) for grades as shares of the highest",
    ),
    _peer("RR MRR", "rr", f"cutoff:k {VIEW}"),
    _peer("Rprec RPrec", "rprec", VIEW),
    _peer("SDCG", "sdcg", "cutoff:k dcg min_rel max_rel"),
    _peer("SetAP", "set_map", VIEW),
    _peer("SetF", "set_f", f"beta:x {VIEW}"),
    _peer("SetP", "set_p", f"relative {VIEW}"),
    _peer("SetR", "set_recall", "rel"),
    _peer("SetRelP", "set_relative_p", VIEW),
    _peer("StRecall", "st_recall", "cutoff:k rel"),
    _peer("Success", "success", f"cutoff:k {VIEW}"),
    _peer("alpha_DCG α_DCG", "alpha_dcg", f"cutoff:k alpha {VIEW}"),
    _peer("alpha_nDCG α_nDCG", "alpha_ndcg", f"cutoff:k alpha {VIEW}"),
    _peer("infAP", "infap", "rel"),
    _peer("nDCG NDCG", "ndcg", "cutoff:k dcg gains judged_only"),
    _peer("nERR_IA", "nerr_ia", f"cutoff:k {VIEW}"),
    _peer("nNRBP", "nnrbp", "rel alpha beta"),
)

SWITCHES: dict[tuple[str, str, Any], dict[str, Any]] = {
    ("nDCG", "dcg", "exp-log2"): {"gains": "exp"},
    ("nDCG", "dcg", "log2"): {},
    ("SDCG", "dcg", "log2"): {},
    ("SetP", "relative", True): {"": "set_relative_p"},
    ("SetP", "relative", False): {},
}
"""Values of ir_measures' parameters that are something else here: other parameters, or under '' another measure."""

RANX = (
    _peer("hits", "num_rel_ret", average="mean"),
    _peer("hit_rate", "success"),
    _peer("precision", "p"),
    _peer("recall", "recall"),
    _peer("f1", "set_f"),
    _peer("r-precision", "rprec"),
    _peer("mrr", "rr"),
    _peer("map", "ap"),
    _peer("dcg", "dcg"),
    _peer("dcg_burges", "dcg(gains=exp)"),
    _peer("ndcg", "ndcg"),
    _peer("ndcg_burges", "ndcg(gains=exp)"),
    _peer("bpref", "bpref"),
    _peer("rbp", "rbp(scaled=false)"),
)
"""Each may have @k, and at its end -l and the lowest grade that is relevant."""

WHOLE = {"precision": "set_p", "recall": "set_recall", "hit_rate": f"success@{MOST}"}
"""What ranx's names mean without a cutoff."""

NDEVAL = (
    _peer("ERR-IA", "err_ia"),
    _peer("nERR-IA", "nerr_ia"),
    _peer("alpha-DCG", "alpha_dcg"),
    _peer("alpha-nDCG", "alpha_ndcg"),
    _peer("NRBP", "nrbp"),
    _peer("nNRBP", "nnrbp"),
    _peer("MAP-IA", "ap_ia"),
    _peer("P-IA", "p_ia"),
    _peer("strec", "st_recall"),
)

N = r"(\d*\.?\d+)"
CWL_EVAL: tuple[tuple[str, str, str, str], ...] = (
    ("P@k", "PrecisionCWLMetric", rf"P@{N}", "cwl_p@{0}"),
    ("RBP@θ", "RBPCWLMetric", rf"RBP@{N}", "cwl_rbp(p={0})"),
    ("NDCG-k@k", "NDCGCWLMetric", rf"NDCG-k@{N}", "sdcg@{0}"),
    ("RR", "RRCWLMetric", r"RR", "cwl_rr"),
    ("AP", "APCWLMetric", r"AP", "cwl_ap"),
    ("INST-T=T", "INSTCWLMetric", rf"INST-T={N}", "inst(T={0})"),
    ("INSQ-T=T", "INSQCWLMetric", rf"INSQ-T={N}", "insq(T={0})"),
    ("BPM-Static-T=T-K=K", "BPMCWLMetric", rf"BPM-Static-T={N}-K={N}", "bpm@{1}(T={0})"),
    (
        *("BPM-Dynamic-T=T-K=K-hb=hb-hc=hc", "BPMDCWLMetric"),
        rf"BPM-Dynamic-T={N}-K={N}-hb={N}-hc={N}",
        "bpm@{1}(T={0}, hb={2}, hc=0)",
    ),
    ("TBG-H@h", "TBGCWLMetric", rf"TBG-H@{N}", "tbg(halflife={0})"),
    ("U-L@L", "UMeasureCWLMetric", rf"U-L@{N}", "u_measure(L={0})"),
    ("NERR-EQ8@k=k", "NERReq8CWLMetric", rf"NERR-EQ8@k={N}", "nerr8@{0}"),
    ("NERR-EQ9@k=k", "NERReq9CWLMetric", rf"NERR-EQ9@k={N}", "nerr9@{0}"),
    ("NERR-EQ10@phi=φ", "NERReq10CWLMetric", rf"NERR-EQ10@phi={N}", "nerr10(p={0})"),
    ("NERR-EQ11@T=T", "NERReq11CWLMetric", rf"NERR-EQ11@T={N}", "nerr11(T={0})"),
    ("IFT-C1-T=…", "IFTGoalCWLMetric", rf"IFT-C1-T={N}-b1={N}-R1={N}", "ift(T={0}, b1={1}, R1={2})"),
    ("IFT-C2-A=…", "IFTRateCWLMetric", rf"IFT-C2-A={N}-b2={N}-R2={N}", "ift(T=none, A={0}, b2={1}, R2={2})"),
    (
        *("IFT-C1-C2-T=…", "IFTGoalRateCWLMetric"),
        rf"IFT-C1-C2-T={N}-b1={N}-R1={N}-A={N}-b2={N}-R2={N}",
        "ift(T={0}, b1={1}, R1={2}, A={3}, b2={4}, R2={5})",
    ),
)
"""As cwl_eval prints a measure, its class, a pattern of what it prints, and what that is here. dynamic BPM: only the
target moves in cwl_eval, so hc is 0."""

DEFAULTS = {
    "PrecisionCWLMetric": (10,),
    "RBPCWLMetric": (0.9,),
    "INSTCWLMetric": (1.0,),
    "INSQCWLMetric": (1.0,),
    "BPMCWLMetric": (1.0, 10),
    "BPMDCWLMetric": (1, 10, 1.0, 1.0),
    "TBGCWLMetric": (224,),
    "UMeasureCWLMetric": (1000,),
    "NERReq10CWLMetric": (0.9,),
    "NERReq11CWLMetric": (1.0,),
}
"""Defaults of the classes of cwl_eval."""


def _read_ir_measures(text: str) -> Meaning | None:
    name = re.match(r"\w*", text)
    peer = BY_NAME["ir_measures"].get(name[0] if name else "")
    if peer is None:
        return None
    asked = _Reader(text, "measure").only_spec()
    known = peer.fields()
    base = _Reader(peer.ours, "measure").only_spec()
    given, target = dict(base.given), base.name
    theirs = dict(asked.given)
    if asked.cutoff is not None:
        at = "recall" if "recall" in known else "cutoff"
        if at in theirs:
            raise SpecError(f"measure {text!r} gives its {at} twice")
        theirs[at] = number(asked.cutoff)
    if peer.needs and peer.needs.partition(":")[0] not in theirs:
        raise SpecError(f"measure {text!r} has no value in ir_measures without {peer.needs}")
    for key, value in theirs.items():
        if key not in known:
            has = f", it has {', '.join(known)}" if known else ""
            raise SpecError(f"measure {text!r}: {peer.names[0]} of ir_measures has no parameter {key!r}{has}")
        switch = SWITCHES.get((peer.names[0], key, value))
        if switch is not None:
            target = switch.get("", target)
            given |= {ours: set_to for ours, set_to in switch.items() if ours}
        elif (peer.names[0], key) in {(n, k) for n, k, _ in SWITCHES}:
            can = [spec_text(v) for n, k, v in SWITCHES if (n, k) == (peer.names[0], key)]
            raise SpecError(f"measure {text!r}: {key} of ir_measures is {' or '.join(can)}, not {spec_text(value)}")
        else:
            given[known[key]] = value
    if peer.names[0] == "NumRet" and "rel" in given:
        target = "num_rel_ret"
    if given.get("x") == 1.0 and target == "set_f":
        given["beta"] = given.pop("x")  # the same by either definition
    cutoff = given.pop("k", None)
    return Meaning(str(Spec(target, None if cutoff is None else spec_text(cutoff), given)))


def _read_ranx(text: str) -> Meaning | None:
    match = re.fullmatch(r"([a-z0-9][a-z0-9_]*(?:-precision)?)(?:([@.])(\d+))?(?:-l(\d+))?", text)
    peer = BY_NAME["ranx"].get(match[1]) if match else None
    if match is None or peer is None or (match[2] == "." and match[1] != "rbp"):
        return None
    base = _Reader(peer.ours, "measure").only_spec()
    given, name, cutoff = dict(base.given), base.name, match[3]
    if match[4] is not None:
        given["rel"] = int(match[4])
    if match[1] == "rbp":
        if cutoff is None:
            return None  # it has none without a persistence, rbp.95
        given["p"], cutoff = float(f"0.{cutoff}"), None
    elif cutoff is None and match[1] in WHOLE:
        name, _, cutoff = WHOLE[match[1]].partition("@")
    elif cutoff is not None and match[1] in {"r-precision", "bpref"}:
        return None  # ranx passes over the cutoff
    return Meaning(str(Spec(name, cutoff or None, given)), peer.average)


def _read_ndeval(text: str) -> Meaning | None:
    name, at, cutoff = text.partition("@")
    peer = BY_NAME["ndeval"].get(name)
    return None if peer is None else Meaning(f"{peer.ours}{at}{cutoff}")


def _read_cwl_eval(text: str) -> Meaning | None:
    text = text.strip()
    made = re.fullmatch(r"(\w+CWLMetric)\(([^()]*)\)", text)
    for _, cls, pattern, ours in CWL_EVAL:
        if made is not None and made[1] == cls:
            given = tuple(part.strip() for part in made[2].split(",") if part.strip())
            given += tuple(map(str, DEFAULTS.get(cls, ())[len(given) :]))
            if len(given) < ours.count("{"):
                raise SpecError(f"measure {text!r}: {cls} of cwl_eval takes {ours.count('{')} numbers")
            return Meaning(ours.format(*given))
        match = re.fullmatch(pattern, text)
        if match is not None:
            return Meaning(ours.format(*match.groups()))
    return None


BY_NAME: dict[str, dict[str, Peer]] = {
    dialect: {name: peer for peer in table for name in peer.names}
    for dialect, table in (("ir_measures", IR_MEASURES), ("ranx", RANX), ("ndeval", NDEVAL))
}

READERS: dict[str, Callable[[str], Meaning | None]] = {
    "ir_measures": _read_ir_measures,
    "ranx": _read_ranx,
    "ndeval": _read_ndeval,
    "cwl_eval": _read_cwl_eval,
}

DIALECTS = (*TREC, *READERS)
"""All that can be asked for by ``names``."""


def read_name(dialect: str, text: str) -> Meaning | None:
    """What a name means in a dialect; None if the other program has no such name."""
    return READERS[dialect](text)


def names_in(dialect: str) -> dict[str, list[str]]:
    """{our measure: the names that it has in a dialect}, as people write them there."""
    found: dict[str, list[str]] = {}
    if dialect == "cwl_eval":
        for shown, _, _, ours in CWL_EVAL:
            found.setdefault(re.split(r"[@(]", ours)[0], []).append(shown)
        return found
    for name, peer in BY_NAME[dialect].items():
        for ours in dict.fromkeys([peer.ours, *([WHOLE[name]] if dialect == "ranx" and name in WHOLE else [])]):
            found.setdefault(re.split(r"[@(]", ours)[0], []).append(name)
    return found
