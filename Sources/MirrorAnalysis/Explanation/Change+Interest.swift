package import MarkupDocument
package import MirrorSupport

extension Change {
  /// Whether only white space or comments of HEEx changed. On its pages, the inspector counts these
  /// changes separately and folds them.
  package var isSeldomOfInterest: Bool {
    switch self {
    case .text(_, _, let before, let after):
      NodeContent.text(before).isSeldomOfInterest && NodeContent.text(after).isSeldomOfInterest
    case .add(let subtree, _): subtree.nodes.count == 1 && subtree.nodes[0].content.isSeldomOfInterest
    case .remove(_, _, let name), .move(_, let name, _, _): name == .blank || name == .comment
    case .attributes: false
    }
  }

  /// The nodes that a removal removes: the top of the subtree, then the nodes below it. Empty for
  /// other changes.
  package var removedNodes: [NodeRef] { if case .remove(let nodes, _, _) = self { nodes } else { [] } }
}

extension Formatted {
  /// Formats two counts, such as `8 changes and 4 of white space and comments`. All parts of the
  /// inspector that count changes use this function, so that they use the same words.
  package static func changes(_ count: Int, ofBlanks blankCount: Int = 0) -> String {
    Formatted.count(count, "change") + (blankCount > 0 ? " and \(grouped(blankCount)) of white space and comments" : "")
  }
}
