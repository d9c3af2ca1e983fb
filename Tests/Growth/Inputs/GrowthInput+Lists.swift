import LiveViewMirror

extension GrowthInput {
  /// Keyed comprehensions and what stands around them.
  static var lists: [GrowthInput] {
    [
      .view(
        "lists/shuffle", size: 2_500, mount: { keyedList($0) },
        diffs: { n in
          let order = JSON.shuffled(n)
          return [#"{"0":\#(JSON.keyed(0..<n, count: n) { String(order[$0]) })}"#]
        }),
      .view(
        "lists/reverse", size: 2_500, mount: { keyedList($0) },
        diffs: { n in [#"{"0":\#(JSON.keyed(0..<n, count: n) { String(n - 1 - $0) })}"#] }),
      .view(
        "lists/all before a footer", size: 5_000,
        mount: { _ in #"{"s":["<ul>","<li>footer</li></ul>"],"0":""}"# },
        diffs: { n in
          [#"{"0":\#(JSON.keyed(statics: ["<li>", "</li>"], 0..<n, count: n) { #"{"0":"\#($0)"}"# })}"#]
        }),
      .view(
        "lists/one by one before a footer", size: 250,
        mount: { n in
          let rows = JSON.keyed(statics: ["<li>", "</li>"], 0..<1, count: 1) { #"{"0":"\#($0)"}"# }
          return #"{"s":["<ul>","<li>footer</li></ul>"],"0":\#(rows)}"#
        },
        diffs: { n in
          (1...n).map { #"{"0":\#(JSON.keyed($0...$0, count: $0 + 1) { #"{"0":"\#($0)"}"# })}"# }
        }, in: [.scoped]),
    ]
  }

  /// `<ul>` with `n` entries of one element each.
  static func keyedList(_ n: Int) -> String {
    let rows = JSON.keyed(statics: ["<li>", "</li>"], 0..<n, count: n) { #"{"0":"\#($0)"}"# }
    return #"{"s":["<ul>","</ul>"],"0":\#(rows)}"#
  }
}
