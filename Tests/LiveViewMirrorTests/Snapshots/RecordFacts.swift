import LiveViewMirror
import MarkupDocument
import NodeObservation

/// What a record says, without times: two mirrors with the same inputs must agree about it.
struct RecordFacts: Equatable {
  var place: String
  var changeSet: ChangeSet
  var slots: [[String]]
  var unnamedChangeCount: Int
  /// The names of the notified nodes and of the parents in the changes.
  var names: [String]
  var notified: [NodeRef]
  var counts: [Int]
  var waste: ChangeRecord.Waste
  var slotCosts: [SlotCost]
  var shiftedLists: ShiftedLists
  var texts: [String?]
  var isolation: IsolationReport
  var path: UpdatePath
  var diagnostics: [DocumentDiagnostic]
  var cause: [String?]

  init(_ record: ChangeRecord) {
    place = "\(record.view) \(record.epoch) \(record.version)"
    changeSet = record.changeSet
    slots = record.slots
    unnamedChangeCount = record.unnamedChangeCount
    names = (record.notified + record.changeSet.changes.flatMap(\.parents)).map { node in
      record.displayName(of: node).map { "\(node) \($0)" } ?? "\(node)"
    }
    notified = record.notified
    counts = [record.bytes, record.nodeCount, record.observerCount, record.allObserverCount, record.finished]
    waste = record.waste
    slotCosts = record.slotCosts
    shiftedLists = record.shiftedLists
    texts = [record.input, record.title, record.events, record.reply]
    isolation = record.isolation
    path = record.path
    diagnostics = record.diagnostics
    cause = [record.cause?.event, record.cause?.type, record.cause?.value, record.cause?.ref]
  }

  /// The properties in which two records differ.
  func differences(from other: RecordFacts) -> [String] {
    if self == other { return [] }
    return zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children).compactMap { mine, theirs in
      let (a, b) = (String(reflecting: mine.value), String(reflecting: theirs.value))
      return a == b ? nil : "\(mine.label ?? ""): \(a.prefix(600)) and not \(b.prefix(600))"
    }
  }
}

/// The result of one input: the facts of its record, the rejection, or nothing.
enum InputResult: Equatable {
  case applied(RecordFacts)
  case rejected(String)
  case nothing

  /// - Parameter input: the record of an input; `nil` for an input without one.
  init(_ input: () throws(UpdateError) -> ChangeRecord?) {
    do throws(UpdateError) {
      self = try input().map { .applied(RecordFacts($0)) } ?? .nothing
    } catch {
      self = .rejected("\(error.kind) \(error.reason) \(error.pointer ?? "-") \(error.offset ?? -1)")
    }
  }

  func difference(from other: InputResult) -> String? {
    if self == other { return nil }
    guard case .applied(let mine) = self, case .applied(let theirs) = other else { return "\(self) and not \(other)" }
    return mine.differences(from: theirs).joined(separator: "\n")
  }
}
