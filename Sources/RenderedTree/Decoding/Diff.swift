/// One decoded update: a diff, or the Rendered of a mount, with the data that is sent beside it.
/// ``WireDecoder`` makes it, and ``Rendered`` merges it.
///
/// References to templates (an integer `s`) are already resolved, since templates belong to one
/// update. A reference to another component's statics remains, since only the merge has that
/// component.
package struct Diff: Sendable {
  package var root: FragmentDiff
  /// `c`: new and changed components, ordered by component id.
  package var components: [(cid: Int, diff: FragmentDiff)] = []
  /// `t`: the new title of the page, unescaped.
  package var title: String?
  /// `e`: the events of `push_event` as JSON, `[["name", payload], …]`.
  package var events: JSONText?
  /// `r` at the top level: the reply to the client's event, as JSON.
  package var reply: JSONText?
  /// Ignored keys, each once; at most ``UnknownKey/limit``.
  package var unknownKeys: [UnknownKey] = []
  /// Whether an entry of a list names its former index, and the list does not have `km: true`,
  /// without which LiveView's client throws since 1.2.8.
  package var hasUnmarkedMoves = false
}

/// The part of an update that concerns one fragment: the whole fragment if there are statics,
/// otherwise its changes.
package struct FragmentDiff: Sendable {
  /// The slots of a fragment, or the entries of a comprehension.
  package enum Body: Sendable {
    /// `"0": …, "1": …`, in ascending order.
    case slots([(index: Int, diff: SlotDiff)])
    /// `k` (LiveView ≥ 1.1).
    case keyed(KeyedDiff)
    /// `d` (LiveView 1.0): all entries, each with all its slots.
    case entries([[SlotDiff]])
  }

  /// The value of `s`.
  package enum StaticsSource: Sendable {
    /// An array: the strings themselves.
    case here(Statics)
    /// An integer in a fragment that is not a component's root: a template of the update, with its
    /// resolved strings. The number is kept too, because the size on the wire is that of the
    /// number.
    case template(Int, Statics)
    /// An integer at the root of a component: positive for a component of the same update, negative
    /// for a component of the tree before the update.
    case component(Int)

    /// The strings; `nil` if they are another component's.
    var own: Statics? {
      switch self {
      case .here(let statics), .template(_, let statics): statics
      case .component: nil
      }
    }
  }

  /// `s`. If present, the fragment replaces the previous one; otherwise it is merged into the
  /// previous one.
  package var statics: StaticsSource?
  /// `r: 1`: the fragment is a single element.
  package var isRoot = false
  package var body: Body
  package var stream: StreamOperation?

  package init(
    statics: StaticsSource? = nil, isRoot: Bool = false, body: Body, stream: StreamOperation? = nil
  ) {
    self.statics = statics
    self.isRoot = isRoot
    self.body = body
    self.stream = stream
  }
}

/// The part of an update that concerns one slot.
package enum SlotDiff: Sendable {
  case text(String)
  /// A JSON number: the slot shows the component with this id.
  case component(Int)
  indirect case fragment(FragmentDiff)
}

/// `k`: the entries of a keyed comprehension that are new, changed or moved (LiveView ≥ 1.1).
package struct KeyedDiff: Sendable {
  /// The update of one entry.
  package enum Entry: Sendable {
    /// An object: changes of the entry at this index, or a new entry.
    case update(FragmentDiff)
    /// A number: the entry that was at index `from`.
    case moved(from: Int)
    /// `[old, diff]`: the entry that was at index `from`, with changes.
    case movedAndUpdated(from: Int, FragmentDiff)

    /// The previous index of the entry; `nil` if it does not move.
    var source: Int? {
      switch self {
      case .update: nil
      case .moved(let from), .movedAndUpdated(let from, _): from
      }
    }
  }

  /// `kc`: the number of entries after the update.
  package var count: Int
  /// By new index, in ascending order.
  package var entries: [(index: Int, entry: Entry)]
}

/// `stream`: changes of the children of a stream's container. The document finds them by DOM id.
package struct StreamOperation: Hashable, Sendable {
  /// One inserted or updated item.
  package struct Insert: Hashable, Sendable {
    package var id: String
    /// The index of the child before which the item is inserted: 0 for the start, -1 for the end.
    package var at: Int
    /// The number of children that the container keeps: a positive limit keeps the first ones, a
    /// negative limit the last ones. `nil` keeps all.
    package var limit: Int?
    /// The item is updated if it exists, and not inserted otherwise (LiveView ≥ 1.1).
    package var updateOnly: Bool
    /// Whether the field `update_only` was sent, which LiveView 1.0 does not do. Only the size on
    /// the wire depends on it.
    package var sendsUpdateOnly: Bool

    package init(
      id: String, at: Int, limit: Int? = nil, updateOnly: Bool = false, sendsUpdateOnly: Bool = true
    ) {
      self.id = id
      self.at = at
      self.limit = limit
      self.updateOnly = updateOnly
      self.sendsUpdateOnly = sendsUpdateOnly
    }
  }

  package var ref: String
  package var inserts: [Insert]
  package var deletes: [String]
  package var reset: Bool

  package init(ref: String, inserts: [Insert] = [], deletes: [String] = [], reset: Bool = false) {
    self.ref = ref
    self.inserts = inserts
    self.deletes = deletes
    self.reset = reset
  }
}

/// A JSON value as text, passed on without being decoded.
package struct JSONText: Hashable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }
}

/// A key that no LiveView up to 1.2 sends at its place in an update. It is ignored, as LiveView's
/// client does.
package struct UnknownKey: Sendable, Hashable {
  /// The key, cut off after ``longestName`` bytes.
  package var name: String
  /// The first occurrence in the input.
  package var place: SlotPath

  /// The longest name that is kept, in bytes.
  static let longestName = 64
  /// The number of different keys that are noted for one update. It bounds the memory for them.
  static let limit = 16
}

// MARK: - Streams

extension Diff {
  /// Whether the update has a stream operation.
  ///
  /// - Complexity: O(*slots of the update*).
  package var hasStreams: Bool { root.hasStreams || components.contains { $0.diff.hasStreams } }

  /// The stream operations of the update, in its order.
  ///
  /// - Complexity: O(*slots of the update*).
  package var streams: [StreamOperation] {
    var streams: [StreamOperation] = []
    root.collectStreams(into: &streams)
    for component in components { component.diff.collectStreams(into: &streams) }
    return streams
  }
}

extension FragmentDiff {
  fileprivate func collectStreams(into streams: inout [StreamOperation]) {
    if let stream { streams.append(stream) }
    func collect(_ slot: SlotDiff, into streams: inout [StreamOperation]) {
      if case .fragment(let fragment) = slot { fragment.collectStreams(into: &streams) }
    }
    switch body {
    case .slots(let slots): for slot in slots { collect(slot.diff, into: &streams) }
    case .entries(let rows): for row in rows { for slot in row { collect(slot, into: &streams) } }
    case .keyed(let keyed):
      for entry in keyed.entries {
        switch entry.entry {
        case .update(let diff), .movedAndUpdated(_, let diff): diff.collectStreams(into: &streams)
        case .moved: break
        }
      }
    }
  }

  fileprivate var hasStreams: Bool {
    if stream != nil { return true }
    return switch body {
    case .slots(let slots): slots.contains { $0.diff.hasStreams }
    case .entries(let rows): rows.contains { $0.contains(where: \.hasStreams) }
    case .keyed(let keyed):
      keyed.entries.contains { entry in
        switch entry.entry {
        case .update(let diff), .movedAndUpdated(_, let diff): diff.hasStreams
        case .moved: false
        }
      }
    }
  }
}

extension SlotDiff {
  fileprivate var hasStreams: Bool { if case .fragment(let fragment) = self { fragment.hasStreams } else { false } }
}
