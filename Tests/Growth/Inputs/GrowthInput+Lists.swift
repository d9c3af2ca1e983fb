extension GrowthInput {
  /// Keyed comprehensions and what stands around them.
  static var lists: [GrowthInput] {
    [
      .view(
        "lists/shuffle", size: 5_000, mount: { keyedList($0) },
        diffs: { n in
          let order = JSON.shuffled(n)
          return [#"{"0":\#(JSON.keyed(0..<n, count: n) { String(order[$0]) })}"#]
        }),
      .view(
        "lists/reverse", size: 5_000, mount: { keyedList($0) },
        diffs: { n in [#"{"0":\#(JSON.keyed(0..<n, count: n) { String(n - 1 - $0) })}"#] }),
      .view(
        "lists/all before a footer", size: 5_000,
        mount: { _ in #"{"s":["<ul>","<li>footer</li></ul>"],"0":""}"# },
        diffs: { n in
          [#"{"0":\#(JSON.keyed(statics: ["<li>", "</li>"], 0..<n, count: n) { #"{"0":"\#($0)"}"# })}"#]
        }),
    ]
  }

  /// `<ul>` with `n` entries of one element each.
  static func keyedList(_ n: Int) -> String {
    let rows = JSON.keyed(statics: ["<li>", "</li>"], 0..<n, count: n) { #"{"0":"\#($0)"}"# }
    return #"{"s":["<ul>","</ul>"],"0":\#(rows)}"#
  }
}
