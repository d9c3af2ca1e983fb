internal import MarkupDocument

extension Change {
  /// A copy with converted positions. Changes of texts and attributes have no position.
  ///
  /// - Parameters:
  ///   - left: converts the position from which a node is removed or moved.
  ///   - reached: converts the position at which a node is added or to which it is moved.
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
  /// The position that is `children` siblings later.
  func shifted(by children: Int) -> Position { Position(parent: parent, index: index + children) }
}
