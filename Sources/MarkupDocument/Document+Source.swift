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
    /// Functions that are open, each with the depth of the nodes beside its comments.
    var open: [(depth: Int, location: SourceLocation)] = []
    // The depth is counted on the way: looking for a node's ancestors costs as much as the page is deep, each time.
    var step = NodeTree.Step(node: NodeTree.root, depth: 0)
    while let next = tree.step(after: step, within: NodeTree.root) {
      step = next
      let (node, depth) = (step.node, step.depth)
      // A comment that was never closed ends with its parent.
      while let last = open.last, last.depth > depth { open.removeLast() }
      switch tree[node] {
      case .comment(let comment):
        if let location = SourceLocation(annotation: comment) {
          open.append((depth, location))
        } else if comment.utf8.starts(with: " </".utf8), open.last?.depth == depth {
          open.removeLast()
        }
      case .element(let element):
        guard let function = open.last else { break }
        let own = element["data-phx-loc"].flatMap { Int($0) }
        if let line = own ?? (function.depth == depth ? function.location.line : nil) {
          sources[ref(node)] = SourceLocation(file: function.location.file, line: line)
        }
      case .text, .processingInstruction, .root: break
      }
    }
    return sources
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
