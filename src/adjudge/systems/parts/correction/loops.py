"""The compiled loops of correction, or the same in Python (see ``core/kernel.py``)."""

from __future__ import annotations

import os
from typing import Any

compiled: Any = None
if os.environ.get("ADJUDGE_KERNEL") != "python":
    try:
        from . import _correction as compiled  # type: ignore[attr-defined, no-redef, unused-ignore]
    except ImportError:
        compiled = None

chosen: Any = compiled
if compiled is None:
    from . import slow

    chosen = slow
