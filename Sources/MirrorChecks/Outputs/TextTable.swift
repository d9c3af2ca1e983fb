/// Rows of cells in aligned columns.
struct TextTable {
  /// A cell, with its colour.
  struct Cell {
    var text: String
    var paint: (String) -> String = { $0 }
  }

  /// The columns that are aligned to the right.
  var rightColumns: Set<Int> = []
  private(set) var rows: [[Cell]] = []

  init(rightColumns: Set<Int> = []) { self.rightColumns = rightColumns }

  mutating func add(_ cells: [Cell]) { rows.append(cells) }

  mutating func add(_ cells: [String], _ paint: @escaping (String) -> String = { $0 }) {
    rows.append(cells.map { Cell(text: $0, paint: paint) })
  }

  /// The lines, each with a line feed. Columns without text are left out.
  ///
  /// - Parameter indent: precedes each line.
  func text(indent: String = "  ") -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].text.count : 0 }.max() ?? 0 }
    return rows.map { row in
      var line = indent
      // Spaces are written when a text follows, so that no line ends with one.
      var gap = 0
      for (column, cell) in row.enumerated() where widths[column] > 0 {
        let padding = widths[column] - cell.text.count
        if rightColumns.contains(column) { gap += padding }
        if !cell.text.isEmpty {
          line += String(repeating: " ", count: gap) + cell.paint(cell.text)
          gap = 0
        } else {
          gap += cell.text.count
        }
        gap += (rightColumns.contains(column) ? 0 : padding) + 2
      }
      return line + "\n"
    }.joined()
  }
}
