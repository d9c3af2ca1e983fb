/// Parses markup into a ``NodeTree``. ``Page`` parses whole pages with it, and scoped updates parse
/// pieces, which are parts of a page's markup.
package enum MarkupParser {
  /// The tree of a page and what the parser knows about it.
  package struct Result: Sendable {
    /// The nodes that were read.
    package var tree: NodeTree
    /// Repairs and violated rules, in source order.
    package var diagnostics: [MarkupDiagnostic]
    /// Whether the markup has more nodes than ``maximumNodes``: the tree is well-formed but holds
    /// only the beginning of the page.
    package var isTruncated: Bool
    /// The elements, perhaps including the root, whose content the parser had to repair, so that it
    /// differs from what is written between the element's tags. The content of such an element
    /// cannot be replaced by a ``Piece``. Empty for a page whose tags nest and are all closed.
    package var irregular: Set<NodeTree.Index>
    /// Per storage index: the tags of the element. Nodes after the last element with a tag are left
    /// out.
    package var tags: [ElementTags]
  }

  /// The largest number of nodes in a tree, the root included. A tag of four bytes makes a node
  /// that takes far more memory, so a limit of the markup alone would not bound the tree enough.
  package static let maximumNodes = 163_840

  /// The tree that `markup` builds in the given dialect. Parsing never fails: every mistake becomes
  /// a diagnostic.
  ///
  /// After ``maximumNodes`` nodes the parser stops reading. It still finishes the current tag,
  /// which can also add implied elements and open formatting elements again. So the tree can exceed
  /// the limit by the nodes of one tag.
  ///
  /// - Parameter isInView: whether the markup is the content of a view's element, a `div`, which a
  ///   surplus `</div>` closes.
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
          irregular: builder.repairs.irregular, tags: builder.repairs.tags)
      case .native:
        var parser = NativeParser(bytes)
        parser.run()
        return Result(
          tree: parser.tree, diagnostics: parser.tokenizer.log.diagnostics, isTruncated: parser.isTruncated,
          irregular: parser.repairs.irregular, tags: parser.repairs.tags)
      }
    }
  }
}

extension MarkupParser {
  /// The position inside a page at which a piece of markup is inserted.
  package struct Context: Sendable {
    /// A piece at a greater depth is not parsed on its own: beyond 512 open elements, the parser
    /// inserts new elements as siblings instead of children.
    static let maximumDepth = 500

    /// The open elements, outermost first, without the root. The last one is the parent.
    package var ancestors: [Element]
    /// Whether the piece begins directly after its parent's start tag, where `pre` drops a line
    /// feed.
    package var startsParent: Bool

    /// A position inside the last of `ancestors`.
    package init(ancestors: [Element], startsParent: Bool) {
      self.ancestors = ancestors
      self.startsParent = startsParent
    }
  }

  /// The result of parsing a piece of markup in its context.
  package struct Piece: Sendable {
    /// The nodes of the piece below placeholders for the ancestors. Offsets are relative to the
    /// piece.
    package var tree: NodeTree
    /// The placeholder of the parent. Its children are the nodes of the piece.
    package var parent: NodeTree.Index
    /// Repairs and violated rules, in source order.
    package var diagnostics: [MarkupDiagnostic]
    /// The number of nodes of the piece, without the placeholders.
    package var count: Int
    /// See ``Result/irregular``.
    package var irregular: Set<NodeTree.Index>
    /// See ``Result/tags``.
    package var tags: [ElementTags]
    /// Whether the piece only adds children to its parent and leaves the parser in the state it had
    /// before, so that the markup after the piece is read as if the piece were absent. If `false`,
    /// the other properties are meaningless.
    package var isContained: Bool
  }

  /// Parses a piece of markup as the parser of the whole page would at that position.
  ///
  /// Precondition for replacing a part of a page: neither the parent of the part nor any of its
  /// ancestors is irregular. The replaced range of the parent's content begins after a tag or
  /// comment and ends before one (or with the content). If the piece is contained, the tree of the
  /// new page is then the old tree with the nodes of the range replaced by those of the piece. The
  /// caller has to check ``maximumNodes`` for the new page.
  ///
  /// - Complexity: O(*bytes* + *ancestors*).
  package static func parse(_ markup: [UInt8], in context: Context, dialect: Dialect) -> Piece {
    markup.withUnsafeBufferPointer { bytes in
      switch dialect {
      case .html:
        var builder = TreeBuilder(bytes, in: context)
        builder.isInView = true
        if !builder.repairs.isRootIrregular { builder.run() }
        return Piece(builder.tree, builder.tokenizer, builder.repairs)
      case .native:
        var parser = NativeParser(bytes, in: context)
        if !parser.repairs.isRootIrregular { parser.run() }
        return Piece(parser.tree, parser.tokenizer, parser.repairs)
      }
    }
  }
}

extension MarkupParser.Piece {
  fileprivate init(_ tree: NodeTree, _ tokenizer: Tokenizer, _ repairs: RepairedElements) {
    self.tree = tree
    parent = NodeTree.Index(raw: Int32(min(repairs.floor, tree.count) - 1))
    diagnostics = tokenizer.log.diagnostics
    count = max(tree.count - repairs.floor, 0)
    irregular = repairs.irregular
    tags = repairs.tags
    isContained = !repairs.isRootIrregular
  }
}

extension MarkupParser {
  /// The id of the first element in the markup; `nil` if that element has no id.
  ///
  /// - Complexity: O(*bytes up to the end of the first start tag*).
  package static func firstID(in markup: [UInt8], dialect: Dialect) -> String? {
    markup.withUnsafeBufferPointer { bytes in
      var tokenizer = Tokenizer(bytes, dialect: dialect)
      while true {
        switch tokenizer.next() {
        case .startTag: return Element(tag: tokenizer.name, attributes: tokenizer.attributes).id
        case .endOfFile: return nil
        case .text, .endTag, .comment, .processingInstruction: continue
        }
      }
    }
  }

  /// Parses the new start tag of an element, for an update that can only have changed the element's
  /// attributes.
  ///
  /// - Returns: `nil` if the markup is not exactly one start tag, if its name is not that of
  ///   `known`, or if it ends with `/>` and `isSelfClosing` is `false`, or the other way round.
  /// - Complexity: O(*bytes*).
  package static func startTag(
    _ markup: [UInt8], dialect: Dialect, like known: Element, isSelfClosing: Bool
  ) -> (element: Element, diagnostics: [MarkupDiagnostic])? {
    markup.withUnsafeBufferPointer { bytes in
      var tokenizer = Tokenizer(bytes, dialect: dialect)
      guard tokenizer.next() == .startTag, tokenizer.position == bytes.count,
        tokenizer.isSelfClosing == isSelfClosing
      else { return nil }
      let name = ForeignNames.element(tokenizer.name, in: known.namespace)
      guard name == known.tag else { return nil }
      let attributes = ForeignNames.adjusted(tokenizer.attributes, in: known.namespace)
      return (Element(tag: name, namespace: known.namespace, attributes: attributes), tokenizer.log.diagnostics)
    }
  }
}
