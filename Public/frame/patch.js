// @ts-check
// The patcher for the differences between two versions: applies when the mirror sends them, which
// is the usual case. `Frame` calls it, first for a copy of the page and then for the shown page. It
// finds the elements by their numbers. Without such a patch, whole.js applies.

import * as dom from "./dom.js";
import { move, setAttribute, setField } from "./elements.js";
import { byNumber, numberedIn, numberOf, root } from "./numbers.js";

// The page does not have the structure that a patch expects: a browser cannot write every document
// as markup and read it again.
export class ChangedStructure extends Error {}

export class PatchedPage {
  #elements;

  constructor(page) {
    this.page = page;
    this.#elements = byNumber(dom.body(page));
  }

  // The element with a number.
  find(number) {
    return number === root ? dom.body(this.page) : this.#elements.get(number);
  }

  #known(number) {
    const element = this.find(number);
    if (!element) throw new ChangedStructure();
    return element;
  }

  #forget(top) {
    for (const element of numberedIn(top)) {
      const number = numberOf(element);
      if (this.#elements.get(number) === element) this.#elements.delete(number);
    }
  }

  // MARK: Applying

  apply({ epoch, version, attributes, removed, runs }) {
    const body = dom.body(this.page);
    if (dom.getAttribute(body, "data-mirror-epoch") !== String(epoch)) throw new ChangedStructure();
    for (const { node, attributes: changes } of attributes) this.#setAttributes(this.#known(node), changes);
    for (const run of runs) this.#place(run);
    for (const number of removed) {
      const element = this.#elements.get(number);
      if (!element) continue;
      this.#forget(element);
      const parent = dom.parentNode(element);
      if (parent) dom.removeChild(parent, element);
    }
    dom.setAttribute(body, "data-mirror-version", String(version));
  }

  #setAttributes(element, changes) {
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) dom.removeAttribute(element, name);
      else setAttribute(element, name, value);
    }
    setField(element, Object.keys(changes));
  }

  // Makes what lies between two children equal to the content of the run. Elements that lie there
  // and do not belong there are moved by another run or removed at the end.
  #place({ parent: number, after: first, before: last, content }) {
    const element = this.#known(number);
    const parent = dom.contentOf(element);
    const after = first === null ? null : this.#known(first);
    const end = last === null ? null : this.#known(last);
    if ((after && dom.parentNode(after) !== parent) || (end && dom.parentNode(end) !== parent)) throw new ChangedStructure();
    let place = after ? dom.nextSibling(after) : dom.firstChild(parent);
    const own = new Set(content.map(({ node }) => node).filter((node) => node !== undefined));
    for (const item of content) {
      while (place && place !== end && dom.isElement(place) && !own.has(numberOf(place))) place = dom.nextSibling(place);
      if (item.node !== undefined && this.#elements.has(item.node)) {
        const kept = this.#elements.get(item.node);
        if (kept === place) place = dom.nextSibling(place);
        else if (dom.contains(kept, parent)) throw new ChangedStructure();
        else move(parent, kept, place);
        continue;
      }
      if (item.node !== undefined && item.markup === undefined) throw new ChangedStructure();
      const made = item.markup === undefined ? null : this.#parsed(element, item);
      const [type, data] = made ? [dom.nodeType(made), made.data] : [Node.TEXT_NODE, item.text];
      if (place && place !== end && dom.nodeType(place) === type && !dom.isElement(place)) {
        if (place.data !== data) place.data = data;
        place = dom.nextSibling(place);
      } else {
        dom.insertBefore(parent, made ?? dom.createTextNode(this.page, data), place);
        if (made && dom.isElement(made)) this.#adopt(made);
      }
    }
    while (place !== end) {
      if (!place) throw new ChangedStructure();
      const rest = dom.nextSibling(place);
      if (!dom.isElement(place)) dom.removeChild(parent, place);
      else if (numberOf(place) === undefined) throw new ChangedStructure();
      place = rest;
    }
    if (dom.localName(element) === "textarea") setField(element, [], dom.textContent(element));
  }

  // The node of an item's markup, parsed as a child of an element.
  #parsed(parent, { markup, node }) {
    const holder = dom.contentOf(dom.importNode(this.page, parent, false));
    const target = dom.isElement(holder) ? holder : dom.createElement(this.page, "template");
    dom.setInnerHTML(target, markup);
    const made = dom.firstChild(dom.contentOf(target));
    if (!made || dom.nextSibling(made)) throw new ChangedStructure();
    if (node !== undefined && numberOf(made) !== node) throw new ChangedStructure();
    return made;
  }

  // Adds a new element. Elements below it that the page has already are moved into it, and keep
  // their state.
  #adopt(top) {
    for (const element of numberedIn(top)) {
      const known = this.#elements.get(numberOf(element));
      if (!known) this.#elements.set(numberOf(element), element);
      else if (known !== element && dom.contains(top, element) && !dom.contains(known, top)) {
        const parent = dom.parentNode(element);
        move(parent, known, element);
        dom.removeChild(parent, element);
      }
    }
  }
}
