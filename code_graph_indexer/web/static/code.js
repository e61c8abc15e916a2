// The reading room: lines that the address names, lines of long files as they come near, the place where one is, and find.
import { fetchPart, fill } from "./fetched.js";

const NEAR = "1500px 0px";
const LINE = 20;

// The lines of the address, `#L10-L20` or `?at=10-20`, as first and last. No lines are NaN.
function addressed() {
  const hash = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash);
  const at = /^(\d+)(?:-(\d+))?$/.exec(new URLSearchParams(location.search).get("at") ?? "");
  const [, first, last] = hash && (hash[2] || at?.[1] !== hash[1]) ? hash : at ?? [];
  return [Number(first), Number(last ?? first)].sort((a, b) => a - b);
}

// Return a line, loaded if need be.
async function lineAt(number) {
  const gap = [...document.querySelectorAll(".gap")].findLast((room) => Number(room.dataset.first) <= number);
  if (!document.getElementById(`L${number}`) && gap) {
    await load(gap);
  }
  return document.getElementById(`L${number}`);
}

function mark([first, last]) {
  document.querySelectorAll(".line.at").forEach((line) => line.classList.remove("at"));
  for (let number = first; number <= last; number += 1) {
    document.getElementById(`L${number}`)?.classList.add("at");
  }
}

async function show(block) {
  const lines = addressed();
  const line = await lineAt(lines[0]);
  mark(lines);
  line?.scrollIntoView({ block });
}

async function load(gap) {
  const source = gap.dataset.src;
  gap.removeAttribute("data-src");
  try {
    const html = source && (await fetchPart(source));
    if (html) {
      fill(gap, html);
      gap.classList.remove("gap");
      mark(addressed());
    }
  } catch {
    // The link in the gap leads to the same lines.
    gap.dataset.src = source;
  }
}

export function startCode() {
  const code = document.querySelector(".room .code");
  if (!code) {
    return;
  }
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((seen) => seen.isIntersecting)) {
      observer.unobserve(entry.target);
      load(entry.target);
    }
  }, { rootMargin: NEAR });
  document.querySelectorAll(".gap[data-src]").forEach((gap) => observer.observe(gap));
  if (addressed()[0]) {
    // The browser has gone to a line that is there.
    document.getElementById(location.hash.slice(1)) ? mark(addressed()) : show("center");
  }
  follow(code);
  startFind();
}

// Say in the head and in the outline in which definition the top of the window is.
function follow(code) {
  const place = document.getElementById("place");
  const outline = document.getElementById("outline");
  const entries = [...outline.querySelectorAll("[data-lines]")].map((link) => [link, ...link.dataset.lines.split("-").map(Number)]);
  const head = document.querySelector(".head");
  let current = null;

  update = () => {
    waiting = false;
    const top = Math.floor((head.getBoundingClientRect().bottom - code.getBoundingClientRect().top + 1) / LINE) + 1;
    const around = entries.filter(([, first, last]) => first <= top && top <= last).map(([link]) => link);
    const inner = around.at(-1) ?? null;
    if (inner === current) {
      return;
    }
    current?.removeAttribute("aria-current");
    current = inner;
    place.replaceChildren();
    if (inner) {
      inner.setAttribute("aria-current", "location");
      outline.scrollTop += inner.getBoundingClientRect().top - outline.getBoundingClientRect().top - outline.clientHeight / 3;
      const link = inner.cloneNode();
      link.textContent = around.map((outer) => outer.title.replace(/^\S+ /, "")).join(".");
      place.append(link);
    }
  };
  update();
}

let update = () => {};
let waiting = false;
document.addEventListener("scroll", () => {
  if (!waiting) {
    waiting = true;
    requestAnimationFrame(() => update());
  }
}, { passive: true });

// Find in a file whose lines are not all here. A second Ctrl-F is the browser's own.
function startFind() {
  const form = document.getElementById("find");
  const input = form?.querySelector("input");
  let lines = [];
  let total = 0;
  let at = -1;

  async function go(step) {
    at = (at + step + lines.length) % lines.length;
    form.querySelector("output").textContent = lines.length ? `${at + 1} of ${total}` : "no match";
    const line = lines.length && (await lineAt(lines[at]));
    CSS.highlights?.delete("found");
    if (line) {
      line.scrollIntoView({ block: "center" });
      CSS.highlights?.set("found", new Highlight(...places(line, input.value.toLowerCase())));
    }
  }

  async function search() {
    const words = input.value;
    const reply = await fetch(`${form.dataset.src}?${new URLSearchParams({ q: words })}`);
    const answer = await reply.json();
    if (words === input.value) {
      ({ lines, total } = answer);
      // The first match below the top of the window.
      const top = document.querySelector(".head").getBoundingClientRect().bottom - document.querySelector(".code").getBoundingClientRect().top;
      at = Math.max(0, lines.findIndex((line) => line > top / LINE)) - 1;
      await go(1);
    }
  }

  if (!form) {
    return;
  }
  form.onsubmit = (event) => {
    event.preventDefault();
    go(1);
  };
  form.elements.up.onclick = () => go(-1);
  form.elements.end.onclick = () => {
    form.hidden = true;
    CSS.highlights?.delete("found");
  };
  input.oninput = search;
  form.onkeydown = (event) => {
    if (event.key === "Escape") {
      form.elements.end.click();
      document.querySelector(".code").focus({ preventScroll: true });
    } else if (event.key === "Enter" && event.shiftKey) {
      event.preventDefault();
      go(-1);
    }
  };
}

// Return the places of a text in a line, as ranges.
function places(line, words) {
  const walker = document.createTreeWalker(line.querySelector("code"), NodeFilter.SHOW_TEXT);
  const nodes = [];
  let text = "";
  while (walker.nextNode()) {
    nodes.push([text.length, walker.currentNode]);
    text += walker.currentNode.data;
  }
  const spans = [];
  for (let start = text.toLowerCase().indexOf(words); words && start >= 0; start = text.toLowerCase().indexOf(words, start + words.length)) {
    const range = new Range();
    for (const [side, offset] of [["setStart", start], ["setEnd", start + words.length]]) {
      const [begin, node] = nodes.findLast(([first]) => first < offset || first === 0);
      range[side](node, Math.min(offset - begin, node.length));
    }
    spans.push(range);
  }
  return spans;
}

document.addEventListener("keydown", (event) => {
  const form = document.getElementById("find");
  if (form && event.key === "f" && (event.ctrlKey || event.metaKey) && (form.hidden || !form.contains(document.activeElement))) {
    event.preventDefault();
    form.hidden = false;
    form.querySelector("input").select();
  }
});

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.('a[href^="?at="]');
  if (!link || !document.querySelector(".room .code") || event.ctrlKey || event.metaKey) {
    return;
  }
  event.preventDefault();
  const number = Number(link.hash.slice(2));
  const begun = addressed()[0];
  const lines = event.shiftKey && link.classList.contains("n") && begun ? [begun, number].sort((a, b) => a - b) : [number, number];
  const url = new URL(location);
  url.searchParams.set("at", lines[0] === lines[1] ? lines[0] : lines.join("-"));
  url.hash = `L${lines[0]}`;
  history.pushState(null, "", url);
  link.closest("[popover]:popover-open")?.hidePopover();
  if (link.classList.contains("n")) {
    mark(lines);
  } else {
    await show("start");
  }
});

addEventListener("hashchange", () => addressed()[0] && show("center"));
addEventListener("popstate", () => addressed()[0] && show("center"));
