import Foundation
import MarkupDocument
import MirrorAnalysis

@testable import MirrorInspector

/// The totals of a view, and its insights.
extension Facts {
  // MARK: - Totals

  private static let rests = [
    "event": "pushed by the server", "source": "without a line", "list": "outside of lists, or further slots",
    "slot": "other slots",
  ]

  /// - Parameter totals: `GET …/totals`.
  init(totals: JSONValue, as form: Form) {
    add("sentence", totals["summary"].string)
    let by = totals["by"].string ?? "?"
    let hasLine = by == "list" || by == "slot"
    for row in totals["rows"].array {
      let key = row["key"].string.map { $0.isEmpty ? "page" : $0 } ?? Self.rests[by] ?? "?"
      let source = Self.source(row, as: form)
      let name = by == "source" && form == .page && !source.isEmpty ? source : key
      let sizes = [row["bytes"].int, row["wasted_bytes"].int].map { size in
        form == .page ? form.bytes(size) ?? "?" : "\(size ?? -1)"
      }
      let latency = row["latency_ms"]
      let times = ["median", "p95", "max"].map { latency.isNull ? "–" : "\(latency[$0].description) ms" }
      let cells = [name, "\(row["diffs"].int ?? -1)"] + sizes + ["\(row["nodes"].int ?? -1)"] + times
      add("row", (cells + (hasLine ? [source] : [])).joined(separator: " | "))
    }
  }

  /// - Parameter lines: the totals for a terminal.
  init(totals lines: [String]) {
    add("sentence", lines.first)
    guard let head = lines.firstIndex(where: { $0.contains("  diffs  ") }) else { return }
    // Columns without text are left out, and empty cells are blank: the head has their places.
    let names = ["diffs", "bytes", "without effect", "nodes", "median", "95 %", "most", "line"]
    let line = lines[head]
    let starts = names.map { name in
      line.range(of: "  \(name)").map { line.distance(from: line.startIndex, to: $0.lowerBound) + 2 }
    }
    for row in lines[(head + 1)...].prefix(while: { !$0.isEmpty }) {
      let places = [0] + starts.compactMap(\.self) + [max(row.count, line.count)]
      let cells = zip(places, places.dropFirst()).map { start, end in
        String(row.dropFirst(start).prefix(end - start)).trimmed
      }
      var values = ["name": cells[0]]
      for (name, cell) in zip(zip(names, starts).compactMap { $1 == nil ? nil : $0 }, cells.dropFirst()) {
        values[name] = cell.replacing(",", with: "")
      }
      let latencies = ["median", "95 %", "most"].map { values[$0].flatMap { $0.isEmpty ? nil : $0 } ?? "–" }
      let numbers = ["diffs", "bytes", "without effect", "nodes"].map { values[$0] ?? "?" }
      let isOfSlots = line.hasPrefix("list") || line.hasPrefix("slot")
      add(
        "row", ([cells[0]] + numbers + latencies + (isOfSlots ? [values["line"] ?? ""] : [])).joined(separator: " | "))
    }
  }

  /// - Parameter page: the page with the tab *Cost*.
  init(totals page: ParsedPage) {
    let limit = "no longer stored and not counted."
    let sentence = page.words(of: page.first("p", "totals-sentence"))
    add(
      "sentence",
      sentence.hasSuffix(limit) ? sentence.split(separator: ". ").dropLast().joined(separator: ". ") + "." : sentence)
    guard let table = page.first("table", "totals"), let body = page.first("tbody", in: table) else { return }
    let by = page.words(of: page.first("caption", in: table)).split(separator: " ").last ?? ""
    for row in page.children("tr", of: body) {
      var values: [String: String] = [:]
      for cell in page.children("td", of: row) {
        values[ParsedPage.words(page.attribute("data-label", of: cell) ?? "?")] = page.words(of: cell)
      }
      // Columns without values are left out.
      let numbers = [("Diffs", "?"), ("Bytes", "?"), ("Without effect", "0 B"), ("Nodes", "0")].map { name, absent in
        values[name]?.replacing(",", with: "") ?? absent
      }
      let latencies = values["Latency"]?.wholeMatch(of: /(\S+) \/ (\S+) \/ (\S+) ms/)
      let times = latencies.map { [$0.1, $0.2, $0.3].map { "\($0) ms" } } ?? ["–", "–", "–"]
      let line = values["Template line"].map { $0 == "–" ? "" : Self.line($0) } ?? ""
      let cells = [Self.line(page.words(of: page.first("th", in: row)))] + numbers + times
      add("row", (cells + (["list", "slot"].contains(by) ? [line] : [])).joined(separator: " | "))
    }
  }

  /// The page says if a line is that of the element around a slot.
  private static func line(_ words: String) -> String {
    words.firstMatch(of: #/^inside <\S+> at /#).map { String(words[$0.range.upperBound...]) } ?? words
  }

  // MARK: - Insights

  /// - Parameter insights: `GET …/insights`.
  init(insights: JSONValue, as form: Form) {
    let list = insights["insights"].array
    if form == .text { add("count", list.count) }
    for insight in list {
      add("code", insight["code"].string)
      let message = insight["message"].string ?? "?"
      add("message", form == .page ? Self.plain(message) : message)
      add("advice", insight["advice"].string.map { form == .page ? Self.plain($0) : ParsedPage.words($0) })
      let bytes = insight["saves_bytes"].int ?? -1
      add("bytes", bytes == 0 && form == .page ? nil : form.bytes(bytes))
      let versions = insight["versions"].array.compactMap(\.int)
      add("versions", versions.isEmpty ? nil : Insight.text(ofVersions: versions))
    }
  }

  /// Without the marks of code and emphasis, which are elements on the page.
  private static func plain(_ text: String) -> String { ParsedPage.words(text.filter { $0 != "`" && $0 != "*" }) }

  /// - Parameter lines: the insights for a terminal.
  init(insights lines: [String]) {
    add(
      "count", lines.first?.firstMatch(of: /v\d+  ([\d,]+) insights?,/).flatMap { Int($0.1.replacing(",", with: "")) })
    for line in lines.dropFirst() where !line.isEmpty {
      guard let match = line.wholeMatch(of: /! (\S+)  ([\d,]+ B)  (.*?)(?:  \((v\d[^()]*)\))?/) else {
        add("advice", ParsedPage.words(line))
        continue
      }
      add("code", String(match.1))
      add("bytes", String(match.2))
      add("message", String(match.3))
      add("versions", match.4.map(String.init))
    }
  }

  /// - Parameter page: the page with the tab *Cost*.
  init(insights page: ParsedPage) {
    for item in page.elements("li", class: "insight") {
      let place = item.place
      add("code", page.attribute("data-code", of: place))
      add("message", page.first("bdi", in: place).map { Self.plain(page.words(of: $0)) })
      add("advice", page.first("p", "remedy", in: place).map { Self.plain(page.words(of: $0)) })
      add("bytes", page.first("b", "saves", in: place).map { page.words(of: $0) })
      let shown = page.words(of: page.first("p", "shown", in: place))
      add("versions", shown.firstMatch(of: /Shown by (v\d+(?:, v\d+)*(?: and [\d,]+ more)?)/).map { String($0.1) })
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
