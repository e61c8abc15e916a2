// A card beside a link: signature, documentation and number of callers of what it leads to.
import { fetchPart, fill, root } from "./fetched.js";

const PAUSE_MS = 250;
const MAX_KEPT = 200;
const GAP = 6;

export function startCards() {
  const card = document.getElementById("card");
  const kept = new Map();
  let timer = 0;
  let current = null;

  function idsOf(link) {
    return link.dataset.ids ?? /\/go\/(\d+)$/.exec(link.getAttribute("href") ?? "")?.[1] ?? "";
  }

  function hide() {
    clearTimeout(timer);
    current?.removeAttribute("aria-describedby");
    current = null;
    card.hidden = true;
  }

  async function show(link) {
    const ids = idsOf(link);
    try {
      const html = kept.get(ids) ?? (await fetchPart(`${root}/part/card?ids=${ids}`));
      kept.set(ids, html);
      if (kept.size > MAX_KEPT) {
        kept.delete(kept.keys().next().value);
      }
      if (link !== current || !html) {
        return;
      }
      fill(card, html);
      card.hidden = false;
      link.setAttribute("aria-describedby", "card");
      const place = link.getBoundingClientRect();
      const below = place.bottom + GAP + card.offsetHeight < innerHeight;
      card.style.top = `${below ? place.bottom + GAP : Math.max(GAP, place.top - GAP - card.offsetHeight)}px`;
      card.style.left = `${Math.max(GAP, Math.min(place.left, innerWidth - card.offsetWidth - GAP))}px`;
    } catch {
      // The server went away. The link still says where it leads.
    }
  }

  function enter(event) {
    const link = event.target.closest?.("a");
    if (link === current) {
      return;
    }
    if (!event.target.closest?.("#card")) {
      hide();
    }
    if (link && idsOf(link)) {
      current = link;
      timer = setTimeout(show, PAUSE_MS, link);
    }
  }

  document.addEventListener("pointerover", enter);
  document.addEventListener("focusin", enter);
  document.addEventListener("scroll", hide, { passive: true });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
}
