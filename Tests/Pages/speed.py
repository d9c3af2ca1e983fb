"""The speed of the inspector on a page of 110,008 nodes: script/inspector-speed has the description."""

import argparse
import http.client
import json
import pathlib
import re
import statistics
import threading
import time
import urllib.parse

import browser
import table
from mirror import ROOT, Mirror

VIEW = "e_table10k"
LIMITS = {
    "page, gzip": 40_000, "first paint": 300, "main thread, median": 5, "main thread, p99": 16, "last version shown after": 1_000,
    "scripts": 60_000,
}


# Marks in the trace when the script requests the page, when it only writes how many versions are newer, and when it shows the
# regions that waited. `shownAt` is when the header has named the newest version: a question to the page would be work of its thread.
MARK = """() => {
  const { fetch } = window;
  window.fetch = (...request) => {
    performance.mark("request");
    return fetch(...request);
  };
  const state = document.querySelector(".stream .state");
  new MutationObserver(() => state.textContent.includes("newer") && performance.mark("count")).observe(state, { childList: true });
  const version = document.getElementById("versions");
  const changes = { childList: true, characterData: true, subtree: true };
  new MutationObserver(() => (window.shownAt = Date.now())).observe(version, changes);
  const facts = document.getElementById("facts");
  new MutationObserver(() => facts.dataset.late ?? performance.mark("complete")).observe(facts, { attributeFilter: ["data-late"] });
}"""


class Poster:
    """Posts diffs over one connection, as a feed does."""

    def __init__(self, mirror):
        self.connection = http.client.HTTPConnection(urllib.parse.urlparse(mirror.address).netloc)
        self.number = 0

    def post(self):
        self.number += 1
        body = json.dumps(table.diff(self.number), separators=(",", ":"))
        self.connection.request("POST", f"/views/{VIEW}/diffs", body, {"Accept": "application/json"})
        answer = self.connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status

    def steadily(self, rate, seconds):
        begin = time.monotonic()
        for number in range(rate * seconds):
            time.sleep(max(0, begin + number / rate - time.monotonic()))
            self.post()


def size_of_page(mirror):
    connection = http.client.HTTPConnection(urllib.parse.urlparse(mirror.address).netloc)
    connection.request("GET", f"/views/{VIEW}", headers={"Accept": "text/html", "Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    assert answer.getheader("Content-Encoding") == "gzip"
    return len(answer.read())


def scripts():
    """The sizes of the modules that the page of a view loads."""
    sizes, wanted = {}, [ROOT / "Public/inspector/inspector.js"]
    while wanted:
        file = wanted.pop().resolve()
        if file in sizes:
            continue
        sizes[file] = file.stat().st_size
        wanted += [file.parent / path for path in re.findall(r'from "(\.[^"]+)"', file.read_text())]
    return sizes


def wait(page, expression):
    """Waits until an expression is true. Returns its value."""
    for _ in range(3_000):
        if value := page.evaluate(expression):
            return value
        page.wait_for_timeout(10)
    raise SystemExit(f"never true: {expression}")


def first_paint(chromium, mirror):
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(f"{mirror.address}/views/{VIEW}")
    paint = wait(page, "performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    context.close()
    return paint


def memory(session):
    session.send("HeapProfiler.collectGarbage")
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    return {"heap": metrics["JSHeapUsedSize"], "nodes": metrics["Nodes"], "listeners": metrics["JSEventListeners"]}


def updates(trace):
    """The work of the page's main thread in milliseconds of processor time, one sum for each update of the page.

    An update begins with a mark (``MARK``) and ends when the next one begins. All tasks of the thread between these times are added:
    events of the stream, the answer, the changes of elements, style, layout and paint. Nothing is left out.

    Returns the sums by the name of the mark, the longest task, and the parts of all updates.
    """
    events = json.loads(trace)["traceEvents"]
    marks = [event for event in events if event["name"] in ("request", "count", "complete") and "blink.user_timing" in event["cat"]]
    marks.sort(key=lambda event: event["ts"])
    process, thread = marks[0]["pid"], marks[0]["tid"]
    starts = [event["ts"] for event in marks]
    tasks = [event for event in events if event["name"] == "ThreadControllerImpl::RunTask" and event["pid"] == process
             and event["tid"] == thread and event.get("ph") == "X"]
    sums, longest = [0.0] * len(starts), 0.0
    for task in tasks:
        time_used = task.get("tdur", task["dur"]) / 1000
        position = sum(1 for start in starts if start <= task["ts"] + task["dur"]) - 1
        if position >= 0:
            sums[position] += time_used
            longest = max(longest, time_used)
    names = {}
    for event in events:
        if event["pid"] == process and event["tid"] == thread and event.get("ph") == "X" and event["ts"] >= starts[0]:
            names[event["name"]] = names.get(event["name"], 0) + event.get("tdur", event.get("dur", 0)) / 1000
    sums_by_name = {"request": [], "count": [], "complete": []}
    # The first update has started the script.
    for total, mark in list(zip(sums, marks))[1:]:
        sums_by_name[mark["name"]].append(total)
    return sums_by_name, longest, {name: total / len(starts) for name, total in names.items()}


def live(chromium, mirror, poster, options):
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(f"{mirror.address}/views/{VIEW}{options.query}")
    browser.settle(page)
    page.wait_for_timeout(1000)
    session = context.new_cdp_session(page)
    session.send("Performance.enable")
    # A second of updates, so that the functions are compiled.
    poster.steadily(options.rate, 1)
    page.wait_for_timeout(2500)
    before = memory(session)
    page.evaluate(MARK)
    # Each further category costs time in the thread that is measured.
    parts = ["devtools.timeline", "disabled-by-default-devtools.timeline"] if options.parts or options.trace else []
    chromium.start_tracing(page=page, categories=["toplevel", "blink.user_timing", *parts])
    thread = threading.Thread(target=poster.steadily, args=(options.rate, options.seconds))
    thread.start()
    while thread.is_alive():
        page.wait_for_timeout(100)
    end = time.time()
    page.wait_for_timeout(2500)
    trace = chromium.stop_tracing()
    newest = mirror.get(f"/views/{VIEW}")["version"]
    wait(page, f"document.querySelector('header .version').textContent.includes('{newest}')")
    backlog = max(0, page.evaluate("window.shownAt") - 1000 * end)
    if options.trace:
        pathlib.Path(options.trace).write_bytes(trace)
    after = memory(session)
    context.close()
    return updates(trace), backlog, before, after


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", type=int, default=10_000, help="diffs in the log before the measurement")
    parser.add_argument("--rate", type=int, default=50, help="diffs per second")
    parser.add_argument("--seconds", type=int, default=25, help="25 are more than 100 updates, so the 99th percentile is not the largest")
    parser.add_argument("--query", default="", help="the parameters of the page")
    parser.add_argument("--trace", help="a file for the trace, for Chrome's Performance panel")
    parser.add_argument("--parts", action="store_true", help="also print the parts of an update")
    options = parser.parse_args()
    with Mirror("--versions", str(options.log + 2_000)) as mirror, browser.chromium() as chromium:
        mirror.post(f"/views/{VIEW}/rendered", table.rendered())
        poster = Poster(mirror)
        for _ in range(options.log):
            poster.post()
        view = mirror.get(f"/views/{VIEW}")
        paints = [first_paint(chromium, mirror) for _ in range(15)]
        (sums, longest, parts), backlog, before, after = live(chromium, mirror, poster, options)
        requests, arriving = sums["request"], sums["request"] + sums["count"]
        rows = [
            ("nodes", f"{view['nodes']:,}", None), ("diffs in the log", f"{view['log']['entries']:,}", None),
            ("page, gzip", size_of_page(mirror), "B"), ("scripts", sum(scripts().values()), "B"),
            ("first paint", statistics.median(paints[1:]), "ms"), ("updates of the page", len(arriving), ""),
            ("of these, with a request", len(requests), ""),
            ("main thread, median", statistics.median(arriving), "ms"), ("main thread, p99", percentile(arriving, 0.99), "ms"),
            ("main thread with a request, median", statistics.median(requests), "ms"),
            ("main thread with a request, maximum", max(requests), "ms"),
            ("main thread, all updates, for each diff", sum(arriving) / (options.rate * options.seconds), "ms"),
            ("main thread, complete page after the last diff", sum(sums["complete"]), "ms"),
            ("longest task", longest, "ms"), ("last version shown after", backlog, "ms"),
            ("heap before", before["heap"] / 1e6, "MB"), ("heap after", after["heap"] / 1e6, "MB"),
            ("elements and texts before", before["nodes"], ""), ("elements and texts after", after["nodes"], ""),
        ]
        print("| | | limit |\n| --- | --: | --: |")
        failed = []
        for name, value, unit in rows:
            limit = LIMITS.get(name)
            text = value if unit is None else f"{value:,.1f} {unit}".replace(".0 ", " ").strip()
            print(f"| {name} | {text} | {f'{limit:,} {unit}' if limit else ''} |")
            if limit and value > limit:
                failed.append(name)
        if options.parts:
            for name, total in sorted(parts.items(), key=lambda part: -part[1])[:25]:
                print(f"{total:8.3f} ms  {name}")
        print(f"over the limit: {', '.join(failed)}" if failed else "within all limits")


main()
