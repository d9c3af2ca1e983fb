// @ts-check
// The patcher for a whole page: applies when the mirror has no patch, because the page is drawn
// anew, is too far from the wanted version, or did not fit a patch. `Frame` calls it with the page
// of the mirror. It compares all elements, so it costs in proportion to the page; patch.js costs in
// proportion to the change.

import * as dom from "./dom.js";
import { move, setAttribute, setField } from "./elements.js";
import { byNumber, numberOf } from "./numbers.js";

// An element that a view of a native document has drawn around those of the document.
const isDrawn = (node) => node && dom.isElement(node) && numberOf(node) === undefined;

// Makes the children and attributes of `shown` equal to those of `next`. Attributes that did not
// change since `before`, the markup of the last call, are left as a person or the browser has set
// them.
export function showWhole(shown, next, before) {
  const [known, old] = [byNumber(shown), byNumber(before)];
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

// Returns the elements whose own attributes and children are still to be patched.
function patchChildren(shown, next, known, old) {
  const work = [];
  let place = dom.firstChild(shown);
  for (const child of dom.childNodes(next)) {
    const key = numberOf(child);
    const same = known.get(key);
    if (same && dom.localName(same) === dom.localName(child) && !dom.contains(same, shown)) {
      if (same === place) place = dom.nextSibling(place);
      else move(shown, same, place);
      work.push([same, child, old.get(key)]);
    } else if (key === undefined && place && dom.nodeType(place) === dom.nodeType(child) && !dom.isElement(place)) {
      if (place.data !== child.data) place.data = child.data;
      place = dom.nextSibling(place);
    } else if (isDrawn(child) && isDrawn(place) && dom.localName(place) === dom.localName(child)) {
      work.push([place, child, dom.cloneNode(place, false)]);
      place = dom.nextSibling(place);
    } else {
      const added = dom.importNode(dom.ownerDocument(shown), child, false);
      dom.insertBefore(shown, added, place);
      if (key !== undefined) known.set(key, added);
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
