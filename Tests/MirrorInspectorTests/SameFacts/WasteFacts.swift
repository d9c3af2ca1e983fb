import LiveViewMirror
import MirrorAnalysis
import MarkupDocument

@testable import MirrorInspector

/// The waste of a view: totals, slots and lists. Only JSON and text have it.
extension Facts {
  private static let slotNumbers = ["bytes", "wasted_bytes", "diffs", "wasted_diffs", "last_version"]
  private static let listNumbers = [
    "diffs", "entries", "unchanged_entries", "whole_resends", "shifted_entries", "recreated_elements", "last_version",
  ]

  // MARK: - JSON

  /// - Parameter waste: `GET …/waste`.
  init(waste: JSONValue) {
    // A removal of entries has no bytes, so only the JSON has a row for it.
    let slots = waste["slots"].array.filter { $0["bytes"].int != 0 }
    add("bytes of the diffs", Form.text.bytes(waste["diff_bytes"].int))
    add("diffs", waste["diffs"].int)
    add("wasted bytes", Form.text.bytes(waste["wasted_bytes"].int))
    add("bytes", Form.text.bytes(waste["bytes"].int))
    add("version", waste["version"].int)
    add("slots", slots.count)
    let others = waste["others"]
    for slot in slots + (others.isNull ? [] : [others]) {
      let numbers = Self.slotNumbers.map { "\(slot[$0].int ?? -1)" }
      let name = slot["slot"].string.map { $0.isEmpty ? "page" : $0 } ?? "others"
      add("slot", ([name] + numbers + [Self.source(slot, as: .text)]).joined(separator: " | "))
    }
    for list in waste["lists"].array {
      let (name, kind) = (list["slot"].string ?? "?", list["kind"].string ?? "?")
      let numbers = Self.listNumbers.map { "\(list[$0].int ?? -1)" }
      let words = [name.isEmpty ? "page" : name, kind.replacing("_", with: " ")] + numbers
      add("list", (words + [Self.source(list, as: .text)]).joined(separator: " | "))
      add("advice", list["advice"].string)
    }
    add("hint", waste["hint"].string)
  }

  static func source(_ row: JSONValue, as form: Form) -> String {
    let place = row["source"]["file"].string.map { "\($0):\(row["source"]["line"].int ?? -1)" }
    let name = row["function"].string.map { form == .text && place != nil ? "(\($0))" : $0 }
    return [place, name].compactMap(\.self).joined(separator: " ")
  }

  // MARK: - Text

  /// - Parameter lines: the report for a terminal.
  init(waste lines: [String]) {
    let headline = lines.first?.wholeMatch(
      of: /\S+ v(\d+)  ([\d,]+ B) of (\d+) diffs? \(([\d,]+ B)\) without effect; values of ([\d,]+) slots?: ([\d,]+ B)/)
    add("version", headline.map { String($0.1) })
    add("wasted bytes", headline.map { String($0.2) })
    add("diffs", headline.map { String($0.3) })
    add("bytes of the diffs", headline.map { String($0.4) })
    add("slots", headline.map { String($0.5) })
    add("bytes", headline.map { String($0.6) })
    var table = ""
    for line in lines.dropFirst() {
      var cells = line.replacing(#/ {2,}/#, with: "\t").split(separator: "\t").map(String.init)
      if line.isEmpty {
        table = ""
      } else if table.isEmpty, ["slot", "list"].contains(cells[0]), cells.count > 1 {
        table = cells[0]
      } else if !table.isEmpty {
        let last = table == "slot" ? 5 : 8
        cells[last] = String(cells[last].dropFirst())
        if cells.count == last + 1 { cells.append("") }
        add(table, cells.joined(separator: " | "))
      } else if line == WasteReport.annotationHint {
        add("hint", line)
      } else {
        add("advice", line.split(separator: ": ", maxSplits: 1).last.map(String.init))
      }
    }
  }
}
