// Lines of a long file are loaded as they come near. Links to lines that are there only scroll.
import { fetchPart, fill } from "./fetched.js";

const NEAR = "1500px 0px";

export function startCode() {
  const gaps = document.querySelectorAll(".gap[data-src]");
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((seen) => seen.isIntersecting)) {
      observer.unobserve(entry.target);
      load(entry.target);
    }
  }, { rootMargin: NEAR });
  gaps.forEach((gap) => observer.observe(gap));
}

async function load(gap) {
  try {
    const html = await fetchPart(gap.dataset.src);
    if (html) {
      fill(gap, html);
      gap.classList.remove("gap");
      gap.removeAttribute("data-src");
    }
  } catch {
    // The link in the gap leads to the same lines.
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="?at="]');
  const line = link && document.getElementById(link.hash.slice(1));
  if (!line || !line.classList.contains("line") || event.ctrlKey || event.metaKey || event.shiftKey) {
    return;
  }
  event.preventDefault();
  history.pushState(null, "", link.href);
  document.querySelectorAll(".line.at").forEach((marked) => marked.classList.remove("at"));
  line.classList.add("at");
  line.scrollIntoView({ block: link.classList.contains("n") ? "nearest" : "start" });
});

addEventListener("popstate", () => {
  const line = document.getElementById(location.hash.slice(1));
  document.querySelectorAll(".line.at").forEach((marked) => marked.classList.remove("at"));
  line?.classList.add("at");
  line?.scrollIntoView({ block: "center" });
});
