// Questions: the answer is shown while it is written, and a citation opens the code beside it.
import { fetchPart, fill, root } from "./fetched.js";

export function startTalk() {
  const form = document.getElementById("ask");
  if (!form) {
    return;
  }
  const talk = document.getElementById("talk");
  const question = document.getElementById("question");
  const beside = document.getElementById("beside");

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const asked = new FormData(form);
    if (!asked.get("q").trim()) {
      return;
    }
    question.value = "";
    form.elements.expect.value = "";
    const article = document.createElement("article");
    const head = document.createElement("h2");
    head.textContent = asked.get("q");
    const text = document.createElement("div");
    text.className = "streaming";
    text.textContent = "…";
    article.append(head, text);
    article.setAttribute("aria-busy", "true");
    talk.append(article);
    try {
      await answer(new URLSearchParams(asked), text, article);
    } catch {
      text.textContent = "The server has ended. Start it again with: cgi web";
    }
    article.setAttribute("aria-busy", "false");
  });

  async function answer(body, text, article) {
    const reply = await fetch(`${root}/ask/stream`, { method: "POST", body });
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    let pending = "";
    let written = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pending += piece.value;
      const lines = pending.split("\n");
      pending = lines.pop();
      for (const line of lines) {
        const part = JSON.parse(line);
        if (part.text) {
          written += part.text;
          text.textContent = written;
        } else if (part.error) {
          text.textContent = part.error;
          text.className = "hole";
          text.setAttribute("role", "alert");
        } else if (part.html) {
          fill(article, part.html);
          form.elements.talk.value = part.talk;
          history.replaceState(null, "", `${root}/ask/${part.talk}?${new URLSearchParams({ q: body.get("q") })}`);
        }
      }
    }
  }

  question.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      form.requestSubmit();
    }
  });

  talk.addEventListener("click", async (event) => {
    const link = event.target.closest("a.citation");
    if (!link || event.ctrlKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    const address = link.getAttribute("href").replace(`${root}/code/`, `${root}/part/excerpt/`).replace(/#.*$/, "");
    fill(beside, await fetchPart(address));
    beside.hidden = false;
    beside.focus({ preventScroll: true });
    beside.querySelector(".line.at")?.scrollIntoView({ block: "nearest" });
  });
}
