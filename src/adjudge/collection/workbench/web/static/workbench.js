// Everything works without this script: buttons are forms. With it decisions are sent without leaving the page, keys
// press buttons, and a cursor (the focus) goes from decision to decision.
"use strict";
(() => {
  const TRIES = 6;
  const page = () => document.getElementById("page");
  let troubled = false;
  const say = (text, again) => {
    const place = document.getElementById("say");
    place.textContent = text;
    if (again) {
      const button = document.createElement("button");
      button.textContent = "Try again";
      button.addEventListener("click", () => { say("Trying again…"); work(); });
      place.append(" ", button);
    }
  };
  const items = () => [...document.querySelectorAll(".item[data-order]")]
    .filter((one) => one.id !== "note").sort((a, b) => a.dataset.order - b.dataset.order);
  const current = () => document.activeElement && document.activeElement.closest(".item[data-order]");
  const typing = (target) => target.matches("input:not([type=hidden]), textarea, select");

  const go = (item) => {
    if (!item) return;
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  };
  const firstOpen = () => items().find((one) => one.dataset.open) || document.querySelector(".closing button.main:not([aria-disabled])");
  const step = (by) => {
    const all = items(), at = all.indexOf(current());
    go(at < 0 ? firstOpen() || all[0] : all[Math.max(0, Math.min(all.length - 1, at + by))]);
    return at < 0 || at + by in all;
  };

  // What need not be decided is passed over when the cursor goes on by itself.
  const forward = () => {
    const all = items().filter((one) => one.id !== "confirmed"), at = all.indexOf(current());
    if (at < 0 || !(at + 1 in all)) return false;
    go(all[at + 1]);
    return true;
  };

  // Decisions wait for each other: the page is drawn anew when the last one has been kept.
  // Where the next key means something on the new page only, keys wait too.
  const queue = [], waiting = [];
  let busy = false, held = false, onward = false;

  const show = (text, address) => {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const made = fresh.getElementById("page");
    if (!made) return;
    const before = current() && current().id, wasNote = document.activeElement && document.activeElement.id === "note-text";
    const same = made.dataset.thread === page().dataset.thread && made.dataset.here === page().dataset.here;
    const aside = document.querySelector(".deciding"), scrolled = aside ? aside.scrollTop : 0;
    const note = document.getElementById("note-text"), unsaved = note && note.value !== note.defaultValue;
    page().replaceWith(document.adoptNode(made));
    if (same && unsaved && document.getElementById("note-text")) {
      const fresher = document.getElementById("note-text");
      if (fresher.value !== note.value) {  // what is being written is not lost because a decision was kept meanwhile
        fresher.value = note.value;
        if (wasNote) { fresher.focus(); fresher.setSelectionRange(note.selectionStart, note.selectionEnd); }
      }
    }
    document.title = fresh.title;
    if (address && address !== location.href) history.pushState(null, "", address);
    if (same) {
      if (document.querySelector(".deciding")) document.querySelector(".deciding").scrollTop = scrolled;
      const item = before && document.getElementById(before);
      if (wasNote) document.getElementById("note-text").focus();
      else go(onward ? firstOpen() : item || firstOpen());
      onward = false;
    } else {
      arrive();
    }
  };

  // A new thread is read from its beginning; the cursor waits at the first decision.
  const arrive = () => {
    (firstOpen() || document.getElementById("main")).focus({ preventScroll: true });
    scrollTo(0, 0);
  };

  const pause = (seconds) => new Promise((done) => { setTimeout(done, 1000 * seconds); });
  const send = async (action, body) => {
    for (let n = 1; ; n += 1) {
      try {
        if (body.has("seen") && body.get("thread") === page().dataset.thread) body.set("seen", page().dataset.seen);
        const answer = await fetch(action, { method: "POST", body, credentials: "same-origin" });
        if (![429, 503].includes(answer.status) || n >= TRIES) return answer;
        await pause(Number(answer.headers.get("retry-after")) || 1);
      } catch {
        if (n >= TRIES) return null;
        troubled = true;
        say("The workbench does not answer: trying again…");
        await pause(n);
      }
    }
  };

  // After a restart of the workbench its forms are new: what waits is sent with the new token, by the same person only.
  const person = (from) => from.querySelector(".who")?.textContent;
  const renew = async () => {
    try {
      const answer = await fetch(location.href, { credentials: "same-origin" });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const token = fresh.querySelector("#page form [name=csrf]")?.value;
      if (!answer.ok || !token || person(fresh) !== person(document)) return "held";
      if (token === queue[0].body.get("csrf")) return "refused";
      queue.forEach(({ body }) => body.set("csrf", token));
      document.querySelectorAll("[name=csrf]").forEach((one) => { one.value = token; });
      return "renewed";
    } catch {
      return "held";
    }
  };

  const work = async () => {
    if (busy) return;
    busy = true;
    document.body.dataset.busy = "1";
    let last = null, problem = "";
    let again = false;
    while (queue.length) {
      const { action, body } = queue[0];
      const answer = await send(action, body);
      if (!answer || [429, 503].includes(answer.status)) {  // what was decided waits, and is sent again by a click or a decision
        const why = answer ? new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("problem") : null;
        problem = `Not saved yet: ${why ? why.textContent : "the workbench does not answer. Nothing that was saved before is lost."}`;
        again = true;
        break;
      }
      const way = [401, 403].includes(answer.status) ? await renew() : "";
      if (way === "renewed") continue;
      if (way === "held") {
        problem = "Not saved yet: the session has ended. Sign in again in another tab, as the same person.";
        again = true;
        break;
      }
      queue.shift();
      const text = await answer.text();
      const fresh = new DOMParser().parseFromString(text, "text/html");
      if (!answer.ok) {
        const why = fresh.getElementById("problem");
        problem = `Not saved: ${why ? why.textContent : text.slice(0, 200) || answer.status}`;
        queue.length = 0;
        break;
      }
      const made = fresh.getElementById("page");
      if (made && made.dataset.seen && made.dataset.thread === page().dataset.thread) page().dataset.seen = made.dataset.seen;
      last = [text, answer.url];
    }
    busy = false;
    if (problem) {
      if (!again) await reload();
      troubled = true;
      say(problem, again);
    } else if (last) {
      if (troubled) say("");
      troubled = false;
      show(...last);
    }
    held = false;
    const keys = waiting.splice(0);
    if (!problem) keys.forEach(pressed);
    if (!busy) delete document.body.dataset.busy;
  };

  const reload = async () => {
    try {
      const answer = await fetch(location.href, { credentials: "same-origin" });
      if (answer.ok) show(await answer.text(), null);
    } catch { /* said already */ }
  };

  const press = (button) => {
    const form = button.form, body = new URLSearchParams(new FormData(form));
    const action = button.getAttribute("formaction") || form.getAttribute("action");
    if (button.name) body.set(button.name, button.value);
    body.set("key", self.crypto.getRandomValues(new Uint32Array(4)).join("-"));
    const group = button.closest(".choices"), item = button.closest(".item");
    if (group && !group.classList.contains("also")) {
      group.querySelectorAll("button").forEach((one) => one.setAttribute("aria-pressed", String(one === button)));
    }
    if (item) item.classList.add("pending");
    queue.push({ action, body });
    work();
    return item;
  };

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (event.target.method !== "post" || !page().dataset.thread || !button || button.closest(".banner, .bar")) return;
    event.preventDefault();
    if (button.getAttribute("aria-disabled")) unfinished();
    else press(button);
  });

  // A key on a decision presses its button and goes on, unless the document asks for more.
  const decide = (key) => {
    const item = current();
    const button = item && [...item.querySelectorAll("button[data-key]")].find((one) => one.dataset.key === key);
    if (!button || button.disabled) return false;
    press(button);
    item.dataset.open = "";
    if (key === "w" || key.startsWith("shift+")) { held = true; return true; }
    const judging = item.classList.contains("judgment") && ["t", "p"].includes(key) && !item.querySelector("[aria-pressed=true][value=direct], [aria-pressed=true][value=indirect]");
    const rejecting = key === "n" && item.id !== "note";
    if (judging) held = true;
    else if (!rejecting && !forward()) onward = true;
    return true;
  };

  // A sentence is cut before a word: the words are buttons, and arrows go from one to the next.
  const cutting = () => {
    const mend = current() && current().querySelector("details.mend");
    if (!mend) return false;
    mend.open = true;
    (mend.querySelector(".cuts button") || mend.querySelector("button") || mend).focus();
    return true;
  };
  const among = (button, by) => {
    const all = [...button.closest(".cuts").querySelectorAll("button")];
    const other = all[all.indexOf(button) + by];
    if (other) other.focus();
  };

  // A key that means something elsewhere says so.
  const MEANINGS = { y: "criterion", n: "criterion", b: "sentence", x: "sentence", c: "sentence", w: "sentence", t: "document", p: "document", o: "document", d: "document", i: "document" };
  const explain = (key) => {
    const item = current(), kind = item && item.dataset.kind;
    const bare = key.replace("shift+", ""), digit = /^[1-9]$/.test(bare);
    const meant = digit ? "sentence" : MEANINGS[key];
    if (!meant) return false;
    if (digit && kind === "sentence") {
      const offered = [...item.querySelectorAll(".choices:not(.also) button[data-key]")].map((one) => one.dataset.key).filter((one) => one > "0" && one <= "9");
      say(offered.includes(bare) ? `The sentence asks for micro-topic ${bare} alone: b or x if it asks nothing.` : `There is no micro-topic ${bare} yet: the next free number is ${offered[offered.length - 1]}.`);
    } else if (kind === meant) {
      say("di".includes(key) ? "First say how total the document is: t or p." : key === "w" ? "No sentence stands before this one." : `${key} means nothing here.`);
    } else {
      say(`${key} is for a ${meant}: j and k go from decision to decision, g to the first that is open.`);
    }
    return true;
  };

  const plain = {
    j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
    g: () => go(firstOpen()),
    m: () => document.getElementById("note-text").focus(),
    c: () => cutting() || explain("c"),
  };

  const pressed = (key) => {
    if (held || (busy && "gfl".includes(key))) { waiting.push(key); return true; }
    if (decide(key)) return true;
    if (plain[key]) { plain[key](); return true; }
    const outer = [...document.querySelectorAll(".closing [data-key], .banner [data-key]")].find((one) => one.dataset.key === key && !one.disabled);
    if (!outer) return explain(key) || (key === "u" && (say("There is nothing to undo here."), true));
    if (outer.tagName === "A") { outer.click(); return true; }
    if (outer.getAttribute("aria-disabled")) { unfinished(); return true; }
    press(outer);
    held = true;
    if (key === "a") onward = true;  // what was proposed is decided: the next key is about what is open
    return true;
  };

  const unfinished = () => {
    const open = document.querySelector(".to-go a.jump");
    say(open ? `Not finished: still open is ${open.textContent}.` : "Not finished yet.");
    if (open) go(document.getElementById(open.getAttribute("href").slice(1)));
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
    if (typing(event.target)) {
      if (event.key === "Escape" && event.target.id === "note-text") {
        event.preventDefault();
        const note = event.target;
        if (note.value !== note.defaultValue) press(document.getElementById("note-save"));
        note.blur();
        go(firstOpen());
      }
      return;
    }
    if (event.key === "?") {
      event.preventDefault();
      openHelp();
      return;
    }
    if (!page().dataset.thread) return;
    if (event.repeat && !plain[event.key]) return;
    const word = event.target.closest(".cuts button");
    if (word && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
      event.preventDefault();
      among(word, event.key === "ArrowLeft" ? -1 : 1);
      return;
    }
    if (event.key === "Escape" && event.target.closest("details.mend")) {
      const item = current();
      event.target.closest("details.mend").open = false;
      item.focus();
      return;
    }
    const digit = event.shiftKey && /^Digit[1-9]$/.test(event.code);
    if (!digit && event.shiftKey && event.key.length === 1 && /[a-z]/i.test(event.key)) return;
    say("");
    if (pressed(digit ? `shift+${event.code.slice(5)}` : event.key)) event.preventDefault();
  });

  const openHelp = () => { const help = document.getElementById("help"); if (help && !help.open) help.showModal(); };
  document.addEventListener("click", (event) => {
    if (event.target.closest("#help-link")) { event.preventDefault(); openHelp(); return; }
    const jump = event.target.closest("a.jump");
    if (jump) { event.preventDefault(); go(document.getElementById(jump.getAttribute("href").slice(1))); }
  });
  addEventListener("popstate", () => location.reload());
  addEventListener("beforeunload", (event) => {
    const note = document.getElementById("note-text");
    if (busy || queue.length || (note && note.value !== note.defaultValue)) event.preventDefault();
  });

  if (page().dataset.thread && !location.hash) arrive();
})();
