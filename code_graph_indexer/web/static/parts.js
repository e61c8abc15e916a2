// Sections that take longer than the page are fetched after it, and times are written as the reader's own.
import { fetchPart, fill } from "./fetched.js";
import { startPicture } from "./picture.js";

export function startParts() {
  for (const section of document.querySelectorAll("[data-part]")) {
    fetchPart(section.dataset.part).then((html) => {
      if (html) {
        fill(section, html);
        startPicture(section);
      }
    }).catch(() => {});
  }
  for (const time of document.querySelectorAll("[data-time]")) {
    time.textContent = new Date(Number(time.dataset.time) * 1000).toLocaleString();
  }
}
