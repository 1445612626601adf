"""What each system of the Confusion Track costs on a corpus: seconds to prepare and to answer, and memory.

    python bench/systems.py results-folder fr94/ ocr5/documents.jsonl.zst --topics questions.tsv --judgments qrels.txt

Every system runs in a process of its own, on every version. What is prepared is kept in the folder: a second go has
nothing to prepare, and answers all the same.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from adjudge.cli._terminal import Log
from adjudge.experiment.plan import Plan
from adjudge.experiment.running import run
from adjudge.systems.system import TRACK


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("versions", nargs="+", help="documents, the true version first")
    parser.add_argument("--topics", required=True)
    parser.add_argument("--judgments", required=True)
    parser.add_argument("--outside", default="")
    parser.add_argument("--systems", action="append", help="may be repeated (those of the track)")
    options = parser.parse_args()
    shutil.rmtree(options.folder / "runs", ignore_errors=True)  # so that every system answers again
    versions = {path: path for path in options.versions}
    systems = tuple(options.systems or TRACK)
    plan = Plan(options.topics, options.judgments, versions, systems, outside=options.outside)
    results = run(plan, options.folder, progress=Log(sys.stderr))
    print("| version | system | prepare s | answer s | peak MB |\n|---|---|---:|---:|---:|")
    for version, records in results.records.items():
        for name, record in records.items():
            print(f"| {version} | {name} | {record.prepared:.1f} | {record.answered:.1f} | {record.memory:,} |")


if __name__ == "__main__":
    main()
