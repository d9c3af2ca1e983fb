internal import MirrorSupport
internal import MicroHTTP

// The routes of pages, and the events that their carriers send to LiveViews. `PageLoadRoutes`,
// `PushRoutes` and `AnalysisRoutes` (totals) handle these routes and must have the same methods and
// patterns.

extension Operation {
  static let pages: [Operation] = [
    Operation(
      method: .get, pattern: "/pages", id: "listPages", tag: .pages,
      summary: "All pages, in the order in which they were opened", responses: [.ok("The pages.", .json(.pages))],
      items: .init(schema: .page, list: "pages")),
    Operation(
      method: .get, pattern: "/pages/{page}", id: "showPage", tag: .pages, summary: "One page, with its views",
      responses: [.ok("The page.", .json(.page))], items: .init(schema: .page)),
    Operation(
      method: .get, pattern: "/pages/{page}/totals", id: "showPageTotals", tag: .pages,
      summary: "What the diffs of all views of a page cost, each view in its current epoch",
      parameters: [.grouping, .order],
      responses: [
        .ok("The sums.", .json(.pageTotals), .text("A sentence and a table."), .html("The sentence and the table."))
      ]),
    Operation(
      method: .post, pattern: "/pages/{page}", id: "announcePage", tag: .pages,
      summary: "Announces a page, or changes it",
      body: RequestBody(
        description: "What a feed knows of the page. All members are optional.",
        content: [
          .json(
            .newPage,
            ["counter": #"{"url": "http://localhost:4000/counter", "title": "Counter", "carrier": false}"#])
        ]),
      responses: [
        .ok("The page.", .json(.page), headers: [.location]),
        .created(
          "The new page.", .json(.page),
          links: ["showPage", "closePage"], with: ["page": "$request.path.page"]),
        .noContent("The page has closed. It had no view, so it is forgotten."),
        .problem(.unprocessableContent, "The JSON has another shape. `pointer` is the place of the fault."),
      ], isOfNew: true),
    Operation(
      method: .delete, pattern: "/pages/{page}", id: "closePage", tag: .pages,
      summary: "Ends a page; its views stay readable",
      responses: [.noContent("The page has closed.")]),
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
