internal import MirrorAnalysis
internal import LiveViewMirror
internal import MicroHTTP
internal import MirrorSupport

// The routes of views. `ViewRoutes` handles them and must have the same methods and patterns.

extension Operation {
  static let views: [Operation] = [
    Operation(
      method: .get, pattern: "/", id: "home", tag: .views, summary: "The list of views as a page",
      parameters: [.filteredViews, .viewOrder],
      responses: [.ok("The views.", .html("The list as a page; the default."), .json(.views))]),
    Operation(
      method: .get, pattern: "/views", id: "listViews", tag: .views,
      summary: "All views, with the limits and what is in use", parameters: [.filteredViews, .viewOrder],
      responses: [.ok("The views.", .json(.views), .text("A line for each view."), .html("The list as a page."))],
      items: .init(schema: .view, list: "views")),
    Operation(
      method: .get, pattern: "/views/{view}", id: "showView", tag: .views,
      summary: "The summary of a view; in a browser, the inspector",
      description: "The parameters choose what the inspector shows.",
      parameters: inspectorParameters,
      responses: [
        .ok("The summary.", .json(.view), .text("A line for each fact."), .html("The inspector."))
      ], items: .init(schema: .view)),
    Operation(
      method: .get, pattern: "/views/{view}/inspector", id: "showInspector", tag: .views,
      summary: "The inspector's page in pieces, for its script",
      description:
        "The HTML of each region of the page, and of each line of its lists. The markup may change with each release.",
      parameters: inspectorParameters + [
        Parameter(
          "Known-Digests", in: .header, .string,
          "The digests of HTML that the script has, one after the other. The response leaves that HTML out.")
      ],
      responses: [.ok("The regions.", .json(.inspector))], isOfPage: true),
    Operation(
      method: .get, pattern: "/views/{view}/page", id: "showMirror", tag: .views,
      summary: "The document as a live page",
      description:
        "Scripts do not run, forms are not sent, links lead nowhere, and nothing is loaded from other hosts.",
      parameters: [
        .shownVersion, .epoch, .flag("frame", "Only the content of the page's frame."),
        Parameter(
          "part", .oneOf(ChangePicture.Side.allCases.map(\.rawValue)),
          "With `frame`: only what the version changed, before or after it."),
      ],
      responses: [.ok("The page.", .html("The page."))]),
    Operation(
      method: .get, pattern: "/views/{view}/page/patch", id: "patchMirror", tag: .views,
      summary: "What changes a live page from one version into another",
      description:
        "For the script of the page: it costs in proportion to the changes, and not to the page. The form may change with each release.",
      parameters: [
        Parameter("epoch", .integer(from: 1), "The epoch of the shown version.", isRequired: true, example: 1),
        Parameter("from", .version, "The shown version.", isRequired: true, example: 0),
        Parameter("version", .version, "The version to show, also an earlier one; the current one by default."),
      ],
      responses: [.ok("The patch.", .json(.pagePatch)), .unknownVersion, .evicted]),
    Operation(
      method: .get, pattern: "/views/{view}/html", id: "showMarkup", tag: .versions,
      summary: "The document of a client, as markup", parameters: [.shownVersion, .epoch],
      responses: [.ok("The markup.", .html("The markup."), headers: [.entityTag])], isValidated: true),
    Operation(
      method: .get, pattern: "/views/{view}/rendered", id: "showRendered", tag: .versions,
      summary: "The merged tree, which can be mounted", parameters: [.shownVersion, .epoch],
      responses: [
        .ok(
          "The Rendered. Its streams are empty.", .json(.rendered), .html("The markup that it renders to."),
          headers: [.entityTag])
      ], isValidated: true),
    Operation(
      method: .get, pattern: "/views/{view}/subscribers", id: "countSubscribers", tag: .subscribers,
      summary: "The numbers of subscribers of each node", parameters: [.currentEpoch],
      responses: [
        .ok("The numbers.", .json(.subscribers), .text("A line for each node.")), .inspector,
      ], items: .init(schema: .nodeSubscribers, list: "nodes")),
  ]

  /// The parameters that choose what the inspector shows.
  private static let inspectorParameters: [Parameter] = [
    .shownVersion, .epoch, .node("The selected node."),
    Parameter("tab", .oneOf(ViewPage.Tab.allCases.map(\.rawValue)), "The shown details."),
    Parameter("step", .integer(from: 1, upTo: 9), "The step whose result is shown."),
    Parameter("show", .oneOf(ViewPage.Content.allCases.map(\.rawValue)), "The content of the pane in the middle."),
    Parameter("with", .count, "The version to compare with; without it, the previous one."),
    Parameter("find", .queryText, "A node's number, a text, a part of an attribute, or a CSS selector."),
    Parameter("filter", .queryText, "Words that filter the timeline."),
    Parameter("blank", .count, "1 to show white space and the comments of HEEx."),
    Parameter("under", .node, "The node whose subtree is shown."),
    Parameter("from", .count, "The index of the first shown child."),
    Parameter("after", .position, "The entries of the log after this position are shown."),
    Parameter("by", .oneOf(CostTotals.Grouping.allCases.map(\.rawValue)), "What a row of the totals is about."),
    Parameter("sort", .oneOf(CostTotals.Order.allCases.map(\.rawValue)), "The order of the totals."),
    Parameter("form", .oneOf(SideBySide.Form.allCases.map(\.rawValue)), "The form of the comparison."),
  ]
}
