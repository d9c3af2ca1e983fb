internal import MarkupDocument
internal import RenderedTree

/// A part of a page that was parsed by itself, with what is to be found in it.
struct Linkage {
  var page: Page
  /// The node of the page whose children the markup became.
  var parent: NodeTree.Index
  /// By place in the page's storage, the numbers of its nodes in the document.
  var names: [Int]
  /// With the place in the markup where each begins.
  var units: [(unit: Region.Unit, offset: Int)]
}

extension Rendered {
  /// Leaves with every instance where it stands in a page.
  ///
  /// - Parameters:
  ///   - names: by place in the page's storage, the numbers that its nodes have in the document.
  ///   - document: as it was before the page, if there was one.
  /// - Returns: whether the page will show the same when nothing changes: no stream's items stand where nobody keeps them.
  /// - Complexity: O(*slots* + *nodes between anchors*).
  mutating func link(to page: Page, names: [Int], in document: Document? = nil) -> Bool {
    for cid in Array(components.keys) { components[cid]?.site = nil }
    var linker = Linker(page, below: NodeTree.root, names: names, document: document)
    linker.with(&components) { $0.link(&root) }
    if let document, document.ignoresMore(than: page, below: NodeTree.root, names: names) { return false }
    return !linker.isUnsettled && (!page.mayHoldStreams || page.tree.isSettled())
  }

  /// The same for a part of a page.
  mutating func link(_ part: Linkage, in document: Document) -> Bool {
    var linker = Linker(part.page, below: part.parent, names: part.names, document: document)
    for (unit, offset) in part.units {
      linker.offset = offset
      switch unit {
      case .slot(let path, let slot):
        withInstance(at: path) { instance, components in
          linker.level = instance.site?.level ?? 0
          linker.with(&components) { $0.link(&instance.slots, slot) }
        }
      case .entry(let path, let slot, let entry):
        withInstance(at: path) { instance, components in
          guard var comprehension = instance.slots.takeComprehension(at: slot) else { return }
          linker.level = instance.site?.level ?? 0
          linker.with(&components) { $0.link(&comprehension.entries[entry], of: comprehension.statics) }
          if comprehension.entries[entry].site == nil { comprehension.isLinked = false }
          instance.slots[slot] = .comprehension(comprehension)
        }
      case .element(let path, let anchor):
        withInstance(at: path) { instance, components in
          guard let site = instance.site else { return }
          linker.level = site.level
          linker.with(&components) {
            instance.site = $0.link(anchor, of: site, instance.statics, &instance.slots)
          }
        }
      case .component(let cid, let level):
        linker.level = level
        linker.with(&components) { $0.link(component: cid) }
      }
    }
    return !linker.isUnsettled && part.page.tree.isSettled(below: part.parent)
      && !document.ignoresMore(than: part.page, below: part.parent, names: part.names)
  }
}
