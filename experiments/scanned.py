"""Search in scanned text: decipher beside the systems of the Confusion Track, bm25, 4-grams and fusions, all figures.

    python experiments/scanned.py work/ --fr94 fr94/ --scanned scans/ --known questions.tsv --robust robust04/ \\
        --classic glasgow/ --lstm lstm-5.json --lstm lstm-20.json
    python experiments/scanned.py work/ … --only cran --only robust --part development
    python experiments/scanned.py work/ … --ablation "decipher(least=0.5)" --ablation "decipher(b=0.75)"

``--scanned`` is the folder scanned-55630 of experiments/readings.py, with the Federal Register read at two levels;
``--robust`` and ``--classic`` are the archives robust04-on-fr94 and classic-collections, unpacked; the fresh questions
are beside this file. The classic collections are read by real engines at factors that ``adjudge noise calibrate``
found; a page takes a twentieth of a second with ocrad and half a second with tesseract. The channels of ``--lstm``, for
5 % and 20 %, are learned from other documents that tesseract read (``adjudge noise learn``).

Development: the known questions, Cranfield, CACM, Robust topics of odd numbers. Held out: the fresh questions, CISI,
MED, Robust topics of even numbers, the built-in collection. Tables of one part look at nothing of the other.

Everything made is kept in the folder and not made again, but for what decipher made before its source was changed.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from scanned_collections import CLASSIC, Collection, classic, federal
from scanned_tables import Cells, ablation_table, known_items, precision

import adjudge
from adjudge.cli._terminal import experiment_listener
from adjudge.core.run import Run
from adjudge.experiment.completed_runs import CompletedRuns, slug
from adjudge.experiment.running import run
from adjudge.systems.parts.fusing import fuse_any

TRACK = (
    *("rutcf", "anu5con", "gmu961", "gmu962", "clarit(folds=2)", "clarit(folds=2, feedback=true)"),
    *("ETHFR94N", "ETHFR94P"),
)
OTHERS = ("bm25", "eth(n=4)", "decipher")
ALL_EIGHT = {"known", "fresh"}
FUSIONS = {
    "bm25 + 4-grams": ("combsum", "bm25", "eth(n=4)"),
    "bm25 + ETHFR94P + CLCON": ("combsum", "bm25", "ETHFR94P", "clarit(folds=2)"),
    "decipher + 4-grams": ("combsum", "decipher", "eth(n=4)"),
}
COMPARED = ("bm25", "ETHFR94P", "eth(n=4)", "decipher", "decipher + 4-grams")
"""In the table of average precision."""
OWN = ("decipher.py", "parts/deciphering", "../text/tokenizers/chunks.py")
"""Where the source of decipher is."""


def source() -> str:
    """The content of decipher's source, as a number."""
    import adjudge.systems

    made, folder = hashlib.blake2b(digest_size=8), Path(adjudge.systems.__file__).parent
    for place in OWN:
        path = folder / place
        for file in sorted([*path.glob("*.py"), *path.glob("*.c")] if path.is_dir() else [path]):
            made.update(file.read_bytes())
    return made.hexdigest()


def forget(work: Path) -> None:
    """Remove what decipher made before its source was changed."""
    told = work / "decipher.txt"
    if told.exists() and told.read_text(encoding="ascii") == source():
        return
    made = (("runs", "decipher*"), ("work", "reading-*"), ("work", "signs-*"))
    for path in [path for folder, name in made for path in work.glob(f"*/{folder}/*/{name}")]:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)  # folders may be links to one
    told.write_text(source(), encoding="ascii")


def collections(options: argparse.Namespace) -> Iterator[Collection]:
    """Those that were asked for and whose data is there."""
    work: Path = options.work
    lstm = dict(zip(("LSTM channel 5 %", "LSTM channel 20 %"), options.lstm or (), strict=False))
    wanted = options.only or ["known", "fresh", "robust", *CLASSIC, "built-in"]
    if options.fr94 and {"known", "fresh", "robust"} & set(wanted):
        yield from federal(options.fr94, options.scanned, options.known, options.fresh, options.robust, work, wanted)
    for name in CLASSIC:
        if options.classic and name in wanted:
            yield classic(name, options.classic, work, lstm)
    if "built-in" in wanted:
        yield Collection("built-in", "", "", {}, lambda _: True, "rr", built_in=True)


def limited(one: Collection, wanted: Sequence[str] | None) -> Collection:
    """With the true version and those that are wanted only."""
    if wanted is None:
        return one
    return replace(one, versions={name: of for name, of in one.versions.items() if name in {"true", *wanted}})


def systems_of(one: Collection, options: argparse.Namespace) -> tuple[str, ...]:
    if options.system:
        return tuple(options.system)
    if options.ablation:
        return ("decipher", *options.ablation)
    if one.name in ALL_EIGHT:
        return (*TRACK, *OTHERS)
    return ("ETHFR94N", "ETHFR94P", *OTHERS)


def retrieved(one: Collection, options: argparse.Namespace) -> CompletedRuns:
    """The runs of a collection, made now or before."""
    folder: Path = options.work / slug(one.name)
    folder.mkdir(parents=True, exist_ok=True)
    if one.work and not (folder / "work").exists():
        (options.work / one.work).mkdir(exist_ok=True)
        (folder / "work").symlink_to(Path("..") / one.work)
    with experiment_listener() as progress:
        return run(one.plan(systems_of(one, options)), folder, progress=progress)


def runs_of(results: CompletedRuns, version: str) -> dict[str, Run | None]:
    """The runs on a version, fusions with them; None if a system found nothing at all."""
    records = results.records[version]
    made: dict[str, Run | None] = {
        name: None if records[name].empty else adjudge.read_run(path) for name, path in results.runs[version].items()
    }
    for name, (method, *members) in FUSIONS.items():
        if all(member in made for member in members):
            parts = [run for member in members if (run := made[member]) is not None]
            made[name] = fuse_any(parts, method, constant=60, k=1000, name=name)
    return made


def measured(one: Collection, options: argparse.Namespace) -> Cells:
    """The values of every system on every version, topic by topic."""
    results = retrieved(one, options)
    judgments = adjudge.read_qrels(results.folder / "judgments.txt" if one.built_in else one.judgments)
    part = [topic for topic in results.topics if one.held(topic) == (options.part == "held out")]
    made: Cells = {}
    for version in results.runs:
        for name, run_of in runs_of(results, version).items():
            values = {}
            if run_of is not None:
                scores = adjudge.measure(judgments, run_of, [one.measure])
                values = {t: v[one.measure] for t, v in scores.per_topic(scores.systems[0]).items()}
            made[one.name, version, name] = [values.get(topic, 0.0) for topic in part]
    return made if part else {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    for name in ("fr94", "scanned", "known", "robust", "classic"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--fresh", type=Path, default=Path(__file__).with_name("fr94-questions.tsv"))
    parser.add_argument("--lstm", type=Path, action="append")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--version", action="append", metavar="NAME", help="these and the true one")
    parser.add_argument("--part", choices=("development", "held out"))
    parser.add_argument("--ablation", action="append", metavar="SPEC")
    parser.add_argument("-s", "--system", action="append", metavar="SPEC", help="these and no others")
    parser.add_argument("--runs-only", action="store_true", help="make runs and tell no figures")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    forget(options.work)
    chosen = [limited(one, options.version) for one in collections(options)]
    if options.runs_only:
        for one in chosen:
            retrieved(one, options)
        return
    for part in [options.part] if options.part else ("development", "held out"):
        options.part = part
        cells: Cells = {}
        for one in chosen:
            if one.name not in {"known", "fresh", "built-in", *CLASSIC} or _any(one, part):
                cells |= measured(one, options)
        print(f"\n# {part}\n")
        ranked = {key: value for key, value in cells.items() if key[0] in {c.name for c in chosen if c.measure == "rr"}}
        judged = {key: value for key, value in cells.items() if key not in ranked}
        if options.ablation:
            print(ablation_table(cells, "decipher"))
            continue
        for name in dict.fromkeys(key[0] for key in ranked):
            print(known_items({key: value for key, value in ranked.items() if key[0] == name}))
        if judged:
            some = {key: value for key, value in judged.items() if key[2] in COMPARED}
            print(precision(some, "decipher", ("bm25", "ETHFR94P")))


def _any(one: Collection, part: str) -> bool:
    """Whether a collection, all of whose topics are in one part, is in this one."""
    return one.held("") == (part == "held out")


if __name__ == "__main__":
    main()
