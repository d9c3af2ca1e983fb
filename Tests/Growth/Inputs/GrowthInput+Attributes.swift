extension GrowthInput {
  /// One element with very many attributes.
  static var attributes: [GrowthInput] {
    [
      .view(
        "attributes/all change", size: 5_000,
        mount: { n in #"{"s":["<p ","></p>"],"0":\#(JSON.text(list(n, "a")))}"# },
        diffs: { n in [#"{"0":\#(JSON.text(list(n, "b")))}"#] }),
      .view(
        "attributes/all go, others come", size: 5_000,
        mount: { n in #"{"s":["<p ","></p>"],"0":\#(JSON.text(list(n, "a", name: "x")))}"# },
        diffs: { n in [#"{"0":\#(JSON.text(list(n, "a", name: "y")))}"#] }),
      .view(
        "attributes/a slot for each", size: 2_500,
        mount: { n in
          let statics = JSON.texts(["<p a0=\""] + (1..<n).map { "\" a\($0)=\"" } + ["\"></p>"])
          return #"{"s":\#(statics),\#(JSON.members(0..<n) { _ in #""a""# })}"#
        },
        diffs: { n in ["{\(JSON.members(0..<n) { _ in #""b""# })}"] }),
      // A changed id means that the element is looked at as a whole.
      .view(
        "attributes/a slot for each, and the id", size: 2_500,
        mount: { n in
          let statics = JSON.texts(["<p id=\""] + (1..<n).map { "\" a\($0)=\"" } + ["\"></p>"] + others(n))
          return #"{"s":\#(statics),\#(JSON.members(0..<2 * n) { _ in #""a""# })}"#
        },
        diffs: { n in ["{\(JSON.members(0..<n) { _ in #""b""# })}"] }),
    ]
  }

  /// `n` parts with eight elements each, so that a diff of `n` slots is not one of most of the page.
  private static func others(_ n: Int) -> [String] {
    Array(repeating: String(repeating: "<br>", count: 8), count: n)
  }

  private static func list(_ n: Int, _ value: String, name: String = "a") -> String {
    (0..<n).map { "\(name)\($0)=\"\(value)\"" }.joined(separator: " ")
  }
}
