/// The pages by name. `MirrorBenchmarks` measures them.
///
/// No two pages have the same name. The same name always gives the same bytes, so that measurements
/// can be compared. Each page is created on request, because all of them together would take many
/// megabytes.
package enum BenchmarkPages {
  /// The pages that are measured by default, in the order of the report.
  package static var names: [String] { all.map(\.name) }

  /// - Returns: `nil` if no page has this name.
  package static func page(_ name: String) -> BenchmarkPage? { all.first { $0.name == name }?.make(name) }

  private struct Entry: Sendable {
    var name: String
    var make: @Sendable (_ name: String) -> BenchmarkPage
  }

  private static let all: [Entry] = pages + titles + cells + [Entry(name: "p_page10k") { .tableTitle($0, rows: 1667) }]

  private static let pages: [Entry] = [
    Entry(name: "a_counter") { .counter($0) },
    Entry(name: "b_table1k_cell") { .tableCell($0, rows: 1000) },
    Entry(name: "b_table1k_cell.d") { .tableCell($0, .positional, rows: 1000) },
    Entry(name: "c_table1k_delete") { .tableDelete($0, rows: 1000) },
    Entry(name: "c_table1k_delete.d") { .tableDelete($0, .positional, rows: 1000) },
    Entry(name: "d_table1k_reverse") { .tableReverse($0, rows: 1000) },
    Entry(name: "d_table1k_reverse.d") { .tableReverse($0, .positional, rows: 1000) },
    Entry(name: "e_table10k_cell") { .tableCell($0, rows: 10_000) },
    Entry(name: "f_dashboard") { .dashboard($0) },
    Entry(name: "g_components") { .components($0, count: 500) },
    Entry(name: "h_static") { .staticHeavy($0) },
  ]

  private static let titleRows = [100, 300, 1000, 3000, 10_000]

  private static let titles = titleRows.map { rows in
    Entry(name: "s_title_\(rows)") { .tableTitle($0, rows: rows) }
  }

  private static let cells = [100, 300, 3000].map { rows in
    Entry(name: "s_cell_\(rows)") { .tableCell($0, rows: rows) }
  }

  /// Series of pages that differ only in their number of rows. `BenchmarkReport.findGrowth` reads
  /// from them how times grow with the size. Every page of a series is one of ``names``.
  package static let series: [(name: String, pages: [(rows: Int, name: String)])] = [
    ("title", titleRows.map { ($0, "s_title_\($0)") }),
    (
      "cell",
      [
        (100, "s_cell_100"), (300, "s_cell_300"), (1000, "b_table1k_cell"), (3000, "s_cell_3000"),
        (10_000, "e_table10k_cell"),
      ]
    ),
  ]
}
