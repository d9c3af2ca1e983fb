// @ts-check
// Dividers between the panes: dragging, arrow keys and a double click change the widths, which the
// browser remembers.

const least = 240; // The minimum width of a pane in pixels; a narrower one is collapsed.
const step = 24; // The pixels by which an arrow key moves a divider.

// `side` is the side of the window at which the pane is: the width of that pane changes.
class Divider {
  constructor(pane, side, main) {
    this.pane = pane;
    this.side = side;
    this.main = main;
    this.element = Object.assign(document.createElement("div"), {
      className: `divider ${side}`, role: "separator", tabIndex: 0,
      ariaOrientation: "vertical", ariaLabel: `Width of the ${pane.id}`, ariaValueMin: "0",
    });
    this.element.setAttribute("aria-controls", pane.id);
    this.element.addEventListener("pointerdown", (event) => this.#drag(event));
    this.element.addEventListener("dblclick", () => this.#toggle());
    this.element.addEventListener("keydown", (event) => this.#key(event));
    if (side === "left") pane.after(this.element);
    else pane.before(this.element);
    const stored = localStorage.getItem(`pane-${side}`);
    if (stored !== null) this.#set(Number(stored));
    this.#describe();
    addEventListener("resize", () => this.#describe());
  }

  get #width() {
    return this.pane.getBoundingClientRect().width;
  }

  get #most() {
    return Math.max(least, innerWidth - 2 * least);
  }

  #set(width) {
    const set = width < least / 2 ? 0 : Math.round(Math.min(this.#most, Math.max(least, width)));
    this.main.style.setProperty(`--${this.side}`, `${set}px`);
    this.pane.classList.toggle("collapsed", set === 0);
    localStorage.setItem(`pane-${this.side}`, `${set}`);
    this.#describe();
  }

  #describe() {
    this.element.ariaValueMax = String(this.#most);
    this.element.ariaValueNow = String(Math.round(this.#width));
  }

  #toggle() {
    if (this.#width > 0) this.#set(0);
    else this.#set(400);
  }

  #drag(event) {
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    const sign = this.side === "left" ? 1 : -1;
    const [start, width] = [event.clientX, this.#width];
    const move = ({ clientX }) => this.#set(width + sign * (clientX - start));
    this.element.addEventListener("pointermove", move);
    this.element.addEventListener("lostpointercapture", () => this.element.removeEventListener("pointermove", move), { once: true });
  }

  #key(event) {
    const sign = this.side === "left" ? 1 : -1;
    const moves = {
      ArrowLeft: () => this.#set(Math.max(least, this.#width) - sign * step),
      ArrowRight: () => this.#set(Math.max(least, this.#width) + sign * step),
      Home: () => this.#set(0),
      End: () => this.#set(this.#most),
      Enter: () => this.#toggle(),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }
}

export function divide(main) {
  new Divider(document.getElementById("timeline"), "left", main);
  new Divider(document.getElementById("details"), "right", main);
}
