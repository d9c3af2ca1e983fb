// Keys that work everywhere on the page of a view, and the buttons that play the versions and open the list of the keys.

import { button } from "./button.js";

const pace = 700; // The time for which a version is shown while playing, in milliseconds.

const openList = () => document.getElementById("keys").showModal();

const follow = (selector) => document.querySelector(selector)?.click();

export class Keys {
  #playing = 0;

  // `navigate(url, isStep)` shows another address of the page; a step replaces the current entry of the history.
  constructor(navigate) {
    this.navigate = navigate;
    this.#build();
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  #build() {
    this.play = button({ className: "play" }, () => this.#toggle());
    const help = button({ textContent: "?", title: "Keys", ariaLabel: "Keys" }, openList);
    for (const own of [this.play, help]) own.dataset.own = "";
    document.querySelector("header").append(this.play, help);
    this.settle();
  }

  // Called after the page has changed.
  settle() {
    const hasNext = document.querySelector("header a[rel=next]") !== null;
    const hasOlder = document.querySelector("header a[rel=prev]") !== null;
    if (!hasNext) this.#stop();
    this.#label();
    this.play.hidden = !hasNext && !hasOlder;
  }

  #label() {
    const sign = this.#playing ? "❚❚" : "▶";
    if (this.play.textContent === sign) return;
    this.play.textContent = sign;
    this.play.title = this.play.ariaLabel = this.#playing ? "Pause" : "Play the versions";
  }

  #toggle() {
    if (this.#playing) {
      this.#stop();
    } else {
      this.#playing = setInterval(() => this.#step(), pace);
      const next = document.querySelector("header a[rel=next]");
      const slider = document.getElementById("slider");
      // At the newest version, playing begins with the oldest one.
      if (!next && slider) {
        slider.value = slider.min;
        this.navigate(addressOf(slider.form), true);
      } else this.#step();
    }
    this.#label();
  }

  #stop() {
    clearInterval(this.#playing);
    this.#playing = 0;
  }

  #step() {
    const next = document.querySelector("header a[rel=next]");
    if (next) this.navigate(next.href, true);
  }

  // Moves the focus to another node that the shown version changed.
  #change(step) {
    const lines = [...document.querySelectorAll("#nodes > .touched")];
    const here = lines.indexOf(document.activeElement.closest("li"));
    const next = here < 0 ? (step > 0 ? 0 : -1) : (here + step) % lines.length;
    lines.at(next)?.focus();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=range]), textarea, select, [contenteditable], dialog")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const focus = (id) => {
      event.preventDefault();
      document.getElementById(id)?.select();
    };
    const tabs = document.querySelectorAll("#page-head .tabs a");
    const actions = {
      j: () => follow("header a[rel=prev]"),
      k: () => follow("header a[rel=next]"),
      p: () => this.#toggle(),
      l: () => follow("header a.newest"),
      n: () => this.#change(1),
      N: () => this.#change(-1),
      "/": () => focus("find"),
      f: () => focus("filter"),
      t: () => tabs[0]?.click(),
      m: () => tabs[1]?.click(),
      b: () => tabs[2]?.click(),
      c: () => tabs[3]?.click(),
      "?": openList,
    };
    actions[event.key]?.();
  }
}

// The address to which a form leads.
export function addressOf(form) {
  const url = new URL(form.action);
  url.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
  return url.href;
}
