"""Groups and ranks of systems in words: a conclusion, how it came about, and a paragraph for a paper."""

from __future__ import annotations

import math

from ..comparison.paired import paired_tests
from ..comparison.rank_groups import RankGroups
from ..core.english import listing, p_value, plural, quantity
from ..core.visible import visible
from .speech import sentence
from .verdicts import first_test

NAMED = 5
"""Systems named in a list."""


@sentence
def rank_groups_conclusion(result: RankGroups) -> str:
    """Say which systems may be the best one, and how far the ranks are known."""
    best, count = result.best, len(result.rows)
    if len(best) == 1:
        first = f"{best[0]} is the best of {count} systems on {result.measure}"
    elif len(best) == count:
        first = f"Any of the {count} systems may be the best one on {result.measure}"
    else:
        first = f"The best of {count} systems on {result.measure} is one of {len(best)}: {listing(best, NAMED)}"
    known = sum(row.ranks.low == row.ranks.high for row in result.rows)
    some_known = f"the rank of {quantity(known, 'system')} is known exactly" if known else "no rank is known exactly"
    ranks = some_known if known < count else "all ranks are known exactly"
    letters = quantity(len(result.groups), "letter")
    return f"{first}; {ranks} (at {1 - result.alpha:.0%}, {first_test(result.comparison)}; {letters})."


@sentence
def how_ranked(result: RankGroups) -> str:
    """Say what letters and intervals mean."""
    shared = "Systems that share a letter do not differ significantly"
    simultaneous = "ranks: where each system may stand, for all systems at once"
    alone = f"alone: for each system by itself, bootstrap over topics ({result.samples:,} samples)"
    return f"{quantity(result.topics, 'topic')}. {shared}. {simultaneous}; {alone}."


@sentence
def friedman_line(result: RankGroups) -> str:
    """Friedman's test and Nemenyi's critical distance."""
    critical = result.critical
    if math.isnan(critical.statistic):
        return "Friedman's test: all systems are level on every topic."
    distance = f"critical distance of mean ranks {critical.distance:.2f} (Nemenyi)"
    return f"Friedman's test: χ² = {critical.statistic:.1f}, {p_value(critical.p)}; {distance}."


TESTS = {
    "t": ("Student's paired t test", "student1908"),
    "wilcoxon": ("Wilcoxon's signed-rank test", "wilcoxon1945"),
    "sign": ("the sign test", "dixon1946"),
    "randomisation": ("the paired randomisation test", "smucker2007"),
    "bootstrap": ("the paired bootstrap test", "sakai2006"),
    "anova": ("Tukey's HSD test in a topic × system analysis of variance", "ferro2018"),
    "bradley_terry": ("Wald tests in a Bradley-Terry model of wins per topic", "bradley1952"),
    "tukey": ("the randomised Tukey HSD test", "carterette2012"),
}
CORRECTIONS = {
    "holm": ("Holm's correction", "holm1979"),
    "bonferroni": ("Bonferroni's correction", "dunn1961"),
    "bh": ("the procedure of Benjamini and Hochberg", "benjamini1995"),
}
REFERENCES = {
    "student1908": "Student. The probable error of a mean. Biometrika 6(1), 1908.",
    "wilcoxon1945": "F. Wilcoxon. Individual comparisons by ranking methods. Biometrics Bulletin 1(6), 1945.",
    "dixon1946": "W. J. Dixon, A. M. Mood. The statistical sign test. JASA 41, 1946.",
    "smucker2007": "M. D. Smucker, J. Allan, B. Carterette. A comparison of statistical significance tests for "
    "information retrieval evaluation. CIKM 2007.",
    "sakai2006": "T. Sakai. Evaluating evaluation metrics based on the bootstrap. SIGIR 2006.",
    "carterette2012": "B. Carterette. Multiple testing in statistical analysis of systems-based information retrieval "
    "experiments. ACM TOIS 30(1), 2012.",
    "ferro2018": "N. Ferro, G. Silvello. Toward an anatomy of IR system component performances. JASIST 69(2), 2018.",
    "bradley1952": "R. A. Bradley, M. E. Terry. Rank analysis of incomplete block designs. Biometrika 39, 1952.",
    "holm1979": "S. Holm. A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics "
    "6(2), 1979.",
    "dunn1961": "O. J. Dunn. Multiple comparisons among means. JASA 56, 1961.",
    "benjamini1995": "Y. Benjamini, Y. Hochberg. Controlling the false discovery rate. JRSS B 57(1), 1995.",
    "almohamad2022": "D. Al Mohamad, J. J. Goeman, E. W. van Zwet. Simultaneous confidence intervals for ranks with "
    "application to ranking institutions. Biometrics 78(1), 2022.",
    "mogstad2024": "M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm. Inference for ranks with applications to "
    "mobility across neighbourhoods and academic achievement across countries. Review of Economic Studies 91(1), 2024.",
}


@sentence
def paper_paragraph(result: RankGroups, form: str = "text") -> str:
    """A paragraph for a paper: tests, corrections, n, effect sizes; ``form`` is text or latex, with citations."""
    latex = form == "latex"
    cited: list[str] = []

    def cite(*keys: str) -> str:
        cited.extend(key for key in keys if key not in cited)
        return f"~\\cite{{{','.join(keys)}}}" if latex else f" [{', '.join(str(cited.index(k) + 1) for k in keys)}]"

    def name(text: str) -> str:
        return f"\\texttt{{{_escaped(text)}}}" if latex else text

    compared = result.comparison
    kind = str(paired_tests.parse(compared.tests[0]).name)
    test, source = TESTS.get(kind, (f"the {compared.tests[0]} test", ""))
    done = f"{test}{cite(source) if source else ''}"
    pairs, significant = len(compared.differences), sum(d.p[0] < result.alpha for d in compared.differences)
    if compared.corrections[0] in CORRECTIONS and pairs > 1:
        correction, source = CORRECTIONS[compared.corrections[0]]
        done += f" with {correction}{cite(source)} over {quantity(pairs, 'pair')}"
    effects = sorted(abs(d.effect) for d in compared.differences if d.p[0] < result.alpha and not math.isnan(d.effect))
    smallest = ""
    if effects:
        sizes = f"effect sizes of {effects[0]:.2f} to {effects[-1]:.2f}"
        alone = f"an effect size of {effects[0]:.2f}"
        smallest = f", with {sizes if len(effects) > 1 else alone} (Cohen's d of paired values)"
    percent = "\\%" if latex else "%"
    best = [name(system) for system in result.best]
    if len(best) == len(result.rows):
        lead = "No system can be excluded from being the best"
    elif len(best) == 1:
        lead = f"{best[0]} ranks first"
    else:
        lead = f"The best system is one of {listing(best, NAMED)}"
    measure, by = name(result.measure), "" if compared.scale == "mean" else f" under {name(compared.scale)}"
    level = f"{100 * (1 - result.alpha):g}{percent}"
    share = f"{significant:,} of {quantity(pairs, 'pair')} {plural(significant, 'differs', 'differ')}"
    if pairs == 1:
        share = f"They {'differ' if significant else 'do not differ'}"
    systems, topics = quantity(len(result.rows), "system"), quantity(result.topics, "topic")
    text = (
        f"We compared {systems} on {topics} by mean {measure}{by}, using {done} at a significance level of "
        f"{result.alpha:g}. {share} significantly{smallest}. Systems that share a letter do not differ "
        f"significantly. Ranks are given with simultaneous {level} confidence intervals derived from these "
        f"tests{cite('almohamad2022')} and with bootstrap intervals over topics{cite('mogstad2024')}. {lead}."
    )
    if latex:
        return text + "\n" + "".join(f"% {key}: {REFERENCES[key]}\n" for key in cited)
    return text + "\n\n" + "".join(f"[{n}] {REFERENCES[key]}\n" for n, key in enumerate(cited, 1))


def _escaped(text: str) -> str:
    return "".join({"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\^{}"}.get(
        c, f"\\{c}" if c in "&%$#_{}" else c) for c in visible(text))  # fmt: skip
