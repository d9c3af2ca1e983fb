"""Every page and state, checked by axe-core: script/accessibility has the description."""

import argparse
import importlib.resources
import itertools
import sys

import browser
import states
from mirror import Mirror

AXE = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()

# The content of a frame is the app's own page, so its findings are the app's.
RUN = """() => axe.run(document, { iframes: false, resultTypes: ["violations"] }).then(({ violations }) =>
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

# name, width and height in CSS pixels, device pixels for each. At 200 %, a window of 1440 px has 720 CSS pixels.
WINDOWS = [("1440 px", 1440, 900, 1), ("320 px", 320, 640, 1), ("200 %", 720, 450, 2)]


def check(page, state):
    page.evaluate(AXE)
    return page.evaluate(RUN) + page.evaluate(OVERFLOW)


def opened(context, address, state, complaints):
    page = context.new_page()
    page.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address + state.path)
    browser.settle(page)
    state.act(page)
    page.wait_for_timeout(50)
    return page


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="only the states whose names contain this text")
    options = parser.parse_args()
    found, count = {}, 0
    with Mirror() as mirror, browser.chromium() as chromium:
        views = states.feed(mirror)
        all_states = [state for state in states.of(mirror, views) if options.only in state.name]
        with Mirror() as empty:
            all_states = [(mirror, state) for state in all_states]
            if options.only in "empty index":
                all_states.append((empty, states.State("empty index", "/")))
            for (name, width, height, scale), is_frame in itertools.product(WINDOWS, (False, True)):
                context = chromium.new_context(
                    viewport={"width": width, "height": height}, device_scale_factor=scale, bypass_csp=is_frame,
                    reduced_motion="reduce")
                for server, state in all_states:
                    if state.is_frame != is_frame:
                        continue
                    complaints = []
                    page = opened(context, server.address, state, complaints)
                    for scheme in ("light", "dark"):
                        page.emulate_media(color_scheme=scheme)
                        for finding in check(page, state):
                            key = (finding["rule"], finding["help"], finding["place"], finding["why"])
                            found.setdefault(key, []).append(f"{state.name}, {name}, {scheme}")
                        count += 1
                    for complaint in complaints:
                        # A 404 of the page itself is not an error of the page.
                        if "404" not in complaint and "410" not in complaint:
                            found.setdefault(("console", complaint, "", ""), []).append(f"{state.name}, {name}")
                    page.close()
                context.close()
    for (rule, help_text, place, why), where in found.items():
        print(f"✗ {rule}: {place}\n    {help_text}. {why}\n    {len(where)} times: {'; '.join(where[:4])}")
    print(f"{count} states checked, {len(found)} findings")
    sys.exit(1 if found else 0)


main()
