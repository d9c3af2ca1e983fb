internal import LiveViewMirror
internal import MirrorSupport
internal import RenderedTree

/// The kind, the summary and the excerpt of one part of a diff or Rendered. ``PartList`` makes one
/// for each part.
struct PartDescription {
  let reader: PartReader
  let isMount: Bool
  let value: JSONPositions.Value
  let part: DiffPart
  /// See ``PartReader/Child/index``.
  let index: Int
  /// How LiveView identifies the entries, if the part is `k` of a list.
  let list: ListKind

  private var json: JSONPositions { reader.json }

  // MARK: - Kind

  var kind: DiffExplanation.Kind {
    switch part {
    case .update: isMount ? .rendered : .diff
    case .slot, .changes: slotKind
    case .component: .component
    case .keyedEntry: entryKind
    case .entry: .entry
    case .keyed: .keyed
    case .entries: .entries
    case .components: .components
    case .templates: .templates
    case .template: .template
    case .statics: json.kind(of: value) == .number ? .template : .statics
    case .clone: .clone
    case .stream: .stream
    case .insert, .inserts: .insert
    case .delete, .deletes: .delete
    case .reset: .reset
    case .events: .events
    case .event: .event
    case .reply: .reply
    case .title: .title
    case .count: .count
    case .moves: .moves
    case .root: .root
    case .unknown: .unknown
    }
  }

  private var slotKind: DiffExplanation.Kind {
    switch json.kind(of: value) {
    case .string: json.range(of: value).count == 2 ? .empty : .text
    case .number: .showsComponent
    case .object: Content(of: value, by: reader).isList ? .list : .nested
    case .array, .word: .unknown
    }
  }

  private var entryKind: DiffExplanation.Kind {
    switch json.kind(of: value) {
    case .number: .moved
    case .array: .movedAndChanged
    default: .entry
    }
  }

  // MARK: - Excerpt

  /// `nil` for a part that has children, or whose summary says everything.
  var excerpt: String? {
    let limit = DiffExplanation.Limits.excerpt
    switch kind {
    case .text, .title, .statics, .template, .event, .reply, .unknown: break
    default: return nil
    }
    if kind == .template, json.kind(of: value) == .number { return nil }
    // A character has at most 12 bytes in JSON: a pair of escaped surrogates.
    let text =
      kind == .text || kind == .title ? json.string(value, atMost: 12 * limit) : json.text(of: value, atMost: 4 * limit)
    guard let text else { return json.text(of: value, atMost: 4 * limit) }
    let characters = text.unicodeScalars.prefix(limit)
    let isCut = characters.endIndex < text.unicodeScalars.endIndex || json.range(of: value).count > 12 * limit + 2
    return String(characters) + (isCut ? "…" : "")
  }

  // MARK: - Summary

  /// - Parameter isNew: whether the update added a node because of this part.
  func summary(isNew: Bool) -> String {
    switch part {
    case .update: Content(of: value, by: reader).update(isMount: isMount)
    case .slot, .changes: slot
    case .component: Content(of: value, by: reader).component(index)
    case .keyedEntry: keyedEntry(isNew: isNew)
    case .entry:
      "entry \(index): \(Formatted.count(json.elements(of: value).count, "slot")) sent"
    case .keyed: "\(list.words): \(KeyedCounts(of: value, by: reader).words)"
    case .entries: "by position: all \(Formatted.count(json.elements(of: value).count, "entry")) sent"
    case .components: Formatted.count(json.members(of: value).count, "component")
    case .templates: Formatted.count(json.members(of: value).count, "template")
    case .template: "template \(index): \(Formatted.count(json.elements(of: value).count, "string"))"
    case .statics: statics
    case .clone: clone
    case .stream: StreamCounts(of: value, by: json).words
    case .insert, .inserts: insert
    case .delete, .deletes: "stream delete #\(name(value))"
    case .reset: "reset of the stream: items that are not inserted again are removed"
    case .events: Formatted.count(json.elements(of: value).count, "event")
    case .event: "event \(json.elements(of: value).first.map(name) ?? "")"
    case .reply: "reply to the client's event"
    case .title: json.kind(of: value) == .string ? "title of the page" : "no title"
    case .count: "number of entries after the update: \(json.text(of: value, atMost: 20))"
    case .moves: "flag: entries moved"
    case .root: "flag: the fragment is one element"
    case .unknown: "unknown key, ignored"
    }
  }

  private var slot: String {
    switch json.kind(of: value) {
    case .string: json.range(of: value).count == 2 ? "empty" : "text"
    case .number: "shows component \(json.text(of: value, atMost: 20))"
    case .object: Content(of: value, by: reader).fragment
    case .array, .word: "unknown value"
    }
  }

  private func keyedEntry(isNew: Bool) -> String {
    switch json.kind(of: value) {
    case .number:
      json.integer(value) == index
        ? "entry \(index): named without a change" : "entry \(index): moved from \(json.text(of: value, atMost: 20))"
    case .array:
      "entry \(index): moved from \(former), \(Formatted.count(slotCount, "slot")) sent"
    default: "\(isNew ? "new entry" : "entry") \(index): \(Formatted.count(slotCount, "slot")) sent"
    }
  }

  private var former: String { json.elements(of: value).first.map { json.text(of: $0, atMost: 20) } ?? "" }

  private var slotCount: Int {
    reader.children(of: value, at: part).count { $0.part == .slot }
  }

  private var statics: String {
    json.kind(of: value) == .number
      ? "statics: template \(json.text(of: value, atMost: 20))"
      : "statics sent: \(Formatted.count(json.elements(of: value).count, "string"))"
  }

  private var clone: String {
    guard let number = json.integer(value) else { return "statics of another component" }
    return "statics and slots of component \(number.magnitude), \(number > 0 ? "in this update" : "before this update")"
  }

  private var insert: String {
    let parts = json.elements(of: value)
    guard parts.count >= 3 else { return "stream insert" }
    let at = json.integer(parts[1]) ?? 0
    let limit = json.integer(parts[2]).map { ", limit \($0)" } ?? ""
    let isUpdateOnly = parts.count > 3 && json.isTrue(parts[3])
    return "stream insert #\(name(parts[0])) at \(at == -1 ? "the end" : "\(at)")\(limit)"
      + (isUpdateOnly ? ", update only" : "")
  }

  /// A DOM id or the name of an event, shortened to 40 characters, which have at most 480 bytes in
  /// JSON.
  private func name(_ value: JSONPositions.Value) -> String {
    let text = json.string(value, atMost: 480) ?? ""
    let part = text.unicodeScalars.prefix(40)
    return String(part) + (part.endIndex < text.unicodeScalars.endIndex ? "…" : "")
  }
}

extension ListKind {
  /// How the entries of `k` are identified.
  fileprivate var words: String {
    switch self {
    case .keyed: "by key"
    case .byIndex: "by index"
    case .stream: "by id"
    case .undecided, .positional: "by key or index"
    }
  }
}
