"""What does tuning BM25 gain on topics that it was not tuned on, by which measure it is trained and judged?

    python experiments/tuning.py                        # Cranfield and CISI
    python experiments/tuning.py cran --format md
    python experiments/tuning.py --simulation           # parameters that do nothing, 200 simulated collections

Trained on average precision, nDCG at 10, reciprocal rank and the geometric mean of average precision, judged by each of
them: 5 folds over the topics, 48 settings of k1 and b. The archive is looked for in ../shared/data (--data FOLDER).
"""

from __future__ import annotations

import argparse
import tarfile
import tempfile
from pathlib import Path

import numpy as np

import adjudge
from adjudge.comparison.cross_tuning import Tuning, cross_tune
from adjudge.core.scores import Column, Scores
from adjudge.report.text_table import FORMS, TextTable
from adjudge.report.tuning_table import as_text

COLLECTIONS = {
    "cran": ("cran/cran.all.1400", "cran/cran.qry", "cran/cranqrel"),
    "cisi": ("cisi/CISI.ALL", "cisi/CISI.QRY", "cisi/CISI.REL"),
}
MEASURES = ["ap", "ndcg@10", "rr", "gm_map"]
GRID = {"k1": [0.3, 0.6, 0.9, 1.2, 1.6, 2.0, 2.5, 3.0], "b": [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]}
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def tuned(name: str, folder: Path) -> Tuning:
    """BM25 tuned on a collection."""
    documents, topics, qrels = (str(folder / "glasgow" / file) for file in COLLECTIONS[name])
    return adjudge.tune("bm25", GRID, documents, topics, qrels, train=MEASURES, measures=MEASURES).tuning


def simulated(seed: int, settings: int, topics: int) -> Scores:
    """A system whose parameters do nothing: on a topic every setting is as good as any other, but for luck."""
    rng = np.random.default_rng(seed)
    values = rng.beta(1.2, 2.5, topics) + rng.normal(0, 0.1, (settings, topics))
    names = tuple(f"setting {s}" for s in range(settings))
    return Scores(values[:, :, None], names, tuple(map(str, range(topics))), (Column("ap", "ap"),))


def simulation(form: str) -> str:
    """How often and by how much tuning is said to help where it cannot."""
    rows = []
    for settings, topics, folds in ((5, 30, 5), (20, 40, 5), (20, 225, 5), (100, 50, 5), (100, 50, 10)):
        gains, claims, said = [], [], []
        for seed in range(200):
            tuning = cross_tune(
                simulated(seed, settings, topics), "setting 0", ["ap"], folds=folds, seed=seed, splits=0
            )
            gains.append(float(tuning.gain[0, 0]))
            claims.append(float(tuning.claimed[0, 0]))
            said.append(tuning.verdict(0, 0))
        error = np.std(gains, ddof=1) / np.sqrt(len(gains))
        row = [
            str(settings),
            str(topics),
            str(folds),
            f"{np.mean(gains):+.4f} ± {error:.4f}",
            f"{np.mean(claims):+.4f}",
        ]
        rows.append([*row, f"{np.mean(np.array(claims) > 0):.1%}", f"{np.mean(np.array(said) != 0):.1%}"])
    header = ["settings", "topics", "folds", "gain", "claimed", "claims above 0", "intervals without 0"]
    return TextTable(header, rows, 3).form(form)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", nargs="*", metavar="NAME", help="cran, cisi; both if none is named")
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="where classic-collections.tar.xz is")
    parser.add_argument("--simulation", action="store_true", help="simulate parameters that do nothing")
    parser.add_argument("--format", choices=FORMS, default="table")
    options = parser.parse_args()
    if options.simulation:
        print(simulation(options.format))
        return
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(options.data / "classic-collections.tar.xz") as archive:
            archive.extractall(place, filter="data")
        for name in options.collections or COLLECTIONS:
            print(f"{name}\n\n{as_text(tuned(name, Path(place)), options.format)}")


if __name__ == "__main__":
    main()
