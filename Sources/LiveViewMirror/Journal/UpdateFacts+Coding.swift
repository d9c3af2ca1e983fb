internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation
internal import RenderedTree

// The binary form of `UpdateFacts` and of the values in them, as entries of the journal contain it.
// The order of the values is the format; `JournalEntry+Coding.swift` says which values can be
// added.

extension UpdateFacts {
  func write(to writer: inout SnapshotWriter) {
    writer.write(input)
    writer.write(signed: Int(appliedAt))
    writer.write(signed: Int(at - appliedAt))
    writer.write(cause != nil)
    cause?.write(to: &writer)
    if case .full(let reason) = path { writer.write(Optional(reason)) } else { writer.write(String?.none) }
    timings.write(to: &writer)
    isolation.write(to: &writer)
    writer.write(count: audience.notified)
    writer.write(count: audience.all)
    writer.write(count: audience.finished)
    writer.write(all: notes) { $0.write(to: &$1) }
  }

  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    let input = try reader.string()
    let appliedAt = Int64(try reader.signed())
    self.init(
      input: input, at: appliedAt &+ Int64(try reader.signed()), appliedAt: appliedAt,
      cause: try reader.flag() ? try UpdateCause(from: &reader) : nil,
      path: try reader.optionalString().map { .full(reason: $0) } ?? .scoped,
      timings: try ChangeRecord.Timings(from: &reader), isolation: try IsolationReport(from: &reader),
      audience: ChangeRecord.Audience(
        notified: try reader.count(), all: try reader.count(), finished: try reader.count()),
      notes: try reader.all { reader throws(SnapshotError) in try DocumentDiagnostic(from: &reader) })
  }
}

extension ChangeRecord.Timings {
  private static var stages: [WritableKeyPath<Self, Int>] {
    [\.decode, \.merge, \.render, \.parse, \.morph, \.trace, \.publish, \.views]
  }

  fileprivate func write(to writer: inout SnapshotWriter) {
    for stage in Self.stages { writer.write(count: self[keyPath: stage]) }
  }

  fileprivate init(from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init()
    for stage in Self.stages { self[keyPath: stage] = try reader.count() }
  }
}

extension UpdateCause {
  func write(to writer: inout SnapshotWriter) {
    ClientEvent(name: event, type: type, value: value.map(JSONText.init), target: target).write(to: &writer)
    writer.write(ref)
    writer.write(latency != nil)
    if let latency { writer.write(word: latency.bitPattern) }
  }

  convenience init(from reader: inout SnapshotReader) throws(SnapshotError) {
    let event = try ClientEvent(from: &reader)
    let ref = try reader.string()
    self.init(event, ref: ref, latency: try reader.flag() ? Double(bitPattern: try reader.word()) : nil)
  }
}

extension ClientEvent {
  func write(to writer: inout SnapshotWriter) {
    writer.write(name)
    writer.write(type)
    writer.write(value?.text)
    writer.write(signed: target)
  }

  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(
      name: try reader.string(), type: try reader.optionalString(),
      value: try reader.optionalString().map(JSONText.init), target: try reader.optionalSigned())
  }
}

extension DocumentDiagnostic {
  func write(to writer: inout SnapshotWriter) {
    writer.write(code)
    writer.write(node != nil)
    if let node { writer.write(node) }
    writer.write(message)
    writer.write(subject)
    writer.write(all: locatedNodes) { located, writer in
      writer.write(located.node)
      writer.write(located.path)
    }
  }

  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(
      code: try reader.string(), node: try reader.flag() ? try NodeRef(from: &reader) : nil,
      message: try reader.string(), subject: try reader.string(),
      locatedNodes: try reader.all { reader throws(SnapshotError) in
        LocatedNode(node: try NodeRef(from: &reader), path: try reader.string())
      })
  }
}

extension IsolationReport {
  func write(to writer: inout SnapshotWriter) {
    writer.write(count: everybody)
    for calls in [selective, filtered, whole] {
      writer.write(count: calls.coalesced)
      writer.write(count: calls.uncoalesced)
    }
    writer.write(views != nil)
    if let views { writer.write(all: views.evaluations) { $0.write(to: &$1) } }
  }

  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(
      everybody: try reader.count(), selective: try Calls(from: &reader), filtered: try Calls(from: &reader),
      whole: try Calls(from: &reader),
      views: try reader.flag()
        ? Views(evaluations: try reader.all { reader throws(SnapshotError) in try Evaluation(from: &reader) }) : nil)
  }
}

extension IsolationReport.Calls {
  fileprivate init(from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(coalesced: try reader.count(), uncoalesced: try reader.count())
  }
}

extension Evaluation {
  fileprivate func write(to writer: inout SnapshotWriter) {
    writer.write(count: view)
    writer.write(type)
    writer.write(node)
    writer.write(element)
    writer.write(all: reasons) { $0.write(to: &$1) }
    writer.write(isForNothing)
  }

  fileprivate init(from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(
      view: try reader.count(), type: try reader.string(), node: try NodeRef(from: &reader),
      element: try reader.string(),
      reasons: try reader.all { reader throws(SnapshotError) in try EvaluationReason(from: &reader) },
      isForNothing: try reader.flag())
  }
}

extension EvaluationReason {
  fileprivate func write(to writer: inout SnapshotWriter) {
    switch self {
    case .first: writer.write(byte: 0)
    case .attributes(let names):
      writer.write(byte: 1)
      writer.write(all: names) { $1.write($0) }
    case .children: writer.write(byte: 2)
    case .text: writer.write(byte: 3)
    case .signal: writer.write(byte: 4)
    case .child(let node):
      writer.write(byte: 5)
      writer.write(node)
    case .inputs: writer.write(byte: 6)
    case .environment: writer.write(byte: 7)
    case .state(let name):
      writer.write(byte: 8)
      writer.write(name)
    case .object(let name):
      writer.write(byte: 9)
      writer.write(name)
    case .shared(let key):
      writer.write(byte: 10)
      writer.write(key)
    }
  }

  fileprivate init(from reader: inout SnapshotReader) throws(SnapshotError) {
    switch try reader.byte() {
    case 0: self = .first
    case 1: self = .attributes(try reader.all { reader throws(SnapshotError) in try reader.string() })
    case 2: self = .children
    case 3: self = .text
    case 4: self = .signal
    case 5: self = .child(try NodeRef(from: &reader))
    case 6: self = .inputs
    case 7: self = .environment
    case 8: self = .state(try reader.string())
    case 9: self = .object(try reader.string())
    case 10: self = .shared(try reader.string())
    default: throw reader.malformed("a reason for an evaluation must be a number up to 10")
    }
  }
}
