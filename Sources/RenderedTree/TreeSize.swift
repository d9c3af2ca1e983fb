/// The size of a merged tree, including the components that no page shows. `PageSize` contains it.
package struct TreeSize: Sendable, Hashable {
  /// The number of fragments, components and entries.
  package private(set) var fragments = 0
  /// The bytes of the slots and of their texts, and of the statics of each fragment, component and
  /// comprehension.
  package private(set) var bytes = 0

  /// A size; by default 0.
  package init(fragments: Int = 0, bytes: Int = 0) { (self.fragments, self.bytes) = (fragments, bytes) }

  /// Measures a tree.
  ///
  /// - Complexity: O(*slots*).
  package init(of rendered: Rendered) {
    add(rendered.root)
    for component in rendered.components.values { add(component) }
  }

  init(of fragments: [Fragment]) {
    for fragment in fragments { add(fragment) }
  }

  /// Removes a part. A part that has grown since the tree was measured does not make the size
  /// negative.
  package static func -= (size: inout TreeSize, part: TreeSize) {
    size.fragments = max(0, size.fragments - part.fragments)
    size.bytes = max(0, size.bytes - part.bytes)
  }

  /// The estimated memory in bytes, with 128 for each fragment, component and entry.
  package var memory: Int { fragments * 128 + bytes }

  /// The maximum of ``memory`` for the tree of a view. It is more than a page can show
  /// (``Rendered/maximumFragments``, ``Rendered/maximumMarkup``), because components that no page
  /// shows stay in the tree until the server destroys them.
  package static let maximumMemory = 80 << 20

  private mutating func add(_ fragment: Fragment) {
    fragments += 1
    bytes += fragment.statics.bytes
    add(fragment.slots)
  }

  private mutating func add(_ slots: [Slot]) {
    bytes += slots.count * MemoryLayout<Slot>.stride
    for slot in slots {
      switch slot {
      case .text(let text): bytes += text.utf8.count
      case .component: break
      case .fragment(let fragment): add(fragment)
      case .comprehension(let comprehension):
        bytes += comprehension.statics.bytes
        fragments += comprehension.entries.count
        for entry in comprehension.entries { add(entry.slots) }
      }
    }
  }
}

extension Statics {
  /// - Complexity: O(*parts*).
  fileprivate var bytes: Int { parts.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.stride } }
}
