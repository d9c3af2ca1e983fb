package import MarkupDocument
internal import MirrorSupport

/// The steps of one update, with what each took, got and gave.
package struct UpdateSteps: Sendable {
  /// One step.
  package struct Step: Sendable {
    package let step: UpdateStep
    /// See ``ChangeRecord/Timings/microseconds(of:)``.
    package let microseconds: Int
    /// The size of what the step before gave, as text.
    package let inputBytes: Int
    /// The size of what it gave, as text.
    package let outputBytes: Int
    /// What happened, as a sentence.
    package let summary: String
    /// What it gave, as text; `nil` for an event that nobody has sent.
    package let text: String?
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
      let text = artefacts.text(of: step, in: record)
      let bytes = text?.utf8.count ?? 0
      steps.append(
        Step(
          step: step, microseconds: record.timings.microseconds(of: step), inputBytes: last, outputBytes: bytes,
          summary: artefacts.summary(of: step, in: record), text: text))
      last = bytes
    }
    self.steps = steps
  }

  package subscript(step: UpdateStep) -> Step? { steps.first { $0.step == step } }
}

extension UpdateSteps: CustomStringConvertible {
  /// The steps as lines for a terminal:
  ///
  ///     main v1  scoped, 6 steps, 84 µs
  ///     5 Rendered Diff     LiveView → client     6 µs      9 B  1 slot in 9 bytes
  package var description: String {
    let path = if case .scoped = record.path { "scoped" } else { "full" }
    let headline = "\(record.view) v\(record.version)  \(path), \(steps.count) steps, \(record.timings.total) µs"
    let lines = steps.map { step in
      let way = "\(step.step.from.rawValue) → \(step.step.to.rawValue)"
      return "\(step.step.rawValue) \(step.step.name.padded(to: 17))  \(way.padded(to: 17))"
        + "\("\(step.microseconds)".padded(before: 8)) µs\("\(step.outputBytes)".padded(before: 9)) B  \(step.summary)"
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

extension UpdateArtefacts {
  fileprivate func text(of step: UpdateStep, in record: ChangeRecord) -> String? {
    switch step {
    case .renderedJSON, .renderedDiff: record.input + "\n"
    case .event: record.cause.map { Terminal.line($0.description) + ($0.value.map { " \($0)" } ?? "") + "\n" }
    case .parseHTML, .parseNewHTML: lines { $0.markup + "\n" }
    case .document, .newDocument: lines { part in part.lines { Terminal.line($0.content.startOfMarkup) } }
    case .mergeDocuments: lines { $0.lines(\.pairText) } + removed.map { "\($0.number) removed\n" }.joined()
    case .changedNodeRefs: record.text
    }
  }

  /// The parts, each below its element.
  private func lines(_ text: (Part) -> String) -> String {
    parts.map { part in (part.parent.map { "in \($0.number):\n" } ?? "") + text(part) }.joined()
  }

  fileprivate func summary(of step: UpdateStep, in record: ChangeRecord) -> String {
    let nodes = parts.reduce(0) { $0 + $1.nodes.count }
    let isWhole = parts.first.map { $0.parent == nil } ?? false
    let place = isWhole ? "the whole page" : counted(parts.count, "region")
    switch step {
    case .renderedJSON: return "LiveView sent the page as statics and dynamics"
    case .renderedDiff: return "LiveView sent what changed; the client merged it into its tree"
    case .event:
      return record.cause.map { "the client sent \(Terminal.line($0.description))" } ?? "pushed by the server"
    case .parseHTML: return "the tree was rendered as markup"
    case .parseNewHTML where parts.isEmpty: return "no value changed, so nothing had to be rendered"
    case .parseNewHTML: return "the merged tree was rendered as markup: \(place)"
    case .document: return "\(counted(nodes, "node")) became the document"
    case .newDocument where parts.isEmpty: return "there was nothing to parse"
    case .newDocument: return "the parser made \(counted(nodes, "node")) of \(place)"
    case .mergeDocuments:
      let kept = parts.reduce(0) { $0 + $1.nodes.count { $0.pairing.isKept } }
      return "\(kept) of \(counted(nodes, "node")) found a partner in the document, and \(counted(removed.count, "node")) went"
    case .changedNodeRefs:
      return "\(counted(record.notified.count, "node")) changed, which \(record.observers) "
        + "of \(counted(record.allObservers, "subscriber")) were told"
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
      lines += String(repeating: "  ", count: level) + text(node) + "\n"
    }
    return lines
  }
}

extension UpdateArtefacts.ParsedNode {
  fileprivate var pairText: String {
    "\(node.map { "\($0.number)" } ?? "-") \(pairing.rawValue)  \(Terminal.line(content.startOfMarkup))"
  }
}

extension NodeContent {
  /// The node as markup, without its children.
  package var startOfMarkup: String {
    switch self {
    case .root: "document"
    case .text(let text): "\"\(text)\""
    case .comment(let text): "<!--\(text)-->"
    case .processingInstruction(let instruction): "<?\(instruction.target) \(instruction.data)?>"
    case .element(let element):
      "<\(element.tag)" + element.attributes.map { " \($0.name)=\"\($0.value)\"" }.joined() + ">"
    }
  }
}
