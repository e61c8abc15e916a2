// A picture that is a little wider than its window is made smaller. A wider one shows its center first.
const MOST = 1.3;
const LEAST_WINDOW = 800;
// In a narrow window the center shows no more than lines, so that the picture begins with the callers.
const NARROW_WINDOW = 600;

export function startPicture() {
  const frame = document.querySelector(".picture");
  const svg = frame?.querySelector("svg");
  const room = frame?.clientWidth ?? 0;
  if (svg && room > LEAST_WINDOW && svg.clientWidth > room && svg.clientWidth < room * MOST) {
    svg.setAttribute("width", room);
    svg.removeAttribute("height");
  }
  const box = (frame?.querySelector(".box.center") ?? frame?.querySelector("svg"))?.getBoundingClientRect();
  if (box && room > NARROW_WINDOW) {
    const { left, width } = frame.getBoundingClientRect();
    frame.scrollLeft += box.left + box.width / 2 - left - width / 2;
  }
}
