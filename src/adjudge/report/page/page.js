"use strict";
// What a reader can do on the page. Text from the data is set as text, never as mark-up.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  for (const { measures } of data.versions || []) { // a number stands for the values of that measure, which are the same
    for (const measure of measures) if (typeof measure.values === "number") measure.values = measures[measure.values].values;
  }
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
  const stored = { get: () => { try { return localStorage.getItem("adjudge-theme"); } catch { return null; } },
    set: (value) => { try { localStorage.setItem("adjudge-theme", value); } catch { /* a page that may keep nothing */ } } };
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const nameTheme = () => {
    $("theme").textContent = isDark() ? "Light" : "Dark";
    $("theme").setAttribute("aria-pressed", String(isDark()));
    $("theme").setAttribute("aria-label", isDark() ? "Switch to light colours" : "Switch to dark colours");
  };
  if (["dark", "light"].includes(stored.get())) root.dataset.theme = stored.get();
  $("theme").addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; stored.set(root.dataset.theme); nameTheme(); });
  dark.addEventListener("change", nameTheme);
  nameTheme();

  // Where on the page we are -----------------------------------------------------------------------------------------
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const watch = new IntersectionObserver((seen) => {
    for (const one of seen) links.get(one.target.id)?.classList.toggle("here", one.isIntersecting);
  }, { rootMargin: "-20% 0px -70% 0px" });
  document.querySelectorAll("main > section, main > header").forEach((section) => watch.observe(section));

  // Tips: the titles of marks, at once and larger than browsers show them ----------------------------------------------
  for (const figure of document.querySelectorAll("figure.both")) { // those of the narrow chart are empty where they are the same
    const [wide, narrow] = [".wide", ".narrow"].map((kind) => [...figure.querySelectorAll(`:scope > .canvas${kind} title`)]);
    narrow.forEach((title, n) => { if (!title.textContent) title.textContent = wide[n].textContent; });
  }
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

  // What is chosen stands in the address, so that it can be sent to somebody ------------------------------------------------
  const CHOICE = "#compare?";
  const chosen = () => new URLSearchParams(location.hash.startsWith(CHOICE) ? location.hash.slice(CHOICE.length) : "");
  const remember = (choices) => {
    const all = chosen();
    for (const [key, value] of Object.entries(choices)) { if (value === undefined) all.delete(key); else all.set(key, value); }
    try { history.replaceState(null, "", CHOICE + all.toString()); } catch { /* a page without an address */ }
  };
  const indexOf = (names, name) => { const at = name === null ? -1 : names.indexOf(name); return at < 0 ? undefined : at; };

  // Two systems ---------------------------------------------------------------------------------------------------------
  const kinds = (now) => (now.slots[0] && now.slots[1] && now.slots[0] !== now.slots[1]
    ? { "1": `ad-won ad-f${now.slots[0]}`, "0": "ad-level", "-1": `ad-lost ad-f${now.slots[1]}` }
    : { "1": "ad-won", "0": "ad-level", "-1": "ad-lost" });
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
    const turned = tested && tested[0] !== a ? -1 : 1;
    return { a: data.systems[a], b: data.systems[b], slots: [data.colours[a], data.colours[b]], measure, rows, way, mean, version,
      p: tested && tested[2], raw: tested && tested[3], effect: tested && tested[4] !== null ? turned * tested[4] : undefined };
  };
  const bars = (now, width) => {
    const narrow = width < 520, top = narrow ? 70 : 34, height = 230, left = 44, KIND = kinds(now);
    const svg = canvas(width, top + height + 40, `${now.measure.name} of ${now.a} minus ${now.b}, topic by topic`);
    const counts = { "1": `${short(now.a, 32)} better`, "0": "ties", "-1": `${short(now.b, 32)} better` };
    let x = 2, line = 4;
    for (const side of ["1", "0", "-1"]) {
      const text = `${counts[side]}: ${now.rows.filter((row) => String(row.side) === side).length}`;
      svg.append(shape("rect", KIND[side], { x, y: line, width: 11, height: 11 }), shape("text", "ad-text", { x: x + 17, y: line + 10 }, text));
      if (narrow) line += 18; else x += 35 + text.length * 6.6;
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
    svg.append(shape("text", "ad-soft ad-small", { x: left, y: top + height + 26 }, `${short(now.measure.name, narrow ? 20 : 60)} of ${short(now.a, narrow ? 12 : 26)} − ${short(now.b, narrow ? 12 : 26)}, ${count(now.rows.length, "topic")}`));
    return svg;
  };
  const points = (now, width) => {
    const left = 46, top = 34, side = width - left - 14, KIND = kinds(now);
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
  const pieces = (parts) => parts.map((part) => (part.name === undefined ? document.createTextNode(part) : Object.assign(html("bdi", part.name, "name"))));
  const redraw = () => {
    const now = pair();
    const sides = (side) => now.rows.filter((row) => row.side === side).length;
    const [a, b] = [{ name: now.a }, { name: now.b }];
    for (const [id, draw, widths] of [["pair-bars", bars, [1040, 360]], ["pair-scatter", points, [560, 360]]]) {
      [".canvas.wide", ".canvas.narrow"].forEach((canvas, n) => $(id).querySelector(canvas)?.replaceChildren(draw(now, widths[n])));
    }
    const chance = (p) => (p < 0.0001 ? "p < 0.0001" : `p = ${Number(p.toPrecision(2))}`);
    const { test, correction, compared } = now.version;
    let p = "";
    if (now.p !== undefined) {
      p = correction === "none" || compared === 1 ? `, ${chance(now.p)} (${test})`
        : `, ${chance(now.raw)} before and ${chance(now.p)} after correction for ${count(compared, "pair")} (${test}, ${correction})`;
      if (now.effect !== undefined) p += `; effect size d = ${(now.effect > 0 ? "+" : "") + minus(now.effect.toFixed(2)).replace("−0.00", "0.00")}`;
    }
    $("pair-bars").querySelector(".found").replaceChildren(...pieces(now.rows.length
      ? [a, " is better than ", b, ` on ${grouped(sides(1))} of ${count(now.rows.length, "topic")}, ties on ${grouped(sides(0))} and is worse on `,
        `${grouped(sides(-1))}; the mean difference is ${signed(now.mean)}${p}.`]
      : ["The two systems have no value on the same topic."]));
    const words = [];
    const [first, last] = [now.rows[0], now.rows[now.rows.length - 1]];
    if (first && first.side > 0) words.push(a, " is furthest ahead of ", b, " on topic ", { name: first.topic }, ` (${figure(first.a)} against ${figure(first.b)}). `);
    if (last && last.side < 0) words.push(b, " is furthest ahead of ", a, " on topic ", { name: last.topic }, ` (${figure(last.b)} against ${figure(last.a)}). `);
    $("pair-scatter").querySelector(".found").replaceChildren(...pieces(words.length ? words : ["The two systems tie on every topic."]));
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
    if ($("pair-version")) fill($("pair-version"), data.versions.map((version, place) => [place, version.label]), 0);
    refill();
    const note = () => {
      const version = data.versions[$("pair-version") ? $("pair-version").value : 0];
      remember({ a: data.systems[$("pair-a").value], b: data.systems[$("pair-b").value], on: version.measures[$("pair-measure").value].name,
        version: data.versions.length > 1 ? version.name : undefined });
    };
    const restore = () => {
      const asked = chosen(), version = indexOf(data.versions.map((one) => one.name), asked.get("version"));
      if (version !== undefined && $("pair-version")) { $("pair-version").value = String(version); refill(); }
      const measures = data.versions[version ?? 0].measures.map((one) => one.name);
      for (const [id, at] of [["pair-a", indexOf(data.systems, asked.get("a"))], ["pair-b", indexOf(data.systems, asked.get("b"))],
        ["pair-measure", indexOf(measures, asked.get("on"))]]) {
        if (at !== undefined && [...$(id).options].some((option) => option.value === String(at))) $(id).value = String(at);
      }
      refill();
      redraw();
      if (!asked.has("topic")) $("topics").scrollIntoView();
    };
    $("pair").addEventListener("change", () => { refill(); redraw(); note(); });
    $("pair").addEventListener("submit", (event) => event.preventDefault());
    if (chosen().has("a")) restore();
    addEventListener("hashchange", () => { if (chosen().has("a")) restore(); });
  }

  // Ranked lists of a topic side by side -------------------------------------------------------------------------------------
  if ($("lists-form")) {
    const place = () => ($("lists-version") ? Number($("lists-version").value) : 0);
    const gradeOf = (topic, document) => (data.grades[topic] || {})[document];
    const badge = (grade) => {
      const good = grade !== undefined && grade >= data.level;
      const text = grade === undefined ? "unjudged" : (good ? "relevant" : "not relevant") + (data.graded ? ` (${grade})` : "");
      return html("span", text, `grade ${grade === undefined ? "none" : good ? "hit" : "miss"}`);
    };
    const column = (topic, system, own, other) => {
      const box = html("div"), head = html("h4"), list = html("ol", undefined, "ranked");
      head.append(html("bdi", data.systems[system], "name"));
      for (const number of own) {
        const [id, title, words] = data.documents[number], item = html("li"), rank = other.indexOf(number) + 1;
        item.append(badge(gradeOf(topic, number)), " ", html("bdi", id, "name"));
        if (title) item.append(" ", html("bdi", title, "title"));
        if (words) item.append(" ", html("bdi", words, "extract"));
        if (rank) item.append(" ", html("span", `rank ${rank} beside`, "also"));
        list.append(item);
      }
      const nothing = html("p");
      nothing.append(html("em", "nothing retrieved"));
      box.append(head, own.length ? list : nothing);
      return box;
    };
    const showLists = () => {
      const version = data.versions[place()], topic = Number($("lists-topic").value);
      const systems = [$("lists-a"), $("lists-b")].filter(Boolean).map((select) => Number(select.value));
      const names = [...new Set(systems)];
      const lists = names.map((system) => version.lists[topic][version.systems.indexOf(system)]);
      const head = html("h3");
      head.append(html("bdi", data.topics[topic], "name"), " ", html("bdi", data.questions[topic], "question"));
      const parts = [head];
      if (names.length === 2) {
        const shared = lists[0].filter((number) => lists[1].includes(number)).length, text = html("p", undefined, "found");
        text.append(...pieces(["On topic ", { name: data.topics[topic] }, ", ", { name: data.systems[names[0]] }, " and ", { name: data.systems[names[1]] },
          ` have ${shared ? count(shared, "document") : "no document"} in common among their first 10.`]));
        parts.push(text);
      }
      const beside = html("div", undefined, "beside");
      beside.append(...names.map((system, n) => column(topic, system, lists[n], names.length === 2 ? lists[1 - n] : [])));
      $("lists-shown").replaceChildren(...parts, beside);
    };
    const refillLists = (topic, a, b) => {
      const version = data.versions[place()], topics = Object.keys(version.lists).map(Number).sort((x, y) => x - y);
      const names = version.systems.map((system) => [system, data.systems[system]]);
      fill($("lists-topic"), topics.map((t) => [t, data.topics[t] + (data.questions[t] ? `: ${data.questions[t]}` : "")]), topic);
      fill($("lists-a"), names, a);
      if ($("lists-b")) fill($("lists-b"), names, b);
    };
    const withLists = data.versions.map((version, at) => [at, version.label]).filter(([at]) => Object.keys(data.versions[at].lists).length);
    if ($("lists-version")) fill($("lists-version"), withLists, withLists[0][0]);
    const start = indexOf(data.topics, $("lists-shown").querySelector("h3 .name").textContent);
    refillLists(start, data.pair[0] ?? 0, data.pair[1] ?? 0);
    const restoreLists = () => {
      const asked = chosen(), version = indexOf(data.versions.map((one) => one.name), asked.get("version"));
      if (version !== undefined && $("lists-version")) $("lists-version").value = String(version);
      refillLists(indexOf(data.topics, asked.get("topic")), indexOf(data.systems, asked.get("a")), indexOf(data.systems, asked.get("b")));
      showLists();
      $("lists").scrollIntoView();
    };
    $("lists-form").addEventListener("change", () => {
      refillLists($("lists-topic").value, $("lists-a").value, $("lists-b") ? $("lists-b").value : undefined);
      showLists();
      remember({ a: data.systems[$("lists-a").value], b: $("lists-b") ? data.systems[$("lists-b").value] : undefined, topic: data.topics[$("lists-topic").value],
        version: data.versions.length > 1 ? data.versions[place()].name : undefined });
    });
    $("lists-form").addEventListener("submit", (event) => event.preventDefault());
    if (chosen().has("topic")) restoreLists();
    addEventListener("hashchange", () => { if (chosen().has("topic")) restoreLists(); });
  }

  // Charts as files ------------------------------------------------------------------------------------------------------------
  const styled = (svg) => {
    const copy = svg.cloneNode(true), box = svg.viewBox.baseVal, paper = getComputedStyle(document.body).backgroundColor;
    copy.setAttribute("xmlns", SVG);
    copy.setAttribute("width", box.width);
    copy.setAttribute("height", box.height);
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule.selectorText && rule.selectorText.startsWith(".ad-")).map((rule) => rule.cssText).join("\n");
    const values = getComputedStyle(root);
    const sheet = shape("style", "", {}, rules.replace(/var\((--[\w-]+)\)/g, (_, name) => values.getPropertyValue(name).trim()));
    copy.prepend(sheet, shape("rect", "", { width: box.width, height: box.height, fill: paper }));
    return new XMLSerializer().serializeToString(copy);
  };
  const offer = (name, blob) => {
    const link = html("a"), address = URL.createObjectURL(blob);
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };
  const drawing = (figure) => [...figure.querySelectorAll(":scope > .canvas svg")].find((svg) => svg.getBoundingClientRect().width > 0);
  document.querySelectorAll("figure.plot").forEach((figure) => {
    const bar = html("div", undefined, "save");
    const name = figure.dataset.name || "figure";
    const add = (kind, save) => {
      const button = html("button", kind);
      button.type = "button";
      button.title = `Save this chart as ${kind}`;
      button.setAttribute("aria-label", button.title);
      button.addEventListener("click", () => { const svg = drawing(figure); if (svg) save(svg); });
      bar.append(button);
    };
    add("SVG", (svg) => offer(`${name}.svg`, new Blob([styled(svg)], { type: "image/svg+xml" })));
    add("PNG", (svg) => {
      const picture = new Image(), box = svg.viewBox.baseVal;
      picture.addEventListener("load", () => {
        const pixels = html("canvas");
        [pixels.width, pixels.height] = [2 * box.width, 2 * box.height];
        pixels.getContext("2d").drawImage(picture, 0, 0, pixels.width, pixels.height);
        pixels.toBlob((blob) => { if (blob) offer(`${name}.png`, blob); });
      });
      picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(styled(svg))}`;
    });
    if (figure.querySelector(":scope > .canvas")) figure.prepend(bar);
  });

  // What an item is worth ------------------------------------------------------------------------------------------------
  if ($("explorer")) {
    const [slider, exact] = [$("worth-slider"), $("worth-exact")];
    const studied = data.versions.map((version, place) => [place, version]).filter(([, version]) => version.study);
    if ($("worth-version")) fill($("worth-version"), studied.map(([place, version]) => [place, version.label]), studied[0][0]);
    const show = (ratio) => {
      const study = data.versions[$("worth-version") ? $("worth-version").value : studied[0][0]].study;
      const rows = study.systems.map((name, s) => ({ name, worth: ratio * study.found[s] - study.work[s], found: study.found[s], work: study.work[s] }));
      rows.sort((one, other) => other.worth - one.worth);
      const top = rows[0].worth;
      const best = rows.filter((row) => row.worth === top), rest = rows[best.length];
      const parts = [`At v/c = ${grouped(ratio)}, `];
      best.slice(0, 4).forEach((row, n) => { if (n) parts.push(n === best.length - 1 ? " and " : ", "); parts.push({ name: row.name }); });
      if (best.length > 4) parts.push(` and ${best.length - 4} more`);
      parts.push(` ${best.length === 1 ? "has" : "have"} the highest value, ${grouped(top)}`);
      if (rest) parts.push(`, ${grouped(top - rest.worth)} more than `, { name: rest.name });
      $("worth-best").replaceChildren(...pieces([...parts, "."]));
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
    const ratioOf = () => Math.max(0, Number(exact.value) || 0);
    slider.addEventListener("input", () => { exact.value = String(Number((10 ** Number(slider.value)).toPrecision(3))); show(ratioOf()); });
    exact.addEventListener("input", () => {
      const ratio = Number(exact.value);
      if (exact.value === "" || !Number.isFinite(ratio) || ratio < 0) return;
      if (ratio > 0) slider.value = String(Math.log10(ratio));
      show(ratio);
    });
    if ($("worth-version")) $("worth-version").addEventListener("change", () => show(ratioOf()));
    show(ratioOf());
  }
})();
