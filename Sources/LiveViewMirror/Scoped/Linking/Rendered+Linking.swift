internal import MarkupDocument
internal import RenderedTree

/// The parsed markup of a region, and the parts of the tree to link to its nodes. A ``Region``
/// makes one when the region is compared with the document. After the document has changed,
/// `Rendered.relink` links the parts to the nodes.
struct ParsedRegion {
  let page: Page
  /// The node of the page whose children the markup became.
  let parent: NodeTree.Index
  /// The document numbers of the page's nodes, by index in the page's storage.
  let nodeNumbers: [Int]
  let parts: [(part: Region.LinkedPart, offset: Int)]
}

extension Rendered {
  /// Links every instance to its nodes in a page. ``FullUpdate`` calls it at a mount and for a
  /// diff.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - nodeNumbers: the document numbers of the page's nodes, by index in the page's storage.
  ///   - templates: the view's templates.
  ///   - document: the document before the update; `nil` for a mount.
  /// - Returns: whether the page is stable as far as the linker can see: patching it once more
  ///   changes nothing.
  /// - Complexity: O(*slots* + *nodes between anchors*).
  mutating func linkAll(
    to page: Page, nodeNumbers: [Int], _ templates: inout TemplateTable, in document: Document? = nil
  ) -> Bool {
    for cid in Array(components.keys) { components[cid]?.site = nil }
    var linker = Linker(page, below: NodeTree.root, nodeNumbers: nodeNumbers, document: document)
    templates.beginLinking()
    linker.with(&components, &templates) { $0.linkFragment(&root) }
    templates.endLinking()
    if let document, document.ignoresOtherAttributes(than: page, below: NodeTree.root, nodeNumbers: nodeNumbers) {
      return false
    }
    return !linker.isUnstable && (!page.mayHoldStreams || page.tree.hasStableContainers())
  }

  /// Links the parts of the tree that are in a region.
  ///
  /// - Parameter document: the document after the update.
  /// - Returns: whether the region is stable, as for ``linkAll(to:nodeNumbers:_:in:)``.
  mutating func relink(_ region: ParsedRegion, _ templates: inout TemplateTable, in document: Document) -> Bool {
    var linker = Linker(region.page, below: region.parent, nodeNumbers: region.nodeNumbers, document: document)
    for (part, offset) in region.parts {
      linker.offset = offset
      switch part {
      case .slot(let path, let slot):
        withInstance(at: path) { instance, components in
          linker.depth = instance.site?.depth ?? 0
          linker.with(&components, &templates) { $0.linkSlot(slot, of: &instance.slots) }
        }
      case .entry(let path, let slot, let entry):
        withInstance(at: path) { instance, components in
          guard var comprehension = instance.slots.takeComprehension(at: slot) else { return }
          linker.depth = instance.site?.depth ?? 0
          linker.with(&components, &templates) { $0.linkEntries(entry..<entry + 1, of: &comprehension) }
          instance.slots[slot] = .comprehension(comprehension)
        }
      case .element(let path, let anchor):
        withInstance(at: path) { instance, components in
          guard let site = instance.site else { return }
          linker.depth = site.depth
          linker.with(&components, &templates) {
            instance.site = $0.relinkElement(anchor, of: site, instance.statics, &instance.slots)
          }
        }
      case .component(let cid, let depth):
        linker.depth = depth
        linker.with(&components, &templates) { $0.linkComponent(cid) }
      }
    }
    return !linker.isUnstable && region.page.tree.hasStableContainers(below: region.parent)
      && !document.ignoresOtherAttributes(than: region.page, below: region.parent, nodeNumbers: region.nodeNumbers)
  }
}
