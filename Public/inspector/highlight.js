// @ts-check
// Highlights what belongs together while the pointer or the focus is on it: the line of a node in
// the tree, its links in the details, the slots of the diff that changed it, and its element in the
// mirror. Used by inspector.js.

const numbers = (element) => {
  const named = element.closest?.("[data-nodes], [data-node], #nodes > li");
  if (!named) return [];
  if (named.dataset.nodes !== undefined) return named.dataset.nodes.split(" ").filter(Boolean).slice(0, 200);
  if (named.dataset.node !== undefined) return [named.dataset.node];
  return named.id.startsWith("n") ? [named.id.slice(1)] : [];
};

// `also(numbers)` highlights nodes elsewhere.
export function highlight(also) {
  let lit = [];
  let last = "";
  const light = (nodes) => {
    if (nodes.join() === last) return;
    last = nodes.join();
    for (const element of lit) delete element.dataset.lit;
    const selectors = nodes.flatMap((node) => [`#n${node}`, `[data-node="${node}"]`, `[data-nodes~="${node}"]`]);
    lit = selectors.length ? [...document.querySelectorAll(selectors.join())] : [];
    for (const element of lit) element.dataset.lit = "";
    also(nodes);
  };
  for (const type of ["mouseover", "focusin"]) document.addEventListener(type, ({ target }) => light(numbers(target)));
  document.addEventListener("mouseleave", () => light([]));
  return light;
}
