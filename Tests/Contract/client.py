"""Ten calls with the client that openapi-python-client generates from /openapi.json: see script/contract.

They show that the description generates a client, that the client builds the requests which the program expects, and that it
reads the responses.
"""

import os

from mirror_client import AuthenticatedClient
from mirror_client.api.nodes import find_nodes, show_tree
from mirror_client.api.feeding import mount_view, update_view
from mirror_client.api.server import check_health
from mirror_client.api.subscribers import count_subscribers, subscribe
from mirror_client.api.versions import show_log
from mirror_client.api.views import list_views, show_view
from mirror_client.models import Diff, NewSubscription, Problem, Rendered

client = AuthenticatedClient(base_url=os.environ["MIRROR_URL"], token=os.environ["MIRROR_TOKEN"])
VIEW = "generated-client"


def same(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"


same(check_health.sync(client=client).status, "ok")

rendered = Rendered.from_dict({"0": "0", "s": ['<p id="count">', "</p>"], "t": "Counter"})
mounted = mount_view.sync(VIEW, client=client, body=rendered)
same((mounted.view, mounted.epoch, mounted.version, mounted.nodes), (VIEW, 1, 0, 3))

updated = update_view.sync(VIEW, client=client, body=Diff.from_dict({"0": "1"}))
same((updated.version, updated.notified), (1, [2]))
same([(change.op, change.before, change.after) for change in updated.changes], [("text", "0", "1")])

same([view.title for view in list_views.sync(client=client).views if view.view == VIEW], ["Counter"])
same((show_view.sync(VIEW, client=client).diffs, show_view.sync("none", client=client).code), (1, "unknown-view"))

log = show_log.sync(VIEW, client=client, after="0", limit=10)
same([(entry.version, entry.cursor) for entry in log.entries], [(1, "1")])

tree = show_tree.sync(VIEW, client=client)
same([(node.tag, node.attributes.to_dict(), node.children[0].text) for node in tree.root.children], [("p", {"id": "count"}, "1")])

same([node.node for node in find_nodes.sync(VIEW, client=client, selector="#count").nodes], [2])

subscription = subscribe.sync(VIEW, client=client, body=NewSubscription(node=2, label="generated"))
same((subscription.node, subscription.label), (2, "generated"))

subscribers = count_subscribers.sync(VIEW, client=client)
same([node.subscriptions for node in subscribers.nodes if node.node == 2], [1])

refused = show_log.sync(VIEW, client=client, after="x")
assert isinstance(refused, Problem), refused
same((refused.status, refused.code), (400, "invalid-parameter"))

print("script/contract: the generated client reads what the program sends")
