// Members of DOM objects as their prototypes define them. The elements of a hostile document can hide them: in a form with
// `<input name="attributes">`, `form.attributes` is that input, and with `<img name="body">`, `document.body` is that image.

const member = (prototype, name) => {
  const { get, value } = Object.getOwnPropertyDescriptor(prototype, name);
  return (object, ...values) => (get ?? value).apply(object, values);
};

const setter = (prototype, name) => {
  const { set } = Object.getOwnPropertyDescriptor(prototype, name);
  return (object, value) => set.call(object, value);
};

export const body = (page) => documentElement(page) && querySelector(documentElement(page), "body");
const documentElement = member(Document.prototype, "documentElement");
export const importNode = member(Document.prototype, "importNode");
export const activeElement = member(Document.prototype, "activeElement");

export const createElement = member(Document.prototype, "createElement");
export const createTextNode = member(Document.prototype, "createTextNode");

export const querySelectorAllIn = member(DocumentFragment.prototype, "querySelectorAll");

export const setInnerHTML = setter(Element.prototype, "innerHTML");
export const attributes = member(Element.prototype, "attributes");
export const getAttribute = member(Element.prototype, "getAttribute");
export const hasAttribute = member(Element.prototype, "hasAttribute");
export const setAttribute = member(Element.prototype, "setAttribute");
export const removeAttribute = member(Element.prototype, "removeAttribute");
export const localName = member(Element.prototype, "localName");
export const closest = member(Element.prototype, "closest");
export const querySelector = member(Element.prototype, "querySelector");
export const querySelectorAll = member(Element.prototype, "querySelectorAll");

export const nodeType = member(Node.prototype, "nodeType");
export const firstChild = member(Node.prototype, "firstChild");
export const parentNode = member(Node.prototype, "parentNode");
export const nextSibling = member(Node.prototype, "nextSibling");
export const childNodes = member(Node.prototype, "childNodes");
export const ownerDocument = member(Node.prototype, "ownerDocument");
export const isConnected = member(Node.prototype, "isConnected");
export const cloneNode = member(Node.prototype, "cloneNode");
export const contains = member(Node.prototype, "contains");
export const insertBefore = member(Node.prototype, "insertBefore");
export const removeChild = member(Node.prototype, "removeChild");
export const textContent = member(Node.prototype, "textContent");

export const elements = member(HTMLFormElement.prototype, "elements");

export const isElement = (node) => nodeType(node) === Node.ELEMENT_NODE;

// The element of an event: of a document or window, the body.
export const targetElement = (target) => {
  if (target.window === target) return body(target.document);
  return isElement(target) ? target : body(target);
};

// The content of a template is a document fragment of its own.
export const contentOf = (element) => (localName(element) === "template" && element.content) || element;
