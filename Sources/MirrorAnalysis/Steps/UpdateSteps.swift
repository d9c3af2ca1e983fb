package import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

/// The steps of one update, with the time, the size and the result of each.
/// `GET /views/{view}/log/{version}/steps` and the page of a view show them. The times of all steps
/// add up to the time of the update.
package struct UpdateSteps: Sendable {
  /// One step.
  package struct Step: Sendable {
    package let step: UpdateStep
    /// The part of the update's time: ``ChangeRecord/Timings/microseconds(of:)``.
    package let microseconds: Int
    /// The size of the previous step's result; 0 for the first step.
    package let inputBytes: Int
    /// The size of the result: of the input (steps 1 and 5), the event's value (4), the markup (2,
    /// 3, 6, 7 and 8) or the lines of changes (9).
    package let outputBytes: Int
    /// The result in a sentence.
    package let summary: String
    /// False only for step 4 (the event) of a diff that the server pushed.
    package let hasResult: Bool
  }

  package let record: ChangeRecord
  package let artefacts: UpdateArtefacts
  package let steps: [Step]

  /// - Returns: `nil` if the log does not have the version any more.
  /// - Complexity: that of `ViewState.artefacts(of:)`.
  package init?(of version: Int, in view: ViewState) {
    guard let record = view.log.record(of: version), let artefacts = view.artefacts(of: version) else { return nil }
    (self.record, self.artefacts) = (record, artefacts)
    var (steps, last) = ([Step](), 0)
    for step in UpdateStep.steps(isMount: version == 0) {
      let bytes = artefacts.bytes(of: step, in: record)
      steps.append(
        Step(
          step: step, microseconds: record.timings.microseconds(of: step), inputBytes: last, outputBytes: bytes,
          summary: artefacts.summary(of: step, in: record), hasResult: step != .event || record.cause != nil))
      last = bytes
    }
    self.steps = steps
  }

  package subscript(step: UpdateStep) -> Step? { steps.first { $0.step == step } }

  /// The result of a step as text. Step 4 has the client's event; without an event, the text says
  /// that the server pushed the diff.
  ///
  /// - Complexity: O(*result*).
  package func text(of step: UpdateStep) -> String {
    switch step {
    case .renderedJSON, .renderedDiff: Terminal.lines(record.input) + "\n"
    case .event:
      record.cause.map { Terminal.line($0.description + ($0.value.map { " \($0)" } ?? "")) + "\n" } ?? Self.pushed
        + "\n"
    case .parseHTML, .parseNewHTML: lines { Terminal.lines($0.markup) + "\n" }
    case .document, .newDocument: lines { $0.lines(\.content.line) }
    case .mergeDocuments: lines { $0.lines(\.pairLine) } + artefacts.removed.map { "\($0.number) removed\n" }.joined()
    case .changedNodeRefs: record.text
    }
  }

  fileprivate static let pushed = "pushed by the server"

  /// The texts of all parts, each after a line with the element that contains the part.
  private func lines(_ text: (UpdateArtefacts.Part) -> String) -> String {
    artefacts.parts.map { part in (part.parent.map { "in \($0.number):\n" } ?? "") + text(part) }.joined()
  }
}

extension UpdateSteps: CustomStringConvertible {
  /// The steps as lines for a terminal:
  ///
  ///     main v1  scoped, 6 steps, 84 µs
  ///     4 Event              client → LiveView         0 µs        0 B  pushed by the server
  ///     5 Rendered Diff      LiveView → client         6 µs        9 B  LiveView sent what changed; the client merged it into its tree
  package var description: String {
    let path = if case .scoped = record.path { "scoped" } else { "full" }
    let headline =
      "\(record.view) v\(record.version)  \(path), \(steps.count) steps, \(Formatted.microseconds(record.timings.total))"
    let lines = steps.map { step in
      let way = "\(step.step.from.rawValue) → \(step.step.to.rawValue)"
      return "\(step.step.rawValue) \(step.step.name.padded(to: 17))  \(way.padded(to: 17))"
        + Formatted.microseconds(step.microseconds).padded(before: 11)
        + Formatted.bytes(step.outputBytes).padded(before: 11) + "  "
        + Terminal.line(step.summary)
    }
    return ([headline] + lines).joined(separator: "\n")
  }

  /// As ``description``, with a line feed at the end.
  package var text: String { description + "\n" }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  fileprivate func padded(before width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension Terminal {
  /// The indentation of a node of a tree, at most 32 levels. In deep markup, the full indentation
  /// would take more memory than the nodes.
  package static func indentation(_ level: Int) -> String { String(repeating: "  ", count: min(level, 32)) }

  /// A text of several lines, without control characters.
  fileprivate static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }.joined(separator: "\n")
  }
}

extension UpdateArtefacts {
  fileprivate func bytes(of step: UpdateStep, in record: ChangeRecord) -> Int {
    switch step {
    case .renderedJSON, .renderedDiff: record.bytes
    case .event: record.cause.map { ($0.value ?? $0.event).utf8.count } ?? 0
    case .parseHTML, .parseNewHTML, .document, .newDocument, .mergeDocuments:
      parts.reduce(0) { $0 + $1.markup.utf8.count }
    case .changedNodeRefs: record.text.utf8.count
    }
  }

  fileprivate func summary(of step: UpdateStep, in record: ChangeRecord) -> String {
    let nodes = parts.reduce(0) { $0 + $1.nodes.count }
    let isWhole = parts.first.map { $0.parent == nil } ?? false
    let place = isWhole ? "the whole page" : Formatted.count(parts.count, "region")
    let isDirect = !record.hasRendered
    switch step {
    case .renderedJSON: return "LiveView sent the page as statics and dynamics"
    case .renderedDiff: return "LiveView sent what changed; the client merged it into its tree"
    case .event: return record.cause.map { "the client sent \($0.description)" } ?? UpdateSteps.pushed
    case .parseHTML: return "the tree was rendered as markup"
    case .parseNewHTML where parts.isEmpty: return "nothing that was rendered is in the changed part of the page"
    case .parseNewHTML where isDirect: return "not rendered, because no markup changed; this is the markup of \(place)"
    case .parseNewHTML: return "the merged tree was rendered as markup: \(place)"
    case .document: return "\(Formatted.count(nodes, "node")) became the document"
    case .newDocument where parts.isEmpty: return "no node of a changed part was parsed"
    case .newDocument where isDirect: return "not parsed; the markup has \(Formatted.count(nodes, "node"))"
    case .newDocument: return "the parser made \(Formatted.count(nodes, "node")) of \(place)"
    case .mergeDocuments:
      let kept = parts.reduce(0) { $0 + $1.nodes.count { $0.pairing.isKept } }
      let blank = record.changeSet.changes.filter(\.isSeldomOfInterest).reduce(0) { $0 + $1.removedNodes.count }
      return
        "\(kept) of \(nodes) nodes \(kept == 1 ? "was" : "were") in the document before; \(Formatted.count(removed.count, "node")) removed"
        + (blank > 0 ? ", \(Formatted.grouped(blank)) of them by changes of white space and comments" : "")
    case .changedNodeRefs:
      let blank = record.changeSet.changes.count(where: \.isSeldomOfInterest)
      return
        "\(Formatted.changes(record.changeSet.changes.count - blank, ofBlanks: blank)); \(Formatted.count(record.notified.count, "node")) notified "
        + "\(record.observerCount) of \(Formatted.count(record.allObserverCount, "subscriber"))"
    }
  }
}

extension UpdateArtefacts.Pairing {
  /// Whether the node was in the document before.
  package var isKept: Bool { self != .new && self != .notTaken }
}

extension UpdateArtefacts.Part {
  /// A line for each node, with its level as indentation.
  fileprivate func lines(_ text: (UpdateArtefacts.ParsedNode) -> String) -> String {
    var levels: [Int] = []
    var lines = ""
    for node in nodes {
      let level = node.parent.map { levels[$0] + 1 } ?? 0
      levels.append(level)
      lines += Terminal.indentation(level) + text(node) + "\n"
    }
    return lines
  }
}

extension UpdateArtefacts.ParsedNode {
  fileprivate var pairLine: String { "\(node.map { "\($0.number)" } ?? "-") \(pairing.rawValue)  \(content.line)" }
}

extension NodeContent {
  /// The node as markup on one line, without its children. Control characters are escaped.
  package var line: String {
    switch self {
    case .root: "document"
    case .text(let text): "\"\(Terminal.line(text))\""
    case .comment(let text): "<!--\(Terminal.line(text))-->"
    case .processingInstruction(let instruction): "<?\(Terminal.line("\(instruction.target) \(instruction.data)"))?>"
    case .element(let element):
      "<\(Terminal.line(element.tag))"
        + element.attributes.map { attribute in
          " \(Terminal.line(attribute.name))=\"\(Terminal.line(attribute.value).replacing("\"", with: "&quot;"))\""
        }.joined() + ">"
    }
  }
}
