extension GrowthInput {
  /// Containers with `phx-update="stream"`.
  static var streams: [GrowthInput] {
    [
      .view(
        "streams/inserts in the middle", size: 4_000, mount: { _ in streamPage("") },
        diffs: { n in [streamDiff(inserts: 0..<n, at: n / 2)] }),
      .view(
        "streams/inserts in the middle of items", size: 2_000, mount: { n in streamPage(streamList(0..<n, at: -1)) },
        diffs: { n in [streamDiff(inserts: n..<2 * n, at: n / 2)] }),
      .view(
        "streams/inserts at places that ascend", size: 2_000, mount: { n in streamPage(streamList(0..<n, at: -1)) },
        diffs: { n in [streamDiff(inserts: n..<2 * n) { ($0 - n) * 2 + 1 }] }),
      .view(
        "streams/limit behind every insert", size: 4_000, mount: { n in streamPage(streamList(0..<100, at: -1)) },
        diffs: { n in
          [streamDiff(inserts: 100..<n + 100, at: 0, limit: 50), streamDiff(inserts: 0..<n, at: 7, limit: -50)]
        }),
      .view(
        "streams/deleted and inserted", size: 2_000, mount: { n in streamPage(streamList(0..<n, at: -1)) },
        diffs: { n in
          let deletes = (0..<n).map { "\"i\($0)\"" }.joined(separator: ",")
          return [#"{"0":{"k":{"kc":0},"stream":["0",[],[\#(deletes)]]}}"#]
        }),
      .view(
        "streams/reset to the other order", size: 2_000, mount: { n in streamPage(streamList(0..<n, at: -1)) },
        diffs: { n in [streamDiff(inserts: 0..<n, at: 0, reset: true)] }),
      .view(
        "streams/deletes of ids that stand twice", size: 1_000,
        mount: { n in
          let others = (0..<n).map { "<p id=i\($0)></p>" }.joined()
          let list = streamList(0..<n, at: -1)
          return #"{"s":["<ul id='l' phx-update='stream'>","</ul>\#(others)"],"0":\#(list)}"#
        },
        diffs: { n in
          let deletes = (0..<n).map { "\"i\($0)\"" }.joined(separator: ",")
          return [#"{"0":{"k":{"kc":0},"stream":["0",[],[\#(deletes)]]}}"#]
        }),
      .view(
        "streams/deletes of one id that stands everywhere", size: 1_000,
        mount: { n in #"{"s":["\#(repeated("<p id=i></p>", n))<ul id='l' phx-update='stream'>","</ul>"],"0":""}"# },
        diffs: { n in
          let deletes = Array(repeating: #""i""#, count: n).joined(separator: ",")
          return [#"{"0":{"s":["<li>","</li>"],"k":{"kc":0},"stream":["0",[],[\#(deletes)]]}}"#]
        }),
      .view(
        "streams/one for each item", size: 250,
        mount: { n in
          let statics = (0..<n).map { "</ul><ul id='l\($0)' phx-update='stream'>" }
          let lists = JSON.members(0..<n) { streamList($0 * 2..<$0 * 2 + 1, ref: $0, at: -1) }
          let parts = ["<ul id='l' phx-update='stream'>"] + statics.dropFirst() + ["</ul>"]
          return #"{"s":\#(JSON.texts(parts)),\#(lists)}"#
        },
        diffs: { n in ["{\(JSON.members(0..<n) { streamList($0 * 2 + 1..<$0 * 2 + 2, ref: $0, at: 0) })}"] }),
    ]
  }

  /// `<ul>` with a stream.
  static func streamPage(_ list: String) -> String {
    #"{"s":["<ul id=\"l\" phx-update=\"stream\">","</ul>"],"0":\#(list.isEmpty ? "\"\"" : list)}"#
  }

  static func streamDiff(inserts: Range<Int>, at: Int, limit: Int? = nil, reset: Bool = false) -> String {
    #"{"0":\#(streamList(inserts, at: at, limit: limit, reset: reset))}"#
  }

  static func streamDiff(inserts: Range<Int>, at place: (Int) -> Int) -> String {
    #"{"0":\#(streamList(inserts, at: place))}"#
  }

  static func streamList(_ items: Range<Int>, ref: Int = 0, at: Int, limit: Int? = nil, reset: Bool = false) -> String {
    streamList(items, ref: ref, limit: limit, reset: reset) { _ in at }
  }

  /// A comprehension with a stream operation.
  private static func streamList(
    _ items: Range<Int>, ref: Int = 0, limit: Int? = nil, reset: Bool = false, at place: (Int) -> Int
  ) -> String {
    let limit = limit.map(String.init) ?? "null"
    let inserts = items.map { #"["i\#($0)",\#(place($0)),\#(limit),false]"# }.joined(separator: ",")
    let entries = JSON.members(0..<items.count) {
      #"{"0":"\#(items.lowerBound + $0)","1":"\#(items.lowerBound + $0)"}"#
    }
    let operation = #"["\#(ref)",[\#(inserts)],[]\#(reset ? ",true" : "")]"#
    return #"{"s":["<li id='i","'>","</li>"],"k":{\#(entries),"kc":\#(items.count)},"stream":\#(operation)}"#
  }
}
