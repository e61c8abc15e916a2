// A picture that is a little wider than its window is made smaller. A wider one shows its center first.
const MOST = 1.3;
const LEAST_WINDOW = 800;
// In a narrow window a center between its callers and callees shows no more than lines, so that the picture begins with the callers.
const NARROW_WINDOW = 600;

export function startPicture(place = document) {
  place.querySelectorAll(".picture").forEach(fit);
}

function fit(frame) {
  const svg = frame.querySelector("svg");
  const room = frame.clientWidth;
  if (!svg) {
    return;
  }
  if (room > LEAST_WINDOW && svg.clientWidth > room && svg.clientWidth < room * MOST) {
    svg.setAttribute("width", room);
    svg.removeAttribute("height");
  }
  const box = (frame.querySelector(".box.center") ?? svg).getBoundingClientRect();
  const isAbove = [...frame.querySelectorAll(".box")].every((other) => other.getBoundingClientRect().top >= box.top);
  if (room > NARROW_WINDOW || (isAbove && frame.querySelector(".box.center"))) {
    const { left, width } = frame.getBoundingClientRect();
    frame.scrollLeft += box.left + box.width / 2 - left - width / 2;
  }
}
