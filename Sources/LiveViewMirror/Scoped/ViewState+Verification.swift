package import MarkupDocument
package import RenderedTree

/// `--verify`: every scoped update is computed in full as well.
extension ViewState {
  /// Where this state is not what the full path makes of the one before.
  ///
  /// - Complexity: that of the full path.
  package func differences(
    by changeSet: ChangeSet, from before: ViewState, after message: WireMessage
  ) -> [DocumentDiagnostic] {
    let expected: (update: PreparedUpdate, result: FullResult)
    do throws(UpdateError) {
      expected = try before.prepare(message, because: "it is compared with the scoped one")
    } catch {
      return [Self.difference(nil, "the full path refuses this diff (\(error)), and the scoped one applied it")]
    }
    var full = before.document
    switch expected.result.content {
    case .apply(let marks): full.apply(expected.update.changeSet, marks: marks)
    case .replace(let document): full = document
    }
    var differences: [DocumentDiagnostic] = []
    if let (mine, theirs) = document.tree.firstDifference(of: full.tree) {
      differences.append(
        Self.difference(
          mine.map(document.ref),
          "at \(document.place(of: mine)) the scoped update has \(document.text(of: mine)), and the full path at "
            + "\(full.place(of: theirs)) \(full.text(of: theirs))"))
    }
    var applied = before.document
    applied.apply(changeSet)
    if !applied.isSame(as: document) {
      differences.append(Self.difference(nil, "the change set does not lead from the version before to this one"))
    }
    let markups = (try? rendered.render().markup, try? expected.result.rendered.render().markup)
    if markups.0 != markups.1 {
      differences.append(Self.difference(nil, "the merged tree is not that of the full path"))
    }
    return differences
  }

  private static func difference(_ node: NodeRef?, _ message: String) -> DocumentDiagnostic {
    DocumentDiagnostic(
      code: "scoped-differs", node: node, message: "\(message); this is a fault of the mirror, please report the diff")
  }
}

extension Document {
  /// Where a node stands, for a reader.
  fileprivate func place(of node: NodeTree.Index?) -> String {
    guard let node else { return "the end" }
    let element = tree[node].element == nil ? tree.parent(of: node) : node
    return element.map { selector(of: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "the top"
  }

  fileprivate func text(of node: NodeTree.Index?) -> String {
    guard let node else { return "nothing more" }
    return switch tree[node] {
    case .root: "the document"
    case .text(let text): "the text \"\(text.prefix(40))\""
    case .comment(let comment): "the comment \"\(comment.prefix(40))\""
    case .processingInstruction(let instruction): "the instruction \"\(instruction.target)\""
    case .element(let element):
      "<"
        + ([element.tag] + element.attributes.prefix(4).map { "\($0.name)=\"\($0.value.prefix(20))\"" })
        .joined(separator: " ") + ">"
    }
  }
}
