internal import MicroHTTP

// Events that are sent to a LiveView.

extension Operation {
  static let pushes: [Operation] = [
    Operation(
      method: .get, pattern: "/pages/{page}/pushes", id: "readPushes", tag: .pages,
      summary: "The events that the carrier of a page sends to its LiveViews, as Server-Sent Events",
      description: "A second reader replaces the first.",
      responses: [.ok("The events.", .events(.pushEvent))]),
    Operation(
      method: .post, pattern: "/views/{view}/push", id: "push", tag: .pages,
      summary: "Sends an event to a LiveView, and waits for its answer",
      parameters: [
        .currentEpoch,
        Parameter("wait", .number(from: 0, upTo: 60).defaulting(to: 5), "The time to wait for the answer, in seconds."),
      ],
      body: RequestBody(
        description: "A node or a selector with the kind of the event; or the event as a client sends it.",
        content: [.json(.push, ["click": #"{"node": 2}"#, "event": #"{"event": "inc", "value": {"by": 2}}"#])]),
      responses: [
        OperationResponse(
          status: .ok, description: "The change set that answers the event.",
          content: [
            .init(type: "application/json", schema: .anyOf([.changeSet, .unchanged])),
            .text("The change set as lines."),
          ]),
        .problem(.conflict, "No carrier is connected, or the view has no page."),
        .problem(.unprocessableContent, "The JSON has another shape, or the node has no such binding."),
        .problem(.serviceUnavailable, "Too many requests wait for an answer, or the mirror is stopping."),
        .problem(.gatewayTimeout, "No answer came in time. The LiveView may have received the event."),
      ]),
  ]
}
