/// Writing trees as markup. ``Document`` writes its markup with it.
extension NodeTree {
  /// The markup of a node: an element with its tags, or the children of the root.
  ///
  /// `html` follows the HTML fragment serialisation algorithm (13.3), with two additions that make
  /// parse(serialise(*d*)) = *d* hold more often. If the text of a `pre`, `listing` or `textarea`
  /// begins with a line feed, a second line feed is written before it, because the parser drops the
  /// first one. A carriage return is written as a reference. HTML cannot express every tree, for
  /// example a `p` in a `p`, or text with `</script>` in a `script`. The markup of such a tree is
  /// parsed as another tree, as in a browser.
  ///
  /// `native` writes every element with its end tag, and escapes all text.
  ///
  /// - Complexity: O(*nodes* + *characters*), for any depth.
  package func markup(of node: Index = NodeTree.root, dialect: Dialect) -> String {
    String(decoding: markupBytes(of: node, dialect: dialect), as: UTF8.self)
  }

  /// The markup of a node as UTF-8; see ``markup(of:dialect:)``.
  ///
  /// - Parameter numbers: an attribute to write into every element, and its value for each index of
  ///   the storage.
  package func markupBytes(
    of node: Index = NodeTree.root, dialect: Dialect, numbers: (name: StaticString, values: [Int])? = nil
  ) -> [UInt8] {
    var output = MarkupOutput(dialect: dialect)
    var current = node
    // The parent of the last text, and whether its texts are raw.
    var (asked, isRaw) = (Index?.none, false)
    while true {
      let content = self[current]
      let opened: Bool
      if case .text(let text) = content {
        if let parent = parent(of: current), parent != asked {
          (asked, isRaw) = (parent, output.holdsRawText(self[parent]))
        }
        output.write(text: text, isRaw: isRaw)
        opened = false
      } else {
        opened = output.open(content, number: numbers.map { ($0.name, $0.values[Int(current.raw)]) })
      }
      if opened {
        if let child = firstChild(of: current) {
          output.startContent(content, first: self[child])
          current = child
          continue
        }
        output.close(content)
      }
      while current != node, next(of: current) == nil, let parent = parent(of: current) {
        current = parent
        output.close(self[current])
      }
      guard current != node, let sibling = next(of: current) else { return output.bytes }
      current = sibling
    }
  }
}
