// Everything works without this script: links and forms. With it keys go from hit to hit, and pages are turned.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const typing = (target) => target.matches("input, textarea, select");
  const narrow = matchMedia("(max-width: 62rem)");

  document.querySelectorAll("select[data-submit]").forEach((one) => {
    one.addEventListener("change", () => one.form.submit());
    const button = one.form.querySelector("button");
    if (button) button.hidden = true;
  });
  const fields = byId("fields");
  if (fields && narrow.matches && !fields.querySelector(".chosen")) fields.open = false;

  document.querySelectorAll(".to-fields").forEach((one) => one.addEventListener("click", () => { fields.open = true; }));

  // Places found: in the text and on the page, one of them is the current one.
  const marks = [...document.querySelectorAll("mark[data-hit]")];
  let current = -1;
  const show = (at, focus = true) => {
    current = Math.max(0, Math.min(marks.length - 1, at));
    const mark = marks[current];
    if (!mark) return;
    document.querySelectorAll(".current").forEach((one) => one.classList.remove("current"));
    mark.classList.add("current");
    const boxes = [...document.querySelectorAll(`.spot[data-hit="${mark.dataset.hit}"]`)];
    boxes.forEach((one) => one.classList.add("current"));
    if (focus) mark.focus({ preventScroll: true });
    mark.scrollIntoView({ block: "nearest" });
    if (boxes.length) boxes[0].scrollIntoView({ block: "nearest", inline: "nearest" });
    const reading = mark.title ? `, ${mark.title}` : "";
    byId("say").textContent = `Hit ${current + 1} of ${marks.length}: ${mark.textContent}${reading}`;
  };
  const step = (by) => {
    if (current + by >= marks.length && byId("after-page")) byId("after-page").click();
    else if (current + by < 0 && byId("before-page")) byId("before-page").click();
    else show(current + by);
  };
  for (const [id, by] of [["hit-before", -1], ["hit-after", 1]]) {
    const button = byId(id);
    if (!button || !marks.length) continue;
    button.hidden = false;
    button.addEventListener("click", () => step(by));
  }
  document.querySelectorAll(".spot").forEach((one) => {
    one.addEventListener("click", () => show(marks.findIndex((mark) => mark.dataset.hit === one.dataset.hit)));
  });
  const target = location.hash.startsWith("#hit-") ? marks.findIndex((one) => `#${one.id}` === location.hash) : -1;
  if (target >= 0) show(target, false);

  const results = [...document.querySelectorAll("a.to-document")];
  const result = (by) => {
    const at = results.indexOf(document.activeElement);
    const next = results[at < 0 ? (by > 0 ? 0 : results.length - 1) : at + by];
    if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
  };
  const follow = (key) => {
    const link = [...document.querySelectorAll("a[data-key]")].find((one) => one.dataset.key === key);
    if (link) link.click();
    return Boolean(link);
  };
  const keys = {
    "/": () => { byId("q").focus(); byId("q").select(); },
    j: () => (marks.length ? step(1) : result(1)),
    k: () => (marks.length ? step(-1) : result(-1)),
    "?": () => byId("help-link").click(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    } else if (follow(event.key)) {
      event.preventDefault();
    }
  });
})();
