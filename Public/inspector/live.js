// @ts-check
// Keeps a page up to date, and shows in the header whether it is. The page that uses this module
// supplies the function that refreshes it.
//
//            the tab is visible                  the stream is open
//   hidden ──────────────────────▶ connecting ──────────────────────▶ live
//                                    │    ▲                            │
//                            failure │    │ 1, 2, 4 … 30 s             │ failure
//                                    ▼    │                            │
//                                    failed ◀──────────────────────────┘
//
// - hidden: no stream and no requests.
// - connecting: the page is refreshed, except the first time. Then the stream opens after the shown
//   version.
// - live: each event of the stream requests a refresh.
// - failed: the page keeps what it shows, and the header names the failure; see
//   ../frame/requests.js.
// - closed: the view has ended. In every other state, the page becomes hidden with its tab.
//
// The button pauses the refreshes in any state. The stream stays, and counts the newer versions.

import { Failure, Gone } from "../frame/requests.js";
import { button } from "./button.js";
import { many, Refresher } from "./refresher.js";

// Times in milliseconds.
const pace = 150; // The minimum time between two events of the stream.
const said = 4000; // The minimum time between two announcements to screen readers.
const retry = [1000, 30000]; // The first and the longest pause after a failure.

// Every event of the stream calls this. The same text again would still make the browser lay out
// the page.
export const write = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

// Announces words to screen readers. Of several calls within the minimum time, only the last words
// are announced.
function announcer(element) {
  let latest = "";
  let timer = 0;
  let last = -said;
  return (words) => {
    latest = words;
    timer ||= setTimeout(() => {
      timer = 0;
      last = performance.now();
      element.textContent = latest;
    }, Math.max(0, last + said - performance.now()));
  };
}

export class Live {
  #options;
  #state = "hidden";
  #isPaused = false;
  #reason = ""; // Why the page has failed, until it is live again, or is closed.
  #failures = 0; // Since the page was live.
  #timer = 0; // Of the next try, or of the next refresh without a stream.
  #source = null;
  #refresher;
  newest = null; // The version of the newest event.
  #newestEpoch = null; // The epoch of the newest event.

  // The options:
  // - `place`: the element to which the state and the button are appended.
  // - `events`: the URL of the event stream.
  // - `after()`: the id of the event that the page shows. The stream begins after this event.
  // - `version()`: the version that the page shows.
  // - `refresh(live)`: shows the newest version.
  // - `follows()`: whether the page shows the newest version. If not, it does not change, and only
  //   its link `.newest` names the newest version.
  // - `every`: milliseconds between two calls of `refresh`, which then replace the event stream.
  constructor(options) {
    this.#options = { follows: () => true, version: () => undefined, ...options };
    this.#refresher = new Refresher({
      refresh: () => this.#options.refresh(this),
      version: this.#options.version,
      isAllowed: () => this.#isAllowed,
      changed: () => this.#show(),
      done: (error) => (error ? this.failed(error) : this.#refreshed()),
    });
    this.#build();
    const hide = () => this.#state === "closed" || this.#enter("hidden");
    const unhide = () => this.#state === "hidden" && this.#connect();
    addEventListener("pagehide", hide);
    addEventListener("pageshow", (event) => event.persisted && unhide());
    document.addEventListener("visibilitychange", () => (document.hidden ? hide() : unhide()));
    if (!document.hidden) this.#open();
  }

  // MARK: The header

  #build() {
    const place = document.createElement("p");
    place.className = "stream";
    this.state = document.createElement("span");
    this.state.className = "state";
    this.button = button({}, () => this.#toggle());
    const status = document.createElement("span");
    status.className = "unseen";
    status.setAttribute("role", "status");
    // The state is last, so that the buttons stay where they are.
    place.append(this.button, " ", this.state, status);
    this.#options.place.append(place);
    this.say = announcer(status);
    this.#show();
  }

  #show() {
    const [kind, words] = this.#words;
    write(this.state, words);
    if (this.state.dataset.state !== kind) this.state.dataset.state = kind;
    write(this.button, this.#isPaused ? "resume" : "pause");
    this.button.hidden = this.#state === "closed" || !this.#options.refresh;
    this.#nameNewest();
  }

  // A page of an older version is not refreshed, but its link names the newest version.
  #nameNewest() {
    const link = document.querySelector("header a.newest");
    if (!link || this.#follows || this.newest === null) return;
    write(link, this.#isOfOtherEpoch ? `newest: load ${this.#newestEpoch}` : `newest: v${this.newest}`);
  }

  // The state as a word for the style sheet, and as words.
  get #words() {
    if (this.#state === "closed") return ["closed", `Closed: ${this.#reason}`];
    if (this.#reason) return ["failed", this.#reason];
    const kind = this.#isPaused ? "paused" : this.#state === "live" ? "live" : "connecting";
    const words = kind[0].toUpperCase() + kind.slice(1);
    if (!this.#follows && kind !== "connecting") return [kind, `${words}, viewing v${this.#options.version()}`];
    const newer = this.#newer;
    return [kind, newer > (this.#isPaused ? 0 : many) ? `${words}, ${newer} newer` : words];
  }

  get #newer() {
    const shown = this.#options.version();
    return this.newest === null || shown === undefined ? 0 : this.newest - shown;
  }

  get #follows() {
    return this.#options.refresh && this.#options.follows();
  }

  // A page that is not refreshed names its epoch in its address, see `#pin`.
  get #isOfOtherEpoch() {
    const epoch = new URLSearchParams(location.search).get("epoch");
    return epoch !== null && this.#newestEpoch !== null && Number(epoch) !== this.#newestEpoch;
  }

  #toggle() {
    this.#isPaused = !this.#isPaused;
    this.#reconsider();
  }

  // MARK: States

  // Ends the former state, with its stream and its timer.
  #enter(state) {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
    this.#state = state;
    this.#show();
  }

  // After a failure, a page that does not follow is shown again too.
  get #isAllowed() {
    const isConnected = this.#state === "live" || this.#state === "connecting";
    return isConnected && !this.#isPaused && this.#options.refresh && (this.#follows || this.#failures > 0);
  }

  #connect() {
    this.#enter("connecting");
    if (!this.#isAllowed || !this.#refresher.request()) this.#open();
  }

  #refreshed() {
    if (this.#state === "connecting" && !this.#source) this.#open();
  }

  #open() {
    const { events, after, every } = this.#options;
    this.#state = "connecting";
    if (every) {
      this.#timer = setInterval(() => this.news(), every);
      return this.#opened();
    }
    const source = new EventSource(`${events}?pace=${pace}&after=${encodeURIComponent(after())}`);
    this.#source = source;
    source.onopen = () => this.#opened();
    // The browser would try again at a constant pace, but not after a response that is not a
    // stream.
    source.onerror = () => this.failed(new Failure("the mirror cannot be reached"));
    for (const name of ["mount", "change", "rejected", "reset"]) {
      source.addEventListener(name, (event) => this.#heard(name, event));
    }
    source.addEventListener("close", ({ data }) => {
      const { reason } = JSON.parse(data);
      if (reason === "stopping") this.failed(new Failure("the mirror is stopping"));
      else this.#close(reason);
    });
    this.#show();
  }

  #opened() {
    if (this.#failures) this.say("live again");
    this.#failures = 0;
    this.#reason = "";
    this.#state = "live";
    this.#show();
  }

  // Called after a failed refresh or request of the page, and when the stream is lost.
  failed(error) {
    if (error instanceof Gone) return this.#close(error.message);
    if (this.#state !== "live" && this.#state !== "connecting") return;
    const reason = error instanceof Failure ? error.message : `the page cannot be shown: ${error.message}`;
    if (reason !== this.#reason) this.say((this.#reason = reason));
    this.#enter("failed");
    const [first, longest] = retry;
    this.#timer = setTimeout(() => this.#connect(), Math.min(first * 2 ** this.#failures++, longest));
  }

  #close(reason) {
    this.#reason = reason;
    this.#enter("closed");
    this.say(`closed: ${reason}`);
  }

  // MARK: Events

  #heard(name, event) {
    // The id of an event is EPOCH.VERSION.
    if (name === "mount" && !this.#follows) this.#pin();
    if (name === "mount" || name === "change") [this.#newestEpoch, this.newest] = event.lastEventId.split(".").map(Number);
    this.#refresher.event();
  }

  // Versions begin anew with a mount. The shown version belongs to the earlier epoch now, so an
  // address that does not name the epoch is completed.
  #pin() {
    const url = new URL(location.href);
    if (url.searchParams.has("epoch")) return;
    url.searchParams.set("epoch", this.#options.after().split(".")[0]);
    history.replaceState(history.state, "", url);
  }

  // Requests a refresh.
  news() {
    this.#refresher.request();
  }

  // Called when the page shows another version than before.
  moved() {
    if (this.#follows && this.#newer > 0) this.news();
    this.#reconsider();
  }

  // A refresh may have become possible, or is not needed any more before the stream opens.
  #reconsider() {
    if (this.#state === "connecting" && !this.#source && !this.#isAllowed) this.#open();
    this.#refresher.resume();
    this.#show();
  }

  // Whether versions arrive faster than they can be read.
  get isStreaming() {
    return this.#refresher.isStreaming || (this.#refresher.isMoving && this.#newer > many);
  }
}
