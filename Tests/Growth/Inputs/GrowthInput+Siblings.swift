extension GrowthInput {
  /// Siblings that are matched by position, and containers that keep their children.
  static var siblings: [GrowthInput] {
    [
      siblings("shifted by one", size: 1_000) { n in
        (repeated("<p></p><div></div>", n), "<div></div>" + repeated("<p></p><div></div>", n))
      },
      siblings("no two alike", size: 1_000) { n in
        ((0..<n).map { "<p-\($0)>" + "</p-\($0)>" }.joined(), (0..<n).map { "<q-\($0)></q-\($0)>" }.joined())
      },
      siblings("each of another kind, shuffled", size: 1_000) { n in
        (
          (0..<n).map { "<p-\($0)></p-\($0)>" }.joined(), JSON.shuffled(n).map { "<p-\($0)></p-\($0)>" }.joined()
        )
      },
      siblings("into a wrapper and out of it", size: 1_000) { n in
        let list = (0..<n).map { "<p id=\($0)></p>" }.joined()
        return (list, "<div>" + list + "</div>")
      },
      siblings("each into a wrapper of its own", size: 1_000) { n in
        (
          (0..<n).map { "<p id=\($0)></p>" }.joined(),
          (0..<n).reversed().map { "<div><p id=\($0)></p></div>" }.joined()
        )
      },
      siblings("ignored, and shown elsewhere", size: 500) { n in
        let list = (0..<n).map { "<p id=\($0)></p>" }.joined()
        return (
          "<div id=x phx-update=ignore>\(list)</div>",
          "<div id=x phx-update=ignore></div>" + repeated("<div>", 100) + list + repeated("</div>", 100)
        )
      },
      // For each element, the update needs its position relative to the elements whose attributes
      // the client keeps.
      .view(
        "siblings/each with attributes that the client keeps", size: 500,
        mount: { n in
          let element = #"<p phx-mounted='[["ignore_attrs",{"attrs":["a"]}]]'></p>"#
          let list = JSON.keyed(statics: ["<li>", "</li>"], 0..<2, count: 2) { #"{"0":"\#($0)"}"# }
          return #"{"s":\#(JSON.texts(["<ul>" + repeated(element, n), "</ul>"])),"0":\#(list)}"#
        },
        diffs: { _ in [#"{"0":\#(JSON.keyed(2..<3, count: 3) { _ in #"{"0":"x"}"# })}"#] }),
    ]
  }

  private static func siblings(
    _ what: String, size: Int, _ pages: @escaping (Int) -> (before: String, after: String)
  ) -> GrowthInput {
    .view(
      "siblings/\(what)", size: size,
      mount: { n in #"{"s":["<main>","</main>"],"0":\#(JSON.text(pages(n).before))}"# },
      diffs: { n in [#"{"0":\#(JSON.text(pages(n).after))}"#] })
  }
}
