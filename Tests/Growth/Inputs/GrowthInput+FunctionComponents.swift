extension GrowthInput {
  /// Fragments with one root element (`"r": 1`). LiveView's client numbers each of them.
  static var functionComponents: [GrowthInput] {
    [
      .view(
        "function components/each changes", size: 1_000, mount: { page($0) { _ in #""x""# } },
        diffs: { n in ["{\(JSON.members(0..<n) { _ in #"{"0":"y"}"# })}"] }),
      // The client skips all of them, including the components inside.
      .view(
        "function components/around components that change", size: 1_000,
        mount: { n in page(n, components: n) { String($0 + 1) } },
        diffs: { n in [#"{"\#(n)":"y","c":{\#(JSON.members(1...n) { _ in #"{"0":"y"}"# })}}"#] }),
      .view(
        "function components/in each other, around a component", size: 25,
        mount: { n in
          let inner = (0..<n).reduce("1") { inner, _ in #"{"s":["<i>","</i>"],"0":\#(inner),"r":1}"# }
          return #"{"s":["<p>","</p>",""],"0":\#(inner),"1":"x","c":{"1":{"s":["<b>","</b>"],"0":"x"}}}"#
        },
        diffs: { _ in [#"{"1":"y","c":{"1":{"0":"y"}}}"#] }),
      // For the client, all of them and the list of options are new elements.
      .view(
        "function components/sent again before a select", size: 1_000,
        mount: { page($0, last: "<select><option>a</option></select>") { _ in #""x""# } },
        diffs: { n in ["{\(JSON.members(0..<n) { _ in #"{"s":["<i>","</i>"],"0":"y","r":1}"# })}"] }),
    ]
  }

  /// `<div>` with `n` function components, a text and an element.
  private static func page(
    _ n: Int, components: Int = 0, last: String = "", _ content: (Int) -> String
  ) -> String {
    let statics = JSON.texts(["<div>"] + Array(repeating: "", count: n) + ["\(last)</div>"])
    let parts = JSON.members(0..<n) { #"{"s":["<i>","</i>"],"0":\#(content($0)),"r":1}"# }
    let inner = components == 0 ? "" : JSON.members(1...components) { _ in #"{"s":["<b>","</b>"],"0":"x"}"# }
    return #"{"s":\#(statics),\#(parts),"\#(n)":"x","c":{\#(inner)}}"#
  }
}
