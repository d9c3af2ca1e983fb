/// Trees written as markup.
extension NodeTree {
  /// The markup of a node: an element with its tags, and for the root its children.
  ///
  /// `html` follows the HTML fragment serialisation algorithm (13.3), with one addition that makes
  /// parse(serialise(*d*)) = *d* hold more often: a `pre`, `listing` or `textarea` whose text begins with a line feed
  /// gets another in front of it, which the parser takes away. There are trees that HTML cannot write (a `p` in a `p`,
  /// text ending in `</script>` in a `script`); their markup reads as another tree, as it does in a browser.
  ///
  /// `native` writes every element with its end tag, and escapes all text.
  ///
  /// - Complexity: O(*nodes* + *characters*), whatever the depth.
  package func markup(of node: Index = NodeTree.root, dialect: Dialect) -> String {
    var output = MarkupOutput(dialect: dialect)
    var current = node
    while true {
      let opened = output.open(self[current], in: parent(of: current).flatMap { self[$0].element })
      if opened, let child = firstChild(of: current) {
        output.startContent(self[current], first: self[child])
        current = child
        continue
      }
      if opened { output.close(self[current]) }
      while current != node, next(of: current) == nil, let parent = parent(of: current) {
        current = parent
        output.close(self[current])
      }
      guard current != node, let sibling = next(of: current) else { return output.string }
      current = sibling
    }
  }
}
