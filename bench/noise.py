"""Pages and the channel: pages a second by step, characters a second, candidates a millisecond.

    python bench/noise.py                     # an English text made here
    python bench/noise.py --documents fr94/03 # real documents

There is no peer: Pillow, drawing the same lines, is measured beside our glyph cache. Processor time of one core, best
of several.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import islice
from typing import TypeVar

import numpy as np

from adjudge.formats.documents import read_documents
from adjudge.noise.alignment import distance
from adjudge.noise.channel import Channel
from adjudge.noise.engines.engine import engines
from adjudge.noise.pages.rendering import press
from adjudge.noise.pages.scanning import Scan, reduce
from adjudge.noise.pages.typesetting import PageLayout, typeset

T = TypeVar("T")
WORDS = "the administrator of agency has considered effect rule on small entities imported production volume notice"


def best(work: Callable[[], T], repeat: int) -> tuple[float, T]:
    """Seconds of the processor in the quickest of several goes, and the result."""
    quickest = float("inf")
    for _ in range(repeat):
        begin = time.process_time()
        result = work()
        quickest = min(quickest, time.process_time() - begin)
    return quickest, result


def texts_of(options: argparse.Namespace) -> list[str]:
    if options.documents:
        return [document.text for document in islice(read_documents(options.documents), 40)]
    rng = np.random.default_rng(0)
    words = WORDS.split()
    return [" ".join(rng.choice(words, 900)) for _ in range(20)]


def pages(texts: list[str], repeat: int) -> None:
    layout, scan = PageLayout(), Scan()
    set_, made = best(lambda: [page for text in texts for page in typeset(text, layout)], repeat)
    type_, press_ = len(made), press(layout, scan.blur)
    [press_.page(lines, 0.1) for lines in made]  # fills the cache of glyphs
    drawn, grey = best(lambda: [press_.page(lines, 0.1) for lines in made], repeat)
    exposed, bits = best(lambda: [scan.expose(page, np.random.default_rng(0)) for page in grey], repeat)
    reduced, small = best(lambda: [reduce(page, 1.668) for page in bits], repeat)
    characters = sum(map(len, texts))
    dots = sum(page.size for page in bits) / type_
    print(f"{type_} pages of {characters / type_:,.0f} characters and {dots / 1e6:.1f} million dots\n")
    print("| step | ms a page | pages/s |\n|---|---:|---:|")
    total = 0.0
    for name, seconds in (("typeset", set_), ("render", drawn), ("expose", exposed), ("reduce 1.668", reduced)):
        total += seconds
        print(f"| {name} | {1000 * seconds / type_:.2f} | {type_ / seconds:,.0f} |")
    print(f"| all | {1000 * total / type_:.2f} | {type_ / total:,.0f} |")
    pillow, _ = best(lambda: [drawn_by_pillow(lines, layout) for lines in made[:5]], repeat)
    print(f"| Pillow, drawing alone | {1000 * pillow / 5:.2f} | {5 / pillow:,.0f} |")
    for name in ("ocrad", "gocr", "tesseract"):
        engine = engines.parse(name)
        if engine.available():
            begin = time.perf_counter()
            for page in small[:5]:
                engine.read(page, dpi=layout.dpi // 2, timeout=120)
            print(f"| {name}, wall | {1000 * (time.perf_counter() - begin) / 5:.0f} | |")


def drawn_by_pillow(lines: list[str], layout: PageLayout) -> object:
    from PIL import Image, ImageDraw, ImageFont

    from adjudge.noise.pages.faces import face_file

    size = layout.size * layout.dpi / 72
    font = ImageFont.truetype(face_file(layout.font), size)
    image = Image.new("L", (int(size * 40), int(size * 1.2 * 62)), 255)
    draw = ImageDraw.Draw(image)
    for i, line in enumerate(lines):
        draw.text((size, size * 1.2 * (i + 0.5)), line, font=font, fill=0)
    return image


def channel(texts: list[str], repeat: int) -> None:
    learned = Channel.shipped("ocrad-20")
    whole = "\n".join(texts)[:1_000_000]
    seconds, noisy = best(lambda: learned.sample(whole, np.random.default_rng(0)), repeat)
    print(f"\nsampling {len(whole) / 1e6 / seconds:.1f} million characters/s")
    words = sorted(set(whole.split()))[:200]
    scoring, _ = best(lambda: [learned.log_probabilities("modem", words) for _ in range(100)], repeat)
    print(f"P(observed | true) of {len(words)} candidates {scoring * 10:.2f} ms")
    aligning, _ = best(lambda: distance(whole, noisy), 1)
    print(f"aligning {len(whole):,} characters at 20 % of errors {aligning:.1f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", help="documents to set, of any kind that adjudge reads")
    parser.add_argument("--repeat", type=int, default=5)
    chosen = parser.parse_args()
    some = texts_of(chosen)
    pages(some, chosen.repeat)
    channel(some, chosen.repeat)
