/// Pages with a table of people, which ``BenchmarkPages`` makes: each row is a `<tr>` with five
/// cells.
extension BenchmarkPage {
  /// One cell changes, and then changes back.
  static func tableCell(_ name: String, _ format: Format = .keyed, rows count: Int) -> BenchmarkPage {
    let table = Table(rows: count)
    let row = count / 2
    var changed = table.rows
    changed[row][4] = "$1,234.56"
    return table.page(name, format) {
      switch format {
      case .keyed:
        [changed, table.rows].map { rows in ["k": [String(row): ["4": .text(rows[row][4])], "kc": .number(count)]] }
      case .positional: [Table.resent(changed), Table.resent(table.rows)]
      }
    }
  }

  /// A row in the middle is removed, and then added again.
  static func tableDelete(_ name: String, _ format: Format = .keyed, rows count: Int) -> BenchmarkPage {
    let table = Table(rows: count)
    let row = count / 2
    var shorter = table.rows
    shorter.remove(at: row)
    return table.page(name, format) {
      switch format {
      case .keyed:
        [
          Table.moved((row..<count - 1).map { ($0, .number($0 + 1)) }, count: count - 1),
          Table.moved(
            [(row, .slots(table.rows[row].map(Wire.text)))] + (row + 1..<count).map { ($0, .number($0 - 1)) },
            count: count),
        ]
      case .positional: [Table.resent(shorter), Table.resent(table.rows)]
      }
    }
  }

  /// The order of all rows is reversed, and then restored.
  static func tableReverse(_ name: String, _ format: Format = .keyed, rows count: Int) -> BenchmarkPage {
    let table = Table(rows: count)
    return table.page(name, format) {
      switch format {
      case .keyed:
        Array(repeating: Table.moved((0..<count).map { ($0, .number(count - 1 - $0)) }, count: count), count: 2)
      case .positional: [Table.resent(table.rows.reversed()), Table.resent(table.rows)]
      }
    }
  }

  /// The title above the table changes, and then changes back. The size of these diffs does not
  /// depend on the number of rows.
  static func tableTitle(_ name: String, rows count: Int) -> BenchmarkPage {
    let table = Table(rows: count)
    return BenchmarkPage(
      name, elements: table.elements, mount: table.mount(.keyed),
      diffs: [["0": "People (updated)"], ["0": .text(Table.title)]])
  }
}

/// The rows of a table in both wire formats.
private struct Table {
  static let title = "People"
  private static let frame = [
    #"<div class="container mx-auto p-4" id="page"><header class="navbar"><h1 class="title">"#,
    #"</h1></header><main class="content"><table id="people" class="min-w-full divide-y"><tbody id="people-body">"#,
    "</tbody></table></main></div>",
  ]
  private static let row = [
    "<tr", #" class="hover:bg-gray-50"><td class="px-4 py-2 name">"#, #"</td><td class="px-4 py-2 mail">"#,
    #"</td><td class="px-4 py-2 town">"#, #"</td><td class="px-4 py-2 amount">"#, #"</td><td class="px-4 py-2 state">"#,
    "</td></tr>",
  ]

  var rows: [[String]]

  init(rows count: Int) {
    var source = WordSource(seed: 1)
    rows = (1...count).map { number in
      let cents = source.number(below: 100)
      return [
        #" id="people-\#(number)""#, "\(source.name()) \(source.name())", "\(source.word())\(number)@example.com",
        source.name(), "$\(source.number(below: 1000)).\(cents < 10 ? "0" : "")\(cents)",
        source.pick(["active", "invited", "disabled"]),
      ]
    }
  }

  var elements: Int { 6 * rows.count + 6 }

  func page(_ name: String, _ format: BenchmarkPage.Format, diffs: () -> [Wire]) -> BenchmarkPage {
    BenchmarkPage(
      name, format, elements: elements, mount: mount(format), diffs: diffs().map { ["1": $0] })
  }

  func mount(_ format: BenchmarkPage.Format) -> Wire {
    let rows: Wire =
      switch format {
      case .keyed:
        [
          "s": .statics(Self.row),
          "k": .object(
            Wire.numbered(self.rows.map { .slots($0.map(Wire.text)) }) + [("kc", .number(self.rows.count))]),
        ]
      case .positional: ["d": Self.list(self.rows), "s": .statics(Self.row)]
      }
    return .fragment(Self.frame, [.text(Self.title), rows])
  }

  static func resent(_ rows: [[String]]) -> Wire { ["d": list(rows)] }

  private static func list(_ rows: [[String]]) -> Wire { .list(rows.map { .list($0.map(Wire.text)) }) }

  static func moved(_ entries: [(Int, Wire)], count: Int) -> Wire {
    ["k": .object(entries.map { (String($0.0), $0.1) } + [("kc", .number(count)), ("km", .flag(true))])]
  }
}
