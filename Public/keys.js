// Keys that work everywhere on the page of a view, the list of them, and the button that plays the versions.

const pace = 700; // The time for which a version is shown while playing, in milliseconds.

const list = [
  ["j", "the next older diff"],
  ["k", "the next newer diff"],
  ["p", "play or pause the versions"],
  ["l", "the newest version"],
  ["/", "search the tree"],
  ["f", "filter the timeline"],
  ["t m b c", "tree, mirror, both, before and after"],
  ["↑ ↓ Home End", "move in the timeline or the tree"],
  ["← →", "close or open a node"],
  ["Enter", "show the diff or the node"],
  ["?", "this list"],
];

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
    this.play = document.createElement("button");
    this.play.type = "button";
    this.play.className = "play";
    this.play.addEventListener("click", () => this.#toggle());
    this.help = document.createElement("button");
    this.help.type = "button";
    this.help.textContent = "?";
    this.help.title = "Keys";
    this.help.ariaLabel = "Keys";
    this.help.addEventListener("click", () => this.#dialog());
    for (const button of [this.play, this.help]) button.dataset.own = "";
    document.querySelector("header").append(this.play, this.help);
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
      if (!next && slider) this.navigate(withVersion(slider.min), true);
      else this.#step();
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
      "/": () => focus("find"),
      f: () => focus("filter"),
      t: () => tabs[0]?.click(),
      m: () => tabs[1]?.click(),
      b: () => tabs[2]?.click(),
      c: () => tabs[3]?.click(),
      "?": () => this.#dialog(),
    };
    actions[event.key]?.();
  }

  #dialog() {
    const dialog = document.createElement("dialog");
    dialog.dataset.own = "";
    dialog.ariaLabel = "Keys";
    const rows = list.map(([keys, words]) => {
      const row = document.createElement("tr");
      row.innerHTML = `<th scope="row">${keys.split(" ").map((key) => `<kbd>${key}</kbd>`).join(" ")}</th><td>${words}</td>`;
      return row;
    });
    const table = document.createElement("table");
    table.append(...rows);
    const close = document.createElement("button");
    close.textContent = "Close";
    close.addEventListener("click", () => dialog.close());
    dialog.append(table, close);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}

// The address of this page at another version.
export function withVersion(version) {
  const url = new URL(location.href);
  url.searchParams.set("version", version);
  return url.href;
}
