"""The compiled loops of correction, or the same in Python (see ``core/kernel.py``)."""

from __future__ import annotations

from typing import Any

from ....core.kernel import extension

compiled: Any = extension("adjudge.systems.parts.correction._correction")

chosen: Any = compiled
if compiled is None:
    from . import slow

    chosen = slow
