// @ts-check
// A button that does not send a form.
export function button(properties, onClick) {
  const element = Object.assign(document.createElement("button"), { type: "button", ...properties });
  element.addEventListener("click", onClick);
  return element;
}
