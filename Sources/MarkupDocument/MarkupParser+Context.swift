extension MarkupParser {
  /// A position inside a page: where a piece of markup is inserted.
  package struct Context: Sendable {
    /// Pieces at a greater depth are not parsed by themselves. Beyond 512 open elements the parser departs from what the tags
    /// say.
    static let maximumDepth = 500

    /// The open elements, outermost first, without the root. The last one is the parent.
    package var ancestors: [Element]
    /// Whether the piece begins directly after its parent's start tag, where `pre` drops a line feed.
    package var startsParent: Bool

    /// A position inside the last of `ancestors`.
    package init(ancestors: [Element], startsParent: Bool) {
      self.ancestors = ancestors
      self.startsParent = startsParent
    }
  }

  /// The result of parsing a piece of markup in its context.
  package struct Piece: Sendable {
    /// The nodes of the piece below placeholders for the ancestors. Offsets are relative to the piece.
    package var tree: NodeTree
    /// The placeholder of the parent. Its children are the nodes of the piece.
    package var parent: NodeTree.Index
    /// Repairs and violated rules, in source order.
    package var diagnostics: [MarkupDiagnostic]
    /// The number of nodes of the piece, without the placeholders.
    package var count: Int
    /// See ``Result/irregular``.
    package var irregular: Set<NodeTree.Index>
    /// See ``Result/ends``.
    package var ends: [Int32]
    /// Whether the piece only adds children to its parent and leaves the parser in the state it had before, so that the markup
    /// after the piece is read as if the piece were absent. If `false`, the other properties are meaningless.
    package var isContained: Bool
  }

  /// Parses a piece of markup as the parser of the whole page would at that position.
  ///
  /// Precondition for replacing a part of a page: neither the element nor any of its ancestors is irregular, and the replaced
  /// range of its content begins after a tag or comment and ends before one (or with the content). If the piece is contained,
  /// the tree of the new page is then the old tree with the nodes of the range replaced by those of the piece. The caller has
  /// to check ``maximumNodes`` for the new page.
  ///
  /// - Complexity: O(*bytes* + *ancestors*).
  package static func parse(_ markup: [UInt8], in context: Context, dialect: Dialect) -> Piece {
    markup.withUnsafeBufferPointer { bytes in
      switch dialect {
      case .html:
        var builder = TreeBuilder(bytes, in: context)
        builder.isInView = true
        if !builder.regularity.isLost { builder.run() }
        return Piece(builder.tree, builder.tokenizer, builder.regularity)
      case .native:
        var parser = NativeParser(bytes, in: context)
        if !parser.regularity.isLost { parser.run() }
        return Piece(parser.tree, parser.tokenizer, parser.regularity)
      }
    }
  }
}

extension MarkupParser.Piece {
  fileprivate init(_ tree: NodeTree, _ tokenizer: Tokenizer, _ regularity: Regularity) {
    self.tree = tree
    parent = NodeTree.Index(raw: Int32(min(regularity.floor, tree.count) - 1))
    diagnostics = tokenizer.log.diagnostics
    count = max(tree.count - regularity.floor, 0)
    irregular = regularity.irregular
    ends = regularity.ends
    isContained = !regularity.isLost
  }
}
