// The drawing of a scanned page is zoomed: it is wider than its window, which scrolls.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const sheet = byId("sheet"), level = byId("zoom-level");
  if (!sheet) return;
  let zoom = 100;
  const resize = (to) => {
    zoom = Math.max(25, Math.min(800, to));
    sheet.setAttribute("width", `${zoom}%`);
    level.textContent = `${zoom}%`;
  };
  const steps = {
    "zoom-in": () => resize(Math.round(zoom * 1.25)),
    "zoom-out": () => resize(Math.round(zoom / 1.25)),
    "zoom-fit": () => resize(100),
  };
  document.querySelector(".zooming").hidden = false;
  const keys = {};
  for (const [id, step] of Object.entries(steps)) {
    byId(id).addEventListener("click", step);
    for (const key of (byId(id).getAttribute("aria-keyshortcuts") || "").split(" ")) keys[key] = step;
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.matches("input, textarea, select")) return;
    const step = keys[event.key === "=" ? "+" : event.key];
    if (step) {
      event.preventDefault();
      step();
    }
  });
})();
