"""Every measure of ir_measures, ranx, pytrec_eval, cwl_eval and ndeval beside ours, on the runs of a folder.

    python experiments/peers.py QRELS RUNS/ --page docs/peers.md

The programs break ties of scores in different ways, so all of them get the same order: each run is judged once, and its
documents get their ranks as scores. Topics that only one side has are left out. Judgments of subtopics are made up, as
the collection has none: a document that is relevant is about two of four subtopics, chosen by a checksum of its name.
A row of the table is a measure: the mean over all runs and topics as the other program has it and as we have it, and
the largest difference of any run and topic. The table replaces what stands between the marks on the page.
"""

from __future__ import annotations

import argparse
import logging
import math
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import adjudge
from adjudge.core.dialects import CWL_EVAL, DEFAULTS

Nested = dict[str, dict[str, Any]]
Values = dict[str, float]
"""{topic: value}."""

CLOSE = 1e-9
DEPTH = 200
"""How far user models look here; cwl_eval needs a second for each average precision of a thousand ranks."""
BEGIN, END = "<!-- the table begins -->\n", "<!-- the table ends -->\n"

IR_MEASURES = (
    *("AP", "AP@100", "AP(rel=2)", "AP(judged_only=True)", "AP(rel=2,judged_only=True)@10", "MAP@20"),
    *("Accuracy", "Accuracy@50", "Accuracy(rel=2)@100"),
    *("BPM(max_rel=2)@10", "BPM(T=2.5,min_rel=1,max_rel=2)@20"),
    *("Bpref", "Bpref(rel=2)", "Compat", "Compat(p=0.8)", "Compat(p=0.8,normalize=False)"),
    *("ERR@10", "ERR@20", "INSQ(max_rel=2)", "INSQ(T=3.0,max_rel=2)", "INST(max_rel=2)", "INST(T=2.5,max_rel=2)"),
    *("IPrec@0.1", "IPrec@0.5", "IPrec(rel=2)@0.2", "IPrec(judged_only=True)@0.1", "Judged", "Judged@10"),
    *("NERR8(max_rel=2)@10", "NERR9(max_rel=2)@10", "NERR10(max_rel=2)", "NERR10(p=0.7,max_rel=2)"),
    *("NERR11(max_rel=2)", "NERR11(T=2.0,max_rel=2)", "NumQ", "NumRel", "NumRet", "NumRet(rel=2)", "NumRelRet"),
    *("P@5", "P(rel=2)@10", "P(judged_only=True)@10", "Precision@100"),
    *("R@10", "R(rel=2)@100", "R(judged_only=True)@100", "Recall@1000"),
    *("RBP(rel=1)", "RBP(rel=2,p=0.95)", "RR", "RR(rel=2)", "RR(judged_only=True)", "RR@10", "MRR(rel=2)@5"),
    *("Rprec", "Rprec(rel=2)", "Rprec(judged_only=True)", "SDCG(max_rel=2)@10", "SDCG(min_rel=1,max_rel=2)@20"),
    *(
        "SetAP",
        "SetAP(rel=2)",
        "SetF",
        "SetF(beta=2.0)",
        "SetF(rel=2,beta=0.5)",
        "SetP",
        "SetP(rel=2,judged_only=True)",
    ),
    *(
        "SetP(relative=True)",
        "SetRelP",
        "SetR",
        "SetR(rel=2)",
        "Success@1",
        "Success(rel=2)@5",
        "infAP",
        "infAP(rel=2)",
    ),
    *("nDCG", "nDCG@10", "nDCG(judged_only=True)@10", "nDCG(gains={1:1,2:5})@20", "nDCG(dcg='exp-log2')@10"),
)
DIVERSITY = (
    *("ERR_IA@5", "ERR_IA@20", "nERR_IA@10", "nERR_IA(rel=2)@20", "alpha_DCG@10", "alpha_DCG(alpha=0.3)@20"),
    *("alpha_nDCG@5", "alpha_nDCG@20", "alpha_nDCG(alpha=0.9)@10", "NRBP", "NRBP(alpha=0.2,beta=0.8)", "nNRBP"),
    *(
        "nNRBP(alpha=0.25,beta=0.75)",
        "AP_IA",
        "MAP_IA(rel=2)",
        "P_IA@10",
        "P_IA(rel=2)@20",
        "StRecall@5",
        "StRecall@20",
    ),
)
RANX = (
    *("hits", "hits@10", "hits@10-l2", "hit_rate@1", "hit_rate", "precision", "precision@10", "precision@10-l2"),
    *("recall", "recall@100", "recall-l2", "f1", "f1@10", "f1@10-l2", "r-precision", "r-precision-l2", "mrr", "mrr@10"),
    *("mrr-l2", "map", "map@100", "map-l2", "dcg", "dcg@10", "dcg_burges@10", "ndcg", "ndcg@10", "ndcg@10-l2"),
    *("ndcg_burges", "ndcg_burges@10", "ndcg_burges@10-l2", "bpref", "bpref-l2", "rbp.80", "rbp.95", "rbp.95-l2"),
)
CWL_NUMBERS = {
    "PrecisionCWLMetric": ((5,), (10,)),
    "RBPCWLMetric": ((0.8,), (0.99,)),
    "NDCGCWLMetric": ((10,),),
    "RRCWLMetric": ((),),
    "APCWLMetric": ((),),
    "INSTCWLMetric": ((1.0,), (2.5,)),
    "INSQCWLMetric": ((2.0,),),
    "BPMCWLMetric": ((1.5, 10),),
    "BPMDCWLMetric": ((1.5, 10, 0.5, 0.5),),
    "TBGCWLMetric": ((22.0,),),
    "UMeasureCWLMetric": ((100,),),
    "NERReq8CWLMetric": ((10,),),
    "NERReq9CWLMetric": ((10,),),
    "NERReq10CWLMetric": ((0.8,),),
    "NERReq11CWLMetric": ((2.0,),),
    "IFTGoalCWLMetric": ((2.0, 0.9, 1.0),),
    "IFTRateCWLMetric": ((0.2, 0.9, 5.0),),
    "IFTGoalRateCWLMetric": ((2.0, 0.9, 1.0, 0.2, 0.9, 5.0),),
}
FIGURES = {
    "eu": "expected_utility",
    "etu": "expected_total_utility",
    "ec": "expected_cost",
    "etc": "expected_total_cost",
    "ed": "expected_items",
}

EXPLAINED = {
    r"^ir_measures (ERR@|nDCG.dcg='exp)": "ir_measures asks gdeval, which prints five decimals",
    r"^ranx bpref": "0 divided by 0 in ranx where nothing is relevant, or nothing judged is not",
}
"""Why a value is another one, or none: {pattern of program and name: reason}."""


class Row(NamedTuple):
    """A measure of another program, run by run."""

    program: str
    name: str
    ours: str
    theirs: list[Values]
    own: list[Values]

    def cells(self) -> list[tuple[float, float]]:
        """(theirs, ours) of every run and topic for which both have a number."""
        both = [
            (theirs[topic], own[topic])
            for theirs, own in zip(self.theirs, self.own, strict=True)
            for topic in sorted(theirs.keys() & own.keys())
        ]
        return [pair for pair in both if not any(map(math.isnan, pair))]

    def without_number(self) -> int:
        """Cells for which the other program has no number, and we have one."""
        return sum(
            math.isnan(theirs[topic]) and not math.isnan(own[topic])
            for theirs, own in zip(self.theirs, self.own, strict=True)
            for topic in theirs.keys() & own.keys()
        )

    def largest(self) -> float:
        return max(abs(theirs - ours) for theirs, ours in self.cells())

    def text(self, why: str) -> str:
        cells = self.cells()
        means = [sum(column) / len(cells) for column in zip(*cells, strict=True)]
        far = f"{self.largest():.0e}" if self.largest() else "0"
        shown = (f"`{cell}`" for cell in (self.name, self.ours))
        return f"| {self.program} | {' | '.join(shown)} | {means[0]:.6f} | {means[1]:.6f} | {far} | {why} |"


def ordered(run: Nested) -> Nested:
    """The same order without ties: among equal scores the later id comes first, as in trec_eval."""
    made = {}
    for topic, scores in run.items():
        order = sorted(scores, key=lambda d: (scores[d], d.encode()), reverse=True)
        made[topic] = {document: float(len(order) - i) for i, document in enumerate(order)}
    return made


def subtopics_of(qrels: Nested) -> dict[str, Nested]:
    made: dict[str, Nested] = {}
    for topic, grades in qrels.items():
        for document, grade in grades.items():
            number = zlib.crc32(document.encode())
            for subtopic in {number % 4, number // 4 % 4}:
                made.setdefault(topic, {}).setdefault(str(subtopic + 1), {})[document] = grade
    return made


def our_values(qrels: Any, run: Nested, specs: list[str], names: str) -> dict[str, Values]:
    scores = adjudge.measure(qrels, {"run": run}, specs, names=names)
    return {spec: {t: float(scores["run", t, spec]) for t in scores.topics} for spec in specs}


def our_specs(specs: list[str], names: str) -> dict[str, str]:
    from adjudge.evaluation.score_columns import columns

    return {column.name: column.measure for column, _ in columns(specs, names)}


def of_ir_measures(qrels: Nested, runs: list[Nested], diverse: dict[str, Nested]) -> Iterator[Row]:
    import ir_measures

    logging.getLogger("ir_measures").setLevel("ERROR")
    rows = [
        ir_measures.Qrel(topic, document, grade, subtopic)
        for topic, of_topic in diverse.items()
        for subtopic, grades in of_topic.items()
        for document, grade in grades.items()
    ]
    for names, judged, ours in ((IR_MEASURES, qrels, qrels), (DIVERSITY, rows, diverse)):
        own = [our_values(ours, run, list(names), "ir_measures") for run in runs]
        specs = our_specs(list(names), "ir_measures")
        # Measures of diversity with other parameters get an iterator that was used up: one call for each kind of them.
        for some in [names] if judged is qrels else _alike(names):
            parsed = {name: ir_measures.parse_measure(name) for name in some}
            evaluator = ir_measures.evaluator(list(parsed.values()), judged)
            found: dict[str, list[Values]] = {name: [] for name in some}
            for run in runs:
                values: dict[Any, Values] = {}
                for cell in evaluator.iter_calc(_scored(run)):
                    values.setdefault(cell.measure, {})[cell.query_id] = cell.value
                for name, measure in parsed.items():
                    found[name].append(values[measure])
            for name in some:
                yield Row("ir_measures", name, specs[name], found[name], [values[name] for values in own])


def _alike(names: tuple[str, ...]) -> list[list[str]]:
    """Names with the same parameters, cutoffs apart, together."""
    import ir_measures

    kinds: dict[tuple[Any, ...], list[str]] = {}
    for name in names:
        params = ir_measures.parse_measure(name).params
        kinds.setdefault((params.get("rel", 1), params.get("alpha", 0.5), params.get("beta", 0.5)), []).append(name)
    return list(kinds.values())


def _scored(run: Nested) -> list[Any]:
    import ir_measures

    return [ir_measures.ScoredDoc(t, d, s) for t, scores in run.items() for d, s in scores.items()]


def of_ranx(qrels: Nested, runs: list[Nested]) -> Iterator[Row]:
    import ranx

    own = [our_values(qrels, run, list(RANX), "ranx") for run in runs]
    specs = our_specs(list(RANX), "ranx")
    theirs: list[dict[str, Values]] = []
    for run in runs:
        topics = sorted(set(run) & set(qrels))
        judged = ranx.Qrels({t: qrels[t] for t in topics})
        ranked = ranx.Run({t: run[t] for t in topics})
        ranx.evaluate(judged, ranked, list(RANX))
        theirs.append({name: dict(ranked.scores[name]) for name in RANX})
    for name in RANX:
        yield Row("ranx", name, specs[name], [t[name] for t in theirs], [o[name] for o in own])


def of_pytrec_eval(qrels: Nested, runs: list[Nested]) -> Iterator[Row]:
    import pytrec_eval

    asked = sorted(pytrec_eval.supported_measures - {"runid", "relstring", "gm_map", "gm_bpref"})
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(asked))
    theirs = [evaluator.evaluate(run) for run in runs]
    names = sorted(next(iter(theirs[0].values())))
    specs = our_specs(names, "pytrec_eval")
    own = [our_values(qrels, run, names, "pytrec_eval") for run in runs]
    for name in names:
        values = [{topic: row[name] for topic, row in of.items()} for of in theirs]
        yield Row("pytrec_eval", name, specs[name], values, [o[name] for o in own])


def of_cwl_eval(qrels: Nested, runs: list[Nested], top: int) -> Iterator[Row]:
    from cwl.ruler import cwl_ruler
    from cwl.ruler.ranking import RankingMaker
    from cwl.seeker.trec_qrel_handler import TrecQrelHandler

    logging.getLogger("cwl").disabled = True
    handler = TrecQrelHandler()
    for topic, grades in qrels.items():
        for document, grade in grades.items():
            if grade >= 0:
                handler.put_value(topic, document, grade / top)
    costs = {str(grade): 1.0 + grade for grade in range(top + 1)}
    rankings = []
    for run in runs:
        made = {}
        for topic in run.keys() & qrels.keys():
            maker = RankingMaker(topic, handler, costs, max_cost=1.5, min_cost=0.5, max_n=DEPTH)
            for document in run[topic]:
                maker.add(document, str(qrels[topic].get(document, "unjudged")))
            made[topic] = maker.get_ranking()
        rankings.append(made)
    pairs = ", ".join(f"{grade}:{cost:g}" for grade, cost in costs.items())
    more = f"costs=[{pairs}], max_cost=1.5, min_cost=0.5, max_rel={top}, depth={DEPTH}"
    for _, cls, _, _ in CWL_EVAL:
        for numbers in CWL_NUMBERS[cls]:
            metric = getattr(cwl_ruler, cls)(*numbers)
            metric.residuals = True
            name = f"{cls}({', '.join(map(str, numbers or DEFAULTS.get(cls, ())))})"
            base = our_specs([name], "cwl_eval")[name]
            base = f"{base[:-1]}, {more}" if base.endswith(")") else f"{base}({more}"
            specs = {f"{base}, figure={f})": (f, False) for f in FIGURES}
            specs |= {f"{base}, figure={f}, residual=true)": (f, True) for f in FIGURES}
            own = [our_values(qrels, run, list(specs), "cwl_eval") for run in runs]
            found: dict[str, list[Values]] = {spec: [] for spec in specs}
            for of_run in rankings:
                values: dict[str, Values] = {spec: {} for spec in specs}
                for topic, ranking in of_run.items():
                    metric.measure(ranking)
                    for spec, (figure, residual) in specs.items():
                        prefix = "residual_" if residual else ""
                        values[spec][topic] = getattr(metric, prefix + FIGURES[figure])
                for spec in specs:
                    found[spec].append(values[spec])
            for spec, (figure, residual) in specs.items():
                shown = f"{name} {'Res' if residual else ''}{figure.upper()}"
                ours = re.sub(r"costs=.*?min_cost=[\d.]+, max_rel=\d+, depth=\d+, ", "", spec)
                yield Row("cwl_eval", shown, ours, found[spec], [o[spec] for o in own])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("qrels", type=Path)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--page", type=Path, help="the page whose table is replaced")
    parser.add_argument("--only", help="one program")
    parser.add_argument("--first", type=int, help="so many runs")
    options = parser.parse_args(arguments)
    judged = adjudge.read_qrels(options.qrels).to_dict()
    qrels = {t: {d: g for d, g in grades.items() if g >= 0} for t, grades in judged.items()}
    paths = sorted(options.runs.iterdir())[: options.first]
    runs = [ordered({t: s for t, s in adjudge.read_run(path).to_dict().items() if t in qrels}) for path in paths]
    top = max(grade for grades in qrels.values() for grade in grades.values())
    programs: dict[str, Callable[[], Iterator[Row]]] = {
        "ir_measures": lambda: of_ir_measures(qrels, runs, subtopics_of(qrels)),
        "ranx": lambda: of_ranx(qrels, runs),
        "pytrec_eval": lambda: of_pytrec_eval(qrels, runs),
        "cwl_eval": lambda: of_cwl_eval(qrels, runs, top),
    }
    lines = ["| program | measure | here | theirs | ours | largest difference | |", "|---|---|---|---|---|---|---|"]
    unequal = 0
    for program, make in programs.items():
        for row in make() if options.only in (None, program) else ():
            why = ""
            if row.largest() > CLOSE or row.without_number():
                who = f"{row.program} {row.name}"
                why = next((text for key, text in EXPLAINED.items() if re.search(key, who)), "?")
                unequal += why == "?"
            lines.append(row.text(why))
            print(lines[-1], flush=True)
    if options.page is not None:
        text = options.page.read_text("utf-8")
        before, after = text.partition(BEGIN)[0], text.partition(END)[2]
        options.page.write_text(before + BEGIN + "\n".join(["", *lines, "", ""]) + END + after, "utf-8")
    print(f"{len(lines) - 2} measures, {unequal} unequal without a reason", file=sys.stderr)
    return 1 if unequal else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
