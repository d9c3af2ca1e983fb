extension GrowthInput {
  /// Components, on the page and off it.
  static var components: [GrowthInput] {
    [
      // The cells' <caption> makes the page irregular; the components are in the tree and nowhere on the page.
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
        })
    ]
  }
}
