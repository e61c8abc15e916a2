// Ask now and then whether the index changed. If it did, say so and show the page anew, at the same place.
import { root } from "./fetched.js";

const EVERY_MS = 2000;

export function startLive(restart) {
  const status = document.getElementById("status");

  async function refresh(stamp) {
    const main = document.getElementById("main");
    document.documentElement.dataset.stamp = stamp;
    if (main.dataset.live !== "yes") {
      status.textContent = "The index was updated. New answers use it.";
      return;
    }
    const reply = await fetch(location.href);
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    const fresh = page.getElementById("main");
    const place = scrollY;
    main.replaceChildren(...fresh.childNodes);
    restart();
    scrollTo(0, place);
    status.textContent = `The index was updated at ${new Date().toLocaleTimeString()}, and this page with it.`;
  }

  async function look() {
    try {
      if (!document.hidden) {
        const { stamp, note } = await (await fetch(`${root}/stamp`)).json();
        if (stamp !== document.documentElement.dataset.stamp) {
          await refresh(stamp);
        } else if (note && status.textContent !== note) {
          status.textContent = note;
        }
      }
    } catch {
      status.textContent = "The server has ended. Start it again with: cgi web";
    }
    setTimeout(look, EVERY_MS);
  }

  setTimeout(look, EVERY_MS);
}
