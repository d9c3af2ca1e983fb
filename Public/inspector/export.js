// @ts-check
// Copies the address of the page, and saves the page as one file that shows the same without the
// mirror: its style sheet, and the rendered pages in its frames, are part of the file. inspector.js
// loads this module when a reader uses one of the two buttons of the menu Export.

import { request } from "../frame/requests.js";

export async function copyLink() {
  // An address without a version follows the newest one, so it is completed.
  const { href } = /** @type {HTMLAnchorElement} */ (document.querySelector(".versions .version"));
  await navigator.clipboard.writeText(href);
  return "the link is copied";
}

export async function savePage() {
  const copy = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));
  for (const element of copy.querySelectorAll("script, link, .stream, button")) element.remove();
  const style = document.createElement("style");
  const sheets = [...document.querySelectorAll("link[rel=stylesheet]")].map((link) => /** @type {HTMLLinkElement} */ (link).href);
  style.textContent = (await Promise.all(sheets.map((address) => request(address, "text/css")))).join("\n");
  copy.querySelector("head").append(style);
  const frames = [...copy.querySelectorAll("iframe")];
  await Promise.all(frames.map(async (frame) => {
    frame.srcdoc = await request(frame.src, "text/html");
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
