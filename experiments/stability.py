"""Is GMAP as stable as MAP and precision when there are few topics? Section 4.4 of Robertson's *On GMAP*.

    python experiments/stability.py robust2004_ap.csv robust2004_p10.csv --chart docs/images/stability.svg

Each file is a matrix of scores of the same systems and topics, a row for each topic: average precision, then precision
at 10. Shown are the error rates of Buckley & Voorhees (2000) over sets of topics for MAP, for GMAP under three
treatments of zeros, for P@10, and for the two measures that the Robust track had before GMAP: the share of topics
without a relevant document among the first ten, and average precision on the worst quarter of the topics.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from adjudge.comparison.reliability.stability import stability
from adjudge.core.errors import AdjudgeError
from adjudge.formats.scores import read_scores
from adjudge.report.figures import stability_figure
from adjudge.report.text_table import FORMS, TextTable

SIZES = (10, 25, 50, 75, 100, 124)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ap", type=Path)
    parser.add_argument("p10", type=Path)
    parser.add_argument("--size", type=int, action="append", help=f"topics in a set, may be repeated {SIZES}")
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--fuzziness", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--chart", type=Path)
    parser.add_argument("--format", choices=FORMS, default="table")
    options = parser.parse_args()
    ap, p10 = read_scores(options.ap, measure="ap"), read_scores(options.p10, measure="p@10")
    if ap.systems != p10.systems or ap.topics != p10.topics:
        raise SystemExit("the two files must have the same systems and topics, in the same order")
    precise, early = ap.values[:, :, 0], p10.values[:, :, 0]
    result = stability(
        {
            "MAP": (precise, "mean"),
            "GMAP, 1e-5 added": (precise, "log(eps=1e-5)"),
            "GMAP, floor 1e-5": (precise, "gm"),
            "GMAP, 1e-3 added": (precise, "log(eps=1e-3)"),
            "P@10": (early, "mean"),
            "no relevant in 10": (early == 0, "mean"),
            "worst quarter": (precise, "worst(share=0.25)"),
        },
        sizes=options.size or SIZES,
        trials=options.trials,
        fuzziness=options.fuzziness,
        rng=np.random.default_rng(options.seed),
    )
    header = ["errors, ties in %", *(f"{size} topics" for size in result.sizes)]
    rows = [
        [name, *(f"{100 * e:.1f}, {100 * t:.1f}" for e, t in zip(errors, ties, strict=True))]
        for name, errors, ties in zip(result.figures, result.errors.tolist(), result.ties.tolist(), strict=True)
    ]
    print(TextTable(header, rows, 1).form(options.format), end="")
    if options.chart:
        title = f"Error rates on {result.topics:,} topics and {result.systems:,} systems"
        stability_figure(result.figures, result.sizes, result.errors, result.ties, title=title).save(options.chart)


if __name__ == "__main__":
    try:
        main()
    except AdjudgeError as error:
        raise SystemExit(str(error)) from None
