internal import MicroHTTP
internal import MirrorSupport

// The routes that feed a view. `FeedRoutes` handles them and must have the same methods and
// patterns.

extension Operation {
  static let feeding: [Operation] = [
    Operation(
      method: .post, pattern: "/views/{view}/rendered", id: "mountView", tag: .feeding,
      summary: "Mounts a view, or mounts it again",
      description: "Every `Content-Type` is accepted. After an error, the view is exactly as before.",
      parameters: [.dialect, .container, .client],
      body: RequestBody(
        description: "A Rendered; or `{\"rendered\": …}`; or the frame of a reply to a join.",
        content: [
          .json(
            .anyOf([.rendered, .object(["rendered": .rendered]), .joinReply]),
            ["counter": #"{"0": "0", "s": ["<p>Count: ", "</p>"]}"#])
        ]),
      responses: [
        .ok(
          "The view was mounted again: the change set of version 0.", .json(.changeSet),
          .text("The change set as lines."),
          headers: [.location]),
        .created(
          "The view is new: the change set of version 0.", .json(.changeSet), .text("The change set as lines."),
          links: ["showView", "updateView", "showTree", "showLog", "deleteView"], with: ["view": "$request.path.view"]),
        .problem(.conflict, "The update was begun by a subscriber of this view, or is endless."),
        .unfitting,
      ], isOfNew: true),
    Operation(
      method: .post, pattern: "/views/{view}/diffs", id: "updateView", tag: .feeding, summary: "Applies a diff",
      description: "Every `Content-Type` is accepted. After an error, the view is exactly as before.",
      body: RequestBody(
        description: "A diff; or `{\"diff\": …}`; or a `diff` or `phx_reply` frame.",
        content: [.json(.anyOf([.diff, .object(["diff": .diff]), .diffFrame]), ["increment": #"{"0": "1"}"#])]),
      responses: [
        .ok("The change set.", .json(.changeSet), .text("The change set as lines.")),
        .problem(.conflict, "The frame belongs to another join."), .unfitting,
      ]),
    Operation(
      method: .post, pattern: "/frames", id: "sendFrames", tag: .feeding,
      summary: "Applies the frames of LiveView channels",
      description:
        "The view id is the topic, with `page` it is `TOPIC~PAGE`. Frames sent by the client are accepted too: they give causes.",
      parameters: [
        .dialect, .container, .client,
        Parameter("page", .pageID, "The page that the frames belong to."),
        Parameter("url", .queryText, "The address of the page."),
        Parameter(
          "first", .version,
          "The number of frames of the page before this input. An input that is sent twice is then applied once."),
      ],
      body: RequestBody(
        description: "Channel frames (protocol 2.0.0), one per line or as one array; or a recording.",
        content: [
          .json(
            .anyOf([.array(of: .frameLine), .recording]),
            [
              "join": """
              [["4", "4", "lv:phx-1", "phx_reply", {"response": {"rendered": {"0": "0", "s": ["<p>", "</p>"]}}, "status": "ok"}], \
              ["4", null, "lv:phx-1", "diff", {"0": "1"}]]
              """
            ]),
          .lines(
            of: .frameLine,
            [
              "event": """
              ["4", "4", "lv:phx-1", "phx_reply", {"response": {"rendered": {"0": "0", "s": ["<p>", "</p>"]}}, "status": "ok"}]
              {"at": 1764000000000, "sent": true, "frame": ["4", "5", "lv:phx-1", "event", {"type": "click", "event": "inc", "value": {}}]}
              {"at": 1764000000012, "sent": false, "frame": ["4", "5", "lv:phx-1", "phx_reply", {"response": {"diff": {"0": "1"}}, "status": "ok"}]}

              """
            ]),
        ]),
      responses: [
        .ok(
          "What became of the frames. Frames that do not fit are rejected one by one, and listed.",
          .json(.framesReport),
          .text("The change sets and rejections as lines.")),
        .unfitting,
      ]),
    Operation(
      method: .delete, pattern: "/views/{view}", id: "deleteView", tag: .views, summary: "Removes a view",
      responses: [.noContent("The view was removed.")]),
  ]
}

extension OperationResponse {
  fileprivate static let unfitting = problem(
    .unprocessableContent,
    "The JSON is not a Rendered, a diff or a frame, or does not fit the view. `pointer` is the place of the fault.")
}
