internal import MarkupDocument

extension Document {
  /// Markup, parsed as it means among the children of a node.
  ///
  /// - Parameter isFirst: whether no child stands before it.
  /// - Complexity: O(*depth* + *markup*).
  func piece(_ markup: [UInt8], in parent: NodeRef, isFirst: Bool = false) -> MarkupParser.Piece {
    let context = MarkupParser.Context(ancestors: context(of: parent), startsParent: isFirst)
    return MarkupParser.parse(markup, in: context, dialect: dialect)
  }

  /// What the parser must know of the elements around a place: their names, and the one attribute that has a meaning.
  private func context(of parent: NodeRef) -> [Element] {
    var ancestors: [Element] = []
    var step = place(of: parent)
    while let node = step, let element = tree[node].element {
      let attributes = element.tag == "annotation-xml" ? element.attributes.filter { $0.name == "encoding" } : []
      ancestors.append(Element(tag: element.tag, namespace: element.namespace, attributes: attributes))
      step = tree.parent(of: node)
    }
    return ancestors.reversed()
  }

  /// For what is all new: a document without nodes, which stands for a part of this one.
  ///
  /// - Parameter number: the name for the first new node.
  func emptyExcerpt(numberingFrom number: Int) -> Document {
    var excerpt = Document(dialect: dialect, epoch: epoch)
    excerpt.beginNumbering(at: number)
    return excerpt
  }
}

extension [Int] {
  /// The number for the next new node, where these have been given.
  ///
  /// - Parameter number: what it was before.
  func nextNumber(from number: Int) -> Int { Swift.max(number, (self.max() ?? 0) + 1) }
}
