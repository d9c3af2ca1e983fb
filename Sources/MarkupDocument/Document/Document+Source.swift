/// The place in the server's code where an element was written. `Document.sources()` finds it,
/// and `TreeJSON` and `ViewPage` show it.
public struct SourceLocation: Sendable, Hashable {
  /// The path of the file, as the annotation gives it.
  public var file: String
  /// The line, from 1.
  public var line: Int

  package init(file: String, line: Int) { (self.file, self.line) = (file, line) }
}

/// The place of an element in the server's code, and the function component whose output has it at
/// the top.
package struct NodeSource: Sendable, Hashable {
  package var location: SourceLocation
  /// The function, such as `AppWeb.CoreComponents.button`, if the element is at the top of the
  /// function's output.
  package var function: String?
}

extension Document {
  /// The source locations of elements, from HEEx's debug annotations.
  ///
  /// Three annotations are read (LiveView ≥ 1.0 `debug_heex_annotations`, ≥ 1.1
  /// `debug_attributes`): the comments `<!-- <Mod.fun> file:line (app) -->` and `<!-- </Mod.fun>
  /// -->` around the output of a function component, and the attribute `data-phx-loc="line"`. An
  /// element's file is the file of the innermost function around it. Its line is its own
  /// `data-phx-loc`; without one, an element directly between the two comments gets the function's
  /// line. Such an element also gets the function's name.
  ///
  /// - Complexity: O(*nodes*).
  package func sources() -> [NodeRef: NodeSource] {
    var sources: [NodeRef: NodeSource] = [:]
    /// The functions whose closing comment has not been read, each with the depth of its comments.
    var open: [(depth: Int, location: SourceLocation, name: String?)] = []
    // The walk counts the depth: finding it by the ancestors of each node would cost O(depth) for
    // each.
    var step = NodeTree.Step(node: NodeTree.root, depth: 0)
    while let next = tree.step(after: step, within: NodeTree.root) {
      step = next
      let (node, depth) = (step.node, step.depth)
      // A function whose closing comment is missing ends with the comment's parent.
      while let last = open.last, last.depth > depth { open.removeLast() }
      switch tree[node] {
      case .comment(let comment):
        if let location = SourceLocation(annotation: comment) {
          open.append((depth, location, comment.functionName))
        } else if comment.utf8.starts(with: " </".utf8), open.last?.depth == depth {
          open.removeLast()
        }
      case .element(let element):
        guard let function = open.last else { break }
        let own = element["data-phx-loc"].flatMap { Int($0) }
        if let line = own ?? (function.depth == depth ? function.location.line : nil) {
          sources[ref(node)] = NodeSource(
            location: SourceLocation(file: function.location.file, line: line),
            function: function.depth == depth ? function.name : nil)
        }
      case .text, .processingInstruction, .root: break
      }
    }
    return sources
  }
}

extension String {
  /// `Mod.fun` of the annotation ` <Mod.fun> lib/file.ex:12 (app) `.
  fileprivate var functionName: String? {
    split(separator: " ").first.map { String($0.dropFirst().dropLast()) }
  }
}

extension SourceLocation {
  /// Parses ` <Mod.fun> lib/file.ex:12 (app) `; `nil` for any other comment.
  package init?(annotation comment: String) {
    let words = comment.split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("<"), !words[0].hasPrefix("</"), words[0].hasSuffix(">"),
      let colon = words[1].lastIndex(of: ":"), let line = Int(words[1][words[1].index(after: colon)...])
    else { return nil }
    self.init(file: String(words[1][..<colon]), line: line)
  }
}
