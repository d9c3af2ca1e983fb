// @ts-check
// The rendered page beside the tree: follows the shown version, highlights elements, shows heat,
// and lets a person pick an element.

import * as dom from "../frame/dom.js";
import { Frame } from "../frame/frame.js";
import { closestNumbered, numberOf } from "../frame/numbers.js";
import { request } from "../frame/requests.js";
import { button } from "./button.js";

const lit = "data-mirror-lit";
const heat = "data-mirror-heat";
const picked = "data-mirror-picked";
const selected = "data-mirror-selected";
const acted = "data-mirror-acted"; // The element with which a user caused the shown version.
const change = "data-mirror-change"; // What the shown version did to an element.
const fresh = 2000; // How long a change pulses, in milliseconds, as in mirror.css.

const byNumber = (/** @type {Record<string, any>} */ values = {}) =>
  new Map(Object.entries(values).map(([number, value]) => [Number(number), value]));

const elementOf = (event) => closestNumbered(dom.targetElement(event.target));

export class Mirror {
  #place;
  #options;
  #frame = null;
  #isLoaded = false;
  #button = null;
  #older = null; // The button that also shows the heat of earlier versions.
  #page = null; // The inspector's page to show.
  #isBusy = false;
  #marked = { [lit]: [], [heat]: [], [picked]: [], [selected]: [], [acted]: [], [change]: [] };
  #heated = "";
  #revealed = ""; // The version whose change has been scrolled to.
  #timer = 0;

  // The options:
  // - `path`: the address of the view.
  // - `onPick(number)`: called with the number of a picked element.
  // - `onHover(numbers)`: called with the element under the pointer; empty without one.
  // - `onFailure(error)`: called when a request has failed. A later `show` tries again.
  constructor(place, options) {
    this.#place = place;
    this.#options = options;
    this.#adopt();
    document.addEventListener("keydown", (event) => this.#escape(event));
  }

  // MARK: Showing

  // Brings the frame to the version of the inspector's page. Returns when it is shown.
  async show(page) {
    this.#page = page;
    const html = page.regions?.find(({ id }) => id === "mirror")?.html ?? "";
    if (!html) return this.#remove();
    if (!this.#place.querySelector("iframe")) {
      this.#place.innerHTML = html;
      this.#adopt();
    }
    await this.#update();
  }

  // One update at a time; the newest page is shown last. The pane may be closed and opened
  // meanwhile.
  async #update() {
    if (this.#isBusy || !this.#isLoaded) return;
    this.#isBusy = true;
    const frame = this.#frame;
    try {
      for (let shown = null; frame === this.#frame && this.#page && shown !== this.#page; ) {
        shown = this.#page;
        await frame.show(shown.version, shown.epoch);
        for (const [name, number] of [[selected, shown.selected_node], [acted, shown.acted_node]]) {
          this.#mark(name, new Map(number ? [[number, ""]] : []));
        }
        this.#mark(change, byNumber(shown.marks));
        this.heat(byNumber(shown.heat));
        const version = `${shown.epoch}.${shown.version}`;
        if (version !== this.#revealed) this.#reveal();
        this.#revealed = version;
      }
    } catch (error) {
      if (frame === this.#frame) this.#fail(error);
    }
    this.#isBusy = false;
    if (frame !== this.#frame) await this.#update();
  }

  // If the view or the version does not exist any more, the stream of events says so.
  #fail(error) {
    if (![404, 410].includes(error.status)) this.#options.onFailure(error);
  }

  #remove() {
    this.#place.replaceChildren();
    this.#frame = this.#button = null;
    this.#isLoaded = false;
    this.#heated = this.#revealed = "";
  }

  async #adopt() {
    const element = this.#place.querySelector("iframe");
    if (!element) return;
    const frame = new Frame(element, this.#options.path);
    this.#frame = frame;
    this.#build(element);
    let style;
    try {
      style = await request("/assets/inspector/mirror.css", "text/css");
      await frame.loaded();
    } catch (error) {
      if (frame !== this.#frame) return;
      this.#remove();
      return this.#fail(error);
    }
    if (frame !== this.#frame) return;
    const sheet = new element.contentWindow.CSSStyleSheet();
    sheet.replaceSync(style);
    frame.document.adoptedStyleSheets = [sheet];
    this.#listen(element.contentWindow);
    this.#isLoaded = true;
    await this.#update();
  }

  // MARK: Marking

  // Highlights the elements with these numbers.
  light(numbers) {
    this.#mark(lit, new Map(numbers.map((number) => [Number(number), ""])));
  }

  // Scrolls the frame to the first change of the shown version, unless one is visible.
  #reveal() {
    const { contentWindow: window } = this.#frame.element;
    const places = this.#marked[heat].filter((element) => dom.getAttribute(element, heat) === "4").map(dom.getBoundingClientRect);
    if (!places.length || places.some(({ top, bottom }) => bottom > 0 && top < window.innerHeight)) return;
    window.scrollBy({ top: places[0].top - window.innerHeight / 3 });
  }

  // Shows which elements the shown version has changed, and on demand how recently others have
  // changed: levels from 1 to 4 by number.
  heat(all) {
    const levels = new Map([...all].filter(([, level]) => level === 4 || this.#older?.ariaPressed === "true"));
    const key = JSON.stringify([this.#page?.version, ...levels]);
    if (key === this.#heated || !this.#isLoaded) return;
    this.#heated = key;
    this.#mark(heat, levels);
    clearTimeout(this.#timer);
    const changed = this.#marked[heat].filter((element) => dom.getAttribute(element, heat) === "4");
    for (const element of changed) dom.setAttribute(element, "data-mirror-fresh", "");
    this.#timer = setTimeout(() => changed.forEach((element) => dom.removeAttribute(element, "data-mirror-fresh")), fresh);
  }

  #mark(name, values) {
    if (!this.#isLoaded) return;
    for (const element of this.#marked[name]) dom.removeAttribute(element, name);
    this.#marked[name] = [];
    for (const [number, value] of values) {
      const element = number > 1 ? this.#frame.find(number) : undefined;
      if (!element) continue;
      dom.setAttribute(element, name, value);
      this.#marked[name].push(element);
    }
  }

  // MARK: Picking

  get #isPicking() {
    return this.#button?.ariaPressed === "true";
  }

  #build(element) {
    const bar = document.createElement("p");
    bar.className = "mirror-bar";
    const title = "Click an element, or move to it with Tab and press Enter. Alt-click selects always. Escape ends.";
    this.#button = button({ className: "pick", textContent: "Select an element", title, ariaPressed: "false" }, () => this.#pick(!this.#isPicking));
    this.#older = button({ textContent: "Last 20 diffs", title: "Also frame what the last 20 diffs changed, dashed", ariaPressed: "false" }, () => {
      this.#older.ariaPressed = String(this.#older.ariaPressed !== "true");
      this.#update();
    });
    const textContent = "solid: changed, double: added, dotted: moved, violet: the element of the event";
    const key = Object.assign(document.createElement("span"), { className: "size", textContent });
    bar.append(this.#button, " ", this.#older, " ", key);
    element.before(bar);
  }

  #pick(isOn) {
    if (this.#button) this.#button.ariaPressed = String(isOn);
    if (!isOn) this.#hover(undefined);
  }

  #escape(event) {
    if (event.key !== "Escape" || !this.#isPicking) return;
    event.preventDefault();
    this.#pick(false);
    this.#button.focus();
  }

  #listen(window) {
    const on = (type, listener) => window.addEventListener(type, listener, true);
    // Nothing in the frame may lead to another page, nor send a form.
    for (const type of ["click", "auxclick"]) {
      on(type, (event) => {
        if (type === "click" && (this.#isPicking || event.altKey)) this.#choose(event);
        else if (dom.closest(dom.targetElement(event.target), "a, area")) event.preventDefault();
      });
    }
    on("submit", (event) => event.preventDefault());
    // A press on a button or field does not change it while an element is picked.
    on("mousedown", (event) => (this.#isPicking || event.altKey) && event.preventDefault());
    on("mouseover", (event) => this.#hover(elementOf(event)));
    on("mouseout", (event) => event.relatedTarget === null && this.#hover(undefined));
    on("focusin", (event) => this.#isPicking && this.#hover(elementOf(event)));
    on("keydown", (event) => {
      this.#escape(event);
      if (event.key === "Enter" && this.#isPicking) this.#choose(event);
    });
  }

  #hover(element) {
    const number = element && numberOf(element);
    this.#mark(picked, new Map(this.#isPicking && number ? [[number, ""]] : []));
    this.#options.onHover(number ? [String(number)] : []);
  }

  #choose(event) {
    event.preventDefault();
    event.stopPropagation();
    const element = elementOf(event);
    this.#pick(false);
    if (element) this.#options.onPick(numberOf(element));
  }
}
