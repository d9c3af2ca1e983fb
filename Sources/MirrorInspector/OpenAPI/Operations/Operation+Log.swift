internal import LiveViewMirror
internal import MirrorAnalysis
internal import MicroHTTP
internal import MirrorSupport

// The routes of the log and of versions. `LogRoutes` and `AnalysisRoutes` handle them and must have
// the same methods and patterns.

extension Operation {
  static let log: [Operation] = [
    Operation(
      method: .get, pattern: "/views/{view}/log", id: "showLog", tag: .versions,
      summary: "The change sets and rejections of an epoch, oldest first",
      parameters: [
        .epoch,
        Parameter(
          "after", .position, "The position after which the entries begin, such as the value of `next`."),
        Parameter(
          "limit", .integer(from: 1).defaulting(to: .integer(LogRoutes.usualLimit)),
          "The maximum number of entries; above \(LogRoutes.largestLimit) it is \(LogRoutes.largestLimit)."),
        .node("Only entries that changed or notified this node."),
        Parameter("event", .queryText, "Only diffs that answer this event of the client, such as `inc`."),
      ],
      responses: [
        .ok("A part of the log.", .json(.logPage), .text("The entries as lines."), headers: [.entityTag])
      ], isValidated: true, items: .init(schema: .logEntry, list: "entries")),
    Operation(
      method: .get, pattern: "/views/{view}/log/{version}", id: "showLogEntry", tag: .versions,
      summary: "One change set, with its diff or Rendered",
      parameters: [
        .epoch,
        Parameter(
          "explain", .boolean.defaulting(to: false),
          """
          Whether to add what the update did, `headline`, and the diff or Rendered as a tree of its parts: `explanation`, and \
          lines at the end of the text.
          """
        ),
      ],
      responses: [
        .ok("The change set.", .json(.changeSet), .text("The change set as lines."))
      ], items: .init(schema: .changeSet)),
    Operation(
      method: .get, pattern: "/views/{view}/log/{version}/steps", id: "listSteps", tag: .versions,
      summary: "The steps of one update: a mount has 1 to 3, a diff 4 to 9", parameters: [.epoch],
      responses: [.ok("The steps.", .json(.steps), .text("A line for each step.")), .inspector]),
    Operation(
      method: .get, pattern: "/views/{view}/log/{version}/steps/{step}", id: "showStep", tag: .versions,
      summary: "One step of an update, with what it gave", parameters: [.epoch],
      responses: [
        .ok("The step.", .json(.step), .text("What it gave: JSON, markup, nodes, pairs or changes.")), .inspector,
      ]),
    Operation(
      method: .get, pattern: "/views/{view}/compare", id: "compareVersions", tag: .versions,
      summary: "The changes between two versions of an epoch",
      parameters: [
        .epoch,
        Parameter("from", .version, "The version before the changes.", isRequired: true, example: 0),
        Parameter("to", .version, "The version after the changes, also an earlier one; the current one by default."),
      ],
      responses: [
        .ok("The changes.", .json(.comparison), .text("The changes as lines.")), .inspector, .unknownVersion, .evicted,
      ]),
    Operation(
      method: .get, pattern: "/views/{view}/diagnostics", id: "showDiagnostics", tag: .versions,
      summary: "The diagnostics of an epoch, each once per cause",
      description:
        "They include those of log entries that were evicted. A view lists at most 200, and one more if there are more.",
      parameters: [.epoch],
      responses: [.ok("The findings.", .json(.findings), .text("The findings as lines.")), .inspector]),
    Operation(
      method: .get, pattern: "/views/{view}/waste", id: "showWaste", tag: .versions,
      summary: "What was sent for each slot and list since the mount, and how much of it had no effect",
      parameters: [
        .epoch,
        Parameter(
          "sort",
          .oneOf(WasteReport.Order.allCases.map(\.rawValue)).defaulting(
            to: .string(WasteReport.Order.wastedBytes.rawValue)),
          "The order of the slots: numbers descending, names and lines ascending."),
      ],
      responses: [.ok("The sums.", .json(.wasteReport), .text("The sums as tables.")), .inspector]),
    Operation(
      method: .get, pattern: "/views/{view}/totals", id: "showTotals", tag: .versions,
      summary: "What the diffs cost, by event, template line, list or slot",
      description: "The sums of the diffs that the log keeps.",
      parameters: [
        .epoch, .grouping,
        Parameter("from", .version, "The first version; the oldest that is kept by default."),
        Parameter("to", .version, "The last version; the current one by default."),
        .order,
      ],
      responses: [
        .ok("The sums.", .json(.costTotals), .text("A sentence and a table.")), .inspector, .unknownVersion, .evicted,
      ]),
    Operation(
      method: .get, pattern: "/views/{view}/insights", id: "listInsights", tag: .versions,
      summary: "What can be improved about a view, the most bytes first", parameters: [.epoch],
      responses: [.ok("The insights.", .json(.insights), .text("Two lines for each insight.")), .inspector]),
  ]
}
