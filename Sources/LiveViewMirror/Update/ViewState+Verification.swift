package import MarkupDocument
package import RenderedTree

/// `--verify`: compares each scoped update with a full update. ``updateScoped(_:decoding:)`` calls
/// ``differences(by:from:after:)`` after the document was changed and before the record is made.
extension ViewState {
  /// The differences between this state and the result of a full update of `before`.
  ///
  /// - Complexity: that of a full update.
  package func differences(
    by changeSet: ChangeSet, from before: ViewState, after message: WireMessage
  ) -> [DocumentDiagnostic] {
    let expected: FullUpdate
    do throws(UpdateError) {
      expected = try FullUpdate(message, to: before, because: .verification)
    } catch {
      return [Self.difference(nil, "the full update refuses this diff (\(error)), but the scoped update applied it")]
    }
    var full = before.document
    switch expected.content {
    case .apply(let marks): full.apply(expected.prepared.changeSet, marks: marks)
    case .replace(let document): full = document
    }
    var differences: [DocumentDiagnostic] = []
    if let (mine, theirs) = document.tree.firstDifference(of: full.tree) {
      differences.append(
        Self.difference(
          mine.map(document.ref),
          "at \(document.location(of: mine)) the scoped update has \(document.text(of: mine)), and the full update at "
            + "\(full.location(of: theirs)) \(full.text(of: theirs))"))
    }
    var applied = before.document
    applied.apply(changeSet)
    if !applied.isSame(as: document) {
      differences.append(Self.difference(nil, "the change set does not lead from the version before to this one"))
    }
    let markups = (try? rendered.render().markup, try? expected.rendered.render().markup)
    if markups.0 != markups.1 {
      differences.append(Self.difference(nil, "the merged tree is not that of the full update"))
    }
    return differences
  }

  private static func difference(_ node: NodeRef?, _ message: String) -> DocumentDiagnostic {
    DocumentDiagnostic(
      code: "scoped-differs", node: node, message: "\(message); this is a bug of the mirror, please report the diff")
  }
}

extension Document {
  /// The location of a node, for a message.
  fileprivate func location(of node: NodeTree.Index?) -> String {
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
