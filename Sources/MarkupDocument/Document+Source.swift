/// Where in the server's code an element was written.
public struct SourceLocation: Sendable, Hashable {
  public var file: String
  public var line: Int
}

extension Document {
  /// The places in the server's code that HEEx's debug annotations tell, by element.
  ///
  /// Three of them are read (LiveView ≥ 1.0 `debug_heex_annotations`, ≥ 1.1 `debug_attributes`):
  /// `<!-- <Mod.fun> file:line (app) -->` and `<!-- </Mod.fun> -->` around what a function component wrote, and
  /// `data-phx-loc="line"` on a tag. A tag's file is that of the innermost function around it; its line is its own, or
  /// else the function's for the elements directly inside of it.
  ///
  /// - Complexity: O(*nodes*).
  package func sources() -> [NodeRef: SourceLocation] {
    var sources: [NodeRef: SourceLocation] = [:]
    /// Functions that are open, each with the parent among whose children its comments stand.
    var open: [(parent: NodeTree.Index, location: SourceLocation)] = []
    for node in tree.preorder() {
      guard let parent = tree.parent(of: node) else { continue }
      switch tree[node] {
      case .comment(let comment):
        if let location = SourceLocation(annotation: comment) {
          open.append((parent, location))
        } else if comment.utf8.starts(with: " </".utf8), open.last?.parent == parent {
          open.removeLast()
        }
      case .element(let element):
        // A comment that was never closed ends with its parent.
        while let last = open.last, last.parent != parent, !isInside(node, last.parent) { open.removeLast() }
        guard let function = open.last else { continue }
        let own = element["data-phx-loc"].flatMap { Int($0) }
        if let line = own ?? (function.parent == parent ? function.location.line : nil) {
          sources[ref(node)] = SourceLocation(file: function.location.file, line: line)
        }
      case .text, .root: continue
      }
    }
    return sources
  }

  private func isInside(_ node: NodeTree.Index, _ ancestor: NodeTree.Index) -> Bool {
    var step: NodeTree.Index? = node
    while let current = step {
      if current == ancestor { return true }
      step = tree.parent(of: current)
    }
    return false
  }
}

extension SourceLocation {
  /// From ` <Mod.fun> lib/file.ex:12 (app) `; `nil` for any other comment.
  init?(annotation comment: String) {
    let words = comment.split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("<"), !words[0].hasPrefix("</"), words[0].hasSuffix(">"),
      let colon = words[1].lastIndex(of: ":"), let line = Int(words[1][words[1].index(after: colon)...])
    else { return nil }
    self.init(file: String(words[1][..<colon]), line: line)
  }
}
