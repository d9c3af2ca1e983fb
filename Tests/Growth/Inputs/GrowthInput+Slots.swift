import LiveViewMirror
import MirrorAnalysis
import MarkupDocument

extension GrowthInput {
  /// Many slots of one template, and diffs that change a few elements for each slot.
  static var slots: [GrowthInput] {
    [
      .view(
        "slots/between siblings", size: 500,
        mount: { n in page(n, between: repeated("<br>", 8)) },
        diffs: { n in ["{\(JSON.members(0..<n) { _ in #""<u></u>""# })}"] }),
      .view(
        "slots/texts side by side", size: 1_000,
        mount: { n in page(n, between: "", after: repeated("<br>", 10 * n)) },
        diffs: { n in ["{\(JSON.members(0..<n) { _ in #""y""# })}"] }),
      .view(
        "slots/fragments side by side come", size: 500,
        mount: { n in page(n, between: "", after: repeated("<br>", 10 * n)) },
        diffs: { n in ["{\(JSON.members(0..<n) { _ in #"{"s":["<b></b>"]}"# })}"] }),
      .view(
        "slots/fragments side by side leave", size: 500,
        mount: { n in page(n, between: "", after: repeated("<br>", 10 * n), #"{"s":["<b></b>"]}"#) },
        diffs: { n in ["{\(JSON.members(0..<n) { _ in #""""# })}"] }),
      .view(
        "slots/in opaque elements", size: 250,
        mount: { n in page(n, between: "</select>" + repeated("<br>", 8) + "<select>", #""<option>x""#) },
        diffs: { n in ["{\(JSON.members(0..<n) { _ in #""<option>y""# })}"] }),
      // The ancestors of every tag are visited, because there is also a region.
      .view(
        "slots/tags in each other", size: 1_000,
        mount: { n in
          let open = Array(repeating: "'>" + repeated("<div>", 6) + "<p title='", count: n - 1)
          return
            #"{"s":\#(JSON.texts(["<p title='"] + open + ["'>", "</p>"])),\#(JSON.members(0..<n + 1) { _ in #""x""# })}"#
        },
        diffs: { n in [#"{\#(JSON.members(0..<n) { _ in #""y""# }),"\#(n)":"<u></u>"}"#] }),
      // Next to an element with client rules, the surroundings of every edit are examined.
      .view(
        "slots/tags in each other beside a textarea", size: 500,
        mount: { n in
          let open = Array(repeating: "'><div title='", count: n - 1)
          let end = "'>" + repeated("</div>", n) + "<textarea></textarea>" + repeated("<br>", 6 * n)
          return #"{"s":\#(JSON.texts(["<div title='"] + open + [end])),\#(JSON.members(0..<n) { _ in #""x""# })}"#
        },
        diffs: { n in ["{\(JSON.members(0..<n) { _ in #""y""# })}"] }),
      .view(
        "slots/entries below many fragments", size: 250,
        mount: { n in
          let list = JSON.keyed(statics: ["<i>", "</i>"], 0..<n, count: n) { _ in #"{"0":"x"}"# }
          return #"{"s":["<div>","</div>"],"0":\#(nested(list, statics: #""s":["<b>","</b>"],"#))}"#
        },
        diffs: { n in
          [#"{"0":\#(nested(JSON.keyed(0..<n, count: n) { _ in #"{"0":"y"}"# }, statics: ""))}"#]
        }),
      .work("slots/many in one tag with annotations", "template", size: 500) { n in
        let view = view(in: .scoped)
        let statics =
          ["<p data-phx-loc='1' data-phx-loc=\"2\" title='"] + Array(repeating: ">", count: n - 1) + ["'></p>"]
        try view.mount(
          Array(#"{"s":\#(JSON.texts(statics)),\#(JSON.members(0..<n) { _ in #""x""# })}"#.utf8), dialect: .html)
        return { _ = view.view?.hasAnnotations }
      },
      .work("slots/many that no diff has sent", "template", size: 200) { n in
        let view = view(in: .scoped)
        try view.mount(Array(page(n, between: "<br>").utf8), dialect: .html)
        return { _ = view.view?.templateSources(of: (0..<n).map { String($0) }) }
      },
      .view(
        "slots/one text, very long", size: 100_000,
        mount: { n in #"{"s":["<p>","</p>"],"0":"\#(repeated("x", n))"}"# },
        diffs: { n in [#"{"0":"\#(repeated("y&amp;", n / 5))"}"#] }),
    ]
  }

  /// `<div>` with `n` slots. By default each contains a text.
  private static func page(_ n: Int, between: String, after: String = "", _ slot: String = #""x""#) -> String {
    let (open, close) = between.contains("select") ? ("<div><select>", "</select>") : ("<div>", "")
    let statics = [open] + Array(repeating: between, count: n - 1) + [close + "<hr>" + after + "</div>"]
    return #"{"s":\#(JSON.texts(statics)),\#(JSON.members(0..<n) { _ in slot })}"#
  }

  /// A value inside 100 fragments.
  private static func nested(_ inner: String, statics: String) -> String {
    (0..<100).reduce(inner) { inner, _ in #"{\#(statics)"0":\#(inner)}"# }
  }
}
