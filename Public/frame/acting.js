// @ts-check
// Sends what a person does in the mirrored document to its LiveView: clicks, keys, input,
// submissions, focus. The mirror decides which events follow from the element's bindings; this
// script only reports the actions that may have one. Used by page.js.

import * as dom from "./dom.js";
import { closestNumbered, numberOf, root } from "./numbers.js";

const wait = 15; // The time for an answer in seconds.

export class Acting {
  #frame;
  #options;
  #last = Promise.resolve(); // The requests are sent one after the other, in the order of the actions.
  #waiting = new Map(); // Inputs that wait for the time of their `phx-debounce`: a timer and a function.

  // The options:
  // - `path`: the path of the view's push.
  // - `epoch()`: the epoch of the document.
  // - `say(words, kind)`: shows the outcome of the last action; `kind` is "done" or "error".
  // - `answered(needsRedraw)`: called after each answer, with whether the mirror draws the same
  //   version differently now.
  constructor(frame, options) {
    this.#frame = frame;
    this.#options = options;
    // An element of the document cannot hide the listener's function of its window.
    const on = (type, listener) =>
      frame.contentWindow.addEventListener(type, (event) => listener.call(this, event), true);
    on("click", this.#click);
    // A middle click opens a link, too.
    on("auxclick", (event) => dom.closest(dom.targetElement(event.target), "a, area") && event.preventDefault());
    on("submit", this.#submit);
    on("reset", this.#reset);
    on("input", this.#input);
    for (const type of ["keydown", "keyup"]) on(type, (event) => this.#key(type, event));
    on("focusin", (event) => this.#bound(dom.targetElement(event.target), "focus"));
    on("focusout", (event) => {
      this.#flush(event.target);
      this.#bound(dom.targetElement(event.target), "blur");
    });
    for (const type of ["focus", "blur"]) on(type, (event) => this.#window(type, event));
  }

  // MARK: Actions

  #click(event) {
    const target = dom.targetElement(event.target);
    const link = dom.closest(target, "a, area");
    // Nothing in the frame may lead to another page.
    if (link) event.preventDefault();
    const bound = dom.closest(target, "[phx-click], [data-phx-link], [role=button], [role=link], [role=switch], [data-mirror-choice]");
    if (!bound) {
      if (link) this.#options.say(`${name(link)} is not a link of LiveView, so the mirror does not open it`, "done");
      return;
    }
    const value = {};
    if (target.type === "checkbox" || target.type === "radio") value.checked = target.checked;
    // A native control has no events of a form: its click changes it. The mirror draws the change,
    // or refuses it.
    const choice = dom.getAttribute(bound, "data-mirror-choice");
    const isControl = choice !== null || dom.getAttribute(bound, "role") === "switch";
    if (isControl) event.preventDefault();
    if (choice) value.value = choice;
    this.#send(target, "click", isControl ? { value } : { value, default: false });
  }

  #submit(event) {
    event.preventDefault();
    const form = event.target;
    if (!dom.hasAttribute(form, "phx-submit")) return;
    for (const field of dom.elements(form)) this.#flush(field);
    const submitter = event.submitter && node(event.submitter);
    this.#send(form, "submit", { entries: entries(form, event.submitter), ...(submitter && { submitter }) });
  }

  // LiveView's client reports the change of a form that was reset, once its fields have their
  // values again.
  #reset(event) {
    const form = event.target;
    const button = [...dom.elements(form)].find((field) => field.type === "reset");
    if (!button || !dom.hasAttribute(form, "phx-change")) return;
    setTimeout(() => this.#send(button, "change", { entries: entries(form) }));
  }

  #input(event) {
    const field = event.target;
    const form = field.form;
    if (!form || !(dom.hasAttribute(field, "phx-change") || dom.hasAttribute(form, "phx-change"))) return;
    const change = () => this.#send(field, "change", { entries: entries(form) });
    const debounce = dom.getAttribute(field, "phx-debounce");
    for (const other of this.#waiting.keys()) if (other === field || !dom.isConnected(other)) this.#cancel(other);
    if (debounce === null) return change();
    const time = debounce === "" ? 300 : Number(debounce);
    const timer = debounce === "blur" ? 0 : setTimeout(() => this.#flush(field), time);
    this.#waiting.set(field, { timer, change });
  }

  #key(type, event) {
    const target = dom.targetElement(event.target);
    const page = dom.body(this.#frame.contentDocument);
    const isBound = dom.hasAttribute(target, `phx-${type}`) || dom.querySelector(page, `[phx-window-${type}]`);
    if (!isBound || !event.key) return;
    const value = { key: event.key };
    if (hasValue(target)) value.value = target.value;
    this.#send(target, type, { value });
  }

  // The window of the page is that of the frame: it has the focus while a person acts in it.
  #window(type, { target }) {
    if (target.window !== target) return;
    const page = dom.body(target.document);
    if (dom.querySelector(page, `[phx-window-${type}]`)) this.#send(page, `window-${type}`, {});
  }

  #bound(target, type) {
    if (!dom.hasAttribute(target, `phx-${type}`)) return;
    this.#send(target, type, hasValue(target) ? { value: { value: target.value } } : {});
  }

  // MARK: Waiting

  #cancel(field) {
    clearTimeout(this.#waiting.get(field)?.timer);
    this.#waiting.delete(field);
  }

  #flush(field) {
    const change = dom.isConnected(field) ? this.#waiting.get(field)?.change : null;
    this.#cancel(field);
    change?.();
  }

  // MARK: Sending

  #send(target, event, details) {
    const body = { node: node(target), event, epoch: this.#options.epoch(), ...details };
    const words = `${event} ${name(target)}`;
    this.#last = this.#last.then(() => this.#push(words, JSON.stringify(body)));
  }

  async #push(words, body) {
    try {
      const response = await fetch(`${this.#options.path}?wait=${wait}`, { method: "POST", body });
      const answer = await response.json();
      if (!response.ok) return this.#options.say(`${words}: ${answer.detail}`, "error");
      const { changes, navigates_to: address } = answer;
      const count = `${changes.length} ${changes.length === 1 ? "change" : "changes"}`;
      const views = answer.evaluations ? `, ${answer.evaluations.map(({ type, reasons }) => `${type}: ${reasons.join(", ")}`).join("; ")}` : "";
      this.#options.say(address ? `${words} → ${address}` : `${words} → version ${answer.version}, ${count}${views}`, "done");
      this.#options.answered(answer.evaluations !== undefined);
    } catch {
      this.#options.say(`${words}: the mirror cannot be reached`, "error");
    }
  }
}

const hasValue = (target) => ["button", "input", "select", "textarea", "output"].includes(dom.localName(target));

// An action outside of all elements is one of the document.
const node = (target) => numberOf(closestNumbered(target) ?? target) ?? root;

const name = (target) => {
  const id = dom.getAttribute(target, "id");
  return `<${dom.localName(target)}${id ? `#${id}` : ""}>`;
};

/** @type {(form: HTMLFormElement, submitter?: HTMLElement) => FormData} */
const formData = (...values) => Reflect.construct(FormData, values);

// What the form would send, without files.
const entries = (form, submitter) => {
  const isInside = submitter && submitter.form === form;
  return [...formData(form, isInside ? submitter : null)].filter(([, value]) => typeof value === "string");
};
