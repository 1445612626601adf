"""What the tokenizers mean in ASCII, written slowly from the rules of UAX#29, as a second opinion.

A boundary lies before every character unless a rule says that there is none. The numbers are those of the annex; the
rules about other scripts, marks and line ends cannot apply in ASCII, where line ends are no part of a token anyway.
"""

from __future__ import annotations

LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
DIGITS = frozenset("0123456789")
BETWEEN_LETTERS = frozenset("'.:")
BETWEEN_DIGITS = frozenset("'.,;")


def joined(before: str, a: str, b: str, after: str, dashes: bool) -> bool:
    """Whether no boundary lies between a and b; what stands outside of them is '' at the ends of the text."""
    both = LETTERS | DIGITS
    return (
        (a in both and b in both)  # WB5, WB8, WB9, WB10
        or (a in LETTERS and b in BETWEEN_LETTERS and after in LETTERS)  # WB6
        or (before in LETTERS and a in BETWEEN_LETTERS and b in LETTERS)  # WB7
        or (before in DIGITS and a in BETWEEN_DIGITS and b in DIGITS)  # WB11
        or (a in DIGITS and b in BETWEEN_DIGITS and after in DIGITS)  # WB12
        or ((a in both or a == "_") and b == "_")  # WB13a
        or (a == "_" and b in both)  # WB13b
        or (dashes and a in both and b == "-" and after in both)
        or (dashes and before in both and a == "-" and b in both)
    )


def first_segment(text: str, dashes: bool) -> str:
    """The text up to the first boundary."""
    end = 1
    while end < len(text):
        before, after = text[end - 2 : end - 1] if end > 1 else "", text[end + 1 : end + 2]
        if not joined(before, text[end - 1], text[end], after, dashes):
            break
        end += 1
    return text[:end]


def standard(text: str, dashes: bool = False, longest: int = 255) -> list[tuple[int, int]]:
    """Where the tokens of ``standard`` are: a scanner sees so many characters and goes on by one if it has none."""
    tokens, at = [], 0
    while at < len(text):
        segment = first_segment(text[at : at + longest], dashes)
        if LETTERS & set(segment) or DIGITS & set(segment):
            tokens.append((at, at + len(segment)))
            at += len(segment)
        else:
            at += 1
    return tokens


def words(text: str) -> list[tuple[int, int]]:
    """Where the tokens of ``words`` are."""
    tokens: list[tuple[int, int]] = []
    for i, character in enumerate(text):
        if character in LETTERS or character in DIGITS:
            if tokens and tokens[-1][1] == i:
                tokens[-1] = (tokens[-1][0], i + 1)
            else:
                tokens.append((i, i + 1))
    return tokens
