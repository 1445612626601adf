"""Builds the documentation: generated pages, outputs of all examples, links, and the website in site/.

python docs/build.py              write everything; exit 1 if an example fails or a link leads nowhere
python docs/build.py --check      write nothing; exit 1 if anything is not as it would be written
python docs/build.py --reference  write the generated pages only, which takes seconds
python docs/build.py PAGE ...     run the examples of these pages only
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from building import examples, links, reference, website

ROOT = Path(__file__).resolve().parents[1]


def written() -> list[Path]:
    """The pages that somebody wrote: all but the generated ones, whose examples are tested where they come from."""
    return [
        page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if page not in reference.PAGES
    ]


def linked() -> list[Path]:
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "bench").glob("*.md"))]


def main(arguments: list[str]) -> int:
    check = "--check" in arguments
    chosen = [Path(name).resolve() for name in arguments if not name.startswith("-")]
    wrong: list[str] = []
    for path, text in {} if chosen else reference.pages().items():
        if not path.exists() or path.read_text("utf-8") != text:
            wrong += [f"{path.name} is not up to date"] if check else []
            if not check:
                path.write_text(text, "utf-8")
                print(f"made anew: {path.name}")
    if "--reference" in arguments:
        print(*wrong, sep="\n", file=sys.stderr, end="\n" if wrong else "")
        return 1 if wrong else 0
    pages = chosen or written()
    texts = [page.read_text("utf-8") for page in pages]
    with ProcessPoolExecutor() as workers:
        results = list(workers.map(partial(examples.run, check=check), texts))
    for page, text, ran in zip(pages, texts, results, strict=True):
        wrong += [f"{page.name}: {problem}" for problem in (*examples.unread(text), *ran.failed)]
        if check:
            wrong += [f"{page.name}: prints something else: {example}" for example in ran.changed]
        elif ran.text != text:
            page.write_text(ran.text, "utf-8")
            print(f"outputs replaced: {page.name}", *ran.changed, sep="\n  ")
    wrong += links.broken(linked())
    if not check and not chosen:
        print(f"{sum(ran.number for ran in results)} examples run, {len(website.build(ROOT / 'site'))} pages in site/")
    print(*wrong, sep="\n", file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
