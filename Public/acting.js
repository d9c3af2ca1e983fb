// Sends what a person does in the mirrored document to its LiveView: clicks, keys, input, submissions, focus. The mirror decides which
// events follow from the element's bindings; this script only reports the actions that may have one.

const wait = 15; // The time for an answer in seconds.

export class Acting {
  #document;
  #options;
  #last = Promise.resolve(); // The requests are sent one after the other, in the order of the actions.
  #waiting = new Map(); // Inputs that wait for the time of their `phx-debounce`: a timer and a function.

  // The options:
  // - `path`: the path of the view's push.
  // - `say(words, kind)`: shows the outcome of the last action; `kind` is "done" or "error".
  // - `answered()`: called after each answer.
  constructor(document, options) {
    this.#document = document;
    this.#options = options;
    const on = (type, listener) => document.addEventListener(type, (event) => listener.call(this, event), true);
    on("click", this.#click);
    // A middle click opens a link, too.
    on("auxclick", (event) => element(event.target).closest("a, area") && event.preventDefault());
    on("submit", this.#submit);
    on("input", this.#input);
    for (const type of ["keydown", "keyup"]) on(type, (event) => this.#key(type, event));
    on("focusin", (event) => this.#bound(event.target, "focus"));
    on("focusout", (event) => {
      this.#flush(event.target);
      this.#bound(event.target, "blur");
    });
  }

  // MARK: Actions

  #click(event) {
    const target = element(event.target);
    const link = target.closest("a[href], area[href]");
    // Nothing in the frame may lead to another page. A link of SVG has its address in another namespace.
    if (target.closest("a, area")) event.preventDefault();
    const bound = target.closest("[phx-click], [data-phx-link], [role=button], [role=link], [role=switch]");
    if (!bound && !link) return;
    const value = {};
    if (target.type === "checkbox" || target.type === "radio") value.checked = target.checked;
    this.#send(target, "click", { value, default: false });
  }

  #submit(event) {
    event.preventDefault();
    const form = event.target;
    if (!form.hasAttribute("phx-submit")) return;
    for (const field of form.elements) this.#flush(field);
    const submitter = event.submitter && node(event.submitter);
    this.#send(form, "submit", { entries: entries(form, event.submitter), ...(submitter && { submitter }) });
  }

  #input(event) {
    const field = event.target;
    const form = field.form;
    if (!form || !(field.hasAttribute("phx-change") || form.hasAttribute("phx-change"))) return;
    const change = () => this.#send(field, "change", { entries: entries(form) });
    const debounce = field.getAttribute("phx-debounce");
    this.#cancel(field);
    if (debounce === null) return change();
    const timer = debounce === "blur" ? 0 : setTimeout(() => this.#flush(field), Number(debounce) || 300);
    this.#waiting.set(field, { timer, change });
  }

  #key(type, event) {
    const target = element(event.target);
    const isBound = target.hasAttribute(`phx-${type}`) || this.#document.querySelector(`[phx-window-${type}]`);
    if (!isBound || !event.key) return;
    const value = { key: event.key };
    if ("value" in target && target.localName !== "li") value.value = target.value;
    this.#send(target, type, { value });
  }

  #bound(target, type) {
    if (!target.hasAttribute?.(`phx-${type}`)) return;
    this.#send(target, type, "value" in target && target.localName !== "li" ? { value: { value: target.value } } : {});
  }

  // MARK: Waiting

  #cancel(field) {
    clearTimeout(this.#waiting.get(field)?.timer);
    this.#waiting.delete(field);
  }

  #flush(field) {
    const change = this.#waiting.get(field)?.change;
    this.#cancel(field);
    change?.();
  }

  // MARK: Sending

  #send(target, event, details) {
    const body = { node: node(target), event, epoch: Number(this.#document.body.dataset.mirrorEpoch), ...details };
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
      this.#options.say(address ? `${words} → ${address}` : `${words} → version ${answer.version}, ${count}`, "done");
      this.#options.answered();
    } catch {
      this.#options.say(`${words}: the mirror cannot be reached`, "error");
    }
  }
}

const element = (target) => (target.nodeType === Node.ELEMENT_NODE ? target : (target.parentElement ?? target.body));

// The number of the element's node; 1, the document, outside of all elements.
const node = (target) => Number(target.closest("[data-mirror-node]")?.dataset.mirrorNode ?? 1);

const name = (target) => `<${target.localName}${target.id ? `#${target.id}` : ""}>`;

// What the form would send, without files.
const entries = (form, submitter) => {
  const isInside = submitter && submitter.form === form;
  return [...new FormData(form, isInside ? submitter : null)].filter(([, value]) => typeof value === "string");
};
