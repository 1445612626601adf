"""Whether a tag is the version of the source: exit code 0 if it is, one line and exit code 2 if not.

    python release/check_tag.py v0.1.0

The changelog must have a section for the version, with a date in place of "unreleased".
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def problem_of(tag: str, source: str, changelog: str) -> str:
    """Why a tag cannot be released, in a line; empty if it can."""
    match = re.search(r'^__version__ = "([^"]+)"$', source, re.MULTILINE)
    version = match[1] if match else ""
    if tag != f"v{version}":
        return f"the tag is {tag}, and the source says {version or 'no version'}: expected v{version}"
    heading = re.search(rf"^## {re.escape(version)} \((.*)\)$", changelog, re.MULTILINE)
    if not heading or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", heading[1]):
        return f"CHANGELOG.md has no heading '## {version} (YYYY-MM-DD)'"
    return ""


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python release/check_tag.py TAG", file=sys.stderr)
        return 2
    source = (ROOT / "src" / "adjudge" / "__init__.py").read_text("utf-8")
    problem = problem_of(arguments[0], source, (ROOT / "CHANGELOG.md").read_text("utf-8"))
    print(problem, file=sys.stderr, end="\n" if problem else "")
    return 2 if problem else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
