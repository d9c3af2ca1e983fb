internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport

// The routes of nodes. `NodeRoutes` handles them and must have the same methods and patterns.

extension Operation {
  static let nodes: [Operation] = [
    Operation(
      method: .get, pattern: "/views/{view}/tree", id: "showTree", tag: .nodes, summary: "The document as a tree",
      description: "`subscribers` are the current ones, also for an earlier version.",
      parameters: [
        .shownVersion, .epoch, Parameter("under", .node, "The node at the top; the document by default."),
        Parameter("depth", .integer(from: 0), "The number of levels below the top; at most 700."),
      ],
      responses: [
        .ok("The tree.", .json(.tree), .text("A line for each node, indented."), headers: [.entityTag]),
        .problem(.notFound, "There is no such view, epoch, version or node."),
      ], isValidated: true),
    Operation(
      method: .get, pattern: "/views/{view}/nodes", id: "findNodes", tag: .nodes,
      summary: "The elements that a CSS selector matches, in document order",
      description: "`subscribers` are the current ones, also for an earlier version.",
      parameters: [
        Parameter(
          "selector", .string(shortest: 1, longest: Selector.longestText), "A CSS selector; all elements by default.",
          example: "p"),
        .shownVersion, .epoch,
        Parameter(
          "limit", .integer(from: 1).defaulting(to: .integer(NodeRoutes.usualNodes)),
          "The maximum number of elements; above \(NodeRoutes.mostNodes) it is \(NodeRoutes.mostNodes)."),
      ],
      responses: [
        .ok("The elements.", .json(.nodes), .text("A line for each element."))
      ], items: .init(schema: .nodeSummary, list: "nodes")),
    Operation(
      method: .get, pattern: "/views/{view}/nodes/{node}", id: "showNode", tag: .nodes,
      summary: "One node, its path, its subscribers and its history; also a removed node",
      parameters: [.epoch],
      responses: [
        .ok("The node.", .json(.nodeDetails)),
        .problem(.notFound, "There is no such view, or it never had the node in this epoch."),
      ], items: .init(schema: .nodeDetails)),
  ]
}
