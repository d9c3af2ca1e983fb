/// The merged tree of one view: what the server has told so far, as statics and dynamics.
///
/// A value. A diff is merged into a copy, which takes the original's place when everything after it has succeeded; or in
/// place, and is taken back where something has not. Integer statics never stand in it. Entries of streams stand in it
/// until they were shown: from then on the document keeps them.
package struct Rendered: Sendable {
  package var root: Fragment
  /// By component id.
  package var components: [Int: Fragment]
  /// The next identity for a root, a comprehension or an entry; see ``Fragment/root`` and ``Comprehension/list``.
  var nextIdentity: Int

  init(root: Fragment, components: [Int: Fragment] = [:], nextIdentity: Int = 1) {
    self.root = root
    self.components = components
    self.nextIdentity = nextIdentity
  }
}

/// What stands in a slot.
package enum Slot: Sendable {
  /// Markup, already escaped by the server.
  case text(String)
  case component(Int)
  indirect case fragment(Fragment)
  indirect case comprehension(Comprehension)
}

/// Statics with their dynamics. Invariant: `slots.count == statics.slotCount`, and there is at least one static.
package struct Fragment: Sendable {
  package var statics: Statics
  /// The server's word that the fragment is one element, such as the root of a function component.
  package var isRoot: Bool
  /// The identity of that element, never given twice in a view: LiveView's client numbers it (`data-phx-magic-id`). `nil` in the
  /// entries of LiveView 1.0, where it does not.
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

/// A template rendered once an entry. Invariant: every entry has `statics.slotCount` slots.
package struct Comprehension: Sendable {
  /// May be empty while there are no entries (LiveView 1.0 sends an empty stream so).
  package var statics: Statics
  /// Whether the wire says which entry is which (LiveView ≥ 1.1); in 1.0 an entry is its place alone.
  package var isKeyed: Bool
  /// Tells this comprehension from every other that the view ever had: one sent whole again is another one.
  package var list: Int
  package var entries: [Entry]
  /// Whether all entries that were here after the last update know where they stand.
  package var isLinked = false
  /// What the last merge asks the document to do; taken off by ``Rendered/forgetStreamEntries()``.
  package var stream: StreamOperation?

  init(statics: Statics, isKeyed: Bool, list: Int, entries: [Entry], stream: StreamOperation? = nil) {
    self.statics = statics
    self.isKeyed = isKeyed
    self.list = list
    self.entries = entries
    self.stream = stream
  }

  package struct Entry: Sendable {
    /// Stays with the entry wherever the wire moves it; never given twice in a view.
    package var serial: Int
    package var slots: [Slot]
    package var site: Site?

    init(serial: Int, slots: [Slot]) {
      self.serial = serial
      self.slots = slots
    }
  }
}

// MARK: - Removal

extension Rendered {
  /// Drops components that the server has destroyed. Ids that are not there are passed over.
  package mutating func removeComponents(_ cids: [Int]) {
    for cid in cids { components[cid] = nil }
  }

  /// Empties every stream that the last rendering has shown: its entries live on in the document alone.
  ///
  /// - Parameter shown: the components that it has shown; all, without one.
  /// - Complexity: O(*slots*).
  package mutating func forgetStreamEntries(in shown: Set<Int>? = nil) {
    Self.forgetStreamEntries(in: &root.slots)
    for cid in shown.map(Array.init) ?? Array(components.keys) { forgetStreamEntries(ofComponent: cid) }
  }

  /// The same for what one merge has brought, and for components that were shown with it.
  package mutating func forgetStreamEntries(of merge: Merge, showing shown: Set<Int> = []) {
    for cid in shown { forgetStreamEntries(ofComponent: cid) }
    for edit in merge.edits {
      switch edit {
      case .slot(let path, let slot, _, _), .stream(let path, let slot, _), .entries(let path, let slot, _):
        // What no page shows keeps its entries until one does.
        if let cid = path.component, components[cid]?.site == nil { continue }
        withInstance(at: path) { instance, _ in
          var content = [instance.slots[slot]]
          instance.slots[slot] = .text("")
          Self.forgetStreamEntries(in: &content)
          instance.slots[slot] = content[0]
        }
      case .component(let cid, _, _):
        if components[cid]?.site != nil { forgetStreamEntries(ofComponent: cid) }
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

// MARK: - Sameness

extension Slot {
  /// Whether two slots render alike: identities of comprehensions and entries are left out.
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
  /// Whether a fragment in it is the root of something; see ``Fragment/root``.
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
