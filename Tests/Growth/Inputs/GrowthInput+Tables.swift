extension GrowthInput {
  /// Tables whose cells are not what their template says.
  static var tables: [GrowthInput] {
    [
      .view(
        "tables/captions in cells, reversed", size: 250,
        mount: { n in
          let rows = JSON.keyed(statics: ["<tr><td>", "</td></tr>"], 0..<n, count: n) {
            #"{"0":\#(JSON.text("<caption><a:b><select><option>\($0)</a:b>"))}"#
          }
          return #"{"s":["<table><tbody>","</tbody></table>"],"0":\#(rows)}"#
        },
        diffs: { n in [#"{"0":\#(JSON.keyed(0..<n, count: n) { String(n - 1 - $0) })}"#] })
    ]
  }
}
