// Fetch a part of a page. The server escapes everything in it, and the page's policy forbids whatever would run.
// The address of the start page without its last slash: behind a proxy, pages may stand below a path.
export const root = new URL("../..", import.meta.url).pathname.slice(0, -1);

export async function fetchPart(address, signal) {
  const reply = await fetch(address, { signal });
  return reply.ok ? reply.text() : "";
}

export function fill(element, html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  element.replaceChildren(...parsed.body.childNodes);
}
