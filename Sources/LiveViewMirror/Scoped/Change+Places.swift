internal import MarkupDocument

extension Change {
  /// The change with its places told otherwise: those that are left, and those that are reached.
  func placed(left: (Position) -> Position = { $0 }, reached: (Position) -> Position) -> Change {
    switch self {
    case .text, .attributes: self
    case .add(let subtree, let position): .add(subtree, at: reached(position))
    case .remove(let nodes, let position, let name): .remove(nodes: nodes, from: left(position), name: name)
    case .move(let node, let name, let from, let to): .move(node: node, name: name, from: left(from), to: reached(to))
    }
  }
}

extension Position {
  /// The place as many children further on.
  func shifted(by children: Int) -> Position { Position(parent: parent, index: index + children) }
}
