// The search box: definitions and files while you type, then everything. Arrows choose, Enter opens, Esc closes.
import { fetchPart, fill, root } from "./fetched.js";

const PAUSE_MS = 60;
const SLOW_PAUSE_MS = 160;

export function startBox() {
  const input = document.getElementById("q");
  const panel = document.getElementById("panel");
  const first = document.getElementById("first");
  const rest = document.getElementById("rest");
  panel.setAttribute("role", "listbox");
  panel.setAttribute("aria-label", "Suggestions");
  for (const [name, value] of Object.entries({
    role: "combobox", "aria-expanded": "false", "aria-controls": "panel", "aria-autocomplete": "list",
  })) {
    input.setAttribute(name, value);
  }
  const scope = document.getElementById("scope");
  if (scope && !scope.value) {
    scope.value = sessionStorage.getItem("scope") ?? "";
    // A repository that is gone.
    scope.selectedIndex = Math.max(0, scope.selectedIndex);
  }
  scope?.addEventListener("change", () => {
    sessionStorage.setItem("scope", scope.value);
    input.dispatchEvent(new Event("input"));
    input.focus();
  });
  let timers = [];
  let control = new AbortController();

  function options() {
    return [...panel.querySelectorAll("[role=option]")];
  }

  function chosen() {
    return panel.querySelector("[aria-selected=true]");
  }

  function choose(option) {
    chosen()?.setAttribute("aria-selected", "false");
    if (option) {
      option.setAttribute("aria-selected", "true");
      option.scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", option.id);
    } else {
      input.removeAttribute("aria-activedescendant");
    }
  }

  function show(visible) {
    panel.hidden = !visible;
    input.setAttribute("aria-expanded", String(visible));
    if (!visible) {
      choose(null);
    }
  }

  function cancel() {
    timers.forEach(clearTimeout);
    control.abort();
    control = new AbortController();
  }

  async function load(place, address) {
    const signal = control.signal;
    try {
      const html = await fetchPart(`${address}?${new URLSearchParams({ q: input.value, repo: scope?.value ?? "" })}`, signal);
      if (!signal.aborted) {
        fill(place, html);
        show(true);
      }
    } catch {
      // A later letter ended this request.
    }
  }

  input.addEventListener("input", () => {
    cancel();
    if (!input.value.trim()) {
      show(false);
      return;
    }
    timers = [
      setTimeout(load, PAUSE_MS, first, `${root}/part/suggest`),
      setTimeout(load, SLOW_PAUSE_MS, rest, `${root}/part/everything`),
    ];
  });

  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const all = options();
      if (panel.hidden || !all.length) {
        return;
      }
      event.preventDefault();
      const at = all.indexOf(chosen());
      const step = event.key === "ArrowDown" ? 1 : -1;
      choose(all[(at + step + all.length + (at < 0 && step < 0 ? 1 : 0)) % all.length]);
    } else if (event.key === "Enter" && chosen() && !panel.hidden) {
      event.preventDefault();
      location.assign(chosen().href);
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (panel.hidden) {
        input.blur();
      }
      cancel();
      show(false);
    }
  });

  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest(".box")) {
      show(false);
    }
  });

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });
}
