"""Every page and state, checked by axe-core: script/accessibility has the description."""

import argparse
import concurrent.futures
import importlib.resources
import os
import sys
import time

import browser
import states
from mirror import Mirror

AXE = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()

# The content of a frame is the app's own page, so its findings are the app's. Only the rule of contrasts depends on the colours, so the
# other rules are checked once for both.
RUN = """(isDark) => axe.run(document, {
  iframes: false, preload: false, resultTypes: ["violations"], ...(isDark ? { runOnly: ["color-contrast"] } : {}),
}).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) => nodes.map((node) => ({
    rule: id, help, place: node.target.join(" "), why: (node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? "" }))))"""

# What only a narrow window can show: the page must not scroll to both directions.
OVERFLOW = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.body.querySelectorAll("*")].filter((element) => element.getBoundingClientRect().right > clientWidth + 1
    && !element.closest(".scroll, pre, #content"));
  const name = (element) => element.localName + (element.id ? "#" + element.id : "") + [...element.classList].map((c) => "." + c).join("");
  return [{ rule: "overflow", help: `the page is ${scrollWidth} px wide`, place: wide.slice(0, 3).map(name).join(", "), why: "" }];
}"""

# Name, width and height in CSS pixels. At 200 %, a window of 1440 by 900 px has half as many CSS pixels.
WINDOWS = [("1440 px", 1440, 900), ("320 px", 320, 640), ("200 %", 720, 450)]


def opened(context, address, state, complaints):
    page = context.new_page()
    page.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address + state.path)
    browser.settle(page)
    state.act(page)
    page.evaluate(AXE)
    return page


def check(context, address, state):
    """Returns pairs of a finding and its place, and how many combinations of window and colours were checked."""
    found, count, complaints = [], 0, []
    page = opened(context, address, state, complaints)
    for window, width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(50)
            findings = page.evaluate(RUN, scheme == "dark") + (page.evaluate(OVERFLOW) if scheme == "light" else [])
            for finding in findings:
                key = tuple(finding[part] for part in ("rule", "help", "place", "why"))
                found.append((key, f"{state.name}, {window}, {scheme}"))
            count += 1
    page.close()
    # A document in a frame has no scripts, and asks for images of its app that do not exist here.
    for complaint in complaints if not state.is_frame else []:
        # A problem page is not an error of the page, and the policy blocks the images of an app.
        if "responded with a status of 4" not in complaint and "directive: \"img-src" not in complaint:
            found.append((("console", complaint, "", ""), state.name))
    return found, count


def share(only, first, step):
    """Checks every `step`th state from the state `first` on, with a browser and servers of its own."""
    found, count = [], 0
    with Mirror() as mirror, Mirror() as empty, browser.chromium() as chromium:
        everything = [(mirror, state) for state in states.of(mirror, states.feed(mirror))]
        everything.append((empty, states.State("empty index", "/")))
        chosen = [(server, state) for server, state in everything if only in state.name]
        contexts = {
            is_frame: chromium.new_context(bypass_csp=is_frame, reduced_motion="reduce", viewport={"width": 1440, "height": 900})
            for is_frame in (False, True)
        }
        for server, state in chosen[first::step]:
            started = time.monotonic()
            findings, checked = check(contexts[state.is_frame], server.address, state)
            found += findings
            count += checked
            print(f"{state.name}: {len(findings)} findings, {time.monotonic() - started:.1f} s", flush=True)
    return found, count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="only the states whose names contain this text")
    options = parser.parse_args()
    workers = min(4, os.cpu_count() or 1)
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        shares = [pool.submit(share, options.only, first, workers) for first in range(workers)]
        results = [each.result() for each in shares]
    found, count = {}, sum(checked for _, checked in results)
    for key, where in (pair for pairs, _ in results for pair in pairs):
        found.setdefault(key, []).append(where)
    for (rule, help_text, place, why), where in found.items():
        print(f"✗ {rule}: {place}\n    {help_text}. {why}\n    {len(where)} times: {'; '.join(where[:4])}")
    print(f"{count} states checked, {len(found)} findings")
    sys.exit(1 if found or not count else 0)


if __name__ == "__main__":
    main()
