"""The compiled loops of correction, or the same in Python (see ``core/kernel.py``)."""

from __future__ import annotations

from typing import Any

from ....core.kernel import native
from . import slow

compiled: Any = native("correction")
chosen: Any = compiled or slow
