extension GrowthInput {
  /// Keyed comprehensions and the markup around them.
  static var lists: [GrowthInput] {
    [
      .view(
        "lists/shuffle", size: 2_500, mount: { keyedList($0) },
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
      .view(
        "lists/one entry in each of many", size: 500,
        mount: { n in
          let list = JSON.keyed(statics: ["<li>", "</li>"], 0..<4, count: 4) { #"{"0":"\#($0)"}"# }
          return #"{"s":\#(JSON.texts(["<div>"] + Array(repeating: "", count: n - 1) + ["</div>"])),"#
            + JSON.members(0..<n) { _ in list } + "}"
        },
        diffs: { n in ["{\(JSON.members(0..<n) { _ in JSON.keyed(4..<5, count: 5) { _ in #"{"0":"x"}"# } })}"] }),
      .view(
        "lists/entries moved in entries that moved", size: 250,
        mount: { n in nestedLists(n, depth: 60) },
        diffs: { n in
          let entries = JSON.keyed(0..<n, count: n) { _ in #"{"0":"y"}"# }
          let diff = (0..<60).reduce(entries) { inner, _ in #"{"k":{"0":[1,{"0":\#(inner)}],"1":0,"kc":2}}"# }
          return [#"{"0":\#(diff)}"#]
        }),
      .view(
        "lists/cut at the front", size: 2_500, mount: { keyedList($0) },
        diffs: { n in [#"{"0":\#(JSON.keyed(0..<n / 2, count: n / 2) { String($0 + n / 2) })}"#] }),
      .view(
        "lists/by place, reversed", size: 1_250,
        mount: { n in #"{"s":["<ul>","</ul>"],"0":{"s":["<li>","</li>"],"d":[\#(rows(0..<n))]}}"# },
        diffs: { n in [#"{"0":{"d":[\#(rows((0..<n).reversed()))]}}"#] }),
      .view(
        "lists/with ids, shuffled", size: 2_500,
        mount: { n in #"{"s":["<ul>","</ul>"],"0":{"s":["<li id='","'></li>"],"d":[\#(rows(0..<n))]}}"# },
        diffs: { n in [#"{"0":{"d":[\#(rows(JSON.shuffled(n)))]}}"#] }),
      .view(
        "lists/ids that are duplicates", size: 2_500,
        mount: { n in
          #"{"s":["<ul>","</ul>"],"0":{"s":["<li id='","'></li>"],"d":[\#(rows((0..<n).map { $0 % 7 }))]}}"#
        },
        diffs: { n in [#"{"0":{"d":[\#(rows((0..<n).map { ($0 + 3) % 11 }))]}}"#] }),
    ]
  }

  private static func rows(_ numbers: some Sequence<Int>) -> String {
    numbers.map { #"["\#($0)"]"# }.joined(separator: ",")
  }

  /// Nested lists of two entries. The first entry contains the next list, and the innermost list
  /// has `n` entries.
  private static func nestedLists(_ n: Int, depth: Int) -> String {
    let statics = JSON.texts(["<div>", "</div>"])
    let inner = JSON.keyed(statics: ["<i>", "</i>"], 0..<n, count: n) { _ in #"{"0":"x"}"# }
    let list = (0..<depth).reduce(inner) { list, _ in
      #"{"s":\#(statics),"k":{"0":{"0":""},"1":{"0":\#(list)},"kc":2}}"#
    }
    return #"{"s":["<main>","</main>"],"0":\#(list)}"#
  }

  /// `<ul>` with `n` entries of one element each.
  static func keyedList(_ n: Int) -> String {
    let rows = JSON.keyed(statics: ["<li>", "</li>"], 0..<n, count: n) { #"{"0":"\#($0)"}"# }
    return #"{"s":["<ul>","</ul>"],"0":\#(rows)}"#
  }
}
