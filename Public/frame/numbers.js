// @ts-check
// The numbers of nodes in a mirrored document. The mirror writes the number of its node into each
// element that it draws, and an element keeps it as long as it is the same node.

import * as dom from "./dom.js";

const attribute = "data-mirror-node";
export const root = 1; // The document, whose children are those of the body.

// `undefined` for a node that is not an element, and for an element that is not of the document.
export const numberOf = (node) => {
  const number = dom.isElement(node) ? dom.getAttribute(node, attribute) : null;
  return number === null ? undefined : Number(number);
};

// The closest element with a number, from an element outwards.
export const closestNumbered = (element) => dom.closest(element, `[${attribute}]`);

// The elements with a number in a subtree, its top included, and in the contents of templates.
export function numberedIn(top) {
  const found = dom.hasAttribute(top, attribute) ? [top] : [];
  const work = [dom.contentOf(top)];
  for (let part = work.pop(); part; part = work.pop()) {
    const query = dom.isElement(part) ? dom.querySelectorAll : dom.querySelectorAllIn;
    found.push(...query(part, `[${attribute}]`));
    for (const template of query(part, "template")) if (dom.contentOf(template) !== template) work.push(dom.contentOf(template));
  }
  return found;
}

// The same by number. If a hostile document repeats a number, the first element has it.
export function byNumber(top) {
  const elements = new Map();
  for (const element of numberedIn(top)) if (!elements.has(numberOf(element))) elements.set(numberOf(element), element);
  return elements;
}
