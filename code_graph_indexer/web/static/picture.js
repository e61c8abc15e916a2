// A picture that is wider than its window shows its center first.
export function startPicture() {
  const frame = document.querySelector(".picture");
  const box = (frame?.querySelector(".box.center") ?? frame?.querySelector("svg"))?.getBoundingClientRect();
  if (box) {
    const { left, width } = frame.getBoundingClientRect();
    frame.scrollLeft += box.left + box.width / 2 - left - width / 2;
  }
}
