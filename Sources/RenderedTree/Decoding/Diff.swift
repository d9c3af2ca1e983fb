/// One update as it came over the wire, typed: the Rendered of a mount or a diff, with what travels beside it.
///
/// Template references (an integer `s`) are gone: they belong to one update and were resolved while it was decoded.
/// A reference to a component's statics is kept, since only the merge knows the other component.
package struct Diff: Sendable {
  package var root: FragmentDiff
  /// `c`: the components that the update brings or changes, ordered by component id.
  package var components: [(cid: Int, diff: FragmentDiff)] = []
  /// `t`: the page's new title, unescaped.
  package var title: String?
  /// `e`: what `push_event` sent, as JSON: `[["name", payload], …]`.
  package var events: JSONText?
  /// `r` at the top: the answer to the client's event, as JSON.
  package var reply: JSONText?
  /// Keys that were not read, each once.
  package var unknownKeys: [UnknownKey] = []
}

/// What an update says of one fragment: all of it (with statics) or what changed.
package struct FragmentDiff: Sendable {
  package enum Body: Sendable {
    /// `"0": …, "1": …`, ascending.
    case slots([(index: Int, diff: SlotDiff)])
    /// `k` of LiveView ≥ 1.1.
    case keyed(KeyedDiff)
    /// `d` of LiveView 1.0: every entry, each with all its slots.
    case entries([[SlotDiff]])
  }

  package enum StaticsSource: Sendable {
    case here(Statics)
    /// An integer `s` anywhere else: it was resolved, and cost no more on the wire than its number.
    case template(Int, Statics)
    /// An integer `s` at the root of a component: positive for a component of this update, negative for one before it.
    case component(Int)

    /// The strings, unless they are another component's.
    var own: Statics? {
      switch self {
      case .here(let statics), .template(_, let statics): statics
      case .component: nil
      }
    }
  }

  /// `s`. With it the fragment replaces what was there; without, it is merged into it.
  package var statics: StaticsSource?
  /// `r: 1`: the fragment has a single element as its root.
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

/// What an update says of one slot.
package enum SlotDiff: Sendable {
  case text(String)
  /// A JSON number: the component with this id stands here.
  case component(Int)
  indirect case fragment(FragmentDiff)
}

/// `k`: the entries of a keyed comprehension that are not what and where they were (LiveView ≥ 1.1).
package struct KeyedDiff: Sendable {
  package enum Entry: Sendable {
    /// An object: the entry at this place changed, or a new one stands here.
    case update(FragmentDiff)
    /// A number: the entry that was at that place.
    case moved(from: Int)
    /// `[old, diff]`: the entry that was at that place, changed.
    case movedAndUpdated(from: Int, FragmentDiff)

    /// Where the entry stood, if the wire says that it moved.
    var source: Int? {
      switch self {
      case .update: nil
      case .moved(let from), .movedAndUpdated(let from, _): from
      }
    }
  }

  /// `kc`: how many entries there are after the update.
  package var count: Int
  /// By place, ascending.
  package var entries: [(index: Int, entry: Entry)]
}

/// `stream`: what happens to the children of a stream's container. The document carries it out, by DOM id.
package struct StreamOperation: Hashable, Sendable {
  package struct Insert: Hashable, Sendable {
    package var id: String
    /// Where: -1 at the end, 0 at the start, else before the child at that place.
    package var at: Int
    /// How many children the container may have: negative keeps the last ones, positive the first ones.
    package var limit: Int?
    /// Since LiveView 1.1: only if the item is there already.
    package var updateOnly: Bool

    package init(id: String, at: Int, limit: Int? = nil, updateOnly: Bool = false) {
      self.id = id
      self.at = at
      self.limit = limit
      self.updateOnly = updateOnly
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

/// A JSON value that is passed on and not looked into, as compact text.
package struct JSONText: Hashable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }
}

// MARK: - Streams

extension Diff {
  /// Whether the update asks anything of a stream.
  ///
  /// - Complexity: O(*slots of the update*).
  package var hasStreams: Bool { root.hasStreams || components.contains { $0.diff.hasStreams } }
}

extension FragmentDiff {
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
