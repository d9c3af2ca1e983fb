// @ts-check
// Closes an open menu of the header when a reader clicks elsewhere, follows a link in it, or presses
// Escape, which also returns the focus to the menu. Without this script, a click on the menu closes
// it.

const open = () => /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.menu[open]"));

export function closeMenus() {
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    for (const menu of open()) if (!menu.contains(target) || target.closest("a")) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of open()) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
      event.stopPropagation();
    }
  }, true);
}
