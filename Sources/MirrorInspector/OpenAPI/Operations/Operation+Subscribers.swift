internal import MicroHTTP

// The event stream of a view, and subscriptions. `EventRoutes` and `SubscriptionRoutes` handle
// these routes and must have the same methods and patterns.

extension Operation {
  static let subscribers: [Operation] = [
    Operation(
      method: .get, pattern: "/views/{view}/events", id: "readEvents", tag: .subscribers,
      summary: "The events of a view, as Server-Sent Events",
      description: """
        The stream begins with the next event, or after the event that `Last-Event-ID` or `after` names. The header takes precedence. \
        With `node`, only the events that notify the node, and mounts; the client is then a subscriber of the node.
        """,
      parameters: [
        .currentEpoch, .node("The node to subscribe to."),
        Parameter(
          "after", .position, "The position of the last event that the client has seen; `0` for the whole log."),
        Parameter(
          "pace", .integer(from: 0, upTo: EventRoutes.slowestPace),
          "The time that the stream waits after it has sent all events, in milliseconds: the events of this time are sent together."
        ),
        Parameter(
          "Last-Event-ID", in: .header, .anyOf([.position, .string(longest: 0)]),
          "The id of the last event that the client has seen; empty if it has seen none."),
      ],
      responses: [
        .ok("The events.", .events(.viewEvent)),
        .problem(.notFound, "There is no such view, or it has no such epoch, or no such node now."),
      ]),
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
