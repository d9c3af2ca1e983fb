/// From the document that a client holds and the page that it should show, the changes between them.
///
/// A pure function in two passes. The ``Matcher`` finds for every node of the page the node of the document that it is:
/// by `id` and tag, by what the wire says (entry of a keyed comprehension, component), by place and tag, in this order.
/// The ``ChangeWriter`` then reads the changes off the pairs: what has no partner is added or removed, what has one is
/// kept, and of those that are kept as few move as the longest increasing subsequence allows.
///
/// No node is ever removed before the whole page is matched; so one that moves out of a removed parent lives on.
package enum Morph {
  package struct Outcome: Sendable {
    package var changes: ChangeSet
    /// What the document is to remember with the changes.
    package var marks: Marks
    var refs: [NodeRef?]

    /// The name of a node of the page, whether it is new or was there before.
    package func ref(of node: NodeTree.Index) -> NodeRef? { refs[Int(node.raw)] }

    /// By place in the page's storage, the numbers of its nodes; 0 where there is none.
    package var names: [Int] { refs.map { $0?.number ?? 0 } }
  }

  /// - Parameter streams: what the streams of this update do; see ``StreamPlan``.
  /// - Complexity: O(*n* log *n*) for *n* nodes of both.
  package static func changes(
    from document: Document, to page: Page, streams: [StreamPatch] = []
  ) -> Outcome {
    changes(
      from: document, top: NodeTree.root, to: page, top: NodeTree.root, streams: streams)
  }

  /// The changes that make one element what a page of its own says. For components inside the items of a stream: the page
  /// no longer names them, since the server has forgotten the items.
  ///
  /// - Parameters:
  ///   - root: the element, such as ``Document/rootNode(ofComponent:)``.
  ///   - parent: the node of the page whose first element child counts. LiveView's client ignores all others
  ///     (`modifyRoot` and morphdom's `toElement`, 1.0 to 1.2).
  /// - Returns: `nil` where the document has no such element, or the page has no element there.
  package static func changes(
    from document: Document, at root: NodeRef, toFirstElementOf parent: NodeTree.Index, in page: Page,
    streams: [StreamPatch] = []
  ) -> Outcome? {
    guard let old = document.place(of: root),
      let new = page.tree.children(of: parent).first(where: { page.tree[$0].element != nil })
    else { return nil }
    return changes(from: document, top: old, to: page, top: new, streams: streams)
  }

  /// The changes that make a part of a document what a piece of markup says.
  ///
  /// - Parameters:
  ///   - excerpt: the part, as ``Document/excerpt(of:after:before:numberingFrom:)`` gives it.
  ///   - parent: the node of the page whose children the piece's nodes are.
  package static func changes(
    from excerpt: Document, toChildrenOf parent: NodeTree.Index, in page: Page, streams: [StreamPatch] = []
  ) -> Outcome {
    changes(from: excerpt, top: NodeTree.root, to: page, top: parent, streams: streams)
  }

  private static func changes(
    from document: Document, top old: NodeTree.Index, to page: Page, top new: NodeTree.Index, streams: [StreamPatch]
  ) -> Outcome {
    let patches = StreamPatches(streams)
    var matcher = Matcher(document: document, top: old, page: page, streams: patches)
    matcher.match(old, new)
    var writer = ChangeWriter(document: document, page: page, streams: patches, matches: matcher.matches)
    writer.write(new, insteadOf: old)
    return Outcome(changes: ChangeSet(writer.changes), marks: writer.marks(), refs: writer.refs)
  }
}
