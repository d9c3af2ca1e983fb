extension MarkupParser {
  /// A place inside a page: where a piece of markup stands.
  package struct Context: Sendable {
    /// Pieces that stand deeper are not read. Below 512 elements pages are no longer what their tags say.
    static let maximumDepth = 500

    /// The open elements, outermost first and without the root; the last one is the parent.
    package var ancestors: [Element]
    /// The piece begins right behind its parent's start tag, where `pre` drops a line feed.
    package var startsParent: Bool

    package init(ancestors: [Element], startsParent: Bool) {
      self.ancestors = ancestors
      self.startsParent = startsParent
    }
  }

  /// What a piece of markup makes in its context.
  package struct Piece: Sendable {
    /// The piece's nodes, below stand-ins for the ancestors. Offsets are those in the piece.
    package var tree: NodeTree
    /// The stand-in for the parent. Its children are the nodes of the piece.
    package var parent: NodeTree.Index
    package var diagnostics: [MarkupDiagnostic]
    /// How many nodes the piece has, the stand-ins not among them.
    package var count: Int
    /// As in ``Result``.
    package var irregular: Set<NodeTree.Index>
    /// As in ``Result``.
    package var ends: [Int32]
    /// Whether the piece makes children of its parent and nothing else, and leaves the parser as it was before: what
    /// follows is read as if the piece had not been there. If not, all the rest of this value means nothing.
    package var isContained: Bool
  }

  /// Reads a piece of markup as the parser of the whole page would when it comes to its place.
  ///
  /// Say that in a page neither an element nor any above it is irregular, and that a stretch of its content begins
  /// behind a tag or comment and ends before one (or with the content). Then the stretch can be exchanged for a piece
  /// that is contained in the context of the element: the new page's tree is the old one with the nodes of the piece
  /// in the place of those of the stretch. Only the caller knows about the new page's ``maximumNodes``.
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
