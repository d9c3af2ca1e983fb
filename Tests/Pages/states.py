"""Every page of the inspector, in every state that looks different."""

import dataclasses
import json
import pathlib
import typing

ELEMENTS = pathlib.Path(__file__).parent / "elements.native"


@dataclasses.dataclass
class State:
    name: str
    path: str
    # Brings the loaded page into the state.
    act: typing.Callable = lambda page: None
    # The document in the frame has no scripts, so axe needs a page without the policy of the frame.
    is_frame: bool = False


def first_removed(mirror, view):
    """The first element that a diff removed, as (node, version)."""
    for entry in mirror.get(f"/views/{view}/log?limit=1000")["entries"]:
        for change in entry.get("changes", []):
            if change["op"] == "remove":
                return change["node"], entry["version"]
    raise SystemExit(f"no diff of {view} removes a node")


def feed(mirror):
    """Fills the mirror. Returns the names of the views that the states use."""
    views = {name: mirror.feed(name, name.split("_", 1)[1].replace("_", "-"))[0] for name in
             ["01_counter", "03_todo", "05_components", "07_streams", "08_form", "12_nested_lv", "13_big_table",
              "15_todo_debug", "16_dashboard"]}
    views["native"] = mirror.feed("n02_todo", "native", folder="native-1.0.18")[0]
    views["other native"] = mirror.feed("n05_text", "native-text", folder="native-1.0.18")[0]
    counter = views["01_counter"]
    mirror.post(f"/views/{counter}/diffs", '{"9":{"s":["no such slot"]}}')
    mirror.post(f"/views/{counter}/diffs", "not json")
    mirror.post("/views/plain/rendered", '{"0":"0","s":["<main><p>","</p></p><b id=a></b><b id=a></b></main>"]}')
    # A view with two epochs, a removed view, and all elements of LiveView Native.
    mirror.post("/views/epochs/rendered", '{"0":"0","s":["<p>","</p>"]}')
    mirror.post("/views/epochs/diffs", '{"0":"1"}')
    mirror.post("/views/epochs/rendered", '{"0":"2","s":["<p id=second>","</p>"]}')
    mirror.post("/views/removed/rendered", '{"0":"0","s":["<p>","</p>"]}')
    mirror.request("DELETE", "/views/removed")
    mirror.post("/views/elements/rendered?dialect=native", {"s": [ELEMENTS.read_text()]})
    mirror.post("/frames?page=rejected", "not a frame")
    for node in (2, 4):
        mirror.post(f"/views/{views['03_todo']}/subscriptions", {"node": node, "label": "a label that is rather long"})
    mirror.post("/pages/form", {"url": "http://localhost:4000/form", "lost": {"frames": 3, "bytes": 4000}})
    mirror.post("/pages/form", {"closed": True})
    return views


def of(mirror, views):
    counter, todo, debug = views["01_counter"], views["03_todo"], views["15_todo_debug"]
    removed, removed_at = first_removed(mirror, todo)
    element = mirror.get(f"/views/{todo}/log?limit=1000")["entries"][-1]["notified"][0]
    element = element["node"] if isinstance(element, dict) else element
    states = [State("index", "/"), State("index with all opened", "/", opened)]

    def view(name, query="", act=lambda page: None, of=todo):
        states.append(State(name, f"/views/{of}{query}", act))

    view("newest version")
    view("past version", "?version=1")
    view("first version", "?version=0")
    view("rejected diff", of=counter, act=lambda page: page.evaluate(
        "document.querySelectorAll('#diffs details').forEach((details) => (details.open = true))"))
    view("all opened", of=debug, act=opened)
    view("past version, all opened", "?version=2", of=debug, act=opened)
    view("mount only", of="plain")
    view("selected node", f"?node={element}")
    view("removed node", f"?node={removed}")
    view("node not yet added", f"?version=0&node={removed}")
    view("unknown node", "?node=99999")
    for tab in ["diff", "steps", "node", "cost", "diagnostics", "subscribers", "view"]:
        view(f"tab {tab}", f"?tab={tab}")
        view(f"tab {tab}, debug annotations", f"?tab={tab}&version=3", of=debug)
    view("tab diagnostics with findings", "?tab=diagnostics", of="plain")
    for show in ["tree", "mirror", "both", "compare"]:
        view(f"shows {show}", f"?show={show}&version=3")
    view("shows compare, tree", "?show=compare&version=3&form=tree")
    view("shows compare, native", "?show=compare&with=0", of=views["native"])
    for by in ["source", "list", "slot"]:
        view(f"tab cost by {by}, sorted", f"?tab=cost&by={by}&sort=nodes", of=debug)
    for tab in ["steps", "node", "cost", "diagnostics", "subscribers", "view"]:
        view(f"tab {tab} of a view without diffs", f"?tab={tab}", of="plain")
    view("native view", of=views["native"])
    view("native view, mirror", "?show=mirror", of=views["native"])
    view("search with matches", "?find=li")
    view("search without matches", "?find=nosuchthing")
    view("filter with matches", "?filter=op:text")
    view("filter without matches", "?filter=nosuchthing")
    view("subtree", f"?under={element}")
    view("white space", "?blank=1", of=debug)
    view("large table", of=views["13_big_table"])
    view("streams", of=views["07_streams"])
    view("list of keys", act=lambda page: page.keyboard.press("?"))
    view("paused", act=lambda page: page.click(".stream button"))
    view("menus opened", of="epochs", act=opened)
    view("ended epoch", "?version=0&epoch=1", of="epochs")
    view("native elements", of="elements")
    view("native elements, both", "?show=both", of="elements")
    view("removed view", of="removed")
    view("unknown view", of="unknown")
    view("wrong parameter", "?tab=none")
    states.append(State("dropped epoch", "/views/epochs/subscribers?node=1&epoch=1"))
    states.append(State("unknown page", "/no/such/page"))
    view("unknown version", "?version=999")
    states.append(State("help on diagnostics", "/help/diagnostics"))
    states.append(State("mirror page", f"/views/{todo}/page"))
    states.append(State("mirror page of a past version", f"/views/{todo}/page?version=1"))
    states.append(State("mirror page of an ended epoch", "/views/epochs/page?version=0&epoch=1"))
    for name, native in [("native", views["native"]), ("other native", views["other native"]), ("elements", "elements")]:
        states.append(State(f"mirror page, {name}", f"/views/{native}/page"))
        states.append(State(f"document, {name}", f"/views/{native}/page?frame", is_frame=True))
    states.append(State("document, elements, all opened", "/views/elements/page?frame", opened, is_frame=True))
    return states


def opened(page):
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
