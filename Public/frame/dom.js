// @ts-check
// Members of DOM objects as their prototypes define them. The elements of a hostile document can
// hide them: in a form with `<input name="attributes">`, `form.attributes` is that input, and with
// `<img name="body">`, `document.body` is that image.

const member = (prototype, name) => {
  const { get, value } = Object.getOwnPropertyDescriptor(prototype, name);
  return (object, ...values) => (get ?? value).apply(object, values);
};

const setter = (prototype, name) => {
  const { set } = Object.getOwnPropertyDescriptor(prototype, name);
  return (object, value) => set.call(object, value);
};

// The members of a class, by their names.
/** @returns {Record<string, (object: any, ...values: any[]) => any>} */
const members = ({ prototype }) => new Proxy({}, { get: (_, name) => member(prototype, name) });

const { documentElement } = members(Document);
export const { importNode, activeElement, createElement, createTextNode } = members(Document);
export const { querySelectorAll: querySelectorAllIn } = members(DocumentFragment);
export const { attributes, getAttribute, hasAttribute, setAttribute, removeAttribute } = members(Element);
export const { localName, closest, querySelector, querySelectorAll, getBoundingClientRect } = members(Element);
export const { nodeType, firstChild, parentNode, nextSibling, childNodes, textContent } = members(Node);
export const { ownerDocument, isConnected, cloneNode, contains, insertBefore, removeChild } = members(Node);
export const { elements } = members(HTMLFormElement);
export const setInnerHTML = setter(Element.prototype, "innerHTML");

export const body = (page) => documentElement(page) && querySelector(documentElement(page), "body");
export const isElement = (node) => nodeType(node) === Node.ELEMENT_NODE;

// The element of an event: of a document or window, the body.
export const targetElement = (target) => {
  if (target.window === target) return body(target.document);
  return isElement(target) ? target : body(target);
};

// The content of a template is a document fragment of its own.
export const contentOf = (element) => (localName(element) === "template" && element.content) || element;
