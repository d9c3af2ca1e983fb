package import LiveViewMirror
internal import MarkupDocument
package import MirrorSupport
package import RenderedTree

/// The findings of one epoch of a view, in the order in which they first appeared. Findings about
/// evicted log entries are kept. The log of the view adds each record and each rejection, and
/// ``ViewState/findings`` reads them.
///
/// At most ``limit`` causes are kept. Reports of further causes are counted in one more finding.
package struct Findings: Projection {
  package static let name = "findings"

  /// The maximum number of findings, without the one that counts the rest.
  static let limit = 200

  /// Diagnostics with the same cause are one finding. A subject can be long, so a cause has only
  /// the beginning of the subject, its length and its hash.
  fileprivate struct Cause: Hashable, Sendable {
    var code: String
    var subject: String
    var length: Int
    /// The same in every process, because a snapshot contains it.
    var hash: UInt64
  }

  fileprivate struct Entry: Sendable {
    var finding: Finding
    /// The number of the last input that showed the finding, so that each input counts once.
    var input: Int
  }

  private var entries: [Entry] = []
  /// The position of each cause in ``entries``.
  private var positions: [Cause: Int] = [:]
  private var rest: Entry?
  /// The number of inputs with diagnostics.
  private var inputs = 0
  /// The last version whose whole page was parsed. A finding about repaired markup that was last
  /// reported before this version is no longer current.
  private(set) var lastWholePage = 0

  package init() {}

  package func findingCount(in view: ViewState) -> Int { entries.count + (rest == nil ? 0 : 1) }

  /// The findings, without a statement about whether they are current.
  var all: [Finding] { entries.map(\.finding) + (rest.map { [$0.finding] } ?? []) }

  /// Estimated memory in bytes.
  package var memory: Int { entries.count * 1_200 }

  // MARK: - Adding

  /// - Complexity: O(*diagnostics*).
  package mutating func add(_ record: ChangeRecord) {
    if record.readsWholePage { lastWholePage = record.version }
    if record.diagnostics.isEmpty, record.unknownKeys.isEmpty { return }
    inputs += 1
    for diagnostic in record.diagnostics { note(diagnostic, at: record.version) }
    for key in record.unknownKeys { note(key.diagnostic, at: record.version) }
  }

  package mutating func add(_ rejection: Rejection) {
    inputs += 1
    let error = rejection.error
    let located = error.pointer.map { $0.isEmpty ? "at the top" : "at \($0)" } ?? error.offset.map { "at byte \($0)" }
    note(
      DocumentDiagnostic(
        code: "rejected-diff", node: nil,
        message: "An input was rejected\(located.map { " \($0)" } ?? ""): \(error.reason)",
        subject: "\(error.pointer ?? "") \(error.reason)"),
      at: rejection.version)
  }

  private mutating func note(_ diagnostic: DocumentDiagnostic, at version: Int) {
    let cause = Cause(diagnostic.code, diagnostic.subject)
    if let position = positions[cause] {
      entries[position].show(diagnostic, at: version, in: inputs)
    } else if entries.count < Self.limit {
      positions[cause] = entries.count
      entries.append(Entry(diagnostic, at: version, in: inputs))
    } else if rest == nil {
      rest = Entry(
        DocumentDiagnostic(
          code: "more-findings", node: nil,
          message:
            "This view has more than \(Self.limit) findings: others are not listed, but each log entry has its own."),
        at: version, in: inputs)
    } else {
      rest?.count(at: version, in: inputs)
    }
  }
}

extension ViewState {
  var foundInEntries: Findings { log.projections[Findings.self] ?? Findings() }
}

extension Findings.Cause {
  fileprivate init(_ code: String, _ subject: String) {
    self.init(
      code: code.beginning(Finding.longestPath), subject: subject.beginning(120), length: subject.utf8.count,
      hash: subject.byteHash)
  }
}

extension Findings.Entry {
  fileprivate init(_ diagnostic: DocumentDiagnostic, at version: Int, in input: Int) {
    finding = Finding(
      code: diagnostic.code.beginning(Finding.longestPath), message: "", locatedNodes: [], firstVersion: version,
      lastVersion: version)
    self.input = input
    describe(diagnostic)
  }

  /// Counts an input once, even if several of its diagnostics have this cause.
  fileprivate mutating func count(at version: Int, in input: Int) {
    if self.input != input { finding.count += 1 }
    self.input = input
    finding.lastVersion = version
  }

  fileprivate mutating func show(_ diagnostic: DocumentDiagnostic, at version: Int, in input: Int) {
    if self.input == input {
      addLocatedNodes(of: diagnostic)
    } else {
      describe(diagnostic)
    }
    count(at: version, in: input)
  }

  private mutating func describe(_ diagnostic: DocumentDiagnostic) {
    finding.message = diagnostic.findingMessage.beginning(Finding.longestMessage)
    finding.locatedNodes = []
    addLocatedNodes(of: diagnostic)
  }

  private mutating func addLocatedNodes(of diagnostic: DocumentDiagnostic) {
    var locatedNodes = diagnostic.locatedNodes
    if locatedNodes.isEmpty, let node = diagnostic.node { locatedNodes = [.init(node: node, path: "")] }
    for located in locatedNodes where finding.locatedNodes.count < Finding.maximumLocatedNodes {
      if finding.locatedNodes.contains(where: { $0.node == located.node }) { continue }
      finding.locatedNodes.append(.init(node: located.node, path: located.path.beginning(Finding.longestPath)))
    }
  }
}

extension DocumentDiagnostic {
  /// The message about the cause, without details that differ between updates.
  var findingMessage: String {
    switch DiagnosticCode[code]?.kind {
    case .markup: subject
    case .duplicate where !subject.isEmpty:
      "The id \"\(subject.beginning(120))\" is on more than one element. It identifies only the first one."
    case .duplicate: "More elements share ids than are listed: \(message)."
    case .event, nil: message.first.map { $0.uppercased() + message.dropFirst() } ?? ""
    }
  }
}

// MARK: - Snapshot

extension Findings {
  package func write(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) {
    writer.write(count: inputs)
    writer.write(count: lastWholePage)
    // Positions are unique, so the sorted order does not depend on the order of the dictionary.
    writer.write(all: positions.sorted { $0.value < $1.value }) { cause, writer in
      writer.write(cause.key.subject)
      writer.write(count: cause.key.length)
      writer.write(word: cause.key.hash)
      entries[cause.value].write(to: &writer)
    }
    writer.write(rest != nil)
    rest?.write(to: &writer)
  }

  package init(from reader: inout SnapshotReader, _ statics: inout StaticsReader) throws(SnapshotError) {
    inputs = try reader.count()
    lastWholePage = try reader.count()
    for position in 0..<(try reader.count(upTo: Self.limit)) {
      let subject = try reader.string()
      let (length, hash) = (try reader.count(), try reader.word())
      let entry = try Entry(from: &reader)
      let cause = Cause(code: entry.finding.code, subject: subject, length: length, hash: hash)
      let isNew = positions.updateValue(position, forKey: cause) == nil
      try reader.require(isNew, "a cause must have one finding")
      entries.append(entry)
    }
    if try reader.flag() { rest = try Entry(from: &reader) }
  }
}

extension Findings.Entry {
  fileprivate func write(to writer: inout SnapshotWriter) {
    writer.write(finding.code)
    writer.write(finding.message)
    writer.write(all: finding.locatedNodes) { located, writer in
      writer.write(located.node)
      writer.write(located.path)
    }
    for number in [finding.firstVersion, finding.lastVersion, finding.count, input] { writer.write(count: number) }
  }

  fileprivate init(from reader: inout SnapshotReader) throws(SnapshotError) {
    let (code, message) = (try reader.string(), try reader.string())
    let locatedNodes = try reader.all { reader throws(SnapshotError) in
      DocumentDiagnostic.LocatedNode(node: try NodeRef(from: &reader), path: try reader.string())
    }
    finding = Finding(
      code: code, message: message, locatedNodes: locatedNodes, firstVersion: try reader.count(),
      lastVersion: try reader.count(),
      count: try reader.count())
    input = try reader.count()
  }
}
