internal import MirrorSupport

/// The merged tree of one view: the tree of the mount, into which all later diffs were merged.
/// `ViewState` holds the tree of a view.
///
/// A value type. A diff is merged either into a copy, which replaces the original after all later
/// steps have succeeded, or in place, and is undone if a later step fails. Template numbers and
/// references to other components' statics are already resolved. Entries of a stream are in the
/// tree until a page has shown them; after that only the document keeps these entries.
package struct Rendered: Sendable {
  package var root: Fragment
  /// By component id.
  package var components: [Int: Fragment]
  /// The next identity for a root, a comprehension or an entry. See ``Fragment/root`` and
  /// ``Comprehension/list``.
  var nextIdentity: Int

  init(root: Fragment, components: [Int: Fragment] = [:], nextIdentity: Int = 1) {
    self.root = root
    self.components = components
    self.nextIdentity = nextIdentity
  }
}

/// The value of a slot.
package enum Slot: Sendable {
  /// Markup, already escaped by the server.
  case text(String)
  case component(Int)
  indirect case fragment(Fragment)
  indirect case comprehension(Comprehension)
}

/// Statics, and the values of the slots between them. Invariants: `slots.count ==
/// statics.slotCount`, and there is at least one static string.
package struct Fragment: Sendable {
  package var statics: Statics
  /// Whether the server marked the fragment as a single element (`"r": 1`), such as a function
  /// component's.
  package var isRoot: Bool
  /// The identity of that element, unique in the view; LiveView's client numbers it too
  /// (`data-phx-magic-id`). `nil` if the fragment is not a root, and in the entries of LiveView
  /// 1.0, where the client numbers no roots.
  package var root: Int?
  package var slots: [Slot]
  package var site: Site?

  init(statics: Statics, isRoot: Bool, root: Int?, slots: [Slot]) {
    self.statics = statics
    self.isRoot = isRoot
    self.root = root
    self.slots = slots
  }
}

/// The result of a `for`: one template, rendered once for each entry. Invariant: every entry has
/// `statics.slotCount` slots.
package struct Comprehension: Sendable {
  /// May be empty if there are no entries: LiveView 1.0 sends an empty stream like this.
  package var statics: Statics
  /// Whether entries have keys (LiveView ≥ 1.1). In 1.0 an entry is identified by its index only.
  package var isKeyed: Bool
  /// The identity of the comprehension, unique in the view. A comprehension that is sent whole and
  /// differs gets a new one.
  package var list: Int
  package var entries: [Entry]
  /// Whether every entry had a ``Site`` when the comprehension was last linked to the document.
  package var isLinked = false
  /// The stream operation that the document has not carried out yet; removed by
  /// ``Rendered/forgetStreamEntries(in:)``.
  package var stream: StreamOperation?

  init(statics: Statics, isKeyed: Bool, list: Int, entries: [Entry], stream: StreamOperation? = nil) {
    self.statics = statics
    self.isKeyed = isKeyed
    self.list = list
    self.entries = entries
    self.stream = stream
  }

  /// One entry of a comprehension.
  package struct Entry: Sendable {
    /// The identity of the entry, unique in the view. It does not change when the entry moves.
    package var serial: Int
    package var slots: [Slot]
    package var site: Site?

    init(serial: Int, slots: [Slot]) {
      self.serial = serial
      self.slots = slots
    }
  }
}

// MARK: - Removing

extension Rendered {
  /// Removes components that the server has destroyed. Ignores unknown ids.
  ///
  /// - Returns: the size of what was removed.
  /// - Complexity: O(*slots of these components*).
  @discardableResult
  package mutating func removeComponents(_ cids: [Int]) -> TreeSize {
    TreeSize(of: cids.compactMap { components.removeValue(forKey: $0) })
  }

  /// Empties every stream that the last rendering has shown: from then on, only the document keeps
  /// its entries.
  ///
  /// - Parameter shown: the components that the rendering has shown; `nil` for all.
  /// - Complexity: O(*slots*).
  package mutating func forgetStreamEntries(in shown: Set<Int>? = nil) {
    Self.forgetStreamEntries(in: &root.slots)
    for cid in shown.map(Array.init) ?? Array(components.keys) { forgetStreamEntries(ofComponent: cid) }
  }

  /// Empties the streams that one merge has changed, and those of the components that were shown
  /// with it.
  ///
  /// - Parameter hasSites: whether a component with a site counts as shown. If `false`, only the
  ///   components in `shown` count as shown.
  package mutating func forgetStreamEntries(of merge: Merge, showing shown: Set<Int> = [], hasSites: Bool = true) {
    for cid in shown { forgetStreamEntries(ofComponent: cid) }
    for edit in merge.edits {
      switch edit {
      case .slot(let path, let slot, _, _), .stream(let path, let slot, _), .entries(let path, let slot, _):
        // A component that no page shows keeps its entries until a page does.
        if let cid = path.component, !hasSites || components[cid]?.site == nil { continue }
        withInstance(at: path) { instance, _ in
          var content = [instance.slots[slot]]
          instance.slots[slot] = .text("")
          Self.forgetStreamEntries(in: &content)
          instance.slots[slot] = content[0]
        }
      case .component(let cid, _, _):
        if hasSites, components[cid]?.site != nil { forgetStreamEntries(ofComponent: cid) }
      }
    }
  }

  private mutating func forgetStreamEntries(ofComponent cid: Int) {
    guard var component = components.removeValue(forKey: cid) else { return }
    Self.forgetStreamEntries(in: &component.slots)
    components[cid] = component
  }

  private static func forgetStreamEntries(in slots: inout [Slot]) {
    for index in slots.indices {
      if var fragment = slots.takeFragment(at: index) {
        forgetStreamEntries(in: &fragment.slots)
        slots[index] = .fragment(fragment)
      } else if var comprehension = slots.takeComprehension(at: index) {
        if comprehension.stream != nil {
          comprehension.stream = nil
          comprehension.entries = []
        }
        for entry in comprehension.entries.indices {
          forgetStreamEntries(in: &comprehension.entries[entry].slots)
        }
        slots[index] = .comprehension(comprehension)
      }
    }
  }
}

// MARK: - Equality

extension Slot {
  /// Whether two slots render to the same markup. Ignores the identities of comprehensions and
  /// entries. A comprehension with a pending stream operation equals no other.
  ///
  /// - Complexity: O(*slots*).
  func isSame(as other: Slot) -> Bool {
    switch (self, other) {
    case (.text(let a), .text(let b)): a.hasSameBytes(as: b)
    case (.component(let a), .component(let b)): a == b
    case (.fragment(let a), .fragment(let b)): a.isSame(as: b)
    case (.comprehension(let a), .comprehension(let b)):
      a.stream == nil && b.stream == nil && a.entries.count == b.entries.count
        && (a.entries.isEmpty || a.statics == b.statics)
        && zip(a.entries, b.entries).allSatisfy { $0.slots.areSame(as: $1.slots) }
    default: false
    }
  }
}

extension Slot {
  /// Whether the slot contains a fragment with a root element. See ``Fragment/root``.
  ///
  /// - Complexity: O(*slots*).
  var holdsRoots: Bool {
    switch self {
    case .text, .component: false
    case .fragment(let fragment): fragment.root != nil || fragment.slots.contains(where: \.holdsRoots)
    case .comprehension(let comprehension):
      comprehension.entries.contains { $0.slots.contains(where: \.holdsRoots) }
    }
  }
}

extension Fragment {
  func isSame(as other: Fragment) -> Bool { statics == other.statics && slots.areSame(as: other.slots) }
}

extension [Slot] {
  func areSame(as other: [Slot]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
  }
}
