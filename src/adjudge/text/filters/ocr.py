"""Characters that scanners confuse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from ...core.errors import SpecError
from ..token_filter import Filter


@dataclass(frozen=True)
class OcrFilter(Filter):
    """Characters that a scanner takes for each other become one, so that a misread word still matches.

    Formula: in each class, all forms become the first one; at every place the longest form that stands there is
    replaced, from left to right, and what came out is not looked at again.

    Parameters: ``classes``, each a list of forms with slashes between them ([o/0, "l/1/i/|", s/5, m/rn]). The forms are
    written in lower case: put ``lower`` before. Classes with a wider reach (d/cl, w/vv, h/li) merge more true words.

    Example: ``modern`` and ``modem`` → ``modem``; ``1ine``, ``line`` and ``iine`` → ``llne``; ``b00k5`` → ``books``.
    """

    name: ClassVar[str] = "ocr"
    positional: ClassVar[str] = "classes"

    classes: tuple[str, ...] = ("o/0", "l/1/i/|", "s/5", "m/rn")

    def __post_init__(self) -> None:
        seen: dict[str, str] = {}
        if not isinstance(self.classes, tuple) or not self.classes:
            raise SpecError(
                "ocr: classes must be a list such as [o/0, l/1/i], each class with slashes between its forms"
            )
        for text in self.classes:
            forms = str(text).split("/")
            if len(forms) < 2 or not all(forms):
                raise SpecError(f"ocr: a class has two forms or more with slashes between them, not {str(text)!r}")
            for form in forms:
                if form in seen:
                    raise SpecError(
                        f"ocr: {form!r} stands in {seen[form]!r} and in {text!r}; it can stand in one place"
                    )
                seen[form] = text

    @cached_property
    def _first(self) -> dict[str, str]:
        return {form: forms[0] for forms in (c.split("/") for c in self.classes) for form in forms}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, sorted(self._first, key=len, reverse=True))))

    def __call__(self, types: Sequence[str]) -> Sequence[str]:
        first = self._first
        replace = self._pattern.sub
        return [replace(lambda match: first[match[0]], word) for word in types]
