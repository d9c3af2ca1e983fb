extension GrowthInput {
  /// Components, on the page and off it.
  static var components: [GrowthInput] {
    [
      // The `<caption>` in the cells makes the page irregular. The components are in the tree but
      // not on the page.
      .view(
        "components/off the page, while lists are emptied", size: 1_000,
        mount: { n in
          let statics = JSON.texts(
            ["<table><tr><td><caption></table><div>"] + Array(repeating: "</div><div>", count: n - 1) + ["</div>"])
          let lists = JSON.members(0..<n) { _ in #"{"s":["<i>","</i>"],"k":{"0":{"0":"x"},"kc":1}}"# }
          let components = JSON.members(1...n) { _ in #"{"s":["<u>","</u>"],"0":"x"}"# }
          return #"{"s":\#(statics),\#(lists),"c":{\#(components)}}"#
        },
        diffs: { n in
          let lists = JSON.members(0..<n) { _ in #"{"k":{"kc":0}}"# }
          let components = JSON.members(1...n) { _ in #"{"0":"y"}"# }
          return [#"{\#(lists),"c":{\#(components)}}"#]
        }),
      .view(
        "components/each changes", size: 2_000, mount: { componentPage($0) },
        diffs: { n in [#"{"c":{\#(JSON.members(1...n) { _ in #"{"0":"y"}"# })}}"#] }),
      .view(
        "components/each is sent again", size: 1_000, mount: { componentPage($0) },
        diffs: { n in [#"{"c":{\#(JSON.members(1...n) { _ in #"{"s":["<b>","</b>"],"0":"y"}"# })}}"#] }),
      .view(
        "components/each elsewhere", size: 1_000, mount: { componentPage($0) },
        diffs: { n in ["{\(JSON.members(0..<n) { String(n - $0) })}"] }),
      .view(
        "components/in each other, all change", size: 25,
        mount: { n in
          let inner = JSON.members(1..<n) { #"{"s":["<b>","","</b>"],"0":"x","1":\#($0 + 1)}"# }
          let others = n > 1 ? inner + "," : ""
          return #"{"s":["<div>","</div>"],"0":1,"c":{\#(others)"\#(n)":{"s":["<b>","</b>"],"0":"x"}}}"#
        },
        diffs: { n in [#"{"c":{\#(JSON.members(1...n) { _ in #"{"0":"y"}"# })}}"#] }),
      .view(
        "components/one in many places", size: 1_000,
        mount: { n in
          let statics = JSON.texts(["<div>"] + Array(repeating: "", count: n - 1) + ["</div>"])
          return #"{"s":\#(statics),\#(JSON.members(0..<n) { _ in "1" }),"c":{"1":{"s":["<b>","</b>"],"0":"x"}}}"#
        },
        diffs: { _ in [#"{"c":{"1":{"0":"y"}}}"#] }),
      .view(
        "components/statics of the one before", size: 500,
        mount: { n in
          let statics = JSON.texts(["<div>"] + Array(repeating: "", count: n - 1) + ["</div>"])
          let others = n > 1 ? "," + JSON.members(2...n) { #"{"s":\#($0 - 1),"0":"x"}"# } : ""
          return
            #"{"s":\#(statics),\#(JSON.members(0..<n) { String($0 + 1) }),"c":{"1":{"s":["<b>","</b>"],"0":"x"}\#(others)}}"#
        },
        diffs: { n in
          [#"{"c":{\#(JSON.members(1...n) { $0 == 1 ? #"{"s":-\#(n),"0":"y"}"# : #"{"s":\#($0 - 1),"0":"y"}"# })}}"#]
        }),
      .view(
        "components/in streams, all change", size: 500,
        mount: { n in
          let items = JSON.members(0..<n) { #"{"0":"\#($0)","1":\#($0 + 1)}"# }
          let inserts = (0..<n).map { #"["i\#($0)",-1,null]"# }.joined(separator: ",")
          let stream = #"{"s":["<li id='i","'>","</li>"],"k":{\#(items),"kc":\#(n)},"stream":["0",[\#(inserts)],[]]}"#
          return #"{"s":["<ul id='l' phx-update='stream'>","</ul>"],"0":\#(stream),"c":{\#(parts(n))}}"#
        },
        diffs: { n in [#"{"c":{\#(JSON.members(1...n) { _ in #"{"0":"y"}"# })}}"#] }),
    ]
  }

  /// `<div>` with `n` components.
  private static func componentPage(_ n: Int) -> String {
    let statics = JSON.texts(["<div>"] + Array(repeating: "", count: n - 1) + ["</div>"])
    return #"{"s":\#(statics),\#(JSON.members(0..<n) { String($0 + 1) }),"c":{\#(parts(n))}}"#
  }

  private static func parts(_ n: Int) -> String { JSON.members(1...n) { _ in #"{"s":["<b>","</b>"],"0":"x"}"# } }
}
