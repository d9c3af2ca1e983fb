internal import LiveViewMirror
internal import MirrorSupport

extension CostTotals {
  /// The totals as an aligned table for a terminal, with a line feed at the end. The routes
  /// `…/totals` answer with it as plain text.
  ///
  ///     22 diffs, 3.1 kB: the 3 largest are 45 % of the bytes, so both … cost.
  ///
  ///     event  diffs  bytes  without effect  nodes  median  95 %   most
  ///     add    3      1,395  0               12     2.4 ms  3 ms   3 ms
  package var text: String {
    var text = sentence + "\n"
    if let limitation { text += limitation + "\n" }
    if !rows.isEmpty { text += "\n" + table }
    if grouping == .source, !hasAnnotations { text += "\n\(WasteReport.annotationHint)\n" }
    return text
  }

  private var table: String {
    let cells = rows.map { row in
      [
        Terminal.line(name(of: row)), row.view ?? "", Formatted.grouped(row.diffs), Formatted.grouped(row.bytes),
        Formatted.grouped(row.wastedBytes), Formatted.grouped(row.nodes),
      ] + [50, 95, 100].map { row.latency(percentile: $0).map { "\(Milliseconds.text($0)) ms" } ?? "" }
        + [hasLines ? row.source.text : ""]
    }
    let head = [grouping.title, "view", "diffs", "bytes", "without effect", "nodes", "median", "95 %", "most", "line"]
    // A column without values is left out.
    let named = head.enumerated().map { column, name in cells.contains { !$0[column].isEmpty } ? name : "" }
    return TextTable(head: named, rows: cells).text()
  }

  /// Whether the lines are a column of their own.
  package var hasLines: Bool { grouping == .list || grouping == .slot }

  /// The name of a row for readers, not escaped.
  package func name(of row: Row) -> String {
    guard let key = row.key else { return grouping.rest }
    return hasLines ? ChangeRecord.name(ofSlot: key) : key
  }
}

extension CostTotals.Grouping {
  /// The name for readers.
  package var title: String { self == .source ? "template line" : rawValue }

  /// The name of the row without a key.
  fileprivate var rest: String {
    switch self {
    case .event: "pushed by the server"
    case .source: "without a line"
    case .list: "outside of lists, or further slots"
    case .slot: "other slots"
    }
  }
}
