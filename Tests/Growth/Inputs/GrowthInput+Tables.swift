extension GrowthInput {
  /// Tables whose cells do not match their template.
  static var tables: [GrowthInput] {
    [
      // The table is opaque: an edit of any cell needs a region with the whole table.
      .view(
        "tables/captions in cells, cell by cell", size: 250, mount: captions,
        diffs: { n in [#"{"0":\#(JSON.keyed(0..<n, count: n) { #"{"0":\#(caption(n - 1 - $0))}"# })}"#] }),
      .view(
        "tables/captions in cells, reversed", size: 250, mount: captions,
        diffs: { n in [#"{"0":\#(JSON.keyed(0..<n, count: n) { String(n - 1 - $0) })}"#] }),
    ]
  }

  private static func captions(_ n: Int) -> String {
    let rows = JSON.keyed(statics: ["<tr><td>", "</td></tr>"], 0..<n, count: n) { #"{"0":\#(caption($0))}"# }
    return #"{"s":["<table><tbody>","</tbody></table>"],"0":\#(rows)}"#
  }

  private static func caption(_ number: Int) -> String {
    JSON.text("<caption><a:b><select><option>\(number)</b>")
  }
}
