/// Rows under a header: aligned for a terminal, or as Markdown. The first column has words, the others have numbers.
package struct TextTable: Sendable {
  package var head: [String]
  package var rows: [[String]]

  package init(head: [String], rows: [[String]]) {
    self.head = head
    self.rows = rows
  }

  /// Columns as wide as their widest cell.
  package var aligned: String {
    let widths = head.indices.map { column in
      ([head] + rows).map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return ([head] + rows).map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += column == 0 ? cell + padding : "  " + padding + cell
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  package var markdown: String {
    let rule = head.indices.map { $0 == 0 ? "---" : "--:" }
    return ([head, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }
}
