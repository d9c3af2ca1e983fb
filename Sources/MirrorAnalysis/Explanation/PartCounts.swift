internal import LiveViewMirror
internal import MirrorSupport
internal import RenderedTree

/// The members of a fragment, a comprehension or an update, counted for its summary.
/// ``PartDescription`` makes one.
struct Content {
  private var slots = 0
  private var isWhole = false
  private var clone: Int?
  private var keyed: KeyedCounts?
  private var entries: Int?
  private var stream: StreamCounts?
  private var components = 0
  private var events = 0
  private var hasTitle = false
  private var hasReply = false

  /// - Complexity: O(*members* + *entries*).
  init(of value: JSONPositions.Value, by reader: PartReader) {
    let json = reader.json
    // The value is read as `.update`, whatever its place, because the top of an update knows all
    // keys.
    for child in reader.children(of: value, at: .update) {
      switch child.part {
      case .slot: slots += 1
      case .statics:
        isWhole = true
        clone = json.integer(child.value)
      case .keyed: keyed = KeyedCounts(of: child.value, by: reader)
      case .entries: entries = json.elements(of: child.value).count
      case .stream: stream = StreamCounts(of: child.value, by: json)
      case .components: components = json.members(of: child.value).count
      case .events: events = json.elements(of: child.value).count
      case .title: hasTitle = true
      case .reply: hasReply = true
      default: break
      }
    }
  }

  var isList: Bool { keyed != nil || entries != nil || stream != nil }

  // MARK: - Words

  func update(isMount: Bool) -> String {
    var words: [String] = []
    if isWhole && !isMount { words.append("the whole tree") }
    if slots > 0 { words.append(Formatted.count(slots, "slot")) }
    if components > 0 { words.append(Formatted.count(components, "component")) }
    if hasTitle { words.append("title") }
    if events > 0 { words.append(Formatted.count(events, "event")) }
    if hasReply { words.append("reply") }
    return "\(isMount ? "Rendered" : "diff"): \(words.isEmpty ? "nothing" : words.joined(separator: ", "))"
  }

  func component(_ cid: Int) -> String {
    guard let clone else {
      return isWhole
        ? "component \(cid) sent whole: \(Formatted.count(slots, "slot"))"
        : "component \(cid): \(Formatted.count(slots, "slot")) sent"
    }
    let time = clone > 0 ? "in this update" : "before this update"
    return "component \(cid): copy of component \(clone.magnitude) \(time), \(Formatted.count(slots, "slot")) sent"
  }

  var fragment: String {
    if let stream { return stream.words }
    let whole = isWhole ? " sent whole" : ""
    if let keyed {
      return isWhole ? "list sent whole: \(Formatted.count(keyed.total, "entry"))" : "list: \(keyed.words)"
    }
    if let entries {
      return
        "list\(whole): \(isWhole ? Formatted.count(entries, "entry") : "all \(Formatted.count(entries, "entry")) sent")"
    }
    return "fragment\(whole): \(Formatted.count(slots, "slot"))\(isWhole ? "" : " sent")"
  }
}

/// Counts the entries of `k`, the keyed entries of a list (LiveView ≥ 1.1), for a summary.
struct KeyedCounts {
  private(set) var total = 0
  private var sent = 0
  private var moved = 0

  /// - Complexity: O(*entries*).
  init(of value: JSONPositions.Value, by reader: PartReader) {
    let json = reader.json
    for child in reader.children(of: value, at: .keyed) {
      switch child.part {
      case .count: total = json.integer(child.value) ?? 0
      case .keyedEntry:
        let kind = json.kind(of: child.value)
        if kind != .number { sent += 1 }
        let former = kind == .array ? json.elements(of: child.value).first : child.value
        if kind != .object, let from = former.flatMap(json.integer), from != child.index { moved += 1 }
      default: break
      }
    }
  }

  /// `1 of 400 entries sent, 2 moved`.
  var words: String {
    if total == 0 { return "no entries are left" }
    return "\(sent) of \(Formatted.count(total, "entry")) sent" + (moved > 0 ? ", \(moved) moved" : "")
  }
}

/// Counts the operations of a stream for a summary.
struct StreamCounts {
  private var inserts = 0
  private var deletes = 0
  private var isReset = false

  init(of value: JSONPositions.Value, by json: JSONPositions) {
    let fields = json.elements(of: value)
    guard fields.count >= 3 else { return }
    inserts = json.elements(of: fields[1]).count
    deletes = json.elements(of: fields[2]).count
    isReset = fields.count > 3 && json.isTrue(fields[3])
  }

  /// `stream: reset, 2 inserts, 1 delete`.
  var words: String {
    var words: [String] = []
    if isReset { words.append("reset") }
    if inserts > 0 { words.append(Formatted.count(inserts, "insert")) }
    if deletes > 0 { words.append(Formatted.count(deletes, "delete")) }
    return "stream: \(words.isEmpty ? "no operations" : words.joined(separator: ", "))"
  }
}
