"""How fast is a dump of a Q&A site read, and in how much memory?

    python bench/dumps.py --size 1e9
    python bench/dumps.py --size 2e8 --folder /tmp

A Posts.xml of the asked size is made, questions and answers as StackExchange has them, one accepted answer in fifty
citing arXiv; Comments.xml has a tenth of it. Reading is done by the command as users have it, in a process of its own:
megabytes of all files a second, by the clock and by the processor, and of one pass over Posts.xml; the largest resident
memory. The peer is xml.etree's iterparse over the same Posts.xml, one pass that does nothing with the rows.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.sax.saxutils import quoteattr

WORDS = ["manifold", "bundle", "curve", "operator", "state", "qubit", "gate", "channel", "lattice", "theorem", "metric"]
PEER = """
import sys
from xml.etree.ElementTree import iterparse
rows, root = 0, None
for event, element in iterparse(sys.argv[1], events=("start", "end")):
    if root is None:
        root = element
    elif event == "end":
        rows += 1
        root.clear()
print(rows)
"""
ONCE = """
import sys
from pathlib import Path
from adjudge.collection.qa.dump import Rows
print(sum(1 for _ in Rows(Path(sys.argv[1]), "posts", print)))
"""


def body(rng: random.Random, number: int, *, cites: bool) -> str:
    paragraphs = []
    for _ in range(rng.randint(1, 6)):
        words = " ".join(rng.choices(WORDS, k=rng.randint(20, 120)))
        paragraphs.append(f"<p>Let $x_{{{number}}}$ be a {words}, & <em>what</em> is it?</p>\n")
    if cites:
        document = f"0{rng.randint(704, 712)}.{number % 9999 + 1:04d}"
        paragraphs.append(f'<p>See <a href="https://arxiv.org/abs/{document}">this</a>.</p>')
    return "".join(paragraphs)


def make(folder: Path, size: int) -> None:
    """Threads of one question and two answers until the size is reached."""
    rng = random.Random(0)
    number, posts = 1, folder / "Posts.xml"
    escaped = {"\n": "&#xA;"}
    with posts.open("w", encoding="utf-8") as file, (folder / "Comments.xml").open("w", encoding="utf-8") as comments:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        comments.write('<?xml version="1.0" encoding="utf-8"?>\n<comments>\n')
        date = "2018-03-12T17:00:45.567"
        while file.tell() < size:
            question = number
            accepted = f' AcceptedAnswerId="{question + 1}"' if question % 2 else ""
            for answer in range(3):
                kind = '1"' + accepted if not answer else f'2" ParentId="{question}"'
                text = quoteattr(body(rng, number, cites=answer == 1 and rng.random() < 0.02), escaped)
                file.write(
                    f'  <row Id="{number}" PostTypeId="{kind} CreationDate="{date}" Score="3" Body={text} '
                    f'OwnerUserId="{number % 999}" LastActivityDate="{date}" CommentCount="1" />\n'
                )
                said = quoteattr(" ".join(rng.choices(WORDS, k=25)))
                head = f'Id="{number}" PostId="{number}" Score="0"'
                comments.write(f'  <row {head} Text={said} CreationDate="{date}" UserId="5" />\n')
                number += 1
            number += question % 3
        file.write("</posts>\n")
        comments.write("</comments>\n")


def timed(command: list[str]) -> tuple[float, float, float]:
    """Seconds on the clock and of the processor, and the largest resident memory in MB."""
    began = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        raise SystemExit(f"{command[:4]} failed")
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=float, default=1e9, help="bytes of Posts.xml (1e9)")
    parser.add_argument("--folder", help="where the dump is made (a temporary folder)")
    parser.add_argument("--no-peer", action="store_true", help="do not run iterparse")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as made:
        folder = Path(made)
        make(folder, int(options.size))
        posts = folder / "Posts.xml"
        whole = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
        one = posts.stat().st_size / 1e6
        command = [sys.executable, "-m", "adjudge", "collect", "candidates", str(folder), "-o", str(folder / "project")]
        print(f"dump {whole:,.0f} MB, Posts.xml {one:,.0f} MB; load of the machine {os.getloadavg()[0]:.1f}")
        report("collect candidates", whole, timed(command))
        ours = timed([sys.executable, "-c", ONCE, str(posts)])
        report("one pass over the rows", one, ours)
        if not options.no_peer:
            peer = timed([sys.executable, "-c", PEER, str(posts)])
            report("one pass of iterparse", one, peer)
            print(f"ratio of processor times {peer[1] / ours[1]:.1f}")


def report(what: str, megabytes: float, measured: tuple[float, float, float]) -> None:
    clock, processor, memory = measured
    print(
        f"{what}: {clock:.1f} s on the clock ({megabytes / clock:.0f} MB/s), {processor:.1f} s of the processor "
        f"({megabytes / processor:.0f} MB/s), {memory:.0f} MB of memory"
    )


if __name__ == "__main__":
    main()
