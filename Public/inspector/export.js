// @ts-check
// Copies the address of the page, and saves the page as one file that shows the same without the
// mirror: its style sheet, and the rendered pages in its frames, are part of the file. inspector.js
// loads this module when a reader uses one of the two buttons of the menu Share.

import { request } from "../frame/requests.js";

// An address without a version follows the newest one. This link names the version and the epoch.
const state = () => /** @type {HTMLAnchorElement} */ (document.querySelector(".versions .version")).href;

export async function copyLink() {
  await navigator.clipboard.writeText(state());
  return "the link is copied";
}

export async function savePage() {
  const copy = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));
  for (const element of copy.querySelectorAll("script, link, form, .controls, button")) element.remove();
  const style = document.createElement("style");
  const sheets = [...document.querySelectorAll("link[rel=stylesheet]")].map((link) => /** @type {HTMLLinkElement} */ (link).href);
  style.textContent = (await Promise.all(sheets.map((address) => request(address, "text/css")))).join("\n");
  copy.querySelector("head").append(style);
  const frames = [...copy.querySelectorAll("iframe")];
  await Promise.all(frames.map(async (frame) => {
    const address = new URL(frame.src);
    for (const name of ["version", "epoch"]) address.searchParams.set(name, new URL(state()).searchParams.get(name));
    frame.srcdoc = await request(address, "text/html");
    frame.removeAttribute("src");
    frame.setAttribute("sandbox", "");
  }));
  for (const link of copy.querySelectorAll("a[href]")) link.setAttribute("href", new URL(link.getAttribute("href"), location.href).href);
  const file = new Blob([`<!DOCTYPE html>\n${copy.outerHTML}`], { type: "text/html" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${document.title.replace(/[^\w.-]+/g, "-")}.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  return "the page is saved";
}
