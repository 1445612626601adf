"""The process that holds tesseract: it reads questions on its standard input until that ends, and answers each."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module

from ._library import ANSWER, QUESTION


def main(mode: int, folder: str) -> None:
    """Answer questions until there are no more."""
    from PIL import Image

    tesserocr = import_module("tesserocr")

    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    # What the library itself prints must not get between the answers.
    os.dup2(2, 1)
    with tesserocr.PyTessBaseAPI(path=folder, lang="eng", oem=mode, psm=6) as api:
        while header := questions.read(QUESTION.size):
            dpi, size = QUESTION.unpack(header)
            picture = questions.read(size)
            try:
                api.SetImage(Image.open(io.BytesIO(picture)))
                api.SetSourceResolution(dpi)
                text, status = api.GetUTF8Text().encode(), 0
                api.ClearAdaptiveClassifier()
                api.Clear()
            except Exception as error:
                text, status = f"{type(error).__name__}: {error}".encode(), 1
            answers.write(ANSWER.pack(status, len(text)) + text)
            answers.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
