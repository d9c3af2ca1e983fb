package import MarkupDocument

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
}
