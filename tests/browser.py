"""A real browser for tests: Debian's chromium through Playwright, and what pages do behind a reader's back.

The headless shell is the same engine without the windows that nobody sees: tests take half the processor time.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is there."""
ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)

CONTRAST = """() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const linear = (x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => [r, g, b].map(x => linear(x / 255))
    .reduce((sum, x, n) => sum + x * [0.2126, 0.7152, 0.0722][n], 0);
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0.99) return colour;
    }
    return parts(getComputedStyle(document.body).backgroundColor);
  };
  const low = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walk.nextNode()) {
    const one = walk.currentNode.parentElement, text = walk.currentNode.textContent;
    if (!text.trim() || !one.checkVisibility() || one.closest(":disabled")) continue;
    if (["SCRIPT", "STYLE", "title", "desc", "OPTION"].includes(one.tagName)) continue;
    if (one.closest("#agreement svg, #significance svg")) continue;  // on coloured cells: tested with the figures
    const style = getComputedStyle(one);
    const colour = parts(one.ownerSVGElement ? style.fill : style.color);
    const [a, b] = [light(colour), light(behind(one))].sort((x, y) => y - x);
    seen += 1;
    if ((a + 0.05) / (b + 0.05) < 4.5) low.push([one.outerHTML.slice(0, 80), text.slice(0, 40)]);
  }
  return [seen, low];
}"""
"""How many texts are to be seen, and those whose contrast is below 4.5 to 1."""


@dataclass
class Seen:
    """What a page did that a reader would not see."""

    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def watch(self, tab: Any) -> None:
        tab.on("request", lambda request: self.requests.append(request.url))
        tab.on("pageerror", lambda error: self.errors.append(str(error)))
        tab.on("console", lambda message: self.errors.append(message.text))
        tab.on("dialog", self._refuse)

    def _refuse(self, dialog: Any) -> None:
        self.errors.append(f"dialog {dialog.message}")
        dialog.dismiss()


def launched() -> Iterator[Any]:
    """Chromium while it is needed; the test is skipped where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    chromium = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if chromium is None:
        pytest.skip("no chromium on this machine: apt-get install chromium-headless-shell")
    with sync_api.sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        yield made
        made.close()
