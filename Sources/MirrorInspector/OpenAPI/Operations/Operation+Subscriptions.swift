internal import MicroHTTP

// The routes of subscriptions.

extension Operation {
  static let subscriptions: [Operation] = [
    Operation(
      method: .post, pattern: "/views/{view}/subscriptions", id: "subscribe", tag: .subscribers,
      summary: "Subscribes to a node without reading events", parameters: [.currentEpoch],
      body: RequestBody(
        description: "The node, and whether to follow its children.",
        content: [.json(.newSubscription, ["document": #"{"node": 1, "children": true, "label": "the page"}"#])]
      ),
      responses: [
        .created(
          "The subscription.", .json(.subscription),
          links: ["showSubscription", "unsubscribe"], with: ["view": "$request.path.view", "id": "$response.body#/id"]),
        .problem(.notFound, "There is no such view, or it has no such epoch or node."),
        .problem(.unprocessableContent, "The JSON has another shape, or the node has too many children (`/children`)."),
        .problem(.tooManyRequests, "There are too many subscriptions, or they follow too many children."),
      ]),
    Operation(
      method: .get, pattern: "/views/{view}/subscriptions", id: "listSubscriptions", tag: .subscribers,
      summary: "The subscriptions of a view", parameters: [.currentEpoch],
      responses: [.ok("The subscriptions.", .json(.subscriptions))],
      items: .init(schema: .subscription, list: "subscriptions")),
    Operation(
      method: .get, pattern: "/views/{view}/subscriptions/{id}", id: "showSubscription", tag: .subscribers,
      summary: "One subscription", parameters: [.currentEpoch],
      responses: [.ok("The subscription.", .json(.subscription)), .unknownSubscription]),
    Operation(
      method: .delete, pattern: "/views/{view}/subscriptions/{id}", id: "unsubscribe", tag: .subscribers,
      summary: "Ends a subscription", parameters: [.currentEpoch],
      responses: [.noContent("The subscription has ended."), .unknownSubscription]),
  ]
}

extension OperationResponse {
  fileprivate static let unknownSubscription = problem(
    .notFound, "There is no such view, or no such subscription. A subscription ends when its node is removed.")
}
