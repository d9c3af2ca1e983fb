"""What schemathesis needs to know besides the description: see script/contract.

The program has the views `main` and `lv:phx-1~tab`, and the page `tab`, whose carrier runs here: it answers every push with a
diff. Generated ids of GET requests are mapped to these, so that most of them find something.
"""

import itertools
import json
import os
import threading
import time

import requests
import schemathesis
from schemathesis.openapi.checks import JsonSchemaError, UseAfterFree

MIRROR = os.environ["MIRROR_URL"]
session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['MIRROR_TOKEN']}"


# The content of the mirror.

# A form, a live link and a JS command, for the actions of `POST /views/{view}/push`.
BINDINGS = (
    '</p><form id="form" phx-change="validate" phx-submit="save"><input name="name" value="a"><input type="checkbox" name="ok">'
    '<button name="by" value="1">save</button></form><a id="next" href="/next" data-phx-link="patch" data-phx-link-state="push">next</a>'
    """<b id="js" phx-click='[["dispatch",{"event":"click","to":"#count"}],["push",{"event":"inc"}]]'>js</b>"""
)


def join(topic, content="0"):
    rendered = {"0": content, "s": ['<p id="count" phx-click="inc">', BINDINGS], "t": "Counter"}
    return ["4", "4", topic, "phx_reply", {"response": {"rendered": rendered}, "status": "ok"}]


def feed():
    session.post(f"{MIRROR}/views/main/rendered", json=join("main")[4]["response"]).raise_for_status()
    for count in range(1, 4):
        session.post(f"{MIRROR}/views/main/diffs", json={"0": str(count)}).raise_for_status()
    session.post(f"{MIRROR}/pages/tab", json={"url": "http://localhost:4000/", "carrier": True}).raise_for_status()
    session.post(f"{MIRROR}/frames?page=tab", json=[join("lv:phx-1")]).raise_for_status()


def carry():
    """The carrier of the page `tab`: sends each pushed event to a LiveView that answers at once."""
    reader = requests.Session()
    reader.headers.update(session.headers)
    refs = itertools.count(10)
    while True:
        try:
            with reader.get(f"{MIRROR}/pages/tab/pushes", stream=True, timeout=60) as response:
                for line in response.iter_lines(chunk_size=1):
                    if line.startswith(b"data: "):
                        answer(reader, json.loads(line[6:]), str(next(refs)))
        except (requests.RequestException, ValueError):
            pass
        # Another reader has replaced the carrier, or the page is gone.
        time.sleep(0.05)


def answer(reader, push, ref):
    reply = {"response": {"diff": {"0": ref}}, "status": "ok"}
    frames = [
        ["4", ref, push["topic"], push["event"], push["payload"]],
        ["4", ref, push["topic"], "phx_reply", reply],
    ]
    reader.post(f"{MIRROR}/frames?page=tab", json=frames)


@schemathesis.hook
def after_load_schema(context, schema):
    feed()
    threading.Thread(target=carry, daemon=True).start()


# Lines of JSON, which schemathesis does not know.

LINES = [
    join("lv:phx-1"),
    join("lv:phx-9"),
    ["4", "9", "lv:phx-1", "event", {"type": "click", "event": "inc", "value": {}}],
    ["4", "9", "lv:phx-1", "phx_reply", {"response": {"diff": {"0": "9"}}, "status": "ok"}],
    ["4", None, "lv:phx-1", "diff", {"0": "8"}],
    ["4", None, "lv:phx-1", "diff", {"7": "there is no such slot"}],
    {"at": 1764000000000, "sent": False, "frame": join("lv:phx-1")},
    {"view": "lv:phx-7", "epoch": 1, "over": "dead", "dialect": "html", "rendered": {"s": ["<p></p>"]}},
]


def are_lines(text):
    try:
        return bool([json.loads(line) for line in text.split("\n") if line])
    except ValueError:
        return False


@schemathesis.serializer("application/x-ndjson")
def write_lines(context, value):
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


@schemathesis.deserializer("application/x-ndjson")
def read_lines(context, response):
    text = response.content.decode()
    if not are_lines(text):
        raise ValueError("a line is not JSON")
    return text


# Requests.

KNOWN = {
    "view": ["main", "lv:phx-1~tab"],
    "page": ["tab"],
    "node": [1, 2, 3],
    "version": [0, 1, 2, 3],
    "file": ["inspector.css", "tap.js", "favicon.svg"],
}


def is_valid_alone(case):
    """Whether a request is valid, and is not a step of a sequence, whose ids are those of the steps before it."""
    meta = case.meta
    return meta is not None and not meta.generation.mode.is_negative and meta.phase.name.value != "stateful"


@schemathesis.hook
def map_case(context, case):
    """Two of three valid requests name something that exists. Valid lines of JSON are lines that the mirror knows."""
    if not is_valid_alone(case):
        return case
    if case.method == "GET":
        for name, value in (case.path_parameters or {}).items():
            values, choice = KNOWN.get(name, []), len(str(value)) % 3
            if values and choice > 0:
                case.path_parameters[name] = values[choice % len(values)]
    # Almost every number is an epoch that has not begun. A patch requires an epoch.
    epoch = (case.query or {}).get("epoch")
    if epoch is not None and len(str(epoch)) % 3 > 0 and not case.path.endswith("/patch"):
        del case.query["epoch"]
    if case.media_type == "application/x-ndjson" and isinstance(case.body, str) and not are_lines(case.body):
        case.body = "".join(json.dumps(line) + "\n" for line in LINES[: len(case.body) % len(LINES) + 1])
    return case


@schemathesis.hook
def before_call(context, case, kwargs):
    """A subscription ends with its view, so one is made for each valid request that needs one."""
    if "{id}" in case.path and case.path_parameters and is_valid_alone(case):
        subscriptions = f"{MIRROR}/views/main/subscriptions"
        response = session.post(subscriptions, json={"node": 2})
        if response.status_code == 404:
            feed()
            response = session.post(subscriptions, json={"node": 2})
        if response.status_code == 201 and len(str(case.path_parameters.get("view"))) % 3 > 0:
            case.path_parameters.update(view="main", id=response.json()["id"])


@schemathesis.hook
def filter_query(context, query):
    """A push that nobody answers waits at most this long."""
    try:
        return not 0.2 < float((query or {}).get("wait", 0)) <= 60
    except (TypeError, ValueError):
        return True




# Responses.


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """DELETE ends a page, but the page stays readable until it is evicted: this is no use after free.

    With `fields`, a response lacks members that its schema requires.
    """
    if isinstance(failure, JsonSchemaError) and "fields" in (case.query or {}):
        return False
    return not (isinstance(failure, UseAfterFree) and case.path.startswith("/pages/"))
