/// Parses markup into a ``NodeTree``.
package enum MarkupParser {
  /// The tree of a page and what the parser knows about it.
  package struct Result: Sendable {
    /// The nodes that were read.
    package var tree: NodeTree
    /// Repairs and violated rules, in source order.
    package var diagnostics: [MarkupDiagnostic]
    /// Whether the markup has more nodes than ``maximumNodes``: the tree is well-formed but holds only the beginning of the
    /// page.
    package var isTruncated: Bool
    /// The elements, perhaps the root, whose content the parser had to repair: the tree is not simply what well-nested tags
    /// give. Their content cannot be replaced by a ``Piece``. Empty for a page whose tags nest and are all closed.
    package var irregular: Set<NodeTree.Index>
    /// Per storage index: the offset of the tag that closed the element, as far as it is known; see ``Regularity``.
    package var ends: [Int32]
  }

  /// The largest number of nodes in a tree, the root included. A node takes far more memory than the four bytes of its tag, so
  /// limiting the markup alone would not limit the tree.
  package static let maximumNodes = 163_840

  /// The tree that `markup` builds in the given dialect. Parsing never fails: every mistake becomes a diagnostic.
  ///
  /// After ``maximumNodes`` nodes the parser stops reading. It still finishes the current tag with its implied elements and
  /// clones, so it can exceed the limit by the nodes of one tag.
  ///
  /// - Parameter isInView: whether the markup is the content of a view's element, a `div`, which a surplus `</div>` closes.
  /// - Complexity: O(*bytes*); hostile nesting adds a constant for each tag, see ``OpenElements``.
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
