internal import MicroHTTP

// The routes of the server itself. `ServerRoutes` handles most of them, `Inspector` the assets, and
// `AnalysisRoutes` the help. All of them must have the same methods and patterns as this table.

extension Operation {
  static let server: [Operation] = [
    Operation(
      method: .get, pattern: "/healthz", id: "checkHealth", tag: .server, summary: "Whether the server runs",
      parameters: [.flag("ready", "Also whether the mirror accepts and keeps diffs.")],
      responses: [
        .ok("The server runs.", .json(.health)),
        .problem(.serviceUnavailable, "The mirror is stopping, or cannot accept or keep diffs."),
      ], isOpen: true),
    Operation(
      method: .get, pattern: "/metrics", id: "readMetrics", tag: .server,
      summary: "Counters and levels, for Prometheus",
      responses: [.ok("The metrics.", .text("Prometheus' text format."))]),
    Operation(
      method: .get, pattern: "/openapi.json", id: "describe", tag: .server, summary: "This document",
      responses: [
        .ok("The document.", .init(type: "application/json", schema: .openAPI), headers: [.entityTag])
      ], isValidated: true),
    Operation(
      method: .get, pattern: "/help/diagnostics", id: "explainDiagnostics", tag: .server,
      summary: "What the codes of diagnostics mean, why they matter, and how to fix them",
      responses: [
        .ok(
          "The explanations.", .html("A page with the code of each explanation as its anchor."),
          .text("The same as Markdown."))
      ]),
    Operation(
      method: .get, pattern: "/assets/{file...}", id: "readAsset", tag: .server,
      summary: "A file of the inspector, such as `tap.js`",
      responses: [
        .ok("The file.", .init(type: "*/*", schema: .string), headers: [.entityTag]),
        .problem(.notFound, "There is no such file."),
      ], isValidated: true, isOpen: true),
  ]
}

extension Schema {
  fileprivate static let openAPI = object(
    [
      "openapi": string, "info": dictionary(of: any), "paths": dictionary(of: any), "components": dictionary(of: any),
    ], others: any)
}
