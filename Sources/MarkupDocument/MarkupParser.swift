/// Reads markup into a ``NodeTree``.
package enum MarkupParser {
  package struct Result: Sendable {
    package var tree: NodeTree
    package var diagnostics: [MarkupDiagnostic]
    /// The markup has more nodes than are read: the tree is sound, and only the beginning of the page.
    package var isTruncated: Bool
    /// The elements, perhaps the root, in whose content the tree is not simply what well-nested tags give: what is in
    /// them cannot be exchanged for a ``Piece``. Empty for a page whose tags nest and all are closed.
    package var irregular: Set<NodeTree.Index>
    /// By place in the tree's storage, where the tag is that closed the element, as far as they are known; see ``Regularity``.
    package var ends: [Int32]
  }

  /// A tree may have this many nodes, its root among them: a node takes far more memory than the four bytes of a tag
  /// that make it, so a limit on the markup alone is none on the tree.
  package static let maximumNodes = 163_840

  /// The tree that `markup` builds in the given dialect. It never fails: whatever is wrong is a diagnostic.
  ///
  /// Once there are more than ``maximumNodes`` nodes nothing more is read. What is left to do then (the tag at hand, what
  /// it implies and the clones it takes) can exceed the limit by as many nodes as one tag makes.
  ///
  /// - Parameter isInView: whether the markup is the content of a view's element, a `div`, which a `</div>` too many closes.
  /// - Complexity: O(*bytes*); hostile nesting costs a constant more for each tag, see ``OpenElements``.
  package static func parse(_ markup: [UInt8], dialect: Dialect, isInView: Bool = false) -> Result {
    markup.withUnsafeBufferPointer { bytes in
      switch dialect {
      case .html:
        var builder = TreeBuilder(bytes)
        builder.isInView = isInView
        builder.run()
        return Result(
          tree: builder.tree, diagnostics: builder.tokenizer.log.diagnostics, isTruncated: builder.isTruncated,
          irregular: builder.regularity.irregular, ends: builder.regularity.ends)
      case .native:
        var parser = NativeParser(bytes)
        parser.run()
        return Result(
          tree: parser.tree, diagnostics: parser.tokenizer.log.diagnostics, isTruncated: parser.isTruncated,
          irregular: parser.regularity.irregular, ends: parser.regularity.ends)
      }
    }
  }
}
