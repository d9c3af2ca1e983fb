/// Writing trees as markup.
extension NodeTree {
  /// The markup of a node: an element with its tags, or the children of the root.
  ///
  /// `html` follows the HTML fragment serialisation algorithm (13.3), with two additions that make parse(serialise(*d*)) = *d*
  /// hold more often. If the text of a `pre`, `listing` or `textarea` begins with a line feed, another one is written before
  /// it, which the parser drops. A carriage return is written as a reference. HTML cannot express every tree, for example a
  /// `p` in a `p`, or text with `</script>` in a `script`. The markup of such a tree is parsed as another tree, as in a
  /// browser.
  ///
  /// `native` writes every element with its end tag, and escapes all text.
  ///
  /// - Complexity: O(*nodes* + *characters*), for any depth.
  package func markup(of node: Index = NodeTree.root, dialect: Dialect) -> String {
    String(decoding: markupBytes(of: node, dialect: dialect), as: UTF8.self)
  }

  /// The markup of a node as UTF-8; see ``markup(of:dialect:)``.
  ///
  /// - Parameter numbers: an attribute to write into every element, and its value for each index of the storage.
  package func markupBytes(
    of node: Index = NodeTree.root, dialect: Dialect, numbers: (name: StaticString, values: [Int])? = nil
  ) -> [UInt8] {
    var output = MarkupOutput(dialect: dialect)
    records.withUnsafeBufferPointer { records in
      let links = Links(records)
      var current = Int(node.raw)
      // The parent of the last text, and whether its texts are raw.
      var (asked, isRaw) = (-1, false)
      while true {
        let content = links.content(of: current)
        let opened: Bool
        if case .text(let text) = content {
          let parent = links.parent(of: current)
          if parent != asked {
            asked = parent
            isRaw = parent >= 0 && output.holdsRawText(links.content(of: parent))
          }
          output.write(text: text, isRaw: isRaw)
          opened = false
        } else {
          opened = output.open(content, number: numbers.map { ($0.name, $0.values[current]) })
        }
        if opened {
          let child = links.firstChild(of: current)
          if child >= 0 {
            output.startContent(content, first: links.content(of: child))
            current = child
            continue
          }
          output.close(content)
        }
        while current != node.raw, links.next(of: current) < 0, links.parent(of: current) >= 0 {
          current = links.parent(of: current)
          output.close(links.content(of: current))
        }
        guard current != node.raw, links.next(of: current) >= 0 else { return }
        current = links.next(of: current)
      }
    }
    return output.bytes
  }
}

/// The content and the links of records, read directly from memory. Accessing a field through the array copies the whole record,
/// which took a third of the time of a serialisation.
private struct Links {
  private let start: UnsafeRawPointer?
  private let stride = MemoryLayout<NodeTree.Record>.stride
  private let contents: Int
  private let parents: Int
  private let firstChildren: Int
  private let nexts: Int

  init(_ records: UnsafeBufferPointer<NodeTree.Record>) {
    start = UnsafeRawPointer(records.baseAddress)
    contents = MemoryLayout<NodeTree.Record>.offset(of: \.content) ?? 0
    parents = MemoryLayout<NodeTree.Record>.offset(of: \.parent) ?? 0
    firstChildren = MemoryLayout<NodeTree.Record>.offset(of: \.firstChild) ?? 0
    nexts = MemoryLayout<NodeTree.Record>.offset(of: \.next) ?? 0
  }

  func content(of node: Int) -> NodeContent {
    start?.load(fromByteOffset: node * stride + contents, as: NodeContent.self) ?? .root
  }

  func parent(of node: Int) -> Int { link(node, parents) }
  func firstChild(of node: Int) -> Int { link(node, firstChildren) }
  func next(of node: Int) -> Int { link(node, nexts) }

  /// The index of a neighbour, or a negative number if the node has no such neighbour.
  private func link(_ node: Int, _ offset: Int) -> Int {
    Int(start?.load(fromByteOffset: node * stride + offset, as: Int32.self) ?? NodeTree.none)
  }
}
