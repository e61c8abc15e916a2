// The tree of files: a folder is loaded when it is opened, and arrow keys move in it.
import { fetchPart, fill } from "./fetched.js";

export function startTree() {
  const tree = document.getElementById("files");
  const current = tree?.querySelector("[aria-current]");
  if (current && tree.clientHeight) {
    tree.scrollTop += current.getBoundingClientRect().top - tree.getBoundingClientRect().top - tree.clientHeight / 3;
  }
}

// The event of a folder that opens does not bubble.
document.addEventListener("toggle", async (event) => {
  const folder = event.target;
  const source = folder.open && folder.dataset?.src;
  if (source) {
    folder.removeAttribute("data-src");
    const name = folder.firstElementChild;
    try {
      const html = await fetchPart(source);
      const inside = folder.contains(document.activeElement);
      fill(folder, html);
      folder.prepend(name);
      // What is replaced loses the focus, and the keys would end there.
      inside && name.focus();
    } catch {
      folder.dataset.src = source;
    }
  }
}, true);

document.addEventListener("keydown", (event) => {
  const place = event.target.closest?.("#files summary, #files a, #outline a");
  if (!place || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const all = [...place.closest(".side").querySelectorAll("summary, a")].filter((entry) => entry.checkVisibility());
  const at = all.indexOf(place);
  const folder = place.tagName === "SUMMARY" ? place.parentElement : null;
  const around = (folder ?? place).parentElement.closest("details")?.firstElementChild;
  const next = {
    ArrowDown: () => all[at + 1],
    ArrowUp: () => all[at - 1],
    Home: () => all[0],
    End: () => all.at(-1),
    ArrowRight: () => (folder && !folder.open ? place.click() : folder && all[at + 1]),
    ArrowLeft: () => (folder?.open ? place.click() : around),
  }[event.key];
  if (next) {
    event.preventDefault();
    next()?.focus();
  }
});
