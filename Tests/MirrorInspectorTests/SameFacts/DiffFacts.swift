import Foundation
import LiveViewMirror
import MarkupDocument
import MirrorSupport

@testable import MirrorInspector

/// One diff with its explanation: cause, changes, reach, waste, notices, parts, isolation, timings.
extension Facts {
  private static let shown = (changes: 200, nodes: 8, slots: 8, diagnostics: 20)

  // MARK: - JSON

  /// - Parameter record: `GET …/log/{version}?explain=true`.
  init(diff record: JSONValue, as form: Form) {
    let (changes, version) = (record["changes"].array, record["version"].int ?? -1)
    add("version", version)
    add("bytes", form.bytes(record["bytes"].int))
    add("cause", version == 0 && form == .page ? "mount" : Self.cause(record))
    add("latency", Self.latency(record))
    if form == .page || version > 0 { add("count", form.count(changes.count)) }
    for change in changes.prefix(form == .page ? Self.shown.changes : changes.count) {
      add("change", ChangeFacts.line(of: change, as: form))
    }
    add("path", version == 0 ? nil : record["path_reason"].string.map { "full: \($0)" } ?? record["path"].string)
    addReach(of: record, as: form)
    addNotices(of: record, as: form)
    add("isolation", isolation(of: record, as: form))
    addEvaluations(of: record, as: form)
    let explanation = record["explanation"]
    for line in PartFacts.lines(of: explanation, changes, as: form) { add("part", line) }
    add("unmarked waste", form.count(explanation["unmarked_waste"].int))
    let timings = record["timings"]
    add("time", form.count(timings.keys.reduce(0) { $0 + (timings[$1].int ?? 0) }))
    if form == .page {
      for stage in timings.keys { add("time of \(stage)", form.count(timings[stage].int)) }
      add("at", record["at"].string)
      let value = record["cause"]["value"]
      let isNothing = ["null", "{}", #"{"value":""}"#].contains(value.description)
      // The page cuts long values off.
      let isCut = form == .page && value.description.unicodeScalars.count > 300
      add("value", isNothing ? nil : isCut ? "cut off" : value.description)
    }
  }

  /// Adds the title that a page of the version has in its header, and the one that its diff
  /// replaced.
  ///
  /// - Parameters:
  ///   - version: the shown version.
  ///   - entries: the entries of the log.
  ///   - view: `GET /views/{view}`. The header of a view without a title has the path and query of
  ///     its address, or its id.
  mutating func add(titlesAt version: Int, in entries: [JSONValue], of view: JSONValue) {
    func title(at version: Int) -> String? {
      entries.last { $0["version"].int ?? .max <= version && $0["title"].string != nil }?["title"].string
    }
    let path = view["url"].string?.firstMatch(of: /^\w+:\/\/[^\/]*(\/.*)/).map { String($0.1) }
    let name = title(at: version).flatMap { $0.isEmpty ? nil : $0 } ?? path ?? view["view"].string
    add("shown title", name.map(ParsedPage.words))
    if self["title"] != nil { add("title before", title(at: version - 1).map { Form.page.quoted($0) }) }
  }

  private static func latency(_ record: JSONValue) -> String? {
    let latency = record["cause"]["latency_ms"]
    return latency.isNull ? nil : latency.description
  }

  private mutating func addReach(of record: JSONValue, as form: Form) {
    let isSilent = form == .page && record["changes"].array.isEmpty
    if !isSilent { add("all observers", form.count(record["isolation"]["everybody"].int)) }
    if form == .page || record["version"].int != 0 { add("observers", form.count(record["observers"].int)) }
    let waste = record["waste"]
    let slots = Self.slots(waste["slots"])
    if !slots.isEmpty {
      add("wasted bytes", form.bytes(waste["bytes"].int))
      let count = slots.count + (waste["more"].int ?? 0)
      let words = slots.prefix(Self.shown.slots).joined(separator: ", ") + (slots.count > Self.shown.slots ? ", …" : "")
      add("wasted slots", "\(form == .text ? "\(Formatted.grouped(count)) " : "")slot\(count == 1 ? "" : "s") \(words)")
    }
    guard form == .page, !isSilent else { return }
    let notified = record["notified_elements"].array
    for node in notified.prefix(Self.shown.nodes) {
      let name = node["tag"].string.map { tag in "<\(tag)\(node["id"].string.map { "#\($0)" } ?? "")>" }
      add("notified", "\(node["node"].int ?? -1) \(name ?? "document")")
    }
    add("more notified", notified.count > Self.shown.nodes ? notified.count - Self.shown.nodes : nil)
    add("ended", record["finished"].int == 0 ? nil : form.count(record["finished"].int))
  }

  private mutating func addNotices(of record: JSONValue, as form: Form) {
    for diagnostic in record["diagnostics"].array.prefix(form == .page ? Self.shown.diagnostics : .max) {
      let (code, message) = (diagnostic["code"].string ?? "?", diagnostic["message"].string ?? "?")
      switch form {
      case .text: add("diagnostic", "\(code): \(Terminal.line(message))")
      case .page:
        add("diagnostic", "\(code) \(diagnostic["node"].int.map { "\($0) " } ?? "")\(ParsedPage.words(message))")
      }
    }
    for list in record["shifted_lists"].array {
      let numbers = ["entries", "of", "bytes"].map { form.count(list[$0].int) ?? "?" }
      add("shifted list", ([Self.slots(JSONValue([list["slot"].string ?? "?"]))[0]] + numbers).joined(separator: " | "))
    }
    add("more shifted lists", form.count(record["more_shifted_lists"].int))
    add("title", record["title"].string.map { form.quoted($0) })
    add("events", record["events"].array.isEmpty ? nil : record["events"].description)
    add("reply", record["reply"].isNull ? nil : record["reply"].description)
  }

  /// A version that notified no subscriber, and a mount, have no report.
  private func hasIsolation(_ record: JSONValue) -> Bool {
    record["version"].int != 0
      && !(record["changes"].array.isEmpty && record["isolation"]["views"]["evaluations"].array.isEmpty)
  }

  private func isolation(of record: JSONValue, as form: Form) -> String? {
    guard hasIsolation(record) else { return nil }
    let report = record["isolation"]
    let ways = ["selective", "filtered", "whole"]
    let calls = (ways.map { report[$0] } + ways.map { report["uncoalesced"][$0] }).map { form.count($0.int) ?? "?" }
    return calls.joined(separator: " ")
  }

  private mutating func addEvaluations(of record: JSONValue, as form: Form) {
    let views = record["isolation"]["views"]
    guard hasIsolation(record), !views.isNull, let count = views["evaluated"].int else { return }
    add("evaluated", form.count(count))
    add("for nothing", form.count(views["for_nothing"].int))
    for evaluation in views["evaluations"].array.prefix(form == .text ? 5 : 50) {
      let isForNothing = evaluation["for_nothing"].bool == true
      let reasons = evaluation["reasons"].array.compactMap(\.string).joined(separator: ", ").replacing("`", with: "")
      let node: String? = form == .text ? nil : evaluation["node"].int.map { "\($0)" }
      let type = form == .text ? nil : evaluation["type"].string
      add(
        "evaluation",
        [isForNothing ? "=" : "~", node, evaluation["element"].string, reasons, type].compactMap(\.self)
          .joined(separator: " "))
    }
  }

  // MARK: - Text

  init(diff entry: TerminalEntry) {
    add("version", entry.version)
    add("bytes", entry.bytes.map { Formatted.bytes($0) })
    add("cause", entry.cause)
    add("latency", entry.latency)
    add("count", entry.changeCount)
    for change in entry.changes { add("change", ChangeFacts.line(of: change)) }
    add("path", entry.version == 0 ? nil : entry.detour.map { "full: \($0)" } ?? "scoped")
    add("observers", entry.observers)
    add("all observers", entry.allObserverCount)
    add("wasted bytes", entry.waste?.bytes)
    add("wasted slots", entry.waste?.slots)
    for diagnostic in entry.diagnostics { add("diagnostic", diagnostic) }
    for list in entry.shiftedLists { add("shifted list", list) }
    add("more shifted lists", entry.moreShiftedLists)
    add("title", entry.title)
    add("events", entry.events.map(Self.json))
    add("reply", entry.reply.map(Self.json))
    addIsolation(entry.isolation)
    for line in entry.explanation {
      if let match = line.wholeMatch(of: /([\d,]+) more slots? sent without effect, not marked/) {
        add("unmarked waste", match.1.replacing(",", with: ""))
      } else {
        add("part", PartFacts.line(of: line))
      }
    }
    add("time", entry.time)
  }

  private mutating func addIsolation(_ lines: [String]) {
    var (evaluated, forNothing, hasViews) = (0, 0, false)
    for line in lines {
      if let match = line.wholeMatch(
        of:
          #/  subscriber calls: (\d+) \(one subject: (\d+), whole document: (\d+)\)(?:; change by change (\d+) \((\d+), (\d+)\))?/#
      ) {
        let calls = "\(match.1) \(match.2) \(match.3)"
        let each = match.4.map { "\($0) \(match.5 ?? "?") \(match.6 ?? "?")" }
        add("isolation", "\(calls) \(each ?? calls)")
      } else if let match = line.wholeMatch(of: /([= ]) body of (.*?): (.*?)(, idle)?/) {
        add("evaluation", "\(match.1 == "=" ? "=" : "~") \(match.2) \(match.3.replacing("`", with: ""))")
        (evaluated, forNothing, hasViews) = (evaluated + 1, forNothing + (match.4 == nil ? 0 : 1), true)
      } else if let match = line.wholeMatch(of: #/  and (\d+) more(?:, (\d+) of them idle)?/#) {
        evaluated += Int(match.1) ?? 0
        forNothing += match.2.flatMap { Int($0) } ?? 0
      } else {
        add("unknown line", line)
      }
    }
    guard hasViews else { return }
    add("evaluated", evaluated)
    add("for nothing", forNothing)
  }

  /// JSON with sorted keys.
  static func json(_ text: String) -> String {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)).map {
      JSONValue($0).description
    } ?? "not JSON: \(text)"
  }
}
