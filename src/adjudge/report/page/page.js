"use strict";
// What a reader can do on the page. Text from the data is set as text, never as mark-up.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";

  const html = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  const shape = (name, kind, places, text) => {
    const made = document.createElementNS(SVG, name);
    if (kind) made.setAttribute("class", kind);
    for (const [key, value] of Object.entries(places)) made.setAttribute(key, typeof value === "number" ? String(+value.toFixed(2)) : value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const minus = (text) => text.replace("-", "−");
  const grouped = (number) => minus(number.toLocaleString("en-US", { maximumFractionDigits: 2 }));
  const count = (number, what) => `${grouped(number)} ${what}${number === 1 ? "" : "s"}`;
  const figure = (number) => {
    if (number === null || Number.isNaN(number)) return "–";
    const size = Math.abs(number);
    if (size >= 1e6) return minus(number.toPrecision(4));
    const digits = size < 10 ? 4 : Math.max(0, 4 - String(Math.floor(size)).length);
    const text = number.toFixed(digits);
    return Number(text) === 0 ? text.replace("-", "") : minus(text);
  };
  const signed = (number) => (number > 0 ? "+" : "") + figure(number);
  const short = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1 - Math.floor(most / 3))}…${text.slice(-Math.floor(most / 3))}`);

  // Light and dark ---------------------------------------------------------------------------------------------------
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const kept = { get: () => { try { return localStorage.getItem("adjudge-theme"); } catch { return null; } },
    set: (value) => { try { localStorage.setItem("adjudge-theme", value); } catch { /* a page that may keep nothing */ } } };
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const told = () => {
    $("theme").textContent = isDark() ? "Light" : "Dark";
    $("theme").setAttribute("aria-pressed", String(isDark()));
    $("theme").setAttribute("aria-label", isDark() ? "Switch to light colours" : "Switch to dark colours");
  };
  if (["dark", "light"].includes(kept.get())) root.dataset.theme = kept.get();
  $("theme").addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; kept.set(root.dataset.theme); told(); });
  dark.addEventListener("change", told);
  told();

  // Where on the page we are -----------------------------------------------------------------------------------------
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const watch = new IntersectionObserver((seen) => {
    for (const one of seen) links.get(one.target.id)?.classList.toggle("here", one.isIntersecting);
  }, { rootMargin: "-20% 0px -70% 0px" });
  document.querySelectorAll("main > section").forEach((section) => watch.observe(section));

  // Tips: the titles of marks, at once and larger than browsers show them ----------------------------------------------
  const tip = $("tip");
  const hide = () => { tip.hidden = true; };
  const tipOf = (start) => {
    for (let one = start; one && one.ownerSVGElement; one = one.parentElement) {
      const title = [...one.children].find((child) => child.tagName === "title");
      if (title) { one.dataset.tip = title.textContent; one.setAttribute("aria-label", title.textContent); title.remove(); }
      if (one.dataset.tip) return one.dataset.tip;
    }
    return "";
  };
  const place = (event) => {
    const box = tip.getBoundingClientRect();
    const left = Math.min(event.clientX + 14, innerWidth - box.width - 8);
    const below = event.clientY + 18 + box.height < innerHeight;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${below ? event.clientY + 18 : Math.max(8, event.clientY - box.height - 12)}px`;
  };
  document.addEventListener("pointerover", (event) => {
    const text = event.target instanceof SVGElement ? tipOf(event.target) : "";
    if (!text) return hide();
    tip.textContent = text;
    tip.hidden = false;
    place(event);
  });
  document.addEventListener("pointermove", (event) => { if (!tip.hidden) place(event); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  document.addEventListener("scroll", hide, { passive: true, capture: true });
  const bare = (svg) => { for (const child of [...svg.children]) if (child.tagName === "title") child.remove(); };
  document.querySelectorAll("svg.ad-figure").forEach(bare); // aria-label says the same

  // Tables: sorted by a click on a header ------------------------------------------------------------------------------
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    const text = cell.textContent.trim();
    const number = Number(text.replace(/[,*%+]/g, "").replace("−", "-").replace(/^<\s*/, ""));
    return text === "" || text === "–" ? null : Number.isNaN(number) ? text : number;
  };
  const sort = (table, column, way) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [keyOf(row, column), row]);
    rows.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      if (typeof a === "number" && typeof b === "number") return way * (a - b);
      return way * String(a).localeCompare(String(b), "en", { numeric: true });
    });
    body.append(...rows.map(([, row]) => row));
    for (const [place, head] of [...table.tHead.rows[0].cells].entries()) {
      if (place === column) head.setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
  };
  document.querySelectorAll("table.sortable").forEach((table) => {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = html("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const upwards = head.dataset.better === "low" || !head.classList.contains("number");
        sort(table, column, now ? (now === "ascending" ? -1 : 1) : upwards ? 1 : -1);
      });
    });
  });
  if ($("systems-filter")) {
    const rows = [...$("systems-table").tBodies[0].rows];
    const find = () => {
      const wanted = $("systems-filter").value.trim().toLowerCase();
      for (const row of rows) row.hidden = !row.dataset.system.toLowerCase().includes(wanted);
      $("systems-shown").textContent = wanted ? `${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
    };
    $("systems-filter").addEventListener("input", find);
    find();
  }

  const fill = (select, names, chosen) => {
    select.replaceChildren(...names.map(([value, name]) => {
      const option = html("option", short(name, 48));
      option.value = String(value);
      option.title = name;
      return option;
    }));
    if (names.some(([value]) => String(value) === String(chosen))) select.value = String(chosen);
  };

  // Scales with ticks at 1, 2 and 5, as the drawn charts have them ------------------------------------------------------
  const scaled = (low, high, start, stop, most) => {
    if (!(high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high)))) { const room = Math.abs(low) * 0.1 || 0.5; low -= room; high += room; }
    const rough = (high - low) / most;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough * (1 - 1e-9)) || 20 * power;
    low = Math.floor(low / step + 1e-9) * step;
    high = Math.ceil(high / step - 1e-9) * step;
    const ticks = [];
    for (let n = Math.round(low / step); n <= Math.round(high / step); n += 1) ticks.push(Number((n * step).toPrecision(12)));
    const decimals = Math.min(100, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
    const at = (value) => start + ((value - low) / (high - low)) * (stop - start);
    return { at, ticks, label: (tick) => (Math.abs(tick) >= 1e7 ? minus(tick.toPrecision(3)) : tick === 0 ? "0" : minus(tick.toFixed(decimals))) };
  };
  const canvas = (width, height, title) => shape("svg", "ad-figure", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title });
  const tipped = (made, text, topic) => { made.dataset.tip = text; if (topic !== undefined) made.dataset.topic = topic; return made; };

  // Two systems ---------------------------------------------------------------------------------------------------------
  const KIND = { "1": "ad-won", "0": "ad-level", "-1": "ad-lost" };
  const pair = () => {
    const version = data.versions[$("pair-version") ? $("pair-version").value : 0];
    const measure = version.measures[$("pair-measure").value];
    const [a, b] = ["pair-a", "pair-b"].map((id) => Number($(id).value));
    const [x, y] = [a, b].map((system) => version.systems.indexOf(system));
    const way = measure.better === "low" ? -1 : 1;
    const rows = [];
    measure.values[x].forEach((one, t) => {
      const other = measure.values[y][t];
      if (one === null || other === null) return;
      const topic = version.topics ? version.topics[t] : t;
      rows.push({ topic: data.topics[topic], question: data.questions[topic], a: one / measure.scale, b: other / measure.scale,
        gap: (one - other) / measure.scale, side: Math.sign(way * (one - other)) });
    });
    rows.sort((one, other) => way * (other.gap - one.gap));
    const mean = rows.length === measure.values[x].length && measure.means[x] !== null && measure.means[y] !== null
      ? measure.means[x] - measure.means[y]
      : rows.reduce((sum, row) => sum + row.gap, 0) / rows.length;
    const tested = $("pair-measure").value === String(version.main) && version.p
      ? version.p.find(([one, other]) => (one === a && other === b) || (one === b && other === a)) : undefined;
    return { a: data.systems[a], b: data.systems[b], measure, rows, way, mean, p: tested && tested[2], test: version.test };
  };
  const bars = (now) => {
    const width = 720, top = 34, height = 230, left = 44;
    const svg = canvas(width, top + height + 40, `${now.measure.name} of ${now.a} minus ${now.b}, topic by topic`);
    const counts = { "1": `${short(now.a, 32)} better`, "0": "level", "-1": `${short(now.b, 32)} better` };
    let x = 2;
    for (const side of ["1", "0", "-1"]) {
      const text = `${counts[side]}: ${now.rows.filter((row) => String(row.side) === side).length}`;
      svg.append(shape("rect", KIND[side], { x, y: 4, width: 11, height: 11 }), shape("text", "ad-text", { x: x + 17, y: 14 }, text));
      x += 35 + text.length * 6.6;
    }
    const gaps = now.rows.map((row) => row.gap);
    const ends = gaps.some((gap) => gap !== 0) ? [Math.min(0, ...gaps), Math.max(0, ...gaps)] : [-1, 1];
    const scale = scaled(...ends, top + height, top, 6);
    for (const tick of scale.ticks) {
      svg.append(shape("line", "ad-grid", { x1: left, x2: width - 4, y1: scale.at(tick), y2: scale.at(tick) }));
      svg.append(shape("text", "ad-soft ad-small ad-end", { x: left - 7, y: scale.at(tick) + 4 }, scale.label(tick)));
    }
    const slot = (width - 8 - left) / Math.max(1, now.rows.length), bar = slot > 3 ? slot * 0.82 : slot, zero = scale.at(0);
    now.rows.forEach((row, n) => {
      const size = Math.max(Math.abs(scale.at(row.gap) - zero), 1.6);
      const y = row.gap > 0 ? zero - size : row.gap < 0 ? zero : zero - 0.8;
      const mark = shape("rect", KIND[row.side], { x: left + 2 + n * slot + (slot - bar) / 2, y, width: bar, height: size });
      const text = `${row.topic}: ${signed(row.gap)}${row.question ? `\n${row.question}` : ""}`;
      // Small bars are hard to hit: the whole column answers.
      if (now.rows.length <= 1000) svg.append(tipped(shape("rect", "ad-catch", { x: left + 2 + n * slot, y: top, width: slot, height }), text));
      svg.append(tipped(mark, text, row.topic));
    });
    svg.append(shape("line", "ad-axis", { x1: left, x2: width - 4, y1: zero, y2: zero }));
    svg.append(shape("text", "ad-soft ad-small", { x: left, y: top + height + 26 }, `${now.measure.name} of ${short(now.a, 26)} − ${short(now.b, 26)}, ${count(now.rows.length, "topic")}`));
    return svg;
  };
  const points = (now) => {
    const width = 480, left = 46, top = 34, side = width - left - 14;
    const svg = canvas(width, top + side + 42, `${now.measure.name} of ${now.a} against ${now.b}`);
    let [low, high] = [Infinity, -Infinity];
    for (const row of now.rows) { low = Math.min(low, row.a, row.b); high = Math.max(high, row.a, row.b); }
    if (low >= 0 && high <= 1) [low, high] = [0, 1];
    if (!now.rows.length) [low, high] = [0, 1];
    const across = scaled(low, high, left, left + side, 6), up = scaled(low, high, top + side, top, 6);
    for (const tick of across.ticks) {
      svg.append(shape("line", "ad-grid", { x1: across.at(tick), x2: across.at(tick), y1: top, y2: top + side }));
      svg.append(shape("line", "ad-grid", { x1: left, x2: left + side, y1: up.at(tick), y2: up.at(tick) }));
      svg.append(shape("text", "ad-soft ad-small ad-middle", { x: across.at(tick), y: top + side + 15 }, across.label(tick)));
      svg.append(shape("text", "ad-soft ad-small ad-end", { x: left - 7, y: up.at(tick) + 4 }, up.label(tick)));
    }
    svg.append(shape("path", "ad-axis ad-dashed", { d: `M${left} ${top + side}L${left + side} ${top}` }));
    const places = new Map();
    for (const row of now.rows) { const key = `${row.a} ${row.b}`; places.set(key, [...(places.get(key) || []), row]); }
    for (const here of [...places.values()].sort((one, other) => other.length - one.length)) {
      const row = here[0];
      const mark = shape("circle", `${KIND[row.side]} ad-dot ad-point`, { cx: across.at(row.b), cy: up.at(row.a), r: Math.min(3.8 * here.length ** 0.4, 14) });
      const who = here.length === 1 ? row.topic + (row.question ? `: ${row.question}` : "")
        : `${here.length} topics: ${here.slice(0, 20).map((one) => one.topic).join(", ")}${here.length > 20 ? ", …" : ""}`;
      svg.append(tipped(mark, `${who}\n${short(now.a, 40)} ${figure(row.a)}, ${short(now.b, 40)} ${figure(row.b)}`, row.topic));
    }
    svg.append(shape("text", "ad-text", { x: 2, y: 14 }, `↑ ${short(now.a, 36)}`));
    svg.append(shape("text", "ad-text ad-end", { x: left + side, y: top + side + 33 }, `${short(now.b, 36)} →`));
    return svg;
  };
  const said = (parts) => parts.map((part) => (part.name === undefined ? document.createTextNode(part) : Object.assign(html("bdi", part.name, "name"))));
  const redraw = () => {
    const now = pair();
    const sides = (side) => now.rows.filter((row) => row.side === side).length;
    const [a, b] = [{ name: now.a }, { name: now.b }];
    $("pair-bars").querySelector(".canvas").replaceChildren(bars(now));
    $("pair-scatter").querySelector(".canvas").replaceChildren(points(now));
    const p = now.p === undefined ? "" : `, ${now.p < 0.0001 ? "p < 0.0001" : `p = ${Number(now.p.toPrecision(2))}`} (${now.test})`;
    $("pair-bars").querySelector(".found").replaceChildren(...said(now.rows.length
      ? [a, ` is better on ${sides(1)}, level on ${sides(0)} and worse on ${sides(-1)} of ${count(now.rows.length, "topic")} than `, b,
        `; mean difference ${signed(now.mean)}${p}.`]
      : ["The two have no value on the same topic."]));
    const words = [];
    const [first, last] = [now.rows[0], now.rows[now.rows.length - 1]];
    if (first && first.side > 0) words.push(a, " is furthest ahead of ", b, " on topic ", { name: first.topic }, ` (${figure(first.a)} against ${figure(first.b)}). `);
    if (last && last.side < 0) words.push(b, " is furthest ahead of ", a, " on topic ", { name: last.topic }, ` (${figure(last.b)} against ${figure(last.a)}). `);
    $("pair-scatter").querySelector(".found").replaceChildren(...said(words.length ? words : ["The two are level on every topic."]));
    const table = $("pair-data");
    [now.a, now.b].forEach((name, n) => table.tHead.rows[0].cells[n + 2].replaceChildren(html("bdi", short(name, 24), "name")));
    const shown = now.rows.length > 300 ? [...now.rows.slice(0, 150), ...now.rows.slice(-150)] : now.rows;
    table.tBodies[0].replaceChildren(...shown.map((row) => {
      const made = html("tr");
      const head = html("th");
      head.scope = "row";
      head.append(html("bdi", row.topic, "name"));
      const question = html("td");
      question.append(html("bdi", row.question));
      made.append(head, question, ...[figure(row.a), figure(row.b), signed(row.gap)].map((text) => html("td", text, "number")));
      return made;
    }));
  };
  if ($("pair")) {
    const refill = () => {
      const version = data.versions[$("pair-version") ? $("pair-version").value : 0];
      const names = version.systems.map((system) => [system, data.systems[system]]);
      const [a, b, m] = ["pair-a", "pair-b", "pair-measure"].map((id) => $(id).value);
      fill($("pair-a"), names, a === "" ? data.pair[0] : a);
      fill($("pair-b"), names, b === "" ? data.pair[1] : b);
      fill($("pair-measure"), version.measures.map((one, place) => [place, one.name]), m === "" ? version.main : m);
      $("pair-measure").title = version.measures[$("pair-measure").value].about;
    };
    if ($("pair-version")) fill($("pair-version"), data.versions.map((version, place) => [place, version.name]), 0);
    refill();
    $("pair").addEventListener("change", () => { refill(); redraw(); });
    $("pair").addEventListener("submit", (event) => event.preventDefault());
  }

  // What an item is worth ------------------------------------------------------------------------------------------------
  if ($("explorer")) {
    const [slider, exact] = [$("worth-slider"), $("worth-exact")];
    const studied = data.versions.map((version, place) => [place, version]).filter(([, version]) => version.study);
    if ($("worth-version")) fill($("worth-version"), studied.map(([place, version]) => [place, version.name]), studied[0][0]);
    const show = (ratio) => {
      const study = data.versions[$("worth-version") ? $("worth-version").value : studied[0][0]].study;
      const rows = study.systems.map((name, s) => ({ name, worth: ratio * study.found[s] - study.work[s], found: study.found[s], work: study.work[s] }));
      rows.sort((one, other) => other.worth - one.worth);
      const top = rows[0].worth;
      const best = rows.filter((row) => row.worth === top), rest = rows[best.length];
      const parts = [`At v/c = ${grouped(ratio)} `];
      best.slice(0, 4).forEach((row, n) => { if (n) parts.push(n === best.length - 1 ? " and " : ", "); parts.push({ name: row.name }); });
      if (best.length > 4) parts.push(` and ${best.length - 4} more`);
      parts.push(` ${best.length === 1 ? "is" : "are"} worth most: ${grouped(top)}`);
      if (rest) parts.push(`, ${grouped(top - rest.worth)} more than `, { name: rest.name });
      $("worth-best").replaceChildren(...said([...parts, "."]));
      const [low, high] = [Math.min(0, rows[rows.length - 1].worth), Math.max(0, top)];
      const part = (value) => (high > low ? (100 * (value - low)) / (high - low) : 0);
      $("worth-list").replaceChildren(...rows.map((row) => {
        const made = html("li", undefined, row.worth === top ? "top" : "");
        made.dataset.system = row.name;
        made.dataset.v = String(row.worth);
        const name = html("bdi", short(row.name, 40), "name");
        name.title = `${row.name}: ${row.found} found, ${grouped(row.work)} documents read`;
        const bar = html("span", undefined, "bar"), fillings = html("i");
        fillings.style.left = `${Math.min(part(0), part(row.worth))}%`;
        fillings.style.width = `${Math.abs(part(row.worth) - part(0))}%`;
        bar.append(fillings);
        made.append(name, bar, html("span", grouped(row.worth)));
        return made;
      }));
      slider.setAttribute("aria-valuetext", `v/c = ${grouped(ratio)}`);
    };
    const chosen = () => Math.max(0, Number(exact.value) || 0);
    slider.addEventListener("input", () => { exact.value = String(Number((10 ** Number(slider.value)).toPrecision(3))); show(chosen()); });
    exact.addEventListener("input", () => {
      const ratio = Number(exact.value);
      if (exact.value === "" || !Number.isFinite(ratio) || ratio < 0) return;
      if (ratio > 0) slider.value = String(Math.log10(ratio));
      show(ratio);
    });
    if ($("worth-version")) $("worth-version").addEventListener("change", () => show(chosen()));
    show(chosen());
  }
})();
