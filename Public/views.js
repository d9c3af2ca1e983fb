// Refreshes the list of views: it fetches the page again, and replaces the elements that differ.

import { Live } from "./live.js";
import { replaceContent } from "./regions.js";

const freshFor = 2500; // How long new elements are highlighted, in milliseconds.

async function refresh() {
  const answer = await fetch(location.href.split("#")[0], { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = ["header", "main"].flatMap((name) => replaceContent(document.querySelector(name), page.querySelector(name)));
  const marked = fresh.filter((element) => element.matches("li, tr, section"));
  for (const element of marked) element.dataset.fresh = "";
  setTimeout(() => marked.forEach((element) => delete element.dataset.fresh), freshFor);
}

new Live({ place: document.querySelector("header"), every: 3000, refresh });
