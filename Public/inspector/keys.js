// @ts-check
// Keys that work everywhere on the page of a view, and the buttons that play the versions and list
// the keys. Used by inspector.js; lines.js has the keys of the timeline and the tree.

import { button } from "./button.js";

const pace = 700; // The time for which a version is shown while playing, in milliseconds.

/** @type {(id: string) => any} */
const byId = (id) => document.getElementById(id);

function openList() {
  byId("keys").showModal();
  byId("keys").scrollTop = 0;
}

/** @type {(selector: string) => HTMLAnchorElement} */
const one = (selector) => document.querySelector(selector);

const link = (rel) => one(`header a[rel=${rel}]`);

export class Keys {
  #playing = 0;

  // `navigate(url, isStep)` shows another address of the page; a step replaces the entry of the
  // history.
  constructor(navigate) {
    this.navigate = navigate;
    this.#build();
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  #build() {
    this.play = button({ className: "play" }, () => this.#toggle());
    const help = button({ textContent: "?", title: "Help", ariaLabel: "Help" }, openList);
    document.querySelector(".controls").append(this.play, help);
    this.settle();
  }

  // Called after the page has changed.
  settle() {
    if (!link("next")) this.#stop();
    this.#label();
    this.play.hidden = !link("next") && !link("prev");
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
      const step = () => this.#walk("next", 1, true);
      this.#playing = setInterval(step, pace);
      const slider = byId("slider");
      // At the newest version, playing begins with the oldest one.
      if (!link("next") && slider) {
        slider.value = slider.min;
        this.navigate(addressOf(slider.form), true);
      } else step();
    }
    this.#label();
  }

  #stop() {
    clearInterval(this.#playing);
    this.#playing = 0;
  }

  // Shows the next older or newer diff that matches the filter. The slider has the version
  // requested last, so quick keys add up.
  #walk(rel, step, isStep) {
    const slider = byId("slider");
    if (!link(rel) || !slider) return;
    const here = Number(slider.value);
    const listed = [...document.querySelectorAll("#diffs > [id^=v]")].map(({ id }) => Number(id.slice(1)));
    const next = step < 0 ? listed.find((other) => other < here) : listed.findLast((other) => other > here);
    const isFiltered = byId("filter").defaultValue !== "";
    if (isFiltered && next === undefined) return this.#stop();
    slider.value = isFiltered ? next : here + step;
    const url = new URL(link(rel).href);
    url.searchParams.set("version", slider.value);
    this.navigate(url.href, isStep);
  }

  // Moves the focus to another node that the shown version changed.
  #change(step) {
    /** @type {any[]} */
    const lines = [...document.querySelectorAll("#nodes > .touched")];
    const here = lines.indexOf(document.activeElement.closest("li"));
    lines.at(here < 0 && step < 0 ? -1 : (here + step) % lines.length)?.focus();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=range]), textarea, select, [contenteditable], dialog")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const focus = (id) => {
      event.preventDefault();
      byId(id)?.select();
    };
    /** @type {NodeListOf<HTMLElement>} */
    const tabs = document.querySelectorAll("#page-head .tabs a");
    const actions = {
      j: () => this.#walk("prev", -1),
      k: () => this.#walk("next", 1),
      p: () => this.#toggle(),
      l: () => one("header a.newest")?.click(),
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
  /** @type {any[]} */
  const fields = [...new FormData(form)].filter(([, value]) => value !== "");
  url.search = `${new URLSearchParams(fields)}`;
  return url.href;
}
