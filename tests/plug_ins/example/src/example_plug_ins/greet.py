"""Greet somebody by name.

adjudge greet Cyril
"""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    print("Hello", *arguments)
    return 0
