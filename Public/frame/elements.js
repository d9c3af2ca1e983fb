// @ts-check
// Changes of one element that keep its state, and what a person has entered; for patch.js and
// whole.js.

import * as dom from "./dom.js";

export function setAttribute(element, name, value) {
  // The names that a parser accepts are more than those that this function accepts.
  try {
    dom.setAttribute(element, name, value);
  } catch {}
}

// The state of a field follows the server's markup when it changes, unless a person is entering
// something, as in LiveView's client. `names` are the attributes that have changed, and `text` is
// the new text of a text area.
export function setField(shown, names, text) {
  const tag = dom.localName(shown);
  if (!["input", "option", "textarea"].includes(tag) || shown === dom.activeElement(dom.ownerDocument(shown))) return;
  if (tag === "input" && shown.type !== "file") {
    if (names.includes("value")) shown.value = dom.getAttribute(shown, "value") ?? "";
    if (names.includes("checked")) shown.checked = dom.hasAttribute(shown, "checked");
  } else if (tag === "option" && names.includes("selected")) {
    shown.selected = dom.hasAttribute(shown, "selected");
  } else if (tag === "textarea" && text !== undefined) {
    shown.value = text;
  }
}

// A moved element keeps its state where the browser can do it.
export function move(parent, element, before) {
  const { moveBefore } = Element.prototype;
  if (moveBefore && dom.isConnected(element) && dom.isConnected(parent)) {
    try {
      return moveBefore.call(parent, element, before);
    } catch {}
  }
  dom.insertBefore(parent, element, before);
}
