// Patches a document in place, so that the focus, typed input, scroll positions and opened details survive. Every element has the
// number of its node in `data-mirror-node`, and keeps it as long as it is the same node.

import * as dom from "./dom.js";

const number = (node) => (dom.isElement(node) ? dom.getAttribute(node, "data-mirror-node") : null);

const numbered = (top) => {
  const elements = new Map();
  for (const element of dom.querySelectorAll(top, "[data-mirror-node]")) {
    const key = number(element);
    if (!elements.has(key)) elements.set(key, element);
  }
  return elements;
};

// Makes the children and attributes of `shown` equal to those of `next`. Attributes that did not change since `before`, the markup
// of the last call, are left as a person or the browser has set them.
export function patch(shown, next, before) {
  const [known, old] = [numbered(shown), numbered(before)];
  const work = [[shown, next, before]];
  for (let item = work.pop(); item; item = work.pop()) {
    const [to, from, was] = item;
    patchAttributes(to, from, was);
    work.push(...patchChildren(dom.contentOf(to), dom.contentOf(from), known, old));
  }
}

function patchAttributes(shown, next, before) {
  for (const { name, value } of dom.attributes(next)) {
    const isOld = before && dom.getAttribute(before, name) === value;
    if (!isOld && dom.getAttribute(shown, name) !== value) setAttribute(shown, name, value);
  }
  for (const { name } of before ? dom.attributes(before) : []) {
    if (!dom.hasAttribute(next, name)) dom.removeAttribute(shown, name);
  }
  if (!before) return;
  const names = ["value", "checked", "selected"].filter((name) => dom.getAttribute(next, name) !== dom.getAttribute(before, name));
  const isText = dom.localName(next) === "textarea" && dom.textContent(next) !== dom.textContent(before);
  setField(shown, names, isText ? dom.textContent(next) : undefined);
}

export function setAttribute(element, name, value) {
  // The names that a parser accepts are more than those that this function accepts.
  try {
    dom.setAttribute(element, name, value);
  } catch {}
}

// The state of a field follows the server's markup when it changes, unless a person is entering something, as in LiveView's client.
// `names` are the attributes that have changed, and `text` is the new text of a text area.
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

// Returns the elements whose own attributes and children are still to be patched.
function patchChildren(shown, next, known, old) {
  const work = [];
  let place = dom.firstChild(shown);
  for (const child of dom.childNodes(next)) {
    const key = number(child);
    const same = key ? known.get(key) : null;
    if (same && dom.localName(same) === dom.localName(child) && !dom.contains(same, shown)) {
      if (same === place) place = dom.nextSibling(place);
      else move(shown, same, place);
      work.push([same, child, old.get(key)]);
    } else if (!key && place && dom.nodeType(place) === dom.nodeType(child) && !dom.isElement(place)) {
      if (place.data !== child.data) place.data = child.data;
      place = dom.nextSibling(place);
    } else if (!key && place && dom.isElement(child) && dom.isElement(place) && !number(place) && dom.localName(place) === dom.localName(child)) {
      // Elements that views of a native document have drawn around those of the document.
      work.push([place, child, dom.cloneNode(place, false)]);
      place = dom.nextSibling(place);
    } else {
      const added = dom.importNode(dom.ownerDocument(shown), child, false);
      dom.insertBefore(shown, added, place);
      if (key) known.set(key, added);
      if (dom.isElement(added)) work.push([added, child, undefined]);
    }
  }
  while (place) {
    const rest = dom.nextSibling(place);
    dom.removeChild(shown, place);
    place = rest;
  }
  return work;
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
