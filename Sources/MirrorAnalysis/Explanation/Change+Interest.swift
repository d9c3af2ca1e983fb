package import MarkupDocument
package import MirrorSupport

extension Change {
  /// A change of white space or of HEEx's comments only. The inspector counts and folds these
  /// changes apart, in the tree, the diff and the comparison alike.
  package var isSeldomOfInterest: Bool {
    switch self {
    case .text(_, _, let before, let after):
      NodeContent.text(before).isSeldomOfInterest && NodeContent.text(after).isSeldomOfInterest
    case .add(let subtree, _): subtree.nodes.count == 1 && subtree.nodes[0].content.isSeldomOfInterest
    case .remove(_, _, let name), .move(_, let name, _, _): name == .blank || name == .comment
    case .attributes: false
    }
  }

  /// The nodes that the change removes: the root of the subtree, and those in it.
  package var removedNodes: [NodeRef] { if case .remove(let nodes, _, _) = self { nodes } else { [] } }
}

extension Formatted {
  /// `8 changes and 4 of white space and comments`: the same count in the tree, the diff, the
  /// comparison and the steps.
  package static func changes(_ count: Int, ofBlanks blankCount: Int = 0) -> String {
    Formatted.count(count, "change") + (blankCount > 0 ? " and \(grouped(blankCount)) of white space and comments" : "")
  }
}
