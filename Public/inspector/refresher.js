// @ts-check
// Refreshes a page: one refresh at a time, and no faster than a person can read. `Live` requests a
// refresh for each event of the stream.
//
//   idle ── request ──▶ due ── the pace allows it ──▶ running ── done ──▶ idle
//                        ▲                               │
//                        └── failed, or requested since ─┘
//
// While many versions arrive, a refresh stays due for longer, and the page only counts them.

const quiet = 200; // The minimum time between two refreshes in milliseconds.
const slow = 600; // The same while many versions arrive.
export const many = 5; // A refresh that shows more new versions is followed by a slow one.

export class Refresher {
  #options;
  #state = "idle"; // Or "due", "running", or "outdated": running, and requested again.
  #timer = 0;
  #next = 0; // No refresh begins before this time.
  #slowUntil = -Infinity;
  #last = -Infinity; // The time of the last event.

  // The options:
  // - `refresh()`: shows the newest version.
  // - `version()`: the version that the page shows.
  // - `isAllowed()`: whether a refresh may begin now. If not, it stays due until the next
  //   `request`.
  // - `changed()`: called when the number of newer versions may have changed.
  // - `done(error)`: called after each refresh; `error` is its failure.
  constructor(options) {
    this.#options = options;
  }

  // Whether versions arrive faster than they can be read.
  get isStreaming() {
    return performance.now() < this.#slowUntil + slow;
  }

  // Whether events arrive now.
  get isMoving() {
    return performance.now() < this.#last + quiet;
  }

  // An event is a request, and a reason to wait while many arrive. While a refresh is due or
  // running, `changed` is not called for each event.
  event() {
    this.#last = performance.now();
    this.request();
  }

  // Returns whether a refresh is about to begin, or runs.
  request() {
    const isWaiting = this.#state === "idle" || !this.#timer;
    if (this.#state === "running") this.#state = "outdated";
    else if (this.#state === "idle") this.#state = "due";
    if (this.#state === "due" && isWaiting) this.#options.changed();
    return this.resume();
  }

  // Begins a refresh that is due as soon as it may.
  resume() {
    if (this.#state === "due" && !this.#timer && this.#options.isAllowed()) {
      this.#timer = setTimeout(() => this.#step(), Math.max(0, this.#next - performance.now()));
    }
    return this.#timer !== 0 || this.#state === "running" || this.#state === "outdated";
  }

  #step() {
    this.#timer = 0;
    if (!this.#options.isAllowed()) return;
    const now = performance.now();
    if (!this.isMoving || now >= this.#slowUntil) return this.#run();
    this.#next = now + quiet;
    this.#options.changed();
    this.resume();
  }

  async #run() {
    const { version, refresh, changed, done } = this.#options;
    this.#state = "running";
    const begin = performance.now();
    const before = version();
    let failure;
    try {
      await refresh();
    } catch (error) {
      failure = error;
    }
    // Refreshes take at most a third of the time, so a slow page is refreshed less often.
    const now = performance.now();
    this.#next = now + Math.max(quiet, 2 * (now - begin));
    this.#slowUntil = version() - before > many ? begin + slow : -Infinity;
    this.#state = failure || this.#state === "outdated" ? "due" : "idle";
    done(failure);
    changed();
    this.resume();
  }
}
