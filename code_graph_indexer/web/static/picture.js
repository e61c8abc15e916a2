// A picture that is a little wider than its window is made smaller. A wider one shows its center first.
const MOST = 1.3;
const LEAST_WINDOW = 800;

export function startPicture() {
  const frame = document.querySelector(".picture");
  const svg = frame?.querySelector("svg");
  const room = frame?.clientWidth ?? 0;
  if (svg && room > LEAST_WINDOW && svg.clientWidth > room && svg.clientWidth < room * MOST) {
    svg.setAttribute("width", room);
    svg.removeAttribute("height");
  }
  const box = (frame?.querySelector(".box.center") ?? frame?.querySelector("svg"))?.getBoundingClientRect();
  if (box) {
    const { left, width } = frame.getBoundingClientRect();
    frame.scrollLeft += box.left + box.width / 2 - left - width / 2;
  }
}
