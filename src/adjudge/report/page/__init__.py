"""The page: findings as one HTML file that needs nothing else, for people.

Each section is a module; it takes ``Findings`` and gives mark-up. Strings are escaped when elements are made
(safe_markup.py). The charts come from ``report.figures``. ``page.css`` and ``page.js`` are put into the file and
allowed by their digests, and the policy of the file forbids everything else: other scripts, and requests to anywhere.
"""

from __future__ import annotations

from .assembly import page
from .paper import figures, tables

__all__ = ["figures", "page", "tables"]
