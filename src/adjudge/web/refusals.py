"""Answers that are not the page that was asked for, and the checks that lead to them."""

from __future__ import annotations

from .limits import Bucket


class RefusalError(Exception):
    """An answer that is not the page that was asked for."""

    def __init__(self, status: int, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.status, self.why, self.wait = status, why, wait


def limit(bucket: Bucket, key: str, why: str, number: int = 1) -> None:
    if wait := bucket.take(key, number):
        raise RefusalError(429, why, wait)


def signed(text: str) -> int:
    return -number(text[1:]) if text.startswith("-") else number(text)


def number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 15:
        raise RefusalError(400, "A number is expected there.")
    return int(text)
