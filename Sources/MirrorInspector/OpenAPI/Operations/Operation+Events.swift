internal import MicroHTTP

// The event stream of a view.

extension Operation {
  static let events: [Operation] = [
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
      ])
  ]
}
