import MarkupDocument

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
      // If an id changes, the whole element is compared again.
      .view(
        "attributes/a slot for each, and the id", size: 1_250,
        mount: { n in
          let statics = JSON.texts(["<p id=\""] + (1..<n).map { "\" a\($0)=\"" } + ["\"></p>"] + others(n))
          return #"{"s":\#(statics),\#(JSON.members(0..<2 * n) { _ in #""a""# })}"#
        },
        diffs: { n in ["{\(JSON.members(0..<n) { _ in #""b""# })}"] }),
      .view(
        "attributes/one name again and again", size: 10_000,
        mount: { n in #"{"s":["<p ","></p>"],"0":\#(JSON.text(repeated("a=1 ", n)))}"# },
        diffs: { n in [#"{"0":\#(JSON.text(repeated("b=1 ", n)))}"#] }),
      .view(
        "attributes/of a stream's container", size: 2_500,
        mount: { n in
          #"{"s":["<ul \#(list(n, "a").replacing("\"", with: "'")) id=l phx-update=stream>","</ul>"],"0":""}"#
        },
        diffs: { n in [streamDiff(inserts: 0..<n, at: 0), streamDiff(inserts: 0..<n, at: -1)] }),
      .view(
        "attributes/of a select with options", size: 1_000,
        mount: { n in #"{"s":\#(select(n)),"0":\#(JSON.text(repeated("<option>x", n)))}"# },
        diffs: { n in [#"{"0":\#(JSON.text(repeated("<option selected>y", n)))}"#] }),
      .view(
        "attributes/that the client keeps", size: 1_250,
        mount: { n in kept(n) { "a\($0)" } },
        diffs: { n in [#"{"0":\#(JSON.text(list(n, "b")))}"#] }),
      .view(
        "attributes/that the client keeps by patterns", size: 1_250,
        mount: { n in kept(n) { "a*\($0)" } },
        diffs: { n in [#"{"0":\#(JSON.text(list(n, "b")))}"#] }),
      .view(
        "attributes/native", size: 5_000, dialect: .native,
        mount: { n in #"{"s":["<Text ","/>"],"0":\#(JSON.text(list(n, "a")))}"# },
        diffs: { n in [#"{"0":\#(JSON.text(list(n, "b")))}"#] }),
    ]
  }

  /// An element with `n` attributes whose `ignore_attrs` has `n` names.
  private static func kept(_ n: Int, name: (Int) -> String) -> String {
    let names = (0..<n).map { "\"\(name($0))\"" }.joined(separator: ",")
    let statics = JSON.texts(["<p phx-mounted='[[\"ignore_attrs\",{\"attrs\":[\(names)]}]]' ", "></p>"])
    return #"{"s":\#(statics),"0":\#(JSON.text(list(n, "a")))}"#
  }

  /// The strings around the options of a list with `n` attributes.
  private static func select(_ n: Int) -> String { JSON.texts(["<select \(list(n, "a"))>", "</select>"]) }

  /// `n` parts with eight elements each, so that a diff of `n` slots covers only a small part of
  /// the page.
  private static func others(_ n: Int) -> [String] {
    Array(repeating: repeated("<br>", 6), count: n)
  }

  static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  private static func list(_ n: Int, _ value: String, name: String = "a") -> String {
    (0..<n).map { "\(name)\($0)=\"\(value)\"" }.joined(separator: " ")
  }
}
