"""What corrected pages and clean text of the language add to decipher on real scans.

    python experiments/learning_aids.py work/ --scans real-scans/ --only de

``--scans`` is the folder of experiments/real_scans.py. Pages are drawn at random and corrected by the true text; clean
text is the true text of one half of the passages. Only questions on other passages count. Everything is drawn
``--draws`` times, and a question has the mean of its draws. Prints mean reciprocal ranks without and with each aid on
the same questions, and the mean difference with its 95 % interval, bootstrap over questions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from real_scans import chosen_scans, reciprocal_ranks, scan_parser
from scan_oracles import texts
from scanned_tables import interval

import adjudge
from adjudge.core.document import Document, InMemory
from adjudge.systems.parts.version import Aids, Pair, Version
from adjudge.systems.system import systems
from scanned import source

PAGES = (10, 20, 41, 80, 160)
SETS = ("auto23", "auto58")
Passages = Sequence[str]
Ranks = Mapping[str, Mapping[str, float]]
"""Reciprocal ranks by set of questions and question."""


class AidedScan:
    """A collection whose questions are asked with and without aids."""

    def __init__(self, folder: Path, kept: Path) -> None:
        self.folder, self.true, self.observed = folder, texts(folder / "true.jsonl"), texts(folder / "ocr.jsonl")
        self.version = Version("ocr", adjudge.read_documents(folder / "ocr.jsonl"), kept / source())
        self.target, self.asked = {}, {}
        for name in SETS:
            rows = [line.split() for line in (folder / f"{name}.qrels").read_text(encoding="utf-8").splitlines()]
            self.target[name] = {row[0]: row[2] for row in rows}
            self.asked[name] = {topic.id: topic.title for topic in adjudge.read_topics(folder / f"{name}.tsv")}
        self.alone = self.ranks("decipher", Aids())

    def ranks(self, spec: str, aids: Aids) -> Ranks:
        found = {}
        for name, asked in self.asked.items():
            run = systems.parse(spec).answer(self.version, asked, aids)
            values = reciprocal_ranks(run if len(run) else None, self.folder / f"{name}.qrels", list(asked))
            found[name] = dict(zip(asked, values, strict=True))
        return found

    def aids(self, corrected: Passages, clean: Passages) -> Aids:
        pairs = [Pair(self.true[name], self.observed[name]) for name in corrected] or None
        return Aids(aligned=pairs, outside=InMemory([Document(k, self.true[k]) for k in clean]) if clean else None)

    def drawn(self, pages: int, clean: bool, seed: int) -> tuple[Passages, Passages]:
        """Corrected passages, and those of clean text, of which the former are some if there is any."""
        every, rng = np.array(sorted(self.true)), np.random.default_rng(seed)
        half = rng.choice(every, len(every) // 2, replace=False).tolist() if clean else []
        return rng.choice(half or every, pages, replace=False).tolist(), half

    def tried(self, pages: int, clean: bool, draws: int) -> None:
        """Print what such aids add."""
        both: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in SETS}
        for seed in range(draws):
            corrected, half = self.drawn(pages, clean, seed)
            used = {*corrected, *half}
            for name, values in self.ranks("decipher(aids=true)", self.aids(corrected, half)).items():
                for topic, value in values.items():
                    if self.target[name][topic] not in used:
                        both[name][topic].append(value)
        cells = []
        for name, values in both.items():
            aided = np.array([np.mean(row) for row in values.values()])
            alone = np.array([self.alone[name][topic] for topic in values])
            low, high = interval(aided - alone)
            change = float(np.mean(aided - alone))
            cells.append(f"{np.mean(alone):.3f} → {np.mean(aided):.3f}, {change:+.3f} ({low:+.3f} to {high:+.3f})")
        label = ", ".join([f"{pages} corrected pages"] * (pages > 0) + ["clean text"] * clean)
        print(f"  {label:32} {'   '.join(cells)}", flush=True)


def main() -> None:
    parser = scan_parser(__doc__)
    parser.add_argument("--draws", type=int, default=5)
    options = parser.parse_args()
    for folder in chosen_scans(options):
        scan = AidedScan(folder, options.work / folder.name / "aids")
        print(f"\n{folder.name}: {len(scan.true)} passages, questions of 2–3 words and of 5–8 words")
        for pages in PAGES:
            scan.tried(pages, False, options.draws)
        for pages in (0, *PAGES[1:3]):
            scan.tried(pages, True, options.draws)


if __name__ == "__main__":
    main()
