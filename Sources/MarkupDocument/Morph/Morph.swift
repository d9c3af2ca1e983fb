/// Computes the changes from the document that a client holds to the document that it holds after
/// an update. Full updates morph the whole page, scoped updates an excerpt of the document.
///
/// A pure function in three passes:
/// 1. ``ClientPatch`` computes the tree that LiveView's client makes of the page.
/// 2. ``Matcher`` finds, for every node of that tree, the node of the document with the same
///    identity: by `id` and tag, then by origin (entry of a keyed comprehension, component), then
///    by position and tag.
/// 3. ``ChangeWriter`` derives the changes. Nodes without a partner are added or removed, nodes
///    with a partner are kept. A longest increasing subsequence minimises the number of kept nodes
///    that move.
///
/// The whole page is matched before ``ChangeWriter`` decides any removal. So a node that moves out
/// of a removed parent is kept.
package enum Morph {
  /// The result of a morph.
  package struct Outcome: Sendable {
    /// The changes that turn the document into the patched page.
    package var changes: ChangeSet
    /// The document's marks after the changes.
    package var marks: Marks
    /// The references of the nodes of the new page, by index in the page's storage.
    package let refs: [NodeRef?]
    /// The tree after the changes; `nil` after ``forgetTree()``.
    private(set) var patched: PatchedPage?
    /// Why the client stopped with an error, if it did.
    package let failure: ClientFailure?
    /// Whether an element that the client finds by its key gets another parent. The client can then
    /// show other content than the page.
    package let movesKeys: Bool
    /// Whether several elements have the same id after the changes, also in the content of
    /// templates.
    package let repeatsIDs: Bool
    /// Whether the client's patch was computed. If not, the page is the result.
    package let isPatched: Bool

    /// The result of the changes that lead to a patched page.
    init(_ writer: ChangeWriter, to patched: PatchedPage, movesKeys: Bool, repeatsIDs: Bool) {
      func byRef<Value>(_ values: [NodeTree.Index: Value], _ body: (NodeRef, Value) -> Void) {
        for (place, value) in values { if let ref = writer.refs[Int(place.raw)] { body(ref, value) } }
      }
      (changes, refs) = (writer.changes, patched.treeIndexes.map { $0 == NodeTree.none ? nil : writer.refs[Int($0)] })
      var marks = Marks()
      marks.origins.reserveCapacity(patched.page.origins.count)
      marks.roots.reserveCapacity(patched.page.roots.count)
      byRef(patched.page.origins) { marks.origins[$0] = $1 }
      byRef(patched.page.roots) { marks.roots[$0] = $1 }
      byRef(patched.states) { marks.setClientState($1, of: $0) }
      (self.marks, self.patched, self.movesKeys, self.repeatsIDs) = (marks, patched, movesKeys, repeatsIDs)
      (isPatched, failure) = (patched.isPatched, patched.failure)
    }

    /// Releases the tree, which only ``isStable(showing:version:)`` and ``shows(_:)`` need.
    package mutating func forgetTree() { patched = nil }

    /// Whether the client keeps an element whose tag differs from the page's only in case, or has
    /// closed a `details` element because another one with its name is open.
    package var keepsOtherNames: Bool { patched?.keepsOtherNames ?? false }

    /// The reference of a node of the page, new or kept; `nil` if the client did not take the node
    /// over.
    package func ref(of node: NodeTree.Index) -> NodeRef? { refs[Int(node.raw)] }

    /// Per storage index of the page: the number of the node; 0 for a node without one.
    package var nodeNumbers: [Int] { refs.map { $0?.number ?? 0 } }
  }

  /// The changes that turn a document into what a client shows after patching it with a page.
  ///
  /// - Parameters:
  ///   - streams: the stream operations of this update.
  ///   - rules: the client's version, and how the update reaches it.
  /// - Complexity: O(*n* log *n*), *n* being the number of nodes of the document and the page.
  package static func changes(
    from document: Document, to page: Page, streams: [StreamPatch] = [], rules: PatchRules = PatchRules()
  ) -> Outcome {
    changes(from: document, toChildrenOf: NodeTree.root, in: page, streams: streams, rules: rules)
  }

  /// The changes that patch a part of a document with a piece of markup.
  ///
  /// - Parameters:
  ///   - excerpt: the part, made by ``Document/excerpt(of:after:before:numberingFrom:)``.
  ///   - parent: the node of the page whose children are the piece's nodes.
  package static func changes(
    from excerpt: Document, toChildrenOf parent: NodeTree.Index, in page: Page, streams: [StreamPatch] = [],
    rules: PatchRules = PatchRules()
  ) -> Outcome {
    if !ClientPatch.isNeeded(for: page, in: excerpt, streams: streams, rules: rules) {
      let outcome = changes(from: excerpt, to: PatchedPage(page, top: parent))
      if !outcome.movesKeys || !excerpt.dialect.isPatchedByBrowser { return outcome }
    }
    return changes(
      from: excerpt, to: PatchedPage(page, from: parent, patching: excerpt, streams: streams, rules: rules))
  }

  /// A component that the client patches on its own, as it does for a diff that contains only
  /// components.
  package struct ComponentPage: Sendable {
    /// The component id.
    package var cid: Int
    /// The page that contains the component's root element: the view's page, or a page of its own
    /// if the view's page does not contain the component.
    package var page: Page
    /// Whether the component has a page of its own.
    package var isOwn: Bool
    /// The stream operations of the component.
    package var streams: [StreamPatch]

    /// A component whose root is in `page`.
    package init(cid: Int, page: Page, isOwn: Bool, streams: [StreamPatch]) {
      self.cid = cid
      self.page = page
      self.isOwn = isOwn
      self.streams = streams
    }
  }

  /// The changes of a diff that contains only components. The client patches each component that
  /// the document shows, unless another component of the diff contains it; all other components
  /// stay unchanged.
  package static func changes(
    from document: Document, toComponents components: [ComponentPage], in page: Page, rules: PatchRules = PatchRules()
  ) -> Outcome {
    changes(from: document, to: PatchedPage(page, patching: components, of: document, rules: rules))
  }

  static func changes(from document: Document, to patched: PatchedPage) -> Outcome {
    var matcher = Matcher(document: document, patched: patched)
    matcher.match()
    var writer = ChangeWriter(document: document, new: patched.page.tree, top: patched.top, matches: matcher.matches)
    writer.write()
    return Outcome(
      writer, to: patched, movesKeys: patched.movesKeys || matcher.movesKeys(), repeatsIDs: matcher.repeatsIDs)
  }
}

extension Morph {
  /// Finds the nodes of a document in a page that shows this version of the document.
  ///
  /// - Parameter parent: the node of the page whose children show the document's topmost nodes.
  /// - Returns: per storage index of the page, the node; `nil` for nodes that the document does not
  ///   have.
  /// - Complexity: O(*nodes*) if the page has the document's structure, otherwise that of
  ///   ``changes(from:to:streams:rules:)``.
  package static func refs(
    of document: Document, shownAsChildrenOf parent: NodeTree.Index = NodeTree.root, in page: Page
  ) -> [NodeRef?] {
    let (old, new) = (document.tree, page.tree)
    var refs = [NodeRef?](repeating: nil, count: new.storageCount)
    for (mine, other) in zip(old.preorder(), new.preorder(from: parent)) {
      guard old.childCount(of: mine) == new.childCount(of: other), other == parent || old[mine].isLike(new[other])
      else {
        return changes(from: document, toChildrenOf: parent, in: page).refs
      }
      refs[Int(other.raw)] = document.ref(mine)
    }
    return refs
  }
}

extension Morph.Outcome {
  /// Whether the document has an element that the client has inserted without its content
  /// (`data-phx-skip`). Such an element stays in the document, but no page contains it.
  package var keepsSkippedElements: Bool {
    guard isPatched, let tree = patched?.page.tree else { return false }
    return tree.preorder().contains { tree[$0].element?["data-phx-skip"] != nil }
  }

  /// Whether the result may depend on nodes outside of the part that was patched. A scoped update
  /// is then refused.
  package var isUncertain: Bool { movesKeys || failure != nil }
}
