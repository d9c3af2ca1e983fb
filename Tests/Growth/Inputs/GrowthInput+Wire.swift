import LiveViewMirror
import MirrorAnalysis
import MarkupDocument

extension GrowthInput {
  /// Features of the wire besides the tree: keys in any order, templates, events, many diffs.
  static var wire: [GrowthInput] {
    [
      .view(
        "wire/keys that descend", size: 2_000,
        mount: { n in
          let statics = JSON.texts(["<p>"] + Array(repeating: "</p><p>", count: n - 1) + ["</p>"])
          return #"{"s":\#(statics),\#(JSON.members((0..<n).reversed()) { _ in #""x""# })}"#
        },
        diffs: { n in ["{\(JSON.members((0..<n).reversed()) { _ in #""y""# })}"] }),
      .view(
        "wire/templates", size: 1_000,
        mount: { n in
          let statics = JSON.texts(["<p>"] + Array(repeating: "</p><p>", count: n - 1) + ["</p>"])
          return #"{"s":\#(statics),\#(templates(n, "b"))}"#
        },
        diffs: { n in ["{\(templates(n, "i"))}"] }),
      .view(
        "wire/events", size: 5_000, mount: { _ in #"{"s":["<p>","</p>"],"0":"x"}"# },
        diffs: { n in
          let events = Array(repeating: #"["e",{"a":[1,2,3]}]"#, count: n).joined(separator: ",")
          return [#"{"0":"y","e":[\#(events)]}"#]
        }),
      .view(
        "wire/many diffs", size: 1_000, mount: { _ in #"{"s":["<p>","</p>"],"0":"x"}"# },
        diffs: { n in (0..<n).map { #"{"0":"\#($0)"}"# } }),
      .view(
        "wire/escapes", size: 20_000, mount: { n in #"{"s":["<p>","</p>"],"0":"\#(repeated(#"\u00e9\n"#, n))"}"# },
        diffs: { n in [#"{"0":"\#(repeated(#"\"\\"#, n))"}"#] }),
      // The log has a limit of 500 versions: every later diff evicts one, which is merged into the
      // checkpoint.
      .work("wire/diffs beyond the log", "scoped", size: 2_000) { n in
        let view = LiveViewCoordinator(
          id: "main", options: UpdateOptions(drawsPage: true).withAnalyses, limits: MirrorLimits(versions: 500))
        try view.mount(Array(keyedList(100).utf8), dialect: .html)
        let diffs = (0..<n).map { Array(#"{"0":{"k":{"\#($0 % 100)":{"0":"\#($0)!"},"kc":100}}}"#.utf8) }
        return { for diff in diffs { try view.update(diff) } }
      },
      .work("wire/frames", "receive", size: 2_000) { n in
        let frames = (0..<n).map { #"["4",null,"lv:x","diff",{"0":"\#($0)"}]"# }.joined(separator: "\n")
        let join = #"["4","4","lv:x","phx_reply",{"response":{"rendered":{"s":["<p>","</p>"],"0":"x"}},"status":"ok"}]"#
        let views = LiveViews(options: UpdateOptions().withAnalyses)
        let bytes = Array((join + "\n" + frames).utf8)
        return { _ = try views.receive(frames: bytes, dialect: .html) }
      },
    ]
  }

  private static func templates(_ n: Int, _ tag: String) -> String {
    let templates = JSON.members(0..<n) { JSON.texts(["<\(tag) title='\($0)'></\(tag)>"]) }
    return #""p":{\#(templates)},\#(JSON.members(0..<n) { #"{"s":\#($0)}"# })"#
  }
}
