/// A page and slow diffs of it, which can be repeated: inputs that once blocked the updates of
/// other views.
struct HeavyInput: Sendable {
  var name: String
  var mount: String
  /// Posted one after another, and then again from the first one.
  var diffs: [String]

  /// - Parameter divisor: how many times smaller the input is than the original one.
  static func all(dividedBy divisor: Int) -> [HeavyInput] {
    [
      attributes(80_000 / divisor), tables(2_000 / divisor), lists(16_000 / divisor), rows(40_000 / divisor),
    ]
  }

  private static func attributes(_ n: Int) -> HeavyInput {
    let all = { (value: Int) in joined(0..<n) { "a\($0)=\(value) " } }
    return HeavyInput(
      name: "11, \(n) attributes", mount: #"{"0":"\#(all(0))","s":["<p ",">"]}"#,
      diffs: (1...2).map { #"{"0":"\#(all($0))"}"# })
  }

  private static func tables(_ n: Int) -> HeavyInput {
    let rows = keyed(0..<n) { _ in #"{"0":"<caption><a:b><select><option>a</b>"}"# }
    return HeavyInput(
      name: "12, \(n) tables", mount: #"{"0":{"s":["<tr><td>","</td></tr>"],\#(rows)},"s":["<table>","</table>"]}"#,
      diffs: [#"{"0":{\#(keyed(0..<n) { String(n - 1 - $0) })}}"#])
  }

  /// Slots that are emptied and filled while components change that are not on the page. `</b>`
  /// makes the page irregular.
  private static func lists(_ n: Int) -> HeavyInput {
    let filled = joined(0..<n) { #""\#($0)":{"s":["<i>","</i>"],"d":[["a"]]},"# }
    let components = { (value: String) in
      joined(1..<n) { #""\#($0)":{"0":"\#(value)"},"# } + #""\#(n)":{"0":"\#(value)"}"#
    }
    let mounted =
      joined(1..<n) { #""\#($0)":{"s":["<b>","</b>"],"0":"a"},"# } + #""\#(n)":{"s":["<b>","</b>"],"0":"a"}"#
    return HeavyInput(
      name: "13, \(n) lists", mount: #"{\#(filled)"s":["<p></b>",\#(repeated(#""","#, n - 1))""],"c":{\#(mounted)}}"#,
      diffs: [
        #"{\#(joined(0..<n) { #""\#($0)":"","# })"c":{\#(components("b"))}}"#,
        #"{\#(filled)"c":{\#(components("c"))}}"#,
      ])
  }

  private static func rows(_ n: Int) -> HeavyInput {
    HeavyInput(
      name: "17, \(n) rows shuffled", mount: list(n), diffs: [#"{"0":{\#(keyed(0..<n) { String(n - 1 - $0) })}}"#])
  }
}
