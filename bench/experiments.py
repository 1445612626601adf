"""How long a plan takes, page included: 36 runs of TREC-COVID's first round, 129 systems that are made up, the demo.

    python bench/experiments.py
    python bench/experiments.py --covid trec-covid-round1/
    python bench/experiments.py --growth
    python bench/experiments.py --draw out/report.html

Each plan is one command, start-up included. TREC-COVID's runs are read from a folder with ``runs/``, topics and
judgments; without it that plan is left out. The peer is ranx comparing the same runs, which makes no page: one measure,
the paired t test. ``--growth`` takes plans of 62 to 500 runs that are made up, of 250 topics each, and says how time,
memory and the bytes of the page grow; ``--draw`` opens pages in chromium and says when they are drawn.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

COMMAND = [sys.executable, "-m", "adjudge"]
RANX = """
import sys, glob
from ranx import Qrels, Run, compare
qrels = Qrels.from_file(sys.argv[1], kind="trec")
runs = [Run.from_file(path, kind="trec") for path in sorted(glob.glob(sys.argv[2]))]
for number, run in enumerate(runs):
    run.name = str(number)
compare(qrels, runs, ["map"], make_comparable=True, stat_test="student", rounding_digits=4)
"""

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # with it, sources would be compiled at every start


def timed(command: list[str]) -> tuple[float, str]:
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    spent = time.perf_counter() - began
    return spent, "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["failed"])[-1]


def made_up(folder: Path, systems: int, topics: int, seed: int = 0) -> None:
    """Runs of systems of different quality: 30 relevant documents a topic among 1,000."""
    rng = np.random.default_rng(seed)
    (folder / "runs").mkdir(parents=True)
    with open(folder / "qrels.txt", "w", encoding="ascii") as out:
        for topic in range(topics):
            out.writelines(f"{topic} 0 d{document} {int(document < 30)}\n" for document in range(60))
    for system in range(systems):
        lift = 3 * system / systems
        with open(folder / "runs" / f"system-{system:03}.run", "w", encoding="ascii") as out:
            for topic in range(topics):
                scores = rng.normal(size=1000)
                scores[:30] += lift * rng.random()
                order = np.argsort(-scores)[:100]
                out.writelines(f"{topic} Q0 d{d} {r} {scores[d]:.6f} s\n" for r, d in enumerate(order.tolist(), 1))


def planned(folder: Path, runs: str, judgments: str, topics: str = "") -> Path:
    path = folder / "plan.toml"
    lines = [f"judgments = {judgments!r}", f"runs = {runs!r}"] + ([f"topics = {topics!r}"] if topics else [])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def measured(command: list[str]) -> tuple[float, float, float]:
    """Seconds on the clock and of processor time, and megabytes at the peak, of a command and all that it started."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    spent, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, busy, after.ru_maxrss / 1024


def growth(folder: Path, sizes: tuple[int, ...] = (62, 125, 250, 500), topics: int = 250) -> None:
    """Plans of more and more runs, the smallest first, because the peak of memory is that of the largest so far."""
    made_up(folder, sizes[-1], topics)
    every = sorted((folder / "runs").iterdir())
    print(f"| runs × {topics} topics | clock | processor | slope | memory | page |\n|---|---:|---:|---:|---:|---:|")
    last: tuple[int, float] | None = None
    for size in sizes:
        place = folder / f"{size}-runs"
        (place / "runs").mkdir(parents=True)
        for number in np.linspace(0, len(every) - 1, size).round().astype(int).tolist():
            os.link(every[number], place / "runs" / every[number].name)
        plan = planned(place, "runs", str(folder / "qrels.txt"))
        clock, busy, memory = measured([*COMMAND, "run", str(plan), "-o", str(place / "out")])
        slope = "" if last is None else f"{np.log(busy / last[1]) / np.log(size / last[0]):.2f}"
        page = (place / "out" / "report.html").stat().st_size / 1e6
        print(f"| {size} | {clock:.1f} s | {busy:.1f} s | {slope} | {memory:,.0f} MB | {page:.2f} MB |", flush=True)
        last = size, busy


DRAWN = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  const charts = document.querySelectorAll("svg").length;
  return [paint ? paint.startTime : NaN, page.domInteractive, page.loadEventEnd, charts];
}"""


def draw(pages: list[Path], times: int = 5) -> None:
    """First paint, all parsed, all loaded and the script run, by the browser's clock; and the processor time of the
    thread that does all this: the best of several, in milliseconds."""
    from playwright.sync_api import sync_playwright

    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome"))),
        None,
    )
    print("| page | size | width | first paint | parsed | loaded, charts there | processor | charts |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for path in pages:
            for width in (400, 1200):
                found = []
                for _ in range(times):
                    tab = browser.new_page(viewport={"width": width, "height": 900})
                    talk = tab.context.new_cdp_session(tab)
                    talk.send("Performance.enable", {"timeDomain": "threadTicks"})
                    tab.goto(path.resolve().as_uri(), wait_until="load")
                    tab.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
                    busy = {one["name"]: one["value"] for one in talk.send("Performance.getMetrics")["metrics"]}
                    found.append([*tab.evaluate(DRAWN), 1000 * busy["TaskDuration"]])
                    tab.close()
                best = np.min(np.array(found, float), axis=0)
                size = path.stat().st_size / 1e6
                figures = " | ".join(f"{value:.0f} ms" for value in (*best[:3], best[4]))
                print(f"| {path} | {size:.2f} MB | {width} | {figures} | {best[3]:.0f} |", flush=True)
        browser.close()


def report(what: str, folder: Path, plan: Path) -> None:
    out = folder / "out"
    first, wrong = timed([*COMMAND, "run", str(plan), "-o", str(out)])
    again, _ = timed([*COMMAND, "run", str(plan), "-o", str(out)])
    size = (out / "report.html").stat().st_size / 1e6 if not wrong else float("nan")
    print(f"| {what} | {first:.1f} s | {again:.1f} s | {size:.2f} MB |{' ' + wrong if wrong else ''}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--covid", type=Path, help="the folder of TREC-COVID's first round")
    parser.add_argument("--growth", action="store_true", help="only plans of 62 to 500 runs")
    parser.add_argument("--draw", type=Path, nargs="+", metavar="PAGE", help="only say when pages are drawn")
    options = parser.parse_args()
    if options.draw:
        draw(options.draw)
        return
    if options.growth:
        with tempfile.TemporaryDirectory() as name:
            growth(Path(name) / "plans")
        return
    print("| plan | first time | again | page |\n|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.covid:
            (folder / "covid").mkdir()
            data = options.covid.resolve()
            judgments, topics = (str(next(data.glob(pattern))) for pattern in ("qrels*", "topics*"))
            plan = planned(folder / "covid", f"{data}/runs", judgments, topics)
            report("36 runs of TREC-COVID", folder / "covid", plan)
            spent, wrong = timed([sys.executable, "-c", RANX, judgments, f"{data}/runs/*"])
            print(f"| the same in ranx: one measure, one test, no page | {spent:.1f} s | | | {wrong}")
        made_up(folder / "many", 129, 50)
        plan = planned(folder / "many", "runs", "qrels.txt")
        report("129 systems × 50 topics", folder / "many", plan)
        out = folder / "demo"
        first, wrong = timed([*COMMAND, "demo", "-o", str(out)])
        again, _ = timed([*COMMAND, "demo", "-o", str(out)])
        size = (out / "report.html").stat().st_size / 1e6 if not wrong else float("nan")
        print(f"| the demo | {first:.1f} s | {again:.1f} s | {size:.2f} MB |{' ' + wrong if wrong else ''}")


if __name__ == "__main__":
    main()
