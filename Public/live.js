// Refreshes a page when its view changes, and shows whether the page is up to date. One event stream reports changes, at most one
// refresh runs at a time, and a button pauses them. The page that uses this module supplies the function that refreshes it. While
// many versions arrive, the page is refreshed less often, and shows in between how many versions are newer.

import { button } from "./button.js";

const quiet = 200; // The minimum time between two refreshes in milliseconds.
const slow = 600; // The same while many versions arrive.
const failed = 2000; // The same after a failed refresh.
const many = 5; // A refresh that shows more new versions is followed by a slow one.
const said = 4000; // The minimum time between two announcements to screen readers in milliseconds.

export class Gone extends Error {}

// Why there is no view any more, according to a response; `undefined` if there may be one. A version that is not kept is a 410, too.
export async function absence(response) {
  if (response.status === 404) return "the view was removed";
  if (response.status !== 410) return undefined;
  const { title, detail } = await response.clone().json().catch(() => ({}));
  return title === "Evicted" ? detail : undefined;
}

// Every event of the stream calls this. The same text again would still make the browser lay out the page.
export const write = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

export class Live {
  #options;
  #source = null;
  #isDirty = false;
  #isBusy = false;
  #isPaused = false;
  #timer = 0;
  #retry = 0;
  #next = 0;
  #slowUntil = -Infinity;
  #isMoving = false; // Whether an event has arrived since the last step.
  #delay = 1000;
  newest = null; // The version of the newest event.
  #newestEpoch = null; // The epoch of the newest event.
  #closed = "";
  #connected = false;
  #spokenAt = 0;
  #speech = 0;
  #words = "";

  // The options:
  // - `place`: the element to which the state and the button are appended.
  // - `events`: the URL of the event stream.
  // - `after()`: the id of the event that the page shows. The stream begins after this event.
  // - `version()`: the version that the page shows.
  // - `refresh()`: shows the newest version.
  // - `follows()`: whether the page shows the newest version. If not, it does not change, and only the newest version is named.
  // - `every`: milliseconds between two calls of `refresh()`, which then replace the event stream.
  constructor(options) {
    this.#options = options;
    this.#build();
    addEventListener("pagehide", () => this.#disconnect());
    addEventListener("pageshow", (event) => event.persisted && this.#resume());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#disconnect() : this.#resume()));
    if (!document.hidden) this.#connect();
    this.#show();
  }

  // MARK: The state and the button

  #build() {
    const place = document.createElement("p");
    place.className = "stream";
    place.dataset.own = "";
    this.state = document.createElement("span");
    this.state.className = "state";
    this.button = button({}, () => this.#toggle());
    this.status = document.createElement("span");
    this.status.className = "unseen";
    this.status.setAttribute("role", "status");
    place.append(this.state, " ", this.button, this.status);
    this.#options.place.append(place);
  }

  #show() {
    const newer = this.#newer();
    const open = this.#connected ? "live" : "reconnecting";
    const words = this.#closed ? `closed: ${this.#closed}` : this.#isPaused ? "paused" : open;
    const count = newer > (this.#isPaused ? 0 : many) ? `, ${newer} newer` : "";
    // A page that is not refreshed only names the newest version.
    const still = this.newest === null ? "listening" : `now at ${this.#isOfOtherEpoch ? `epoch ${this.#newestEpoch}, ` : ""}version ${this.newest}`;
    write(this.state, words === "live" && !this.#follows ? still : words + count);
    const kind = words.split(":")[0];
    if (this.state.dataset.state !== kind) this.state.dataset.state = kind;
    write(this.button, this.#isPaused ? "resume" : "pause");
    this.button.hidden = this.#closed !== "" || !this.#follows;
  }

  // Whether versions arrive faster than they can be read.
  get isStreaming() {
    return performance.now() < this.#slowUntil + slow;
  }

  get #follows() {
    return this.#options.refresh && (this.#options.follows?.() ?? true);
  }

  // A page that is not refreshed names its epoch in its address, see `#pin`.
  get #isOfOtherEpoch() {
    const epoch = new URLSearchParams(location.search).get("epoch");
    return epoch !== null && this.#newestEpoch !== null && Number(epoch) !== this.#newestEpoch;
  }

  // Called when the page shows another version than before.
  moved() {
    if (this.#follows && this.newest !== null && this.#newer() > 0) this.news();
    this.#show();
  }

  #newer() {
    const shown = this.#options.version?.();
    return this.newest === null || shown === undefined ? 0 : this.newest - shown;
  }

  // Announces words to screen readers. Of several calls within the minimum time, only the last words are announced.
  say(words) {
    this.#words = words;
    if (this.#speech) return;
    const wait = Math.max(0, this.#spokenAt + said - performance.now());
    this.#speech = setTimeout(() => {
      this.#speech = 0;
      this.#spokenAt = performance.now();
      this.status.textContent = this.#words;
    }, wait);
  }

  #toggle() {
    this.#isPaused = !this.#isPaused;
    if (!this.#isPaused && this.#isDirty) this.#schedule();
    if (!this.#isPaused && this.#options.every) this.news();
    this.#show();
  }

  // MARK: Events

  #resume() {
    if (this.#closed || this.#source) return;
    this.#connect();
    this.news();
  }

  #connect() {
    clearTimeout(this.#retry);
    if (this.#closed) return;
    if (this.#options.every) {
      this.#connected = true;
      this.#retry = setInterval(() => this.#isPaused || this.news(), this.#options.every);
      return this.#show();
    }
    const source = new EventSource(`${this.#options.events}?pace=${quiet / 2}&after=${encodeURIComponent(this.#options.after())}`);
    this.#source = source;
    source.onopen = () => {
      this.#connected = true;
      this.#delay = 1000;
      this.#show();
    };
    source.onerror = () => this.#broken(source);
    for (const name of ["mount", "change", "rejected", "reset"]) {
      source.addEventListener(name, (event) => this.#heard(name, event));
    }
    source.addEventListener("close", (event) => {
      const { reason } = JSON.parse(event.data);
      this.#disconnect();
      if (reason === "stopping") return this.#again();
      this.#close(reason);
    });
  }

  #heard(name, event) {
    // The id of an event is EPOCH.VERSION.
    if (name === "mount" && !this.#follows) this.#pin();
    if (name === "mount" || name === "change") [this.#newestEpoch, this.newest] = event.lastEventId.split(".").map(Number);
    this.#isMoving = true;
    this.news();
  }

  // Versions begin anew with a mount. The shown version belongs to the earlier epoch now, so an address that does not name the epoch is
  // completed.
  #pin() {
    const url = new URL(location.href);
    if (url.searchParams.has("epoch")) return;
    url.searchParams.set("epoch", this.#options.after().split(".")[0]);
    history.replaceState(history.state, "", url);
  }

  // The browser reconnects by itself, except after a response that is not an event stream. Then the view may have been removed, or
  // the server may not have started yet.
  #broken(source) {
    this.#connected = false;
    if (source.readyState === EventSource.CLOSED) {
      this.#disconnect();
      this.#again();
    }
    this.#show();
  }

  #again() {
    this.#delay = Math.min(2 * this.#delay, 30000);
    this.#retry = setTimeout(() => {
      if (document.hidden) return;
      this.#connect();
      this.news();
    }, this.#delay);
    this.#show();
  }

  #disconnect() {
    clearTimeout(this.#retry);
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#source?.close();
    this.#source = null;
    this.#connected = false;
    this.#show();
  }

  #close(reason) {
    this.#closed = reason;
    this.#disconnect();
    this.say(`closed: ${reason}`);
  }

  // MARK: Refreshing

  // Requests a refresh. While one is due or running, the state of the page is not shown again for each event.
  news() {
    const isDue = this.#isBusy || (this.#isDirty && this.#timer);
    this.#isDirty = true;
    if (!isDue) this.#show();
    if (!this.#isPaused) this.#schedule();
  }

  #schedule() {
    if (!this.#follows || this.#isBusy || this.#timer || this.#closed || document.hidden) return;
    this.#timer = setTimeout(() => this.#step(), Math.max(0, this.#next - performance.now()));
  }

  #step() {
    this.#timer = 0;
    if (this.#isPaused) return;
    const now = performance.now();
    if (!this.#isMoving || now >= this.#slowUntil) return this.#refresh();
    this.#isMoving = false;
    this.#next = now + quiet;
    this.#show();
    this.#schedule();
  }

  async #refresh() {
    this.#isDirty = this.#isMoving = false;
    this.#isBusy = true;
    const begin = performance.now();
    const before = this.#options.version?.();
    let wait = quiet;
    try {
      await this.#options.refresh(this);
    } catch (error) {
      if (error instanceof Gone) this.#close(error.message);
      [this.#isDirty, wait] = [true, failed];
    }
    this.#isBusy = false;
    // Refreshes take at most a third of the time, so a slow page is refreshed less often.
    const now = performance.now();
    this.#next = now + Math.max(wait, 2 * (now - begin));
    this.#slowUntil = this.#options.version?.() - before > many ? begin + slow : -Infinity;
    this.#show();
    if (this.#isDirty && !this.#isPaused) this.#schedule();
  }
}
