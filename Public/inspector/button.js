// @ts-check
// A button that does not send a form. Scripts add their own controls with it.
export function button(properties, onClick) {
  const element = Object.assign(document.createElement("button"), { type: "button", ...properties });
  element.addEventListener("click", onClick);
  return element;
}
