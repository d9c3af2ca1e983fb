package import MirrorAnalysis
public import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
package import MirrorSupport

extension ChangeRecord {
  /// The record as JSON, which the HTTP API calls a change set. The responses to mounts, diffs and
  /// pushes have this form, and so do the log and the events. ``Schema/changeSet`` describes it, so
  /// a new member must be added there too.
  ///
  /// - Parameters:
  ///   - withInput: adds the input, as `rendered` for a mount and as `diff` otherwise.
  ///   - explanation: adds the input as a tree of its parts.
  ///   - headline: adds what the update did, as one sentence.
  ///   - cursor: adds the position in the log.
  package func json(
    withInput: Bool = false, explainedBy explanation: DiffExplanation? = nil, headline: Headline? = nil,
    at cursor: ChangeLog.Cursor? = nil
  ) -> JSONWriter {
    JSONWriter { json in
      write(to: &json)
      if withInput { json.member(version == 0 ? "rendered" : "diff", json: input) }
      if let headline { json.member("headline", headline.text) }
      if let explanation { json.write("explanation") { explanation.write(to: &$0) } }
      if let cursor { json.member("cursor", EventID.positionText(cursor, in: epoch)) }
    }
  }

  /// The change set with its input on one line, for NDJSON.
  public var jsonLine: String { json(withInput: true).text + "\n" }

  private func write(to json: inout JSONWriter) {
    json.version(version, of: view, epoch: epoch)
    json.member("at", at: at)
    json.member("bytes", bytes)
    json.member("nodes", nodeCount)
    changeSet.write(slots: slots, to: &json)
    if unnamedChangeCount > 0 { json.member("unnamed_changes", unnamedChangeCount) }
    json.array("notified", notified) { $0.value($1.number) }
    json.objects("notified_elements", notified) { json, node in
      json.member("node", node.number)
      switch displayName(of: node) {
      case .element(let tag, let id):
        json.member("tag", tag)
        json.member("id", id)
      case let name:
        json.member("tag", name?.tag)
        json.member("id", String?.none)
      }
    }
    json.member("observers", observerCount)
    json.member("finished", finished)
    json.object("isolation") { isolation.write(to: &$0) }
    json.object("waste") { json in
      json.member("bytes", waste.bytes)
      json.array("slots", waste.slots) { $0.value($1) }
      if waste.more > 0 { json.member("more", waste.more) }
    }
    shiftedLists.write(to: &json)
    path.write(to: &json)
    json.object("timings") { timings.write(to: &$0) }
    json.objects("diagnostics", diagnostics) { json, diagnostic in
      json.member("code", diagnostic.code)
      json.member("node", diagnostic.node?.number)
      json.member("message", diagnostic.message)
    }
    json.member("events", json: events ?? "[]")
    json.member("title", title)
    json.member("reply", json: reply)
    cause.write(to: &json)
  }
}

extension ShiftedLists {
  /// Writes `shifted_lists` and `more_shifted_lists`. A record without such lists has neither
  /// member.
  fileprivate func write(to json: inout JSONWriter) {
    if lists.isEmpty { return }
    json.objects("shifted_lists", lists) { json, list in
      json.member("slot", list.slot)
      json.member("entries", list.entries)
      json.member("of", list.count)
      json.member("bytes", list.bytes)
    }
    if more > 0 { json.member("more_shifted_lists", more) }
  }
}

extension UpdateCause? {
  /// `cause`; `null` if the server pushed the update by itself.
  func write(to json: inout JSONWriter) {
    json.object("cause", self) { json, cause in
      json.member("event", cause.event)
      json.member("type", cause.type)
      json.member("value", json: cause.value)
      json.member("target", cause.target)
      json.member("ref", cause.ref)
      json.member("latency_ms", json: cause.latency.map(Milliseconds.text))
    }
  }
}

extension UpdatePath {
  /// `path`, and for a full update of a diff its `path_reason`.
  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .scoped: json.member("path", word: "scoped")
    case .full(let reason):
      json.member("path", word: "full")
      json.member("path_reason", reason)
    }
  }
}

extension ChangeRecord.Timings {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("decode", decode)
    json.member("merge", merge)
    json.member("render", render)
    json.member("parse", parse)
    json.member("morph", morph)
    json.member("trace", trace)
    json.member("publish", publish)
    json.member("views", views)
  }
}

extension ChangeSet {
  /// `changes`.
  ///
  /// - Parameter slots: the causes of each change; empty if they are not known.
  func write(slots: [[String]] = [], to json: inout JSONWriter) {
    // Accessed by index: a copy of the change would retain everything in it.
    json.objects("changes", changes.indices) { json, place in
      changes[place].write(to: &json)
      json.array("slots", slots.isEmpty ? [] : slots[place]) { $0.value($1) }
    }
  }
}

extension Change {
  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .text(let node, let parent, let before, let after):
      json.member("op", word: "text")
      json.member("node", node.number)
      json.member("parent", parent.number)
      json.member("before", before)
      json.member("after", after)
    case .attributes(let node, let tag, let changes):
      json.member("op", word: "attributes")
      json.member("node", node.number)
      json.member("tag", tag)
      json.object("before") { json in for change in changes { json.member(named: change.name, change.before) } }
      json.object("after") { json in for change in changes { json.member(named: change.name, change.after) } }
    case .add(let subtree, let position):
      json.member("op", word: "add")
      json.member("node", subtree.root.number)
      position.write(to: &json)
      subtree.displayName.write(to: &json)
      json.member("nodes", subtree.count)
      switch subtree.nodes[0].content {
      case .text(let text), .comment(let text): json.member("text", text)
      case .processingInstruction(let instruction):
        json.member("target", instruction.target)
        json.member("text", instruction.data)
      case .element, .root: break
      }
    case .remove(let nodes, let position, let name):
      json.member("op", word: "remove")
      json.member("node", nodes[0].number)
      position.write(to: &json)
      name.write(to: &json)
      json.member("nodes", nodes.count)
    case .move(let node, let name, let from, let to):
      json.member("op", word: "move")
      json.member("node", node.number)
      name.write(to: &json)
      json.object("from") { from.write(to: &$0) }
      json.object("to") { to.write(to: &$0) }
    }
  }
}

extension Position {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("parent", parent.number)
    json.member("index", index)
  }
}

extension DisplayName {
  /// `kind`, and the `tag` of an element.
  func write(to json: inout JSONWriter) {
    switch self {
    case .element(let tag, _):
      json.member("kind", word: "element")
      json.member("tag", tag)
    case .text, .blank: json.member("kind", word: "text")
    case .comment: json.member("kind", word: "comment")
    case .processingInstruction: json.member("kind", word: "processing-instruction")
    }
  }
}

// MARK: - The log

extension ChangeLog.Entry {
  /// A change set or `{"rejected": problem}`.
  package var json: JSONWriter {
    switch outcome {
    case .applied(let record): return record.json(at: cursor)
    case .rejected(let rejection):
      return JSONWriter { json in
        json.member("rejected", json: rejection.error.problem.jsonText)
        json.version(rejection.version, of: rejection.view, epoch: rejection.epoch)
        json.member("at", at: rejection.at)
        json.member("bytes", rejection.bytes)
        json.member("input", rejection.input)
        json.member("cursor", EventID.positionText(cursor, in: rejection.epoch))
      }
    }
  }
}

extension JSONWriter {
  /// Writes the members `view`, `epoch` and `version`.
  mutating func version(_ version: Int, of view: String, epoch: Int) {
    member("view", view)
    member("epoch", epoch)
    member("version", version)
  }
}
