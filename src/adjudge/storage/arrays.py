"""Arrays in files of numpy, which may be damaged or come from somebody else.

Nothing is unpickled. What reads them gets the type and the number of dimensions that it counts on, or one line; whether
the numbers make sense is its own affair, and :func:`ascends` and :func:`within` help with that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError
from .access import reading, refuse_links


def read_array(path: Path, kind: npt.DTypeLike, *, dimensions: int = 1, mapped: bool = True) -> npt.NDArray[Any]:
    """The array of a file, mapped into memory; a DataError if it is not one of this type."""
    refuse_links(path.parent, [path.name])
    with reading(path):
        try:
            array = np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False)
        except OSError:
            raise
        except Exception as error:  # a damaged header is read as Python, which fails in many ways
            why = (str(error).splitlines() or [""])[0]
            raise DataError(f"{path}: a damaged array: {why or type(error).__name__}") from None
    wanted = np.dtype(kind)
    if not isinstance(array, np.ndarray) or array.dtype != wanted or array.ndim != dimensions:
        kept = f"{array.ndim} dimensions of {array.dtype}" if isinstance(array, np.ndarray) else "no array"
        raise DataError(f"{path}: a damaged array: {kept} instead of {dimensions} of {wanted}")
    return array.view(np.ndarray)


def ascends(boundaries: npt.NDArray[Any], last: int) -> bool:
    """Whether numbers go from 0 to the last one and never fall, so that they can bound the parts of another array."""
    if not len(boundaries) or int(boundaries[0]) != 0 or int(boundaries[-1]) != last:
        return False
    return bool((boundaries[1:] >= boundaries[:-1]).all())


def within(numbers: npt.NDArray[Any], size: int) -> bool:
    """Whether all numbers are places in something of this size."""
    return not len(numbers) or 0 <= int(numbers.min()) <= int(numbers.max()) < size
