// Everything works without this script: buttons are forms. With it keys press buttons, and texts are searched.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const say = (text) => { byId("say").textContent = text; };
  const typing = (target) => target.matches("input:not([type=hidden]), textarea, select");
  const judging = () => byId("page").dataset.pair === "1";
  let sent = false;

  // Where the words are: those of the topic are marked by the server, those that are searched for are found here.
  let places = [], at = -1;
  const marks = () => [...document.querySelectorAll("#text mark")].map((mark) => {
    const range = document.createRange();
    range.selectNodeContents(mark);
    return range;
  });
  const search = (words) => {
    const text = byId("text");
    places = [];
    at = -1;
    if (!text) return;
    if (words) {
      // A drawn formula is one piece of text, its symbols.
      const taken = (node) => node.matches?.(".formula") ? NodeFilter.FILTER_ACCEPT
        : node.parentElement.closest(".formula") ? NodeFilter.FILTER_REJECT
          : node.nodeType === 1 ? NodeFilter.FILTER_SKIP : NodeFilter.FILTER_ACCEPT;
      const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, taken), nodes = [];
      let whole = "";
      while (walk.nextNode()) {
        const node = walk.currentNode;
        nodes.push([whole.length, node]);
        whole += node.nodeType === 1 ? node.dataset.symbols : node.data;
      }
      const spot = (place) => {
        let low = 0, high = nodes.length - 1;
        while (low < high) {
          const middle = (low + high + 1) >> 1;
          if (nodes[middle][0] <= place) low = middle; else high = middle - 1;
        }
        return [nodes[low][1], place - nodes[low][0]];
      };
      const wanted = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"), "giu");
      for (const match of whole.matchAll(wanted)) {
        const range = document.createRange(), [last, end] = spot(match.index + match[0].length - 1);
        const [first, start] = spot(match.index);
        if (first.nodeType === 1) range.setStartBefore(first); else range.setStart(first, start);
        if (last.nodeType === 1) range.setEndAfter(last); else range.setEnd(last, end + 1);
        places.push(range);
      }
    }
    if (self.Highlight && CSS.highlights) CSS.highlights.set("search", new Highlight(...places));
    byId("hits").textContent = words ? `${places.length} found` : "";
  };
  const step = (by) => {
    const all = places.length ? places : marks();
    if (!all.length) { say("No word of the topic is in the text."); return; }
    at = (at + by + all.length) % all.length;
    document.querySelectorAll("mark.at").forEach((mark) => mark.classList.remove("at"));
    const parent = all[at].commonAncestorContainer, one = parent.nodeType === 1 ? parent : parent.parentElement;
    if (one.tagName === "MARK") one.classList.add("at");
    scrollBy(0, all[at].getBoundingClientRect().top - innerHeight / 3);
  };

  // What is selected, drawn formulas as the symbols that the text has in their places.
  const selected = () => {
    const chosen = getSelection(), drawn = [...document.querySelectorAll("#text .formula")];
    if (!chosen.rangeCount || !drawn.some((one) => chosen.containsNode(one, true))) return chosen.toString();
    const range = chosen.getRangeAt(0).cloneRange();
    const around = (node) => (node.nodeType === 1 ? node : node.parentElement).closest(".formula");
    const [first, last] = [around(range.startContainer), around(range.endContainer)];
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
    const part = range.cloneContents();
    part.querySelectorAll(".formula").forEach((one) => one.replaceWith(one.dataset.symbols));
    return part.textContent;
  };

  const evidence = () => {
    const chosen = selected().trim(), place = byId("evidence-text");
    if (!chosen || !place) { say("Select a text of the document first."); return; }
    place.value = (place.value.trim() ? `${place.value.trim()}\n` : "") + chosen.slice(0, 5000);
    say("Evidence: kept with the grade.");
  };

  const press = (key) => {
    const button = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key && !one.disabled);
    if (!button) return false;
    if (button.tagName === "A") { button.click(); return true; }
    if (!sent) button.form.requestSubmit(button);
    return true;
  };

  const openHelp = () => { const help = byId("help"); if (help && !help.open) help.showModal(); };
  const plain = {
    j: () => scrollBy(0, innerHeight * 0.8), k: () => scrollBy(0, -innerHeight * 0.8),
    n: () => step(1), p: () => step(-1), e: evidence,
    m: () => byId("note-text").focus(),
    "/": () => byId("find").focus(),
    t: () => { location.href = "/"; },
  };

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "judging") return;
    if (sent) event.preventDefault();
    sent = true;  // a key that is held down judges one document and not the next one too
  });
  addEventListener("pageshow", () => { sent = false; });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
    if (typing(event.target)) {
      if (event.target.id === "find" && event.key === "Enter") { event.preventDefault(); step(1); }
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "?") { event.preventDefault(); openHelp(); return; }
    if (event.shiftKey && event.key !== "/") return;
    if (event.repeat && !"jknp".includes(event.key)) return;
    if (judging() && plain[event.key]) { event.preventDefault(); say(""); plain[event.key](); return; }
    if (press(event.key)) event.preventDefault();
    else if (judging() && event.key === "u") say("There is nothing to undo.");
    else if (judging() && /^[0-9]$/.test(event.key)) say(`${event.key} is no grade of this project.`);
  });
  document.addEventListener("input", (event) => { if (event.target.id === "find") search(event.target.value.trim()); });
  document.addEventListener("click", (event) => {
    if (event.target.closest("#help-link")) { event.preventDefault(); openHelp(); }
  });
})();
