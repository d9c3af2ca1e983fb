internal import MicroHTTP

// The routes of pages.

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
  ]
}
