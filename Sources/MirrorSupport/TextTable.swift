/// Rows of cells in aligned columns: for a terminal, or as Markdown. The reports of commands and
/// the text responses of the inspector use it.
package struct TextTable {
  /// A cell. `paint` adds the codes of a colour, which do not count for the width of the column.
  package struct Cell {
    package var text: String
    package var paint: (String) -> String

    package init(text: String, paint: @escaping (String) -> String = { $0 }) { (self.text, self.paint) = (text, paint) }
  }

  /// The columns that are aligned to the right.
  private let rightColumns: Set<Int>
  private var rows: [[Cell]] = []

  package init(rightColumns: Set<Int> = []) { self.rightColumns = rightColumns }

  package init(head: [String], rows: [[String]], rightColumns: Set<Int> = []) {
    self.init(rightColumns: rightColumns)
    for row in [head] + rows { add(row) }
  }

  package mutating func add(_ cells: [Cell]) { rows.append(cells) }

  package mutating func add(_ cells: [String], _ paint: @escaping (String) -> String = { $0 }) {
    add(cells.map { Cell(text: $0, paint: paint) })
  }

  /// The lines, each with a line feed and without spaces at its end. Columns without text are left
  /// out.
  ///
  /// - Parameter indent: precedes each line.
  package func text(indent: String = "") -> String {
    let columns = 0..<(rows.map(\.count).max() ?? 0)
    let widths = columns.map { column in rows.map { column < $0.count ? $0[column].text.count : 0 }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().filter { widths[$0.offset] > 0 }.map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.text.count)
        let text = cell.text.isEmpty ? "" : cell.paint(cell.text)
        return rightColumns.contains(column) ? padding + text : text + padding
      }
      var line = indent + cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// The rows as a Markdown table. The first row is the head. Cells are not escaped.
  package var markdown: String {
    let rule = (rows.first ?? []).indices.map { rightColumns.contains($0) ? "--:" : "---" }
    let lines = rows.map { $0.map(\.text) }
    return (lines.prefix(1) + [rule] + lines.dropFirst()).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }
}
