/// From the document that a client holds and the page that an update renders, the changes to what the client holds then.
///
/// A pure function in three passes. ``ClientPatch`` finds the tree that LiveView's client makes of the page. The ``Matcher``
/// finds for every node of that tree the node of the document that it is: by `id` and tag, by what the wire says (entry of a
/// keyed comprehension, component), by place and tag, in this order. The ``ChangeWriter`` then reads the changes off the
/// pairs: what has no partner is added or removed, what has one is kept, and of those that are kept as few move as the
/// longest increasing subsequence allows.
///
/// No node is ever removed before the whole page is matched; so one that moves out of a removed parent lives on.
package enum Morph {
  package struct Outcome: Sendable {
    package var changes: ChangeSet
    /// What the document is to remember with the changes.
    package var marks: Marks
    var refs: [NodeRef?]
    /// The tree after the changes; see ``forgetTree()``.
    private(set) var patched: PatchedPage?

    init(changes: ChangeSet, marks: Marks, refs: [NodeRef?], patched: PatchedPage) {
      self.changes = changes
      self.marks = marks
      self.refs = refs
      self.patched = patched
    }

    /// Lets the memory go that only ``isSettled(showing:version:)`` and ``shows(_:)`` need.
    package mutating func forgetTree() { patched = nil }

    /// Whether the client has kept elements that the page names otherwise: it compares names without regard to case.
    package var keepsOtherNames: Bool { patched?.keepsOtherNames ?? false }

    /// The name of a node of the page, whether it is new or was there before; `nil` where the client did not take it over.
    package func ref(of node: NodeTree.Index) -> NodeRef? { refs[Int(node.raw)] }

    /// By place in the page's storage, the numbers of its nodes; 0 where there is none.
    package var names: [Int] { refs.map { $0?.number ?? 0 } }
  }

  /// - Parameters:
  ///   - streams: what the streams of this update do.
  ///   - rules: the client, and how the update reaches it.
  /// - Complexity: O(*n* log *n*) for *n* nodes of both.
  package static func changes(
    from document: Document, to page: Page, streams: [StreamPatch] = [], rules: PatchRules = PatchRules()
  ) -> Outcome {
    changes(from: document, toChildrenOf: NodeTree.root, in: page, streams: streams, rules: rules)
  }

  /// The changes that make a part of a document what a piece of markup says.
  ///
  /// - Parameters:
  ///   - excerpt: the part, as ``Document/excerpt(of:after:before:numberingFrom:)`` gives it.
  ///   - parent: the node of the page whose children the piece's nodes are.
  package static func changes(
    from excerpt: Document, toChildrenOf parent: NodeTree.Index, in page: Page, streams: [StreamPatch] = [],
    rules: PatchRules = PatchRules()
  ) -> Outcome {
    guard ClientPatch.isNeeded(for: page, in: excerpt, streams: streams, rules: rules) else {
      return changes(from: excerpt, to: PatchedPage(page, top: parent))
    }
    var patch = ClientPatch(rules: rules, dialect: excerpt.dialect)
    patch.load(excerpt)
    let source = patch.load(page, from: parent)
    patch.patchView(to: source, streams: streams)
    return changes(from: excerpt, to: PatchedPage(patch, of: page))
  }

  /// One component as the client patches it where a diff names components alone.
  package struct ComponentPage: Sendable {
    package var cid: Int
    /// The page that its root element is in: the view's, or one of its own where the view's does not show it.
    package var page: Page
    package var isOwn: Bool
    package var streams: [StreamPatch]

    package init(cid: Int, page: Page, isOwn: Bool, streams: [StreamPatch]) {
      self.cid = cid
      self.page = page
      self.isOwn = isOwn
      self.streams = streams
    }
  }

  /// The changes of a diff that names components alone: the client patches each that the document shows, unless another one
  /// around it is named too, and leaves all others as they are.
  package static func changes(
    from document: Document, toComponents components: [ComponentPage], in page: Page, rules: PatchRules = PatchRules()
  ) -> Outcome {
    var patch = ClientPatch(rules: rules, dialect: document.dialect)
    patch.load(document)
    // The components are outside of each other: patching one moves no other.
    let (targets, shown) = (patch.rootsOfComponents(), page.rootsOfComponents())
    for component in components {
      let cid = component.cid
      guard let top = component.isOwn ? component.page.rootsOfComponents()[cid] : shown[cid], let target = targets[cid],
        patch.holds(target, as: cid)
      else { continue }
      let source = patch.load(component.page, from: top, isMapped: !component.isOwn)
      patch.patch(target, to: source, streams: component.streams)
    }
    return changes(from: document, to: PatchedPage(patch, of: page))
  }

  static func changes(from document: Document, to patched: PatchedPage) -> Outcome {
    var matcher = Matcher(document: document, patched: patched)
    matcher.match()
    var writer = ChangeWriter(document: document, patched: patched, matches: matcher.matches)
    writer.write()
    return Outcome(
      changes: ChangeSet(writer.changes), marks: writer.marks(), refs: writer.names(), patched: patched)
  }
}
