internal import MicroHTTP

// Traffic as files. `FileRoutes` handles these routes and must have the same methods and patterns.

extension Operation {
  static let files: [Operation] = [
    Operation(
      method: .post, pattern: "/views", id: "importFile", tag: .feeding, summary: "Imports a file of traffic",
      description: "The content of the file says what it is. Views and pages that are already there are not changed.",
      parameters: [.dialect],
      body: RequestBody(
        description:
          "A HAR with WebSocket messages, rows of the messages table in the developer tools, exports of this program, or frames.",
        content: [
          .json(
            .anyOf([
              .object(["log": .object(["entries": .array(of: .any)])]).described("A HAR."),
              .array(of: .frameLine), .recording,
            ]),
            [
              "frames": """
              [["4", "4", "lv:phx-2", "phx_reply", {"response": {"rendered": {"s": ["<p>imported</p>"]}}, "status": "ok"}]]
              """
            ]),
          .lines(
            of: .exportLine,
            [
              "export": """
              {"liveview_mirror": {"export": 1}, "view": "lv:phx-3", "topic": "lv:phx-3"}
              {"view": "lv:phx-3", "at": 1764000000000, "epoch": 1, "over": "dead", "dialect": "html", "liveview_version": "1.1.33", \
              "rendered": {"0": "0", "s": ["<p>", "</p>"]}}
              {"view": "lv:phx-3", "at": 1764000000250, "diff": {"0": "1"}}

              """
            ]),
        ]),
      responses: [
        .created("The views and pages that were imported.", .json(.importReport), headers: []),
        .problem(
          .unprocessableContent,
          "The file has no LiveView. The problem says how to make one that has. Nothing was imported."),
      ]),
    Operation(
      method: .get, pattern: "/views/{view}/export", id: "exportView", tag: .versions,
      summary: "The inputs of an epoch, to import again", parameters: [.epoch],
      responses: [
        .ok(
          "A line for the view, then its mount and its diffs.", .lines(of: .exportLine),
          headers: [.init(name: "Content-Disposition", schema: .string)]),
        .problem(.gone, "The mount or the epoch is no longer kept."),
      ]),
  ]
}
