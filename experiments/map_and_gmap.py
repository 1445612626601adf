"""How differently do MAP and GMAP rank the systems of a track?

    python experiments/map_and_gmap.py MATRIX.csv ...

Each file is a matrix of scores, a row for each topic and a column for each system. For each it tells how many pairs of
systems the arithmetic and the geometric mean (ε added, 1e-5) order differently, how alike the two rankings are by tau_b
and tau_ap_b, how many pairs any of the transformations of `adjudge sensitivity` turns round, how many of them from one
significant difference to the opposite one, and whether the best system stays the best.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from adjudge import correlation
from adjudge.comparison.scale.sensitivity import sensitivity
from adjudge.core.errors import AdjudgeError
from adjudge.formats.scores import read_scores
from adjudge.report.text_table import FORMS, TextTable

HEADER = [
    "track",
    "systems",
    "topics",
    "pairs",
    "MAP and GMAP differ",
    "tau_b",
    "tau_ap_b",
    "turned by some scale",
    "significantly both ways",
    "best by MAP",
    "by GMAP",
]


def row(path: Path) -> list[str]:
    scores = read_scores(path, measure="ap")
    result = sensitivity(scores, "ap")
    gmap = next(r for r in result.rows if r.transformation == "log(eps=1e-05, zeros=add)")
    turned = result.pairs - result.stable
    alike = [f"{getattr(correlation, name)(result.means, gmap.figures):.3f}" for name in ("tau_b", "tau_ap_b")]
    best = scores.systems[result.order[0]], scores.systems[gmap.order[0]]
    return [
        *(path.stem.removesuffix("_ap"), str(len(scores.systems)), str(len(scores.topics)), str(result.pairs)),
        *(f"{gmap.swapped} ({gmap.swapped / result.pairs:.1%})", *alike),
        *(f"{turned} ({turned / result.pairs:.1%})", str(result.contradicted), *best),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--format", choices=FORMS, default="table")
    options = parser.parse_args()
    try:
        print(TextTable(HEADER, [row(path) for path in options.files], 1).form(options.format), end="")
    except AdjudgeError as error:
        raise SystemExit(str(error)) from None
