internal import MarkupDocument

extension Document {
  /// Parses markup in its context: as the parser of the whole page would read it among the children of a node.
  ///
  /// - Parameter isFirst: whether the markup begins directly after the parent's start tag.
  /// - Complexity: O(*depth* + *markup*).
  func piece(_ markup: [UInt8], in parent: NodeRef, isFirst: Bool = false) -> MarkupParser.Piece {
    let context = MarkupParser.Context(ancestors: context(of: parent), startsParent: isFirst)
    return MarkupParser.parse(markup, in: context, dialect: dialect)
  }

  /// What the parser must know of the ancestors: their names, and the `encoding` of `annotation-xml`, the only attribute that
  /// affects parsing.
  private func context(of parent: NodeRef) -> [Element] {
    var ancestors: [Element] = []
    var step = treeIndex(of: parent)
    while let node = step, let element = tree[node].element {
      let attributes = element.tag == "annotation-xml" ? element.attributes.filter { $0.name == "encoding" } : []
      ancestors.append(Element(tag: element.tag, namespace: element.namespace, attributes: attributes))
      step = tree.parent(of: node)
    }
    return ancestors.reversed()
  }

  /// An empty excerpt, for markup that has only new nodes.
  ///
  /// - Parameter number: the number of the first new node.
  func emptyExcerpt(numberingFrom number: Int) -> Document {
    var excerpt = Document(dialect: dialect, epoch: epoch)
    excerpt.beginNumbering(at: number)
    return excerpt
  }
}
