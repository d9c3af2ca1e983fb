// @ts-check
// Keys within the timeline and the tree. Each is one stop of the Tab key (a roving tabindex);
// arrows move between its lines. In the tree, the arrows to the left and right also close and open
// a node.

class Lines {
  active = null; // The id of the line that the Tab key reaches.

  constructor(list) {
    this.list = list;
    list.addEventListener("keydown", (event) => this.key(event));
    list.addEventListener("focusin", ({ target }) => this.activate(target.closest("li")));
  }

  // Returns a function that keeps the line under the pointer or the focus at its place, after
  // others have changed.
  hold() {
    const line = this.list.querySelector(":scope > li:hover") ?? this.list.querySelector(":scope > li:focus-within");
    const top = line?.getBoundingClientRect().top;
    return () => {
      if (line?.checkVisibility()) this.list.scrollTop += line.getBoundingClientRect().top - top;
    };
  }

  // Called after the lines have changed, with those that are new.
  settle(fresh) {
    for (const line of fresh) if (line.parentElement === this.list) this.prepare(line);
    const active = document.getElementById(this.active);
    if (active?.parentElement === this.list && !active.hidden) return;
    this.activate(this.list.querySelector("[aria-current], [aria-selected=true], .touched")?.closest("li") ?? this.list.firstElementChild);
  }

  prepare(line) {
    const isActive = line.id === this.active;
    for (const element of line.querySelectorAll("a, summary")) element.tabIndex = -1;
    this.target(line).tabIndex = isActive ? 0 : -1;
  }

  activate(line) {
    if (!line || line.id === this.active) return;
    const before = document.getElementById(this.active);
    if (before?.parentElement === this.list) this.target(before).tabIndex = -1;
    this.active = line.id;
    this.target(line).tabIndex = 0;
  }

  move(line) {
    if (!line) return;
    this.activate(line);
    this.target(line).focus();
  }

  next(line, step) {
    let next = line;
    do next = next?.[step];
    while (next?.hidden);
    return next;
  }

  key(event) {
    const line = event.target.closest("li");
    if (!line || event.ctrlKey || event.metaKey || event.altKey || line.parentElement !== this.list) return;
    const moves = {
      ArrowDown: () => this.move(this.next(line, "nextElementSibling")),
      ArrowUp: () => this.move(this.next(line, "previousElementSibling")),
      Home: () => this.move(this.list.firstElementChild),
      End: () => this.move([...this.list.children].filter((line) => !line.hidden).pop()),
      ...this.moves(line),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    moves[event.key]();
  }

  // The further keys of a line, and what they do.
  /** @returns {Record<string, () => void>} */
  moves(line) {
    return {};
  }

  // The part of a line that has the focus.
  /** @returns {HTMLElement} */
  target(line) {
    return line;
  }
}

export class Timeline extends Lines {
  target(line) {
    return line.querySelector("a, summary") ?? line;
  }
}

export class Tree extends Lines {
  #store;
  #closed;

  // The closed nodes are stored under a name for the time of the session, so that they stay closed
  // when the page is loaded again.
  constructor(list, store) {
    super(list);
    this.#store = store;
    this.#closed = new Set(JSON.parse(sessionStorage.getItem(store) ?? "[]"));
    list.addEventListener("click", (event) => event.target.closest(".fold") && this.#toggle(event.target.closest("li")));
  }

  settle(fresh) {
    if (this.#closed.size) this.#fold();
    super.settle(fresh);
  }

  moves(line) {
    const level = Number(line.ariaLevel);
    return {
      Enter: () => line.querySelector("a")?.click(),
      ArrowRight: () => {
        if (line.ariaExpanded === "false") return this.#toggle(line);
        const next = this.next(line, "nextElementSibling");
        if (Number(next?.ariaLevel) > level) this.move(next);
      },
      ArrowLeft: () => {
        if (line.ariaExpanded === "true") return this.#toggle(line);
        let parent = line;
        while (parent && Number(parent.ariaLevel) >= level) parent = parent.previousElementSibling;
        this.move(parent);
      },
    };
  }

  #toggle(line) {
    if (!line?.ariaExpanded) return;
    if (!this.#closed.delete(line.id)) this.#closed.add(line.id);
    sessionStorage.setItem(this.#store, JSON.stringify([...this.#closed].slice(-500)));
    this.#fold();
  }

  // Opens the nodes around a line, so that it can be seen.
  reveal(line) {
    let level = Number(line.ariaLevel);
    for (let other = line; other; other = other.previousElementSibling) {
      if (Number(other.ariaLevel) >= level) continue;
      level = Number(other.ariaLevel);
      this.#closed.delete(other.id);
    }
    this.#fold();
  }

  #fold() {
    let hiddenBelow = Infinity;
    for (const line of this.list.children) {
      const level = Number(line.ariaLevel);
      if (level <= hiddenBelow) hiddenBelow = Infinity;
      line.hidden = level > hiddenBelow;
      if (!line.ariaExpanded) continue;
      const isClosed = this.#closed.has(line.id);
      line.ariaExpanded = String(!isClosed);
      if (isClosed && hiddenBelow === Infinity) hiddenBelow = level;
    }
  }
}
